import SluiceReporting

/// A reader of a suite's answers from recordings and run logs, which scores them with the current
/// scorers.
///
/// The answers of each prompt on each backend form a column.
package struct HealthReader: Sendable {
  private let suite: ResolvedSuite
  private let backends: [BackendDefinition]
  private let surroundings: Surroundings
  /// The number of repeats to look for in the recordings, unless the suite has more repeats.
  private static let mostRepetitions = 10

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - backends: The backends of `sluice.yaml`.
  ///   - surroundings: The project's files, the clock and the environment.
  package init(
    _ suite: ResolvedSuite,
    backends: [BackendDefinition],
    surroundings: Surroundings
  ) {
    self.suite = suite
    self.backends = backends
    self.surroundings = surroundings
  }

  /// A run log with its file name.
  package struct Log: Sendable {
    package var name: String
    package var contents: FileContents

    package init(name: String, contents: FileContents) {
      self.name = name
      self.contents = contents
    }
  }

  /// The health of a suite, with errors from reading it.
  package struct Outcome: Sendable {
    package var health: SuiteHealthReport
    package var diagnostics: [Diagnostic]
  }

  private var own: String { suite.plan.prompts.last?.name ?? "" }

  /// Reads all columns.
  ///
  /// - Parameters:
  ///   - logs: Run logs in addition to those in `reports/runs/`.
  ///   - ratings: Output files that contain people's ratings of the cases.
  ///   - concurrency: The maximum number of threads to use.
  /// - Returns: The health. Unreadable ratings are errors; anything else that cannot be used is
  ///   left out with a warning.
  package func read(
    logs: [Log] = [],
    ratings: [ProjectPath] = [],
    concurrency: Int
  ) async -> Outcome {
    let all = suite.plan.unansweredTrials()
    let cases = suite.policy.counted(all).map {
      SuiteHealth.Case(id: $0.caseID, tags: $0.tags, expectedClass: $0.expectedClass)
    }
    var places: [ExactString: Int] = [:]
    for (place, testCase) in cases.enumerated() { places[ExactString(testCase.id)] = place }
    var columns: [SuiteHealth.Column] = []
    let (prompts, unread) = prompts()
    let (recorded, unknown) = recordedBackends()
    var diagnostics = unread + unknown
    for backend in recorded {
      var plan = suite.plan
      (plan.prompts, plan.backends) = (prompts, [backend])
      // If the rows of an output file name no prompt, the same answers would count for every
      // prompt.
      if let outputs = plan.outputs[backend.name], outputs.prompts.isEmpty {
        plan.prompts = suite.plan.prompts.suffix(1)
      }
      plan.repetitions = max(plan.repetitions, Self.mostRepetitions)
      let found = await self.columns(of: plan, .recorded, places, concurrency)
      columns += found.columns
      diagnostics += found.faults
    }
    let found = live(logs, places)
    let rated = await self.ratings(ratings, places, concurrency)
    diagnostics += rated.faults
    let health = SuiteHealth(
      suite: suite.plan.name,
      path: suite.plan.path,
      prompt: own,
      cases: cases,
      quarantined: all.count - cases.count,
      columns: columns + found.columns,
      ratings: rated.columns,
      skippedLogs: found.skipped
    )
    let maker = CaseViewMaker(suite.plan)
    var caseIndex: [String: Int] = [:]
    for index in suite.plan.cases.indices {
      caseIndex[suite.plan.cases[index].stored.id] = index
    }
    let suspects = health.suspects.compactMap { suspect in
      caseIndex[health.cases[suspect.testCase].id].map { index in
        SuiteHealthReport.SuspectCase(suspect: suspect, view: maker.view(index, columns: []))
      }
    }
    return Outcome(
      health: SuiteHealthReport(health: health, suspects: suspects),
      diagnostics: diagnostics
    )
  }

  // MARK: Recordings

  /// Returns the suite's own prompts, followed by the other prompts in its folder.
  ///
  /// The last of the suite's own prompts is the candidate.
  private func prompts() -> (prompts: [Prompt], faults: [Diagnostic]) {
    var prompts = suite.plan.prompts
    var unread: [Diagnostic] = []
    let folder = suite.plan.path.folder
    for name in surroundings.files.names(in: folder) where name != SuiteReader.fileName {
      let path = folder.resolvingChild(name)
      guard PromptReader.extensions.contains(path.pathExtension),
        !prompts.contains(where: { $0.path == path })
      else { continue }
      let faults = DiagnosticCollector()
      let files = ProjectFiles(surroundings.files, diagnostics: faults)
      if let prompt = PromptReader.read(path, files: files) {
        // Skip a prompt whose name is taken, since columns are identified by name.
        if !prompts.contains(where: { $0.name == prompt.name }) { prompts.append(prompt) }
      } else if let fault = faults.diagnostics.first(where: { $0.severity == .error }) {
        unread.append(
          Diagnostic(
            .warning,
            path: fault.path,
            position: fault.position,
            message: "not used as a prompt of the suite: \(fault.message)"
          )
        )
      }
    }
    return (prompts, unread)
  }

  /// Returns the backends that have a recordings file for the dataset or an output file.
  private func recordedBackends() -> (backends: [BackendDefinition], faults: [Diagnostic]) {
    var unknown: [Diagnostic] = []
    let dataset = suite.plan.datasetPath
    let kinds: [RecordingStore.Kind] =
      surroundings.isContinuousIntegration ? [.accepted] : [.pending, .accepted]
    let own = suite.plan.backends
    let others = backends.filter { other in
      other.outputs == nil && !own.contains { $0.name == other.name }
    }
    let folder = RecordingFile.path(dataset: dataset, backend: "x").folder
    for name in surroundings.files.names(in: folder) where name.hasSuffix(".jsonl") {
      let backend = String(name.dropLast(".jsonl".count))
      if (own + others).contains(where: { $0.name == backend }) { continue }
      unknown.append(
        Diagnostic(
          .warning,
          path: folder.resolvingChild(name).description,
          message: "left out: sluice.yaml has no backend '\(backend)'"
        )
      )
    }
    let recorded = (own + others).filter { backend in
      backend.outputs != nil
        || kinds.contains { kind in
          surroundings.files.kind(of: kind.path(dataset: dataset, backend: backend.name)) == .file
        }
    }
    return (recorded, unknown)
  }

  /// Returns the columns of a plan that have at least one answer.
  private func columns(
    of plan: SuitePlan,
    _ origin: SuiteHealth.Column.Origin,
    _ places: [ExactString: Int],
    _ concurrency: Int
  ) async -> (columns: [SuiteHealth.Column], faults: [Diagnostic]) {
    var suite = suite
    suite.plan = plan
    let evaluation = Evaluation(suite, surroundings: surroundings, keepsLog: false)
    let (trials, faults) = await evaluation.answeredTrials(concurrency: concurrency)
    let byColumn = Dictionary(grouping: suite.policy.counted(trials)) {
      Column(prompt: $0.prompt, backend: $0.backend)
    }
    let columns = plan.columns.compactMap { column in
      byColumn[column].map { trials in
        SuiteHealth.Column(
          prompt: column.prompt,
          backend: column.backend,
          origin: origin,
          isOwn: column.prompt == own,
          trials: trials,
          places: places
        )
      }
    }
    return (columns, faults)
  }

  // MARK: Ratings

  private func ratings(
    _ paths: [ProjectPath],
    _ places: [ExactString: Int],
    _ concurrency: Int
  ) async -> (columns: [SuiteHealth.Column], faults: [Diagnostic]) {
    var faults: [Diagnostic] = []
    var plans: [SuitePlan] = []
    for path in paths {
      let (file, wrong) = outputs(path)
      faults += wrong
      guard let file else { continue }
      var plan = suite.plan
      let backend = BackendDefinition(
        name: path.description,
        kind: .file(FileEndpoint(path: path, digest: file.digest))
      )
      (plan.prompts, plan.backends) = (suite.plan.prompts.suffix(1), [backend])
      plan.outputs = [backend.name: file]
      plan.repetitions = file.repetitions
      plans.append(plan)
    }
    var columns: [SuiteHealth.Column] = []
    for plan in plans {
      let found = await self.columns(of: plan, .ratings, places, concurrency)
      columns += found.columns
      faults += found.faults
    }
    return (columns, faults)
  }

  private func outputs(_ path: ProjectPath) -> (OutputsFile?, [Diagnostic]) {
    let faults = DiagnosticCollector()
    let file = OutputsReader.read(
      path,
      for: suite.plan.cases.indices.map { suite.plan.cases[$0].stored },
      in: suite.plan.datasetPath,
      files: ProjectFiles(surroundings.files, diagnostics: faults)
    )
    return (file, faults.diagnostics)
  }

  // MARK: Run logs

  /// Returns the columns of live runs, from `reports/runs/` and from named files.
  private func live(_ named: [Log], _ places: [ExactString: Int]) -> (
    columns: [SuiteHealth.Column], skipped: [SuiteHealth.SkippedLog]
  ) {
    var logs = LiveColumns(suite)
    for name in surroundings.files.names(in: RunLog.folder)
    where RunLog.suite(ofLog: name) == suite.plan.name {
      let path = RunLog.folder.resolvingChild(name)
      do throws(FileError) {
        let contents = try surroundings.files.open(path)
        // Skip empty logs. Locking creates the file, which stays empty if the run is refused.
        if contents.count > 0 { logs.add(path.description, contents, isNamed: false) }
      } catch {
        logs.skip(path.description, "cannot be read: \(error.reason)")
      }
    }
    for log in named { logs.add(log.name, log.contents, isNamed: true) }
    return (logs.columns(places), logs.skipped)
  }
}

/// The trials of live runs with the current cases and scorers, by column.
private struct LiveColumns {
  private struct Key: Hashable {
    var prompt: LoggedRun.PromptVersion
    var backend: String
  }

  private let suite: ResolvedSuite
  private let digests: [ExactString: String]
  private var order: [Key] = []
  private var trials: [Key: [Trial]] = [:]
  private(set) var skipped: [SuiteHealth.SkippedLog] = []

  init(_ suite: ResolvedSuite) {
    self.suite = suite
    var digests: [ExactString: String] = [:]
    for index in suite.plan.cases.indices {
      let stored = suite.plan.cases[index].stored
      digests[ExactString(stored.id)] = stored.digest.hexadecimal
    }
    self.digests = digests
  }

  mutating func skip(_ name: String, _ reason: String) {
    skipped.append(SuiteHealth.SkippedLog(name: name, reason: reason))
  }

  /// Adds the columns of a log, or notes why it is left out.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - contents: The lines of the log.
  ///   - isNamed: True if the user named the log. If such a log is left out, that is reported.
  mutating func add(_ name: String, _ contents: FileContents, isNamed: Bool) {
    let run: LoggedRun
    do throws(LoggedRun.Problem) {
      run = try LoggedRun(reading: contents, kind: RunLog.kind)
    } catch {
      return skip(name, "line \(error.line): \(error.message)")
    }
    guard run.suite == suite.plan.name else {
      return skip(name, "the log is of another suite, '\(run.suite)'")
    }
    guard run.isLive else {
      // A run on recordings adds nothing, since the recordings files are read anyway.
      if isNamed { skip(name, "it is the log of a run on recordings, not of a live run") }
      return
    }
    // If the run was resumed, a later log contains its answers.
    guard run.isComplete else { return skip(name, "the run did not finish") }
    guard run.scorers == suite.plan.scorerDigests else {
      return skip(name, "the scorers changed since the run")
    }
    let same = run.trials.filter { digests[ExactString($0.caseID)] == $0.caseDigest }
    let changed = Set(run.trials.map(\.caseID)).count - Set(same.map(\.caseID)).count
    if same.isEmpty { return skip(name, "all of its cases changed since the run") }
    if changed > 0 {
      skip(name, "\(changed) of its cases changed since the run; the others are used")
    }
    let versions = Dictionary(run.prompts.map { ($0.name, $0) }) { first, _ in first }
    for trial in suite.policy.counted(same) {
      guard let version = versions[trial.prompt] else { continue }
      let key = Key(prompt: version, backend: trial.backend)
      if trials[key] == nil { order.append(key) }
      trials[key, default: []].append(trial)
    }
  }

  func columns(_ places: [ExactString: Int]) -> [SuiteHealth.Column] {
    let own = suite.plan.prompts.last
    let known = Dictionary(suite.plan.prompts.map { ($0.name, $0.digest) }) { first, _ in first }
    return order.compactMap { key in
      guard let trials = trials[key], trials.contains(where: { $0.isPassed != nil }) else {
        return nil
      }
      let isEdited = known[key.prompt.name].map { $0 != key.prompt.digest } ?? false
      return SuiteHealth.Column(
        prompt: key.prompt.name + (isEdited ? " (earlier text)" : ""),
        backend: key.backend,
        origin: .live,
        isOwn: key.prompt.name == own?.name && key.prompt.digest == own?.digest,
        trials: trials,
        places: places
      )
    }
  }
}
