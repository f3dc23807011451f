import SluiceSupport
import SluiceStatistics

/// The definition of a scorer's metric: how one number is computed from measurements.
public struct MetricDefinition: Hashable, Sendable {
  /// The name of the metric without the name of the scorer, such as `false-positive-rate`.
  public var name: String
  /// The formula.
  public var formula: Formula
  /// True if smaller values are better.
  public var prefersSmall: Bool
  /// True if the metric only presents other metrics in another form.
  ///
  /// It is then shown only in the full list.
  public var isDetail: Bool

  /// The computation of a number from the measurements of many trials.
  public enum Formula: Hashable, Sendable {
    /// The share of cases for which the statement `of` holds.
    ///
    /// Only cases count for which at least one part of `among` holds. If `among` is empty, all
    /// cases that have the measurement count.
    ///
    /// A case with repeats counts as the share of its repeats for which the statement holds.
    case share(of: Part, among: [Part] = [])
    /// The sum of the terms `of` over all trials, divided by the sum of the terms `to`.
    case ratio(of: [Term], to: [Term])
    /// The mean of several shares.
    ///
    /// For example, balanced accuracy is the mean of two shares: hits among the positive cases, and
    /// correct rejections among the clean cases. The n-th part of `of` is counted among the cases
    /// for which the n-th part of `among` holds.
    case balance(of: [Part], among: [Part])
    /// The mean of a measurement over the trials that have it.
    ///
    /// `within` is the range of the scale; nil if the scale has no bounds.
    case mean(of: String, in: Unit, within: ClosedRange<Double>? = nil)
    /// The median of a measurement over the trials that have it.
    case median(of: String)
    /// The sum of a measurement over the cases that have it.
    ///
    /// The repeats of a case are averaged, so each case counts once.
    case sum(of: String)
    /// The correlation of two measurements over the cases that have both.
    case correlation(Correlation, of: String, with: String)
    /// The precision, recall or F1 of labels.
    ///
    /// The metric has a value for each class, and the unweighted mean over all classes.
    case perClass(ClassStatistic)
    /// A statistic over all classes of labels.
    case labels(LabelStatistic)
  }

  /// The unit of a mean.
  public enum Unit: String, Hashable, Sendable {
    /// A share, from 0 to 1.
    case share
    /// The unit of the measurement, which may have any value.
    case number
    /// The unit of the measurement.
    ///
    /// The best value is 0, so neither direction is better.
    case deviation
    /// The unit of the measurement.
    ///
    /// The value is never negative.
    case distance
  }

  /// A correlation coefficient, from -1 to 1.
  public enum Correlation: String, Hashable, Sendable {
    /// Linear correlation (Pearson 1895).
    case pearson
    /// Rank correlation (Spearman 1904).
    case spearman
    /// Correlation of pair orders, corrected for ties (Kendall 1945, tau-b).
    case kendall
  }

  /// A statement about a trial: a Boolean measurement or its negation.
  public struct Part: Hashable, Sendable {
    /// The name of the measurement.
    public var name: String
    /// True if the part holds when the measurement is false.
    public var isNegated: Bool

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The name of the measurement.
    ///   - isNegated: True if the part holds when the measurement is false.
    public init(_ name: String, isNegated: Bool = false) {
      self.name = name
      self.isNegated = isNegated
    }
  }

  /// The rule that decides if a statement holds for a case with repeats.
  public enum RepetitionRule: String, Hashable, Sendable {
    /// The statement must hold for more than half of the repeats.
    case majority
    /// The statement must hold for at least one repeat.
    case any
    /// The statement must hold for every repeat.
    case all
  }

  /// A measurement with its weight in a sum.
  public struct Term: Hashable, Sendable {
    /// The weight of the measurement.
    public var weight: Double
    /// The name of the measurement.
    public var name: String

    /// Creates a term.
    ///
    /// - Parameters:
    ///   - name: The name of the measurement.
    ///   - weight: The weight of the measurement.
    public init(_ name: String, times weight: Double = 1) {
      self.weight = weight
      self.name = name
    }
  }

  /// A statistic of one class of labels, from 0 to 1; 0 if the statistic is undefined.
  public enum ClassStatistic: String, Hashable, Sendable {
    /// The share of right answers among the answers with this label.
    case precision
    /// The share of right answers among the cases that expect this label.
    case recall
    /// The harmonic mean of precision and recall (van Rijsbergen 1979).
    case f1
  }

  /// The metric that every scorer has: the share of trials that pass.
  package static let passRate = "pass-rate"

  /// Returns true if a text can be the name of a metric, such as `mean-score`.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.count <= 64
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  /// A statistic over all classes of labels.
  public enum LabelStatistic: String, Hashable, Sendable {
    /// The F1 score of the summed counts of all classes, from 0 to 1.
    case microF1
    /// The mean F1 score of the classes, weighted by how often each class is expected; from 0 to 1.
    case weightedF1
    /// The mean recall over the expected classes, from 0 to 1.
    case balancedAccuracy
    /// The correlation of expected and predicted labels, from -1 to 1 (Matthews 1975; for several
    /// classes Gorodkin 2004).
    case matthewsCorrelation
    /// The agreement of expected and predicted labels beyond chance, from -1 to 1 (Cohen 1960).
    case kappa
  }

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - name: The name of the metric without the name of the scorer.
  ///   - formula: The formula.
  ///   - prefersSmall: True if smaller values are better.
  ///   - isDetail: True if the metric only presents other metrics in another form.
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

  /// The name of the measurement that contains the expected label, for ``Formula/perClass(_:)``.
  package static let expectedLabel = "expected"
  package static let predictedLabel = "predicted"
  /// The name of the measurement that is true if an answer abstains from giving a label.
  package static let abstained = "abstained"
}
