/// The mean rating of items, corrected for the errors of a judge.
///
/// The judge rated all items, and people rated a few of the items.
///
/// From Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, "Prediction-powered inference".
package struct PredictionPoweredMean: Hashable, Sendable {
  /// The corrected mean.
  package let estimate: Double
  /// The standard error of the corrected mean.
  package let standardError: Double
  /// The weight of the judge, from 0 (ignored) to 1 (full).
  package let weight: Double

  /// Corrects the mean of a judge; nil if any of the three lists is empty, or if `human` and
  /// `judged` differ in length.
  ///
  /// - Parameters:
  ///   - human: The ratings by people.
  ///   - judged: The judge's ratings of the same items, in the same order.
  ///   - unlabelled: The judge's ratings of items that no person rated.
  ///   - isTuned: True to give the judge the weight that minimizes the error (PPI++, Angelopoulos,
  ///     Duchi & Zrnic 2023), false for full weight.
  package init?(human: [Double], judged: [Double], unlabelled: [Double], isTuned: Bool) {
    guard !human.isEmpty, human.count == judged.count, !unlabelled.isEmpty else { return nil }
    let (n, rest) = (Double(human.count), Double(unlabelled.count))
    weight = isTuned ? Self.tunedWeight(human, judged, unlabelled) : 1
    let weight = weight
    let corrections = zip(human, judged).map { $0 - weight * $1 }
    estimate = weight * Self.mean(unlabelled) + Self.mean(corrections)
    standardError =
      (weight * weight * Self.variance(unlabelled) / rest + Self.variance(corrections) / n)
      .squareRoot()
  }

  /// Returns the two-sided confidence interval by the normal approximation.
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends, which may lie beyond the range of the ratings.
  package func interval(confidence: Double = 0.95) -> Interval {
    let half = NormalDistribution.criticalValue(confidence: confidence) * standardError
    return Interval(low: estimate - half, high: estimate + half)
  }

  /// Returns the weight that minimizes the error, between 0 and 1; 0 if the judge gives all items
  /// the same rating.
  private static func tunedWeight(_ human: [Double], _ judged: [Double], _ unlabelled: [Double])
    -> Double
  {
    let (humanMean, judgedMean) = (mean(human), mean(judged))
    let products = zip(human, judged).map { ($0 - humanMean) * ($1 - judgedMean) }
    let all = judged + unlabelled
    let spread = variance(all) * Double(all.count) / Double(all.count - 1)
    guard spread > 0 else { return 0 }
    let ratio = Double(human.count) / Double(unlabelled.count)
    return max(0, min(1, mean(products) / ((1 + ratio) * spread)))
  }

  private static func mean(_ numbers: [Double]) -> Double {
    numbers.reduce(0, +) / Double(numbers.count)
  }

  /// Returns the mean squared distance from the mean.
  private static func variance(_ numbers: [Double]) -> Double {
    let mean = mean(numbers)
    return self.mean(numbers.map { ($0 - mean) * ($0 - mean) })
  }
}
