/// The receiver operating characteristic: the power of scores to separate two outcomes.
package enum ROCCurve {
  /// Returns the area under the curve of true against false positives (Mann & Whitney 1947; Bamber
  /// 1975).
  ///
  /// The area is the probability that a positive has a higher score than a negative; a tie counts
  /// as one half.
  ///
  /// - Parameters:
  ///   - scores: The scores.
  ///   - outcomes: True for each positive, in the same order.
  /// - Returns: The area, from 0 to 1, or nil if all outcomes are the same.
  package static func area(scores: [Double], outcomes: [Bool]) -> Double? {
    precondition(scores.count == outcomes.count, "each score has an outcome")
    let positives = Double(outcomes.count { $0 })
    let negatives = Double(outcomes.count) - positives
    guard positives > 0, negatives > 0 else { return nil }
    let ranks = Correlation.ranks(scores)
    let sum = zip(ranks, outcomes).reduce(0) { $0 + ($1.1 ? $1.0 : 0) }
    return (sum - positives * (positives + 1) / 2) / (positives * negatives)
  }
}
