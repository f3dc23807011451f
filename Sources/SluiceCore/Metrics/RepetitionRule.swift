import SluiceSupport

extension MetricDefinition.RepetitionRule {
  /// Returns true if a statement holds for a case.
  ///
  /// - Parameter answers: For each repeat, true if the statement holds.
  /// - Returns: True if the statement holds for the case; nil if there are no repeats.
  package func holds(_ answers: some Collection<Bool>) -> Bool? {
    holds(yes: answers.count(where: \.self), of: answers.count)
  }

  /// Returns true if a statement holds for a case.
  ///
  /// - Parameters:
  ///   - yes: The number of repeats for which the statement holds.
  ///   - count: The number of repeats.
  /// - Returns: True if the statement holds for the case; nil if there are no repeats.
  func holds(yes: Int, of count: Int) -> Bool? {
    if count == 0 { return nil }
    switch self {
    case .any: return yes > 0
    case .all: return yes == count
    case .majority: return 2 * yes > count
    }
  }
}
