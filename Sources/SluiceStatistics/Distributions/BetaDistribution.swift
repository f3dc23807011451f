import SluiceSystem

/// The beta distribution, whose cumulative probability is the regularized incomplete beta function.
package enum BetaDistribution {
  /// Returns the probability of a value at most `x`.
  ///
  /// - Parameters:
  ///   - x: The value, from 0 to 1.
  ///   - a: The first shape, above 0.
  ///   - b: The second shape, above 0.
  /// - Returns: The regularized incomplete beta function, from 0 to 1.
  package static func cumulative(_ x: Double, _ a: Double, _ b: Double) -> Double {
    precondition(x >= 0 && x <= 1, "a beta variable lies between 0 and 1")
    return tails(x, 1 - x, a, b).lower
  }

  /// Returns the quantile of a probability.
  ///
  /// - Parameters:
  ///   - p: The probability, from 0 to 1.
  ///   - a: The first shape, above 0.
  ///   - b: The second shape, above 0.
  /// - Returns: The value, from 0 to 1.
  package static func quantile(_ p: Double, _ a: Double, _ b: Double) -> Double {
    precondition(p >= 0 && p <= 1, "a probability lies between 0 and 1")
    return quantile(lower: p, upper: 1 - p, a, b).x
  }

  /// Returns the probabilities below and above x; a small probability keeps full precision.
  ///
  /// y must be 1 - x. It is passed separately, because the caller may know y to more digits than x.
  static func tails(
    _ x: Double,
    _ y: Double,
    _ a: Double,
    _ b: Double
  ) -> (lower: Double, upper: Double) {
    precondition(a > 0 && b > 0, "the shapes of a beta distribution are positive")
    if x <= 0 { return (0, 1) }
    if y <= 0 { return (1, 0) }
    return tails(x, y, a, b, term: BinomialDensity.value(a, b, x, y) * (a / (a + b)) * b)
  }

  /// Returns the probabilities on both sides of x, given the factor in front of the continued
  /// fraction.
  private static func tails(
    _ x: Double,
    _ y: Double,
    _ a: Double,
    _ b: Double,
    term: Double
  ) -> (lower: Double, upper: Double) {
    // The fraction converges fast only on this side of the mean.
    if x <= (a + 1) / (a + b + 2) {
      let lower = min(1, term * fraction(x, y, a, b))
      return (lower, 1 - lower)
    }
    let upper = min(1, term * fraction(y, x, b, a))
    return (1 - upper, upper)
  }

  /// Returns the value of a continued fraction of the incomplete beta function.
  ///
  /// The fraction is that of DiDonato and Morris (1992), "Significant digit computation of the
  /// incomplete beta function ratios", evaluated from the front (Lentz 1976).
  ///
  /// The fraction is the even part of formula 8.17.22 in the NIST Digital Library of Mathematical
  /// Functions. If x is close to 1, the fraction keeps the digits of y = 1 - x.
  private static func fraction(_ x: Double, _ y: Double, _ a: Double, _ b: Double) -> Double {
    let distance = x < 0.5 ? a - (a + b) * x : (a + b) * y - b
    var value = 1 / notZero(a / (a + 1) * (distance + 1))
    var denominator = value
    var numerator = 1 / 1e-300
    var n = 1.0
    while n < 1e6 {
      let shape = a + 2 * n - 1
      let alpha = (a + n - 1) / shape * ((a + b + n - 1) / shape) * n * (b - n) * x * x
      let beta =
        n + n * (b - n) * x / shape + (a + n) / (shape + 2) * (distance + 1 + n * (1 + y))
      denominator = 1 / notZero(beta + alpha * denominator)
      numerator = notZero(beta + alpha / numerator)
      let change = numerator * denominator
      value *= change
      if abs(change - 1) < 2e-16 { break }
      n += 1
    }
    return value
  }

  private static func notZero(_ x: Double) -> Double { abs(x) < 1e-300 ? 1e-300 : x }

  /// Returns the quantile x and its complement 1 - x, both to full precision.
  ///
  /// `lower` and `upper` must add up to 1.
  static func quantile(
    lower: Double,
    upper: Double,
    _ a: Double,
    _ b: Double
  ) -> (x: Double, y: Double) {
    precondition(a > 0 && b > 0, "the shapes of a beta distribution are positive")
    if lower <= 0 { return (0, 1) }
    if upper <= 0 { return (1, 0) }
    if a == 1 {
      let logarithm = (lower < 0.5 ? log1p(-lower) : log(upper)) / b
      return (-expm1(logarithm), exp(logarithm))
    }
    if b == 1 {
      let logarithm = (upper < 0.5 ? log1p(-upper) : log(lower)) / a
      return (exp(logarithm), -expm1(logarithm))
    }
    // Searches for the smaller of x and 1 - x, by its logarithm.
    guard lower <= tails(0.5, 0.5, a, b).lower else {
      let small = smallQuantile(lower: upper, upper: lower, b, a)
      return (1 - small, small)
    }
    let small = smallQuantile(lower: lower, upper: upper, a, b)
    return (small, 1 - small)
  }

  /// Returns a quantile that is known to be at most one half.
  ///
  /// Uses Newton's method on logarithms, with bisection as a safeguard.
  private static func smallQuantile(
    lower: Double,
    upper: Double,
    _ a: Double,
    _ b: Double
  ) -> Double {
    var least = -745.0
    var most = -log(2.0)
    var place = max(least, min(most, start(lower: lower, upper: upper, a, b)))
    // The smaller tail has more digits.
    let byLower = lower <= upper
    let target = log(byLower ? lower : upper)
    let counts = BinomialDensity.Counts(a, b)
    for _ in 0..<200 {
      let x = exp(place)
      let term = counts.value(x, 1 - x) * (a / (a + b)) * b
      let found = tails(x, 1 - x, a, b, term: term)
      let tail = byLower ? found.lower : found.upper
      // The distance by which the tail exceeds the target; it increases with the position.
      let excess = byLower ? log(tail) - target : target - log(tail)
      if excess == 0 { break }
      if excess > 0 { most = place } else { least = place }
      let step = excess / (term / ((1 - x) * tail))
      // A step squares the error. After a small step, further steps would only follow rounding
      // error.
      if abs(step) < 1e-9 * max(1, abs(place)) { return exp(min(most, max(least, place - step))) }
      place -= step
      if !(place > least && place < most) { place = (least + most) / 2 }
      if most - least < 1e-16 * max(1, abs(place)) { break }
    }
    return exp(place)
  }

  /// Returns an initial guess for the logarithm of a quantile.
  private static func start(
    lower: Double,
    upper: Double,
    _ a: Double,
    _ b: Double
  ) -> Double {
    if a < 1 {
      // Near 0 the probability is x^a / (a · B(a, b)).
      let half = BinomialDensity.log(a, b, 0.5, 0.5) + log(b / (a + b)) + (a + b) * log(2.0)
      return (log(lower) - half) / a
    }
    // The logit is nearly normal.
    let z =
      lower <= upper ? NormalDistribution.quantile(lower) : -NormalDistribution.quantile(upper)
    let odds = log((a - 1.0 / 3) / max(b - 1.0 / 3, b / 2)) + z * (1 / a + 1 / b).squareRoot()
    return odds < 0 ? odds - log1p(exp(odds)) : -log1p(exp(-odds))
  }
}
