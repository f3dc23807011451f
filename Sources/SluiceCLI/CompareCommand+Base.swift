internal import Sluice

extension CompareCommand {
  /// Compares the suites as they stand here with how they stood in a revision.
  func compare(withRevision revision: String) async throws -> (ComparisonResult, Project) {
    var wanted = ProjectRequest(suites: names)
    wanted.prompts = prompt
    wanted.backends = backend
    wanted.repetitions = repetitions
    var project = try Project.load(wanted)
    try project.requireNothingPendingInCI()
    do throws(GitError) {
      if let head {
        let snapshot = try await GitSnapshot.open(revision: head, projectRoot: project.root)
        project.loaded = try await load(snapshot, project.selection, project)
        try await snapshot.prefetch(project.loaded.suites.flatMap { Self.files(of: $0.plan) })
        if let result = unreadable(project.loaded, snapshot, project) { return (result, project) }
        project.candidateFiles = snapshot
      }
      let snapshot = try await GitSnapshot.open(revision: revision, projectRoot: project.root)
      return (try await compare(project, with: snapshot), project)
    } catch {
      throw refusal(error)
    }
  }

  /// Refuses a revision that cannot be compared with, before anything is sent for it.
  ///
  /// - Throws: ``ExitCode/usage`` after saying what is wrong with it.
  func require(revision: String, of project: Project) async throws {
    do throws(GitError) {
      _ = try await GitSnapshot.open(revision: revision, projectRoot: project.root)
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ error: GitError) -> Sluice.ExitCode {
    refusal(error.message, error.fix ?? nearest(error))
  }

  private func nearest(_ error: GitError) -> String? {
    guard case .unknownRevision(let name, let known, _) = error else { return nil }
    // HEAD~7 is the seventh before HEAD: it is the history or the name that falls short.
    let root = String(name.prefix { $0 != "~" && $0 != "^" })
    if root != name, root == "HEAD" || known.contains(root) {
      return "the history may not reach so far: git log --oneline \(ShellText.quoted(root))"
    }
    if let nearest = NearestName.of(root, among: known) {
      return "did you mean '\(nearest)\(name.dropFirst(root.count))'?"
    }
    // Some repositories have thousands.
    return known.count > 10 ? nil : NearestName.suggestion(for: name, among: known)
  }

  private func compare(_ project: Project, with snapshot: GitSnapshot) async throws(GitError)
    -> ComparisonResult
  {
    guard snapshot.kind(of: ProjectPath(ProjectConfiguration.fileName)) == .file else {
      return ComparisonResult(
        [],
        notes: [
          "There is no \(ProjectConfiguration.fileName) at \(snapshot.revision), so there is nothing "
            + "to compare with."
        ],
        isIncomplete: true
      )
    }
    // A suite that has moved since is looked for by its name among all.
    let paths = project.loaded.suites.map(\.plan.path)
    let isThere = paths.allSatisfy { snapshot.kind(of: $0) == .file }
    let there = try await load(
      snapshot,
      ProjectLoader.Selection(
        suites: isThere && !names.isEmpty ? paths.map(\.description) : [],
        repetitions: repetitions
      ),
      project
    )
    if let result = unreadable(there, snapshot, project) { return result }
    let pairs = project.loaded.suites.map { suite in
      (
        here: suite,
        there: there.suites.first { $0.plan.name == suite.plan.name }
          // A suite that was given another name, or one that took another's place: neither is new.
          ?? there.suites.first { $0.plan.path == suite.plan.path }
      )
    }
    let comparisons = pairs.compactMap { pair in
      pair.there.map {
        RevisionComparison(
          here: pair.here,
          there: $0,
          names: (head.map { "at \($0)" } ?? "here", "at \(snapshot.revision)")
        )
      }
    }
    try await snapshot.prefetch(pairs.compactMap(\.there).flatMap { Self.files(of: $0.plan) })
    var result = ComparisonResult([])
    for pair in pairs where pair.there == nil {
      let name = pair.here.plan.name
      result.notes.append("\(name): new here, so there is nothing to compare it with.")
    }
    if names.isEmpty {
      let kept = Set(pairs.compactMap(\.there?.plan.name))
      for suite in there.suites where !kept.contains(suite.plan.name) {
        result.notes.append("\(suite.plan.name): gone here, so nothing says how it would do.")
        result.isIncomplete = true
      }
    }
    checkLedgers(pairs, project, snapshot, &result)
    var misses: [String] = []
    for comparison in comparisons {
      let files = project.candidateFiles ?? project.surroundings.files
      let layers = RecordingSession.layers(isScratch: scratch)
      let outcome = comparison.compare(
        files: files,
        otherFiles: snapshot,
        layers: layers,
        margin: margin.map { $0 / 100 },
        concurrency: concurrency,
        replies: await comparison.askPrograms(
          project.surroundings,
          files: files,
          otherFiles: snapshot,
          layers: layers
        )
      )
      project.printDiagnostics(outcome.diagnostics)
      result.comparisons += outcome.comparisons
      let name = comparison.suite
      if outcome.comparisons.isEmpty {
        result.notes.append("\(name): no backend is the same on both sides.")
        result.isIncomplete = true
      } else {
        for backend in outcome.addedBackends {
          result.notes.append(
            "\(name) on \(backend): new here, so there is nothing to compare it with."
          )
        }
        for backend in outcome.removedBackends {
          result.notes.append("\(name) on \(backend): gone here, so nothing says how it would do.")
          result.isIncomplete = true
        }
      }
      // Those of a backend that is new here are in no comparison.
      if !outcome.missesHere.isEmpty { result.isIncomplete = true }
      // What was not recorded with a revision cannot be recorded into it.
      if head == nil, !outcome.missesHere.isEmpty {
        misses.append(SuiteName.short(comparison.path))
      }
      for (count, revision) in [
        (outcome.missesThere.count, snapshot.revision), (outcome.missesHere.count, head ?? ""),
      ] where count > 0 && !revision.isEmpty {
        let trials = count == 1 ? "1 trial has" : "\(count) trials have"
        result.notes.append("\(name): \(trials) no recording at \(revision).")
      }
    }
    if comparisons.isEmpty { result.isIncomplete = true }
    if correction.chosenFamily == .call { result.correctAsOne() }
    if !misses.isEmpty {
      let words = ["sluice record"] + misses.map(ShellText.quoted)
      result.next = ComparisonResult.NextStep(
        advice: "record what is missing (this sends requests)",
        command: words.joined(separator: " ") + project.trying.options
      )
    }
    return result
  }

  /// The files that a suite's answers and its yardstick are read from.
  private static func files(of plan: SuitePlan) -> [ProjectPath] {
    plan.allBackends.flatMap { backend in
      [
        RecordingFile.path(dataset: plan.datasetPath, backend: backend.name),
        RecordingLedger.path(dataset: plan.datasetPath, backend: backend.name).folder,
        Baseline.path(suite: plan.name, backend: backend.name),
      ]
    }
  }

  /// Names what ledgers have lost since the revision; nothing passes without it.
  private func checkLedgers(
    _ pairs: [(here: ResolvedSuite, there: ResolvedSuite?)],
    _ project: Project,
    _ snapshot: GitSnapshot,
    _ result: inout ComparisonResult
  ) {
    let audit = LedgerAudit(project.candidateFiles ?? project.surroundings.files)
    let diagnostics = DiagnosticCollector()
    var seen: Set<ProjectPath> = []
    for pair in pairs {
      guard let earlier = pair.there?.plan.datasetPath else { continue }
      let dataset = pair.here.plan.datasetPath
      guard seen.insert(dataset).inserted else { continue }
      let backends = Set(audit.backends(of: dataset, and: nil))
        .union(LedgerAudit(snapshot).backends(of: earlier, and: nil))
      for backend in backends.sorted() {
        let place = LedgerAudit.Place(dataset: dataset, earlier: earlier, backend: backend)
        let count = audit.checkLosses(
          of: place,
          since: snapshot.revision,
          in: snapshot,
          diagnostics
        )
        if count == 0 { continue }
        let path = RecordingLedger.path(dataset: dataset, backend: backend)
        result.notes.append(
          "\(path): the ledger is damaged, or has lost sets that \(snapshot.revision) has."
        )
        result.isIncomplete = true
      }
    }
    project.printDiagnostics(diagnostics.diagnostics)
  }

  /// What there is to say where the files of a revision are wrong; nil where they are not.
  private func unreadable(_ loaded: LoadedProject, _ snapshot: GitSnapshot, _ project: Project)
    -> ComparisonResult?
  {
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    if errors.isEmpty { return nil }
    project.printDiagnostics(
      errors.map { error in
        var error = error
        error.path = "\(snapshot.revision):\(error.path)"
        return error
      }
    )
    return ComparisonResult(
      [],
      notes: ["The files at \(snapshot.revision) are wrong, so nothing is compared."],
      isIncomplete: true
    )
  }

  /// Loads suites of a revision, fetching files until none is asked for any more.
  private func load(
    _ snapshot: GitSnapshot,
    _ selection: ProjectLoader.Selection,
    _ project: Project
  ) async throws(GitError) -> LoadedProject {
    try await snapshot.prefetch([
      ProjectPath(ProjectConfiguration.fileName), SuiteReader.folder,
    ])
    var loaded: LoadedProject
    repeat {
      loaded = ProjectLoader.load(
        selection,
        from: snapshot,
        today: project.surroundings.now(),
        environment: project.surroundings.environment
      )
    } while try await snapshot.fetchWanted()
    return loaded
  }
}
