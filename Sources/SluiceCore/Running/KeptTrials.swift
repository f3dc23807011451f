import SluiceSupport

/// The trials in the log of a live run that a later run can reuse.
///
/// They have an answer. Their case, their request, the scorers and the version of Sluice have not
/// changed since.
struct KeptTrials {
  private let plan: SuitePlan
  private let log: FileContents
  private let keys: RequestKeys
  private let columns: [Column]
  /// The indices of the plan's cases, prompts and backends, by name.
  private let cases: [String: Int]
  private let prompts: [String: Int]
  private let backends: [String: Int]
  private let origins = AnswerOrigins()

  /// Creates a reader for a log.
  ///
  /// - Parameters:
  ///   - log: The log, which may be truncated.
  ///   - plan: The current suite.
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

  /// Calls a closure for each reusable trial, in log order.
  ///
  /// - Parameter body: Receives each trial and its index in suite order.
  /// - Throws: The error that the closure throws.
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
      // An invalid line, such as the last line of a run that was killed, contains no answer.
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

  /// Returns the trial on a line, with its index; nil if its request must be sent again.
  ///
  /// - Parameters:
  ///   - json: The line.
  ///   - endings: The meanings that finish reasons had when the trial was scored, by backend.
  /// - Returns: The trial and its index in suite order.
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
    // If a judge gave no verdict, both the answer and the verdict are requested again.
    guard !trial.scores.contains(where: { $0.score.isAdvisory && $0.score.outcome == .unscored })
    else { return nil }
    guard trial.caseVersion == DigestText(stored.digest), let read = try? stored.read(),
      let key = try? keys.key(of: slot, read, in: plan), key == trial.request
    else { return nil }
    // The meanings of finish reasons may have changed. Only the meaning of this answer's finish
    // reason matters.
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
      // Uses current prices, like the rest of the run.
      let asked = plan.backends[backend].model ?? ""
      let model = plan.prices.name(of: output.provenance.model, asking: asked)
      facts.output?.price(
        plan.prices.pricing(of: output.usage, model: model, tier: output.pricedTier)
      )
    }
    // Nothing has changed since the earlier run, so an answer that could not be scored then cannot
    // be scored now.
    if case .lost(let loss) = facts.outcome { facts.outcome = .lost(.unscored(loss.message)) }
    return (
      plan.shape.index(slot),
      JudgedTrial(
        trial: Trial(facts),
        variables: read.input,
        text: json["text"]?.string,
        refusal: json["refusal"]?.string,
        statistics: SendStatistics(json: json)
      )
    )
  }
}
