import Foundation

/// An answer in OpenAI's formats: a `chat.completion`, or the events of a stream.
///
/// It has only the members that small servers of this format send. Other members would be empty for
/// a stand-in, and would make up a tenth of every recording.
struct ChatCompletion {
  private let id: String
  private let model: String
  private let content: String
  private let finishReason: String
  private let usage: String

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - content: The text, truncated at the limit in the request.
  ///   - model: The name of the model.
  ///   - request: The request.
  ///   - body: The raw request, from which the answer's id is derived.
  init(content: String, model: String, request: ChatRequest, body: Data) {
    self.model = model
    id = "chatcmpl-standin-" + Self.digest(of: body)
    if let limit = request.maximumTokens, Tokens.count(in: content) > limit {
      self.content = String(Tokens.cut(content, to: limit))
      finishReason = "length"
    } else {
      self.content = content
      finishReason = "stop"
    }
    let completionTokens = Tokens.count(in: self.content)
    usage = JSONText.object([
      "prompt_tokens": "\(request.promptTokens)",
      "completion_tokens": "\(completionTokens)",
      "total_tokens": "\(request.promptTokens + completionTokens)",
    ])
  }

  /// The whole answer.
  var json: String {
    JSONText.object([
      "id": JSONText.string(id),
      "object": JSONText.string("chat.completion"),
      "created": "0",
      "model": JSONText.string(model),
      "choices": JSONText.array([
        JSONText.object([
          "index": "0",
          "message": JSONText.object([
            "role": JSONText.string("assistant"),
            "content": JSONText.string(content),
          ]),
          "finish_reason": JSONText.string(finishReason),
        ])
      ]),
      "usage": usage,
    ])
  }

  /// Returns the answer as the events of a stream, with a few words each.
  ///
  /// - Parameter includesUsage: True if the last event but one contains the token counts.
  /// - Returns: The events as sent, including the blank lines.
  func events(includesUsage: Bool) -> [String] {
    func chunk(_ choices: [String], usage: String = "null") -> String {
      var members = [
        ("id", JSONText.string(id)),
        ("object", JSONText.string("chat.completion.chunk")),
        ("created", "0"),
        ("model", JSONText.string(model)),
        ("choices", JSONText.array(choices)),
      ]
      if includesUsage { members.append(("usage", usage)) }
      let object = members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
      return "data: \(JSONText.withoutSpaces("{\(object)}"))\n\n"
    }
    func choice(_ delta: KeyValuePairs<String, String>, finish: String? = nil) -> String {
      JSONText.object([
        "index": "0",
        "delta": JSONText.object(delta),
        "finish_reason": JSONText.string(finish),
      ])
    }
    let role = choice(["role": JSONText.string("assistant"), "content": JSONText.string("")])
    let pieces = Self.pieces(of: content).map { choice(["content": JSONText.string(String($0))]) }
    var events = ([role] + pieces + [choice([:], finish: finishReason)]).map { chunk([$0]) }
    if includesUsage { events.append(chunk([], usage: usage)) }
    return events + ["data: [DONE]\n\n"]
  }

  /// Cuts a text after every sixth word, or after 48 characters if words are not separated by
  /// spaces.
  private static func pieces(of text: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var spaces = 0
    var length = 0
    for index in text.indices {
      length += 1
      if text[index].isWhitespace { spaces += 1 }
      guard spaces == 6 || length == 48 else { continue }
      let end = text.index(after: index)
      pieces.append(text[start..<end])
      start = end
      spaces = 0
      length = 0
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }

  /// Computes the 64-bit FNV-1a hash (Fowler, Noll and Vo 1991), so that the same request has the
  /// same id.
  private static func digest(of body: Data) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
