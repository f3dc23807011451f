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
  /// Two sides with what pairs their units.
  private struct Sides: Sendable {
    var baseline: MetricEvaluator
    var candidate: MetricEvaluator
    var units: UnitPairs

    init(_ baseline: MetricEvaluator, _ candidate: MetricEvaluator) {
      self.baseline = baseline
      self.candidate = candidate
      units = UnitPairs(baseline.table, candidate.table)
    }

    /// The same sides with lost trials taken for something else.
    func filling(_ before: MetricEvaluator.Fill, _ after: MetricEvaluator.Fill) -> Sides {
      var sides = self
      sides.baseline = baseline.filling(before)
      sides.candidate = candidate.filling(after)
      return sides
    }
  }

  private let all: Sides
  /// Both sides with the cases alone that both answered: what sums compare, as a lost case has no
  /// number.
  private let answered: Sides
  /// The confidence of the intervals of differences.
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
    let sides =
      switch fill {
      case .none: all
      case .worst: all.filling(good, bad)
      case .best: all.filling(bad, good)
      }
    if let rule = RateRule(metric) {
      // Where another prompt makes other cases count, their flips are not all that changed.
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
      answered.units,
      metric,
      margin
    )
  }

  /// Whether the change of a metric reads trials that were lost.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    all.baseline.touchesLostTrials(metric) || all.candidate.touchesLostTrials(metric)
  }

  /// Whether the change of a metric reads trials and all of them were lost, on one of the sides.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    all.baseline.hasOnlyLostTrials(metric) || all.candidate.hasOnlyLostTrials(metric)
  }

  // MARK: Rates

  private func rates(_ metric: Metric, _ sides: Sides, _ margin: Margin) -> PairedChange? {
    let prefersSmall = metric.prefersSmall
    let earlier = sides.units.values(
      (sides.baseline.tallies(metric) ?? []).lazy.map { ($0.trial, $0.holds) }
    )
    var (held, holds, lost, gained, n) = (0, 0, 0, 0, 0)
    for tally in sides.candidate.tallies(metric) ?? [] {
      guard let was = earlier[sides.units.partner(of: tally.trial)] else { continue }
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
      prefersSmall: prefersSmall,
      confidence: confidence
    )
  }

  // MARK: Sums

  /// A rate of which the answers tell which cases count.
  private func shares(_ metric: Metric, _ sides: Sides, _ margin: Margin) -> PairedChange? {
    let before = sides.baseline.tallies(metric) ?? []
    let after = sides.candidate.tallies(metric) ?? []
    let isSame =
      before.count == after.count
      && zip(before, after).allSatisfy {
        sides.units.unit(of: $0.trial) == sides.units.partner(of: $1.trial)
      }
    return isSame
      ? rates(metric, sides, margin)
      : sums(SumStatistic(before), SumStatistic(after), sides.units, metric, margin)
  }

  private func sums(
    _ before: SumStatistic,
    _ after: SumStatistic,
    _ units: UnitPairs,
    _ metric: Metric,
    _ margin: Margin
  ) -> PairedChange? {
    guard let was = before.value, let now = after.value else { return nil }
    let earlier = units.values(before.contributions)
    let later = units.valuesOfPartners(after.contributions)
    let sign: Double = metric.prefersSmall ? -1 : 1
    // What one side does not count adds nothing there: its contribution is the number itself.
    var differences = before.contributions.map { trial, value in
      sign * ((later[units.unit(of: trial)] ?? now) - value)
    }
    for (trial, value) in after.contributions where earlier[units.partner(of: trial)] == nil {
      differences.append(sign * (value - was))
    }
    let bounds = metric.range.map { range in
      let width = range.upperBound - range.lowerBound
      return -width...width
    }
    guard let inference = MeanInference(differences, bounds: bounds, added: 1) else { return nil }
    let difference = sign * (now - was)
    let interval = inference.interval(confidence)
    let margin = margin.absolute(was)
    return PairedChange(
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
    guard let before = answered.baseline.values(ofUnits: series, tag: tag),
      let after = answered.candidate.values(ofUnits: series, tag: tag),
      let was = Percentile.of(percent, in: before.flatMap(\.values)),
      let now = Percentile.of(percent, in: after.flatMap(\.values))
    else { return nil }
    let limit = was + margin.absolute(was)
    func isOver(_ values: [Double]) -> Bool {
      2 * values.count { $0 > limit } > values.count
    }
    let units = answered.units
    let earlier = units.values(before.lazy.map { ($0.trial, isOver($0.values)) })
    var (slower, faster, wasOver, n) = (0, 0, 0, 0)
    for (trial, values) in after {
      guard let old = earlier[units.partner(of: trial)] else { continue }
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
      prefersSmall: true,
      confidence: confidence
    )
  }
}
