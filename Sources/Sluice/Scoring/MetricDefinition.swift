/// A metric that a scorer makes possible: how to get from its measurements to one number.
public struct MetricDefinition: Hashable, Sendable {
  /// The name, without that of the scorer: `false-positive-rate`.
  public var name: String
  /// How the number is made.
  public var formula: Formula

  /// How a number is made of the measurements of many trials.
  public enum Formula: Hashable, Sendable {
    /// Of the cases for which `among` holds, the share for which `of` holds.
    ///
    /// With several repetitions a case counts once, by the rule.
    case share(of: String, among: String?, repetitions: RepetitionRule)
    /// A sum over trials divided by another.
    case ratio(of: [Term], to: [Term])
    /// Precision, recall or F1 of labels: of one class, or the unweighted mean over all classes.
    case perClass(ClassStatistic)
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

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - name: The name, without that of the scorer.
  ///   - formula: How the number is made.
  public init(_ name: String, _ formula: Formula) {
    self.name = name
    self.formula = formula
  }

  /// The measurements that hold the right and the given label, for ``Formula/perClass(_:)``.
  package static let expectedLabel = "expected"
  package static let predictedLabel = "predicted"
}
