import SluiceReporting

/// The recordings that the suites of a project need.
package struct RecordingUse: Sendable {
  /// The needed recordings, by recordings file.
  package private(set) var files: [ProjectPath: File] = [:]
  /// The suites, as their files define them.
  package let plans: [SuitePlan]

  /// The recordings of one file that suites need.
  package struct File: Sendable {
    package var dataset: ProjectPath
    package var backend: String
    /// The requests of the suites with the prompts and backends that the suites' files name.
    package var bySuites: Set<Recording.Slot> = []
    /// The requests of the suites with other prompts or backends, which the command line can
    /// select.
    ///
    /// The other prompts (`--prompt`) are all prompts in the suites' folders. The other backends
    /// (`--backend`) are all backends that have recordings.
    package var byOthers: Set<Recording.Slot> = []
    /// The names of the suites.
    package var suites: Set<String> = []
    /// All needed requests.
    ///
    /// Requests for answers are included only with their first repeat.
    fileprivate var requests: Set<Recording.Slot> = []

    /// Returns true if a recording is needed.
    ///
    /// Further repeats of a needed request are needed too, since `--repeat` can select them.
    package func needs(_ slot: Recording.Slot) -> Bool {
      var first = slot
      first.repetition = 1
      return requests.contains(first)
    }
  }

  /// The error if suites cannot be read, and so the recordings that they need are unknown.
  package struct Unknown: Error {
    package var diagnostics: [Diagnostic]
  }

  /// Loads all suites of a project, and finds the recordings that they need.
  ///
  /// - Parameters:
  ///   - system: The files of the project, or of one of its revisions.
  ///   - surroundings: The current date, which decides which exemptions have ended, and the
  ///     environment variables, which may contain the version of a backend.
  /// - Throws: ``Unknown`` if a file of any suite has errors.
  package init(of system: any FileSystem, in surroundings: Surroundings) throws(Unknown) {
    let (today, environment) = (surroundings.now(), surroundings.environment)
    // The recordings of suites that only tests can run are needed, too.
    let scorers = UnrunScorer.all(in: system)
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(testsKnownOutputs: scorers == nil),
      from: system,
      today: today,
      environment: environment,
      ownScorers: scorers
    )
    if loaded.hasErrors { throw Unknown(diagnostics: loaded.diagnostics) }
    plans = loaded.suites.map(\.plan)
    for plan in plans { add(plan, to: \.bySuites, system) }
    for plan in plans {
      let prompts = [[]] + Self.otherPrompts(of: plan, in: system).map { [$0] }
      let backends = [[]] + Self.otherBackends(of: plan, in: system).map { [$0] }
      for prompt in prompts {
        for backend in backends where !(prompt.isEmpty && backend.isEmpty) {
          let selection = ProjectLoader.Selection(
            suites: [plan.path.description],
            prompts: prompt,
            backends: backend,
            testsKnownOutputs: scorers == nil
          )
          // Ignore errors, which come from files that are not prompts and from removed backends.
          let other = ProjectLoader.load(
            selection,
            from: system,
            today: today,
            environment: environment,
            ownScorers: scorers
          )
          if other.hasErrors { continue }
          for suite in other.suites { add(suite.plan, to: \.byOthers, system) }
        }
      }
    }
  }

  /// Returns the backends that have recordings but are not the suite's own.
  private static func otherBackends(of plan: SuitePlan, in system: any FileSystem) -> [String] {
    let own = Set(plan.allBackends.map(\.name))
    let folder = RecordingFile.path(dataset: plan.datasetPath, backend: "any").folder
    return system.names(in: folder).filter { $0.hasSuffix(".jsonl") }
      .map { String($0.dropLast(".jsonl".count)) }.filter { !own.contains($0) }
  }

  /// Returns the files in a suite's folder that may be prompts, except the suite's own prompts.
  static func otherPrompts(of plan: SuitePlan, in system: any FileSystem) -> [ProjectPath] {
    let own = Set(plan.prompts.map(\.path))
    let folder = plan.path.folder
    return system.names(in: folder).map { folder.resolvingChild($0) }.filter { path in
      PromptReader.extensions.contains(path.pathExtension) && path != plan.path
        && !own.contains(path) && system.kind(of: path) == .file
    }
  }

  private mutating func add(
    _ plan: SuitePlan,
    to slots: WritableKeyPath<File, Set<Recording.Slot>>,
    _ system: any FileSystem
  ) {
    for backend in plan.allBackends where backend.outputs == nil {
      let path = RecordingFile.path(dataset: plan.datasetPath, backend: backend.name)
      files[path, default: File(dataset: plan.datasetPath, backend: backend.name)]
        .suites.insert(plan.name)
    }
    for request in plan.recordingRequests(RecordingRequest.Selection(scope: .all), in: [:]) {
      let backend = request.request.backend
      let path = RecordingFile.path(dataset: plan.datasetPath, backend: backend)
      files[path]?[keyPath: slots].insert(request.slot)
      files[path]?.requests.insert(Recording.Slot(key: request.key, repetition: 1))
    }
    if plan.judges.isEmpty { return }
    let stores = RecordingStore.all(
      of: plan,
      in: system,
      kinds: [.pending, .accepted]
    )
    for request in judgeRequests(plan, stores) {
      let path = RecordingFile.path(dataset: plan.datasetPath, backend: request.request.backend)
      files[path]?[keyPath: slots].insert(request.slot)
    }
    // Include repeats that only `--repeat` selects, since their verdicts are needed too.
    var repeated = plan
    let recorded = stores.values.flatMap(\.layers).flatMap(\.file.slots).map(\.repetition).max()
    repeated.repetitions = max(plan.repetitions, recorded ?? 1)
    for request in judgeRequests(repeated, stores) {
      let path = RecordingFile.path(dataset: plan.datasetPath, backend: request.request.backend)
      files[path]?.requests.insert(request.slot)
    }
  }

  /// Returns the requests to judges about all recorded answers, including expired ones.
  private func judgeRequests(_ plan: SuitePlan, _ stores: [String: RecordingStore])
    -> [RecordingRequest]
  {
    Runner(plan).judgeRequests(RecordingRequest.Selection(scope: .all), stores, notBefore: nil)
  }
}

/// A stand-in for a scorer written in Swift, for loading suites that only a test can run.
struct UnrunScorer: Scorer {
  /// Returns a stand-in for each scorer written in Swift, by name; `nil` if no suite has one.
  static func all(in system: any FileSystem) -> [String: any Scorer]? {
    let names = SuiteReader.allSuites(system).flatMap {
      SuiteReader.swiftScorers(of: $0, in: system)
    }
    return names.isEmpty ? nil : Dictionary(names.map { ($0, Self()) }) { first, _ in first }
  }

  func score(_ answer: Answer, for testCase: TestCase) -> Score {
    Score(.unscored, explanation: "only a test can run the scorer")
  }
}
