import SluiceCore

/// What the parts of a dataset came to, one beside the other: the cases that prompts are tuned on, and
/// those that are kept apart.
public struct SplitResult: Hashable, Sendable {
  /// The split of cases that no prompt is tuned on.
  public static let heldOut = "held-out"

  /// The parts: first the cases that name no split, then by name.
  public var parts: [Part]
  /// Where the cases that are held out came off worse than the others by more than chance explains.
  public var gaps: [Gap]

  /// The cases of one split.
  public struct Part: Hashable, Sendable {
    /// The split's name; nil for cases that name none.
    public var name: String?
    /// The words for the cases of no split.
    package static let unnamed = "no split"
    /// How many cases it has.
    public var caseCount: Int
    /// Accuracy and what scorers measure, the same metrics in each part.
    public var metrics: [ColumnResult.NamedEstimate]
  }

  /// How much worse a rate is on cases that are held out.
  public struct Gap: Hashable, Sendable {
    /// The metric's name.
    public var name: String
    /// How much worse it is, as a share from 0 to 1.
    public var difference: Double
    /// The 95% interval of the difference (Newcombe 1998), whose lower end is above 0.
    public var interval: Interval
  }

  /// Compares the parts of a dataset; nil where no case names a split.
  ///
  /// - Parameters:
  ///   - trials: The trials of one column that count.
  ///   - metrics: What is compared.
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

  /// Where a rate of cases that are held out is worse than that of the others; nil where it is not.
  private static func gap(
    _ named: SuiteMetrics.Named,
    _ heldOut: MetricEvaluator,
    _ others: MetricEvaluator
  ) -> Gap? {
    guard let kept = heldOut.rate(named.metric), let tuned = others.rate(named.metric)
    else { return nil }
    // The difference is above 0 where those that are held out are worse.
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
