import SluiceSupport

/// The counts of answers by expected and predicted label.
package struct ConfusionMatrix: Hashable, Sendable {
  /// The scorer that determined the labels.
  package var scorer: String
  /// The labels, in the order of the suite.
  package var labels: [String]
  /// For each expected label, the count of each predicted label.
  package var counts: [[Int]]
  /// For each expected label, the count of answers with an unknown label.
  package var invalid: [Int]
  /// For each expected label, the count of abstentions; nil if the scorer does not recognize
  /// abstentions.
  package var abstained: [Int]?

  /// Returns the matrices of the scorers that determine labels.
  package static func all(_ scorers: [BoundScorer], by evaluator: MetricEvaluator) -> [Self] {
    scorers.filter { scorer in
      scorer.traits.metrics.contains {
        if case .perClass = $0.formula { true } else { false }
      }
    }.map { scorer in
      let abstains = scorer.traits.metrics.contains { $0.name == abstentionRate }
      let table = evaluator.table.labels(scorer.name, nil)
      return ConfusionMatrix(table, scorer, abstains: abstains)
    }
  }

  /// The name of the metric that only scorers with abstentions have.
  static let abstentionRate = "abstention-rate"

  private init(_ table: LabelTable, _ scorer: BoundScorer, abstains: Bool) {
    self.scorer = scorer.name
    labels = scorer.traits.classes
    let places = Dictionary(
      labels.enumerated().map { (ExactString($1), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let none = [Int](repeating: 0, count: labels.count)
    counts = Array(repeating: none, count: labels.count)
    invalid = none
    var abstained = none
    for cell in table.cells {
      guard let row = places[ExactString(cell.expected)] else { continue }
      switch cell.given {
      case .label(let label):
        if let column = places[ExactString(label)] { counts[row][column] += cell.count }
      case .invalid: invalid[row] += cell.count
      case .abstained: abstained[row] += cell.count
      }
    }
    self.abstained = abstains ? abstained : nil
  }

  /// The predictions that are not labels, each with one count per expected label.
  package var others: [(name: String, counts: [Int])] {
    [("invalid", invalid)] + (abstained.map { [("abstained", $0)] } ?? [])
  }

  /// The wrong predictions, the most frequent first.
  package var mistakes: [(expected: String, given: String, count: Int)] {
    var pairs: [(expected: String, given: String, count: Int)] = []
    for (row, label) in labels.enumerated() {
      for (column, count) in counts[row].enumerated() where count > 0 && column != row {
        pairs.append((label, labels[column], count))
      }
      for other in others where other.counts[row] > 0 {
        pairs.append((label, other.name, other.counts[row]))
      }
    }
    let order = pairs.indices.sorted { (pairs[$1].count, $0) < (pairs[$0].count, $1) }
    return order.map { pairs[$0] }
  }

  /// True if no answer was counted.
  package var isEmpty: Bool {
    !counts.contains { $0.contains { $0 > 0 } }
      && others.allSatisfy { $0.counts.allSatisfy { $0 == 0 } }
  }
}
