import SluiceReporting

/// The comparison of a project's suites with those of a git revision.
package struct ProjectComparison: Sendable {
  /// The options of a comparison.
  package struct Request: Sendable {
    /// The suites as named on the command line; empty for all suites.
    package var suites: [String] = []
    package var repetitions: Int?
    /// The largest acceptable loss in a rate that no gate tests, such as 0.05 for 5 points.
    ///
    /// If it is `nil`, ``SuiteComparison/margin(of:)`` applies.
    package var margin: Double?
    /// The maximum number of threads that judge recorded answers.
    package var concurrency = 4
    /// The layers of recordings to use, in order of precedence.
    package var layers: [RecordingStore.Kind] = [.pending, .accepted]
    package var family = GateFamily.suite
    /// The revision to judge, or `nil` for the working tree.
    package var head: String?
    /// The command line's overrides, which suggested commands repeat.
    package var overrides = CommandLineOverrides()

    package init() {}
  }

  /// The outcome of a comparison.
  package struct Outcome: Sendable {
    package var result: ComparisonResult
    /// The errors in the files of both sides.
    package var diagnostics: [Diagnostic] = []
  }

  private let candidate: LoadedProject
  private let files: any FileSystem
  private let surroundings: Surroundings
  private let request: Request

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - candidate: The suites to judge.
  ///   - files: The file system that the suites were loaded from.
  ///   - surroundings: The clock, the environment and the host for scorer programs.
  ///   - request: The options of the comparison.
  package init(
    _ candidate: LoadedProject,
    files: any FileSystem,
    surroundings: Surroundings,
    _ request: Request
  ) {
    self.candidate = candidate
    self.files = files
    self.surroundings = surroundings
    self.request = request
  }

  /// Compares the suites with a revision.
  ///
  /// - Throws: ``GitError`` when git cannot read a file of the revision.
  package func compare(with snapshot: GitSnapshot) async throws(GitError) -> Outcome {
    guard snapshot.kind(of: ProjectPath(ProjectConfiguration.fileName)) == .file else {
      return Outcome(
        result: ComparisonResult(
          [],
          notes: [
            "There is no \(ProjectConfiguration.fileName) at \(snapshot.revision), so there is "
              + "nothing to compare with."
          ],
          isIncomplete: true
        )
      )
    }
    let there = try await earlier(snapshot)
    if let outcome = Self.unreadable(there, snapshot) { return outcome }
    let pairs = pairs(there)
    try await snapshot.prefetch(pairs.compactMap(\.there).flatMap { Self.files(of: $0.plan) })
    var outcome = Outcome(result: ComparisonResult([]))
    noteUnpaired(pairs, there, &outcome.result)
    checkLedgers(pairs, snapshot, &outcome)
    let (old, new) = (there.allowedFolders, candidate.allowedFolders)
    let opened = YardstickChange.difference(.policy, "allow-folders", old, new)
    var misses: [SuitePlan] = []
    for pair in pairs {
      guard let there = pair.there else { continue }
      let comparison = RevisionComparison(
        here: pair.here,
        there: there,
        names: (request.head.map { "at \($0)" } ?? "here", "at \(snapshot.revision)")
      )
      var compared = await compare(comparison, snapshot)
      // A change that lets files be read elsewhere comes before its other edits.
      for index in compared.comparisons.indices {
        compared.comparisons[index].edits = opened + compared.comparisons[index].edits
      }
      outcome.diagnostics += compared.diagnostics
      outcome.result.comparisons += compared.comparisons
      note(compared, of: comparison.suite, snapshot, &outcome.result)
      // Suggest recording only for the working tree, since a revision cannot be changed.
      let files = comparison.outputs
      if request.head == nil, compared.missesHere.contains(where: { files[$0.backend] == nil }) {
        misses.append(pair.here.plan)
      }
    }
    if outcome.result.comparisons.isEmpty {
      outcome.result.notes = opened.map(\.text) + outcome.result.notes
    }
    if pairs.allSatisfy({ $0.there == nil }) { outcome.result.isIncomplete = true }
    if request.family == .call { outcome.result.correctAsOne() }
    if !misses.isEmpty {
      let step = MissingAnswersStep(
        misses.map(\.path),
        areAskedThroughFiles: misses.allSatisfy(\.isAskedThroughFiles),
        request.overrides
      )
      outcome.result.next = ComparisonResult.NextStep(advice: step.advice, command: step.command)
    }
    return outcome
  }

  private func compare(_ comparison: RevisionComparison, _ snapshot: GitSnapshot) async
    -> RevisionComparison.Outcome
  {
    let replies = await comparison.askPrograms(
      surroundings,
      files: files,
      otherFiles: snapshot,
      layers: request.layers
    )
    return comparison.compare(
      files: files,
      otherFiles: snapshot,
      layers: request.layers,
      margin: request.margin,
      concurrency: request.concurrency,
      replies: replies
    )
  }

  // MARK: Suites

  /// A suite to judge, with its version in the revision; `nil` for a new suite.
  private typealias Pair = (here: ResolvedSuite, there: ResolvedSuite?)

  /// Loads those suites of the revision with which the current suites are compared.
  private func earlier(_ snapshot: GitSnapshot) async throws(GitError) -> LoadedProject {
    // If a suite has moved, load all suites and find it by its name.
    let paths = candidate.suites.map(\.plan.path)
    let isThere = paths.allSatisfy { snapshot.kind(of: $0) == .file }
    return try await Self.load(
      snapshot,
      ProjectLoader.Selection(
        suites: isThere && !request.suites.isEmpty ? paths.map(\.description) : [],
        repetitions: request.repetitions
      ),
      surroundings
    )
  }

  private func pairs(_ there: LoadedProject) -> [Pair] {
    candidate.suites.map { suite in
      var earlier =
        there.suites.first { $0.plan.name == suite.plan.name }
        // If a suite with another name has the same path, the suite was renamed and is not new.
        ?? there.suites.first { $0.plan.path == suite.plan.path }
      earlier?.keep(casesOf: suite.plan)
      return (here: suite, there: earlier)
    }
  }

  // MARK: Notes

  /// Adds notes on the suites that exist on one side only.
  private func noteUnpaired(
    _ pairs: [Pair],
    _ there: LoadedProject,
    _ result: inout ComparisonResult
  ) {
    for pair in pairs where pair.there == nil {
      let name = pair.here.plan.name
      result.notes.append("\(name): the suite is new on this side; cannot be compared.")
    }
    if !request.suites.isEmpty { return }
    let kept = Set(pairs.compactMap(\.there?.plan.name))
    for suite in there.suites where !kept.contains(suite.plan.name) {
      result.notes.append(
        "\(suite.plan.name): the suite was removed on this side; cannot be compared."
      )
      result.isIncomplete = true
    }
  }

  /// Adds notes on the parts of a suite that could not be compared.
  private func note(
    _ outcome: RevisionComparison.Outcome,
    of name: String,
    _ snapshot: GitSnapshot,
    _ result: inout ComparisonResult
  ) {
    if outcome.comparisons.isEmpty {
      result.notes.append("\(name): no backend is the same on both sides.")
      result.isIncomplete = true
    } else {
      for backend in outcome.addedBackends {
        result.notes.append(
          "\(name) on \(backend): new on this side; cannot be compared."
        )
      }
      for backend in outcome.removedBackends {
        result.notes.append("\(name) on \(backend): removed on this side; cannot be compared.")
        result.isIncomplete = true
      }
    }
    // Missing answers of new backends do not matter, since new backends are not compared.
    if !outcome.missesHere.isEmpty { result.isIncomplete = true }
    for (count, revision) in [
      (outcome.missesThere.count, snapshot.revision),
      (outcome.missesHere.count, request.head ?? ""),
    ] where count > 0 && !revision.isEmpty {
      let trials = count == 1 ? "1 trial has" : "\(count) trials have"
      result.notes.append("\(name): at \(revision), \(trials) no recording.")
    }
  }

  /// Reports ledgers that are damaged, or that lack sets of recordings which they list at the
  /// revision.
  ///
  /// If there are such ledgers, the comparison cannot pass.
  private func checkLedgers(_ pairs: [Pair], _ snapshot: GitSnapshot, _ outcome: inout Outcome) {
    let audit = LedgerAudit(files)
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
        if count == 0,
          audit.checkAnswers(of: dataset, backend, onlyWithDigests: true, diagnostics) > 0
        {
          let path = RecordingFile.path(dataset: dataset, backend: backend)
          outcome.result.notes.append("\(path): answers changed after they were accepted.")
          outcome.result.isIncomplete = true
        }
        if count == 0 { continue }
        let path = RecordingLedger.path(dataset: dataset, backend: backend)
        outcome.result.notes.append(
          "\(path): the ledger is damaged, or lacks recording sets that it lists at "
            + "\(snapshot.revision)."
        )
        outcome.result.isIncomplete = true
      }
    }
    outcome.diagnostics += diagnostics.diagnostics
  }

  // MARK: Files

  /// Returns the files that define a suite's answers, labels, scorers and gates.
  package static func files(of plan: SuitePlan) -> [ProjectPath] {
    plan.allBackends.flatMap { backend in
      [
        RecordingFile.path(dataset: plan.datasetPath, backend: backend.name),
        RecordingLedger.path(dataset: plan.datasetPath, backend: backend.name).folder,
        Baseline.path(suite: plan.name, backend: backend.name),
      ]
    }
  }

  /// Returns an outcome with the errors in a revision's files, or `nil` if the files have no
  /// errors.
  package static func unreadable(_ loaded: LoadedProject, _ snapshot: GitSnapshot) -> Outcome? {
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    if errors.isEmpty { return nil }
    let result = ComparisonResult(
      [],
      notes: ["The files at \(snapshot.revision) have errors, so nothing is compared."],
      isIncomplete: true
    )
    return Outcome(
      result: result,
      diagnostics: errors.map { error in
        var error = error
        error.path = "\(snapshot.revision):\(error.path)"
        return error
      }
    )
  }

  /// Loads suites of a revision.
  ///
  /// Loading is repeated, and further files are fetched from git, until no file is missing.
  ///
  /// - Parameters:
  ///   - snapshot: The revision.
  ///   - selection: The suites to load.
  ///   - surroundings: The clock and the environment.
  /// - Returns: The suites, and all errors in the files.
  /// - Throws: ``GitError`` when git cannot read a file of the revision.
  package static func load(
    _ snapshot: GitSnapshot,
    _ selection: ProjectLoader.Selection,
    _ surroundings: Surroundings
  ) async throws(GitError) -> LoadedProject {
    try await snapshot.prefetch([
      ProjectPath(ProjectConfiguration.fileName), SuiteReader.folder,
    ])
    var loaded: LoadedProject
    repeat {
      loaded = ProjectLoader.load(
        selection,
        from: snapshot,
        today: surroundings.now(),
        environment: surroundings.environment,
        isConfined: surroundings.files.isConfined
      )
    } while try await snapshot.fetchWanted()
    return loaded
  }
}
