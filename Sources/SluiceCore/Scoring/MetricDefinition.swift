import SluiceSupport
import SluiceStatistics

/// A metric that a scorer makes possible: how to get from its measurements to one number.
public struct MetricDefinition: Hashable, Sendable {
  /// The name, without that of the scorer: `false-positive-rate`.
  public var name: String
  /// How the number is made.
  public var formula: Formula
  /// Whether small numbers are the good ones.
  public var prefersSmall: Bool
  /// Whether it says in another way what other metrics say: it stands among all figures, not among
  /// the first.
  public var isDetail: Bool

  /// How a number is made of the measurements of many trials.
  public enum Formula: Hashable, Sendable {
    /// Of the cases for which one of `among` holds, the share for which `of` holds; without `among`
    /// of all that have the measurement.
    ///
    /// A case with repeats counts by the share of those for which it holds.
    case share(of: Part, among: [Part] = [])
    /// A sum over trials divided by another.
    case ratio(of: [Term], to: [Term])
    /// The mean of several shares, the n-th being of the n-th part among the n-th one.
    case balance(of: [Part], among: [Part])
    /// The mean of a measurement over the trials that have it, on a scale that may have ends.
    case mean(of: String, in: Unit, within: ClosedRange<Double>? = nil)
    /// The median of a measurement over the trials that have it.
    case median(of: String)
    /// The sum of a measurement over the cases that have it, repeats of a case counting once.
    case sum(of: String)
    /// How a measurement goes along with another, over the cases that have both.
    case correlation(Correlation, of: String, with: String)
    /// Precision, recall or F1 of labels: of one class, or the unweighted mean over all classes.
    case perClass(ClassStatistic)
    /// A statistic over all classes of labels.
    case labels(LabelStatistic)
  }

  /// In what a mean is counted.
  public enum Unit: String, Hashable, Sendable {
    /// In shares of 1.
    case share
    /// In the units of the measurement.
    case number
    /// In the units of the measurement, which is best at 0: neither more nor less is better as such.
    case deviation
    /// In the units of the measurement, which is never below 0.
    case distance
  }

  /// How two measurements go along with each other, from -1 to 1.
  public enum Correlation: String, Hashable, Sendable {
    /// By their amounts (Pearson 1895).
    case pearson
    /// By their ranks (Spearman 1904).
    case spearman
    /// By the order of pairs, corrected for ties (Kendall 1945, tau-b).
    case kendall
  }

  /// A measurement that is true or false.
  public struct Part: Hashable, Sendable {
    /// The measurement's name.
    public var name: String
    /// Whether the part holds where the measurement is false.
    public var isNegated: Bool

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The measurement's name.
    ///   - isNegated: Whether the part holds where the measurement is false.
    public init(_ name: String, isNegated: Bool = false) {
      self.name = name
      self.isNegated = isNegated
    }
  }

  /// When a statement holds for a case with repeats as a whole.
  public enum RepetitionRule: String, Hashable, Sendable {
    /// In more than half of them.
    case majority
    /// In at least one.
    case any
    /// In every one.
    case all
  }

  /// A measurement with its weight in a sum.
  public struct Term: Hashable, Sendable {
    /// What the measurement is multiplied with.
    public var weight: Double
    /// The measurement's name.
    public var name: String

    /// Creates a term.
    ///
    /// - Parameters:
    ///   - name: The measurement's name.
    ///   - weight: What the measurement is multiplied with.
    public init(_ name: String, times weight: Double = 1) {
      self.weight = weight
      self.name = name
    }
  }

  /// A statistic of one class of labels.
  public enum ClassStatistic: String, Hashable, Sendable {
    case precision, recall, f1
  }

  /// The metric that every scorer has: the share of trials that it passes.
  package static let passRate = "pass-rate"

  /// Whether a text can be the name of a metric: `mean-score`.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.count <= 64
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  /// A statistic over all classes of labels.
  public enum LabelStatistic: String, Hashable, Sendable {
    /// F1 with the counts of all classes added up first.
    case microF1
    /// The mean F1 of the classes, each weighing as often as it was expected.
    case weightedF1
    /// The mean recall over the classes that were expected.
    case balancedAccuracy
    /// The correlation of expected and given labels (Matthews 1975; for several classes Gorodkin 2004).
    case matthewsCorrelation
    /// The agreement of expected and given labels beyond chance (Cohen 1960).
    case kappa
  }

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - name: The name, without that of the scorer.
  ///   - formula: How the number is made.
  ///   - prefersSmall: Whether small numbers are the good ones.
  ///   - isDetail: Whether it says in another way what other metrics say.
  public init(
    _ name: String,
    _ formula: Formula,
    prefersSmall: Bool = false,
    isDetail: Bool = false
  ) {
    self.name = name
    self.formula = formula
    self.prefersSmall = prefersSmall
    self.isDetail = isDetail
  }

  /// The measurements that hold the right and the given label, for ``Formula/perClass(_:)``.
  package static let expectedLabel = "expected"
  package static let predictedLabel = "predicted"
  /// The measurement that says that an answer without a label says that it is not known.
  package static let abstained = "abstained"
}
