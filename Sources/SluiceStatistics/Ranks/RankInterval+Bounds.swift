extension RankInterval {
  /// Returns the one-sided bounds of a percentile, each at a confidence.
  ///
  /// - Parameters:
  ///   - percent: Which percentile, between 0 and 100.
  ///   - sorted: The sample, sorted, at least one value.
  ///   - units: How many independent measurements the sample is worth, from 1 to the number of values.
  ///   - confidence: How often each bound is right, at least; between 0 and 1.
  /// - Returns: Two values of the sample; an end is infinite where the sample is too small for it.
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
