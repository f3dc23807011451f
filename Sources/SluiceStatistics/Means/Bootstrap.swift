/// Bootstrap intervals for the mean of a sample (Efron 1979), reproducible from a seed.
///
/// Do not use these intervals for small samples with many ties. If all values are 0 because no case
/// happened to change, the interval is the point 0, whatever the sample size.
package struct Bootstrap: Sendable {
  /// The mean of the sample.
  package let mean: Double
  /// The means of the resamples, sorted.
  private let means: [Double]
  private let values: [Double]

  /// Draws resamples; nil for an empty sample.
  ///
  /// - Parameters:
  ///   - values: The sample; for paired comparisons, the differences.
  ///   - seed: The seed of the resampling.
  ///   - resamples: The number of resamples, at least 1.
  package init?(_ values: [Double], seed: UInt64 = 0, resamples: Int = 10_000) {
    precondition(resamples > 0, "there must be at least one resample")
    guard !values.isEmpty else { return nil }
    self.values = values
    let n = values.count
    mean = values.reduce(0, +) / Double(n)
    var generator = SeededGenerator(seed: seed)
    means = values.withUnsafeBufferPointer { values in
      (0..<resamples).map { _ in
        var sum = 0.0
        for _ in 0..<n { sum += values[generator.uniform(below: n)] }
        return sum / Double(n)
      }
    }.sorted()
  }

  /// Returns the interval between two percentiles of the resamples' means.
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends.
  package func percentileInterval(confidence: Double = 0.95) -> Interval {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    let tail = (1 - confidence) / 2
    return Interval(low: quantile(tail), high: quantile(1 - tail))
  }

  /// Returns the interval corrected for bias and skewness (Efron 1987, "Better bootstrap confidence
  /// intervals").
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends, or nil if all values are equal.
  package func correctedInterval(confidence: Double = 0.95) -> Interval? {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    // Rounding can make equal means differ.
    let tolerance = 1e-12 * values.reduce(0) { max($0, abs($1)) }
    let below = means.count { $0 < mean - tolerance }
    let above = means.count { $0 > mean + tolerance }
    let ties = means.count - below - above
    let share = (Double(below) + Double(ties) / 2) / Double(means.count)
    // Leaving out the i-th value changes the mean by (mean - value) / (n - 1). The divisor cancels.
    var (squares, cubes) = (0.0, 0.0)
    for value in values {
      let distance = value - mean
      squares += distance * distance
      cubes += distance * distance * distance
    }
    guard share > 0, share < 1, squares > Double(values.count) * tolerance * tolerance else {
      return nil
    }
    let bias = NormalDistribution.quantile(share)
    let acceleration = cubes / (6 * squares * squares.squareRoot())
    func end(_ z: Double) -> Double? {
      let scale = 1 - acceleration * (bias + z)
      guard scale > 0 else { return nil }
      return quantile(NormalDistribution.cumulative(bias + (bias + z) / scale))
    }
    let z = NormalDistribution.criticalValue(confidence: confidence)
    guard let low = end(-z), let high = end(z) else { return nil }
    return Interval(low: low, high: high)
  }

  private func quantile(_ share: Double) -> Double {
    let place = Double(means.count - 1) * share
    let index = min(Int(place), means.count - 1)
    let next = min(index + 1, means.count - 1)
    return means[index] + (place - Double(index)) * (means[next] - means[index])
  }
}
