import SluiceReporting

extension RunForecast {
  /// Forecasts a suite from its recordings.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - result: The result of the suite on its recordings.
  package init(_ suite: ResolvedSuite, _ result: SuiteResult) {
    let plan = suite.plan
    let metric = Metric(.series(.cost, .mean))
    let costs = result.columns.map { column in
      let trials = column.trials.map { trial in
        Self.asked(Self.asModels(trial), isAskedThroughFiles: column.isAskedThroughFiles, plan)
      }
      return MetricEvaluator(trials).estimate(metric)
    }
    let columns = result.columns.enumerated().map { index, column in
      let missing = column.trials.count(where: \.isMiss)
      var cost = costs[index]
      var source: String?
      if cost.value == nil {
        let other = result.columns.indices.first {
          result.columns[$0].backend == column.backend && costs[$0].value != nil
        }
        if let other {
          cost = costs[other]
          source = result.columns[other].prompt
        } else if column.trials.allSatisfy({ $0.output == nil }) {
          cost = Estimate(unknown: "there are no recordings to estimate the usage from")
        }
      }
      return ColumnForecast(
        prompt: column.prompt,
        backend: column.backend,
        recorded: column.trials.count - missing,
        missing: missing,
        costPerAnswer: cost,
        costIsOf: source,
        outputs: column.outputs?.path
      )
    }
    let reach = GateReach(plan, policy: suite.policy)
    func forecasts(_ bounds: [ResolvedConditions.Bound]) -> [GateForecast] {
      bounds.map { reach.forecast($0, rule: suite.policy.rule) }
    }
    let discordance = result.columns.filter(\.isCandidate).compactMap {
      column -> (backend: String, share: Double)? in
      let change = column.comparison?.changes.first { $0.name == "accuracy" }?.change
      guard let change, case .flips(let harmful, let beneficial) = change.basis else { return nil }
      return (column.backend, Double(harmful + beneficial) / Double(change.n))
    }
    self.init(
      suite: plan.name,
      path: plan.path,
      caseCount: plan.cases.count,
      promptCount: plan.prompts.count,
      backendCount: plan.backends.count,
      repetitions: plan.repetitions,
      columns: columns,
      judges: Self.judges(plan, result),
      gates: forecasts(suite.conditions.gates),
      goals: forecasts(suite.conditions.goals),
      measuredDiscordance: discordance
    )
    isAskedThroughFiles = plan.isAskedThroughFiles
  }

  /// Returns a copy of a trial, marked as answered by a model.
  ///
  /// If a stand-in program answered, the forecast still needs a cost. It uses the counted tokens
  /// and the price of the model.
  private static func asModels(_ trial: Trial) -> Trial {
    guard trial.output?.provenance.standIn != nil else { return trial }
    var trial = trial
    trial.output?.provenance.standIn = nil
    return trial
  }

  /// Returns a copy of a trial with the cost of an individual request, which is higher than in a
  /// batch.
  private static func asked(_ trial: Trial, isAskedThroughFiles: Bool, _ plan: SuitePlan) -> Trial {
    guard !isAskedThroughFiles, trial.pricedTier == PriceList.batch else { return trial }
    var trial = trial
    trial.output?.provenance.via = nil
    if trial.output?.serviceTier == PriceList.batch { trial.output?.serviceTier = nil }
    return plan.repriced(trial)
  }

  private static func judges(_ plan: SuitePlan, _ result: SuiteResult) -> [Judge] {
    var requestsPerAnswer: [String: Int] = [:]
    var unanswered: [String: Int] = [:]
    let trials = result.columns.flatMap(\.trials)
    let missing = trials.count { !$0.isAnswered }
    for bound in plan.scorers {
      guard let scorer = bound.scorer as? any JudgeScorer else { continue }
      requestsPerAnswer[bound.name] = scorer.requestsPerAnswer
      unanswered[scorer.judge.backend.name, default: 0] += missing * scorer.requestsPerAnswer
    }
    return plan.judges.map { judge in
      let works = trials.flatMap { $0.output?.judging ?? [] }.filter { $0.backend == judge.name }
      let unjudged = works.filter { $0.miss != nil }
        .reduce(0) { $0 + (requestsPerAnswer[$1.scorer] ?? 1) - $1.requests }
      let recorded = works.reduce(0) { $0 + $1.requests }
      let costs = works.filter { $0.requests > 0 }.map(\.cost)
      let isPriced = recorded > 0 && !costs.contains(nil)
      return Judge(
        backend: judge.name,
        recorded: recorded,
        missing: unjudged + (unanswered[judge.name] ?? 0),
        costPerVerdict: isPriced
          ? costs.compactMap(\.self).reduce(0, +) / Double(recorded) : nil
      )
    }
  }
}
