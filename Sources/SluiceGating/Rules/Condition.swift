public import SluiceCore

/// A line under `gates:` or `goals:`.
public struct Condition: Hashable, Sendable {
  /// A requirement on a metric.
  public enum Demand: Hashable, Sendable {
    /// The metric must satisfy a comparison with a value.
    ///
    /// The value is a share from 0 to 1 for a rate, milliseconds for a time, US dollars for a cost,
    /// or a plain number. Only a claim has a confidence, between 0.5 and 1.
    case comparison(Comparison, Double, confidence: Double?)
    /// The metric must not be worse than the baseline by more than a margin.
    ///
    /// If `isRelative` is true, the margin is a share of the baseline's value. Otherwise it is
    /// absolute, such as 0.05 for 5 percentage points of a rate.
    case noRegression(margin: Double, isRelative: Bool)
  }

  /// A comparison of two numbers.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    /// The number on the left is at least the number on the right.
    case atLeast = ">="
    /// The number on the left is at most the number on the right.
    case atMost = "<="
    /// The number on the left is above the number on the right.
    case above = ">"
    /// The number on the left is below the number on the right.
    case below = "<"

    /// Returns true if the comparison holds.
    ///
    /// - Parameters:
    ///   - value: The number on the left.
    ///   - bound: The number on the right.
    /// - Returns: True if it holds.
    public func holds(_ value: Double, _ bound: Double) -> Bool {
      switch self {
      case .atLeast: value >= bound
      case .atMost: value <= bound
      case .above: value > bound
      case .below: value < bound
      }
    }

    /// True if the comparison requires a small number.
    public var wantsSmall: Bool { self == .atMost || self == .below }
  }

  /// The condition as written in the suite's file.
  public var text: String
  /// The metric that the condition tests.
  public var reference: MetricReference
  /// The requirement.
  public var demand: Demand
  /// True if the condition applies only to live answers.
  public var isLive: Bool

  package init(text: String, reference: MetricReference, demand: Demand, isLive: Bool) {
    self.text = text
    self.reference = reference
    self.demand = demand
    self.isLive = isLive
  }
}

extension Condition {
  /// Returns the minimum number of measurements for a confidence bound on the condition's
  /// percentile.
  ///
  /// Returns `nil` if the condition is not about a percentile.
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
