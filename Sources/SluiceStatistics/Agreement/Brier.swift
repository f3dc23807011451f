/// The Brier score of probability forecasts (Brier 1950, "Verification of forecasts expressed in
/// terms of probability").
package enum Brier {
  /// Returns the mean squared distance between the forecast probabilities and the outcomes.
  ///
  /// - Parameters:
  ///   - probabilities: The predicted probabilities of the event, each from 0 to 1.
  ///   - outcomes: True for each event that occurred, in the same order.
  /// - Returns: The score, from 0 (certain and always right) to 1 (certain and always wrong); nil
  ///   if there are no forecasts.
  package static func score(probabilities: [Double], outcomes: [Bool]) -> Double? {
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
