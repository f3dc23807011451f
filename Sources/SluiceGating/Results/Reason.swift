import SluiceCore

/// Why a condition came to its verdict, as a code for programs.
public enum Reason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// A plain comparison holds.
  case met
  /// A plain comparison does not hold.
  case notMet = "not-met"
  /// The bound of a claim clears the value.
  case claimed
  /// The bound of a claim does not clear the value, and the opposite one does not exclude it.
  case unclaimed
  /// The opposite bound of a claim excludes the value.
  case claimExcluded = "claim-excluded"
  /// Every answer is the same as the baseline's.
  case identical
  /// The candidate is credibly better.
  case improved
  /// No loss beyond the margin is credible.
  case withinMargin = "within-margin"
  /// A loss is credible, and it is smaller than the margin.
  case smallCredibleRegression = "small-credible-regression"
  /// A loss beyond the margin is credible.
  case credibleRegression = "credible-regression"
  /// A loss is credible, and whether it is beyond the margin is not known.
  case credibleRegressionSizeUnknown = "credible-regression-size-unknown"
  /// The gate fails alone, and does not after Holm's correction over its family.
  case notCredibleTogether = "not-credible-together"
  /// Too few cases changed to tell a loss from noise, and too few there are to exclude it.
  case underpowered
  /// So few cases can pass only if every answer stays the same.
  case marginTooTight = "margin-too-tight"
  /// So few measurements cannot bound a percentile, or carry a claim.
  case tooFew = "too-few"
  /// The cases come in so few clusters that nothing tells how much the next ones would differ.
  case tooFewClusters = "too-few-clusters"
  /// The value is not known.
  case unknown
  /// What lost trials could have been would change the verdict.
  case lostTrials = "lost-trials"
  /// There is nothing to compare with.
  case noBaseline = "no-baseline"
  /// Cases or scorers are not those of the baseline.
  case mismatch
  /// The prompt changed, and answers that come from a file and name no prompt did not.
  case unknownRequest = "unknown-request"
  /// The condition is about live answers, and these are recorded.
  case liveOnly = "live-only"
  /// Only some of the suite's cases were run.
  case filtered

  /// The code.
  public var description: String { rawValue }
}
