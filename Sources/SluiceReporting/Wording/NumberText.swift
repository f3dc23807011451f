import SluiceGating

/// The formats of numbers for people.
///
/// The same number gives the same text on all systems.
package enum NumberText {
  /// Formats a number with a fixed number of decimals; halves are rounded away from zero.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled < 9e15 else { return JSONWriter.number(value) }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let text = decimals == 0 ? String(whole) : "\(whole).\(padded.suffix(decimals))"
    return value < 0 && scaled != 0 ? "-" + text : text
  }

  /// Adds a number in the format of ``fixed(_:decimals:)``.
  static func append(fixed value: Double, decimals: Int, to bytes: inout ByteBuffer) {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard value >= 0, scaled < 9e15, decimals > 0 else {
      bytes.append(Array(fixed(value, decimals: decimals).utf8))
      return
    }
    let (whole, rest) = UInt(scaled).quotientAndRemainder(dividingBy: UInt(scale))
    bytes.append(digitsOf: whole)
    bytes.append(".")
    bytes.append(digitsOf: rest, atLeast: decimals)
  }

  /// Formats a number with at least `decimals` decimals, and more if needed to show that it is not
  /// zero.
  private static func nonzero(_ value: Double, decimals: Int) -> String {
    var decimals = decimals
    var half = 0.5
    for _ in 0..<decimals { half /= 10 }
    while value != 0, value.magnitude < half, decimals < 12 {
      decimals += 1
      half /= 10
    }
    return fixed(value, decimals: decimals)
  }

  /// Formats a number with at least `decimals` decimals, and more if needed to show three digits.
  private static func significant(_ value: Double, decimals: Int) -> String {
    var most = decimals
    var unit = 0.01
    for _ in 0..<decimals { unit /= 10 }
    // A value has three digits if it is at least 100 times the unit of its last decimal.
    while value != 0, value.magnitude < unit * 10_000, most < 12 {
      most += 1
      unit /= 10
    }
    var text = Substring(fixed(value, decimals: most))
    for _ in decimals..<max(most, decimals) where text.hasSuffix("0") { text.removeLast() }
    return String(text)
  }

  /// Formats a number with its unit: `88.5%`, `1.24 s`, `$0.0041`, `512`.
  package static func text(_ value: Double, _ quantity: Quantity) -> String {
    switch quantity {
    case .rate: fixed(value * 100, decimals: 1) + "%"
    case .time where value >= 1_000: fixed(value / 1_000, decimals: 2) + " s"
    case .time where value >= 10: fixed(value, decimals: 0) + " ms"
    case .time: fixed(value, decimals: 2) + " ms"
    case .money where value >= 1: "$" + fixed(value, decimals: 2)
    case .money: "$" + significant(value, decimals: 5)
    case .count where value >= 100: fixed(value, decimals: 0)
    case .count: fixed(value, decimals: 1)
    case .number where value.magnitude >= 100: fixed(value, decimals: 1)
    case .number: nonzero(value, decimals: 2)
    }
  }

  /// Formats the cost of a million calls, given the cost of one: `$103`, `$1,710 [$1,640, $1,780]`.
  static func millionCalls(_ estimate: Estimate) -> String? {
    guard let value = estimate.value, value.isFinite else { return nil }
    func text(_ cost: Double) -> String {
      let cost = cost * 1_000_000
      guard cost.isFinite, cost.magnitude < 1e15 else { return "unknown" }
      return cost < 100
        ? "$" + fixed(cost, decimals: 2)
        : "$" + Int(cost.rounded(.toNearestOrAwayFromZero)).withThousands
    }
    guard let interval = estimate.interval else { return text(value) }
    return "\(text(value)) [\(text(interval.low)), \(text(interval.high))]"
  }

  /// Formats a share with enough decimals to stay on the same side of a bound.
  package static func rate(_ value: Double, against bound: Double) -> String {
    rounded(value, against: bound).text
  }

  /// Returns the share that ``rate(_:against:)`` shows.
  static func shown(_ value: Double, against bound: Double) -> Double {
    rounded(value, against: bound).value
  }

  private static func rounded(_ value: Double, against bound: Double) -> (
    text: String, value: Double
  ) {
    // A value that differs from the bound only by a rounding error counts as equal.
    let value = (value - bound).magnitude < 1e-12 ? bound : value
    for decimals in 1...12 {
      let text = fixed(value * 100, decimals: decimals)
      // Read the text as conditions are read, so that 58.7% is exactly 0.587. A division would be
      // inexact.
      guard let shown = Double(text + "e-2") else { break }
      if (shown < bound, shown > bound) == (value < bound, value > bound) {
        return (text + "%", shown)
      }
    }
    return (JSONWriter.number(value * 100) + "%", value)
  }

  /// Formats a probability as a p value: `0.032`, `1.2e-5`, `< 1e-16`.
  package static func p(_ value: Double) -> String {
    if value >= 0.001 { return fixed(value, decimals: 3) }
    if value < leastP { return "< 1e-16" }
    var (mantissa, exponent) = (value, 0)
    while mantissa < 1 {
      mantissa *= 10
      exponent += 1
    }
    let text = fixed(mantissa, decimals: 1)
    return text == "10.0" ? "1.0e-\(exponent - 1)" : "\(text)e-\(exponent)"
  }

  /// Returns a p value for files.
  ///
  /// It is at least 1e-16, since smaller values are not accurate.
  static func shownP(_ value: Double) -> Double { max(value, leastP) }

  private static let leastP = 1e-16

  /// Formats the distance between two shares: `1.5 points`, `1 point`.
  package static func points(_ distance: Double) -> String {
    let text = nonzero(distance * 100, decimals: 1)
    return text == "1.0" ? "1 point" : text + " points"
  }

  /// Formats a margin or another distance that people write in whole points: `5 points`.
  static func margin(_ distance: Double) -> String { points(distance).withoutZeroDecimal }

  /// Formats a bound as people write it: `95%`, `99.5%`, `1 s`.
  static func bound(_ value: Double, _ quantity: Quantity) -> String {
    let text = quantity == .rate ? rate(value, against: value) : text(value, quantity)
    return text.withoutZeroDecimal
  }

  /// Formats the interval of a rate: `[82.5%, 92.6%]`.
  package static func text(_ interval: Interval, _ quantity: Quantity) -> String {
    "[\(text(interval.low, quantity)), \(text(interval.high, quantity))]"
  }

  /// Formats an estimate with its interval, if it has one.
  static func text(_ estimate: Estimate, _ quantity: Quantity) -> String {
    guard let value = estimate.value else { return "unknown" }
    let interval = estimate.interval.map { " \(text($0, quantity))" } ?? ""
    return text(value, quantity) + interval
  }
}

extension Decision {
  /// True if the condition was not evaluated because it applies only to live answers and the
  /// answers are recorded.
  var isLeftToLiveRuns: Bool { verdict == .notEvaluated && reason != .filtered }

  /// Returns a phrase for the outcome of the condition.
  ///
  /// The reason is left out if the numbers show it.
  package func outcomeText(isGoal: Bool) -> String {
    metric.isAdvisory ? "\(decidedText(isGoal: isGoal)), advisory" : decidedText(isGoal: isGoal)
  }

  private func decidedText(isGoal: Bool) -> String {
    if reason == .filtered {
      return estimate.value == nil ? explanation : "\(valueText), n \(estimate.n): undecided"
    }
    if verdict == .notEvaluated { return explanation }
    if let changeText {
      if reason == .identical || verdict == .noVerdict { return explanation }
      return "\(changeText): \(explanationText)"
    }
    guard estimate.value != nil, reason != .noBaseline, reason != .mismatch else {
      return explanation
    }
    if let boundText {
      switch verdict {
      case .pass: return "\(valueText), \(boundText)"
      default: return "\(valueText), \(boundText): \(explanation)"
      }
    }
    guard let distance = distanceText else { return explanation }
    switch (verdict, isGoal) {
    case (.pass, false): return valueText
    case (.pass, true): return "\(valueText), \(distance) to spare"
    case (.fail, _): return "\(valueText), \(shortfallText ?? distance)"
    case (.noVerdict, _), (.inconclusive, _), (.notEvaluated, _):
      return "\(valueText), \(explanation)"
    }
  }

  /// The distance from a missed requirement, with its direction: `7.8 points short`, `22.6 points
  /// over`.
  var shortfallText: String? {
    guard let distance = distanceText,
      case .comparison(let comparison, _, _) = condition.demand
    else { return nil }
    return "\(distance) \(comparison.wantsSmall ? "over" : "short")"
  }

  /// The bound that decides a claim, such as `at most 4.9%`, or `nil` for other conditions.
  var boundText: String? {
    guard let bounds, case .comparison(let comparison, let value, _?) = condition.demand else {
      return nil
    }
    // A claim is excluded by the opposite bound.
    let isUpper = comparison.wantsSmall == (reason != .claimExcluded)
    let bound = isUpper ? bounds.high : bounds.low
    guard bound.isFinite else { return "without a bound" }
    let text =
      metric.quantity == .rate
      ? NumberText.rate(bound, against: value) : NumberText.text(bound, metric.quantity)
    return (isUpper ? "at most " : "at least ") + text
  }

  /// The value that was tested, or `unknown`.
  package var valueText: String {
    guard let value = estimate.value else { return "unknown" }
    if case .comparison(_, let bound, _) = condition.demand, metric.quantity == .rate {
      return NumberText.rate(value, against: bound)
    }
    return amount(value)
  }

  /// The distance between the tested and the required value; `nil` if the tested value is unknown.
  package var distanceText: String? {
    guard let value = estimate.value, case .comparison(_, let bound, _) = condition.demand else {
      return nil
    }
    let distance = (value - bound).magnitude
    switch metric.quantity {
    // Readers subtract the numbers that they see.
    case .rate:
      return NumberText.points((NumberText.shown(value, against: bound) - bound).magnitude)
    default: return amount(distance)
    }
  }

  /// Formats a number with its unit.
  ///
  /// A whole number of items has no decimals.
  private func amount(_ value: Double) -> String {
    metric.quantity == .count && value == value.rounded()
      ? NumberText.fixed(value, decimals: 0) : NumberText.text(value, metric.quantity)
  }
}

extension Verdict {
  /// The verdict as a word.
  package var word: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .inconclusive: "inconclusive"
    case .noVerdict: "no verdict"
    case .notEvaluated: "not evaluated"
    }
  }
}

extension Trial {
  /// The failed scorers with their explanations in one line each, or the reason why the trial was
  /// lost.
  package var faults: [(scorer: String, explanation: String)] {
    if case .lost(let loss) = outcome { return [("lost", loss.message)] }
    return faults(explanations: scores.map(\.score.explanation))
  }

  /// Returns the failed scorers of a trial, with explanations that are read from elsewhere.
  ///
  /// - Parameter explanations: The explanation of each score.
  /// - Returns: The scorers that the trial failed, each with its explanation in one line.
  func faults(explanations: [String]) -> [(scorer: String, explanation: String)] {
    zip(scores, explanations)
      .filter { $0.0.score.outcome == .failed && !$0.0.score.isAdvisory }
      .map { ($0.0.name, $0.1) }
  }
}

extension Provenance {
  /// Returns phrases that name the models that answered, without duplicates, in order of first
  /// appearance.
  static func phrases(of columns: [ColumnResult]) -> [String] {
    var seen: Set<String> = []
    // Output files are left out, since each report names them at its beginning.
    return columns.filter { $0.outputs == nil }.flatMap(\.provenances).map(\.phrase).filter {
      seen.insert($0).inserted
    }
  }

  /// Returns a sentence that names the models that answered, or `nil` if there are none.
  static func sentence(of columns: [ColumnResult], isLive: Bool) -> String? {
    let phrases = phrases(of: columns).joined(separator: "; ")
    return phrases.isEmpty ? nil : "\(isLive ? "Answered by" : "Recorded answers of") \(phrases)."
  }

  /// Returns the models that answered with the dates of their answers, or `nil` if there are none.
  ///
  /// Details that people stated at an import are left out.
  ///
  /// - Parameters:
  ///   - columns: The columns of answers.
  ///   - isLive: True if the answers are from a live run, not from recordings.
  ///   - namesBackends: True to write each model after its backend.
  /// - Returns: The models and dates.
  static func short(of columns: [ColumnResult], isLive: Bool, namesBackends: Bool = false)
    -> String?
  {
    var names: [String] = []
    for column in columns where column.outputs == nil {
      for origin in column.provenances {
        let model = origin.standIn.map { "\($0), a stand-in (not a model)" } ?? origin.model
        let name = model ?? "an unnamed model"
        let via = origin.via?.phrase
        let text =
          namesBackends && name != column.backend
          ? "\(column.backend) (\([name, via].compactMap(\.self).joined(separator: ", ")))"
          : name + (via.map { " (\($0))" } ?? "")
        if !names.contains(text) { names.append(text) }
      }
    }
    if names.isEmpty { return nil }
    let dates = columns.flatMap(\.provenances).compactMap(\.date).sorted()
    var text =
      "\(isLive ? "answers" : "recorded answers") of \(names.prefix(3).joined(separator: ", "))"
    if names.count > 3 { text += " and \(names.count - 3) more" }
    if let first = dates.first, let last = dates.last {
      text += first == last ? ", \(first)" : ", \(first) to \(last)"
    }
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// A phrase that names the model that answered, without the date and without the details that
  /// people stated at an import.
  ///
  /// The report files have the date and these details.
  ///
  /// A stand-in is never shown as a model.
  var briefPhrase: String {
    let name = model ?? "an unnamed model"
    var text = standIn.map { "\($0), a stand-in (not a model)" } ?? name
    if let host { text += " at \(host)" }
    if let via { text += " (\(via.phrase))" }
    if let imported { text += ", imported \(imported), day of the answers unknown" }
    return text
  }

  /// A phrase that names the model that answered, with the date.
  ///
  /// A stand-in is never shown as a model.
  package var phrase: String {
    let name = model ?? "an unnamed model"
    var text = standIn.map { "\($0), a stand-in (not a model)" } ?? name
    if let host { text += " at \(host)" }
    let origin = [
      via?.phrase, stated?.by.map { "by: \($0)" },
      stated?.note.map { "note: \($0)" },
    ].compactMap(\.self)
    if !origin.isEmpty { text += " (\(origin.joined(separator: "; ")))" }
    if let date { text += ", \(date)" }
    if let imported { text += ", imported \(imported), day of the answers unknown" }
    return text
  }
}

extension String {
  /// The text without the decimals of its leading number if they are zeros: `16 points`, `95%`,
  /// `1 s`.
  var withoutZeroDecimal: String {
    var digits = prefix { $0.isNumber || ".-+$".contains($0) }
    let rest = dropFirst(digits.count)
    guard digits.contains("."), !digits.hasPrefix("$") else { return self }
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    if digits.hasSuffix(".") { digits = digits.dropLast() }
    return String(digits + rest)
  }
}
