import SluiceReporting

/// The maintenance of a project's recordings: status, pruning, and migration to the current format.
package struct RecordingHousekeeping: Sendable {
  private let surroundings: Surroundings
  private var files: any FileSystem { surroundings.files }

  package init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  // MARK: Status

  /// Returns the status of each recordings file, sorted by path.
  ///
  /// - Parameter diagnostics: Collects errors for unusable lines.
  /// - Returns: The status of the files, including the files that no suite uses anymore.
  /// - Throws: ``RecordingUse/Unknown`` if a file of any suite has errors.
  package func status(_ diagnostics: DiagnosticCollector) throws(RecordingUse.Unknown)
    -> [RecordingStatus]
  {
    let use = try RecordingUse(
      of: files,
      today: surroundings.now(),
      environment: surroundings.environment
    )
    let policy = use.plans.first?.recordings ?? RecordingPolicy()
    return recordingFiles(use).map { path in
      let file = RecordingFile(reading: path, from: files).reporting(to: diagnostics)
      let needed = use.files[path]
      var status = RecordingStatus(
        path: path,
        count: file.count,
        size: file.size
      )
      let now = surroundings.now()
      var dates: (oldest: Timestamp?, newest: Timestamp?)
      for slot in file.slots {
        guard let date = file.date(slot) else { continue }
        dates = (min(dates.oldest ?? date, date), max(dates.newest ?? date, date))
        if needed?.bySuites.contains(slot) == true {
          if let limit = policy.expiresBefore(now), date < limit {
            status.expired += 1
            continue
          }
          status.used += 1
          if let limit = policy.warnsBefore(now), date < limit { status.old += 1 }
        } else if needed?.needs(slot) == true {
          status.usedByOthers += 1
        } else {
          status.unused += 1
        }
      }
      (status.oldest, status.newest) = (dates.oldest?.day, dates.newest?.day)
      if let needed {
        let misses = misses(use.plans, needed)
        (status.stale, status.missing) = (misses.stale, misses.missing)
      }
      let pending = RecordingFile(
        reading: Self.pendingFolder(path.folder).resolvingChild(path.name),
        from: files,
        isJournal: true
      ).reporting(to: diagnostics)
      status.pending = pending.count
      status.origins = GivenAnswers(of: [file, pending])
      return status
    }
  }

  /// Counts the unrecorded requests that belong in a file.
  ///
  /// If the file has a similar recording, the request is `stale`; otherwise it is `missing`.
  private func misses(
    _ plans: [SuitePlan],
    _ file: RecordingUse.File
  ) -> (stale: Int, missing: Int) {
    var seen: Set<Recording.Slot> = []
    var counts = (stale: 0, missing: 0)
    for plan in plans where plan.datasetPath == file.dataset {
      let stores = RecordingStore.all(
        of: plan,
        in: files,
        kinds: [.pending, .accepted]
      )
      // Do not look for similar recordings in other files.
      let explainer = MissExplainer(stores, readsNeighbors: false)
      let verdicts = Runner(plan).judgeRequests(
        RecordingRequest.Selection(),
        stores,
        notBefore: nil
      ).filter { stores[$0.request.backend]?.contains($0.slot) != true }
      func count(_ entries: [RecordingRequest], _ miss: (RecordingRequest) -> RecordingMiss) {
        for entry in entries
        where entry.request.backend == file.backend && seen.insert(entry.slot).inserted {
          if case .changed = miss(entry).reason { counts.stale += 1 } else { counts.missing += 1 }
        }
      }
      count(plan.recordingRequests(RecordingRequest.Selection(), in: stores)) {
        explainer.miss($0.request, repetition: $0.repetition, hints: $0.hints)
      }
      count(verdicts) { explainer.verdictMiss($0.request, hints: $0.hints) }
    }
    return counts
  }

  /// Returns the folder for pending answers inside a folder of recordings.
  private static func pendingFolder(_ folder: ProjectPath) -> ProjectPath {
    folder.resolvingChild("pending")
  }

  /// Returns all recordings files of each dataset that a suite uses, including pending files and
  /// files of backends that no suite uses.
  private func recordingFiles(_ use: RecordingUse) -> [ProjectPath] {
    var paths = Set(use.files.keys)
    for folder in Set(use.files.keys.map(\.folder)) {
      let names = files.names(in: folder) + files.names(in: Self.pendingFolder(folder))
      for name in names where name.hasSuffix(".jsonl") {
        paths.insert(folder.resolvingChild(name))
      }
    }
    return paths.sorted { $0.description < $1.description }
  }

  // MARK: Pruning

  /// The recordings to prune from a file.
  package struct Pruning: Sendable {
    package var path: ProjectPath
    package var count: Int
    package var removed: Set<Recording.Slot>
    /// For each other branch, the number of recordings that are kept only because the branch needs
    /// them.
    package var keptFor: [(branch: String, count: Int)]
  }

  /// Finds the recordings that no suite needs, neither here nor on another branch.
  ///
  /// - Parameters:
  ///   - branches: The recordings that suites on other branches need.
  ///   - diagnostics: Collects errors for unusable lines.
  /// - Returns: The files that have recordings to prune, or recordings that only another branch
  ///   needs.
  /// - Throws: ``RecordingUse/Unknown`` if a file of any suite has errors.
  package func prunings(
    branches: [(name: String, use: RecordingUse)],
    _ diagnostics: DiagnosticCollector
  ) throws(RecordingUse.Unknown) -> [Pruning] {
    let use = try RecordingUse(
      of: files,
      today: surroundings.now(),
      environment: surroundings.environment
    )
    return recordingFiles(use).compactMap { path in
      let file = RecordingFile(reading: path, from: files).reporting(to: diagnostics)
      var unused = Set(file.slots.filter { use.files[path]?.needs($0) != true })
      var kept: [(branch: String, count: Int)] = []
      for (name, other) in branches {
        let needed = unused.filter { other.files[path]?.needs($0) == true }
        if needed.isEmpty { continue }
        kept.append((name, needed.count))
        unused.subtract(needed)
      }
      if unused.isEmpty, kept.isEmpty { return nil }
      return Pruning(path: path, count: file.count, removed: unused, keptFor: kept)
    }
  }

  /// Removes recordings from a file.
  ///
  /// If none are left, it deletes the file.
  ///
  /// - Throws: An error if the file cannot be written. The file is then unchanged.
  package func prune(_ pruning: Pruning) throws(FileError) {
    let file = RecordingFile(
      reading: pruning.path,
      from: files
    )
    if pruning.removed.count == file.count { return try files.remove(pruning.path) }
    try files.write(to: pruning.path) { (sink) throws(FileError) in
      try RecordingFile.write([file], keeping: { !pruning.removed.contains($0) }, to: &sink)
    }
  }

  // MARK: Migrating

  /// The result of migrating a recordings file.
  package struct Migration: Sendable {
    package var path: ProjectPath
    /// The number of lines that had an older schema.
    package var migrated: Int
    package var sizes: (before: Int, after: Int)
  }

  /// Rewrites lines of older schemas in the current schema.
  ///
  /// Answers and keys stay the same.
  ///
  /// The current schema also stores the case and the prompt as hints. A line gets hints if a suite
  /// still makes the recorded request.
  ///
  /// - Parameter diagnostics: Collects errors for unusable lines. Files with such lines are not
  ///   changed.
  /// - Returns: The files that were written.
  /// - Throws: ``FileError`` if a file cannot be written. That file is then unchanged.
  package func migrate(_ diagnostics: DiagnosticCollector) throws(FileError) -> [Migration] {
    let scorers = UnrunScorer.all(in: files)
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(testsKnownOutputs: scorers == nil),
      from: files,
      today: surroundings.now(),
      environment: surroundings.environment,
      ownScorers: scorers
    )
    let plans = loaded.suites.map(\.plan)
    var hints: [Recording.Slot: Recording.Hints] = [:]
    var paths: Set<ProjectPath> = []
    for plan in plans {
      for entry in plan.recordingRequests(RecordingRequest.Selection(scope: .all), in: [:]) {
        hints[entry.slot] = entry.hints
      }
      let folder = plan.datasetPath.folder.resolvingChild("recordings")
      for name in files.names(in: folder) where name.hasSuffix(".jsonl") {
        paths.insert(folder.resolvingChild(name))
      }
    }
    var migrations: [Migration] = []
    for path in paths.sorted(by: { $0.description < $1.description }) {
      let faults = DiagnosticCollector()
      let file = RecordingFile(reading: path, from: files).reporting(to: faults)
      if faults.hasErrors {
        for fault in faults.diagnostics { diagnostics.report(fault) }
        continue
      }
      var migrated = RecordingFile(path: path)
      var count = 0
      for slot in file.slots {
        guard let line = file.line(slot), let recording = try? file.recording(slot) else {
          diagnostics.report(
            Diagnostic(
              path: path.description,
              message: "a recording cannot be read, so the file was not changed",
              fix: "run 'sluice recordings verify' to find it"
            )
          )
          count = 0
          break
        }
        var renewed = recording
        if let known = hints[slot], renewed.hints.templateDigest.isEmpty { renewed.hints = known }
        if !RecordingLines.isOfCurrentSchema(line) { count += 1 }
        migrated.add(renewed)
      }
      if count == 0 { continue }
      let bytes = migrated.bytes
      try files.write(bytes, to: path)
      migrations.append(
        Migration(path: path, migrated: count, sizes: (file.size, bytes.count))
      )
    }
    return migrations
  }
}
