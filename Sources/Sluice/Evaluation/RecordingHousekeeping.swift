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
    let use = try RecordingUse(of: files, in: surroundings)
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
    let use = try RecordingUse(of: files, in: surroundings)
    return recordingFiles(use).compactMap { path in
      let file = RecordingFile(reading: path, from: files).reporting(to: diagnostics)
      _ = RecordingLedger(reading: Self.ledger(path), from: files).reporting(to: diagnostics)
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

  /// Returns the path of the ledger for a recordings file.
  private static func ledger(_ path: ProjectPath) -> ProjectPath {
    path.folder.resolvingChild("ledger").resolvingChild(path.name)
  }

  /// Removes recordings from a file, and names them in a line of the ledger.
  ///
  /// If none are left, it deletes the file.
  ///
  /// - Throws: An error if a file cannot be written. The recordings file is then unchanged.
  package func prune(_ pruning: Pruning) throws(FileError) {
    let file = RecordingFile(
      reading: pruning.path,
      from: files
    )
    var ledger = RecordingLedger(reading: Self.ledger(pruning.path), from: files)
    let lines = SetLines(of: pruning.removed.sorted(), in: file)
    // If pruning was interrupted, the ledger has the line already.
    if !ledger.sets.contains(where: { $0.state == .pruned && $0.lines == lines }) {
      let now = surroundings.now()
      var set = RecordingSet(started: now, path: pruning.path, number: ledger.sets.count)
      (set.state, set.closed) = (.pruned, now)
      (set.exchanges, set.lines) = (pruning.removed.count, lines)
      ledger.update(set)
      try files.write(ledger.bytes, to: ledger.path)
    }
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
    /// True if sets in the ledger got digests of their lines.
    package var addsDigests: Bool
    package var sizes: (before: Int, after: Int)
  }

  /// Rewrites lines of older schemas in the current schema, and adds digests of the lines to
  /// accepted sets that have none.
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
    for plan in plans {
      for entry in plan.recordingRequests(RecordingRequest.Selection(scope: .all), in: [:]) {
        hints[entry.slot] = entry.hints
      }
    }
    var migrations: [Migration] = []
    let found = RecordingFolder.files(of: plans.map(\.datasetPath), in: files)
    for path in found.filter({ !$0.isJournal }).map(\.path) {
      let faults = DiagnosticCollector()
      let file = RecordingFile(reading: path, from: files).reporting(to: faults)
      var ledger = RecordingLedger(reading: Self.ledger(path), from: files).reporting(to: faults)
      if faults.hasErrors {
        diagnostics.add(faults)
        continue
      }
      var migrated = RecordingFile(path: path)
      var count: Int? = 0
      for slot in file.slots {
        guard let line = file.line(slot), let recording = try? file.recording(slot) else {
          diagnostics.report(
            path.description,
            "a recording cannot be read, so the file was not changed",
            "run 'sluice recordings verify' to find it"
          )
          count = nil
          break
        }
        var renewed = recording
        if let known = hints[slot], renewed.hints.templateDigest.isEmpty { renewed.hints = known }
        if !RecordingLines.isOfCurrentSchema(line) { count? += 1 }
        migrated.add(renewed)
      }
      guard let count else { continue }
      if count == 0 { migrated = file }
      let sets = ledger.sets
      ledger.addLines(of: file, rewrittenAs: migrated)
      if count == 0, ledger.sets == sets { continue }
      // Writes the ledger first. If this is interrupted, the next migration makes the same lines.
      if ledger.sets != sets { try files.write(ledger.bytes, to: ledger.path) }
      let bytes = count == 0 ? nil : migrated.bytes
      if let bytes { try files.write(bytes, to: path) }
      migrations.append(
        Migration(
          path: path,
          migrated: count,
          addsDigests: ledger.sets != sets,
          sizes: (file.size, bytes?.count ?? file.size)
        )
      )
    }
    return migrations
  }
}
