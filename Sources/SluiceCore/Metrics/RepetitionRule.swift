import SluiceSupport

extension MetricDefinition.RepetitionRule {
  /// Returns true if a statement holds for the whole, given its truth for the parts; nil without
  /// parts.
  package func holds(_ answers: some Collection<Bool>) -> Bool? {
    holds(yes: answers.count(where: \.self), of: answers.count)
  }

  /// Returns true if a statement holds for the whole, given the number of parts for which it does;
  /// nil without parts.
  func holds(yes: Int, of count: Int) -> Bool? {
    if count == 0 { return nil }
    switch self {
    case .any: return yes > 0
    case .all: return yes == count
    case .majority: return 2 * yes > count
    }
  }
}
