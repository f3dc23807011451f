import Foundation

/// What the stand-in reads of a chat-completions request.
struct ChatRequest {
  private(set) var system = ""
  private(set) var user = ""
  private(set) var maximumTokens: Int?
  private(set) var promptTokens = 0

  init(_ body: Data) throws(ChatError) {
    guard let json = try? JSONSerialization.jsonObject(with: body),
      let members = json as? [String: Any]
    else {
      throw ChatError(
        message: "We could not parse the JSON body of your request. (HINT: This likely means you "
          + "aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but "
          + "what was sent was not valid JSON.)"
      )
    }
    guard let messages = members["messages"] else {
      throw ChatError(
        message: "Missing required parameter: 'messages'.",
        parameter: "messages",
        code: "missing_required_parameter"
      )
    }
    guard let messages = messages as? [[String: Any]], !messages.isEmpty else {
      throw ChatError(
        message: "Invalid 'messages': expected a non-empty array of objects.",
        parameter: "messages",
        code: "invalid_value"
      )
    }
    if members["stream"] as? Bool == true {
      throw ChatError(
        message: "The stand-in does not stream: send 'stream': false.",
        parameter: "stream",
        code: "unsupported_value"
      )
    }
    for name in ["max_tokens", "max_completion_tokens"] {
      guard let value = members[name], !(value is NSNull) else { continue }
      guard let number = value as? Int, number > 0 else {
        throw ChatError(
          message: "Invalid '\(name)': expected a positive integer.",
          parameter: name,
          code: "invalid_value"
        )
      }
      maximumTokens = min(number, maximumTokens ?? number)
    }
    for message in messages { read(message) }
  }

  private mutating func read(_ message: [String: Any]) {
    var text = ""
    if let content = message["content"] as? String {
      text = content
    } else if let parts = message["content"] as? [[String: Any]] {
      text = parts.compactMap { $0["text"] as? String }.joined(separator: "\n")
    }
    promptTokens += tokens(in: text)
    switch message["role"] as? String {
    case "system", "developer": system += system.isEmpty ? text : "\n" + text
    case "user": user += user.isEmpty ? text : "\n\n" + text
    default: break
    }
  }
}

/// An answer in the form of OpenAI's `chat.completion`.
struct ChatCompletion {
  let json: String

  init(content: String, request: ChatRequest, body: Data) {
    var content = content
    var finishReason = "stop"
    if let limit = request.maximumTokens, tokens(in: content) > limit {
      content = String(Self.cut(content, toTokens: limit))
      finishReason = "length"
    }
    let promptTokens = request.promptTokens
    let completionTokens = tokens(in: content)
    json = JSONText.object([
      "id": JSONText.string("chatcmpl-standin-" + Self.digest(of: body)),
      "object": JSONText.string("chat.completion"),
      "created": "0",
      "model": JSONText.string(StandInModel.name),
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
      "usage": JSONText.object([
        "prompt_tokens": "\(promptTokens)",
        "completion_tokens": "\(completionTokens)",
        "total_tokens": "\(promptTokens + completionTokens)",
        "prompt_tokens_details": JSONText.object(["cached_tokens": "0"]),
        "completion_tokens_details": JSONText.object(["reasoning_tokens": "0"]),
      ]),
      "system_fingerprint": JSONText.string("stand-in-rules"),
    ])
  }

  private static func cut(_ text: String, toTokens limit: Int) -> Substring {
    var bytes = 0
    let (budget, overflow) = limit.multipliedReportingOverflow(by: bytesPerToken)
    if overflow { return text[...] }
    let end = text.unicodeScalars.indices.first { index in
      bytes += text.unicodeScalars[index].utf8.count
      return bytes > budget
    }
    return text[..<(end ?? text.endIndex)]
  }

  /// FNV-1a in 64 bits (Fowler, Noll and Vo 1991): the same request has the same id.
  private static func digest(of body: Data) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// An error in the form of OpenAI's.
struct ChatError: Error {
  var message: String
  var type = "invalid_request_error"
  var parameter: String?
  var code: String?

  var json: String {
    JSONText.object([
      "error": JSONText.object([
        "message": JSONText.string(message),
        "type": JSONText.string(type),
        "param": JSONText.string(parameter),
        "code": JSONText.string(code),
      ])
    ])
  }
}

private let bytesPerToken = 4

/// The stand-in's count of tokens: four bytes of UTF-8 are one, and what is left over is one more.
private func tokens(in text: String) -> Int {
  (text.utf8.count + bytesPerToken - 1) / bytesPerToken
}
