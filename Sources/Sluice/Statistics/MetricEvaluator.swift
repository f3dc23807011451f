/// Makes estimates of the trials of one column.
package struct MetricEvaluator: Sendable {
  let table: TrialTable
  /// What lost trials are taken for.
  private let fill: Fill

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
  package init(_ trials: [Trial], fill: Fill = .none) {
    self.init(TrialTable(trials), fill: fill)
  }

  private init(_ table: TrialTable, fill: Fill) {
    self.table = table
    self.fill = fill
  }

  /// The trials, in the order of the suite.
  package var trials: [Trial] { table.trials }

  /// The same trials with lost ones taken for something else.
  package func filling(_ fill: Fill) -> MetricEvaluator { MetricEvaluator(table, fill: fill) }

  /// The cases of which at least one answer was judged.
  var answeredCases: Set<String> {
    Set(table.groups.trials.filter { !table.isLost($0) }.map { table.trials[Int($0)].caseID })
  }

  /// The same trials without those of all other cases.
  func keeping(_ cases: Set<String>) -> MetricEvaluator {
    let all = table.groups.trials.map { table.trials[Int($0)] }
    return MetricEvaluator(all.filter { cases.contains($0.caseID) }, fill: fill)
  }

  /// The estimate of a metric.
  package func estimate(_ metric: Metric) -> Estimate {
    if let counts = counts(metric) { return Estimate(rate: counts.holding, of: counts.all) }
    if case .series(let series, .percentile(let percent)) = metric.kind {
      return percentile(percent, of: series, metric.tag)
    }
    if case .series(let series, let aggregate) = metric.kind, aggregate != .mean {
      return extreme(aggregate, of: series, metric.tag)
    }
    return sums(metric).estimate
  }

  // MARK: Rates

  /// A unit that a rate counts, and whether the rate's statement holds for it.
  package struct Tally: Hashable, Sendable {
    /// A trial of the unit, by its place in the table.
    var trial: Int32
    package var holds: Bool
  }

  /// Whether a metric is a rate of cases.
  package static func isRate(_ metric: Metric) -> Bool { RateRule(metric) != nil }

  /// How many cases, or clusters of cases, a rate counts, and for how many its statement holds; nil
  /// when the metric is no rate of cases.
  package func counts(_ metric: Metric) -> (holding: Int, all: Int)? {
    guard let rule = RateRule(metric) else { return nil }
    if let tallies = labelTallies(metric) {
      return (tallies.count(where: \.holds), tallies.count)
    }
    return RateRule.Applied(rule, to: table, fill: fill)
      .counts(table.groups(metric.tag), in: table)
  }

  /// What a rate counts, in the order of the suite; nil when the metric is no rate of cases.
  package func tallies(_ metric: Metric) -> [Tally]? {
    guard let rule = RateRule(metric) else { return nil }
    if let tallies = labelTallies(metric) { return tallies }
    let groups = table.groups(metric.tag)
    var tallies: [Tally] = []
    tallies.reserveCapacity(groups.count)
    RateRule.Applied(rule, to: table, fill: fill).forEachUnit(groups, in: table) {
      tallies.append(Tally(trial: $0, holds: $1))
    }
    return tallies
  }

  /// What a rate of a class of labels counts, where no lost trial plays a part.
  private func labelTallies(_ metric: Metric) -> [Tally]? {
    guard fill == .none, case .scorer(let scorer, .perClass(let statistic)) = metric.kind,
      let label = metric.classLabel
    else { return nil }
    return table.labels(scorer, metric.tag).tallies(statistic, of: label)
  }

  // MARK: Sums

  /// What a metric that is no rate sums up: ratios, statistics of labels, means of series.
  func sums(_ metric: Metric) -> SumStatistic {
    switch metric.kind {
    case .scorer(let scorer, .ratio(let numerator, let denominator)):
      SumStatistic(
        of: numerator,
        to: denominator,
        scorer: scorer,
        table.groups(metric.tag),
        in: table
      )
    case .scorer(let scorer, .perClass(let statistic)):
      SumStatistic(statistic, of: metric.classLabel, table.labels(scorer, metric.tag))
    case .scorer(let scorer, .labels(let statistic)):
      SumStatistic(statistic, table.labels(scorer, metric.tag), range: metric.range)
    case .scorer(let scorer, .balance(let parts, let among)):
      SumStatistic(
        meanOf: zip(parts, among).map { part, among in
          tallies(Metric(.scorer(scorer, .share(of: part, among: [among])), tag: metric.tag)) ?? []
        }
      )
    case .scorer(let scorer, .mean(let name, let unit, let scale)):
      SumStatistic(
        meanOf: name,
        within: scale,
        least: unit == .distance ? 0 : nil,
        scorer: scorer,
        table.groups(metric.tag),
        in: table
      )
    case .scorer(let scorer, .correlation(let correlation, let first, let second)):
      SumStatistic(
        correlation,
        of: first,
        with: second,
        scorer: scorer,
        table.groups(metric.tag),
        in: table
      )
    case .series(let series, _): SumStatistic(series, table.groups(metric.tag), in: table)
    case .accuracy, .unusableRate, .fallbackRate, .passRate, .scorer:
      preconditionFailure("a rate is counted, not summed")
    }
  }

  // MARK: Lost trials

  /// Whether the metric reads trials that were lost.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    guard table.examples.contains(where: \.isLost) else { return false }
    return table.groups(metric.tag).trials.contains(where: table.isLost)
  }

  /// Whether the metric reads trials and all of them were lost.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    let trials = table.groups(metric.tag).trials
    return !trials.isEmpty && trials.allSatisfy(table.isLost)
  }

  // MARK: Series

  /// How many units have at least one answer, by the measurements of any series.
  private func answeredCount(_ series: Series, _ tag: String?) -> Int {
    let (column, groups) = (table.column(series), table.groups(tag))
    if groups.isPlain { return groups.trials.count(where: column.isAnswered) }
    return (0..<groups.count).count { groups.trials(ofUnit: $0).contains(where: column.isAnswered) }
  }

  /// The values of a series, sorted, or why they are unknown.
  private func values(of series: Series, _ tag: String?) -> Result<[Double], Unknown> {
    // One unknown cost makes the sum unknown: a number of the rest would look like the whole.
    if let values = table.sorted(series, tag), !values.isEmpty { return .success(values) }
    let column = table.column(series)
    let trials = table.groups(tag).trials
    let known = trials.count { !column.values[Int($0)].isNaN }
    let hasAnswers =
      known > 0 || column.leavesOut || trials.contains { column.isUnknown[Int($0)] }
    let reason =
      hasAnswers ? table.unknownReason(of: series, trials) : "there are no answers"
    return .failure(Unknown(estimate: Estimate(unknown: reason, n: known)))
  }

  private struct Unknown: Error {
    var estimate: Estimate
  }

  private func percentile(_ percent: Double, of series: Series, _ tag: String?) -> Estimate {
    switch values(of: series, tag) {
    case .failure(let unknown): return unknown.estimate
    case .success(let values):
      guard let value = Percentile.of(percent, sorted: values) else {
        return Estimate(unknown: "there are no answers")
      }
      return Estimate(
        value,
        interval: RankInterval.of(percent, sorted: values, units: answeredCount(series, tag)),
        n: values.count
      )
    }
  }

  private func extreme(
    _ aggregate: MetricReference.Aggregate,
    of series: Series,
    _ tag: String?
  ) -> Estimate {
    switch values(of: series, tag) {
    case .failure(let unknown): return unknown.estimate
    case .success(let values):
      let value: Double? =
        switch aggregate {
        case .max: values.last
        case .min: values.first
        // In the order of the suite: that of the additions shows in the last digit.
        default: sum(of: series, tag)
        }
      return value.map { Estimate($0, n: values.count) }
        ?? Estimate(unknown: "there are no answers")
    }
  }

  private func sum(of series: Series, _ tag: String?) -> Double {
    let column = table.column(series)
    return table.groups(tag).trials.reduce(0) { sum, trial in
      let value = column.values[Int(trial)]
      return value.isNaN ? sum : sum + value
    }
  }

  /// The one-sided bounds of a metric that is no rate, each at a confidence; nil where there are none.
  ///
  /// An end of a percentile that no order statistic bounds is infinite.
  package func bounds(_ metric: Metric, confidence: Double) -> Interval? {
    guard case .series(let series, .percentile(let percent)) = metric.kind else {
      return sums(metric).bounds(confidence: confidence)
    }
    guard case .success(let values) = values(of: series, metric.tag) else { return nil }
    return RankInterval.bounds(
      percent,
      sorted: values,
      units: answeredCount(series, metric.tag),
      confidence: confidence
    )
  }

  /// The values of a series for each unit that was answered, with one of its trials; nil when one is
  /// unknown.
  func values(ofUnits series: Series, tag: String?) -> [(trial: Int32, values: [Double])]? {
    let column = table.column(series)
    let groups = table.groups(tag)
    var found: [(trial: Int32, values: [Double])] = []
    for unit in 0..<groups.count {
      let trials = groups.trials(ofUnit: unit)
      if trials.contains(where: { column.isUnknown[Int($0)] }) { return nil }
      let values = trials.map { column.values[Int($0)] }.filter { !$0.isNaN }
      if let first = trials.first, !values.isEmpty { found.append((first, values)) }
    }
    return found
  }

  /// How many units a metric rests on.
  func unitCount(_ metric: Metric) -> Int {
    switch metric.kind {
    case .series(let series, _): answeredCount(series, metric.tag)
    default: counts(metric)?.all ?? sums(metric).count
    }
  }
}
