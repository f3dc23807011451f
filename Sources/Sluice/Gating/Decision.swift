/// What a condition came to.
public enum Verdict: String, Hashable, Sendable {
  case pass, fail, inconclusive
  case noVerdict = "no-verdict"

  /// Which of several verdicts the whole is: fail before no verdict before inconclusive before pass.
  ///
  /// - Parameter verdicts: The verdicts of the parts.
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
  /// Why, as a code: `met`, `not-met`, `unknown`, `lost-trials`, `too-few`.
  public var reason: String
  /// Why, in a sentence.
  public var explanation: String
}
