import SluiceSupport
import SluiceStatistics

/// How often each label was expected and given: a confusion matrix with a column for no label.
package struct LabelCounts: Hashable, Sendable {
  /// The labels that were expected or given, sorted.
  package private(set) var labels: [String] = []
  /// How often a label was given where another was expected; nil stands for an invalid one.
  private var counts: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var expected: ExactString
    var predicted: ExactString?

    init(_ expected: String, _ predicted: String?) {
      self.expected = ExactString(expected)
      self.predicted = predicted.map(ExactString.init)
    }
  }

  init(_ scores: [Score]) {
    self.init(
      scores.compactMap { score in
        score.measurements[MetricDefinition.expectedLabel]?.string.map {
          ($0, score.measurements[MetricDefinition.predictedLabel]?.string)
        }
      }
    )
  }

  /// Counts pairs of the label that was expected and the one that was given, nil for an invalid one.
  package init(_ pairs: [(expected: String, predicted: String?)]) {
    for pair in pairs { counts[Pair(pair.expected, pair.predicted), default: 0] += 1 }
    let found = Set(counts.keys.flatMap { [$0.expected] + ($0.predicted.map { [$0] } ?? []) })
    // In the order of their code points, which is that of UTF-8.
    labels = found.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// How often a label was given where another was expected.
  package func count(expected: String, predicted: String?) -> Int {
    counts[Pair(expected, predicted)] ?? 0
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
    let (hits, expected, predicted) = sums(of: label)
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

  /// How often a label was given rightly, how often it was expected, and how often it was given.
  private func sums(of label: String) -> (hits: Int, expected: Int, predicted: Int) {
    let key = ExactString(label)
    return (
      count(expected: label, predicted: label),
      total { $0.expected == key },
      total { $0.predicted == key }
    )
  }

  /// The weighted harmonic mean of precision and recall of a class (van Rijsbergen 1979), with recall
  /// weighing `beta` times as much; nil for a class that was neither expected nor given.
  package func fBeta(_ beta: Double, of label: String) -> Double? {
    precondition(beta >= 0, "a weight is not negative")
    let (hits, expected, predicted) = sums(of: label)
    let weight = beta * beta
    let rest = weight * Double(expected) + Double(predicted)
    return rest > 0 ? (1 + weight) * Double(hits) / rest : nil
  }

  /// How the F1 scores of classes are averaged.
  package enum Average: Sendable {
    /// Each class weighs the same.
    case macro
    /// Each class weighs as often as it was expected.
    case weighted
    /// The counts of all classes are added up first.
    case micro
  }

  /// The average F1 over all classes, an undefined one counting as 0; nil without counts.
  package func f1(_ average: Average) -> Double? {
    switch average {
    case .macro: return estimate(.f1, of: nil).value
    case .weighted: return margins.weightedF1
    case .micro: return margins.microF1
    }
  }

  private var margins: LabelMargins {
    let classes = labels.map { label in
      let (right, expected, predicted) = sums(of: label)
      return LabelMargins.Counts(
        right: Double(right),
        expected: Double(expected),
        predicted: Double(predicted)
      )
    }
    return LabelMargins(classes: classes, others: [Double(total { $0.predicted == nil })])
  }

  /// The mean recall over the classes that were expected; nil without counts.
  package var balancedAccuracy: Double? { margins.balancedAccuracy }

  /// The correlation of expected and given labels (Matthews 1975; for several classes Gorodkin 2004),
  /// an invalid label being a class of its own; nil where all expected or all given ones are the same.
  package var matthewsCorrelation: Double? { margins.matthewsCorrelation }
}
