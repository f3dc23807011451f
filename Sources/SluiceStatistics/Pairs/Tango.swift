/// The score interval of Tango (1998), "Equivalence test and confidence interval for the difference
/// in proportions for the paired-sample design".
///
/// The difference is (beneficial - harmful) / n: positive if the candidate is better.
package enum Tango {
  /// Returns the two-sided confidence interval for the difference of two paired rates.
  ///
  /// - Parameters:
  ///   - b: The number of newly failing cases, at least 0.
  ///   - c: The number of newly passing cases, at least 0.
  ///   - n: The number of cases, at least 1 and at least `b + c`.
  ///   - confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends, within -1 and 1.
  package static func interval(
    harmful b: Int,
    beneficial c: Int,
    of n: Int,
    confidence: Double = 0.9
  ) -> Interval {
    let z = NormalDistribution.criticalValue(confidence: confidence)
    return interval(harmful: b, beneficial: c, of: n, criticalValue: z)
  }

  /// Returns the two-sided interval for a critical value, so that the quantile is not computed
  /// again.
  ///
  /// - Parameters:
  ///   - b: The number of newly failing cases, at least 0.
  ///   - c: The number of newly passing cases, at least 0.
  ///   - n: The number of cases, at least 1 and at least `b + c`.
  ///   - z: The quantile of the standard normal distribution, such as 1.645 for a 90% interval;
  ///     above 0.
  /// - Returns: Both ends, within -1 and 1.
  package static func interval(
    harmful b: Int,
    beneficial c: Int,
    of n: Int,
    criticalValue z: Double
  ) -> Interval {
    check(b, c, n)
    precondition(z > 0, "a critical value is positive")
    let (b, c, n) = (Double(b), Double(c), Double(n))
    return Interval(low: lowEnd(b, c, n, z), high: highEnd(b, c, n, z))
  }

  /// Returns the lower end of the interval for fractional counts, such as effective numbers of
  /// cases.
  static func lowEnd(_ b: Double, _ c: Double, _ n: Double, _ z: Double) -> Double {
    -highEnd(c, b, n, z)
  }

  /// Returns the number of standard deviations by which the observed difference exceeds a supposed
  /// difference.
  ///
  /// The lower end of an interval exceeds the supposed difference exactly if this score exceeds the
  /// normal quantile of the interval. Comparing the score with the quantile saves computing the
  /// end.
  ///
  /// - Parameters:
  ///   - difference: The supposed difference, from -1 to 1.
  ///   - b: The number of newly failing cases, at least 0.
  ///   - c: The number of newly passing cases, at least 0.
  ///   - n: The number of cases, at least 1 and at least `b + c`.
  /// - Returns: The score statistic, decreasing in `difference`; 0 if the observed difference
  ///   equals the supposed one.
  package static func score(
    at difference: Double,
    harmful b: Int,
    beneficial c: Int,
    of n: Int
  ) -> Double {
    check(b, c, n)
    precondition(abs(difference) <= 1, "a difference of rates lies between -1 and 1")
    return score(at: difference, Double(b), Double(c), Double(n))
  }

  /// Returns the score for fractional counts, such as effective numbers of cases.
  package static func score(at difference: Double, _ b: Double, _ c: Double, _ n: Double) -> Double
  {
    let distance = c - b - n * difference
    if distance == 0 { return 0 }
    let variance =
      difference < 0
      ? variance(-difference, c, b, n).value : variance(difference, b, c, n).value
    return distance / (n * variance).squareRoot()
  }

  private static func check(_ b: Int, _ c: Int, _ n: Int) {
    precondition(n > 0, "a difference needs at least one case")
    precondition(b >= 0 && c >= 0 && b + c <= n, "0 ≤ flips ≤ cases")
  }

  /// Returns the variance of one pair's difference, and the derivative of this variance with
  /// respect to the mean.
  ///
  /// Both are computed for the most likely rates that have the given mean. The mean must be at
  /// least 0. For a negative mean, swap b and c, which avoids cancellation.
  private static func variance(
    _ mean: Double,
    _ b: Double,
    _ c: Double,
    _ n: Double
  ) -> (value: Double, slope: Double) {
    // The harmful rate q solves A q² + B q + C = 0.
    let linear = (2 * n - c + b) * mean - (b + c)
    let product = b * mean * (1 - mean)
    let root = (linear * linear + 8 * n * product).squareRoot()
    let rate = linear > 0 ? 2 * product / (linear + root) : (root - linear) / (4 * n)
    let slope = root > 0 ? (b * (1 - 2 * mean) - (2 * n - c + b) * rate) / root : 0
    return (2 * rate + mean * (1 - mean), 2 * slope + 1 - 2 * mean)
  }

  /// Returns the largest mean whose score is at least -z.
  private static func highEnd(_ b: Double, _ c: Double, _ n: Double, _ z: Double) -> Double {
    if c == n { return 1 }
    let observed = (c - b) / n
    let factor = z * z / n
    // The excess (mean - observed)² - factor · variance is negative inside the interval, and rises
    // through 0 at the end. Newton's method finds this root, starting at the end of the Wald
    // interval. Bisection takes over if the variance has a kink.
    var least = observed
    var most = 1.0
    let spread = (b + c) / n - observed * observed
    var mean = min(
      observed + (factor * spread + factor * factor / 4).squareRoot() + factor / 2,
      (observed + 1) / 2
    )
    for _ in 0..<100 {
      let there = mean < 0 ? variance(-mean, c, b, n) : variance(mean, b, c, n)
      let distance = mean - observed
      let excess = distance * distance - factor * there.value
      if excess > 0 { most = mean } else { least = mean }
      let slope = 2 * distance - factor * (mean < 0 ? -there.slope : there.slope)
      let next = mean - excess / slope
      // Each step squares the error, so the next step would be below double precision.
      if abs(next - mean) < 1e-7 * distance { return max(-1, min(1, next)) }
      mean = next > least && next < most ? next : (least + most) / 2
      if most - least < 1e-15 { break }
    }
    return max(-1, min(1, mean))
  }
}
