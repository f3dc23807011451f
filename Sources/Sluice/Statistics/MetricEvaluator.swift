/// Makes estimates of the trials of one column.
package struct MetricEvaluator: Sendable {
  private let units: [CountingUnit]
  /// What lost trials are taken for.
  private let fill: Fill
  /// The labels of all units, as classes have many statistics.
  private let labels: LabelTables

  /// What to take lost trials for.
  package enum Fill: Sendable {
    /// They are left out.
    case none
    /// As if the statement of a rate had held for each.
    case holding
    /// As if the statement of a rate had not held for any.
    case notHolding
  }

  /// Creates an evaluator.
  ///
  /// - Parameters:
  ///   - trials: The trials of one column, in the order of the suite.
  ///   - fill: What lost trials are taken for.
  package init(_ trials: some Sequence<Trial>, fill: Fill = .none) {
    self.init(units: CountingUnit.units(of: trials), fill: fill)
  }

  private init(
    units: [CountingUnit],
    fill: Fill,
    labels: LabelTables = LabelTables()
  ) {
    self.units = units
    self.fill = fill
    self.labels = labels
  }

  /// The same trials with lost ones taken for something else.
  package func filling(_ fill: Fill) -> MetricEvaluator {
    MetricEvaluator(units: units, fill: fill, labels: labels)
  }

  /// The cases of which at least one answer was judged.
  var answeredCases: Set<String> {
    Set(units.flatMap(\.cases).filter { $0.contains { !$0.isLost } }.compactMap(\.first?.caseID))
  }

  /// The same trials without those of all other cases.
  func keeping(_ cases: Set<String>) -> MetricEvaluator {
    MetricEvaluator(units.flatMap(\.trials).filter { cases.contains($0.caseID) }, fill: fill)
  }

  /// The estimate of a metric.
  package func estimate(_ metric: Metric) -> Estimate {
    if let tallies = tallies(metric) {
      return Estimate(rate: tallies.count(where: \.holds), of: tallies.count)
    }
    if case .series(let series, .percentile(let percent)) = metric.kind {
      return percentile(percent, of: series, in: answered(metric.tag))
    }
    if case .series(let series, let aggregate) = metric.kind, aggregate != .mean {
      return extreme(aggregate, of: series, in: selected(metric.tag))
    }
    return sums(metric).estimate
  }

  /// A unit that a rate counts, and whether the rate's statement holds for it.
  package struct Tally: Hashable, Sendable {
    package var key: CountingUnit.Key
    package var holds: Bool
  }

  /// What a rate counts, in the order of the suite; nil when the metric is no rate of cases.
  package func tallies(_ metric: Metric) -> [Tally]? {
    guard let rule = RateRule(metric) else { return nil }
    if fill == .none, case .scorer(let scorer, .perClass(let statistic)) = metric.kind,
      let label = metric.classLabel
    {
      return table(scorer, metric.tag).tallies(statistic, of: label)
    }
    return selected(metric.tag).compactMap { unit in
      rule.holds(for: unit, fill: fill).map { Tally(key: unit.key, holds: $0) }
    }
  }

  /// What a metric that is no rate sums up: ratios, statistics of labels, means of series.
  func sums(_ metric: Metric) -> SumStatistic {
    switch metric.kind {
    case .scorer(let scorer, .ratio(let numerator, let denominator)):
      SumStatistic(of: numerator, to: denominator, scorer: scorer, selected(metric.tag))
    case .scorer(let scorer, .perClass(let statistic)):
      SumStatistic(statistic, of: metric.classLabel, table(scorer, metric.tag))
    case .series(let series, _): SumStatistic(series, selected(metric.tag))
    case .accuracy, .unusableRate, .passRate, .scorer:
      preconditionFailure("a rate is counted, not summed")
    }
  }

  private func table(_ scorer: String, _ tag: String?) -> LabelTable {
    tag == nil ? labels.table(scorer, of: units) : LabelTable(selected(tag), scorer: scorer)
  }

  /// Whether the metric reads trials that were lost.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    selected(metric.tag).contains { $0.trials.contains(where: \.isLost) }
  }

  /// Whether the metric reads trials and all of them were lost.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    let trials = selected(metric.tag).flatMap(\.trials)
    return !trials.isEmpty && trials.allSatisfy(\.isLost)
  }

  private func selected(_ tag: String?) -> [CountingUnit] {
    guard let tag else { return units }
    return CountingUnit.units(of: units.lazy.flatMap(\.trials).filter { $0.tags.contains(tag) })
  }

  // MARK: Series

  /// The units of which at least one answer is there.
  private func answered(_ tag: String?) -> [CountingUnit] {
    selected(tag).filter { $0.trials.contains { $0.output != nil } }
  }

  /// The values of a series, or why they are unknown.
  private func values(of series: Series, in units: [CountingUnit]) -> Result<[Double], Unknown> {
    let outputs = units.flatMap { $0.trials.compactMap(\.output) }
    let values = outputs.compactMap(series.value)
    // One unknown cost makes the sum unknown: a number of the rest would look like the whole.
    guard values.count == outputs.count, !values.isEmpty else {
      let reason = outputs.isEmpty ? "there are no answers" : series.unknownReason
      return .failure(Unknown(estimate: Estimate(unknown: reason, n: values.count)))
    }
    return .success(values)
  }

  private struct Unknown: Error {
    var estimate: Estimate
  }

  private func percentile(_ percent: Double, of series: Series, in units: [CountingUnit])
    -> Estimate
  {
    switch values(of: series, in: units) {
    case .failure(let unknown): return unknown.estimate
    case .success(let values):
      guard let value = Percentile.of(percent, in: values) else {
        return Estimate(unknown: "there are no answers")
      }
      return Estimate(
        value,
        interval: RankInterval.of(percent, in: values, units: units.count),
        n: values.count
      )
    }
  }

  private func extreme(
    _ aggregate: MetricReference.Aggregate,
    of series: Series,
    in units: [CountingUnit]
  ) -> Estimate {
    switch values(of: series, in: units) {
    case .failure(let unknown): return unknown.estimate
    case .success(let values):
      let value: Double? =
        switch aggregate {
        case .max: values.max()
        case .min: values.min()
        default: values.reduce(0, +)
        }
      return value.map { Estimate($0, n: values.count) }
        ?? Estimate(unknown: "there are no answers")
    }
  }

  /// The one-sided bounds of a metric that is no rate, each at a confidence; nil where there are none.
  ///
  /// An end of a percentile that no order statistic bounds is infinite.
  package func bounds(_ metric: Metric, confidence: Double) -> Interval? {
    guard case .series(let series, .percentile(let percent)) = metric.kind else {
      return sums(metric).bounds(confidence: confidence)
    }
    let units = answered(metric.tag)
    guard case .success(let values) = values(of: series, in: units) else { return nil }
    return RankInterval.bounds(percent, in: values, units: units.count, confidence: confidence)
  }

  /// The values of a series with one for each unit that was answered: the mean of its answers; nil
  /// when one is unknown.
  func means(of series: Series, tag: String?) -> [(key: CountingUnit.Key, values: [Double])]? {
    var means: [(key: CountingUnit.Key, values: [Double])] = []
    for unit in selected(tag) {
      let outputs = unit.trials.compactMap(\.output)
      let values = outputs.compactMap(series.value)
      guard values.count == outputs.count else { return nil }
      if !values.isEmpty { means.append((unit.key, values)) }
    }
    return means
  }

  /// How many units a metric rests on.
  func unitCount(_ metric: Metric) -> Int {
    switch metric.kind {
    case .series: answered(metric.tag).count
    default: tallies(metric)?.count ?? sums(metric).count
    }
  }
}
