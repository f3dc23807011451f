import SluiceSupport

/// A parser that assembles an answer of Ollama's chat API.
struct OllamaParser: AnswerParser {
  private var text: String?
  private var reasoning = ""
  private var calls: [ToolCall] = []
  private var last: JSONValue?
  private var hasEvent = false
  private var clock = TextClock()
  private let status: Int
  private let secret: Secret?

  init(status: Int, hiding secret: Secret?) {
    self.status = status
    self.secret = secret
  }

  func whole(_ json: JSONValue) throws(BackendError) -> AnswerDraft {
    var other = self
    _ = try other.take(json, named: nil, at: nil)
    if other.last == nil, json["message"]?.object == nil, json["response"]?.string == nil {
      throw BackendError(
        .brokenAnswer,
        "the server's answer contains no message" + ServerFault.Fault(json).words(hiding: secret)
      )
    }
    return try other.streamed(isClosed: false)
  }

  mutating func take(_ event: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool
  {
    hasEvent = true
    if let error = ServerFault.inside(event, status: status, hiding: secret) { throw error }
    // After the end, only an error matters.
    if last != nil { return true }
    if let message = event["message"] ?? Self.generated(event) {
      if let piece = message["content"]?.string {
        text = (text ?? "") + piece
        if !piece.isEmpty { clock.tick(milliseconds) }
      }
      reasoning += message["thinking"]?.string ?? ""
      for call in message["tool_calls"]?.array ?? [] where calls.count < 512 {
        let arguments = call.value(at: "function.arguments")
        calls.append(
          ToolCall(
            id: call["id"]?.string ?? "",
            name: call.value(at: "function.name")?.string ?? "",
            arguments: arguments?.string ?? arguments?.jsonText ?? ""
          )
        )
      }
    }
    if event["done"] != .bool(true) { return false }
    last = event
    return true
  }

  /// Returns the message in an answer of `/api/generate`.
  ///
  /// This is an older endpoint, which a server may still use.
  private static func generated(_ event: JSONValue) -> JSONValue? {
    guard let text = event["response"]?.string else { return nil }
    return ["content": .string(text), "thinking": event["thinking"] ?? .null]
  }

  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft {
    guard let last else {
      if hasEvent { throw .brokenOff }
      throw BackendError(.brokenAnswer, "the server's stream contains no message")
    }
    let word = Ending.word(in: last["done_reason"])
    if let failure = Ending.failure(word: word) { throw failure }
    return AnswerDraft(
      first: ModelResponse.Choice(
        text: text,
        finishReason: word,
        toolCalls: calls,
        reasoning: reasoning.isEmpty ? nil : reasoning
      ),
      model: Self.model(last),
      // Ollama omits counts of 0 and unknown counts alike, so a missing count is unknown.
      usage: UsageReading(
        input: TokenCounts.count(last["prompt_eval_count"]),
        output: TokenCounts.count(last["eval_count"])
      ).usage,
      serverTime: Self.milliseconds(last),
      clock: clock
    )
  }

  /// Returns the name of the model.
  ///
  /// If the model ran on another server, the name includes that server.
  private static func model(_ json: JSONValue) -> String? {
    guard let host = json["remote_host"]?.string, !host.isEmpty else {
      return json["model"]?.string
    }
    let name = json["remote_model"]?.string ?? json["model"]?.string ?? ""
    return "\(name)@\(host)"
  }

  /// Returns the server's processing time in milliseconds, without the time for loading the model.
  private static func milliseconds(_ json: JSONValue) -> Double? {
    json["total_duration"]?.number.map {
      max(0, $0 - (json["load_duration"]?.number ?? 0)) / 1_000_000
    }
  }
}
