import SluiceSystem

/// Percentiles of samples.
package enum Percentile {
  /// Returns a percentile by linear interpolation between order statistics (type 7 of Hyndman and
  /// Fan 1996).
  ///
  /// - Parameters:
  ///   - percent: The percentile, from 0 to 100.
  ///   - values: The sample, in any order.
  /// - Returns: The percentile, or nil for an empty sample.
  package static func of(_ percent: Double, in values: [Double]) -> Double? {
    of(percent, sorted: values.sorted())
  }

  /// Returns a percentile of a sorted sample.
  package static func of(_ percent: Double, sorted: [Double]) -> Double? {
    guard let last = sorted.indices.last else { return nil }
    let place = Double(last) * min(max(percent, 0), 100) / 100
    let index = Int(place)
    guard index < last else { return sorted[last] }
    return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
  }

  /// Returns a percentile of weighted values; equal weights give the unweighted percentile.
  package static func of(_ percent: Double, weighted values: [(value: Double, weight: Double)])
    -> Double?
  {
    let sorted = values.sorted { $0.value < $1.value }
    guard let last = sorted.last else { return nil }
    let reach = sorted.dropLast().reduce(0) { $0 + $1.weight }
    let place = reach * min(max(percent, 0), 100) / 100
    var before = 0.0
    for (one, next) in zip(sorted, sorted.dropFirst()) {
      if place < before + one.weight {
        return one.value + (place - before) / one.weight * (next.value - one.value)
      }
      before += one.weight
    }
    return last.value
  }

  /// Returns the smallest sample size at which the largest value is an upper bound for a
  /// percentile.
  ///
  /// In a smaller sample, even the largest value lies below the percentile too often. At a
  /// confidence of 95%, "too often" means that `(percent / 100)^n` exceeds 5%. By symmetry, the
  /// same size applies to a lower bound at `100 - percent`.
  ///
  /// - Parameters:
  ///   - percent: The percentile, between 0 and 100, both excluded.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: The size; at 95%, it is 5 for the median and 59 for the 95th percentile.
  package static func leastSample(bounding percent: Double, confidence: Double = 0.95) -> Int {
    // Very close to 100, the size exceeds any integer.
    Int(exactly: (log(1 - confidence) / log(percent / 100)).rounded(.up)) ?? .max
  }
}
