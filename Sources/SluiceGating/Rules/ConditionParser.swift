package import SluiceCore

/// The parser of conditions.
///
/// ```
/// condition  = ( comparison | regression ) [ "(live)" ]
/// comparison = metric op value [ "at" number "%" "confidence" ]
/// regression = "no regression in" metric "beyond" number ( "points" | "point" | "%" )
/// metric     = ( name | function "(" name ")" ) [ "[" [ ( "tag" | "class" ) "=" ] label "]" ]
/// function   = "mean" | "max" | "min" | "sum" | "p" number
/// name       = [ word "." ] word
/// label      = any text without "[", "]", "=", "<" and ">"
/// op         = ">=" | "<=" | ">" | "<"
/// value      = [ "$" ] number [ "%" | "ms" | "s" ] | "-" number
/// ```
package struct ConditionParser {
  /// A mistake in a condition, with its position.
  package struct Problem: Error, Hashable {
    /// The offset in Unicode scalars from the start of the text.
    package var offset: Int
    package var message: String
    package var fix: String?
  }

  /// A number as written.
  ///
  /// Converting its unit loses no precision: 58.7% is exactly 0.587.
  private struct Decimal {
    var text: String
    var value: Double

    func times(tenTo exponent: Int) -> Double { Double("\(text)e\(exponent)") ?? value }
  }

  /// A value with its unit as written.
  private struct Value {
    var number: Decimal
    var unit: Unit
    var offset: Int
  }

  private enum Unit: String {
    case none = "", percent = "%", milliseconds = "ms", seconds = "s", dollars = "$"
  }

  private static let functions = ["mean", "max", "min", "sum", "p50", "p95"]
  private let text: String
  private let scalars: [Unicode.Scalar]
  private let known: (MetricReference) -> Quantity?
  private var index = 0
  /// True if the value must match the unit of its metric.
  private var checksValue = true

  private init(_ text: String, _ known: @escaping (MetricReference) -> Quantity?) {
    self.text = text
    self.known = known
    scalars = Array(text.unicodeScalars)
  }

  /// Reads a condition.
  ///
  /// - Parameters:
  ///   - text: The condition.
  ///   - quantity: A closure that returns a metric's unit, or `nil` for an unknown metric. The
  ///     parser then infers from the name alone if the metric is a rate or a series.
  /// - Returns: The condition.
  /// - Throws: The first mistake in the condition.
  package static func parse(
    _ text: String,
    quantity: @escaping (MetricReference) -> Quantity? = { _ in nil }
  ) throws(Problem) -> Condition {
    var parser = ConditionParser(text, quantity)
    return try parser.readCondition()
  }

  /// Returns the metric at the start of a text, or `nil` if there is none.
  static func reference(of text: String) -> MetricReference? {
    var parser = ConditionParser(text) { _ in nil }
    if parser.take(words: ["no"]) { return nil }
    return try? parser.readMetric()
  }

  /// Returns true if a text follows the grammar, even if the metric or the unit of the value is
  /// wrong.
  static func isWellFormed(_ text: String) -> Bool {
    var parser = ConditionParser(text) { _ in nil }
    parser.checksValue = false
    return (try? parser.readCondition()) != nil
  }

  private mutating func readCondition() throws(Problem) -> Condition {
    let isRegression = take(words: ["no", "regression", "in"])
    if !isRegression, take(words: ["no"]) {
      skipSpace()
      throw problem(
        "expected 'regression in'",
        fix: "write 'no regression in accuracy beyond 5 points'"
      )
    }
    let reference = try readMetric()
    let demand = isRegression ? try readRegression(reference) : try readComparison(reference)
    let isLive = take(symbol: "(live)")
    skipSpace()
    guard index == scalars.count else {
      let isSecond = ["and ", "&&", ",", ";"].contains { rest.hasPrefix($0) }
      throw problem(
        "unexpected '\(rest)'",
        fix: isSecond
          ? "write each condition as a separate entry"
          : "remove the text after the condition's value"
      )
    }
    return Condition(
      text: text.trimmed,
      reference: reference,
      demand: demand,
      isLive: isLive
    )
  }

  private mutating func readRegression(_ reference: MetricReference) throws(Problem)
    -> Condition.Demand
  {
    guard take(words: ["beyond"]) else {
      throw problem(
        "expected 'beyond'",
        fix: "write 'no regression in \(reference) beyond 5 points'"
      )
    }
    let number = try readNumber()
    let margin = number.times(tenTo: -2)
    if take(words: ["points"]) || take(words: ["point"]) {
      return .noRegression(margin: margin, isRelative: false)
    }
    guard take(symbol: "%") else {
      throw problem("expected 'points' or '%'", fix: "write 'beyond 5 points'")
    }
    return .noRegression(margin: margin, isRelative: true)
  }

  private mutating func readComparison(_ reference: MetricReference) throws(Problem)
    -> Condition.Demand
  {
    guard let comparison = Condition.Comparison.allCases.first(where: { take(symbol: $0.rawValue) })
    else {
      throw problem(
        "expected >=, <=, > or <",
        fix: "write '\(reference) \(example(for: reference))'"
      )
    }
    skipSpace()
    if index == scalars.count {
      throw problem("expected a number", fix: "write '\(reference) \(example(for: reference))'")
    }
    let value = try readValue()
    var confidence: Double?
    if take(words: ["at"]) {
      skipSpace()
      let start = index
      let number = try readNumber()
      guard take(symbol: "%"), take(words: ["confidence"]) else {
        throw problem("expected '% confidence'", fix: "write 'at 95% confidence'")
      }
      guard number.value > 50, number.value < 100 else {
        throw Problem(offset: start, message: "the confidence must be between 50% and 100%")
      }
      confidence = number.times(tenTo: -2)
    }
    return .comparison(comparison, try scaled(value, for: reference), confidence: confidence)
  }

  // MARK: Metrics

  private mutating func readMetric() throws(Problem) -> MetricReference {
    let start = { (parser: inout ConditionParser) in
      parser.skipSpace()
      return parser.index
    }(&self)
    var reference: MetricReference
    let word = try readWord()
    if take(symbol: "(") {
      guard let aggregate = aggregate(word) else {
        throw Problem(
          offset: start,
          message: "unknown function '\(word)'",
          fix: NearestName.suggestion(for: word, among: Self.functions)
        )
      }
      reference = try readName(first: try readWord())
      reference.aggregate = aggregate
      guard take(symbol: ")") else { throw problem("expected ')'") }
    } else {
      reference = try readName(first: word)
    }
    if take(symbol: "[") { reference.selector = try readSelector() }
    return reference
  }

  private mutating func readName(first: String) throws(Problem) -> MetricReference {
    guard index < scalars.count, scalars[index] == "." else { return MetricReference(name: first) }
    index += 1
    return MetricReference(scorer: first, name: try readWord())
  }

  private mutating func readSelector() throws(Problem) -> MetricReference.Selector {
    skipSpace()
    let start = index
    let label = try readLabel()
    var selector = MetricReference.Selector.named(label)
    if take(symbol: "=") {
      let value = try readLabel()
      switch label {
      case "tag": selector = .tag(value)
      case "class": selector = .classLabel(value)
      default:
        throw Problem(
          offset: start,
          message: "unknown selector '\(label)'",
          fix: NearestName.suggestion(for: label, among: ["tag", "class"])
        )
      }
    }
    guard take(symbol: "]") else { throw problem("expected ']'") }
    return selector
  }

  /// Reads a tag or a class.
  ///
  /// Tags may contain dots, and classes may contain almost any text.
  private mutating func readLabel() throws(Problem) -> String {
    skipSpace()
    let start = index
    while index < scalars.count, !Self.labelEnds.contains(scalars[index]) { index += 1 }
    let label = String(String.UnicodeScalarView(scalars[start..<index])).trimmed
    guard !label.isEmpty else {
      index = start
      throw problem("expected a tag or a class")
    }
    return label
  }

  private static let labelEnds: Set<Unicode.Scalar> = ["[", "]", "=", "<", ">"]

  private func aggregate(_ word: String) -> MetricReference.Aggregate? {
    switch word {
    case "mean": return .mean
    case "max": return .max
    case "min": return .min
    case "sum": return .sum
    default:
      // `Double` alone also reads hexadecimal numbers and exponents.
      let number = word.dropFirst()
      guard word.hasPrefix("p"), number.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }),
        let percent = Double(number), percent > 0, percent < 100
      else { return nil }
      return .percentile(percent)
    }
  }

  // MARK: Values

  private mutating func readValue() throws(Problem) -> Value {
    skipSpace()
    let offset = index
    if take(symbol: "$") { return Value(number: try readNumber(), unit: .dollars, offset: offset) }
    let isNegative = take(symbol: "-")
    var number = try readNumber()
    if isNegative { number = Decimal(text: "-\(number.text)", value: -number.value) }
    let unit: Unit =
      if take(symbol: "%") {
        .percent
      } else if take(words: ["ms"]) {
        .milliseconds
      } else if take(words: ["s"]) {
        .seconds
      } else {
        .none
      }
    return Value(number: number, unit: unit, offset: offset)
  }

  /// Converts a value to the unit of the metric: a share of 1, milliseconds, dollars or a count.
  private func scaled(_ value: Value, for reference: MetricReference) throws(Problem) -> Double {
    func wrong(_ fix: String) -> Problem {
      let unit =
        value.unit == .none ? "a number without a unit" : "the unit '\(value.unit.rawValue)'"
      return Problem(
        offset: value.offset,
        message: "\(unit) cannot be used with '\(reference.name)'",
        fix: fix
      )
    }
    if !checksValue { return value.number.value }
    if value.number.value < 0, quantity(of: reference) != .number {
      throw Problem(
        offset: value.offset,
        message: "'\(reference.name)' is never below 0",
        fix: "write a number of 0 or more"
      )
    }
    // A function such as `mean` that is applied to a rate is reported later, so do not report its
    // unit too.
    if reference.aggregate != nil, Series(rawValue: reference.name) == nil {
      return value.number.value
    }
    switch quantity(of: reference) {
    case .rate:
      switch value.unit {
      case .percent where value.number.value <= 100: return value.number.times(tenTo: -2)
      case .none where value.number.value <= 1: return value.number.value
      case .percent, .none:
        throw Problem(
          offset: value.offset,
          message: "a share cannot be more than 100%",
          fix: "write a percentage such as 85%, or a share such as 0.85"
        )
      default: throw wrong("write a percentage such as 85%")
      }
    case .time:
      switch value.unit {
      case .milliseconds: return value.number.value
      case .seconds: return value.number.times(tenTo: 3)
      default: throw wrong("write a time such as 800 ms or 1 s")
      }
    case .money:
      guard value.unit == .dollars else { throw wrong("write an amount such as $0.004") }
      return value.number.value
    case .count, .number:
      guard value.unit == .none else { throw wrong("write a number without a unit") }
      return value.number.value
    }
  }

  private func quantity(of reference: MetricReference) -> Quantity {
    known(reference) ?? Series(rawValue: reference.name)?.quantity ?? .rate
  }

  /// Returns an example of a valid comparison for a metric, to suggest as a fix.
  private func example(for reference: MetricReference) -> String {
    switch quantity(of: reference) {
    case .rate: ">= 85%"
    case .time: "< 1 s"
    case .money: "<= $0.004"
    case .count: "<= 500"
    case .number: "<= 0.5"
    }
  }

  private mutating func readNumber() throws(Problem) -> Decimal {
    skipSpace()
    let start = index
    while index < scalars.count, ("0"..."9").contains(scalars[index]) || scalars[index] == "." {
      index += 1
    }
    let text = String(String.UnicodeScalarView(scalars[start..<index]))
    guard let value = Double(text), value.isFinite else {
      index = start
      throw problem("expected a number")
    }
    return Decimal(text: text, value: value)
  }

  // MARK: Words

  private mutating func readWord() throws(Problem) -> String {
    skipSpace()
    let start = index
    while index < scalars.count, isWordScalar(scalars[index]) { index += 1 }
    // The only word with a dot inside is a percentile, such as p99.9.
    if start < index, scalars[start] == "p", index + 1 < scalars.count, scalars[index] == ".",
      scalars[(start + 1)..<index].allSatisfy({ ("0"..."9").contains($0) }),
      ("0"..."9").contains(scalars[index + 1])
    {
      index += 1
      while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
    }
    guard start < index else { throw problem("expected the name of a metric") }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "_" || WordSplitter.isWordScalar(scalar)
  }

  private mutating func take(words: [String]) -> Bool {
    let start = index
    for word in words {
      skipSpace()
      let wanted = Array(word.unicodeScalars)
      let end = index + wanted.count
      guard end <= scalars.count, scalars[index..<end].elementsEqual(wanted),
        end == scalars.count || !isWordScalar(scalars[end])
      else {
        index = start
        return false
      }
      index = end
    }
    return true
  }

  private mutating func take(symbol: String) -> Bool {
    let start = index
    skipSpace()
    let wanted = Array(symbol.unicodeScalars)
    guard index + wanted.count <= scalars.count,
      scalars[index..<(index + wanted.count)].elementsEqual(wanted)
    else {
      index = start
      return false
    }
    index += wanted.count
    return true
  }

  private mutating func skipSpace() {
    while index < scalars.count, scalars[index] == " " || scalars[index] == "\t" { index += 1 }
  }

  private var rest: String { String(String.UnicodeScalarView(scalars[index...])).trimmed }

  private func problem(_ message: String, fix: String? = nil) -> Problem {
    Problem(offset: min(index, max(scalars.count - 1, 0)), message: message, fix: fix)
  }
}
