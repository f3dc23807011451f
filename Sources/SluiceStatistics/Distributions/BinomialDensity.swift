import SluiceSystem

/// The term `Γ(x+y+1) / (Γ(x+1) Γ(y+1)) · p^x · q^y` for real x and y, the basis of binomial, beta,
/// hypergeometric and t probabilities.
///
/// Uses the saddle-point expansion of Loader (2000), "Fast and accurate computation of binomial
/// probabilities". The expansion avoids differences of large log-gammas, so the term keeps its
/// precision for counts of millions. The C library's `lgamma` is also unsuitable because it writes
/// to a global variable.
enum BinomialDensity {
  /// Returns the logarithm of the binomial term of x, y, p and q.
  ///
  /// None of the four numbers may be negative, and p + q must be 1.
  static func log(_ x: Double, _ y: Double, _ p: Double, _ q: Double) -> Double {
    let n = x + y
    if x == 0 { return power(n, q, complement: p) }
    if y == 0 { return power(n, p, complement: q) }
    if p == 0 || q == 0 { return -.infinity }
    return exponent(x, y, p, q) + logarithm(n / (2 * .pi * x * y)) / 2
  }

  /// Returns the binomial term of x, y, p and q.
  ///
  /// None of the four numbers may be negative, and p + q must be 1.
  static func value(_ x: Double, _ y: Double, _ p: Double, _ q: Double) -> Double {
    let n = x + y
    if x == 0 { return exp(power(n, q, complement: p)) }
    if y == 0 { return exp(power(n, p, complement: q)) }
    return Counts(x, y).value(p, q)
  }

  /// The x and y of a term, both above 0, with the factors that do not depend on p.
  struct Counts {
    private let x: Double
    private let y: Double
    private let remainder: Double
    private let factor: Double

    init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
      let n = x + y
      remainder = stirlingRemainder(n) - stirlingRemainder(x) - stirlingRemainder(y)
      factor = (n / (2 * .pi * x * y)).squareRoot()
    }

    /// Returns the binomial term of these counts with p and q.
    ///
    /// Neither p nor q may be negative, and p + q must be 1.
    func value(_ p: Double, _ q: Double) -> Double {
      if p == 0 || q == 0 { return 0 }
      let n = x + y
      return exp(remainder - deviance(x, n * p) - deviance(y, n * q)) * factor
    }
  }

  /// Returns `n · log p`, to full precision for a p close to 1.
  private static func power(_ n: Double, _ p: Double, complement q: Double) -> Double {
    n == 0 ? 0 : n * (q < 0.5 ? log1p(-q) : logarithm(p))
  }

  private static func exponent(_ x: Double, _ y: Double, _ p: Double, _ q: Double) -> Double {
    let n = x + y
    return stirlingRemainder(n) - stirlingRemainder(x) - stirlingRemainder(y)
      - deviance(x, n * p) - deviance(y, n * q)
  }

  /// Returns `x · log(x / mean) + mean - x`, to full precision even if x is close to the mean.
  static func deviance(_ x: Double, _ mean: Double) -> Double {
    let difference = x - mean
    guard abs(difference) < 0.3 * (x + mean) else {
      return x == 0 ? mean : x * logarithm(x / mean) - difference
    }
    // log(x / mean) = 2 · artanh(ratio), by its power series.
    let ratio = difference / (x + mean)
    let square = ratio * ratio
    var sum = difference * ratio
    var term = 2 * x * ratio
    var divisor = 1.0
    while true {
      term *= square
      divisor += 2
      let next = sum + term / divisor
      if next == sum { return sum }
      sum = next
    }
  }

  /// Returns the remainder of Stirling's formula:
  /// `log Γ(x+1) - (x + 1/2) · log x + x - log(2π) / 2`.
  static func stirlingRemainder(_ x: Double) -> Double {
    if x < 16, let index = Int(exactly: x) { return remaindersOfIntegers[index] }
    return remainder(x)
  }

  /// The remainders of 0 to 15; the remainder of 0 is infinite and never used.
  private static let remaindersOfIntegers = [.infinity] + (1..<16).map { remainder(Double($0)) }

  private static func remainder(_ x: Double) -> Double {
    // From x to x + 1, the remainder falls by (x + 1/2) · log(1 + 1/x) - 1. From x = 10 on, the
    // asymptotic series has full precision.
    var fall = 0.0
    var x = x
    while x < 10 {
      fall += x < 1 ? (x + 0.5) * log1p(1 / x) - 1 : fallFromOne(x)
      x += 1
    }
    let square = 1 / (x * x)
    var series = -3617.0 / 122_400
    for coefficient in coefficients { series = series * square + coefficient }
    return fall + series / x
  }

  /// B(2k) / (2k (2k - 1)), with the Bernoulli numbers B, from k = 7 down to 1.
  private static let coefficients: [Double] = [
    1.0 / 156, -691.0 / 360_360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12,
  ]

  /// `(x + 1/2) · log(1 + 1/x) - 1` by the power series in 1 / (2x + 1).
  private static func fallFromOne(_ x: Double) -> Double {
    let square = 1 / ((2 * x + 1) * (2 * x + 1))
    var power = square
    var divisor = 3.0
    var sum = 0.0
    while true {
      let next = sum + power / divisor
      if next == sum { return sum }
      sum = next
      power *= square
      divisor += 2
    }
  }
}

/// Returns the natural logarithm, under a name that no member of a type hides.
private func logarithm(_ x: Double) -> Double { log(x) }
