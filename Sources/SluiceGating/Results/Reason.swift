import SluiceCore

/// The reason for a condition's verdict, as a code for programs.
public enum Reason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// A plain comparison holds.
  case met
  /// A plain comparison does not hold.
  case notMet = "not-met"
  /// The bound clears the value of a claim.
  case claimed
  /// The bound does not clear the value of a claim, and the opposite bound does not exclude it.
  case unclaimed
  /// The opposite bound excludes the value of a claim.
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
  /// The gate would fail alone but not after Holm's correction over its family.
  case notCredibleTogether = "not-credible-together"
  /// Too few cases changed to tell a loss from noise, and there are too few cases to rule it out.
  case underpowered
  /// With so few cases, the condition can pass only if every answer stays the same.
  case marginTooTight = "margin-too-tight"
  /// There are too few measurements to bound a percentile or to support a claim.
  case tooFew = "too-few"
  /// There are too few clusters of cases to estimate the variation between clusters.
  case tooFewClusters = "too-few-clusters"
  /// The value is unknown.
  case unknown
  /// The verdict depends on the unknown outcomes of lost trials.
  case lostTrials = "lost-trials"
  /// There is nothing to compare with.
  case noBaseline = "no-baseline"
  /// The cases or the scorers differ from those of the baseline.
  case mismatch
  /// The prompt changed, but the answers come from a file that names no prompt and did not change.
  case unknownRequest = "unknown-request"
  /// The condition is about live answers, but the answers are recorded.
  case liveOnly = "live-only"
  /// Only some of the suite's cases were run.
  case filtered

  /// The code.
  public var description: String { rawValue }
}
