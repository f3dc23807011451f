/// The estimate of a true rate from the judgments of an imperfect judge (Rogan & Gladen 1978,
/// "Estimating prevalence from the results of a screening test").
package struct RoganGladen: Hashable, Sendable {
  /// The estimate of the rate, which may lie outside of 0 to 1.
  package let estimate: Double
  /// The standard error of the estimate, by the delta method.
  package let standardError: Double

  /// The minimum sum of sensitivity and specificity at which a correction is useful.
  ///
  /// Below this sum, the correction inflates the errors of its inputs. Callers should refuse such a
  /// judge.
  package static let leastSum = 1.3

  /// Returns the estimate of a rate for a judge with known errors.
  ///
  /// - Parameters:
  ///   - observed: The share that the judge calls positive, from 0 to 1.
  ///   - sensitivity: The share of positives that the judge calls positive, from 0 to 1.
  ///   - specificity: The share of negatives that the judge calls negative, from 0 to 1.
  /// - Returns: The estimate, which may lie outside of 0 to 1. Nil if sensitivity and specificity
  ///   add up to exactly 1, as for a coin toss, because the judgments then contain no information.
  package static func rate(
    observed: Double,
    sensitivity: Double,
    specificity: Double
  ) -> Double? {
    for share in [observed, sensitivity, specificity] {
      precondition(share >= 0 && share <= 1, "a share lies between 0 and 1")
    }
    let informedness = sensitivity + specificity - 1
    // The sum of two decimal fractions is rounded, so the difference may not be exactly 0.
    guard abs(informedness) > 1e-12 else { return nil }
    return (observed - (1 - specificity)) / informedness
  }

  /// Corrects a rate for the errors of a judge that was compared with people.
  ///
  /// Nil if a total is 0, or if sensitivity and specificity add up to exactly 1.
  ///
  /// - Parameters:
  ///   - judged: The number of items that the judge called positive, and the total.
  ///   - positives: Of the items that people labeled positive, the number that the judge called
  ///     positive, and the total.
  ///   - negatives: Of the items that people labeled negative, the number that the judge called
  ///     negative, and the total.
  package init?(
    judged: (positive: Int, n: Int),
    positives: (found: Int, n: Int),
    negatives: (found: Int, n: Int)
  ) {
    let counts = [
      (judged.positive, judged.n), (positives.found, positives.n), (negatives.found, negatives.n),
    ]
    precondition(counts.allSatisfy { $0 >= 0 && $0 <= $1 }, "shares need 0 ≤ count ≤ n")
    guard counts.allSatisfy({ $1 > 0 }) else { return nil }
    let shares = counts.map { Double($0) / Double($1) }
    guard
      let estimate = Self.rate(
        observed: shares[0],
        sensitivity: shares[1],
        specificity: shares[2]
      )
    else { return nil }
    let variances = zip(shares, counts).map { $0 * (1 - $0) / Double($1.1) }
    let variance =
      variances[0] + estimate * estimate * variances[1]
      + (1 - estimate) * (1 - estimate) * variances[2]
    self.estimate = estimate
    standardError = variance.squareRoot() / abs(shares[1] + shares[2] - 1)
  }

  /// Returns the two-sided confidence interval by the normal approximation.
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends, which may lie outside of 0 to 1.
  package func interval(confidence: Double = 0.95) -> Interval {
    let half = NormalDistribution.criticalValue(confidence: confidence) * standardError
    return Interval(low: estimate - half, high: estimate + half)
  }
}
