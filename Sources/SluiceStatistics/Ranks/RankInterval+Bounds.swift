extension RankInterval {
  /// Returns the one-sided bounds of a percentile, each at the given confidence.
  ///
  /// - Parameters:
  ///   - percent: The percentile, between 0 and 100.
  ///   - sorted: The sample, sorted, at least one value.
  ///   - units: The equivalent number of independent measurements, from 1 to the number of values.
  ///   - confidence: The minimum confidence level of each bound, between 0 and 1.
  /// - Returns: Two values of the sample. If the sample is too small for one of the bounds, that
  ///   bound is infinite.
  package static func bounds(
    _ percent: Double,
    sorted: [Double],
    units: Int,
    confidence: Double
  ) -> Interval {
    let low = lowerBoundRank(of: percent, n: units, confidence: confidence)
    let high = upperBoundRank(of: percent, n: units, confidence: confidence)
    return Interval(
      low: low.map { sorted[($0 - 1) * sorted.count / units] } ?? -.infinity,
      high: high.map { sorted[($0 * sorted.count + units - 1) / units - 1] } ?? .infinity
    )
  }
}
