package import SluiceCore

/// The comparer of configurations that answered the same cases.
///
/// It compares each configuration with the first one, or all with each other.
///
/// P values are two-sided and intervals are 95% intervals: a comparison looks for changes in both
/// directions, while a gate looks only for a loss.
package struct ConfigurationComparer: Sendable {
  /// A configuration that is yet to be compared.
  package struct Side: Sendable {
    package var name: String
    package var column: ColumnResult
    /// The trials outside quarantine, with the digests of their scorers.
    package var counted: Pairing.Side

    package init(name: String, column: ColumnResult, counted: Pairing.Side) {
      self.name = name
      self.column = column
      self.counted = counted
    }
  }

  private let metrics: [SuiteMetrics.Named]
  private let rates: [SuiteMetrics.Named]
  private let margin: Double
  private static let level = 0.05
  private static let confidence = 0.95

  /// The pairs of configurations that are compared.
  package enum Pairs: String, CaseIterable, Sendable {
    /// Each configuration with the reference.
    case reference
    /// Every configuration with every other configuration.
    case all
  }

  package init(_ metrics: SuiteMetrics, margin: Double) {
    self.metrics = metrics.compared
    rates = metrics.rates
    self.margin = margin
  }

  /// Returns the configurations, and marks those on the Pareto front of quality and cost.
  package func configurations(_ sides: [Side]) -> [ConfigurationComparison.Configuration] {
    let points = sides.map { side -> QualityAtCost? in
      guard let quality = value("accuracy", side.column),
        let cost = value("mean(cost)", side.column)
      else { return nil }
      return QualityAtCost(quality: quality, cost: cost)
    }
    return zip(sides, points).map { side, point in
      ConfigurationComparison.Configuration(
        name: side.name,
        column: side.column,
        costPerRightAnswer: costPerRightAnswer(side),
        isOnFront: point.map { $0.isOnFront(of: points.compactMap(\.self)) }
      )
    }
  }

  private func value(_ name: String, _ column: ColumnResult) -> Double? {
    column.metrics.first { $0.name == name }?.estimate.value
  }

  private func costPerRightAnswer(_ side: Side) -> Estimate {
    guard let sum = side.column.metrics.first(where: { $0.name == "sum(cost)" })?.estimate else {
      return Estimate(unknown: "the cost was not measured")
    }
    guard let cost = sum.value else { return sum }
    // The total cost covers only the trials outside quarantine, so count only those.
    let passed = side.counted.trials.count { $0.outcome == .passed }
    guard passed > 0 else { return Estimate(unknown: "no answer passes") }
    return Estimate(cost / Double(passed), n: passed)
  }

  /// Compares the configurations in pairs; the pairs with the reference come first.
  package func pairs(_ sides: [Side], _ pairs: Pairs = .reference) -> [ConfigurationComparison.Pair]
  {
    let references = pairs == .all ? Array(sides.indices) : Array(sides.indices.prefix(1))
    let places = references.flatMap { reference in
      sides.indices.filter { $0 > reference }.map { (reference: reference, configuration: $0) }
    }
    var compared = places.map { place in
      let pairing = Pairing(
        baseline: sides[place.reference].counted,
        candidate: sides[place.configuration].counted
      )
      return ConfigurationComparison.Pair(
        configuration: place.configuration,
        reference: place.reference,
        comparison: RunComparison(
          with: sides[place.reference].name,
          pairing,
          metrics: rates,
          margin: Margin(margin),
          confidence: Self.confidence
        ),
        changes: changes(
          pairing,
          comparesTokens: Self.shareTokenizer(sides[place.reference], sides[place.configuration])
        )
      )
    }
    for metric in metrics { adjust(metric.name, in: &compared) }
    return compared
  }

  /// Returns true unless different models answered, since each model counts tokens with its own
  /// tokenizer.
  private static func shareTokenizer(_ reference: Side, _ configuration: Side) -> Bool {
    let models = [reference, configuration].map { Set($0.column.provenances.compactMap(\.model)) }
    return models[0] == models[1] || models.contains(where: \.isEmpty)
  }

  private func changes(_ pairing: Pairing, comparesTokens: Bool) -> [ConfigurationComparison.Judged]
  {
    let paired = PairedEvaluator(
      baseline: MetricEvaluator(pairing.baseline),
      candidate: MetricEvaluator(pairing.candidate),
      confidence: Self.confidence
    )
    return metrics.compactMap { named in
      if !comparesTokens, case .series(let series, _) = named.metric.kind, series.quantity == .count
      {
        return nil
      }
      guard pairing.changedScorers(of: named.metric).isEmpty,
        let change = paired.change(
          named.metric,
          margin: Margin(named.metric.quantity == .rate ? margin : 0)
        )
      else { return nil }
      return ConfigurationComparison.Judged(
        name: named.name,
        quantity: named.metric.quantity,
        change: change,
        standing: .undecided,
        adjustedP: change.p
      )
    }
  }

  /// Corrects the p values of a metric for the number of pairs, and updates each pair's standing.
  private func adjust(_ name: String, in pairs: inout [ConfigurationComparison.Pair]) {
    let places = pairs.indices.compactMap { pair in
      pairs[pair].changes.firstIndex { $0.name == name }.map { (pair: pair, change: $0) }
    }
    let judged = places.map { pairs[$0.pair].changes[$0.change] }
    let adjusted = MultipleTesting.holm(judged.map(\.change.p))
    for (index, place) in places.enumerated() {
      var entry = judged[index]
      entry.adjustedP = adjusted[index]
      let isIdentical = pairs[place.pair].comparison.isIdentical
      entry.standing = entry.change.isNothing && isIdentical ? .same : standing(entry)
      pairs[place.pair].changes[place.change] = entry
    }
  }

  private func standing(_ judged: ConfigurationComparison.Judged)
    -> ConfigurationComparison.Standing
  {
    if judged.change.isNothing, judged.change.margin == 0 { return .same }
    if judged.adjustedP <= Self.level, judged.change.difference < 0 { return .worse }
    if judged.adjustedP <= Self.level, judged.change.difference > 0 { return .better }
    let isWithin = judged.change.margin > 0 && judged.change.interval.low > -judged.change.margin
    return isWithin ? .asGood : .undecided
  }
}
