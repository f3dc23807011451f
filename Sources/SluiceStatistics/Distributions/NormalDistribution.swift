import SluiceSystem

/// The standard normal distribution.
package enum NormalDistribution {
  /// Returns the probability of a value at most `x`.
  ///
  /// - Parameter x: The value, in standard deviations from the mean.
  /// - Returns: The probability, from 0 to 1, to full precision even far out in the lower tail. For
  ///   the upper tail, call `cumulative(-x)`.
  package static func cumulative(_ x: Double) -> Double {
    0.5 * erfc(-x * 0.5.squareRoot())
  }

  /// Returns the quantile of a probability.
  ///
  /// Starts from formula 26.2.23 of Abramowitz and Stegun (1964) and refines the result by Halley's
  /// method.
  ///
  /// - Parameter p: The probability, from 0 to 1.
  /// - Returns: The value, in standard deviations from the mean; infinite for 0 and 1.
  package static func quantile(_ p: Double) -> Double {
    precondition(p >= 0 && p <= 1, "a probability lies between 0 and 1")
    if p > 0.5 { return -quantile(1 - p) }
    if p == 0 { return -.infinity }
    if p == 0.5 { return 0 }
    let t = (-2 * log(p)).squareRoot()
    let upper = (0.010328 * t + 0.802853) * t + 2.515517
    let lower = ((0.001308 * t + 0.189269) * t + 1.432788) * t + 1
    var x = upper / lower - t
    // The starting value is accurate to 4.5e-4, and each step triples the number of correct digits.
    // Subnormal probabilities have no more digits to gain.
    guard p >= .leastNormalMagnitude * 1e4 else { return x }
    for _ in 0..<3 {
      let density = exp(-x * x / 2) / (2 * Double.pi).squareRoot()
      let step = (cumulative(x) - p) / density
      x -= step / (1 + x * step / 2)
    }
    return x
  }

  /// Returns the half-width, in standard deviations, of the interval around the mean that contains
  /// a share of the values.
  ///
  /// - Parameter confidence: The share, between 0 and 1, both excluded.
  /// - Returns: The half-width: 1.96 for 95%.
  package static func criticalValue(confidence: Double) -> Double {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    return -quantile((1 - confidence) / 2)
  }
}
