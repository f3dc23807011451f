package import SluiceSupport

/// A suite whose files were all read and checked, so that it is ready to run.
package struct SuitePlan: Sendable {
  package var name: String
  package var path: ProjectPath
  package var datasetPath: ProjectPath
  package var cases: Cases
  package var prompts: [Prompt]
  package var backends: [BackendDefinition] {
    didSet {
      // If a new backend replaces one that answers from an outputs file, the file is no longer
      // used.
      outputs = outputs.filter { name, _ in
        backends.contains { $0.name == name && $0.outputs != nil }
      }
    }
  }
  package var repetitions: Int
  package var scorers: [BoundScorer]
  /// True if an answer without any text is usable.
  ///
  /// It is then scored like any other answer.
  package var takesEmptyAnswers = false
  package var prices: PriceList
  /// The age limits of recordings.
  package var recordings = RecordingPolicy()
  /// The names of the prompts that the command line adds to the suite's own prompt.
  ///
  /// The suite's own prompt is the last of ``prompts``.
  ///
  /// The added prompts are only tried out, and do not affect the result of the suite.
  package var tried: [String] = []
  /// The properties by which reports break down figures.
  package var groupings: [Grouping] = []
  /// The rule by which columns are compared case by case; nil if there is none.
  package var bestOf: BestOfRule?
  /// The outputs files, by backend.
  ///
  /// These backends receive no requests, because their answers come from the files.
  package var outputs: [String: OutputsFile] = [:]
  /// The selected part of the dataset, if the run has a filter.
  package var filtered: FilteredCases?

  /// Returns the value that each case has under a key of `expected`, by case id.
  ///
  /// Texts are returned as they are, and other values as JSON.
  package func groupNames(ofExpected key: String) -> [ExactString: String] {
    var names: [ExactString: String] = [:]
    for index in cases.indices {
      let testCase = cases[index].testCase
      guard let value = testCase.expected.value(at: key) else { continue }
      names[ExactString(testCase.id)] = value.string ?? value.jsonText
    }
    return names
  }

  package init(
    name: String,
    path: ProjectPath,
    datasetPath: ProjectPath,
    cases: Cases,
    prompts: [Prompt],
    backends: [BackendDefinition],
    repetitions: Int,
    scorers: [BoundScorer],
    takesEmptyAnswers: Bool = false,
    prices: PriceList,
    recordings: RecordingPolicy = RecordingPolicy(),
    tried: [String] = []
  ) {
    self.name = name
    self.path = path
    self.datasetPath = datasetPath
    self.cases = cases
    self.prompts = prompts
    self.backends = backends
    self.repetitions = repetitions
    self.scorers = scorers
    self.takesEmptyAnswers = takesEmptyAnswers
    self.prices = prices
    self.recordings = recordings
    self.tried = tried
  }

  /// The judges of scorers.
  ///
  /// Each judge occurs once.
  package var judges: [BackendDefinition] {
    var judges: [BackendDefinition] = []
    for bound in scorers {
      guard let judge = (bound.scorer as? any JudgeScorer)?.judge.backend,
        !judges.contains(where: { $0.name == judge.name })
      else { continue }
      judges.append(judge)
    }
    return judges
  }

  /// All backends: first those that answer, then those that only judge.
  package var allBackends: [BackendDefinition] {
    backends + judges.filter { judge in !backends.contains { $0.name == judge.name } }
  }

  /// The outputs files, in suite order.
  package var outputPaths: [(backend: String, path: String)] {
    backends.compactMap { backend in
      backend.outputs.map { (backend.name, $0.path.description) }
    }
  }

  /// True if every backend answers from an outputs file.
  package var hasOnlyOutputs: Bool { outputPaths.count == backends.count }

  /// Returns the number of trials for which a backend's outputs file contains no row.
  package func missingRows(of backend: String) -> Int {
    guard let outputs = outputs[backend] else { return 0 }
    return (0..<trialCount).count { index in
      let slot = slot(index)
      return backends[slot.backend].name == backend
        && !outputs.contains(
          cases[slot.testCase].stored.id,
          prompt: prompts[slot.prompt].name,
          repetition: slot.repetition
        )
    }
  }

  /// Every pair of a prompt and a backend, in suite order.
  package var columns: [Column] {
    prompts.flatMap { prompt in
      backends.map { Column(prompt: prompt.name, backend: $0.name) }
    }
  }

  /// The columns that gates check: those of the last prompt.
  package var candidates: [Column] { columns.filter { $0.prompt == prompts.last?.name } }

  /// The position of a trial in suite order.
  package struct TrialIndex: Sendable {
    package var testCase: Int
    package var prompt: Int
    package var backend: Int
    package var repetition: Int

    package init(testCase: Int, prompt: Int, backend: Int, repetition: Int) {
      self.testCase = testCase
      self.prompt = prompt
      self.backend = backend
      self.repetition = repetition
    }
  }

  /// The digests of the suite's scorers, by name.
  ///
  /// A suite that accepts empty answers has one more entry, because this setting affects scores.
  package var scorerDigests: [String: String] {
    var digests = Dictionary(uniqueKeysWithValues: scorers.map { ($0.name, $0.digest) })
    if takesEmptyAnswers { digests[Self.emptyAnswerKey] = Self.emptyAnswerDigest }
    return digests
  }

  /// The scorers with their digests, as run logs and baselines contain them.
  package var scorersJSON: JSONValue {
    var entries = scorers.map(\.json)
    if takesEmptyAnswers {
      entries.append([
        "name": .string(Self.emptyAnswerKey), "type": .string(Self.emptyAnswerKey),
        "digest": .string(Self.emptyAnswerDigest),
      ])
    }
    return .array(entries)
  }

  /// The key of a suite file that determines whether an empty answer is usable.
  package static let emptyAnswerKey = "empty-answer"
  private static let emptyAnswerDigest = SHA256.hexadecimal("usable".utf8)

  package var trialCount: Int { cases.count * prompts.count * backends.count * repetitions }

  /// The numbers of prompts, backends and repetitions of a suite.
  struct Shape: Sendable {
    var prompts: Int
    var backends: Int
    var repetitions: Int

    /// Returns the trial at an index.
    ///
    /// Trials are ordered by case, then prompt, then backend, then repetition.
    func slot(_ index: Int) -> TrialIndex {
      var rest = index
      func next(_ count: Int) -> Int {
        // Avoids slow divisions, because most suites have one prompt, one backend and no repeats.
        if count == 1 { return 0 }
        defer { rest /= count }
        return rest % count
      }
      let repetition = next(repetitions) + 1
      let backend = next(backends)
      let prompt = next(prompts)
      return TrialIndex(testCase: rest, prompt: prompt, backend: backend, repetition: repetition)
    }

    /// Returns the index of a trial.
    func index(_ slot: TrialIndex) -> Int {
      ((slot.testCase * prompts + slot.prompt) * backends + slot.backend) * repetitions
        + slot.repetition - 1
    }
  }

  var shape: Shape {
    Shape(prompts: prompts.count, backends: backends.count, repetitions: repetitions)
  }

  /// Returns the trial at an index.
  ///
  /// Trials are ordered by case, then prompt, then backend, then repetition.
  package func slot(_ index: Int) -> TrialIndex { shape.slot(index) }

  /// Returns the outputs file that contains the answer to a trial; nil if its backend receives
  /// requests.
  func outputs(_ slot: TrialIndex) -> OutputsFile? {
    outputs.isEmpty ? nil : outputs[backends[slot.backend].name]
  }

  /// Returns the answer that an outputs file contains for a trial; nil if no row contains it.
  ///
  /// - Parameters:
  ///   - outputs: The file.
  ///   - slot: The trial.
  /// - Returns: The answer, or the error that the row contains.
  func answer(of outputs: OutputsFile, to slot: TrialIndex) -> StoredAnswer? {
    outputs.answer(
      to: cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      repetition: slot.repetition
    )
  }

  /// Returns the reason why no row of an outputs file answers a trial.
  func miss(of outputs: OutputsFile, _ slot: TrialIndex) -> RecordingMiss {
    outputs.miss(
      cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      repetition: slot.repetition
    )
  }

  /// Returns the request of a trial.
  ///
  /// - Throws: A problem with a variable for which the case has no value. This does not happen if
  ///   the plan was checked.
  func request(_ slot: TrialIndex) throws(Template.Problem) -> ModelRequest {
    try request(slot, cases[slot.testCase].testCase)
  }

  /// Returns the request of a trial whose case was already read.
  package func request(_ slot: TrialIndex, _ testCase: TestCase) throws(Template.Problem)
    -> ModelRequest
  {
    let backend = backends[slot.backend]
    // The prompt is not rendered, because the requests behind the answers of a file are unknown.
    if let endpoint = backend.outputs {
      return endpoint.request(testCase: testCase.id, backend: backend.name)
    }
    let rendered = try prompts[slot.prompt].render(testCase)
    return try backend.request(
      for: rendered,
      input: testCase.input,
      testCase: testCase.id
    )
  }

  /// Returns the hints that explain why a trial has no recording.
  func hints(_ slot: TrialIndex) -> Recording.Hints {
    hints(of: cases[slot.testCase].testCase, prompts[slot.prompt])
  }

  /// Returns the hints that explain why a case and a prompt have no recording.
  package func hints(of testCase: TestCase, _ prompt: Prompt) -> Recording.Hints {
    Recording.Hints(
      suite: name,
      testCase: testCase.id,
      inputDigest: RequestIdentity.digest(testCase.input),
      prompt: prompt.name,
      templateDigest: String(prompt.templateDigest.prefix(16))
    )
  }
}

extension RecordingStore {
  /// Returns the recordings for a plan's trials, by backend.
  ///
  /// - Parameters:
  ///   - plan: The suite, which names the dataset and the backends.
  ///   - files: The project's files.
  ///   - kinds: The layers, in order of precedence.
  ///   - committed: The recordings files that git contains. They may be missing on disk.
  /// - Returns: The recordings. A backend without recordings has an empty store.
  package static func all(
    of plan: SuitePlan,
    in files: any FileSystem,
    kinds: [Kind] = [.accepted],
    committed: Set<ProjectPath> = []
  ) -> [String: RecordingStore] {
    var stores: [String: RecordingStore] = [:]
    let neighbors = neighbors(of: plan, in: files, kinds: kinds)
    for backend in plan.allBackends where backend.outputs == nil {
      stores[backend.name] = RecordingStore(
        kinds.map { kind in
          Layer(
            kind,
            RecordingFile(
              reading: kind.path(dataset: plan.datasetPath, backend: backend.name),
              from: files,
              isJournal: kind != .accepted
            )
          )
        },
        lostFile: lostFile(of: backend.name, plan, files, committed),
        neighbors: neighbors
      )
    }
    return stores
  }

  /// The dataset's recordings from backends that the plan does not use.
  private static func neighbors(
    of plan: SuitePlan,
    in files: any FileSystem,
    kinds: [Kind]
  ) -> NeighborRecordings {
    let own = Set(plan.allBackends.map { "\($0.name).jsonl" })
    let dataset = plan.datasetPath
    return NeighborRecordings {
      kinds.flatMap { kind -> [RecordingStore] in
        let folder = kind.path(dataset: dataset, backend: "").folder
        return files.names(in: folder).sorted()
          .filter { $0.hasSuffix(".jsonl") && !own.contains($0) }
          .map { name in
            let path = folder.resolvingChild(name)
            let file = RecordingFile(reading: path, from: files, isJournal: kind != .accepted)
            return RecordingStore([Layer(kind, file)])
          }
      }
    }
  }

  /// Returns the path of the accepted recordings if the file is lost.
  ///
  /// A file is lost if it is missing, although git contains it or the ledger lists accepted
  /// answers.
  private static func lostFile(
    of backend: String,
    _ plan: SuitePlan,
    _ files: any FileSystem,
    _ committed: Set<ProjectPath>
  ) -> ProjectPath? {
    let path = RecordingFile.path(dataset: plan.datasetPath, backend: backend)
    guard files.kind(of: path) == .missing else { return nil }
    if committed.contains(path) { return path }
    let ledger = RecordingLedger(
      reading: RecordingLedger.path(dataset: plan.datasetPath, backend: backend),
      from: files
    )
    return ledger.sets.contains { $0.state == .accepted && $0.exchanges > 0 } ? path : nil
  }
}

extension RecordingStore.Kind {
  /// Returns the path of the recordings file of this kind for a dataset and a backend.
  package func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    switch self {
    case .accepted: RecordingFile.path(dataset: dataset, backend: backend)
    case .pending: RecordingFile.pendingPath(dataset: dataset, backend: backend)
    case .scratch: RecordingFile.scratchPath(dataset: dataset, backend: backend)
    }
  }
}

extension SuitePlan {
  /// Returns the trial with its cost at current prices.
  ///
  /// Without this, a new price would look like a change caused by the prompt.
  package func repriced(_ trial: Trial) -> Trial {
    guard let source = trial.source else { return trial }
    let pricing = prices.pricing(
      of: trial.usage,
      model: prices.name(
        of: source.provenance.model,
        asking: backends.first { $0.name == trial.backend }?.model ?? ""
      ),
      tier: trial.pricedTier
    )
    // A trial whose price stays the same is not copied. Copying all trials of a baseline would
    // double the memory.
    if pricing.cost == trial.pricedCost, pricing.lack.map({ $0 == trial.costLack }) ?? true {
      return trial
    }
    var trial = trial
    trial.output?.price(pricing)
    return trial
  }

  /// Updates the costs of trials to current prices.
  package func reprice(_ trials: inout [Trial]) {
    for place in trials.indices { trials[place] = repriced(trials[place]) }
  }
}
