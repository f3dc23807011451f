import SluiceSupport

/// The parts of one choice in a chat completion.
///
/// They come from a whole message, or from the pieces of a stream.
struct ChatParts {
  private static let maximumCalls = 512

  private(set) var content: [UInt8] = []
  private(set) var hasContent = false
  private var reasoning = ""
  private var refusal = ""
  private var calls: [Call] = []
  private var logprobs: [TokenLogprob] = []
  private(set) var finishReason: String?

  /// A tool call whose arguments may still be arriving.
  private struct Call {
    var index: Int?
    var id: String
    var name: String
    var arguments: String
  }

  /// Reads a choice from a whole completion, or from a piece of a stream.
  ///
  /// Some servers send both a `message` and a `delta`, whether or not the answer is streamed.
  ///
  /// - Parameters:
  ///   - choice: An element of `choices`.
  ///   - key: The member to use if the choice contains both `message` and `delta`.
  /// - Returns: True if the choice contained visible text.
  @discardableResult
  mutating func take(_ choice: JSONValue, _ key: String) -> Bool {
    let before = (content.count, refusal.utf8.count)
    let counting = choice[key]?.object == nil ? choice["message"] ?? choice["delta"] : choice[key]
    if let counting { takeMessage(counting) }
    for token in choice["logprobs"]?["content"]?.array ?? [] {
      if let text = token["token"]?.string, let logprob = token["logprob"]?.number {
        logprobs.append(TokenLogprob(token: text, logprob: logprob))
      }
    }
    if let word = Ending.word(in: choice["finish_reason"]) { finishReason = word }
    return (content.count, refusal.utf8.count) != before
  }

  private mutating func takeMessage(_ message: JSONValue) {
    switch message["content"] {
    case .string(let text): takeText(text)
    case .array(let parts):
      for part in parts {
        switch part["type"]?.string {
        case "text", "output_text", nil: if let text = part["text"]?.string { takeText(text) }
        case "refusal": refusal += part["refusal"]?.string ?? ""
        case "thinking":
          for thought in part["thinking"]?.array ?? [] {
            reasoning += thought["text"]?.string ?? ""
          }
        default: break
        }
      }
    default: break
    }
    // Some servers send the same reasoning under two names. It counts once.
    let thought = message["reasoning_content"]?.string ?? message["reasoning"]?.string
    reasoning +=
      thought
      ?? (message["reasoning_details"]?.array ?? []).compactMap { $0["text"]?.string }.joined()
    refusal += message["refusal"]?.string ?? ""
    for call in message["tool_calls"]?.array ?? [] { takeCall(call, index: call["index"]?.integer) }
    if let call = message["function_call"], call.object != nil {
      takeCall(["function": call], index: nil)
    }
  }

  private mutating func takeText(_ text: String) {
    hasContent = true
    content.append(contentsOf: text.utf8)
  }

  /// Reads a tool call, or the next piece of a call.
  ///
  /// A piece can continue only the latest call with its index. A piece without an index can
  /// continue only the latest call of all. The piece continues this call in three cases; otherwise,
  /// it begins a new call:
  /// - It has the call's id.
  /// - It has neither an id nor a name.
  /// - It has a name but no id, and the call has no name yet.
  private mutating func takeCall(_ call: JSONValue, index: Int?) {
    let id = call["id"]?.string ?? ""
    let name = call.value(at: "function.name")?.string ?? ""
    let arguments: String =
      switch call.value(at: "function.arguments") {
      case .string(let text): text
      case .object(let object): String(decoding: JSONWriter.line(.object(object)), as: UTF8.self)
      default: ""
      }
    // Some servers send all members that a call can have, with empty values.
    if id.isEmpty, name.isEmpty, arguments.isEmpty { return }
    let known = calls.lastIndex { index == nil || $0.index == index }
    if let known {
      let isSame = id.isEmpty ? name.isEmpty : calls[known].id == id
      // Some servers send the name in a later piece than the id.
      let isRest = calls[known].name.isEmpty && (id.isEmpty || calls[known].id == id)
      if isSame || isRest {
        if calls[known].name.isEmpty { calls[known].name = name }
        calls[known].arguments += arguments
        return
      }
    }
    // No real answer contains so many calls. The limit bounds the time of the search above.
    if calls.count == Self.maximumCalls { return }
    calls.append(Call(index: index, id: id, name: name, arguments: arguments))
  }

  /// The choice, with all parts that have arrived so far.
  var choice: ModelResponse.Choice {
    // Some servers send an empty text with each piece of a refusal. It must not hide the refusal.
    let hasText = hasContent && (refusal.isEmpty || !content.isEmpty)
    return ModelResponse.Choice(
      text: hasText ? String(decoding: content, as: UTF8.self) : nil,
      refusal: refusal.isEmpty ? nil : refusal,
      finishReason: finishReason,
      toolCalls: calls.map { ToolCall(id: $0.id, name: $0.name, arguments: $0.arguments) },
      reasoning: reasoning.isEmpty ? nil : reasoning,
      logprobs: logprobs
    )
  }
}
