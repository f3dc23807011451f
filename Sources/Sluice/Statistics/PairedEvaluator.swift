/// A margin as a condition gives it.
package struct Margin: Hashable, Sendable {
  /// A share of 1, or of the baseline's value.
  package var size: Double
  package var isRelative: Bool

  /// Where nobody asks for another one: 5 points.
  package static let usual = Margin(0.05)

  package init(_ size: Double, isRelative: Bool = false) {
    self.size = size
    self.isRelative = isRelative
  }

  func absolute(_ baseline: Double) -> Double { isRelative ? size * baseline.magnitude : size }
}

/// Compares metrics of two lists of trials that hold the same cases.
package struct PairedEvaluator: Sendable {
  private let baseline: MetricEvaluator
  private let candidate: MetricEvaluator
  /// Both sides with the cases alone that both answered: what sums compare, as a lost case has no
  /// number.
  private let answered: (baseline: MetricEvaluator, candidate: MetricEvaluator)
  /// How sure the interval of a difference is: one-sided 5% at each end.
  private static let confidence = 0.9

  package init(baseline: MetricEvaluator, candidate: MetricEvaluator) {
    self.baseline = baseline
    self.candidate = candidate
    let (earlier, later) = (baseline.answeredCases, candidate.answeredCases)
    let both = earlier.intersection(later)
    answered =
      both.count == earlier.count && both.count == later.count
      ? (baseline, candidate) : (baseline.keeping(both), candidate.keeping(both))
  }

  /// What lost trials are taken for.
  package enum Fill: Sendable, CaseIterable {
    /// They are left out.
    case none
    /// Lost trials of the baseline were right, those of the candidate wrong.
    case worst
    /// Lost trials of the baseline were wrong, those of the candidate right.
    case best
  }

  /// How a metric changed; nil where nothing can be compared.
  package func change(_ metric: Metric, margin: Margin, fill: Fill = .none) -> PairedChange? {
    let good: MetricEvaluator.Fill = metric.prefersSmall ? .notHolding : .holding
    let bad: MetricEvaluator.Fill = metric.prefersSmall ? .holding : .notHolding
    var sides = (baseline, candidate)
    switch fill {
    case .none: break
    case .worst: sides = (baseline.filling(good), candidate.filling(bad))
    case .best: sides = (baseline.filling(bad), candidate.filling(good))
    }
    if let before = sides.0.tallies(metric), let after = sides.1.tallies(metric) {
      // Where another prompt makes other cases count, their flips are not all that changed.
      if RateRule(metric)?.countsByAnswer == true {
        return shares(metric, fill == .none ? answered : sides, margin)
      }
      return rates(before, after, margin, prefersSmall: metric.prefersSmall)
    }
    if case .series(let series, .percentile(let percent)) = metric.kind {
      return percentile(percent, of: series, tag: metric.tag, margin)
    }
    if case .series(_, let aggregate) = metric.kind, aggregate != .mean { return nil }
    return sums(
      answered.baseline.sums(metric),
      answered.candidate.sums(metric),
      metric,
      margin
    )
  }

  /// Whether the change of a metric reads trials that were lost.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    baseline.touchesLostTrials(metric) || candidate.touchesLostTrials(metric)
  }

  /// Whether the change of a metric reads trials and all of them were lost, on one of the sides.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    baseline.hasOnlyLostTrials(metric) || candidate.hasOnlyLostTrials(metric)
  }

  // MARK: Rates

  private func rates(
    _ before: [MetricEvaluator.Tally],
    _ after: [MetricEvaluator.Tally],
    _ margin: Margin,
    prefersSmall: Bool
  ) -> PairedChange? {
    let earlier = Dictionary(before.map { ($0.key, $0.holds) }) { first, _ in first }
    var (held, holds, lost, gained, n) = (0, 0, 0, 0, 0)
    for tally in after {
      guard let was = earlier[tally.key] else { continue }
      n += 1
      held += was ? 1 : 0
      holds += tally.holds ? 1 : 0
      if was, !tally.holds { lost += 1 }
      if !was, tally.holds { gained += 1 }
    }
    guard n > 0 else { return nil }
    let (harmful, beneficial) = prefersSmall ? (gained, lost) : (lost, gained)
    let rate = Double(held) / Double(n)
    let margin = margin.absolute(rate)
    return PairedChange(
      baseline: rate,
      candidate: Double(holds) / Double(n),
      flips: (harmful, beneficial),
      n: n,
      basis: .flips(harmful: harmful, beneficial: beneficial),
      margin: margin,
      prefersSmall: prefersSmall
    )
  }

  // MARK: Sums

  /// A rate of which the answers tell which cases count.
  private func shares(
    _ metric: Metric,
    _ sides: (baseline: MetricEvaluator, candidate: MetricEvaluator),
    _ margin: Margin
  ) -> PairedChange? {
    let before = sides.baseline.tallies(metric) ?? []
    let after = sides.candidate.tallies(metric) ?? []
    return before.map(\.key) == after.map(\.key)
      ? rates(before, after, margin, prefersSmall: metric.prefersSmall)
      : sums(SumStatistic(before), SumStatistic(after), metric, margin)
  }

  private func sums(
    _ before: SumStatistic,
    _ after: SumStatistic,
    _ metric: Metric,
    _ margin: Margin
  ) -> PairedChange? {
    guard let was = before.value, let now = after.value else { return nil }
    let earlier = Dictionary(before.contributions.map { ($0.key, $0.value) }) { first, _ in first }
    let later = Dictionary(after.contributions.map { ($0.key, $0.value) }) { first, _ in first }
    let sign: Double = metric.prefersSmall ? -1 : 1
    // What one side does not count adds nothing there: its contribution is the number itself.
    var differences = before.contributions.map { key, _ in
      sign * ((later[key] ?? now) - (earlier[key] ?? was))
    }
    for (key, _) in after.contributions where earlier[key] == nil {
      differences.append(sign * ((later[key] ?? now) - was))
    }
    let isBounded = metric.quantity == .rate
    guard
      let inference = MeanInference(differences, bounds: isBounded ? -1...1 : nil, added: 1)
    else { return nil }
    let difference = sign * (now - was)
    let interval = inference.interval(Self.confidence)
    let margin = margin.absolute(was)
    return PairedChange(
      baseline: was,
      candidate: now,
      difference: difference,
      interval: Interval(
        low: min(difference, interval.low),
        high: max(difference, interval.high)
      ),
      n: differences.count,
      basis: .contributions,
      pWorse: inference.pAtLeast(0),
      pBeyondMargin: inference.pAtLeast(-margin),
      margin: margin,
      prefersSmall: metric.prefersSmall
    )
  }

  // MARK: Percentiles

  /// A percentile is compared as cases over a limit, which is the baseline's percentile plus the
  /// margin: the candidate keeps it while no more cases are over the limit than the percentile leaves.
  private func percentile(
    _ percent: Double,
    of series: Series,
    tag: String?,
    _ margin: Margin
  ) -> PairedChange? {
    guard let before = answered.baseline.means(of: series, tag: tag),
      let after = answered.candidate.means(of: series, tag: tag),
      let was = Percentile.of(percent, in: before.flatMap(\.values)),
      let now = Percentile.of(percent, in: after.flatMap(\.values))
    else { return nil }
    let limit = was + margin.absolute(was)
    func isOver(_ values: [Double]) -> Bool {
      2 * values.count { $0 > limit } > values.count
    }
    let earlier = Dictionary(before.map { ($0.key, isOver($0.values)) }) { first, _ in first }
    var (slower, faster, wasOver, n) = (0, 0, 0, 0)
    for (key, values) in after {
      guard let old = earlier[key] else { continue }
      let new = isOver(values)
      n += 1
      wasOver += old ? 1 : 0
      if new, !old { slower += 1 }
      if old, !new { faster += 1 }
    }
    guard n > 0 else { return nil }
    let allowed = 1 - percent / 100
    return PairedChange(
      baseline: was,
      candidate: now,
      flips: (slower, faster),
      n: n,
      basis: .exceedances(harmful: slower, beneficial: faster, limit: limit),
      margin: max(0, allowed - Double(wasOver) / Double(n)),
      prefersSmall: true
    )
  }
}
