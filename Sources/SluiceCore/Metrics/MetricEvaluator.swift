import SluiceSupport
package import SluiceStatistics

/// The evaluator of metrics on the trials of one column (a prompt with a backend).
package struct MetricEvaluator: Sendable {
  let table: TrialTable
  /// The assumption about the results of lost trials.
  private let fill: Fill

  /// The assumption about the results of lost trials.
  package enum Fill: Sendable {
    /// Lost trials are left out.
    case none
    /// Lost trials are assumed to have the property that a rate counts, such as passing.
    case holding
    /// Lost trials are assumed not to have the property that a rate counts.
    case notHolding
  }

  /// Creates an evaluator.
  ///
  /// - Parameters:
  ///   - trials: The trials of one column, in suite order.
  ///   - fill: The assumption about lost trials.
  package init(_ trials: [Trial], fill: Fill = .none) {
    self.init(TrialTable(trials), fill: fill)
  }

  private init(_ table: TrialTable, fill: Fill) {
    self.table = table
    self.fill = fill
  }

  /// The trials, in suite order.
  package var trials: [Trial] { table.trials }

  /// Returns an evaluator of the same trials with another assumption about lost trials.
  package func filling(_ fill: Fill) -> MetricEvaluator { MetricEvaluator(table, fill: fill) }

  /// The cases that have at least one judged answer.
  var answeredCases: Set<String> {
    Set(table.groups.trials.filter { !table.isLost($0) }.map { table.trials[Int($0)].caseID })
  }

  /// Returns an evaluator that uses only the trials of the given cases.
  func keeping(_ cases: Set<String>) -> MetricEvaluator {
    let all = table.groups.trials.map { table.trials[Int($0)] }
    return MetricEvaluator(all.filter { cases.contains($0.caseID) }, fill: fill)
  }

  /// Returns the estimate of a metric.
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

  /// Returns the median of a scorer's measurement, with a distribution-free interval.
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

  /// Returns true if a metric is a rate of cases.
  package static func isRate(_ metric: Metric) -> Bool { RateRule(metric) != nil }

  /// Returns the cases that a rate counts, as a sample; nil if the metric is not a rate of cases.
  package func rate(_ metric: Metric) -> RateSample? {
    guard let rule = RateRule(metric) else { return nil }
    if let rows = labelRows(metric) { return RateSample(rows) }
    return RateRule.Applied(rule, to: table, fill: fill)
      .sample(table.groups(metric.tag), in: table)
  }

  /// Returns the cases that a rate counts, in suite order; nil if the metric is not a rate of
  /// cases.
  package func rateRows(_ metric: Metric) -> [RateSample.Row]? {
    guard let rule = RateRule(metric) else { return nil }
    if let rows = labelRows(metric) { return rows }
    let groups = table.groups(metric.tag)
    var rows: [RateSample.Row] = []
    rows.reserveCapacity(groups.caseCount)
    RateRule.Applied(rule, to: table, fill: fill).forEachRow(groups, in: table) { rows.append($0) }
    return rows
  }

  /// Returns the cases that a per-class rate, such as recall, counts.
  ///
  /// Returns nil for other metrics, and if lost trials are not left out.
  private func labelRows(_ metric: Metric) -> [RateSample.Row]? {
    guard fill == .none, case .scorer(let scorer, .perClass(let statistic)) = metric.kind,
      let label = metric.classLabel
    else { return nil }
    return table.labels(scorer, metric.tag).rows(statistic, of: label)
  }

  /// True if a cluster of the dataset contains two or more cases.
  package var hasClusters: Bool { table.groups.hasClusters }

  /// Returns the effective number of clusters among the cases of a metric.
  ///
  /// If the clusters differ in size, the effective number is smaller than the number of clusters.
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

  /// Returns the statistic of a metric that is not a rate, such as a ratio, a mean or a
  /// correlation.
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
    case .series(let series, _): SumStatistic(series, tag: metric.tag, in: table)
    case .assertionRate: SumStatistic(assertionsOf: table.groups(metric.tag), in: table)
    case .accuracy, .ofRepeats, .unusableRate, .fallbackRate, .passRate, .scorer:
      preconditionFailure("a rate is counted, not summed")
    }
  }

  // MARK: Lost trials

  /// Returns true if the results of lost trials could change the metric.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    guard table.examples.contains(where: \.isLost) else { return false }
    return table.groups(metric.tag).trials.contains(where: table.isLost)
  }

  /// Returns true if the metric has trials, and all of them were lost.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    let trials = table.groups(metric.tag).trials
    return !trials.isEmpty && trials.allSatisfy(table.isLost)
  }

  // MARK: Series

  /// Returns the number of cases that have an answer.
  private func answeredCount(_ series: Series, _ tag: String?) -> Int {
    let (column, groups) = (table.column(series), table.groups(tag))
    if groups.isPlain { return groups.trials.count(where: column.isAnswered) }
    var count = 0
    groups.forEachCase { _, trials in
      if trials.contains(where: column.isAnswered) { count += 1 }
    }
    return count
  }

  /// Returns the sorted values of a series, or the reason why they are unknown.
  private func values(of series: Series, _ tag: String?) -> Result<[Double], Unknown> {
    // One unknown cost makes the sum unknown, because the sum of the other costs would be
    // misleading.
    if let values = table.sorted(series, tag), !values.isEmpty { return .success(values) }
    let column = table.column(series)
    let trials = table.groups(tag).trials
    let known = trials.count { !column.values[Int($0)].isNaN }
    let hasAnswers =
      known > 0 || column.leavesOut || trials.contains { column.isUnknown[Int($0)] }
    let reason =
      hasAnswers ? table.unknownReason(of: series, tag) : "there are no answers"
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

  /// Returns a percentile of a series; nil if the percentile is unknown.
  func estimate(of percent: Double, _ series: Series, _ tag: String?) -> Double? {
    percentile(percent, of: series, tag).value
  }

  /// A percentile of measurements.
  ///
  /// Each case has a weight of 1, divided equally among its repeats.
  private struct PercentileSample {
    var value: Double
    var cases: Int
    var clusters: Int
    /// The total number of measurements.
    var count: Int
    /// For each case, the share of its measurements that are at or below the percentile.
    ///
    /// Nil if each case has one measurement and no cluster.
    var below: RateSample?

    /// Returns the equivalent number of independent measurements for one end of an interval
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

  /// Returns the percentile of the values of cases.
  ///
  /// - Parameters:
  ///   - percent: The percentile, between 0 and 100.
  ///   - cases: The values, by case.
  ///   - sorted: All values, in ascending order.
  /// - Returns: The percentile; nil if there are no values.
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
        // Added in a fixed order, because the order of addition affects the last digit of a sum.
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

  /// Returns the one-sided bounds of a metric that is not a rate, each at the given confidence; nil
  /// if there are none.
  ///
  /// For a percentile, an end is infinite if there are too few measurements to bound it.
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

  /// Returns the values of a series for each case that has an answer; nil if a value is unknown.
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
    /// The index of one of the case's trials.
    var trial: Int32
    /// The cluster number of the case.
    var cluster: Int32
    var values: [Double]
  }

  /// Returns the number of cases from which a metric is computed.
  package func caseCount(_ metric: Metric) -> Int {
    switch metric.kind {
    case .series(let series, _): answeredCount(series, metric.tag)
    default: rate(metric)?.cases ?? sums(metric).count
    }
  }
}
