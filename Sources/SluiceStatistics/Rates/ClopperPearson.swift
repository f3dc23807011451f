/// The exact interval of Clopper and Pearson (1934), "The use of confidence or fiducial limits
/// illustrated in the case of the binomial".
///
/// The coverage of the interval is at least its confidence level.
package enum ClopperPearson {
  /// Returns the two-sided confidence interval for a rate.
  ///
  /// - Parameters:
  ///   - successes: The number of successes, from 0 to `n`.
  ///   - n: The number of trials, at least 1.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: Both ends, from 0 to 1. The low end is 0 if there are no successes; the high end is
  ///   1 if there are no failures.
  package static func interval(
    successes: Int,
    of n: Int,
    confidence: Double = 0.95
  ) -> Interval {
    let tail = (1 - confidence) / 2
    return Interval(
      low: lowerBound(successes: successes, of: n, tail: tail),
      high: upperBound(successes: successes, of: n, tail: tail)
    )
  }

  /// Returns the one-sided upper bound for the true rate.
  ///
  /// - Parameters:
  ///   - successes: The number of successes, from 0 to `n`.
  ///   - n: The number of trials, at least 1.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: The bound, from 0 to 1; 1 if there are no failures.
  package static func upperBound(
    successes: Int,
    of n: Int,
    confidence: Double = 0.95
  ) -> Double {
    upperBound(successes: successes, of: n, tail: 1 - confidence)
  }

  /// Returns the one-sided lower bound for the true rate.
  ///
  /// - Parameters:
  ///   - successes: The number of successes, from 0 to `n`.
  ///   - n: The number of trials, at least 1.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: The bound, from 0 to 1; 0 if there are no successes.
  package static func lowerBound(
    successes: Int,
    of n: Int,
    confidence: Double = 0.95
  ) -> Double {
    lowerBound(successes: successes, of: n, tail: 1 - confidence)
  }

  /// Returns the one-sided lower bound for fractional counts, such as effective numbers of cases.
  package static func lowerBound(successes: Double, of n: Double, confidence: Double) -> Double {
    guard successes > 0 else { return 0 }
    return BetaDistribution.quantile(
      lower: 1 - confidence,
      upper: confidence,
      successes,
      max(n - successes, 0) + 1
    ).x
  }

  private static func upperBound(successes: Int, of n: Int, tail: Double) -> Double {
    check(successes, n, tail)
    guard successes < n else { return 1 }
    return BetaDistribution.quantile(
      lower: 1 - tail,
      upper: tail,
      Double(successes) + 1,
      Double(n - successes)
    ).x
  }

  private static func lowerBound(successes: Int, of n: Int, tail: Double) -> Double {
    check(successes, n, tail)
    guard successes > 0 else { return 0 }
    return BetaDistribution.quantile(
      lower: tail,
      upper: 1 - tail,
      Double(successes),
      Double(n - successes) + 1
    ).x
  }

  private static func check(_ successes: Int, _ n: Int, _ tail: Double) {
    precondition(n > 0 && (0...n).contains(successes), "a rate needs 0 ≤ successes ≤ n, n ≥ 1")
    precondition(tail > 0 && tail < 1, "a confidence lies between 0 and 1")
  }
}
