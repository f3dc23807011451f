/// A number made of sums over units: a ratio, a statistic of labels, the mean of a series.
///
/// What one unit contributes to it is found by leaving the unit out (the jackknife: Quenouille 1956,
/// Tukey 1958), so that its interval counts a case or a cluster once, whatever was repeated.
struct SumStatistic {
  /// The number; nil when it is unknown.
  private(set) var value: Double?
  /// What each unit that counts makes of the number: their mean is the number, nearly.
  ///
  /// A unit is named by one of its trials.
  private(set) var contributions: [(trial: Int32, value: Double)] = []
  /// Why the number is unknown where it is.
  private var unknown = "there is nothing to count"
  /// On how many measurements the number rests.
  private var n = 0
  /// Between what the number must lie.
  private var bounds: ClosedRange<Double>? = 0...1
  /// What the number cannot be below where it has no two bounds, as an absolute error.
  private var least: Double?

  /// A ratio of sums of a scorer's measurements.
  init(
    of numerator: [MetricDefinition.Term],
    to denominator: [MetricDefinition.Term],
    scorer: String,
    _ groups: UnitGroups,
    in table: TrialTable
  ) {
    // What a trial adds is a matter of its kind.
    let kinds = table.examples.map { trial -> (part: Double, whole: Double, counts: Int) in
      guard let score = trial.score(of: scorer) else { return (0, 0, 0) }
      func sum(_ terms: [MetricDefinition.Term]) -> Double {
        terms.reduce(0) { $0 + $1.weight * (score.measurement($1.name) ?? 0) }
      }
      let counts = denominator.contains { score.measurement($0.name) ?? 0 > 0 }
      return (sum(numerator), sum(denominator), counts ? 1 : 0)
    }
    var terms: [Term] = []
    terms.reserveCapacity(groups.count)
    groups.forEachUnit { trials in
      var term: Term = (trials[0], 0, 0)
      for trial in trials {
        let kind = kinds[Int(table.kinds[Int(trial)])]
        term.part += kind.part
        term.whole += kind.whole
        n += kind.counts
      }
      terms.append(term)
    }
    setRatio(terms)
  }

  /// A statistic of one class of labels, or its mean over all.
  init(_ statistic: MetricDefinition.ClassStatistic, of label: String?, _ table: LabelTable) {
    if let label {
      // Cases of other classes say nothing about this one: with them a sample would seem larger.
      n = table.count(statistic, of: label)
      setRatio(table.fractions(statistic, of: label))
      return
    }
    guard let (whole, without) = table.mean(statistic) else { return }
    n = table.caseCount
    set(whole, without)
  }

  /// A statistic over all classes of labels.
  init(
    _ statistic: MetricDefinition.LabelStatistic,
    _ table: LabelTable,
    range: ClosedRange<Double>?
  ) {
    bounds = range
    n = table.caseCount
    if n > 0 { unknown = "all labels are the same" }
    guard let (whole, without) = table.value(statistic) else { return }
    set(whole, without)
  }

  /// The mean of several shares.
  init(meanOf shares: [[MetricEvaluator.Tally]]) {
    n = shares.reduce(0) { $0 + $1.count }
    guard shares.allSatisfy({ !$0.isEmpty }) else { return }
    let counts = shares.map { share in (yes: share.count(where: \.holds), all: share.count) }
    let rates = counts.map { Double($0.yes) / Double($0.all) }
    let whole = rates.reduce(0, +) / Double(shares.count)
    var without: [(trial: Int32, value: Double)] = []
    for (share, (count, rate)) in zip(shares, zip(counts, rates)) {
      for tally in share {
        let rest =
          count.all > 1
          ? Double(count.yes - (tally.holds ? 1 : 0)) / Double(count.all - 1) : rate
        without.append((tally.trial, whole + (rest - rate) / Double(shares.count)))
      }
    }
    set(whole, without)
  }

  /// The mean of a measurement of a scorer, on a scale that may have ends.
  init(
    meanOf name: String,
    within scale: ClosedRange<Double>?,
    least: Double? = nil,
    scorer: String,
    _ groups: UnitGroups,
    in table: TrialTable
  ) {
    bounds = scale
    self.least = least
    let kinds = table.examples.map { $0.score(of: scorer)?.measurement(name) }
    var terms: [Term] = []
    groups.forEachUnit { trials in
      let values = trials.compactMap { kinds[Int(table.kinds[Int($0)])] }
      n += values.count
      terms.append((trials[0], values.reduce(0, +), Double(values.count)))
    }
    setRatio(terms)
  }

  /// A correlation of two measurements of a scorer, each case or cluster having the mean of its own.
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
    var (x, y): ([Double], [Double]) = ([], [])
    groups.forEachUnit { trials in
      let values = trials.compactMap { kinds[Int(table.kinds[Int($0)])] }
      guard !values.isEmpty else { return }
      x.append(values.reduce(0) { $0 + $1.0 } / Double(values.count))
      y.append(values.reduce(0) { $0 + $1.1 } / Double(values.count))
    }
    n = x.count
    if n > 0 { unknown = "the numbers of one side do not vary" }
    switch correlation {
    case .spearman: value = Correlation.spearman(x, y)
    case .kendall: value = Correlation.kendallTauB(x, y)
    }
  }

  /// Sets a number of which is known what it is without each unit.
  private mutating func set(_ whole: Double, _ without: [(trial: Int32, value: Double)]) {
    value = whole
    let count = Double(without.count)
    contributions = without.map { trial, value in
      // Where one unit is all there is, it is the number.
      (trial, without.count > 1 ? count * whole - (count - 1) * value : whole)
    }
  }

  /// The mean of a series.
  init(_ series: Series, _ groups: UnitGroups, in table: TrialTable) {
    bounds = nil
    // Nothing takes less than no time, costs less than nothing or has fewer than no tokens.
    least = 0
    let column = table.column(series)
    var terms: [Term] = []
    terms.reserveCapacity(groups.count)
    var isUnknown = false
    groups.forEachUnit { trials in
      var term: Term = (trials[0], 0, 0)
      for trial in trials {
        if column.isUnknown[Int(trial)] { isUnknown = true }
        let value = column.values[Int(trial)]
        if value.isNaN { continue }
        term.part += value
        term.whole += 1
      }
      n += Int(term.whole)
      terms.append(term)
    }
    // One unknown cost makes the sum unknown: a number of the rest would look like the whole.
    if !isUnknown { setRatio(terms) }
    if value == nil {
      unknown =
        n == 0 && !isUnknown && !column.leavesOut
        ? "there are no answers" : table.unknownReason(of: series, groups.trials)
    }
  }

  /// The share of units for which a statement holds, where the answers tell which units count.
  init(_ tallies: [MetricEvaluator.Tally]) {
    n = tallies.count
    setRatio(tallies.map { ($0.trial, $0.holds ? 1 : 0, 1) })
  }

  /// What a unit adds above and below the line.
  typealias Term = (trial: Int32, part: Double, whole: Double)

  private mutating func setRatio(_ terms: [Term]) {
    let terms = terms.filter { $0.part != 0 || $0.whole != 0 }
    let part = terms.reduce(0) { $0 + $1.part }
    let whole = terms.reduce(0) { $0 + $1.whole }
    guard whole > 0 else { return }
    let ratio = part / whole
    value = ratio
    let count = Double(terms.count)
    contributions = terms.map { term in
      // Where one unit is all there is, it is the number.
      let rest = whole - term.whole
      let without = terms.count > 1 && rest > 0 ? (part - term.part) / rest : ratio
      return (term.trial, count * ratio - (count - 1) * without)
    }
  }

  /// How many units contribute.
  var count: Int { contributions.count }

  /// The number with its 95% interval.
  var estimate: Estimate {
    guard let value else { return Estimate(unknown: unknown, n: n) }
    let interval = inference?.interval(0.95)
    return Estimate(
      value,
      interval: interval.map { interval in
        Interval(
          low: min(value, max(interval.low, bounds?.lowerBound ?? least ?? -.infinity)),
          high: max(value, min(interval.high, bounds?.upperBound ?? .infinity))
        )
      },
      n: n
    )
  }

  /// What the units say about the number; nil where they do not vary and nothing bounds them.
  private var inference: MeanInference? {
    let inference = MeanInference(contributions.map(\.value), bounds: bounds)
    return inference?.hasSpread == true ? inference : nil
  }

  /// The one-sided bounds of the number, each at a confidence; nil where there are none.
  func bounds(confidence: Double) -> Interval? {
    guard let interval = inference?.interval(2 * confidence - 1) else { return nil }
    return Interval(
      low: max(interval.low, bounds?.lowerBound ?? least ?? -.infinity),
      high: min(interval.high, bounds?.upperBound ?? .infinity)
    )
  }
}

extension Score {
  /// A measurement as a number: truth values count as 1 and 0.
  fileprivate func measurement(_ name: String) -> Double? {
    switch measurements[name] {
    case .number(let value): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }
}
