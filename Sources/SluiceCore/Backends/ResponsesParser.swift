import SluiceSupport

/// A parser that assembles an answer of OpenAI's Responses API.
struct ResponsesParser: AnswerParser {
  /// The items so far, by their index in the output.
  private var items: [Int: Item] = [:]
  private var model: String?
  /// The whole response, which the last event contains.
  private var response: JSONValue?
  /// The status of the response, according to the type of the last event.
  private var lastState: String?
  private var sequence: Sequence = .unknown
  private var hasEvent = false
  private var clock = TextClock()
  private let status: Int
  private let secret: Secret?

  init(status: Int, hiding secret: Secret?) {
    self.status = status
    self.secret = secret
  }

  /// The sequence numbers of events.
  ///
  /// A gap in the numbers shows that events were lost.
  private enum Sequence {
    case unknown
    case after(Int)
    /// The server repeats sequence numbers, so a gap does not show that events were lost.
    case meaningless
  }

  /// An item of the output, whose parts may still be arriving.
  private struct Item {
    /// The whole item, if one event contains all of it.
    var whole: JSONValue?
    /// The pieces of text, by the index of the part.
    var texts: [Int: String] = [:]
    var refusals: [Int: String] = [:]
    var arguments = ""
  }

  // MARK: Whole

  // Skipping these members saves time: they may be most of an answer's bytes.
  static let echoes: [StaticString] = [
    "background", "frequency_penalty", "instructions", "max_output_tokens", "max_tool_calls",
    "parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt_cache_key",
    "prompt_cache_retention", "reasoning", "safety_identifier", "store", "temperature", "text",
    "tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user",
  ]

  func whole(_ json: JSONValue) throws(BackendError) -> AnswerDraft {
    // Some gateways wrap the response in an event.
    let response =
      json["object"]?.string == nil && json["response"]?.object != nil
      ? json["response"] ?? json : json
    return try draft(response, output: response["output"]?.array)
  }

  private func draft(_ response: JSONValue, output: [JSONValue]?) throws(BackendError)
    -> AnswerDraft
  {
    var state = Ending.word(in: response["status"])
    // Some servers omit the status, or send an outdated status.
    if let lastState, state == nil || lastState != "completed" { state = lastState }
    if state == "failed", let refusal = refused(response["error"]) {
      return draft(response, [], ending: refusal)
    }
    if let error = ServerFault.inside(response, status: status, hiding: secret) {
      throw error.ofResponse(response["error"])
    }
    let reason = response.value(at: "incomplete_details.reason")?.string
    switch state {
    case "failed":
      throw BackendError(
        .serverError,
        "the server did not finish the answer and gave no reason"
      )
    case "cancelled", "queued", "in_progress":
      throw BackendError(
        .brokenAnswer,
        "the server's answer is incomplete: its status is '\(state ?? "")'"
      )
    default: break
    }
    guard let output else {
      throw BackendError(
        .brokenAnswer,
        "the server's answer contains no output" + ServerFault.Fault(response).words(hiding: secret)
      )
    }
    let word = state == "incomplete" ? reason ?? state : state
    if let failure = Ending.failure(word: word) { throw failure }
    return draft(response, output, ending: (word, nil, nil))
  }

  private func draft(
    _ response: JSONValue,
    _ output: [JSONValue],
    ending: (word: String?, refusal: String?, meaning: Ending?)
  ) -> AnswerDraft {
    var parts = OutputParts()
    for item in output { parts.take(item) }
    var choice = parts.choice
    choice.finishReason = ending.word
    choice.refusal = choice.refusal ?? ending.refusal
    return AnswerDraft(
      first: choice,
      model: response["model"]?.string ?? model,
      usage: response["usage"].flatMap(Self.usage),
      serviceTier: response["service_tier"]?.string,
      reportedCost: response["usage"].flatMap(TokenCounts.reportedCost),
      clock: clock,
      ending: ending.meaning
    )
  }

  /// Returns the ending of an answer that failed because of a policy; nil for other errors.
  ///
  /// Such an answer counts as a refusal.
  private func refused(_ error: JSONValue?) -> (word: String?, refusal: String?, meaning: Ending?)?
  {
    guard let code = error?["code"]?.string else { return nil }
    let message = error?["message"]?.string
    let isPolicy =
      code.contains("policy") || code == "content_filter"
      || code == "invalid_prompt" && message?.contains("policy") == true
    return isPolicy ? (code, message ?? code, .filtered) : nil
  }

  /// Returns the token counts.
  static func usage(_ usage: JSONValue) -> TokenUsage? {
    usage.object == nil ? nil : UsageReading(usage).usage
  }

  // MARK: Streamed

  mutating func take(_ event: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool
  {
    hasEvent = true
    try count(event["sequence_number"]?.integer)
    let type = event["type"]?.string ?? name ?? ""
    switch type {
    case "error":
      let event = event.array?.first ?? event
      let error = event["error"]?.object == nil ? event : event["error"] ?? event
      throw ServerFault.said(["error": error], status: status, hiding: secret).ofResponse(error)
    case "response.output_text.delta":
      let piece = event["delta"]?.string ?? ""
      edit(event) { $0.texts[event["content_index"]?.integer ?? 0, default: ""] += piece }
      if !piece.isEmpty { clock.tick(milliseconds) }
    case "response.refusal.delta":
      let piece = event["delta"]?.string ?? ""
      edit(event) { $0.refusals[event["content_index"]?.integer ?? 0, default: ""] += piece }
      if !piece.isEmpty { clock.tick(milliseconds) }
    case "response.output_item.added", "response.output_item.done":
      edit(event) { $0.whole = event["item"] ?? $0.whole }
    case "response.function_call_arguments.delta":
      edit(event) { $0.arguments += event["delta"]?.string ?? "" }
    case "response.completed", "response.incomplete", "response.failed":
      response = event["response"]
      lastState = String(type.dropFirst("response.".count))
      return true
    default:
      if let error = ServerFault.inside(event, status: status, hiding: secret) { throw error }
    }
    if let name = event["response"]?["model"]?.string { model = name }
    return false
  }

  private mutating func edit(_ event: JSONValue, _ change: (inout Item) -> Void) {
    // Servers number items from 0. Unrealistic numbers are limited.
    let index = min(max(event["output_index"]?.integer ?? 0, 0), 4_096)
    change(&items[index, default: Item()])
  }

  /// Checks that no event is missing.
  private mutating func count(_ number: Int?) throws(BackendError) {
    guard let number else { return }
    switch sequence {
    case .unknown, .after(number - 1): sequence = .after(number)
    case .after(let last) where number > last:
      throw BackendError(
        .brokenAnswer,
        "in the server's stream, the events between \(last) and \(number) are missing"
      )
    default: sequence = .meaningless
    }
  }

  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft {
    guard let response else {
      if hasEvent { throw .brokenOff }
      throw BackendError(.brokenAnswer, "the server's stream contains no response")
    }
    // The final response counts. If its output is empty, the server sent everything in earlier
    // events.
    let last = response["output"]?.array
    return try draft(response, output: last?.isEmpty ?? true && !items.isEmpty ? collected : last)
  }

  /// The output, assembled from the events before the last one.
  private var collected: [JSONValue] {
    items.sorted { $0.key < $1.key }.map(\.value).compactMap { item in
      if case .object(var whole)? = item.whole {
        if whole["type"] == "function_call", whole["arguments"]?.string ?? "" == "",
          !item.arguments.isEmpty
        {
          whole["arguments"] = .string(item.arguments)
        }
        let hasContent = whole["content"]?.array?.isEmpty == false
        if whole["type"] != "message" || hasContent { return .object(whole) }
      }
      let texts = item.texts.sorted { $0.key < $1.key }.map { piece -> JSONValue in
        ["type": "output_text", "text": .string(piece.value)]
      }
      let refusals = item.refusals.sorted { $0.key < $1.key }.map { piece -> JSONValue in
        ["type": "refusal", "refusal": .string(piece.value)]
      }
      if texts.isEmpty, refusals.isEmpty { return nil }
      return ["type": "message", "content": .array(texts + refusals)]
    }
  }
}

extension BackendError {
  /// Returns the error, made more specific by an error code of OpenAI's Responses API.
  fileprivate func ofResponse(_ error: JSONValue?) -> BackendError {
    var result = self
    switch error?["code"]?.string {
    case "server_error": (result.kind, result.canRetry) = (.serverError, true)
    case "rate_limit_exceeded": (result.kind, result.canRetry) = (.rateLimited, true)
    // All other codes are about the request, so a retry would not help.
    case .some where kind == .brokenAnswer:
      (result.kind, result.canRetry) = (.invalidRequest, false)
    default: break
    }
    return result
  }
}

/// The parts of an answer, read from the items of an output.
private struct OutputParts {
  private var text: String?
  private var refusal: String?
  private var reasoning = ""
  private var calls: [ToolCall] = []
  private var logprobs: [TokenLogprob] = []

  /// Reads an item.
  ///
  /// The visible text consists of the texts of all messages.
  mutating func take(_ item: JSONValue) {
    switch item["type"]?.string {
    case "message", nil:
      if let plain = item["content"]?.string { text = (text ?? "") + plain }
      for part in item["content"]?.array ?? [] { takePart(part) }
    case "reasoning":
      for part in (item["summary"]?.array ?? []) + (item["content"]?.array ?? []) {
        reasoning += part["text"]?.string ?? ""
      }
    case "function_call":
      calls.append(
        ToolCall(
          id: item["call_id"]?.string ?? item["id"]?.string ?? "",
          name: item["name"]?.string ?? "",
          // Some servers send the arguments as an object instead of a text.
          arguments: item["arguments"]?.string
            ?? item["arguments"]?.object.map { JSONValue.object($0).jsonText } ?? ""
        )
      )
    default: break
    }
  }

  private mutating func takePart(_ part: JSONValue) {
    switch part["type"]?.string {
    case "output_text", "text":
      text = (text ?? "") + (part["text"]?.string ?? "")
      for token in part["logprobs"]?.array ?? [] {
        if let text = token["token"]?.string, let logprob = token["logprob"]?.number {
          logprobs.append(TokenLogprob(token: text, logprob: logprob))
        }
      }
    case "refusal": refusal = (refusal ?? "") + (part["refusal"]?.string ?? "")
    case "reasoning_text": reasoning += part["text"]?.string ?? ""
    default: break
    }
  }

  var choice: ModelResponse.Choice {
    ModelResponse.Choice(
      text: refusal != nil && text?.isEmpty == true ? nil : text,
      refusal: refusal.flatMap { $0.isEmpty ? nil : $0 },
      toolCalls: calls,
      reasoning: reasoning.isEmpty ? nil : reasoning,
      logprobs: logprobs
    )
  }
}
