import SluiceGating

/// A pattern of passing and failing configurations, with the cases that have it.
struct CasePattern {
  /// A sign for each configuration: `✓`, `✗`, or `?` if it has no judged answer.
  var signs: [String]
  var ids: [String]

  /// Returns the patterns of the cases on which configurations disagree, the most frequent first.
  static func all(_ comparison: ConfigurationComparison) -> [CasePattern] {
    var patterns: [CasePattern] = []
    var places: [[String]: Int] = [:]
    for entry in comparison.disagreements {
      let signs = entry.outcomes.map(sign)
      let place = places[signs] ?? patterns.count
      if place == patterns.count {
        patterns.append(CasePattern(signs: signs, ids: []))
        places[signs] = place
      }
      patterns[place].ids.append(entry.caseID)
    }
    return patterns.enumerated().sorted {
      ($1.element.ids.count, $0.offset) < ($0.element.ids.count, $1.offset)
    }.map(\.element)
  }

  private static func sign(_ outcome: Trial.Outcome?) -> String {
    switch outcome {
    case .passed: "✓"
    case .failed: "✗"
    case .unjudged, .lost, nil: "?"
    }
  }
}
