/// A weighted sum of means of independent samples.
///
/// The variance of the sum is the total of factor² × s² / n over all samples, where s is the
/// standard deviation and n the size of a sample. Stratified sampling uses the same formula
/// (Cochran 1977, "Sampling Techniques", section 5.4). The interval is by Student's t, with the
/// degrees of freedom of Satterthwaite (1946, "An approximate distribution of estimates of variance
/// components").
package struct SumOfMeans: Hashable, Sendable {
  /// The sum.
  package let value: Double
  /// The standard error of the sum; nil if a sample has a single value.
  package let standardError: Double?
  /// The degrees of freedom of the standard error; nil if there is no standard error, or if no
  /// sample varies.
  package let degreesOfFreedom: Double?

  /// A mean with its factor.
  package struct Term: Hashable, Sendable {
    /// The factor of the mean.
    package var factor: Double
    /// The mean.
    package var mean: Double
    /// The standard error of the mean; nil for a sample of a single value.
    package var standardError: Double?
    /// The number of values, at least 1.
    package var n: Int

    /// Creates a term.
    ///
    /// - Parameters:
    ///   - factor: The factor of the mean.
    ///   - mean: The mean.
    ///   - standardError: The standard error of the mean; nil for a sample of a single value.
    ///   - n: The number of values, at least 1.
    package init(factor: Double, mean: Double, standardError: Double?, n: Int) {
      self.factor = factor
      self.mean = mean
      self.standardError = standardError
      self.n = n
    }
  }

  /// Creates the sum.
  ///
  /// - Parameter terms: The means with their factors.
  package init(_ terms: [Term]) {
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
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends; nil if a sample has a single value, or if no sample varies.
  package func interval(confidence: Double = 0.95) -> Interval? {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    guard let standardError, let degreesOfFreedom else { return nil }
    let half =
      -StudentT.quantile((1 - confidence) / 2, degreesOfFreedom: degreesOfFreedom) * standardError
    return Interval(low: value - half, high: value + half)
  }
}
