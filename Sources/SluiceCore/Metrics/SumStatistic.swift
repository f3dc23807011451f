import SluiceSupport
package import SluiceStatistics

/// A statistic based on sums over cases: a ratio, a label statistic or the mean of a series.
///
/// To find the contribution of a case, the value is computed without this case (the jackknife:
/// Quenouille 1956, Tukey 1958). Each case has a weight of 1, divided equally among its judged
/// repeats. Clusters do not change the value, but widen its interval (``ClusteredMean``).
package struct SumStatistic {
  /// The value; nil if it is unknown.
  private(set) var value: Double?
  /// The contribution of each case that counts.
  ///
  /// The mean of all contributions is approximately the value.
  package private(set) var contributions: [Contribution] = []
  /// The reason why the value is unknown.
  private var unknown = "there is nothing to count"
  /// The number of cases from which the value is computed.
  private var n = 0
  /// True if a cluster contains two or more cases.
  private var hasClusters = false
  /// The range of possible values.
  private var bounds: ClosedRange<Double>? = 0...1
  /// The minimum of a value without a maximum, such as 0 for an absolute error.
  private var least: Double?
  /// The factor from the mean over the cases to the estimate: the number of cases for a sum,
  /// otherwise 1.
  private var factor = 1.0
  /// True if the standard error is shown in addition to the interval.
  private var showsError = false
  /// For a correlation, the cluster number of each case; nil for other statistics.
  private var correlatedClusters: [Int32]?
  /// The interval of a correlation; nil for other statistics, whose interval is based on
  /// ``inference``.
  private var ownInterval: Interval?

  /// The contribution of a case.
  package struct Contribution {
    /// The index of one of the case's trials, which identifies the case.
    var trial: Int32
    /// The cluster number of the case.
    var cluster: Int32
    package var value: Double
  }

  /// Creates the ratio of two sums of a scorer's measurements.
  init(
    of numerator: [MetricDefinition.Term],
    to denominator: [MetricDefinition.Term],
    scorer: String,
    _ groups: UnitGroups,
    in table: TrialTable
  ) {
    // The contribution of a trial depends only on the kind of the trial.
    hasClusters = groups.hasClusters
    let kinds = table.examples.map { trial -> (part: Double, whole: Double, counts: Bool)? in
      guard let score = trial.score(of: scorer) else { return nil }
      func sum(_ terms: [MetricDefinition.Term]) -> Double {
        terms.reduce(0) { $0 + $1.weight * (score.measurement($1.name) ?? 0) }
      }
      let counts = denominator.contains { score.measurement($0.name) ?? 0 > 0 }
      return (sum(numerator), sum(denominator), counts)
    }
    var terms: [Term] = []
    terms.reserveCapacity(groups.caseCount)
    groups.forEachCase { cluster, trials in
      var (part, whole, judged, counts) = (0.0, 0.0, 0.0, false)
      for trial in trials {
        guard let kind = kinds[Int(table.kinds[Int(trial)])] else { continue }
        part += kind.part
        whole += kind.whole
        judged += 1
        counts = counts || kind.counts
      }
      if counts { n += 1 }
      if judged > 0 { terms.append(Term(trials[0], cluster, part / judged, whole / judged)) }
    }
    setRatio(terms)
  }

  /// Creates the share of passed scores among the passed and failed scores that are not advisory.
  ///
  /// The repeats of a case are averaged, so each case counts once.
  init(assertionsOf groups: UnitGroups, in table: TrialTable) {
    hasClusters = groups.hasClusters
    let kinds = table.examples.map { trial -> (passed: Double, all: Double)? in
      guard trial.isPassed != nil else { return nil }
      var (passed, all) = (0.0, 0.0)
      for named in trial.scores where !named.score.isAdvisory {
        switch named.score.outcome {
        case .passed: (passed, all) = (passed + 1, all + 1)
        case .failed: all += 1
        case .notApplicable, .unscored: break
        }
      }
      return all > 0 ? (passed, all) : nil
    }
    var terms: [Term] = []
    groups.forEachCase { cluster, trials in
      let values = trials.compactMap { kinds[Int(table.kinds[Int($0)])] }
      if values.isEmpty { return }
      n += 1
      let count = Double(values.count)
      let passed = values.reduce(0) { $0 + $1.passed } / count
      let all = values.reduce(0) { $0 + $1.all } / count
      terms.append(Term(trials[0], cluster, passed, all))
    }
    setRatio(terms)
  }

  /// Creates a statistic of one class; if `label` is nil, the mean of the statistic over all
  /// classes.
  init(_ statistic: MetricDefinition.ClassStatistic, of label: String?, _ table: LabelTable) {
    hasClusters = table.hasClusters
    if let label {
      // Cases of other classes say nothing about this class, and would inflate the sample.
      let terms = table.fractions(statistic, of: label)
      n = terms.count
      setRatio(terms)
      return
    }
    guard let (whole, without) = table.mean(statistic) else { return }
    n = table.caseCount
    set(whole, without)
  }

  /// Creates a statistic over all classes of labels.
  init(
    _ statistic: MetricDefinition.LabelStatistic,
    _ table: LabelTable,
    range: ClosedRange<Double>?
  ) {
    bounds = range
    hasClusters = table.hasClusters
    n = table.caseCount
    if n > 0 { unknown = "all labels are the same" }
    guard let (whole, without) = table.value(statistic) else { return }
    set(whole, without)
  }

  /// Creates the mean of several shares.
  init(meanOf shares: [[RateSample.Row]], hasClusters: Bool) {
    self.hasClusters = hasClusters
    n = shares.reduce(0) { $0 + $1.count }
    guard shares.allSatisfy({ !$0.isEmpty }) else { return }
    let sums = shares.map { share in
      (part: share.reduce(0) { $0 + $1.holding }, whole: share.reduce(0) { $0 + $1.weight })
    }
    let rates = sums.map { $0.part / $0.whole }
    let whole = rates.reduce(0, +) / Double(shares.count)
    var without: [Contribution] = []
    for (share, (sum, rate)) in zip(shares, zip(sums, rates)) {
      for row in share {
        let rest = sum.whole - row.weight
        let value = share.count > 1 && rest > 0 ? (sum.part - row.holding) / rest : rate
        without.append(
          Contribution(
            trial: row.trial,
            cluster: row.cluster,
            value: whole + (value - rate) / Double(shares.count)
          )
        )
      }
    }
    set(whole, without)
  }

  /// Creates the mean of a scorer's measurement, whose scale may be bounded.
  init(
    meanOf name: String,
    within scale: ClosedRange<Double>?,
    least: Double? = nil,
    scorer: String,
    _ groups: UnitGroups,
    in table: TrialTable
  ) {
    bounds = scale
    hasClusters = groups.hasClusters
    self.least = least
    showsError = scale == nil && least == nil
    let kinds = table.examples.map { $0.score(of: scorer)?.measurement(name) }
    var terms: [Term] = []
    groups.forEachCase { cluster, trials in
      let values = trials.compactMap { kinds[Int(table.kinds[Int($0)])] }
      guard !values.isEmpty else { return }
      n += 1
      terms.append(Term(trials[0], cluster, values.reduce(0, +) / Double(values.count), 1))
    }
    setRatio(terms)
  }

  /// Creates the sum of a scorer's measurement over the cases.
  ///
  /// Each case contributes the mean of its repeats.
  init(sumOf name: String, scorer: String, _ groups: UnitGroups, in table: TrialTable) {
    self.init(meanOf: name, within: nil, scorer: scorer, groups, in: table)
    factor = Double(n)
  }

  /// Creates a correlation of two measurements of a scorer, with all cases weighted equally.
  init(
    _ correlation: MetricDefinition.Correlation,
    of first: String,
    with second: String,
    scorer: String,
    _ groups: UnitGroups,
    in table: TrialTable
  ) {
    bounds = -1...1
    let kinds = table.examples.map { trial -> (Double, Double)? in
      guard let score = trial.score(of: scorer), let x = score.measurement(first),
        let y = score.measurement(second)
      else { return nil }
      return (x, y)
    }
    var cases: [[(Double, Double)]] = []
    var clusters: [Int32] = []
    groups.forEachCase { cluster, trials in
      let values = trials.compactMap { kinds[Int(table.kinds[Int($0)])] }
      if values.isEmpty { return }
      cases.append(values)
      clusters.append(cluster)
    }
    n = cases.count
    if n > 0 { unknown = "all expected numbers, or all given numbers, are the same" }
    let pairs = Self.weighed(cases)
    let (x, y) = (pairs.map(\.0), pairs.map(\.1))
    switch correlation {
    case .pearson: value = Correlation.pearson(x, y)
    case .spearman: value = Correlation.spearman(x, y)
    case .kendall: value = Correlation.kendallTauB(x, y)
    }
    guard let value else { return }
    hasClusters = groups.hasClusters
    correlatedClusters = clusters
    let means = cases.map { values in
      let count = Double(values.count)
      return (values.reduce(0) { $0 + $1.0 } / count, values.reduce(0) { $0 + $1.1 } / count)
    }
    ownInterval = Correlation.interval(
      value,
      kind: correlation.kind,
      means.map(\.0),
      means.map(\.1),
      clusters: hasClusters ? clusters : nil
    )
  }

  /// Repeats the values of cases so that all cases have the same weight.
  ///
  /// If cases have 2 and 3 values, the 2 values occur three times each, and the 3 values twice.
  private static func weighed<Value>(_ cases: [[Value]]) -> [Value] {
    let counts = Set(cases.map(\.count))
    guard counts.count > 1 else { return cases.flatMap(\.self) }
    let common = counts.reduce(1) { multiple, count in
      var (a, b) = (multiple, count)
      while b > 0 { (a, b) = (b, a % b) }
      return multiple / a * count
    }
    return cases.flatMap { values in
      (0..<common / values.count).flatMap { _ in values }
    }
  }

  /// Sets the value and the contributions.
  ///
  /// `without` contains, for each case, the value that results if this case is left out.
  private mutating func set(_ whole: Double, _ without: [Contribution]) {
    value = whole
    let count = Double(without.count)
    contributions = without.map { one in
      var contribution = one
      // If there is only one case, its contribution is the value.
      contribution.value =
        without.count > 1 ? count * whole - (count - 1) * one.value : whole
      return contribution
    }
  }

  /// Creates the mean of a series over the answers with a tag, or over all answers if the tag is
  /// nil.
  init(_ series: Series, tag: String?, in table: TrialTable) {
    let groups = table.groups(tag)
    bounds = nil
    hasClusters = groups.hasClusters
    // Times, costs and token counts cannot be negative.
    least = 0
    let column = table.column(series)
    var terms: [Term] = []
    terms.reserveCapacity(groups.caseCount)
    var isUnknown = false
    groups.forEachCase { cluster, trials in
      var (sum, count) = (0.0, 0.0)
      for trial in trials {
        if column.isUnknown[Int(trial)] { isUnknown = true }
        let value = column.values[Int(trial)]
        if value.isNaN { continue }
        sum += value
        count += 1
      }
      if count > 0 { terms.append(Term(trials[0], cluster, sum / count, 1)) }
    }
    n = terms.count
    // One unknown cost makes the sum unknown, because the sum of the other costs would be
    // misleading.
    if !isUnknown { setRatio(terms) }
    if value == nil {
      unknown =
        n == 0 && !isUnknown && !column.leavesOut
        ? "there are no answers" : table.unknownReason(of: series, tag)
    }
  }

  /// Creates a rate whose cases depend on the answers, such as precision.
  init(_ rows: [RateSample.Row], hasClusters: Bool) {
    self.hasClusters = hasClusters
    n = rows.count
    setRatio(rows.map { Term($0.trial, $0.cluster, $0.holding, $0.weight) })
  }

  /// The amounts that a case contributes to the numerator and the denominator.
  struct Term {
    var trial: Int32
    var cluster: Int32
    var part: Double
    var whole: Double

    init(_ trial: Int32, _ cluster: Int32, _ part: Double, _ whole: Double) {
      self.trial = trial
      self.cluster = cluster
      self.part = part
      self.whole = whole
    }
  }

  private mutating func setRatio(_ terms: [Term]) {
    let terms = terms.filter { $0.part != 0 || $0.whole != 0 }
    let part = terms.reduce(0) { $0 + $1.part }
    let whole = terms.reduce(0) { $0 + $1.whole }
    guard whole > 0 else { return }
    let ratio = part / whole
    value = ratio
    let count = Double(terms.count)
    contributions = terms.map { term in
      // If there is only one case, its contribution is the value.
      let rest = whole - term.whole
      let without = terms.count > 1 && rest > 1e-12 ? (part - term.part) / rest : ratio
      return Contribution(
        trial: term.trial,
        cluster: term.cluster,
        value: count * ratio - (count - 1) * without
      )
    }
  }

  /// The number of cases that contribute.
  package var count: Int { contributions.count }

  /// The number of clusters that the cases belong to.
  var clusters: Int {
    if let correlatedClusters { return hasClusters ? Set(correlatedClusters).count : n }
    return hasClusters ? Set(contributions.map(\.cluster)).count : count
  }

  /// The value with its 95% interval.
  package var estimate: Estimate {
    guard let value else { return Estimate(unknown: unknown, n: n) }
    let inference = inference
    let clusters = clusters
    if let ownInterval {
      return Estimate(value, interval: ownInterval, n: n, clusters: clusters)
    }
    let interval = inference?.interval(0.95)
    let hasError = showsError || clusters < count
    return Estimate(
      value * factor,
      interval: interval.map { interval in
        Interval(
          low: factor * min(value, max(interval.low, bounds?.lowerBound ?? least ?? -.infinity)),
          high: factor * max(value, min(interval.high, bounds?.upperBound ?? .infinity))
        )
      },
      n: n,
      clusters: correlatedClusters == nil ? n - count + clusters : clusters,
      standardError: hasError ? inference?.standardError.map { $0 * factor } : nil
    )
  }

  /// The inference about the value; nil if the cases do not vary and the value has no bounds.
  private var inference: MeanInference? {
    let inference = MeanInference(
      contributions.map(\.value),
      clusters: clusters < count ? contributions.map(\.cluster) : nil,
      bounds: bounds
    )
    return inference?.hasSpread == true ? inference : nil
  }

  /// Returns the one-sided bounds of the value, each at the given confidence; nil if there are
  /// none.
  func bounds(confidence: Double) -> Interval? {
    guard let interval = inference?.interval(2 * confidence - 1) else { return nil }
    return Interval(
      low: max(interval.low, bounds?.lowerBound ?? least ?? -.infinity),
      high: min(interval.high, bounds?.upperBound ?? .infinity)
    )
  }
}

extension MetricDefinition.Correlation {
  fileprivate var kind: Correlation.Kind {
    switch self {
    case .pearson: .pearson
    case .spearman: .spearman
    case .kendall: .kendall
    }
  }
}

extension Score {
  /// Returns a measurement as a number; Booleans count as 1 and 0.
  func measurement(_ name: String) -> Double? {
    measurements[name]?.bool.map { $0 ? 1 : 0 } ?? measurements[name]?.number
  }
}
