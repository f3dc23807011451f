import SluiceCore

/// The reason for a condition's verdict, as a code for programs.
public enum Reason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// A comparison with a value, such as `accuracy >= 80%`, holds.
  case met
  /// A comparison with a value, such as `accuracy >= 80%`, does not hold.
  case notMet = "not-met"
  /// The confidence bound of the metric proves the claim.
  case claimed
  /// The confidence bounds of the metric neither prove nor disprove the claim.
  case unclaimed
  /// The confidence bounds of the metric disprove the claim.
  case claimExcluded = "claim-excluded"
  /// Every answer is identical to the baseline.
  case identical
  /// The candidate is credibly better.
  case improved
  /// No loss beyond the margin is credible.
  case withinMargin = "within-margin"
  /// A loss is credible, but it is smaller than the margin.
  case smallCredibleRegression = "small-credible-regression"
  /// A loss beyond the margin is credible.
  case credibleRegression = "credible-regression"
  /// A loss is credible, but its size relative to the margin is unknown.
  case credibleRegressionSizeUnknown = "credible-regression-size-unknown"
  /// The gate would fail by itself, but not after Holm's correction for the family of gates.
  case notCredibleTogether = "not-credible-together"
  /// Too few cases changed to prove a loss, and there are too few cases to rule one out.
  case underpowered
  /// With so few cases, the condition can pass only if every answer stays the same.
  case marginTooTight = "margin-too-tight"
  /// There are too few measurements to bound a percentile or to support a claim.
  case tooFew = "too-few"
  /// There are too few clusters of cases to estimate the variation between clusters.
  case tooFewClusters = "too-few-clusters"
  /// The value is unknown.
  case unknown
  /// The verdict depends on lost trials, whose outcomes are unknown.
  case lostTrials = "lost-trials"
  /// There is nothing to compare with.
  case noBaseline = "no-baseline"
  /// The cases or the scorers differ from those of the baseline.
  case mismatch
  /// The prompt changed, but the file of answers did not. The file does not say which prompt its
  /// answers belong to.
  case unknownRequest = "unknown-request"
  /// The condition applies only to live answers, but the answers are recorded.
  case liveOnly = "live-only"
  /// Only some of the suite's cases were run.
  case filtered

  /// The code.
  public var description: String { rawValue }
}
