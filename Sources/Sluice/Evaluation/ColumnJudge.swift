import SluiceReporting

/// Decides a suite's conditions on trials: from measurements to results, with or without a baseline.
package struct ColumnJudge: Sendable {
  private let suite: ResolvedSuite
  private let source: AnswerSource

  package init(_ suite: ResolvedSuite, source: AnswerSource) {
    self.suite = suite
    self.source = source
  }

  /// The result of a run.
  ///
  /// - Parameters:
  ///   - trials: The trials of all columns, in the order of the suite.
  ///   - baselines: What columns are compared with, by backend.
  /// - Returns: The result.
  package func result(_ trials: [Trial], baselines: [String: Baseline]) -> SuiteResult {
    let plan = suite.plan
    let candidates = Set(plan.candidates)
    let all = plan.columns
    var columns = all.map { column in
      // A hundred thousand trials are not copied for nothing.
      let own =
        all.count == 1
        ? trials : trials.filter { $0.prompt == column.prompt && $0.backend == column.backend }
      let counted = suite.policy.counted(own)
      let evaluator = MetricEvaluator(counted)
      let baseline = baselines[column.backend]
      let pairing = baseline.map { paired($0, counted) }
      let decider = Decider(evaluator, against: pairing, source: source, rule: suite.policy.rule)
      var result = ColumnResult(
        prompt: column.prompt,
        promptPath: plan.prompts.first { $0.name == column.prompt }?.path.description ?? "",
        backend: column.backend,
        isCandidate: candidates.contains(column),
        trials: own,
        metrics: ColumnResult.metrics(SuiteMetrics(plan.scorers).all, by: evaluator),
        gates: suite.policy.decisions(on: suite.conditions.gates, by: decider),
        goals: suite.conditions.goals.map { decider.decide($0.condition, on: $0.metric) },
        comparison: pairing.map { pairing in
          RunComparison(
            with: "the baseline (\(baseline?.prompt.name ?? ""))",
            pairing,
            metrics: SuiteMetrics(plan.scorers).rates,
            margin: .usual
          )
        },
        quarantine: suite.policy.quarantine
      )
      result.splits = SplitResult(counted, metrics: SuiteMetrics(plan.scorers).quality)
      result.confusions = ConfusionMatrix.all(plan.scorers, by: evaluator)
      return result
    }
    Holm.adjust(&columns, rule: suite.policy.rule)
    var result = SuiteResult(
      name: plan.name,
      path: plan.path.description,
      source: source,
      caseCount: plan.cases.count,
      repetitions: plan.repetitions,
      columns: columns
    )
    result.prices = plan.prices.file
    result.places = CasePlaces(plan)
    return result
  }

  private func paired(_ baseline: Baseline, _ trials: [Trial]) -> Pairing {
    Pairing(
      baseline: Pairing.Side(
        trials: suite.policy.counted(baseline.trials).map(suite.plan.repriced),
        scorers: baseline.scorers
      ),
      candidate: Pairing.Side(trials: trials, scorers: suite.plan.scorerDigests)
    )
  }
}
