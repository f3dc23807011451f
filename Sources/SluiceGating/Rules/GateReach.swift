package import SluiceCore

/// What the gates of a suite can decide with the cases that it has, before anything is asked.
package struct GateReach: Sendable {
  private let plan: SuitePlan
  private let policy: GatePolicy
  /// Trials of which only is known what their cases alone decide; made when a condition asks for them,
  /// as most do not.
  private let unanswered = Locked<MetricEvaluator?>(nil)

  package init(_ plan: SuitePlan, policy: GatePolicy) {
    self.plan = plan
    self.policy = policy
  }

  private var evaluator: MetricEvaluator {
    unanswered.withLock { known in
      let evaluator =
        known ?? MetricEvaluator(policy.counted(plan.unansweredTrials()), fill: .holding)
      known = evaluator
      return evaluator
    }
  }

  /// The cases that a metric can rest on at most; nil when it is no rate.
  func sample(_ metric: Metric) -> RateSample? {
    MetricEvaluator.isRate(metric) ? evaluator.rate(metric) : nil
  }

  /// The number of cases that a metric can rest on at most; nil when it is no rate.
  package func count(_ metric: Metric) -> Int? { sample(metric)?.cases }

  /// The number of cases that are looked at before all are, to tell whether a metric counts any.
  private static let firstLook = 256

  /// Returns true when no case of the suite counts for a metric of a scorer, whatever is answered.
  private func countsNothing(_ metric: Metric) -> Bool {
    guard case .scorer = metric.kind, MetricEvaluator.isRate(metric) else { return false }
    // Nearly always one of the first cases counts, so the others need no trial made of them.
    let few = policy.counted(plan.unansweredTrials(first: Self.firstLook))
    if MetricEvaluator(few, fill: .holding).rate(metric)?.cases ?? 0 > 0 { return false }
    return count(metric) == 0 && caseCount(metric) > 0
  }

  /// The number of cases that a metric looks at.
  func caseCount(_ metric: Metric) -> Int { count(Metric(.accuracy, tag: metric.tag)) ?? 0 }

  /// Why the clusters that the cases come in are too few to decide a condition; nil where they are not.
  private func clusterFault(_ condition: Condition, _ metric: Metric) -> (
    message: String, fix: String
  )? {
    if case .comparison(_, _, nil) = condition.demand { return nil }
    guard evaluator.hasClusters else { return nil }
    let sample = sample(metric) ?? sample(Metric(.accuracy, tag: metric.tag))
    guard let sample, sample.cases > 0,
      let few = FewClusters.explanation(sample.effectiveClusters)
    else { return nil }
    return (
      few,
      "add cases of other clusters, or write a plain condition such as 'accuracy >= 85%'"
    )
  }

  /// Whether the number of cases can keep a condition from being met.
  package static func matters(for condition: Condition, on metric: Metric) -> Bool {
    if case .comparison(_, _, nil) = condition.demand {
      return condition.leastSample(for: metric) != nil
    }
    return true
  }

  /// Why a condition could not be met, whatever is answered; nil where it could.
  package func fault(_ condition: Condition, on metric: Metric) -> (message: String, fix: String)? {
    if countsNothing(metric) {
      return (
        "no case of the suite counts for '\(condition.reference)', so nothing can decide this",
        "add cases that it counts, or take the condition out"
      )
    }
    if let fault = clusterFault(condition, metric) { return fault }
    guard MetricEvaluator.isRate(metric) else { return percentileFault(condition, metric) }
    if case .comparison(_, _, nil) = condition.demand { return nil }
    let (count, n) = sample(metric).map { ($0.cases, $0.clusters) } ?? (0, 0)
    let cases =
      (count == 1 ? "1 case" : "\(count) cases")
      + (n < count ? " in \(n == 1 ? "1 cluster" : "\(n) clusters")" : "")
    switch condition.demand {
    case .comparison(_, _, nil): return nil
    case .comparison(let comparison, let value, let confidence?):
      let claim = ClaimRule(comparison: comparison, value: value, confidence: confidence)
      if claim.canPass(n: n) { return nil }
      return (
        "\(cases) cannot carry this claim, whatever is answered",
        claim.leastCases().map { "it takes \($0) cases that all speak for it" }
          ?? "no number of cases can"
      )
    // No rate is above 1, so a share of it is no wider margin.
    case .noRegression(let margin, _):
      if RegressionRule.canPass(margin: margin, n: n) { return nil }
      return (
        "\(cases) can pass this margin only if every answer stays the same",
        RegressionRule.leastCases(margin: margin).map {
          "it takes \($0) cases, or a wider margin"
        } ?? "write a margin above 0"
      )
    }
  }

  /// Why so few cases cannot bound the percentile that a condition is about.
  private func percentileFault(_ condition: Condition, _ metric: Metric)
    -> (message: String, fix: String)?
  {
    guard let needed = condition.leastSample(for: metric) else { return nil }
    let n = caseCount(metric)
    if n >= needed { return nil }
    return (
      "\(n == 1 ? "1 case" : "\(n) cases") cannot bound this percentile, whatever is answered",
      "it takes \(needed) cases"
    )
  }
}
