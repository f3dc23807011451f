import SluiceSupport

/// A parser that assembles an answer of Anthropic's Messages API.
struct MessagesParser: AnswerParser {
  private var blocks: [Int: Block] = [:]
  private var message: JSONObject = [:]
  private var usage: JSONObject = [:]
  private var isEnded = false
  private var clock = TextClock()
  private let status: Int
  private let secret: Secret?

  init(status: Int, hiding secret: Secret?) {
    self.status = status
    self.secret = secret
  }

  /// A block of the answer's content.
  private struct Block {
    var type = ""
    var text = ""
    var id = ""
    var name = ""
    /// The input of a tool call, as JSON.
    var input = ""

    init(_ block: JSONValue) {
      type = block["type"]?.string ?? ""
      text = block["text"]?.string ?? block["thinking"]?.string ?? ""
      id = block["id"]?.string ?? ""
      name = block["name"]?.string ?? ""
      if case .object(let object)? = block["input"], !object.members.isEmpty {
        input = JSONValue.object(object).jsonText
      }
    }
  }

  // MARK: Whole

  func whole(_ json: JSONValue) throws(BackendError) -> AnswerDraft {
    if let error = ServerFault.inside(json, status: status, hiding: secret) { throw error }
    // With a stop reason, the model answered nothing if there is no content.
    let nothing: [JSONValue]? =
      json["content"] ?? .null == .null && Ending.word(in: json["stop_reason"]) != nil ? [] : nil
    guard case .object(let message) = json, let content = message["content"]?.array ?? nothing
    else {
      throw BackendError(
        .brokenAnswer,
        "the server's answer contains no content" + ServerFault.Fault(json).words(hiding: secret)
      )
    }
    return try draft(message, content.map(Block.init), usage: message["usage"])
  }

  private func draft(_ message: JSONObject, _ blocks: [Block], usage: JSONValue?)
    throws(BackendError) -> AnswerDraft
  {
    let word = Ending.word(in: message["stop_reason"])
    if let failure = Ending.failure(word: word) { throw failure }
    func joined(_ type: String) -> String? {
      let texts = blocks.filter { $0.type == type }.map(\.text)
      return texts.isEmpty ? nil : texts.joined()
    }
    var choice = ModelResponse.Choice(
      text: joined("text"),
      finishReason: word,
      toolCalls: blocks.filter { $0.type == "tool_use" }.map { block in
        ToolCall(
          id: block.id,
          name: block.name,
          arguments: block.input.isEmpty ? "{}" : block.input
        )
      },
      reasoning: joined("thinking").flatMap { $0.isEmpty ? nil : $0 }
    )
    if word == "refusal" {
      let details = message["stop_details"]
      // Text that was sent before the filter intervened must not be used.
      choice.text = nil
      choice.refusal =
        details?["explanation"]?.string ?? details?["category"]?.string
        ?? "the provider's filter stopped the answer"
    }
    let tier = usage?["service_tier"]?.string
    let speed = usage?["speed"]?.string
    return AnswerDraft(
      first: choice,
      model: message["model"]?.string,
      usage: usage.flatMap(Self.usage),
      serviceTier: speed == nil || speed == "standard" ? tier : speed,
      reportedCost: usage.flatMap(TokenCounts.reportedCost),
      clock: clock
    )
  }

  /// Returns the token counts.
  static func usage(_ usage: JSONValue) -> TokenUsage? {
    if usage.object == nil { return nil }
    var counts = UsageReading(usage).usage
    // The counts include the model's own messages, but neither compaction nor other models.
    let iterations = usage["iterations"] ?? .null
    let own = iterations.array?.filter { $0["type"] == "message" } ?? []
    let total = own.reduce(0) { $0 &+ (UsageReading($1).usage.total ?? -1) }
    let isWhole = own.count == iterations.array?.count && total == counts.total
    if iterations != .null, iterations != [], !isWhole { counts.doubt = .iterations }
    return counts
  }

  // MARK: Streamed

  mutating func take(_ event: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool
  {
    switch event["type"]?.string ?? name ?? "" {
    case "error": throw ServerFault.said(event, status: status, hiding: secret)
    case "message_start":
      message = event["message"]?.object ?? [:]
      takeUsage(message["usage"])
    case "content_block_start":
      if let block = event["content_block"] { edit(event) { $0 = Block(block) } }
      if event.value(at: "content_block.type")?.string == "text",
        event.value(at: "content_block.text")?.string?.isEmpty == false
      {
        clock.tick(milliseconds)
      }
    case "content_block_delta": takeDelta(event, at: milliseconds)
    case "message_delta":
      for member in event["delta"]?.object?.members ?? [] where member.value != .null {
        message[member.name] = member.value
      }
      takeUsage(event["usage"])
    case "message_stop":
      isEnded = true
      return true
    default:
      if let error = ServerFault.inside(event, status: status, hiding: secret) { throw error }
    }
    return false
  }

  private mutating func takeDelta(_ event: JSONValue, at milliseconds: Double?) {
    guard let delta = event["delta"] else { return }
    switch delta["type"]?.string {
    case "text_delta":
      let piece = delta["text"]?.string ?? ""
      edit(event) { block in
        block.text += piece
        if block.type.isEmpty { block.type = "text" }
      }
      if !piece.isEmpty { clock.tick(milliseconds) }
    case "thinking_delta":
      edit(event) { $0.text += delta["thinking"]?.string ?? "" }
    case "input_json_delta":
      edit(event) { $0.input += delta["partial_json"]?.string ?? "" }
    default: break
    }
  }

  private mutating func edit(_ event: JSONValue, _ change: (inout Block) -> Void) {
    let index = min(max(event["index"]?.integer ?? 0, 0), 4_096)
    change(&blocks[index, default: Block([:])])
  }

  /// Reads token counts.
  ///
  /// New counts replace earlier counts. The counts of several events are not added up.
  private mutating func takeUsage(_ counts: JSONValue?) {
    for member in counts?.object?.members ?? [] where member.value != .null {
      usage[member.name] = member.value
    }
  }

  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft {
    guard isEnded else {
      if message.members.isEmpty, blocks.isEmpty {
        throw BackendError(.brokenAnswer, "the server's stream contains no message")
      }
      throw .brokenOff
    }
    // Without a stop reason, the answer may be incomplete.
    guard Ending.word(in: message["stop_reason"]) != nil else {
      throw BackendError(
        .brokenAnswer,
        "the server's stream ended without a 'stop_reason', so the answer may be cut off"
      )
    }
    return try draft(
      message,
      blocks.sorted { $0.key < $1.key }.map(\.value),
      usage: usage.members.isEmpty ? nil : .object(usage)
    )
  }
}
