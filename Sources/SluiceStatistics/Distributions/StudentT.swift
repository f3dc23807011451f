/// Student's t distribution ("Student" 1908), also for fractional degrees of freedom.
package enum StudentT {
  /// Returns the probability of a value at most `t`.
  ///
  /// - Parameters:
  ///   - t: The value.
  ///   - degreesOfFreedom: The degrees of freedom, above 0.
  /// - Returns: The probability, from 0 to 1, to full precision even if it is small.
  package static func cumulative(_ t: Double, degreesOfFreedom: Double) -> Double {
    let tail = twoSidedP(t, degreesOfFreedom: degreesOfFreedom) / 2
    return t < 0 ? tail : 1 - tail
  }

  /// Returns the probability of a value that lies at least as far from 0 as `t`, on either side.
  ///
  /// - Parameters:
  ///   - t: The value, of either sign.
  ///   - degreesOfFreedom: The degrees of freedom, above 0.
  /// - Returns: The probability, from 0 to 1.
  package static func twoSidedP(_ t: Double, degreesOfFreedom: Double) -> Double {
    precondition(degreesOfFreedom > 0, "degrees of freedom are positive")
    let ratio = t / degreesOfFreedom * t
    guard ratio.isFinite else { return 0 }
    let x = 1 / (1 + ratio)
    return BetaDistribution.tails(x, ratio * x, degreesOfFreedom / 2, 0.5).lower
  }

  /// Returns the quantile of a probability.
  ///
  /// - Parameters:
  ///   - p: The probability, from 0 to 1.
  ///   - degreesOfFreedom: The degrees of freedom, above 0.
  /// - Returns: The value; infinite for 0 and 1.
  package static func quantile(_ p: Double, degreesOfFreedom: Double) -> Double {
    precondition(p >= 0 && p <= 1, "a probability lies between 0 and 1")
    precondition(degreesOfFreedom > 0, "degrees of freedom are positive")
    if p > 0.5 { return -quantile(1 - p, degreesOfFreedom: degreesOfFreedom) }
    let (x, y) = BetaDistribution.quantile(
      lower: 2 * p,
      upper: 1 - 2 * p,
      degreesOfFreedom / 2,
      0.5
    )
    return -(degreesOfFreedom * (y / x)).squareRoot()
  }
}
