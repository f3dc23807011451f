/// The mean of a sample, with its standard error and Student's t inference about the true mean.
///
/// For paired comparisons, the values are the differences of the cases, candidate minus baseline.
/// With repetitions, the values are the means of the cases, not the single trials (Miller 2024,
/// "Adding error bars to evals").
package struct MeanEstimate: Hashable, Sendable {
  /// The number of values, at least 1.
  package let n: Int
  /// The mean of the values.
  package let mean: Double
  /// The sum of squared distances from the mean.
  private let squares: Double

  /// Creates the estimate of a sample's mean; nil for an empty sample.
  ///
  /// - Parameter values: The sample.
  package init?(_ values: [Double]) {
    guard let first = values.first else { return nil }
    n = values.count
    // Equal values have no spread, despite the rounding of their mean.
    guard values.contains(where: { $0 != first }) else {
      mean = first
      squares = 0
      return
    }
    let mean = values.reduce(0, +) / Double(values.count)
    self.mean = mean
    squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// Creates the estimate of a mean difference, candidate minus baseline; nil if there are no
  /// cases.
  ///
  /// - Parameters:
  ///   - baseline: The values of the baseline.
  ///   - candidate: The values of the candidate, for the same cases in the same order.
  package init?(baseline: [Double], candidate: [Double]) {
    precondition(baseline.count == candidate.count, "both sides must have equally many values")
    self.init(zip(baseline, candidate).map { $1 - $0 })
  }

  /// The variance of the values, with n - 1 in the denominator; nil for a single value.
  package var variance: Double? { n > 1 ? squares / Double(n - 1) : nil }

  /// The standard error of the mean; nil for a single value.
  package var standardError: Double? { variance.map { ($0 / Double(n)).squareRoot() } }

  /// Returns the two-sided confidence interval for the true mean, by Student's t.
  ///
  /// If all values are equal, the interval is a point, which claims more certainty than such a
  /// sample has.
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends, or nil for a single value.
  package func interval(confidence: Double = 0.95) -> Interval? {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    guard let standardError else { return nil }
    let half =
      -StudentT.quantile((1 - confidence) / 2, degreesOfFreedom: Double(n - 1)) * standardError
    return Interval(low: mean - half, high: mean + half)
  }

  /// Returns the two-sided p-value of the hypothesis that the true mean equals `supposed`, by
  /// Student's t.
  ///
  /// - Parameter supposed: The hypothetical mean.
  /// - Returns: The p-value, or nil for a single value or equal values.
  package func twoSidedP(against supposed: Double = 0) -> Double? {
    guard let standardError, standardError > 0 else { return nil }
    return StudentT.twoSidedP(
      (mean - supposed) / standardError,
      degreesOfFreedom: Double(n - 1)
    )
  }

  /// Returns the one-sided p-value of the hypothesis that the true mean is at least a bound.
  ///
  /// - Parameter bound: The bound.
  /// - Returns: The p-value, or nil for a single value or equal values.
  package func oneSidedP(ofAtLeast bound: Double = 0) -> Double? {
    guard let standardError, standardError > 0 else { return nil }
    return StudentT.cumulative(
      (mean - bound) / standardError,
      degreesOfFreedom: Double(n - 1)
    )
  }
}
