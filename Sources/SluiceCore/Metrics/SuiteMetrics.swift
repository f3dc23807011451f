import SluiceSupport

/// The metrics that reports and comparisons show, by their names in conditions.
package struct SuiteMetrics: Sendable {
  /// A metric with its name.
  package struct Named: Sendable {
    package var name: String
    package var metric: Metric
    /// True if the metric only presents the values of other metrics in another form.
    package var isDetail = false
  }

  private let scorers: [BoundScorer]

  package init(_ scorers: [BoundScorer]) { self.scorers = scorers }

  /// All metrics, the most important first.
  package var all: [Named] {
    var metrics = overall
    for scorer in scorers {
      for definition in scorer.traits.metrics {
        metrics.append(named(scorer, definition))
        guard case .perClass = definition.formula else { continue }
        metrics += scorer.traits.classes.map { named(scorer, definition, of: $0) }
      }
      var passRate = Metric(.passRate(scorer: scorer.name))
      passRate.isAdvisory = scorer.isAdvisory
      metrics.append(Named(name: "\(scorer.name).pass-rate", metric: passRate))
    }
    return metrics
      + Self.series([
        (.latency, [.percentile(50), .percentile(95)]), (.tokens, [.mean]), (.inputTokens, [.mean]),
        (.outputTokens, [.mean]), (.cost, [.mean, .sum]),
      ])
  }

  /// Returns the metrics that only some runs have: metrics of assertions, streaming, failed
  /// attempts and costs that servers reported.
  package static func unusual(_ evaluator: MetricEvaluator) -> [Named] {
    let found = evaluator.table.unusual
    var metrics: [Named] = []
    if found.hasAssertions {
      metrics.append(
        Named(name: "assertion-rate", metric: Metric(.assertionRate), isDetail: true)
      )
    }
    if found.hasStreams {
      metrics.append(Named(name: "fallback-rate", metric: Metric(.fallbackRate)))
      metrics += series([
        (.firstText, [.percentile(50), .percentile(95)]),
        (.longestGap, [.percentile(50), .percentile(95)]),
      ])
    }
    if found.hasWaits { metrics += series([(.userLatency, [.percentile(50), .percentile(95)])]) }
    if found.hasReportedCosts { metrics += series([(.reportedCost, [.mean, .sum])]) }
    return metrics
  }

  /// The rates that can be compared case by case.
  package var rates: [Named] {
    overall
      + deciding.flatMap { scorer in
        scorer.traits.metrics.compactMap { definition in
          guard !definition.isDetail, case .share = definition.formula else { return nil }
          return named(scorer, definition)
        }
      }
  }

  /// The metrics by which prompts and backends are compared: quality, then time, tokens and cost.
  package var compared: [Named] {
    quality.filter { $0.metric.isSumOfCases }
      + Self.series([
        (.latency, [.mean, .percentile(95)]), (.tokens, [.mean]), (.cost, [.mean]),
      ])
  }

  /// The quality of the answers: accuracy, and the metrics of scorers that are not advisory.
  package var quality: [Named] {
    overall
      + deciding.flatMap { scorer in
        scorer.traits.metrics.filter { !$0.isDetail }.map { named(scorer, $0) }
      }
  }

  /// The scorers that affect outcomes.
  private var deciding: [BoundScorer] { scorers.filter { !$0.isAdvisory } }

  private var overall: [Named] {
    [
      Named(name: "accuracy", metric: Metric(.accuracy)),
      Named(name: "unusable-rate", metric: Metric(.unusableRate)),
    ]
  }

  private func named(
    _ scorer: BoundScorer,
    _ definition: MetricDefinition,
    of label: String? = nil
  ) -> Named {
    var metric = Metric(
      .scorer(scorer.name, definition.formula),
      classLabel: label,
      prefersSmall: definition.prefersSmall
    )
    metric.isAdvisory = scorer.isAdvisory
    return Named(
      name: "\(scorer.name).\(definition.name)" + (label.map { "[class=\($0)]" } ?? ""),
      metric: metric,
      isDetail: definition.isDetail
    )
  }

  private static func series(_ series: [(Series, [MetricReference.Aggregate])]) -> [Named] {
    series.flatMap { series, aggregates in
      aggregates.map { aggregate in
        Named(
          name: MetricReference(aggregate: aggregate, name: series.rawValue).description,
          metric: Metric(.series(series, aggregate))
        )
      }
    }
  }
}
