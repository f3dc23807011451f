/// The score of forecasts of Brier (1950), "Verification of forecasts expressed in terms of
/// probability".
public enum Brier {
  /// Returns the mean squared distance of probabilities from what came.
  ///
  /// - Parameters:
  ///   - probabilities: The probabilities that something comes, each from 0 to 1.
  ///   - outcomes: Whether it came.
  /// - Returns: The score, from 0 for certainty that was right to 1, or nil without forecasts.
  public static func score(probabilities: [Double], outcomes: [Bool]) -> Double? {
    precondition(probabilities.count == outcomes.count, "each forecast has an outcome")
    precondition(
      probabilities.allSatisfy { $0 >= 0 && $0 <= 1 },
      "a probability lies between 0 and 1"
    )
    guard !probabilities.isEmpty else { return nil }
    let sum = zip(probabilities, outcomes).reduce(0.0) {
      let distance = $1.0 - ($1.1 ? 1 : 0)
      return $0 + distance * distance
    }
    return sum / Double(probabilities.count)
  }
}
