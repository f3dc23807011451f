import Foundation

/// The parts of a chat completion request that the stand-in reads.
struct ChatRequest {
  private(set) var system = ""
  private(set) var user = ""
  /// The name of the requested model.
  private(set) var model = ""
  private(set) var maximumTokens: Int?
  /// True if the answer is streamed.
  ///
  /// The next flag requests token counts in the last event.
  private(set) var isStreaming = false
  private(set) var includesUsage = false
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
    model = members["model"] as? String ?? ""
    isStreaming = members["stream"] as? Bool == true
    let options = members["stream_options"] as? [String: Any]
    includesUsage = options?["include_usage"] as? Bool == true
    if options != nil, !isStreaming {
      throw ChatError(
        message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        parameter: "stream_options"
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
    promptTokens += Tokens.count(in: text)
    switch message["role"] as? String {
    case "system", "developer": system += system.isEmpty ? text : "\n" + text
    case "user": user += user.isEmpty ? text : "\n\n" + text
    default: break
    }
  }
}
