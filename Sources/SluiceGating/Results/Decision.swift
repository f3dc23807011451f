public import SluiceCore

/// What a condition came to.
public enum Verdict: String, Hashable, Sendable {
  case pass, fail, inconclusive
  case noVerdict = "no-verdict"
  /// The condition is about live answers, and these are recorded.
  case notEvaluated = "not-evaluated"

  /// Which of several verdicts the whole is: fail before no verdict before inconclusive before pass.
  ///
  /// - Parameter verdicts: The verdicts of the parts; those not evaluated do not count.
  /// - Returns: The verdict of the whole; nothing to judge is no verdict.
  public static func overall(_ verdicts: some Sequence<Verdict>) -> Verdict {
    let all = Set(verdicts)
    return [fail, noVerdict, inconclusive, pass].first(where: all.contains) ?? noVerdict
  }
}

/// A condition with what it came to for one column.
public struct Decision: Hashable, Sendable {
  /// The condition.
  public var condition: Condition
  /// The metric that it is about.
  public var metric: Metric
  /// The estimate that was compared.
  public var estimate: Estimate
  /// What it came to.
  public var verdict: Verdict
  /// Why, as a code.
  public var reason: Reason
  /// Why, in a sentence.
  public var explanation: String
  /// The bounds that a claim was decided on, each at the claim's confidence.
  public var bounds: Interval?
  /// The change that a condition on regressions was decided on.
  public var change: PairedChange?
  /// The correction for several gates; nil for conditions that it leaves out.
  public var correction: Correction?
  /// How many cases in all would decide what is inconclusive, if those to come were like these.
  public var casesNeeded: Int?
  /// The waiver that keeps the condition from deciding.
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

  /// What the condition adds to the verdict of the whole: a waived failure stands in nobody's way.
  public var effect: Verdict {
    switch verdict {
    case .fail, .inconclusive: waiver == nil ? verdict : .pass
    case .pass, .noVerdict, .notEvaluated: verdict
    }
  }
}
