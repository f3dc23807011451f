import SluiceGating

/// The quality and the cost of configurations, in a sentence and for a picture.
///
/// The measure of cost is dollars if all costs are known. Otherwise, it is the tokens of a call. If
/// models count tokens differently, or if tokens are unknown, it is the length of the answers.
struct TradeoffText {
  let comparison: ConfigurationComparison
  /// The measure that is known for all configurations with an accuracy; `nil` if there is none.
  let measure: Measure?
  /// The value of the measure for each configuration.
  let values: [Double?]

  /// A measure of the cost of a call.
  enum Measure {
    case cost, tokens, length

    var quantity: Quantity { self == .cost ? .money : .count }

    /// The label of the axis.
    var axis: String {
      switch self {
      case .cost: "cost per call"
      case .tokens: "size: tokens per call"
      case .length: "size: characters per answer"
      }
    }

    var title: String { self == .cost ? "Quality against cost" : "Quality against size" }

    /// The meaning of a filled dot in a chart, as a sentence.
    var frontText: String {
      let noun =
        switch self {
        case .cost: "cost"
        case .tokens: "number of tokens"
        case .length: "length of answers"
        }
      return
        "A filled dot has no better alternative: no other configuration is at least as accurate "
        + "at a lower \(noun), or more accurate at the same \(noun)."
    }

    func text(_ value: Double) -> String {
      switch self {
      case .cost: NumberText.text(value, .money)
      case .tokens: "\(NumberText.fixed(value, decimals: 0)) tokens"
      case .length: "\(NumberText.fixed(value, decimals: 0)) characters"
      }
    }

    /// Returns the ratio of two values as a predicate: `costs 16.6 times as much per call`.
    func ratio(_ value: Double, to reference: Double) -> String? {
      guard value > 0, reference > 0, value.isFinite, reference.isFinite else { return nil }
      let ratio = value / reference
      if ratio >= 1.95 {
        let times = NumberText.fixed(ratio, decimals: ratio < 100 ? 1 : 0).withoutZeroDecimal
        return switch self {
        case .cost: "costs \(times) times as much per call"
        case .tokens: "uses \(times) times as many tokens per call"
        case .length: "gives answers \(times) times as long"
        }
      }
      let percent = NumberText.fixed((ratio - 1).magnitude * 100, decimals: 0) + "%"
      let isMore = ratio > 1
      if percent == "0%" {
        return switch self {
        case .cost: "costs the same per call"
        case .tokens: "uses as many tokens per call"
        case .length: "gives answers of the same length"
        }
      }
      return switch self {
      case .cost: "costs \(percent) \(isMore ? "more" : "less") per call"
      case .tokens: "uses \(percent) \(isMore ? "more" : "fewer") tokens per call"
      case .length: "gives answers \(percent) \(isMore ? "longer" : "shorter")"
      }
    }
  }

  init(_ comparison: ConfigurationComparison) {
    self.comparison = comparison
    let known = comparison.configurations.indices.filter {
      comparison.estimate("accuracy", of: comparison.configurations[$0])?.value != nil
    }
    func values(_ name: String) -> [Double?] {
      comparison.configurations.map {
        comparison.estimate(name, of: $0)?.value.flatMap { $0.isFinite ? $0 : nil }
      }
    }
    func isKnown(_ values: [Double?]) -> Bool {
      !known.isEmpty && known.allSatisfy { (values[$0] ?? 0) > 0 }
    }
    let (costs, tokens) = (values("mean(cost)"), values("mean(tokens)"))
    if isKnown(costs) {
      (measure, self.values) = (.cost, costs)
    } else if isKnown(tokens), comparison.tokenizers == nil {
      (measure, self.values) = (.tokens, tokens)
    } else {
      let lengths = Self.lengths(comparison)
      (measure, self.values) =
        isKnown(lengths) ? (.length, lengths) : (nil, lengths.map { _ in nil })
    }
  }

  /// Returns the mean length of the answers of each configuration.
  private static func lengths(_ comparison: ConfigurationComparison) -> [Double?] {
    var log = comparison.log.map { RunLogReader($0) }
    return comparison.configurations.map { configuration in
      var (sum, count) = (0, 0)
      for trial in configuration.column.countedTrials where trial.output != nil {
        let text = log?.withTexts(of: trial) { texts -> String? in
          texts.text.isEmpty ? nil : (try? JSONReader.value(texts.text))?.string
        }
        sum += (text.flatMap(\.self) ?? trial.output?.excerpt ?? "").unicodeScalars.count
        count += 1
      }
      return count == 0 || sum == 0 ? nil : Double(sum) / Double(count)
    }
  }

  /// The reason why the picture shows no costs in dollars; `nil` if it shows them.
  var note: String? {
    switch measure {
    case .cost: nil
    case .tokens:
      "The costs of some answers are unknown, so the chart uses tokens per call instead."
    case .length:
      comparison.tokenizers == nil
        ? "The costs and tokens of some answers are unknown, so the chart uses the length of the "
          + "answers instead."
        : "The costs of some answers are unknown, and each model counts tokens differently, so "
          + "the chart uses the length of the answers instead."
    case nil: "The costs, tokens and lengths of some answers are unknown."
    }
  }

  // MARK: Names

  /// Returns a short name for each configuration: the backend if all have the same prompt, or the
  /// prompt if all have the same backend.
  static func shortNames(_ comparison: ConfigurationComparison) -> [String] {
    let configurations = comparison.configurations
    let names = configurations.map(\.name)
    let columns = configurations.map(\.column)
    guard zip(names, columns).allSatisfy({ $0 == "\($1.prompt) on \($1.backend)" }) else {
      return names
    }
    for part in [\ColumnResult.prompt, \ColumnResult.backend] {
      let others = part == \ColumnResult.prompt ? \ColumnResult.backend : \ColumnResult.prompt
      let short = columns.map { $0[keyPath: part] }
      if Set(columns.map { $0[keyPath: others] }).count == 1, Set(short).count == short.count {
        return short
      }
    }
    return names
  }

  /// Returns the noun to put before a short name, such as `Prompt`, so that no sentence starts with
  /// a bare name.
  private static func kind(_ comparison: ConfigurationComparison) -> String {
    let names = shortNames(comparison)
    let columns = comparison.configurations.map(\.column)
    func isNamed(_ part: KeyPath<ColumnResult, String>) -> Bool {
      zip(names, columns).allSatisfy {
        $0 == $1[keyPath: part] || $0.hasPrefix($1[keyPath: part] + " ")
      }
    }
    if isNamed(\.prompt) { return "Prompt" }
    return isNamed(\.backend) ? "Backend" : "Configuration"
  }

  // MARK: The sentence

  /// The result in a sentence or two: the accuracy of the best configuration against the reference,
  /// and its cost.
  ///
  /// If no answers can be compared, the text says so.
  var answer: String {
    let isEdited = UnchangedAnswers.edit(comparison) != nil
    if let sentence {
      let isUnchanged = isEdited && comparison.pairs.allSatisfy(\.comparison.isIdentical)
      let whole = isUnchanged ? "The edit changed no answer. \(sentence)" : sentence
      return (rescored.map { $0 + " With the new scorers: " } ?? "") + whole
    }
    guard let pair = comparison.pairs.first, comparison.pairs.allSatisfy(\.comparison.isIdentical)
    else { return "No case has an answer on both sides, so nothing can be compared." }
    if comparison.pairs.count > 1 {
      return isEdited
        ? "The edits changed no answer: all are identical in all configurations."
        : "All answers are identical in all configurations."
    }
    let names = Self.shortNames(comparison)
    let same =
      "very answer of \(names[pair.configuration]) is identical to that of \(names[pair.reference])."
    return isEdited ? "The edit changed no answer: e\(same)" : "E\(same)"
  }

  /// A sentence on the results of the reference with its own scorers, if the scorers were edited.
  private var rescored: String? {
    guard comparison.changesScorersAndAnswers, let rescored = comparison.rescored else {
      return nil
    }
    let base = comparison.configurations[0]
    let name = Self.shortNames(comparison)[0]
    let cases = TerminalLines.count(rescored.cases, "case")
    guard let own = rescored.accuracy,
      let current = comparison.estimate("accuracy", of: base)?.value
    else { return "The new scorers judge \(cases) of \(name) differently." }
    let (before, now) = (NumberText.text(own, .rate), NumberText.text(current, .rate))
    let differ = rescored.cases == 1 ? "differs" : "differ"
    return "With the old scorers, \(name) has accuracy \(before); with the new ones, \(now) "
      + "(\(cases) \(differ))."
  }

  /// The maximum number of further pairs that are described one by one.
  private static let shownPairs = 2

  private var sentence: String? {
    let judged = comparison.pairs.compactMap { pair in
      pair.changes.first { $0.name == "accuracy" }.map { (pair, $0) }
    }
    guard let first = judged.first else { return nil }
    let best = judged.dropFirst().reduce(first) { best, next in
      next.1.change.difference > best.1.change.difference ? next : best
    }
    let others = judged.filter {
      ($0.0.configuration, $0.0.reference) != (best.0.configuration, best.0.reference)
    }
    if others.count > Self.shownPairs {
      return "\(sentence(best.0, best.1))." + summary(others.map(\.1))
    }
    // Pairs with the best configuration come first.
    let ordered =
      others.filter { $0.0.has(best.0.configuration) }
      + others.filter { !$0.0.has(best.0.configuration) }
    var shown = [best] + ordered
    // If the text names a best configuration, describe only pairs with it; the table has all pairs.
    if let choice { shown.removeAll { !$0.0.has(choice.index) } }
    let sentences = [choice?.text].compactMap(\.self) + shown.map { sentence($0.0, $0.1) }
    return sentences.map { "\($0)." }.joined(separator: " ")
  }

  /// The cheapest of the best configurations, with its cost.
  ///
  /// A configuration is among the best if no other configuration is credibly better.
  ///
  /// This is `nil` if there are only two configurations, if not all pairs are compared, or if costs
  /// are unknown.
  private var choice: (index: Int, text: String)? {
    let count = comparison.configurations.count
    guard measure == .cost, count > 2, comparison.pairs.count == count * (count - 1) / 2 else {
      return nil
    }
    var beaten: Set<Int> = []
    for pair in comparison.pairs {
      switch pair.changes.first(where: { $0.name == "accuracy" })?.standing {
      case .better: beaten.insert(pair.reference)
      case .worse: beaten.insert(pair.configuration)
      case .asGood, .same, .undecided: break
      case nil where pair.comparison.isIdentical: break
      case nil: return nil
      }
    }
    let best = comparison.configurations.indices.filter { !beaten.contains($0) }
    guard let first = best.min(by: { (values[$0] ?? .infinity) < (values[$1] ?? .infinity) }),
      let cost = values[first].flatMap({ NumberText.millionCalls(Estimate($0, n: 1)) })
    else { return nil }
    let kind = Self.kind(comparison).lowercased()
    let name = Self.shortNames(comparison)[first]
    return (first, "No \(kind) is credibly better than \(name), at \(cost) per million calls")
  }

  private func sentence(
    _ pair: ConfigurationComparison.Pair,
    _ judged: ConfigurationComparison.Judged
  ) -> String {
    let names = Self.shortNames(comparison)
    let (name, other) = (names[pair.configuration], names[pair.reference])
    let words = StandingText(judged, margin: comparison.margin)
      .sentence(name, other, kind: Self.kind(comparison))
    guard let measure, let value = values[pair.configuration],
      let reference = values[pair.reference], let ratio = measure.ratio(value, to: reference)
    else { return words }
    switch judged.standing {
    case .better, .worse, .asGood: return "\(words) and \(ratio)"
    case .same, .undecided: return "\(words); \(name) \(ratio)"
    }
  }

  /// Returns the number of the remaining pairs for each result.
  private func summary(_ others: [ConfigurationComparison.Judged]) -> String {
    if others.isEmpty { return "" }
    let all: [ConfigurationComparison.Standing] = [.better, .same, .asGood, .undecided, .worse]
    let parts = all.compactMap { standing -> String? in
      let count = others.count { $0.standing == standing }
      if count == 0 { return nil }
      return "\(count) \(StandingText.phrase(standing, margin: comparison.margin))"
    }
    return " Other pairs: \(parts.joined(separator: ", "))."
  }
}

/// The result of comparing two configurations, in words and signs.
struct StandingText {
  private let judged: ConfigurationComparison.Judged
  private let margin: Double

  init(_ judged: ConfigurationComparison.Judged, margin: Double) {
    self.judged = judged
    self.margin = margin
  }

  static func phrase(_ standing: ConfigurationComparison.Standing, margin: Double) -> String {
    switch standing {
    case .worse: "worse"
    case .better: "better"
    case .asGood: "not worse by more than \(NumberText.margin(margin))"
    case .same: "the same"
    case .undecided: "undecided"
    }
  }

  /// A phrase for the result.
  ///
  /// It mentions the margin only for rates.
  var phrase: String {
    judged.standing == .asGood && judged.quantity != .rate
      ? "not worse" : Self.phrase(judged.standing, margin: margin)
  }

  /// A sign for the result, which is readable without colors.
  var sign: String { Self.sign(judged.standing) }

  static func sign(_ standing: ConfigurationComparison.Standing) -> String {
    switch standing {
    case .better: "▲"
    case .worse: "▼"
    case .asGood: "≈"
    case .same: "="
    case .undecided: "?"
    }
  }

  /// Returns a sentence on accuracy without a period:
  /// `Backend large is better than small by 16.0 points (95% interval [11.0, 21.0])`.
  ///
  /// Measured values have one decimal, as in tables; the margin is written as in the suite.
  func sentence(_ name: String, _ other: String, kind: String) -> String {
    let change = judged.change
    let signed = ChangeText.size(change, .rate).replacing(" [", with: ", 95% interval [")
    switch judged.standing {
    case .better:
      return "\(kind) \(name) is better than \(other) by \(Self.range(change, isLoss: false))"
    case .worse:
      return "\(kind) \(name) is worse than \(other) by \(Self.range(change, isLoss: true))"
    case .same: return "\(kind)s \(name) and \(other) pass the same cases"
    case .asGood:
      let limit = NumberText.margin(margin)
      return "\(kind) \(name) is not worse than \(other) by more than \(limit) (\(signed))"
    case .undecided: return "Undecided between \(name) and \(other) (\(signed))"
    }
  }

  /// Returns a distance with its range: `16.0 points (95% interval [11.0, 21.0])`.
  private static func range(_ change: PairedChange, isLoss: Bool) -> String {
    let sign: Double = isLoss ? -1 : 1
    let ends = [change.interval.low * sign, change.interval.high * sign].sorted()
      .map { NumberText.fixed($0 * 100, decimals: 1) }
    let size = NumberText.fixed((change.difference * sign).magnitude * 100, decimals: 1)
    return "\(size) points (95% interval [\(ends.joined(separator: ", "))])"
  }
}

extension ConfigurationComparison.Pair {
  /// Returns true if a configuration is one of the two in the pair.
  fileprivate func has(_ configuration: Int) -> Bool {
    self.configuration == configuration || reference == configuration
  }
}
