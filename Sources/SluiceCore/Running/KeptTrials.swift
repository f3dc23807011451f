import SluiceSupport

/// The trials of a live run's log that another run of the suite need not ask again: they were answered,
/// and case, request and scorers are the same as then.
struct KeptTrials {
  private let plan: SuitePlan
  private let log: FileContents
  private let keys: RequestKeys
  private let columns: [Column]
  /// The places of cases, prompts and backends in the plan, by their names.
  private let cases: [String: Int]
  private let prompts: [String: Int]
  private let backends: [String: Int]
  private let origins = AnswerOrigins()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - log: The log, which may end in half a line.
  ///   - plan: The suite as it is now.
  init(_ log: FileContents, for plan: SuitePlan) {
    self.plan = plan
    self.log = log
    keys = RequestKeys(plan)
    columns = plan.columns
    func places(_ names: some Sequence<String>) -> [String: Int] {
      Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    }
    cases = places(plan.cases.indices.lazy.map { plan.cases.stored($0).id })
    prompts = places(plan.prompts.lazy.map(\.name))
    backends = places(plan.backends.lazy.map(\.name))
  }

  /// Goes through the trials, in the order of the log.
  ///
  /// - Parameter body: Told each trial and its place in the order of the suite.
  /// - Throws: What the closure throws.
  func forEach<Failure: Error>(
    _ body: (Int, JudgedTrial) throws(Failure) -> Void
  ) throws(Failure) {
    let scorers = plan.scorersJSON
    let places = RunLog.places(plan)
    let judges = plan.judges
    var isSameYardstick = false
    var endings: JSONValue?
    var seen: Set<Int> = []
    try log.forEachLine { (line, _) throws(Failure) in
      // What is no line, such as the last one of a run that was killed, holds no answer.
      guard let json = try? JSONReader.value(line) else { return }
      if json["kind"]?.string == RunLog.kind {
        isSameYardstick =
          json["schema"]?.integer == RunLog.schema && json["suite"]?.string == plan.name
          && json["scorers"] == scorers && json["places"] == places
          && json["version"]?.string == Version.current
        endings = json["endings"]
        for judge in judges where endings?[judge.name] != judge.endings.json.map(JSONValue.object) {
          isSameYardstick = false
        }
      }
      guard isSameYardstick, let (index, kept) = trial(json, endings), seen.insert(index).inserted
      else { return }
      try body(index, kept)
    }
  }

  /// The trial of a line with its place; nil for one that is asked again.
  ///
  /// - Parameters:
  ///   - json: The line.
  ///   - endings: The words of backends for endings by which it was judged.
  /// - Returns: The trial and its place.
  private func trial(_ json: JSONValue, _ endings: JSONValue?) -> (Int, JudgedTrial)? {
    guard let trial = Trial(json: json), trial.isAnswered, let testCase = cases[trial.caseID],
      let prompt = prompts[trial.prompt], let backend = backends[trial.backend],
      (1...plan.repetitions).contains(trial.repetition)
    else { return nil }
    let stored = plan.cases.stored(testCase)
    let slot = SuitePlan.TrialIndex(
      testCase: testCase,
      prompt: prompt,
      backend: backend,
      repetition: trial.repetition
    )
    // What a judge could not say is asked again, and with it the answer that it was asked about.
    guard !trial.scores.contains(where: { $0.score.isAdvisory && $0.score.outcome == .unscored })
    else { return nil }
    guard trial.caseVersion == DigestText(stored.digest), let read = try? stored.read(),
      let key = try? keys.key(of: slot, read, in: plan), key == trial.request
    else { return nil }
    // Words that other answers end with make no difference to this one.
    if let word = trial.output?.finishReason {
      let meaning = endings?[trial.backend]?[word.lowercased()]?.string
      guard meaning == plan.backends[backend].endings.meaning(of: word)?.rawValue else {
        return nil
      }
    }
    var facts = trial.facts
    facts.labels = stored.labels
    facts.column = columns[prompt * plan.backends.count + backend]
    if let output = facts.output {
      var provenance = output.provenance
      provenance.hasMeaninglessTimes = plan.backends[backend].hasMeaninglessTimes
      facts.output?.source = origins.origin(AnswerOrigin(provenance))
      // At the prices of today, as all others of the run.
      let asked = plan.backends[backend].model ?? ""
      let model = plan.prices.name(of: output.provenance.model, asking: asked)
      facts.output?.price(
        plan.prices.pricing(of: output.usage, model: model, tier: output.pricedTier)
      )
    }
    // An answer that no scorer could judge would not be judged today either.
    if case .lost(let loss) = facts.outcome { facts.outcome = .lost(.unscored(loss.message)) }
    return (
      plan.shape.index(slot),
      JudgedTrial(
        trial: Trial(facts),
        variables: read.input,
        text: json["text"]?.string,
        refusal: json["refusal"]?.string,
        effort: SendStatistics(json: json)
      )
    )
  }
}
