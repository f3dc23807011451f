/// A mean of which people judged few things and a judge all, corrected for how the judge errs.
///
/// Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, "Prediction-powered inference".
public struct PredictionPoweredMean: Hashable, Sendable {
  /// The corrected mean.
  public let estimate: Double
  /// Its standard error.
  public let standardError: Double
  /// How much the judge counts, from 0 (not at all) to 1 (as it stands).
  public let weight: Double

  /// Corrects the mean of a judge; nil where either list is empty, or the judged ones differ in length.
  ///
  /// - Parameters:
  ///   - human: What people said.
  ///   - judged: What the judge said of the same things, in the same order.
  ///   - unlabelled: What the judge said of things that no person judged.
  ///   - isTuned: Whether the judge counts as much as makes the error smallest (PPI++, Angelopoulos,
  ///     Duchi & Zrnic 2023), else as it stands.
  public init?(human: [Double], judged: [Double], unlabelled: [Double], isTuned: Bool) {
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

  /// Returns the two-sided confidence interval by the normal distribution.
  ///
  /// - Parameter confidence: How often such an interval holds the true mean; between 0 and 1.
  /// - Returns: Both ends, which may lie beyond the range of the numbers.
  public func interval(confidence: Double = 0.95) -> Interval {
    let half = NormalDistribution.criticalValue(confidence: confidence) * standardError
    return Interval(low: estimate - half, high: estimate + half)
  }

  /// The weight that makes the error smallest, between 0 and 1; 0 for a judge who says the same of
  /// everything.
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

  /// The mean squared distance from the mean.
  private static func variance(_ numbers: [Double]) -> Double {
    let mean = mean(numbers)
    return self.mean(numbers.map { ($0 - mean) * ($0 - mean) })
  }
}
