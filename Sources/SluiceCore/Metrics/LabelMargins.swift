import SluiceSupport

/// The weighted counts of all classes, from which statistics over all classes are computed.
struct LabelMargins: Sendable {
  /// The maximum rounding error in sums of weights.
  ///
  /// A class with a smaller weight counts as absent.
  fileprivate static let least = 1e-9

  /// The weighted counts of a class: correct, expected and predicted labels.
  struct Counts: Sendable {
    var right = 0.0
    var expected = 0.0
    var predicted = 0.0

    /// Returns the numerator and the denominator of a statistic.
    func fraction(_ statistic: MetricDefinition.ClassStatistic) -> (part: Double, whole: Double) {
      switch statistic {
      case .precision: (right, predicted)
      case .recall: (right, expected)
      case .f1: (2 * right, expected + predicted)
      }
    }

    /// Returns a statistic of the class.
    ///
    /// An undefined statistic is 0, as in scikit-learn's mean over classes.
    func value(_ statistic: MetricDefinition.ClassStatistic) -> Double {
      let (part, whole) = fraction(statistic)
      return whole > LabelMargins.least ? part / whole : 0
    }
  }

  var classes: [Counts]
  /// The weight of each kind of prediction that is not a class, such as invalid labels.
  var others: [Double]

  private var n: Double { classes.reduce(0) { $0 + $1.expected } }
  private var right: Double { classes.reduce(0) { $0 + $1.right } }
  /// The sum, over all classes, of the expected count times the predicted count.
  ///
  /// Chance agreement is computed from this sum.
  private var products: Double { classes.reduce(0) { $0 + $1.expected * $1.predicted } }

  /// Returns a statistic over all classes; nil if it is undefined.
  func value(_ statistic: MetricDefinition.LabelStatistic) -> Double? {
    switch statistic {
    case .microF1: microF1
    case .weightedF1: weightedF1
    case .balancedAccuracy: balancedAccuracy
    case .matthewsCorrelation: matthewsCorrelation
    case .kappa: kappa
    }
  }

  /// The F1 score of the summed counts of all classes; nil if nothing was counted.
  private var microF1: Double? {
    let sums = classes.reduce(0) { $0 + $1.expected + $1.predicted }
    return n > 0 ? 2 * right / sums : nil
  }

  /// The mean F1 score of the classes, weighted by their expected counts; nil if nothing was
  /// counted.
  private var weightedF1: Double? {
    guard n > 0 else { return nil }
    return classes.reduce(0) { $0 + $1.expected * $1.value(.f1) } / n
  }

  /// The mean recall over the expected classes; nil if nothing was counted.
  private var balancedAccuracy: Double? {
    let expected = classes.filter { $0.expected > Self.least }
    if expected.isEmpty { return nil }
    return expected.reduce(0) { $0 + $1.value(.recall) } / Double(expected.count)
  }

  /// The correlation of expected and predicted labels (Matthews 1975; for several classes Gorodkin
  /// 2004).
  ///
  /// Each kind of prediction that is not a class forms one more class. The value is nil if all
  /// expected labels are the same, or all predicted labels are the same.
  private var matthewsCorrelation: Double? {
    let n = n
    let expected = n * n - classes.reduce(0) { $0 + $1.expected * $1.expected }
    let predicted =
      n * n - classes.reduce(0) { $0 + $1.predicted * $1.predicted }
      - others.reduce(0) { $0 + $1 * $1 }
    guard expected > Self.least * n * n, predicted > Self.least * n * n else { return nil }
    let correlation = (right * n - products) / expected.squareRoot() / predicted.squareRoot()
    return max(-1, min(1, correlation))
  }

  /// The agreement of expected and predicted labels beyond chance (Cohen 1960); nil if all expected
  /// and predicted labels are the same.
  private var kappa: Double? {
    let (n, products) = (n, products)
    guard n * n - products > Self.least * n * n else { return nil }
    return (n * right - products) / (n * n - products)
  }
}
