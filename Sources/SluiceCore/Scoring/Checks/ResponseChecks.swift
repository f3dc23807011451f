import SluiceSupport

/// The check that the answer is a refusal.
///
/// Either the API reports the refusal, or the opening of the answer shows it.
struct RefusalCheck: AnswerCheck {
  let claim = "be a refusal"
  let needsUsableAnswer = false
  let wantedParts: Set<AnswerPart> = [.refusal]

  init?(_ arguments: ScorerArguments) {
    if !arguments.isBare() { return nil }
  }

  func finding(_ answer: Answer) -> Finding {
    Finding(answer.response.refusal != nil || Refusals.sentence(in: answer.text) != nil)
  }

  func came(_ answer: Answer, isNegated: Bool) -> String {
    "got \(Excerpt.quoted(answer.response.refusal ?? answer.text))"
  }
}

/// The check of the answer's finish reason.
///
/// A reason can be written as the API calls it (`end_turn`), as chat completions call it (`stop`),
/// or by its general name (`done`).
struct FinishReasonCheck: AnswerCheck {
  private let reasons: [String]
  let claim: String
  let needsUsableAnswer = false
  let judgesTextAlone = false

  init?(_ arguments: ScorerArguments) {
    guard let reasons = arguments.texts() else { return nil }
    self.reasons = reasons
    claim = "end with \(Excerpt.list(reasons.map { "'\($0)'" }, separator: " or "))"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    guard let reason = answer.response.finishReason else {
      throw Undecided(reason: "the server did not say why the answer ended")
    }
    let ending = answer.response.ending
    let hasCalls = !answer.response.toolCalls.isEmpty
    let words = [
      reason, ending?.rawValue, ending?.commonWord(hasCalls: hasCalls),
    ].compactMap(\.self)
    return Finding(
      reasons.contains { asked in words.contains(where: asked.isIdentical) },
      detail: "it ended with '\(Excerpt.cut(reason))'"
    )
  }
}

/// The check of the functions that the model calls.
///
/// The order of the calls does not matter.
struct ToolCallsCheck: AnswerCheck {
  private struct Call: Sendable {
    var name: String
    /// The arguments that the call must have; nil if all arguments are accepted.
    var arguments: JSONValue?

    func isMet(by call: ToolCall) -> Bool {
      guard name.isIdentical(to: call.name) else { return false }
      guard let arguments else { return true }
      return (try? JSONReader.value(Array(call.arguments.utf8))) == arguments
    }

    var text: String { arguments.map { "\(name)(\(Excerpt.json($0)))" } ?? name }
  }

  private let calls: [Call]
  let claim: String
  let needsUsableAnswer = false
  let judgesTextAlone = false
  var wantedParts: Set<AnswerPart> { calls.isEmpty ? [] : [.toolCall] }

  init?(_ arguments: ScorerArguments) {
    if !arguments.hasValueAlone() { return nil }
    guard case .sequence(let nodes) = arguments.spec.arguments.value else {
      arguments.error(
        "'\(arguments.spec.type)' needs the list of expected calls; an empty list means no call",
        fix: "write, for example, '\(arguments.spec.type): [search, {name: open, arguments: {id: "
          + "7}}]'"
      )
      return nil
    }
    let calls = nodes.compactMap { Self.call($0, arguments) }
    if calls.count < nodes.count { return nil }
    self.calls = calls
    claim =
      calls.isEmpty
      ? "call no function"
      : "call only \(Excerpt.list(calls.map(\.text)))"
  }

  private static func call(_ node: Node, _ arguments: ScorerArguments) -> Call? {
    if case .string(let name) = node.value { return Call(name: name) }
    let reader = FieldReader(
      node,
      subject: "a call",
      file: arguments.spec.file,
      diagnostics: arguments.diagnostics
    )
    guard let reader else { return nil }
    let name = reader.requiredText("name")
    let values = reader.optional("arguments")
    reader.finish()
    return name.map { Call(name: $0, arguments: values?.json) }
  }

  func finding(_ answer: Answer) -> Finding {
    let made = answer.response.toolCalls
    let shown =
      made.isEmpty
      ? "it called no function"
      : "it called \(Excerpt.list(made.map { "\(Excerpt.cut($0.name))(\(Excerpt.cut($0.arguments)))" }))"
    guard made.count == calls.count else { return Finding(false, detail: shown) }
    // A call may match several required calls, so the best assignment is searched for.
    let pairs = calls.map { call in made.map { call.isMet(by: $0) ? 1.0 : nil } }
    let matched = OptimalAssignment.maximum(pairs).count { $0 != nil }
    return Finding(matched == calls.count, detail: shown)
  }
}

/// The check that a time or a cost does not exceed a limit.
///
/// In a replay, the recorded values are compared.
struct LimitCheck: AnswerCheck {
  enum Quantity: Sendable {
    case latency, firstText, cost
  }

  private let quantity: Quantity
  private let limit: Double
  let needsUsableAnswer = false
  let judgesTextAlone = false

  init?(_ arguments: ScorerArguments, _ quantity: Quantity) {
    let spec = arguments.spec
    var node = spec.arguments
    if case .mapping = node.value {
      guard let reader = arguments.fields() else { return nil }
      let threshold = reader.required("threshold")
      reader.finish()
      guard let threshold else { return nil }
      node = threshold
    }
    let limit = quantity == .cost ? DollarText.value(node) : DurationText.milliseconds(node)
    guard let limit else {
      arguments.error(
        "'\(spec.type)' needs \(quantity == .cost ? "an amount of US dollars" : "a time")",
        fix: quantity == .cost
          ? "write, for example, '\(spec.type): 0.004' or '\(spec.type): $0.004'"
          : "write, for example, '\(spec.type): 500 ms' or '\(spec.type): 2 s'"
      )
      return nil
    }
    self.quantity = quantity
    self.limit = limit
  }

  var claim: String {
    switch quantity {
    case .latency: "be complete within \(shown(limit))"
    case .firstText: "start within \(shown(limit))"
    case .cost: "cost at most \(shown(limit))"
    }
  }

  private func shown(_ value: Double) -> String {
    let number = JSONWriter.number(value)
    return quantity == .cost ? "$\(number)" : "\(number) ms"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    let timings = answer.response.timings
    if quantity != .cost, let fault = answer.timesFault {
      throw Undecided(reason: "the time of the answer is unknown: \(fault)")
    }
    switch quantity {
    case .latency:
      guard let time = timings.total else {
        throw Undecided(reason: "the time of the answer is unknown")
      }
      return Finding(time <= limit, detail: "it took \(shown(time))")
    case .firstText:
      guard let time = timings.firstText else {
        throw Undecided(
          reason: "the answer was not streamed; set 'stream: true' for its backend"
        )
      }
      return Finding(time <= limit, detail: "its first text arrived after \(shown(time))")
    case .cost:
      guard let cost = answer.cost else {
        let doubt = answer.response.usage.flatMap { $0.input == nil ? nil : PriceList.Lack($0) }
        throw Undecided(
          reason: "the cost of the answer is unknown: "
            + (doubt?.reason ?? "its usage or the price of its model is missing")
        )
      }
      return Finding(cost <= limit, detail: "it cost \(shown(cost))")
    }
  }
}

/// The check that the token counts from the server do not exceed limits.
struct TokensCheck: AnswerCheck {
  private enum Part: String, CaseIterable, Sendable {
    case input, output, total

    func count(_ usage: TokenUsage) -> Int? {
      switch self {
      case .input: usage.input
      case .output: usage.output
      case .total: usage.total
      }
    }
  }

  private let limits: [(part: Part, most: Int)]
  let needsUsableAnswer = false
  let judgesTextAlone = false

  init?(_ arguments: ScorerArguments) {
    let spec = arguments.spec
    if let most = spec.arguments.json.integer, most >= 0 {
      limits = [(.total, most)]
      return
    }
    guard case .mapping = spec.arguments.value, let reader = arguments.fields() else {
      arguments.error(
        "'\(spec.type)' needs a maximum number of tokens",
        fix: "write, for example, '\(spec.type): 500' or '\(spec.type): {input: 400, output: 100}'"
      )
      return nil
    }
    let before = arguments.diagnostics.count
    var limits: [(part: Part, most: Int)] = []
    for part in Part.allCases {
      if let most = reader.optionalInteger(part.rawValue, in: 0...Int(Int32.max)) {
        limits.append((part, most))
      }
    }
    // The long form is `{type: tokens, threshold: 500}`.
    if let most = reader.optionalInteger("threshold", in: 0...Int(Int32.max)) {
      limits.append((.total, most))
    }
    reader.finish()
    if limits.isEmpty || arguments.diagnostics.count > before {
      if arguments.diagnostics.count == before {
        arguments.error(
          "'\(spec.type)' needs a limit",
          fix: "write, for example, '\(spec.type): {input: 400, output: 100}'"
        )
      }
      return nil
    }
    self.limits = limits
  }

  var claim: String {
    let parts = limits.map { part, most in
      "\(most) \(part == .total ? "" : "\(part.rawValue) ")\(most == 1 ? "token" : "tokens")"
    }
    return "use at most \(parts.joined(separator: " and "))"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    var holds = true
    var counts: [String] = []
    for limit in limits {
      guard let count = answer.response.usage.flatMap(limit.part.count) else {
        throw Undecided(reason: "the number of tokens of the answer is unknown")
      }
      if count > limit.most { holds = false }
      counts.append(limits.count > 1 ? "\(count) \(limit.part.rawValue)" : "\(count)")
    }
    return Finding(holds, detail: "it used \(counts.joined(separator: " and "))")
  }
}

/// A duration as it is written in files.
enum DurationText {
  /// Returns a duration in milliseconds; nil if the value is not a duration.
  ///
  /// A duration is written as a number of milliseconds, or as a text with a unit.
  static func milliseconds(_ node: Node) -> Double? {
    let value: Double?
    switch node.value {
    case .number(let number): value = number
    case .string(let text):
      let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let factor: Double? =
        switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
        case "ms": 1
        case "s": 1_000
        default: nil
        }
      value = factor.flatMap { factor in Double(digits).map { $0 * factor } }
    default: value = nil
    }
    return value.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
  }
}

/// An amount of money as it is written in files.
enum DollarText {
  /// Returns an amount in US dollars; nil if the value is not an amount.
  ///
  /// An amount is written as a number, or as a text with a dollar sign.
  static func value(_ node: Node) -> Double? {
    let value: Double?
    switch node.value {
    case .number(let number): value = number
    case .string(let text): value = text.hasPrefix("$") ? Double(text.dropFirst()) : nil
    default: value = nil
    }
    return value.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
  }
}
