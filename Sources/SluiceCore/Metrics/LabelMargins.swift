import SluiceSupport

/// The number of times that each class was expected, given, and both, by weight: the basis of a
/// statistic over all classes.
struct LabelMargins: Sendable {
  /// The rounding of sums of weights; a class with less was in no answer.
  fileprivate static let least = 1e-9

  /// The number of times that a class was expected, given, and both.
  struct Counts: Sendable {
    var right = 0.0
    var expected = 0.0
    var predicted = 0.0

    /// A statistic as what stands above and below the line.
    func fraction(_ statistic: MetricDefinition.ClassStatistic) -> (part: Double, whole: Double) {
      switch statistic {
      case .precision: (right, predicted)
      case .recall: (right, expected)
      case .f1: (2 * right, expected + predicted)
      }
    }

    /// A statistic; one that is undefined counts as 0, as in scikit-learn's mean over classes.
    func value(_ statistic: MetricDefinition.ClassStatistic) -> Double {
      let (part, whole) = fraction(statistic)
      return whole > LabelMargins.least ? part / whole : 0
    }
  }

  var classes: [Counts]
  /// The number of times that each answer was given that is no class, such as an invalid label.
  var others: [Double]

  private var n: Double { classes.reduce(0) { $0 + $1.expected } }
  private var right: Double { classes.reduce(0) { $0 + $1.right } }
  /// The sum of products of how often a class was expected and given, which chance makes.
  private var products: Double { classes.reduce(0) { $0 + $1.expected * $1.predicted } }

  /// A statistic over all classes; nil where it is undefined.
  func value(_ statistic: MetricDefinition.LabelStatistic) -> Double? {
    switch statistic {
    case .microF1: microF1
    case .weightedF1: weightedF1
    case .balancedAccuracy: balancedAccuracy
    case .matthewsCorrelation: matthewsCorrelation
    case .kappa: kappa
    }
  }

  /// F1 with the counts of all classes added up first; nil without counts.
  var microF1: Double? {
    let sums = classes.reduce(0) { $0 + $1.expected + $1.predicted }
    return n > 0 ? 2 * right / sums : nil
  }

  /// The mean F1 of the classes, each weighing as often as it was expected; nil without counts.
  var weightedF1: Double? {
    guard n > 0 else { return nil }
    return classes.reduce(0) { $0 + $1.expected * $1.value(.f1) } / n
  }

  /// The mean recall over the classes that were expected; nil without counts.
  var balancedAccuracy: Double? {
    let expected = classes.filter { $0.expected > Self.least }
    if expected.isEmpty { return nil }
    return expected.reduce(0) { $0 + $1.value(.recall) } / Double(expected.count)
  }

  /// The correlation of expected and given labels (Matthews 1975; for several classes Gorodkin 2004),
  /// what is no class being a class of its own; nil where all expected or all given ones are the same.
  var matthewsCorrelation: Double? {
    let n = n
    let expected = n * n - classes.reduce(0) { $0 + $1.expected * $1.expected }
    let predicted =
      n * n - classes.reduce(0) { $0 + $1.predicted * $1.predicted }
      - others.reduce(0) { $0 + $1 * $1 }
    guard expected > Self.least * n * n, predicted > Self.least * n * n else { return nil }
    let correlation = (right * n - products) / expected.squareRoot() / predicted.squareRoot()
    return max(-1, min(1, correlation))
  }

  /// The agreement of expected and given labels beyond chance (Cohen 1960); nil where all are one and
  /// the same label.
  var kappa: Double? {
    let (n, products) = (n, products)
    guard n * n - products > Self.least * n * n else { return nil }
    return (n * right - products) / (n * n - products)
  }
}
