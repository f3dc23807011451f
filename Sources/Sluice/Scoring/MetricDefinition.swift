/// A metric that a scorer makes possible: how to get from its measurements to one number.
public struct MetricDefinition: Hashable, Sendable {
  /// The name, without that of the scorer: `false-positive-rate`.
  public var name: String
  /// How the number is made.
  public var formula: Formula
  /// Whether small numbers are the good ones.
  public var prefersSmall: Bool

  /// How a number is made of the measurements of many trials.
  public enum Formula: Hashable, Sendable {
    /// Of the cases for which one of `among` holds, the share for which `of` holds; without `among`
    /// of all that have the measurement.
    ///
    /// With several repetitions a case counts once, by the rule of each part.
    case share(of: Part, among: [Part] = [])
    /// A sum over trials divided by another.
    case ratio(of: [Term], to: [Term])
    /// Precision, recall or F1 of labels: of one class, or the unweighted mean over all classes.
    case perClass(ClassStatistic)
    /// The mean of a measurement over all trials that have it, on a scale of its own, which may have
    /// ends.
    case mean(of: String, within: ClosedRange<Double>? = nil)
  }

  /// A measurement that is true or false, with when it holds for a case with several repetitions.
  public struct Part: Hashable, Sendable {
    /// The measurement's name.
    public var name: String
    /// When it holds for a case.
    public var rule: RepetitionRule

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The measurement's name.
    ///   - rule: When it holds for a case.
    public init(_ name: String, _ rule: RepetitionRule = .majority) {
      self.name = name
      self.rule = rule
    }
  }

  /// When a measurement holds for a case with several repetitions.
  public enum RepetitionRule: String, Hashable, Sendable {
    /// In more than half of them.
    case majority
    /// In at least one.
    case any
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

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - name: The name, without that of the scorer.
  ///   - formula: How the number is made.
  ///   - prefersSmall: Whether small numbers are the good ones.
  public init(_ name: String, _ formula: Formula, prefersSmall: Bool = false) {
    self.name = name
    self.formula = formula
    self.prefersSmall = prefersSmall
  }

  /// The measurements that hold the right and the given label, for ``Formula/perClass(_:)``.
  package static let expectedLabel = "expected"
  package static let predictedLabel = "predicted"
}
