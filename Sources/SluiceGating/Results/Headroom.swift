package import SluiceCore

/// The headroom of a column: the cases that can still change, and the smallest visible change.
package struct Headroom: Hashable, Sendable {
  /// The share of passing cases above which a suite is nearly saturated.
  package static let nearly = 0.98

  /// The number of cases with a judged answer.
  package var cases: Int
  /// The number of cases that pass on all repeats.
  package var passing: Int
  /// The number of cases that fail on all repeats.
  package var failing: Int
  /// The smallest true loss that the paired regression test detects with a power of about 80%.
  ///
  /// This is `nil` if even the largest possible loss is too small to detect, or if there are too
  /// few clusters.
  package var visibleLoss: Double?
  /// The smallest true gain that the test detects with a power of 80%.
  ///
  /// This is `nil` if even the largest possible gain is too small to detect, or if there are too
  /// few clusters.
  package var visibleGain: Double?

  /// The degree of a suite's saturation, by the share of its cases that pass.
  package enum Level: String, Sendable {
    case saturated
    case nearlySaturated = "nearly-saturated"
    case open
  }

  /// The share of cases that pass on all repeats, with its bounds.
  package var ceiling: Estimate
  /// The share of cases that fail on all repeats, with its bounds.
  package var floor: Estimate

  package var level: Level {
    if passing == cases { return .saturated }
    return Double(passing) > Self.nearly * Double(cases) ? .nearlySaturated : .open
  }

  /// Measures a column, or returns `nil` if no answer was judged.
  ///
  /// - Parameter evaluator: An evaluator of the column's trials outside quarantine.
  package init?(_ evaluator: MetricEvaluator) {
    let accuracy = Metric(.accuracy)
    guard let rows = evaluator.rateRows(accuracy), !rows.isEmpty,
      let sample = evaluator.rate(accuracy), let rate = sample.value
    else { return nil }
    cases = rows.count
    passing = rows.count { $0.holding == $0.weight }
    failing = rows.count { $0.holding == 0 }
    ceiling = Self.share(of: rows) { $0.holding == $0.weight }
    floor = Self.share(of: rows) { $0.holding == 0 }
    // With so few clusters, no change is large enough to decide a regression gate.
    if FewClusters.explanation(sample.effectiveClusters) != nil { return }
    // Cases in a cluster carry less information, and repeats do not add cases.
    let worth = max(1, Int(min(sample.effectiveCases, Double(rows.count)).rounded(.down)))
    let change = Power.detectableOneWayChange(n: worth, goal: Power.Goal(sides: .one))
    visibleLoss = change.flatMap { $0 <= rate ? $0 : nil }
    visibleGain = change.flatMap { $0 <= 1 - rate ? $0 : nil }
  }

  /// Returns the share of cases that satisfy a condition; its bounds account for clusters.
  private static func share(
    of rows: [RateSample.Row],
    _ holds: (RateSample.Row) -> Bool
  ) -> Estimate {
    RateSample(
      rows.map { row in
        RateSample.Row(
          trial: row.trial,
          cluster: row.cluster,
          holding: holds(row) ? 1 : 0,
          weight: 1,
          repeats: 1
        )
      }
    ).estimate
  }
}
