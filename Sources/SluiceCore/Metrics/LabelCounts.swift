import SluiceSupport
import SluiceStatistics

/// The counts of expected and predicted labels: a confusion matrix with a column for invalid
/// labels.
package struct LabelCounts: Hashable, Sendable {
  /// The labels that were expected or predicted, sorted.
  package private(set) var labels: [String] = []
  /// The count of each pair of expected and predicted label.
  private var counts: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var expected: ExactString
    /// The predicted label; nil if it is invalid.
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

  /// Counts pairs of expected and predicted labels.
  ///
  /// A predicted label of nil is invalid.
  package init(_ pairs: [(expected: String, predicted: String?)]) {
    for pair in pairs { counts[Pair(pair.expected, pair.predicted), default: 0] += 1 }
    let found = Set(counts.keys.flatMap { [$0.expected] + ($0.predicted.map { [$0] } ?? []) })
    // Comparing UTF-8 bytes gives the order of code points.
    labels = found.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the count of a pair of expected and predicted label.
  package func count(expected: String, predicted: String?) -> Int {
    counts[Pair(expected, predicted)] ?? 0
  }

  private func total(_ condition: (Pair) -> Bool) -> Int {
    counts.reduce(0) { $0 + (condition($1.key) ? $1.value : 0) }
  }

  /// Returns the precision, recall or F1 of a class; if `label` is nil, the unweighted mean over
  /// all classes.
  ///
  /// In the mean, an undefined statistic of a class counts as 0, as in scikit-learn.
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

  /// Returns three counts for a label: correct predictions, expectations and predictions.
  private func sums(of label: String) -> (hits: Int, expected: Int, predicted: Int) {
    let key = ExactString(label)
    return (
      count(expected: label, predicted: label),
      total { $0.expected == key },
      total { $0.predicted == key }
    )
  }

  /// Returns the F-beta score of a class, the weighted harmonic mean of precision and recall (van
  /// Rijsbergen 1979).
  ///
  /// Recall weighs `beta` times as much as precision. The score is nil for a class that was neither
  /// expected nor predicted.
  package func fBeta(_ beta: Double, of label: String) -> Double? {
    precondition(beta >= 0, "a weight must not be negative")
    let (hits, expected, predicted) = sums(of: label)
    let weight = beta * beta
    let rest = weight * Double(expected) + Double(predicted)
    return rest > 0 ? (1 + weight) * Double(hits) / rest : nil
  }

  /// The averaging of F1 scores over classes.
  package enum Average: Sendable {
    /// All classes have the same weight.
    case macro
    /// Each class is weighted by the number of times it was expected.
    case weighted
    /// The counts of all classes are summed first.
    case micro
  }

  /// Returns the average F1 over all classes, where an undefined F1 counts as 0; nil if nothing was
  /// counted.
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

  /// The mean recall over the expected classes; nil if nothing was counted.
  package var balancedAccuracy: Double? { margins.balancedAccuracy }

  /// The correlation of expected and predicted labels (Matthews 1975; for several classes Gorodkin
  /// 2004).
  ///
  /// Invalid labels form one more class. The value is nil if all expected labels are the same, or
  /// all predicted labels are the same.
  package var matthewsCorrelation: Double? { margins.matthewsCorrelation }
}
