import SluiceSupport
package import SluiceStatistics

/// The margin of a condition, such as 5 percentage points.
package struct Margin: Hashable, Sendable {
  /// The size in the unit of the metric; for a relative margin, a share of the baseline's value.
  package var size: Double
  package var isRelative: Bool

  /// The default margin: 5 percentage points.
  package static let usual = Margin(0.05)

  package init(_ size: Double, isRelative: Bool = false) {
    self.size = size
    self.isRelative = isRelative
  }

  func absolute(_ baseline: Double) -> Double { isRelative ? size * baseline.magnitude : size }
}

/// The comparison of metrics between a baseline and a candidate, case by case.
package struct PairedEvaluator: Sendable {
  /// The baseline and the candidate, with their cases paired.
  private struct Sides: Sendable {
    var baseline: MetricEvaluator
    var candidate: MetricEvaluator
    var cases: CasePairs

    init(_ baseline: MetricEvaluator, _ candidate: MetricEvaluator) {
      self.baseline = baseline
      self.candidate = candidate
      cases = CasePairs(baseline.table, candidate.table)
    }

    /// Returns these sides with other assumptions about lost trials.
    func filling(_ before: MetricEvaluator.Fill, _ after: MetricEvaluator.Fill) -> Sides {
      var sides = self
      sides.baseline = baseline.filling(before)
      sides.candidate = candidate.filling(after)
      return sides
    }
  }

  private let all: Sides
  /// Both sides, limited to the cases that have a judged answer on both sides.
  ///
  /// Sums are compared on these cases, because a lost case has no value.
  private let answered: Sides
  /// The confidence level of the intervals of differences.
  private let confidence: Double

  package init(
    baseline: MetricEvaluator,
    candidate: MetricEvaluator,
    confidence: Double = PairedChange.gateConfidence
  ) {
    self.confidence = confidence
    all = Sides(baseline, candidate)
    let (earlier, later) = (baseline.answeredCases, candidate.answeredCases)
    let both = earlier.intersection(later)
    answered =
      both.count == earlier.count && both.count == later.count
      ? all : Sides(baseline.keeping(both), candidate.keeping(both))
  }

  /// The assumption about lost trials on both sides.
  package enum Fill: Sendable, CaseIterable {
    /// Lost trials are left out.
    case none
    /// Lost trials count as right in the baseline, and as wrong in the candidate.
    case worst
    /// Lost trials count as wrong in the baseline, and as right in the candidate.
    case best
  }

  /// Returns the change of a metric; nil if there is nothing to compare.
  package func change(_ metric: Metric, margin: Margin, fill: Fill = .none) -> PairedChange? {
    let good: MetricEvaluator.Fill = metric.prefersSmall ? .notHolding : .holding
    let bad: MetricEvaluator.Fill = metric.prefersSmall ? .holding : .notHolding
    let sides =
      switch fill {
      case .none: all
      case .worst: all.filling(good, bad)
      case .best: all.filling(bad, good)
      }
    if let rule = RateRule(metric) {
      // If the answers determine which cases count, flips are only a part of the change.
      return rule.countsByAnswer
        ? shares(metric, fill == .none ? answered : sides, margin) : rates(metric, sides, margin)
    }
    if case .series(let series, .percentile(let percent)) = metric.kind {
      return percentile(percent, of: series, tag: metric.tag, margin)
    }
    if case .series(_, let aggregate) = metric.kind, aggregate != .mean { return nil }
    return sums(
      answered.baseline.sums(metric),
      answered.candidate.sums(metric),
      answered.cases,
      metric,
      margin
    )
  }

  /// Returns true if the change of a metric could depend on the results of lost trials.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    all.baseline.touchesLostTrials(metric) || all.candidate.touchesLostTrials(metric)
  }

  /// Returns true if one side has trials for the metric, and all of them were lost.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    all.baseline.hasOnlyLostTrials(metric) || all.candidate.hasOnlyLostTrials(metric)
  }

  // MARK: Rates

  private func rates(_ metric: Metric, _ sides: Sides, _ margin: Margin) -> PairedChange? {
    let prefersSmall = metric.prefersSmall
    let earlier = sides.cases.values(
      (sides.baseline.rateRows(metric) ?? []).lazy.map { ($0.trial, $0) }
    )
    var flips = FlipCount(isPlain: sides.cases.isPlain)
    for row in sides.candidate.rateRows(metric) ?? [] {
      let number = sides.cases.partner(of: row.trial)
      guard let was = earlier[number] else { continue }
      flips.add(
        was: (was.share, Int(was.repeats)),
        now: (row.share, Int(row.repeats)),
        cluster: sides.cases.cluster(ofCase: number) ?? 0,
        prefersSmall: prefersSmall
      )
    }
    guard flips.n > 0 else { return nil }
    let rate = flips.before / Double(flips.n)
    return flips.change(
      baseline: rate,
      candidate: flips.after / Double(flips.n),
      basis: .flips(harmful: flips.harmful, beneficial: flips.beneficial),
      margin: margin.absolute(rate),
      prefersSmall: prefersSmall,
      confidence: confidence
    )
  }

  /// The number of flips: the changes of cases from pass to fail, or from fail to pass.
  private struct FlipCount {
    private(set) var n = 0
    /// The sum, over all cases, of the share of repeats that pass in the baseline.
    private(set) var before = 0.0
    /// The sum, over all cases, of the share of repeats that pass in the candidate.
    private(set) var after = 0.0
    /// The number of cases that got worse.
    private(set) var harmful = 0
    /// The number of cases that got better.
    private(set) var beneficial = 0
    /// The number of judged pairs of trials.
    private var judged = 0.0
    private var mostRepeats = 1
    private var places: [Int32: Int] = [:]
    private var clusters: [FlipSample.Cluster] = []
    /// True if each case is a single, independent trial.
    ///
    /// If so, no clusters need to be stored.
    private let isPlain: Bool

    init(isPlain: Bool) { self.isPlain = isPlain }

    /// Adds a case, given the number of its repeats and the share that passes on each side.
    mutating func add(
      was: (share: Double, repeats: Int),
      now: (share: Double, repeats: Int),
      cluster: Int32,
      prefersSmall: Bool
    ) {
      n += 1
      before += was.share
      after += now.share
      let lost = was.share * (1 - now.share)
      let gained = now.share * (1 - was.share)
      let isLess = now.share < was.share - 1e-12
      let isMore = now.share > was.share + 1e-12
      harmful += (prefersSmall ? isMore : isLess) ? 1 : 0
      beneficial += (prefersSmall ? isLess : isMore) ? 1 : 0
      if isPlain { return }
      // If the runs have different numbers of repeats, the harmonic mean of the numbers counts.
      judged += 2 / (1 / Double(was.repeats) + 1 / Double(now.repeats))
      mostRepeats = max(mostRepeats, was.repeats, now.repeats)
      let place = places[cluster] ?? clusters.count
      if place == clusters.count {
        places[cluster] = place
        clusters.append(FlipSample.Cluster())
      }
      clusters[place].cases += 1
      clusters[place].harmful += prefersSmall ? gained : lost
      clusters[place].beneficial += prefersSmall ? lost : gained
    }

    /// Returns the change of a metric, based on the flips.
    func change(
      baseline: Double,
      candidate: Double,
      basis: PairedChange.Basis,
      margin: Double,
      prefersSmall: Bool,
      confidence: Double
    ) -> PairedChange {
      guard !isPlain, mostRepeats > 1 || clusters.count < n else {
        return PairedChange(
          baseline: baseline,
          candidate: candidate,
          flips: (harmful, beneficial),
          n: n,
          basis: basis,
          margin: margin,
          prefersSmall: prefersSmall,
          confidence: confidence
        )
      }
      return PairedChange(
        baseline: baseline,
        candidate: candidate,
        sample: FlipSample(clusters, judged: judged, repeats: mostRepeats),
        n: n,
        basis: basis,
        margin: margin,
        prefersSmall: prefersSmall,
        confidence: confidence
      )
    }
  }

  // MARK: Sums

  /// Compares a rate whose cases depend on the answers, such as precision.
  private func shares(_ metric: Metric, _ sides: Sides, _ margin: Margin) -> PairedChange? {
    let before = sides.baseline.rateRows(metric) ?? []
    let after = sides.candidate.rateRows(metric) ?? []
    let isSame =
      before.count == after.count
      && zip(before, after).allSatisfy {
        $0.weight == 1 && $1.weight == 1
          && sides.cases.number(of: $0.trial) == sides.cases.partner(of: $1.trial)
      }
    func sum(_ rows: [RateSample.Row], _ side: MetricEvaluator) -> SumStatistic {
      SumStatistic(rows, hasClusters: side.hasClusters)
    }
    return isSame
      ? rates(metric, sides, margin)
      : sums(
        sum(before, sides.baseline),
        sum(after, sides.candidate),
        sides.cases,
        metric,
        margin
      )
  }

  private func sums(
    _ before: SumStatistic,
    _ after: SumStatistic,
    _ cases: CasePairs,
    _ metric: Metric,
    _ margin: Margin
  ) -> PairedChange? {
    guard let was = before.value, let now = after.value else { return nil }
    let earlier = cases.values(before.contributions.lazy.map { ($0.trial, $0.value) })
    let later = cases.valuesOfPartners(after.contributions.lazy.map { ($0.trial, $0.value) })
    let sign: Double = metric.prefersSmall ? -1 : 1
    // If a case does not count on one side, its contribution there is the rate itself.
    var clusters: [Int32] = []
    var differences = before.contributions.map { one in
      clusters.append(one.cluster)
      return sign * ((later[cases.number(of: one.trial)] ?? now) - one.value)
    }
    for one in after.contributions where earlier[cases.partner(of: one.trial)] == nil {
      // Clusters come from the baseline. A case that the baseline lacks forms its own cluster.
      let own = cases.cluster(ofCase: cases.partner(of: one.trial))
      clusters.append(own ?? -1 - Int32(clusters.count))
      differences.append(sign * (one.value - was))
    }
    let bounds = metric.range.map { range in
      let width = range.upperBound - range.lowerBound
      return -width...width
    }
    let clusterCount = cases.isPlain ? differences.count : Set(clusters).count
    let inference = MeanInference(
      differences,
      clusters: clusterCount < differences.count ? clusters : nil,
      bounds: bounds,
      added: 1
    )
    guard let inference else { return nil }
    let difference = sign * (now - was)
    let interval = inference.interval(confidence)
    let margin = margin.absolute(was)
    var change = PairedChange(
      baseline: was,
      candidate: now,
      difference: difference,
      interval: Interval(
        low: min(difference, interval.low),
        high: max(difference, interval.high)
      ),
      confidence: confidence,
      n: differences.count,
      basis: .contributions,
      pWorse: inference.pAtLeast(0),
      pBeyondMargin: inference.pAtLeast(-margin),
      margin: margin,
      prefersSmall: metric.prefersSmall,
      inference: inference
    )
    if clusterCount < differences.count {
      change.clusters = clusterCount
      change.effectiveClusters = DesignEffect(clusters).effectiveClusters
    }
    return change
  }

  // MARK: Percentiles

  /// Compares a percentile by the number of cases over a limit.
  ///
  /// The limit is the baseline's percentile plus the margin.
  ///
  /// The candidate stays within the limit if at most the allowed share of its cases exceeds the
  /// limit, such as 5% for p95.
  private func percentile(
    _ percent: Double,
    of series: Series,
    tag: String?,
    _ margin: Margin
  ) -> PairedChange? {
    guard let before = answered.baseline.values(ofCases: series, tag: tag),
      let after = answered.candidate.values(ofCases: series, tag: tag),
      let was = answered.baseline.estimate(of: percent, series, tag),
      let now = answered.candidate.estimate(of: percent, series, tag)
    else { return nil }
    let limit = was + margin.absolute(was)
    func over(_ values: [Double]) -> Double {
      Double(values.count { $0 > limit }) / Double(values.count)
    }
    let earlier = answered.cases.values(before.lazy.map { ($0.trial, $0.values) })
    var flips = FlipCount(isPlain: answered.cases.isPlain)
    for one in after {
      let number = answered.cases.partner(of: one.trial)
      guard let old = earlier[number] else { continue }
      flips.add(
        was: (over(old), old.count),
        now: (over(one.values), one.values.count),
        cluster: answered.cases.cluster(ofCase: number) ?? 0,
        prefersSmall: true
      )
    }
    guard flips.n > 0 else { return nil }
    let allowed = 1 - percent / 100
    return flips.change(
      baseline: was,
      candidate: now,
      basis: .exceedances(harmful: flips.harmful, beneficial: flips.beneficial, limit: limit),
      margin: max(0, allowed - flips.before / Double(flips.n)),
      prefersSmall: true,
      confidence: confidence
    )
  }
}
