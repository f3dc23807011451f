package import SluiceSupport

/// A resolved and checked suite, ready to run.
package struct SuitePlan: Sendable {
  package var name: String
  package var path: ProjectPath
  package var datasetPath: ProjectPath
  package var cases: Cases
  package var prompts: [Prompt]
  package var backends: [BackendDefinition] {
    didSet {
      // A replacement backend gives its own answers instead of those in a file.
      outputs = outputs.filter { name, _ in
        backends.contains { $0.name == name && $0.outputs != nil }
      }
    }
  }
  package var repetitions: Int
  package var scorers: [BoundScorer]
  /// True if an answer without any text is usable, so that it is scored like any other.
  package var takesEmptyAnswers = false
  package var prices: PriceList
  /// The age limits of recordings.
  package var recordings = RecordingPolicy()
  /// The names of prompts from the command line that are not the suite's own (its last one).
  ///
  /// They are tried out and do not affect the suite's result.
  package var tried: [String] = []
  /// The properties by which reports break down figures.
  package var groupings: [Grouping] = []
  /// The rule for comparing columns case by case; nil if there is none.
  package var bestOf: BestOfRule?
  /// The files with the answers of backends that cannot be asked, by backend.
  package var outputs: [String: OutputsFile] = [:]
  /// The selected part of the dataset, if the call has a filter.
  package var filtered: FilteredCases?

  /// Returns each case's value under a key of `expected`, by case id; texts are returned verbatim.
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

  /// The judges of scorers, without duplicates.
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

  /// All backends that are asked: those that answer, then those that only judge.
  package var allBackends: [BackendDefinition] {
    backends + judges.filter { judge in !backends.contains { $0.name == judge.name } }
  }

  /// The files with the answers of backends that cannot be asked, in suite order.
  package var outputPaths: [(backend: String, path: String)] {
    backends.compactMap { backend in
      backend.outputs.map { (backend.name, $0.path.description) }
    }
  }

  /// True if none of the backends can be asked.
  package var hasOnlyOutputs: Bool { outputPaths.count == backends.count }

  /// Returns the number of trials on a backend without a row in its file.
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

  /// Every combination of prompt and backend, in suite order.
  package var columns: [Column] {
    prompts.flatMap { prompt in
      backends.map { Column(prompt: prompt.name, backend: $0.name) }
    }
  }

  /// The columns on which gates decide: those of the last prompt.
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
  /// A suite that accepts empty answers has an entry for that, because it scores differently.
  package var scorerDigests: [String: String] {
    var digests = Dictionary(uniqueKeysWithValues: scorers.map { ($0.name, $0.digest) })
    if takesEmptyAnswers { digests[Self.emptyAnswerKey] = Self.emptyAnswerDigest }
    return digests
  }

  /// The digests of the scorers for run logs and baselines.
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

  /// The key of a suite that determines if an empty answer is usable.
  package static let emptyAnswerKey = "empty-answer"
  private static let emptyAnswerDigest = SHA256.hexadecimal("usable".utf8)

  package var trialCount: Int { cases.count * prompts.count * backends.count * repetitions }

  /// The dimensions of a suite: the numbers of prompts, backends and repetitions.
  struct Shape: Sendable {
    var prompts: Int
    var backends: Int
    var repetitions: Int

    /// Returns the trial at an index: by case, then prompt, then backend, then repetition.
    func slot(_ index: Int) -> TrialIndex {
      var rest = index
      func next(_ count: Int) -> Int {
        // Skips slow divisions, because most suites have one prompt, one backend and no repeats.
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

  /// Returns the trial at an index: by case, then prompt, then backend, then repetition.
  package func slot(_ index: Int) -> TrialIndex { shape.slot(index) }

  /// Returns the file with the answer to a trial; nil if its backend can be asked.
  func outputs(_ slot: TrialIndex) -> OutputsFile? {
    outputs.isEmpty ? nil : outputs[backends[slot.backend].name]
  }

  /// Returns a file's answer to a trial; nil if no row has it.
  ///
  /// - Parameters:
  ///   - outputs: The file.
  ///   - slot: The trial.
  /// - Returns: The answer, or the row's error.
  func answer(of outputs: OutputsFile, to slot: TrialIndex) -> StoredAnswer? {
    outputs.answer(
      to: cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      repetition: slot.repetition
    )
  }

  /// Returns the reason why no row of a file answers a trial.
  func miss(of outputs: OutputsFile, _ slot: TrialIndex) -> RecordingMiss {
    outputs.miss(
      cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      repetition: slot.repetition
    )
  }

  /// Returns the request of a trial.
  ///
  /// - Throws: The name that the case does not supply, which a checked plan rules out.
  func request(_ slot: TrialIndex) throws(Template.Problem) -> ModelRequest {
    try request(slot, cases[slot.testCase].testCase)
  }

  /// Returns the request of a trial whose case is already read.
  package func request(_ slot: TrialIndex, _ testCase: TestCase) throws(Template.Problem)
    -> ModelRequest
  {
    let backend = backends[slot.backend]
    // The requests behind the answers of a file are unknown, so no prompt is rendered.
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

  /// Returns the hints that explain a missing recording of the trial.
  func hints(_ slot: TrialIndex) -> Recording.Hints {
    hints(of: cases[slot.testCase].testCase, prompts[slot.prompt])
  }

  /// Returns the hints that explain a missing recording of a case and a prompt.
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
  ///   - plan: The suite, which has the dataset and the backends.
  ///   - files: The project's files.
  ///   - kinds: The layers, in order of precedence.
  ///   - committed: The recordings files in git, present or missing.
  /// - Returns: The recordings, empty for a backend without any.
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

  /// The recordings of the plan's dataset through other backends.
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

  /// The path of the accepted recordings if the file is missing although git has it, or although
  /// the ledger lists accepted answers.
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
  /// Returns the path of recordings of this kind.
  package func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    switch self {
    case .accepted: RecordingFile.path(dataset: dataset, backend: backend)
    case .pending: RecordingFile.pendingPath(dataset: dataset, backend: backend)
    case .scratch: RecordingFile.scratchPath(dataset: dataset, backend: backend)
    }
  }
}

extension SuitePlan {
  /// Returns the trial with its cost at current prices, since a new price is not a change of the
  /// prompt.
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
    // Most trials of a baseline have no price, and copying each would double the memory.
    if pricing.cost == trial.pricedCost, pricing.lack.map({ $0 == trial.costLack }) ?? true {
      return trial
    }
    var trial = trial
    trial.output?.price(pricing)
    return trial
  }

  /// Updates the costs of trials to current prices, one by one.
  package func reprice(_ trials: inout [Trial]) {
    for place in trials.indices { trials[place] = repriced(trials[place]) }
  }
}
