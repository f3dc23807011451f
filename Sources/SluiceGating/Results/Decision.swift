public import SluiceCore

/// The verdict on a condition.
public enum Verdict: String, Hashable, Sendable {
  case pass, fail, inconclusive
  case noVerdict = "no-verdict"
  /// The condition is about live answers, but the answers are recorded.
  case notEvaluated = "not-evaluated"

  /// Returns the worst of several verdicts: fail, then no verdict, then inconclusive, then pass.
  ///
  /// - Parameter verdicts: The verdicts of the parts; those not evaluated do not count.
  /// - Returns: The verdict of the whole; no verdict if there is nothing to judge.
  public static func overall(_ verdicts: some Sequence<Verdict>) -> Verdict {
    let all = Set(verdicts)
    return [fail, noVerdict, inconclusive, pass].first(where: all.contains) ?? noVerdict
  }
}

/// A condition with its verdict for one column.
public struct Decision: Hashable, Sendable {
  /// The condition.
  public var condition: Condition
  /// The metric that the condition tests.
  public var metric: Metric
  /// The estimate that was tested.
  public var estimate: Estimate
  /// The verdict.
  public var verdict: Verdict
  /// The reason for the verdict, as a code.
  public var reason: Reason
  /// The reason for the verdict, in a sentence.
  public var explanation: String
  /// The bounds that decided a claim, each at the claim's confidence.
  public var bounds: Interval?
  /// The change that decided a condition on regressions.
  public var change: PairedChange?
  /// The correction for several gates, or `nil` for a condition outside the correction.
  public var correction: Correction?
  /// The total number of cases needed to decide, if further cases are like the present ones.
  ///
  /// This is set only for inconclusive conditions.
  public var casesNeeded: Int?
  /// The waiver that excludes the condition from the overall verdict.
  public var waiver: Exemption?

  package init(
    condition: Condition,
    metric: Metric,
    estimate: Estimate,
    verdict: Verdict,
    reason: Reason,
    explanation: String,
    bounds: Interval? = nil,
    change: PairedChange? = nil,
    correction: Correction? = nil,
    casesNeeded: Int? = nil,
    waiver: Exemption? = nil
  ) {
    self.condition = condition
    self.metric = metric
    self.estimate = estimate
    self.verdict = verdict
    self.reason = reason
    self.explanation = explanation
    self.bounds = bounds
    self.change = change
    self.correction = correction
    self.casesNeeded = casesNeeded
    self.waiver = waiver
  }

  /// The condition's contribution to the overall verdict; a waived failure does not count as one.
  public var effect: Verdict {
    switch verdict {
    case .fail, .inconclusive: waiver == nil ? verdict : .pass
    case .pass, .noVerdict, .notEvaluated: verdict
    }
  }
}
