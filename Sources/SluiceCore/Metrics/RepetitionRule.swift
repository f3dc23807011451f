import SluiceSupport

extension MetricDefinition.RepetitionRule {
  /// Returns true if a statement holds for several repeats taken together, given whether the
  /// statement holds for each of them; nil if there are no repeats.
  package func holds(_ answers: some Collection<Bool>) -> Bool? {
    holds(yes: answers.count(where: \.self), of: answers.count)
  }

  /// Returns true if a statement holds for several repeats taken together, given the number of
  /// repeats for which the statement holds; nil if there are no repeats.
  func holds(yes: Int, of count: Int) -> Bool? {
    if count == 0 { return nil }
    switch self {
    case .any: return yes > 0
    case .all: return yes == count
    case .majority: return 2 * yes > count
    }
  }
}
