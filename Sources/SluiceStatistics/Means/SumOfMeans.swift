/// A sum of means of independent samples, each times a fixed factor.
///
/// Its variance is the sum of factor² × s² / n, as that of an estimate from strata is (Cochran 1977,
/// "Sampling Techniques", section 5.4); its interval is Student's with the degrees of freedom of
/// Satterthwaite (1946, "An approximate distribution of estimates of variance components").
public struct SumOfMeans: Hashable, Sendable {
  /// The sum.
  public let value: Double
  /// The standard error of the sum; nil where a sample of a single value leaves it open.
  public let standardError: Double?
  /// The degrees of freedom of the standard error; nil without one, or where no sample varies.
  public let degreesOfFreedom: Double?

  /// A mean with its factor.
  public struct Term: Hashable, Sendable {
    /// What the mean is multiplied by.
    public var factor: Double
    /// The mean.
    public var mean: Double
    /// Its standard error; nil for a sample of a single value.
    public var standardError: Double?
    /// How many values there are, at least 1.
    public var n: Int

    /// Creates a term.
    ///
    /// - Parameters:
    ///   - factor: What the mean is multiplied by.
    ///   - mean: The mean.
    ///   - standardError: Its standard error; nil for a sample of a single value.
    ///   - n: How many values there are, at least 1.
    public init(factor: Double, mean: Double, standardError: Double?, n: Int) {
      self.factor = factor
      self.mean = mean
      self.standardError = standardError
      self.n = n
    }
  }

  /// Creates the sum.
  ///
  /// - Parameter terms: The means with their factors.
  public init(_ terms: [Term]) {
    value = terms.reduce(0) { $0 + $1.factor * $1.mean }
    var (variance, spread) = (0.0, 0.0)
    for term in terms {
      guard let error = term.standardError, term.n > 1 else {
        (standardError, degreesOfFreedom) = (nil, nil)
        return
      }
      let part = term.factor * error * term.factor * error
      variance += part
      spread += part * part / Double(term.n - 1)
    }
    standardError = variance.squareRoot()
    degreesOfFreedom = spread > 0 ? variance * variance / spread : nil
  }

  /// Returns the two-sided confidence interval.
  ///
  /// - Parameter confidence: How often such an interval holds the true sum; between 0 and 1.
  /// - Returns: Both ends; nil where a sample of a single value leaves them open, or no sample varies.
  public func interval(confidence: Double = 0.95) -> Interval? {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    guard let standardError, let degreesOfFreedom else { return nil }
    let half =
      -StudentT.quantile((1 - confidence) / 2, degreesOfFreedom: degreesOfFreedom) * standardError
    return Interval(low: value - half, high: value + half)
  }
}
