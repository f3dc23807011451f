/// The variance of a suite's scores between cases and between the repetitions of a case.
///
/// This is an analysis of variance with cases as random groups (Fisher 1925).
package struct RepeatVariance: Hashable, Sendable {
  /// The number of cases, at least 1.
  package let cases: Int
  /// The number of repetitions of each case, at least 1.
  package let repeats: Int
  /// The mean of all scores.
  package let mean: Double
  /// The number of repetitions times the variance of the cases' means; nil for one case.
  package let betweenMeanSquare: Double?
  /// The mean of the variances within cases; nil for one repetition.
  package let withinMeanSquare: Double?

  /// Decomposes the variance of scores; nil if there are no scores.
  ///
  /// - Parameter scores: The scores of each case, the same number for each.
  package init?(_ scores: [[Double]]) {
    guard let repeats = scores.first?.count, repeats > 0 else { return nil }
    precondition(scores.allSatisfy { $0.count == repeats }, "cases must have equally many scores")
    let estimates = scores.compactMap(MeanEstimate.init)
    guard let whole = MeanEstimate(estimates.map(\.mean)) else { return nil }
    cases = scores.count
    self.repeats = repeats
    mean = whole.mean
    betweenMeanSquare = whole.variance.map { Double(repeats) * $0 }
    withinMeanSquare =
      repeats > 1
      ? estimates.reduce(0) { $0 + ($1.variance ?? 0) } / Double(scores.count) : nil
  }

  /// Decomposes the variance of passes and failures; nil if there are no cases.
  ///
  /// - Parameters:
  ///   - passes: For each case, the number of its repetitions that passed, from 0 to `repeats`.
  ///   - repeats: The number of repetitions of each case, at least 1.
  package init?(passes: [Int], repeats: Int) {
    precondition(repeats > 0, "a case is run at least once")
    precondition(passes.allSatisfy { (0...repeats).contains($0) }, "passes must be 0 to \(repeats)")
    guard let whole = MeanEstimate(passes.map { Double($0) / Double(repeats) }) else { return nil }
    cases = passes.count
    self.repeats = repeats
    mean = whole.mean
    betweenMeanSquare = whole.variance.map { Double(repeats) * $0 }
    // For ones and zeros, the variance is half the probability that two values differ.
    withinMeanSquare =
      repeats > 1
      ? passes.reduce(0) { $0 + (PassAtK.flipRate(passes: $1, of: repeats) ?? 0) }
        / Double(2 * passes.count) : nil
  }

  /// The variance of the cases' true means; nil for one case, and for one repetition.
  ///
  /// The variance is computed as a difference, so it is negative if the cases differ less than
  /// expected by chance.
  package var betweenVariance: Double? {
    guard let betweenMeanSquare, let withinMeanSquare else { return nil }
    return (betweenMeanSquare - withinMeanSquare) / Double(repeats)
  }

  /// The variance of the repetitions of a case; nil for one repetition.
  package var withinVariance: Double? { withinMeanSquare }

  /// The share of the variance that lies between cases; nil if it is unknown or all scores are
  /// equal.
  package var intraclassCorrelation: Double? {
    guard let betweenVariance, let withinVariance, betweenVariance + withinVariance > 0 else {
      return nil
    }
    return betweenVariance / (betweenVariance + withinVariance)
  }

  /// The standard error of the mean, computed from the cases' means; nil for one case.
  package var standardError: Double? {
    betweenMeanSquare.map { ($0 / Double(cases * repeats)).squareRoot() }
  }

  /// Returns the standard error that another number of repetitions would give.
  ///
  /// - Parameter repeats: The number of repetitions, above 0; infinity for the limit.
  /// - Returns: The standard error for the same number of cases, or nil if there is only one case
  ///   or one repetition.
  package func standardError(repeats: Double) -> Double? {
    precondition(repeats > 0, "a case is run at least once")
    guard let betweenVariance, let withinVariance else { return nil }
    return (max(0, betweenVariance + withinVariance / repeats) / Double(cases)).squareRoot()
  }
}
