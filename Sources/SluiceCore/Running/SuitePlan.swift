package import SluiceSupport

/// All that a run of a suite needs, resolved and checked.
package struct SuitePlan: Sendable {
  package var name: String
  package var path: ProjectPath
  package var datasetPath: ProjectPath
  package var cases: Cases
  package var prompts: [Prompt]
  package var backends: [BackendDefinition] {
    didSet {
      // A backend in another's place answers itself.
      outputs = outputs.filter { name, _ in
        backends.contains { $0.name == name && $0.outputs != nil }
      }
    }
  }
  package var repetitions: Int
  package var scorers: [BoundScorer]
  /// True when an answer without any text can be used, and scorers judge it as any other.
  package var takesEmptyAnswers = false
  package var prices: PriceList
  /// How old recordings may become.
  package var recordings = RecordingPolicy()
  /// The names of the prompts that the command line asks for and that are not the suite's own one,
  /// its last: they are tried, and no part of how the suite goes.
  package var tried: [String] = []
  /// The properties that reports break figures down by.
  package var groupings: [Grouping] = []
  /// The rule by which columns are compared case by case; nil where the suite asks for none.
  package var bestOf: BestOfRule?
  /// The files that have the answers of backends that cannot be asked, by backend.
  package var outputs: [String: OutputsFile] = [:]
  /// The part of the dataset that the cases are, where a call asks for some of them alone.
  package var filtered: FilteredCases?

  /// The value of each case under a key of `expected`, by the id of the case; a text stands for itself.
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

  /// The judges that scorers ask, each once.
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

  /// All backends that are asked anything: those that answer, then those that only judge.
  package var allBackends: [BackendDefinition] {
    backends + judges.filter { judge in !backends.contains { $0.name == judge.name } }
  }

  /// The files that have the answers of backends that cannot be asked, in the order of the suite.
  package var outputPaths: [(backend: String, path: String)] {
    backends.compactMap { backend in
      backend.outputs.map { (backend.name, $0.path.description) }
    }
  }

  /// True when none of the backends can be asked.
  package var hasOnlyOutputs: Bool { outputPaths.count == backends.count }

  /// The number of trials on a backend that its file has no rows for.
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

  /// Every prompt with every backend, in the order of the suite.
  package var columns: [Column] {
    prompts.flatMap { prompt in
      backends.map { Column(prompt: prompt.name, backend: $0.name) }
    }
  }

  /// The columns that gates decide: those of the last prompt.
  package var candidates: [Column] { columns.filter { $0.prompt == prompts.last?.name } }

  /// Where a trial stands in the order of the suite.
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
  /// A suite that takes empty answers says so among them: it judges otherwise than one that does not.
  package var scorerDigests: [String: String] {
    var digests = Dictionary(uniqueKeysWithValues: scorers.map { ($0.name, $0.digest) })
    if takesEmptyAnswers { digests[Self.emptyAnswerKey] = Self.emptyAnswerDigest }
    return digests
  }

  /// The digests that run logs and baselines keep of the scorers.
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

  /// The key of a suite that says whether an empty answer can be used.
  package static let emptyAnswerKey = "empty-answer"
  private static let emptyAnswerDigest = SHA256.hexadecimal("usable".utf8)

  package var trialCount: Int { cases.count * prompts.count * backends.count * repetitions }

  /// How many trials there are of a case, by what tells them apart.
  struct Shape: Sendable {
    var prompts: Int
    var backends: Int
    var repetitions: Int

    /// The trial at a place: by case, then prompt, then backend, then repetition.
    func slot(_ index: Int) -> TrialIndex {
      var rest = index
      func next(_ count: Int) -> Int {
        // Most suites have one prompt, one backend and no repeats, and a division takes its time.
        if count == 1 { return 0 }
        defer { rest /= count }
        return rest % count
      }
      let repetition = next(repetitions) + 1
      let backend = next(backends)
      let prompt = next(prompts)
      return TrialIndex(testCase: rest, prompt: prompt, backend: backend, repetition: repetition)
    }

    /// The place of a trial.
    func index(_ slot: TrialIndex) -> Int {
      ((slot.testCase * prompts + slot.prompt) * backends + slot.backend) * repetitions
        + slot.repetition - 1
    }
  }

  var shape: Shape {
    Shape(prompts: prompts.count, backends: backends.count, repetitions: repetitions)
  }

  /// The trial at a place: by case, then prompt, then backend, then repetition.
  package func slot(_ index: Int) -> TrialIndex { shape.slot(index) }

  /// The file that has the answer to a trial; nil where its backend can be asked.
  func outputs(_ slot: TrialIndex) -> OutputsFile? {
    outputs.isEmpty ? nil : outputs[backends[slot.backend].name]
  }

  /// The answer of a file to a trial; nil where no row has it.
  ///
  /// - Parameters:
  ///   - outputs: The file.
  ///   - slot: The trial.
  /// - Returns: The answer, or the error that the row has in its place.
  func answer(of outputs: OutputsFile, to slot: TrialIndex) -> StoredAnswer? {
    outputs.answer(
      to: cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      repetition: slot.repetition
    )
  }

  /// Why no row of a file answers a trial.
  func miss(of outputs: OutputsFile, _ slot: TrialIndex) -> RecordingMiss {
    outputs.miss(
      cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      repetition: slot.repetition
    )
  }

  /// The request of a trial.
  ///
  /// - Throws: What the case does not supply; a plan that was checked throws nothing.
  func request(_ slot: TrialIndex) throws(Template.Problem) -> ModelRequest {
    try request(slot, cases[slot.testCase].testCase)
  }

  /// The request of a trial whose case is at hand.
  package func request(_ slot: TrialIndex, _ testCase: TestCase) throws(Template.Problem)
    -> ModelRequest
  {
    let backend = backends[slot.backend]
    // The requests behind the answers of a file are unknown: no prompt is filled.
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

  /// What explains a miss of the trial's recording.
  func hints(_ slot: TrialIndex) -> Recording.Hints {
    hints(of: cases[slot.testCase].testCase, prompts[slot.prompt])
  }

  /// What explains a miss of the recording of a case under a prompt.
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
  /// The recordings that a plan's trials may be answered from, by backend.
  ///
  /// - Parameters:
  ///   - plan: What names the dataset and the backends.
  ///   - files: The project's files.
  ///   - kinds: The layers, the one that counts first.
  ///   - committed: Files of recordings that git has, whether they are there or not.
  /// - Returns: The recordings, those of a backend without any being empty.
  package static func all(
    of plan: SuitePlan,
    in files: any FileSystem,
    kinds: [Kind] = [.accepted],
    committed: Set<ProjectPath> = []
  ) -> [String: RecordingStore] {
    var stores: [String: RecordingStore] = [:]
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
        lostFile: lostFile(of: backend.name, plan, files, committed)
      )
    }
    return stores
  }

  /// The file of accepted recordings where it is missing although git has it, or the ledger tells of
  /// accepted answers.
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
  /// Where recordings of the kind are kept.
  package func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    switch self {
    case .accepted: RecordingFile.path(dataset: dataset, backend: backend)
    case .pending: RecordingFile.pendingPath(dataset: dataset, backend: backend)
    case .scratch: RecordingFile.scratchPath(dataset: dataset, backend: backend)
    }
  }
}

extension SuitePlan {
  /// The trial with the cost of its usage by today's prices: a new price is no change of the prompt.
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
    // Most trials of a baseline have no price: a copy of each would take as much room again.
    if pricing.cost == trial.pricedCost, pricing.lack.map({ $0 == trial.costLack }) ?? true {
      return trial
    }
    var trial = trial
    trial.output?.price(pricing)
    return trial
  }

  /// Gives trials the costs of today's prices, one after the other.
  package func reprice(_ trials: inout [Trial]) {
    for place in trials.indices { trials[place] = repriced(trials[place]) }
  }
}
