import SluiceSupport
package import SluiceStatistics

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
    if let rate = rate(metric) {
      let isOfOutcomes =
        switch metric.kind {
        case .accuracy, .ofRepeats: true
        default: false
        }
      if isOfOutcomes, rate.cases == 0, table.examples.contains(where: { $0.outcome == .unjudged })
      {
        return Estimate(unknown: "no scorer judges the answers")
      }
      return rate.estimate
    }
    if case .series(let series, .percentile(let percent)) = metric.kind {
      return percentile(percent, of: series, metric.tag)
    }
    if case .series(let series, let aggregate) = metric.kind, aggregate != .mean {
      return extreme(aggregate, of: series, metric.tag)
    }
    if case .scorer(let scorer, .median(let name)) = metric.kind {
      return median(of: name, scorer, metric.tag)
    }
    return sums(metric).estimate
  }

  /// The median of a measurement, with the interval that two of its values make.
  private func median(of name: String, _ scorer: String, _ tag: String?) -> Estimate {
    let measurements = table.examples.map { $0.score(of: scorer)?.measurement(name) }
    var cases: [CaseValues] = []
    table.groups(tag).forEachCase { cluster, trials in
      let values = trials.compactMap { measurements[Int(table.kinds[Int($0)])] }
      if values.isEmpty { return }
      cases.append(CaseValues(trial: trials[0], cluster: cluster, values: values))
    }
    let sorted = cases.flatMap(\.values).sorted()
    guard let sample = Self.sample(50, cases, sorted) else {
      return Estimate(unknown: "there is nothing to count")
    }
    return Estimate(
      sample.value,
      interval: RankInterval.of(50, sorted: sorted, units: sample.units(tail: 0.025)),
      n: sample.cases,
      clusters: sample.clusters
    )
  }

  // MARK: Rates

  /// Whether a metric is a rate of cases.
  package static func isRate(_ metric: Metric) -> Bool { RateRule(metric) != nil }

  /// The sample of the cases that a rate counts; nil when the metric is no rate of cases.
  package func rate(_ metric: Metric) -> RateSample? {
    guard let rule = RateRule(metric) else { return nil }
    if let rows = labelRows(metric) { return RateSample(rows) }
    return RateRule.Applied(rule, to: table, fill: fill)
      .sample(table.groups(metric.tag), in: table)
  }

  /// The cases that a rate counts, in the order of the suite; nil when the metric is no rate of cases.
  package func rateRows(_ metric: Metric) -> [RateSample.Row]? {
    guard let rule = RateRule(metric) else { return nil }
    if let rows = labelRows(metric) { return rows }
    let groups = table.groups(metric.tag)
    var rows: [RateSample.Row] = []
    rows.reserveCapacity(groups.caseCount)
    RateRule.Applied(rule, to: table, fill: fill).forEachRow(groups, in: table) { rows.append($0) }
    return rows
  }

  /// The cases that a rate of a class of labels counts, where no lost trial plays a part.
  private func labelRows(_ metric: Metric) -> [RateSample.Row]? {
    guard fill == .none, case .scorer(let scorer, .perClass(let statistic)) = metric.kind,
      let label = metric.classLabel
    else { return nil }
    return table.labels(scorer, metric.tag).rows(statistic, of: label)
  }

  /// True when cases of the dataset come in clusters of two or more.
  package var hasClusters: Bool { table.groups.hasClusters }

  /// The number of equally large clusters that the cases which a metric rests on are worth.
  package func effectiveClusters(_ metric: Metric) -> Double {
    if let rate = rate(metric) { return rate.effectiveClusters }
    let clusters: [Int32]
    if case .series(let series, _) = metric.kind {
      clusters = values(ofCases: series, tag: metric.tag)?.map(\.cluster) ?? []
    } else {
      clusters = sums(metric).contributions.map(\.cluster)
    }
    return DesignEffect(clusters).effectiveClusters
  }

  // MARK: Sums

  /// What a metric that is no rate sums up: ratios, statistics of labels, means of series.
  package func sums(_ metric: Metric) -> SumStatistic {
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
          rateRows(Metric(.scorer(scorer, .share(of: part, among: [among])), tag: metric.tag)) ?? []
        },
        hasClusters: table.groups(metric.tag).hasClusters
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
    case .scorer(let scorer, .sum(let name)):
      SumStatistic(sumOf: name, scorer: scorer, table.groups(metric.tag), in: table)
    case .scorer(let scorer, .median(let name)):
      SumStatistic(
        meanOf: name,
        within: nil,
        scorer: scorer,
        table.groups(metric.tag),
        in: table
      )
    case .series(let series, _): SumStatistic(series, table.groups(metric.tag), in: table)
    case .assertionRate: SumStatistic(assertionsOf: table.groups(metric.tag), in: table)
    case .accuracy, .ofRepeats, .unusableRate, .fallbackRate, .passRate, .scorer:
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

  /// The number of cases with at least one answer, by the measurements of any series.
  private func answeredCount(_ series: Series, _ tag: String?) -> Int {
    let (column, groups) = (table.column(series), table.groups(tag))
    if groups.isPlain { return groups.trials.count(where: column.isAnswered) }
    var count = 0
    groups.forEachCase { _, trials in
      if trials.contains(where: column.isAnswered) { count += 1 }
    }
    return count
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
      guard let sample = percentileSample(percent, of: series, tag, values) else {
        return Estimate(unknown: "there are no answers")
      }
      return Estimate(
        sample.value,
        interval: RankInterval.of(percent, sorted: values, units: sample.units(tail: 0.025)),
        n: sample.cases,
        clusters: sample.clusters
      )
    }
  }

  /// The percentile of a series; nil where it is unknown.
  func estimate(of percent: Double, _ series: Series, _ tag: String?) -> Double? {
    percentile(percent, of: series, tag).value
  }

  /// A percentile, each judged repeat having the weight of 1 over those of its case.
  private struct PercentileSample {
    var value: Double
    var cases: Int
    var clusters: Int
    /// The number of measurements.
    var count: Int
    /// The cases at or below the percentile, by cluster; nil where each case is one
    /// measurement.
    var below: RateSample?

    /// The number of independent measurements that the sample is worth for an end of an interval
    /// (Woodruff 1952, "Confidence intervals for medians and other position measures").
    func units(tail: Double) -> Int {
      guard let below else { return count }
      return min(count, max(1, Int(below.effectiveCases(tail: tail))))
    }
  }

  private func percentileSample(
    _ percent: Double,
    of series: Series,
    _ tag: String?,
    _ sorted: [Double]
  ) -> PercentileSample? {
    let groups = table.groups(tag)
    guard !groups.isPlain, let cases = values(ofCases: series, tag: tag) else {
      return Percentile.of(percent, sorted: sorted).map {
        PercentileSample(
          value: $0,
          cases: sorted.count,
          clusters: sorted.count,
          count: sorted.count
        )
      }
    }
    return Self.sample(percent, cases, sorted)
  }

  /// The percentile of the values of cases, which are given sorted, too.
  private static func sample(
    _ percent: Double,
    _ cases: [CaseValues],
    _ sorted: [Double]
  ) -> PercentileSample? {
    let isEven = cases.allSatisfy { $0.values.count == cases[0].values.count }
    let value =
      isEven
      ? Percentile.of(percent, sorted: sorted)
      : Percentile.of(
        percent,
        weighted: cases.flatMap { one in one.values.map { ($0, 1 / Double(one.values.count)) } }
      )
    guard let value else { return nil }
    let below = RateSample(
      cases.map { one in
        RateSample.Row(
          trial: one.trial,
          cluster: one.cluster,
          holding: Double(one.values.count { $0 <= value }) / Double(one.values.count),
          weight: 1,
          repeats: Int32(one.values.count)
        )
      }
    )
    return PercentileSample(
      value: value,
      cases: cases.count,
      clusters: below.clusters,
      count: sorted.count,
      below: below
    )
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
      return value.map { Estimate($0, n: answeredCount(series, tag)) }
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
    guard let sample = percentileSample(percent, of: series, metric.tag, values) else { return nil }
    return RankInterval.bounds(
      percent,
      sorted: values,
      units: sample.units(tail: 1 - confidence),
      confidence: confidence
    )
  }

  /// The values of a series for each case that was answered; nil when one is unknown.
  func values(ofCases series: Series, tag: String?) -> [CaseValues]? {
    let column = table.column(series)
    var found: [CaseValues] = []
    var isUnknown = false
    table.groups(tag).forEachCase { cluster, trials in
      if trials.contains(where: { column.isUnknown[Int($0)] }) { isUnknown = true }
      let values = trials.map { column.values[Int($0)] }.filter { !$0.isNaN }
      if !values.isEmpty {
        found.append(CaseValues(trial: trials[0], cluster: cluster, values: values))
      }
    }
    return isUnknown ? nil : found
  }

  /// The measurements of a case.
  struct CaseValues {
    /// A trial of the case.
    var trial: Int32
    /// The number of the cluster that the case belongs to.
    var cluster: Int32
    var values: [Double]
  }

  /// The number of cases that a metric rests on.
  package func caseCount(_ metric: Metric) -> Int {
    switch metric.kind {
    case .series(let series, _): answeredCount(series, metric.tag)
    default: rate(metric)?.cases ?? sums(metric).count
    }
  }
}
