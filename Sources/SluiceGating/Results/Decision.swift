public import SluiceCore

/// The verdict on a condition, or on all gates of a suite or a run.
public enum Verdict: String, Hashable, Sendable {
  /// The condition holds. A run with this verdict ends with exit code 0.
  case pass
  /// The condition does not hold. A run with this verdict ends with exit code 1.
  case fail
  /// There are too few cases to decide. A run with this verdict ends with exit code 2.
  case inconclusive
  /// No decision is possible, for example because recordings or the baseline are missing. A run
  /// with this verdict ends with exit code 3.
  case noVerdict = "no-verdict"
  /// The condition applies only to live answers, but the answers are recorded.
  case notEvaluated = "not-evaluated"

  /// Returns the worst of several verdicts.
  ///
  /// From worst to best: fail, no verdict, inconclusive, pass.
  ///
  /// - Parameter verdicts: The verdicts of the parts. ``notEvaluated`` does not count.
  /// - Returns: The overall verdict; ``noVerdict`` if no part has one.
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
  /// The one-sided confidence bounds that decided a claim, in the metric's unit; `nil` for other
  /// conditions.
  ///
  /// Each bound holds at the claim's confidence.
  public var bounds: Interval?
  /// The change that decided a regression gate; `nil` for other conditions.
  public var change: PairedChange?
  /// The correction for several gates; `nil` if it does not cover the condition.
  public var correction: Correction?
  /// The total number of cases needed to decide, if further cases are like the present ones.
  ///
  /// This is set only for inconclusive conditions.
  public var casesNeeded: Int?
  /// The waiver that excludes the condition from the overall verdict, or `nil` if the condition has
  /// none.
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

  /// The verdict that counts towards the overall verdict.
  ///
  /// With a waiver, fail and inconclusive count as pass.
  public var effect: Verdict {
    switch verdict {
    case .fail, .inconclusive: waiver == nil ? verdict : .pass
    case .pass, .noVerdict, .notEvaluated: verdict
    }
  }
}
