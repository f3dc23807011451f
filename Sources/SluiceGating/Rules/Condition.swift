public import SluiceCore

/// A line under `gates:` or `goals:`.
public struct Condition: Hashable, Sendable {
  /// What a condition may demand.
  public enum Demand: Hashable, Sendable {
    /// The estimate, compared with a value; as a claim, at a confidence between 0 and 1.
    case comparison(Comparison, Double, confidence: Double?)
    /// The metric must not be worse than that of the baseline by more than a margin; as a share of 1
    /// for points, of the baseline's value for percent.
    case noRegression(margin: Double, isRelative: Bool)
  }

  /// How two numbers are compared.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"

    /// Whether a number stands to another as demanded.
    ///
    /// - Parameters:
    ///   - value: The number on the left.
    ///   - bound: The number on the right.
    /// - Returns: Whether it does.
    public func holds(_ value: Double, _ bound: Double) -> Bool {
      switch self {
      case .atLeast: value >= bound
      case .atMost: value <= bound
      case .above: value > bound
      case .below: value < bound
      }
    }

    /// Whether small numbers are the good ones.
    public var wantsSmall: Bool { self == .atMost || self == .below }
  }

  /// The condition as it was written.
  public var text: String
  /// The metric that it is about.
  public var reference: MetricReference
  /// What it demands.
  public var demand: Demand
  /// Whether it is about live answers alone.
  public var isLive: Bool

  package init(text: String, reference: MetricReference, demand: Demand, isLive: Bool) {
    self.text = text
    self.reference = reference
    self.demand = demand
    self.isLive = isLive
  }
}

extension Condition {
  /// How many measurements it takes to bound the percentile that the condition compares; nil where it
  /// is about something else.
  func leastSample(for metric: Metric) -> Int? {
    guard case .series(_, .percentile(let percent)) = metric.kind,
      case .comparison(let comparison, _, let confidence) = demand
    else { return nil }
    return Percentile.leastSample(
      bounding: comparison.wantsSmall ? percent : 100 - percent,
      confidence: confidence ?? 0.95
    )
  }
}
