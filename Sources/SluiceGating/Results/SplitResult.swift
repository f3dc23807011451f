import SluiceCore

/// The results by split of a dataset: for the cases used to tune prompts, and for the held-out
/// cases.
public struct SplitResult: Hashable, Sendable {
  /// The name of the split whose cases are not used to tune prompts.
  public static let heldOut = "held-out"

  /// The parts, sorted by name; the cases without a split come first.
  public var parts: [Part]
  /// The rates that are credibly worse on held-out cases.
  public var gaps: [Gap]

  /// The cases of one split.
  public struct Part: Hashable, Sendable {
    /// The split's name, or `nil` for cases without one.
    public var name: String?
    /// The label for cases without a split.
    package static let unnamed = "without a split"
    /// The number of cases.
    public var caseCount: Int
    /// Accuracy and the scorers' metrics.
    ///
    /// Each part has the same metrics.
    public var metrics: [ColumnResult.NamedEstimate]
  }

  /// A rate that is credibly worse on held-out cases.
  public struct Gap: Hashable, Sendable {
    /// The metric's name.
    public var name: String
    /// The loss on held-out cases compared with the other cases, as a share from 0 to 1.
    public var difference: Double
    /// The 95% interval of the difference (Newcombe 1998).
    ///
    /// Its lower end is above 0.
    public var interval: Interval
  }

  /// Compares the parts of a dataset, or returns `nil` if no case names a split.
  ///
  /// - Parameters:
  ///   - trials: The trials of one column, without quarantined cases.
  ///   - metrics: The metrics to compare.
  package init?(_ trials: [Trial], metrics: [SuiteMetrics.Named]) {
    guard trials.contains(where: { $0.split != nil }) else { return nil }
    let parts = Dictionary(grouping: trials) { $0.split.map(ExactString.init) }
      .sorted { first, second in
        guard let first = first.key, let second = second.key else { return first.key == nil }
        return first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
      }
      .map { (name: $0.key?.text, evaluator: MetricEvaluator($0.value)) }
    self.parts = parts.map { name, evaluator in
      Part(
        name: name,
        caseCount: Set(evaluator.trials.map { ExactString($0.caseID) }).count,
        metrics: ColumnResult.estimates(metrics, by: evaluator)
      )
    }
    gaps = []
    guard let heldOut = parts.first(where: { $0.name == Self.heldOut }), parts.count > 1 else {
      return
    }
    let others = MetricEvaluator(trials.filter { $0.split != Self.heldOut })
    gaps = metrics.compactMap { Self.gap($0, heldOut.evaluator, others) }
  }

  /// Returns the gap if a rate is credibly worse on held-out cases, or `nil` if it is not.
  private static func gap(
    _ named: SuiteMetrics.Named,
    _ heldOut: MetricEvaluator,
    _ others: MetricEvaluator
  ) -> Gap? {
    guard let kept = heldOut.rate(named.metric), let tuned = others.rate(named.metric)
    else { return nil }
    // The difference is positive when held-out cases are worse.
    let (first, second) = named.metric.prefersSmall ? (kept, tuned) : (tuned, kept)
    guard let high = first.value, let low = second.value else { return nil }
    let interval = Newcombe.independent(
      (high, first.interval(0.95)),
      minus: (low, second.interval(0.95))
    )
    guard interval.low > 0 else { return nil }
    return Gap(name: named.name, difference: high - low, interval: interval)
  }
}
