/// A number made of sums over units: a ratio, a statistic of labels, the mean of a series.
///
/// What one unit contributes to it is found by leaving the unit out (the jackknife: Quenouille 1956,
/// Tukey 1958), so that its interval counts a case or a cluster once, whatever was repeated.
struct SumStatistic {
  private(set) var keys: [CountingUnit.Key] = []
  /// What each unit adds to each sum.
  private var terms: [[Double]] = []
  private var value: ([Double]) -> Double?
  /// Why the number is unknown where it is.
  private var unknown = "there is nothing to count"
  /// On how many measurements the number rests.
  private var n = 0
  /// Between what the number must lie.
  private var bounds: ClosedRange<Double>? = 0...1
  /// The interval by another rule, where there is a better one.
  private var interval: Interval?

  init(_ metric: Metric, _ units: [CountingUnit]) {
    switch metric.kind {
    case .scorer(let scorer, .ratio(let numerator, let denominator)):
      value = { $0[1] > 0 ? $0[0] / $0[1] : nil }
      for unit in units {
        func sum(_ terms: [MetricDefinition.Term]) -> Double {
          unit.trials.lazy.compactMap { $0.score(of: scorer) }.reduce(0) { sum, score in
            sum + terms.reduce(0) { $0 + $1.weight * (score.measurement($1.name) ?? 0) }
          }
        }
        n += unit.trials.count { trial in
          guard let score = trial.score(of: scorer) else { return false }
          return denominator.contains { score.measurement($0.name) ?? 0 > 0 }
        }
        add(unit.key, [sum(numerator), sum(denominator)])
      }
    case .scorer(let scorer, .perClass(let statistic)):
      let labels = LabelSums(units, scorer: scorer)
      n = labels.count(statistic, of: metric.classLabel)
      guard let label = metric.classLabel else {
        value = { labels.mean(statistic, $0) }
        for (unit, terms) in zip(units, labels.terms) { add(unit.key, terms) }
        return
      }
      // Cases of other classes say nothing about this one: with them a sample would seem larger.
      value = { $0[1] > 0 ? $0[0] / $0[1] : nil }
      for (unit, terms) in zip(units, labels.terms) {
        add(unit.key, labels.fraction(statistic, of: label, terms))
      }
    case .series(let series, _):
      bounds = nil
      value = { $0[1] > 0 ? $0[0] / $0[1] : nil }
      var isUnknown = false
      for unit in units {
        let outputs = unit.trials.compactMap(\.output)
        let values = outputs.compactMap(series.value)
        if values.count < outputs.count { isUnknown = true }
        n += values.count
        add(unit.key, [values.reduce(0, +), Double(values.count)])
      }
      unknown = keys.isEmpty && !isUnknown ? "there are no answers" : series.unknownReason
      // One unknown cost makes the sum unknown: a number of the rest would look like the whole.
      if isUnknown { value = { _ in nil } }
    case .accuracy, .unusableRate, .passRate, .scorer:
      preconditionFailure("a rate is counted, not summed")
    }
  }

  /// The share of units for which a statement holds, where the answers tell which units count.
  init(_ tallies: [MetricEvaluator.Tally]) {
    value = { $0[1] > 0 ? $0[0] / $0[1] : nil }
    n = tallies.count
    for tally in tallies { add(tally.key, [tally.holds ? 1 : 0, 1]) }
  }

  private mutating func add(_ key: CountingUnit.Key, _ terms: [Double]) {
    guard terms.contains(where: { $0 != 0 }) else { return }
    keys.append(key)
    self.terms.append(terms)
  }

  /// How many units contribute.
  var count: Int { keys.count }

  private var totals: [Double] {
    guard var totals = terms.first else { return [] }
    for terms in terms.dropFirst() {
      for index in totals.indices { totals[index] += terms[index] }
    }
    return totals
  }

  /// The number with its 95% interval.
  var estimate: Estimate {
    let totals = totals
    guard !totals.isEmpty, let whole = value(totals) else {
      return Estimate(unknown: unknown, n: n)
    }
    let interval = inference?.interval(0.95)
    return Estimate(
      whole,
      interval: interval.map { interval in
        Interval(
          low: min(whole, max(interval.low, bounds?.lowerBound ?? -.infinity)),
          high: max(whole, min(interval.high, bounds?.upperBound ?? .infinity))
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
      low: max(interval.low, bounds?.lowerBound ?? -.infinity),
      high: min(interval.high, bounds?.upperBound ?? .infinity)
    )
  }

  /// What each unit makes of the number: their mean is the number, nearly.
  var contributions: [(key: CountingUnit.Key, value: Double)] {
    let totals = totals
    guard !totals.isEmpty, let whole = value(totals) else { return [] }
    let n = Double(keys.count)
    return zip(keys, terms).map { key, terms in
      var rest = totals
      for index in rest.indices { rest[index] -= terms[index] }
      // Where one unit is all there is, it is the number.
      let without = n > 1 ? value(rest) ?? whole : whole
      return (key, n * whole - (n - 1) * without)
    }
  }
}

/// Sums that precision, recall and F1 of labels are made of.
///
/// With several repetitions the label of a case is the one that more than half of them gave.
private struct LabelSums {
  private let labels: [String]
  /// For each unit and each label: right, expected, predicted; then how many cases were judged.
  let terms: [[Double]]

  init(_ units: [CountingUnit], scorer: String) {
    let pairs = units.map { unit in
      unit.cases.compactMap { trials -> (expected: String, predicted: String?)? in
        let judged = trials.filter { $0.label(of: scorer, MetricDefinition.expectedLabel) != nil }
        guard let expected = judged.first?.label(of: scorer, MetricDefinition.expectedLabel) else {
          return nil
        }
        var counts: [String: Int] = [:]
        for trial in judged {
          if let label = trial.label(of: scorer, MetricDefinition.predictedLabel) {
            counts[label, default: 0] += 1
          }
        }
        return (expected, counts.first { 2 * $0.value > judged.count }?.key)
      }
    }
    let labels = Set(pairs.joined().flatMap { [$0.expected] + ($0.predicted.map { [$0] } ?? []) })
      .sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(labels, 0...))
    self.labels = labels
    terms = pairs.map { pairs in
      var terms = [Double](repeating: 0, count: labels.count * 3 + 1)
      for pair in pairs {
        let expected = places[pair.expected] ?? 0
        terms[expected * 3 + 1] += 1
        terms[labels.count * 3] += 1
        guard let predicted = pair.predicted.flatMap({ places[$0] }) else { continue }
        terms[predicted * 3 + 2] += 1
        if predicted == expected { terms[expected * 3] += 1 }
      }
      return terms
    }
  }

  /// The unweighted mean of a statistic over all classes, in which a class whose statistic is
  /// undefined counts as 0, as scikit-learn does.
  func mean(_ statistic: MetricDefinition.ClassStatistic, _ sums: [Double]) -> Double? {
    if labels.isEmpty { return nil }
    let sum = labels.indices.reduce(0) { sum, place in
      let (part, whole) = fraction(statistic, place, sums)
      return sum + (whole > 0 ? part / whole : 0)
    }
    return sum / Double(labels.count)
  }

  /// The statistic of a class as what stands above and below the line.
  func fraction(
    _ statistic: MetricDefinition.ClassStatistic,
    of label: String,
    _ sums: [Double]
  ) -> [Double] {
    guard let place = labels.firstIndex(of: label) else { return [0, 0] }
    let (part, whole) = fraction(statistic, place, sums)
    return [part, whole]
  }

  private func fraction(
    _ statistic: MetricDefinition.ClassStatistic,
    _ place: Int,
    _ sums: [Double]
  ) -> (part: Double, whole: Double) {
    let (right, expected, predicted) = (sums[place * 3], sums[place * 3 + 1], sums[place * 3 + 2])
    switch statistic {
    case .precision: return (right, predicted)
    case .recall: return (right, expected)
    case .f1: return (2 * right, expected + predicted)
    }
  }

  /// How many cases the statistic rests on.
  func count(_ statistic: MetricDefinition.ClassStatistic, of label: String?) -> Int {
    func sum(_ offset: Int) -> Double { terms.reduce(0) { $0 + $1[offset] } }
    guard let label else { return Int(sum(labels.count * 3)) }
    guard let place = labels.firstIndex(of: label) else { return 0 }
    switch statistic {
    case .precision: return Int(sum(place * 3 + 2))
    case .recall: return Int(sum(place * 3 + 1))
    case .f1: return Int(sum(place * 3 + 1) + sum(place * 3 + 2) - sum(place * 3))
    }
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
