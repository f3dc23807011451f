import SluiceGating

/// A configuration against another one in a sentence, with its range and its price.
enum ComparisonSentence {
  /// A pair in a sentence without a full stop, such as "large is better than small by 16.0 points
  /// [11.0, 21.0] and costs 16.6 times as much a call".
  static func text(
    _ pair: ConfigurationComparison.Pair,
    of comparison: ConfigurationComparison
  ) -> String {
    let one = comparison.configurations[pair.configuration]
    let other = comparison.configurations[pair.reference]
    if pair.comparison.isIdentical {
      return "every answer of \(one.name) is identical to that of \(other.name)"
    }
    guard let accuracy = pair.changes.first(where: { $0.name == "accuracy" }) else {
      return "\(one.name) and \(other.name): no answers of both to compare"
    }
    let cost = cost(one, against: other)
    return quality(accuracy, one.name, other.name) + (cost.map { " and \($0)" } ?? "")
  }

  /// The difference in accuracy, the range without a sign where the verb has it.
  private static func quality(
    _ judged: ConfigurationComparison.Judged,
    _ one: String,
    _ other: String
  ) -> String {
    let change = judged.change
    let ends = [change.interval.low, change.interval.high]
    func size(_ sign: Double) -> String {
      let range = ends.map { NumberText.fixed($0 * sign * 100, decimals: 1) }
      let ordered = sign < 0 ? [range[1], range[0]] : range
      return
        "\(NumberText.points(change.difference.magnitude)) [\(ordered.joined(separator: ", "))]"
    }
    switch judged.standing {
    case .worse: return "\(one) is worse than \(other) by \(size(-1))"
    case .better: return "\(one) is better than \(other) by \(size(1))"
    case .asGood:
      return "\(one) is not worse than \(other) by more than \(NumberText.points(change.margin)) "
        + "(\(signed(change)))"
    case .same: return "\(one) and \(other) pass the same cases"
    case .undecided: return "\(one) against \(other) is undecided (\(signed(change)))"
    }
  }

  private static func signed(_ change: PairedChange) -> String {
    let whole = ChangeText.difference(change, .rate)
    return whole.split(separator: ", ", maxSplits: 1).last.map(String.init) ?? whole
  }

  /// The cost of a call against that of the other; nil where one of them is unknown.
  static func cost(
    _ one: ConfigurationComparison.Configuration,
    against other: ConfigurationComparison.Configuration
  ) -> String? {
    func cost(_ configuration: ConfigurationComparison.Configuration) -> Double? {
      configuration.column.metrics.first { $0.name == "mean(cost)" }?.estimate.value
    }
    guard let now = cost(one), let before = cost(other), before > 0 else { return nil }
    let ratio = now / before
    switch ratio {
    case ..<0.995: return "costs \(NumberText.fixed((1 - ratio) * 100, decimals: 0))% less a call"
    case ..<1.005: return "costs the same a call"
    case ..<2: return "costs \(NumberText.fixed((ratio - 1) * 100, decimals: 0))% more a call"
    default: return "costs \(NumberText.fixed(ratio, decimals: 1)) times as much a call"
    }
  }
}
