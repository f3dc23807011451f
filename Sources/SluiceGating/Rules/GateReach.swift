package import SluiceCore

/// The decisions that the gates of a suite can reach, known before any request is sent.
package struct GateReach: Sendable {
  private let plan: SuitePlan
  private let policy: GatePolicy
  /// An evaluator of all cases, none of them answered.
  ///
  /// The evaluator is created on first use, since most conditions do not need it.
  private let all = Locked<MetricEvaluator?>(nil)
  /// An evaluator of the first cases, none of them answered.
  ///
  /// These cases are nearly always enough to see that a gate can be met.
  private let first = Locked<MetricEvaluator?>(nil)

  package init(_ plan: SuitePlan, policy: GatePolicy) {
    self.plan = plan
    self.policy = policy
  }

  /// Returns an evaluator of the first cases, none of them answered.
  private func unanswered(first limit: Int = .max) -> MetricEvaluator {
    (limit == .max ? all : first)
      .withLock { known in
        let trials = { policy.counted(plan.unansweredTrials(first: limit)) }
        let evaluator = known ?? MetricEvaluator(trials(), fill: .holding)
        known = evaluator
        return evaluator
      }
  }

  /// Returns a rate's sample for a run that answers every case, or `nil` for other metrics.
  func sample(_ metric: Metric) -> RateSample? { Self.sample(metric, { unanswered() }) }

  private static func sample(_ metric: Metric, _ cases: () -> MetricEvaluator) -> RateSample? {
    MetricEvaluator.isRate(metric) ? cases().rate(metric) : nil
  }

  /// Returns the number of cases that a rate counts in a run that answers every case, or `nil` for
  /// other metrics.
  package func count(_ metric: Metric) -> Int? { sample(metric)?.cases }

  /// The number of cases to check first, since checking all cases is slow.
  private static let firstLook = 256

  /// Returns true if a scorer's metric applies to none of the cases, whatever the answers are.
  private func countsNothing(_ metric: Metric, _ cases: () -> MetricEvaluator) -> Bool {
    guard case .scorer = metric.kind else { return false }
    return Self.sample(metric, cases)?.cases == 0 && caseCount(metric, cases) > 0
  }

  /// Returns the number of cases that a metric covers.
  func caseCount(_ metric: Metric) -> Int { caseCount(metric) { unanswered() } }

  private func caseCount(_ metric: Metric, _ cases: () -> MetricEvaluator) -> Int {
    Self.sample(Metric(.accuracy, tag: metric.tag), cases)?.cases ?? 0
  }

  /// Returns an error if there are too few clusters to decide a condition, or `nil` if there are
  /// enough.
  private func clusterFault(
    _ condition: Condition,
    _ metric: Metric,
    _ cases: () -> MetricEvaluator
  ) -> (message: String, fix: String)? {
    if case .comparison(_, _, nil) = condition.demand { return nil }
    guard plan.cases.hasClusters, cases().hasClusters else { return nil }
    let sample =
      Self.sample(metric, cases) ?? Self.sample(Metric(.accuracy, tag: metric.tag), cases)
    guard let sample, sample.cases > 0,
      let few = FewClusters.explanation(sample.effectiveClusters)
    else { return nil }
    return (
      few,
      "add cases in other clusters, or write a plain condition such as 'accuracy >= 85%'"
    )
  }

  /// Returns true if a condition needs a minimum number of cases to be met.
  package static func matters(for condition: Condition, on metric: Metric) -> Bool {
    if case .comparison(_, _, nil) = condition.demand {
      return condition.leastSample(for: metric) != nil
    }
    return true
  }

  /// Returns an error if a condition cannot be met, whatever the answers are, or `nil` if it can.
  package func fault(_ condition: Condition, on metric: Metric) -> (message: String, fix: String)? {
    // If the first cases can meet the condition, so can all cases, unless the cases have clusters.
    if plan.cases.count > Self.firstLook, !plan.cases.hasClusters,
      fault(condition, metric, { unanswered(first: Self.firstLook) }) == nil
    {
      return nil
    }
    return fault(condition, metric) { unanswered() }
  }

  private func fault(_ condition: Condition, _ metric: Metric, _ cases: () -> MetricEvaluator)
    -> (message: String, fix: String)?
  {
    if countsNothing(metric, cases) {
      return (
        "'\(condition.reference)' applies to none of the suite's cases, so the condition "
          + "cannot be decided",
        "add cases that it applies to, or remove the condition"
      )
    }
    if let fault = clusterFault(condition, metric, cases) { return fault }
    guard MetricEvaluator.isRate(metric) else { return percentileFault(condition, metric, cases) }
    if case .comparison(_, _, nil) = condition.demand { return nil }
    let (count, n) = Self.sample(metric, cases).map { ($0.cases, $0.clusters) } ?? (0, 0)
    let text =
      (count == 1 ? "1 case" : "\(count) cases")
      + (n < count ? " in \(n == 1 ? "1 cluster" : "\(n) clusters")" : "")
    switch condition.demand {
    case .comparison(_, _, nil): return nil
    case .comparison(let comparison, let value, let confidence?):
      let claim = ClaimRule(comparison: comparison, value: value, confidence: confidence)
      if claim.canPass(n: n) { return nil }
      return (
        "\(text) cannot prove this claim, whatever the answers are",
        claim.leastCases().map { "add cases: \($0) are needed if all of them support the claim" }
          ?? "no number of cases can prove it; change the value, or remove 'at …% confidence'"
      )
    // No rate is above 1, so a relative margin is never wider than the absolute one.
    case .noRegression(let margin, _):
      if RegressionRule.canPass(margin: margin, n: n) { return nil }
      return (
        "\(text) can pass this margin only if every answer stays the same",
        RegressionRule.leastCases(margin: margin).map {
          "add cases (\($0) are needed), or use a wider margin"
        } ?? "use a margin above 0"
      )
    }
  }

  /// Returns an error if there are too few cases for a bound on the percentile of a condition.
  private func percentileFault(
    _ condition: Condition,
    _ metric: Metric,
    _ cases: () -> MetricEvaluator
  ) -> (message: String, fix: String)? {
    guard let needed = condition.leastSample(for: metric) else { return nil }
    let n = caseCount(metric, cases)
    if n >= needed { return nil }
    return (
      "\(n == 1 ? "1 case" : "\(n) cases") cannot give an interval for this percentile, whatever "
        + "the answers are",
      "add cases: \(needed) are needed"
    )
  }
}
