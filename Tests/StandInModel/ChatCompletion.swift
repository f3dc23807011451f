import Foundation

/// An answer in the forms of OpenAI's: a `chat.completion`, or the events of a stream.
struct ChatCompletion {
  private let id: String
  private let model: String
  private let content: String
  private let finishReason: String
  private let usage: String

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - content: The text, which is cut at the limit that the request sets.
  ///   - model: The name of what answers.
  ///   - request: The request.
  ///   - body: The request as it came, by which the answer is named.
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
      "prompt_tokens_details": JSONText.object(["cached_tokens": "0"]),
      "completion_tokens_details": JSONText.object(["reasoning_tokens": "0"]),
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
            "refusal": "null",
          ]),
          "logprobs": "null",
          "finish_reason": JSONText.string(finishReason),
        ])
      ]),
      "usage": usage,
      "system_fingerprint": JSONText.string("stand-in-rules"),
    ])
  }

  /// The answer as the events of a stream, of a few words each.
  ///
  /// - Parameter includesUsage: Whether the last event but one counts the tokens.
  /// - Returns: The events as they are sent, the blank lines included.
  func events(includesUsage: Bool) -> [String] {
    func chunk(_ choices: [String], usage: String = "null") -> String {
      var members = [
        ("id", JSONText.string(id)),
        ("object", JSONText.string("chat.completion.chunk")),
        ("created", "0"),
        ("model", JSONText.string(model)),
        ("system_fingerprint", JSONText.string("stand-in-rules")),
        ("choices", JSONText.array(choices)),
      ]
      if includesUsage { members.append(("usage", usage)) }
      let object = members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
      return "data: {\(object)}\n\n"
    }
    func choice(_ delta: KeyValuePairs<String, String>, finish: String? = nil) -> String {
      JSONText.object([
        "index": "0",
        "delta": JSONText.object(delta),
        "logprobs": "null",
        "finish_reason": JSONText.string(finish),
      ])
    }
    let role = choice(["role": JSONText.string("assistant"), "content": JSONText.string("")])
    let pieces = Self.pieces(of: content).map { choice(["content": JSONText.string(String($0))]) }
    var events = ([role] + pieces + [choice([:], finish: finishReason)]).map { chunk([$0]) }
    if includesUsage { events.append(chunk([], usage: usage)) }
    return events + ["data: [DONE]\n\n"]
  }

  /// A text cut behind every third word, and where words are not spaced out, behind 24 characters.
  private static func pieces(of text: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var spaces = 0
    var length = 0
    for index in text.indices {
      length += 1
      if text[index].isWhitespace { spaces += 1 }
      guard spaces == 3 || length == 24 else { continue }
      let end = text.index(after: index)
      pieces.append(text[start..<end])
      start = end
      spaces = 0
      length = 0
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }

  /// FNV-1a in 64 bits (Fowler, Noll and Vo 1991): the same request has the same id.
  private static func digest(of body: Data) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
