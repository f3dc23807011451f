import SluiceSupport

/// A row of an outputs file: an answer, and the id or the input of its case.
struct OutputRow {
  var id: String?
  /// The input of the case.
  ///
  /// A row contains the id, the input, or both.
  var input: JSONValue?
  var repetition = 1
  /// The name of the prompt that led to the answer, if the row contains it.
  var prompt: String?

  /// The members that describe the answer.
  ///
  /// Backends that are programs use the same names in their answers.
  static let answerKeys = [
    "text", "model", "finish-reason", "refusal", ProgramAnswer.toolCalls, "usage", "timings",
    "cost", "stand-in", "error",
  ]
  /// The members that identify the trial.
  static let placeKeys = ["id", "input", "repeat", "prompt"]
  static let keys = placeKeys + answerKeys
  /// The names of timings, which are the same as in run logs.
  static let timeNames = [
    "connect-ms", "tls-ms", "first-byte-ms", "first-text-ms", "longest-gap-ms", "total-ms",
    "server-ms", "user-ms",
  ]
  /// The names of token counts.
  ///
  /// The names that OpenAI and Anthropic use are accepted, too.
  static let countNames = ["input", "cached-input", "cache-write", "output", "reasoning"]

  /// The names of all supported columns.
  static let columns =
    keys + countNames.map { "usage.\($0)" } + timeNames.map { "timings.\($0)" }

  private static let repetitions = 1...10_000

  /// The words of reports for members of a row.
  private static let words = [
    "input-tokens": "usage.input", "cached-input-tokens": "usage.cached-input",
    "output-tokens": "usage.output", "reasoning-tokens": "usage.reasoning", "cost-usd": "cost",
    "stop-reason": "finish-reason", "stopReason": "finish-reason",
  ]

  /// Returns the member that an imported column supplies without a mapping; nil if there is none.
  static func target(of column: String) -> String? {
    if OutputsTable.path(of: column) != nil { return column }
    if timeNames.contains(column) { return "timings.\(column)" }
    let word = words[column] ?? ForeignWords.outputs.key(for: column)
    // The other words may have values in other forms, or another meaning.
    return words[column] != nil
      || ["finish-reason", "tool-calls"].contains(word) && column != "tools"
      ? word : nil
  }

  /// Reads a row quickly; nil if the row has an unusual form, and may contain errors.
  init?(_ json: JSONValue) {
    guard let object = json.object else { return nil }
    var isAnswered = false
    for (name, value) in object.members {
      switch (name, value) {
      case ("id", .string(let text)): id = text
      case ("input", .object): input = value
      case ("repeat", .number(let number)):
        guard let whole = Int(exactly: number), Self.repetitions.contains(whole) else { return nil }
        repetition = whole
      case ("prompt", .string(let text)) where !text.isEmpty: prompt = text
      case ("text", .null): break
      case ("text", _): isAnswered = true
      case ("model", .string), ("finish-reason", .string), ("refusal", .string),
        ("stand-in", .string):
        break
      case ("usage", .object(let usage)):
        guard usage.members.allSatisfy({ Self.isCount($0.value) }), Self.tells(value) else {
          return nil
        }
      case ("timings", .object(let times)):
        guard times.members.allSatisfy({ Self.isTime($0.name, $0.value) }) else { return nil }
      case ("cost", .number(let cost)) where cost >= 0: break
      case ("error", .string(let text)) where !text.isEmpty: isAnswered = true
      default: return nil
      }
    }
    if !isAnswered || id == nil && input == nil { return nil }
  }

  private static func isCount(_ value: JSONValue) -> Bool {
    guard case .number(let number) = value else { return false }
    return Int(exactly: number).map { $0 >= 0 } ?? false
  }

  private static func isTime(_ name: String, _ value: JSONValue) -> Bool {
    guard timeNames.contains(name), case .number(let number) = value else { return false }
    return number >= 0
  }

  /// Returns true if at least one token count has a known name.
  private static func tells(_ usage: JSONValue) -> Bool {
    UsageReading(usage).usage != TokenUsage()
  }

  // MARK: With source positions

  /// Reads a row, and reports the errors in the row; nil if there are errors.
  init?(_ node: Node, in file: SourceFile, _ diagnostics: DiagnosticCollector) {
    let before = diagnostics.count
    guard
      let fields = FieldReader(node, subject: "a row", file: file, diagnostics: diagnostics)
    else { return nil }
    id = fields.optionalText("id")
    if let node = fields.optional("input") {
      if node.members == nil { fields.wrongType("input", "the whole input of a case", node) }
      input = node.json
    }
    repetition = fields.optionalInteger("repeat", in: Self.repetitions) ?? 1
    prompt = fields.optionalText("prompt").flatMap { $0.isEmpty ? nil : $0 }
    // `text` may have any type, because an answer in JSON may be written as a JSON value.
    let text = fields.optional("text")
    for key in ["model", "finish-reason", "stand-in"] { _ = fields.optionalText(key) }
    let refusal = fields.optionalText("refusal")
    let calls = fields.optional(ProgramAnswer.toolCalls)
    if let calls { Self.checkCalls(calls, fields) }
    if let usage = fields.optional("usage") { Self.checkUsage(usage, fields) }
    if let times = fields.optional("timings") { Self.checkTimes(times, fields) }
    if let cost = fields.optionalNumber("cost"), cost < 0 {
      fields.wrongType("cost", "0 or more US dollars", node["cost"] ?? node)
    }
    let error = fields.optional("error")
    if let error { Self.checkError(error, fields) }
    fields.finish(foreign: .outputs)
    func isMisspelt(_ key: String) -> Bool { fields.isMisspelt(key) }
    if id == nil, input == nil, diagnostics.count == before || !isMisspelt("id") {
      if node["id"] == nil, node["input"] == nil, !isMisspelt("id"), !isMisspelt("input") {
        diagnostics.error(
          "a row needs 'id', the id of the case that it answers",
          in: file,
          at: node.position,
          fix: "add 'id', or the case's whole 'input'"
        )
      }
    }
    let isAnswered = text != nil || error != nil || calls != nil || refusal?.isEmpty == false
    // If `text` is null, the answer is empty.
    if !isAnswered, node["text"] == nil, !isMisspelt("text") {
      diagnostics.error(
        "a row needs 'text', which is the answer",
        in: file,
        at: node.position,
        fix: "add 'text', or 'error' if there is no answer"
      )
    }
    if diagnostics.count > before, diagnostics.hasErrors(since: before) { return nil }
  }

  private static func checkCalls(_ node: Node, _ fields: FieldReader) {
    for call in fields.list(node, ProgramAnswer.toolCalls) ?? [] {
      let function = call["function"] ?? call
      if case .string = function["name"]?.value { continue }
      fields.diagnostics.error(
        "a call in '\(ProgramAnswer.toolCalls)' needs the 'name' of a function",
        in: fields.file,
        at: call.position,
        fix: #"write {"name": "…", "arguments": {…}}"#
      )
    }
  }

  private static func checkUsage(_ node: Node, _ fields: FieldReader) {
    guard let members = node.members else {
      return fields.wrongType("usage", "a mapping of counts", node)
    }
    var isWrong = false
    for member in members {
      switch member.value.value {
      case .number(let number):
        if Int(exactly: number).map({ $0 >= 0 }) ?? (member.key == "cost") { continue }
        fields.diagnostics.error(
          "'usage.\(member.key)' must be a whole number of tokens, not \(JSONWriter.number(number))",
          in: fields.file,
          at: member.value.position
        )
      // Servers put details into nested objects, and use null for tokens that they did not count.
      case .mapping, .null, .bool: continue
      case .string where member.key == "doubt": continue
      case .string, .sequence:
        fields.wrongType(
          "usage.\(member.key)",
          "a whole number of tokens",
          member.value,
          fix: ValueSource(fields.file).unquoting(member.value)
        )
      }
      isWrong = true
    }
    guard !isWrong, let first = members.first, !tells(node.json) else { return }
    fields.diagnostics.error(
      "'usage' contains no known token count",
      in: fields.file,
      at: first.keyPosition,
      fix: NearestName.suggestion(for: first.key, among: countNames)
    )
  }

  private static func checkTimes(_ node: Node, _ outer: FieldReader) {
    guard
      let fields = FieldReader(
        node,
        subject: "'timings'",
        file: outer.file,
        diagnostics: outer.diagnostics
      )
    else { return }
    for name in timeNames {
      guard let time = fields.optionalNumber(name), time < 0 else { continue }
      fields.diagnostics.error(
        "'\(name)' must be 0 or more milliseconds, not \(JSONWriter.number(time))",
        in: fields.file,
        at: fields.optional(name)?.position
      )
    }
    fields.finish()
  }

  private static func checkError(_ node: Node, _ outer: FieldReader) {
    guard node.members != nil else {
      _ = outer.text(node, "error")
      return
    }
    guard
      let fields = FieldReader(
        node,
        subject: "'error'",
        file: outer.file,
        diagnostics: outer.diagnostics
      )
    else { return }
    _ = fields.requiredText("message")
    if let kind = fields.optional("kind"), let name = fields.text(kind, "kind"),
      BackendError.Kind(rawValue: name) == nil
    {
      fields.diagnostics.error(
        "unknown kind of error '\(name)'",
        in: fields.file,
        at: kind.position,
        fix: NearestName.suggestion(for: name, among: BackendError.Kind.allCases.map(\.rawValue))
      )
    }
    _ = fields.optionalNumber("retry-after")
    fields.finish()
  }
}
