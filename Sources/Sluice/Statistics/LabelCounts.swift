/// How often each label was expected and given: a confusion matrix with a column for no label.
package struct LabelCounts: Hashable, Sendable {
  /// The labels that were expected or given, sorted.
  package private(set) var labels: [String] = []
  /// How often a label was given where another was expected; nil stands for an invalid one.
  private var counts: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var expected: String
    var predicted: String?
  }

  init(_ scores: [Score]) {
    for score in scores {
      guard let expected = score.measurements[MetricDefinition.expectedLabel]?.string else {
        continue
      }
      let predicted = score.measurements[MetricDefinition.predictedLabel]?.string
      counts[Pair(expected: expected, predicted: predicted), default: 0] += 1
    }
    labels = Set(counts.keys.flatMap { [$0.expected] + ($0.predicted.map { [$0] } ?? []) }).sorted()
  }

  /// How often a label was given where another was expected.
  package func count(expected: String, predicted: String?) -> Int {
    counts[Pair(expected: expected, predicted: predicted)] ?? 0
  }

  private func total(_ condition: (Pair) -> Bool) -> Int {
    counts.reduce(0) { $0 + (condition($1.key) ? $1.value : 0) }
  }

  /// Precision, recall or F1 of a class; without one the unweighted mean over all classes, in which
  /// a class whose statistic is undefined counts as 0, as scikit-learn does.
  func estimate(_ statistic: MetricDefinition.ClassStatistic, of label: String?) -> Estimate {
    if let label { return single(statistic, label) }
    let all = total { _ in true }
    guard !labels.isEmpty else { return Estimate(unknown: "there is nothing to count") }
    let sum = labels.reduce(0) { $0 + (single(statistic, $1).value ?? 0) }
    return Estimate(sum / Double(labels.count), n: all)
  }

  private func single(_ statistic: MetricDefinition.ClassStatistic, _ label: String) -> Estimate {
    let hits = count(expected: label, predicted: label)
    let expected = total { $0.expected == label }
    let predicted = total { $0.predicted == label }
    switch statistic {
    case .precision: return Estimate(rate: hits, of: predicted)
    case .recall: return Estimate(rate: hits, of: expected)
    case .f1:
      guard expected + predicted > 0 else { return Estimate(unknown: "there is nothing to count") }
      return Estimate(
        2 * Double(hits) / Double(expected + predicted),
        n: expected + predicted - hits
      )
    }
  }
}
