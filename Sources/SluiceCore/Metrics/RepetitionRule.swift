import SluiceSupport

extension MetricDefinition.RepetitionRule {
  /// Returns true if a statement holds for a whole, given whether it holds for each part; nil if
  /// there are no parts.
  package func holds(_ answers: some Collection<Bool>) -> Bool? {
    holds(yes: answers.count(where: \.self), of: answers.count)
  }

  /// Returns true if a statement holds for a whole, given the number of parts for which it holds;
  /// nil if there are no parts.
  func holds(yes: Int, of count: Int) -> Bool? {
    if count == 0 { return nil }
    switch self {
    case .any: return yes > 0
    case .all: return yes == count
    case .majority: return 2 * yes > count
    }
  }
}
