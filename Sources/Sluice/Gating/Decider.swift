/// Decides conditions on the trials of one column.
package struct Decider: Sendable {
  private let trials: [Trial]
  private let evaluator: MetricEvaluator

  package init(_ trials: [Trial]) {
    self.trials = trials
    evaluator = MetricEvaluator(trials)
  }

  /// Decides a condition.
  package func decide(_ condition: Condition, on metric: Metric) -> Decision {
    let estimate = evaluator.estimate(metric)
    let (verdict, reason, explanation) = judgement(condition, metric, estimate)
    return Decision(
      condition: condition,
      metric: metric,
      estimate: estimate,
      verdict: verdict,
      reason: reason,
      explanation: explanation
    )
  }

  private func judgement(_ condition: Condition, _ metric: Metric, _ estimate: Estimate) -> (
    Verdict, String, String
  ) {
    guard condition.undecidable == nil,
      case .comparison(let comparison, let bound, _) = condition.demand
    else {
      // Loading refuses these forms, so nothing of a user's gets here.
      return (.noVerdict, "undecidable", "this version cannot decide the condition")
    }
    guard let value = estimate.value else {
      if isUnknownByLoss(metric) {
        return (.noVerdict, "lost-trials", "unknown: every trial that counts was lost")
      }
      return (.noVerdict, "unknown", "unknown: \(estimate.unknown ?? "not measured")")
    }
    if evaluator.touchesLostTrials(metric), couldChange(comparison, bound, metric, value) {
      let lost = trials.count(where: \.isLost)
      return (
        .noVerdict, "lost-trials",
        "\(lost) lost \(lost == 1 ? "trial" : "trials") could change the outcome"
      )
    }
    if case .series(_, .percentile(let percent)) = metric.kind {
      let bounding = comparison.wantsSmall ? percent : 100 - percent
      let needed = Percentile.leastSample(bounding: bounding)
      if estimate.n < needed {
        return (
          .inconclusive, "too-few",
          "\(estimate.n) \(estimate.n == 1 ? "measurement" : "measurements") cannot bound "
            + "this percentile; it takes \(needed)"
        )
      }
    }
    return comparison.holds(value, bound)
      ? (.pass, "met", "met") : (.fail, "not-met", "not met")
  }

  /// Whether an unknown value would be known, had no trial been lost.
  private func isUnknownByLoss(_ metric: Metric) -> Bool {
    switch metric.kind {
    case .accuracy, .unusableRate, .passRate, .scorer(_, .share):
      MetricEvaluator(trials, fill: .holding).estimate(metric).value != nil
    case .scorer, .series: evaluator.hasOnlyLostTrials(metric)
    }
  }

  /// Whether the best or the worst that lost trials could have been would turn the outcome.
  private func couldChange(
    _ comparison: Condition.Comparison,
    _ bound: Double,
    _ metric: Metric,
    _ value: Double
  ) -> Bool {
    switch metric.kind {
    case .accuracy, .unusableRate, .passRate, .scorer(_, .share):
      let outcome = comparison.holds(value, bound)
      return [MetricEvaluator.Fill.holding, .notHolding].contains { fill in
        guard let filled = MetricEvaluator(trials, fill: fill).estimate(metric).value else {
          return true
        }
        return comparison.holds(filled, bound) != outcome
      }
    // What a lost trial would have added to a sum or a sample has no bounds.
    case .scorer, .series: return true
    }
  }
}
