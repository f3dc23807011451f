/// The score interval of Wilson (1927), "Probable inference, the law of succession, and statistical
/// inference", without continuity correction.
package enum Wilson {
  /// Returns the two-sided confidence interval for a rate.
  ///
  /// - Parameters:
  ///   - successes: The number of successes, from 0 to `n`.
  ///   - n: The number of trials, at least 1.
  ///   - confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends, from 0 to 1.
  package static func interval(
    successes: Int,
    of n: Int,
    confidence: Double = 0.95
  ) -> Interval {
    precondition(n > 0 && (0...n).contains(successes), "a rate needs 0 ≤ successes ≤ n, n ≥ 1")
    let z = NormalDistribution.criticalValue(confidence: confidence)
    return interval(rate: Double(successes) / Double(n), of: Double(n), z: z)
  }

  /// Returns the two-sided interval around a rate over a fractional number of cases.
  ///
  /// - Parameters:
  ///   - rate: The rate, from 0 to 1. It need not be a multiple of one case.
  ///   - n: The number of cases, above 0.
  ///   - z: The quantile of the standard normal distribution, such as 1.96 for a 95% interval or
  ///     1.645 for a one-sided 95% bound; above 0.
  /// - Returns: Both ends, from 0 to 1.
  package static func interval(rate: Double, of n: Double, z: Double) -> Interval {
    let square = z * z
    let centre = (rate + square / (2 * n)) / (1 + square / n)
    let half =
      z / (1 + square / n) * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
    // At the ends, the formula gives 0 and 1 except for rounding.
    return Interval(
      low: rate <= 0 ? 0 : max(0, centre - half),
      high: rate >= 1 ? 1 : min(1, centre + half)
    )
  }
}
