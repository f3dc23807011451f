/// Reads what a chat-completions server sent.
enum OpenAIChatResponse {
  private static let longestServerMessage = 300

  /// Returns the first choice of a completion.
  ///
  /// - Throws: ``BackendError`` when the body is no completion: no answer came.
  static func read(_ exchange: Exchange) throws(BackendError) -> ModelResponse {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONReader.value(exchange.body)
    } catch {
      throw BackendError(.brokenAnswer, "the server's answer is not JSON: \(error.message)")
    }
    if let error = json["error"], error != .null, json["choices"]?.array?.isEmpty ?? true {
      throw self.error(status: exchange.status, body: exchange.body, hiding: nil)
    }
    guard let choice = json["choices"]?.array?.first, let message = choice["message"] else {
      throw BackendError(.brokenAnswer, "the server's answer holds no choice with a message")
    }
    return ModelResponse(
      text: text(of: message["content"]),
      refusal: message["refusal"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      finishReason: choice["finish_reason"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      usage: json["usage"].flatMap(usage),
      provenance: Provenance(
        host: exchange.host,
        model: json["model"]?.string,
        standIn: exchange.headers.first { $0.name == OpenAIChatBackend.standInHeader }?.value,
        date: exchange.date.iso8601
      ),
      timings: exchange.timings
    )
  }

  /// The text of a message's content, which is a string or a list of parts.
  private static func text(of content: JSONValue?) -> String? {
    switch content {
    case .string(let text): return text
    case .array(let parts):
      let texts = parts.compactMap { $0["type"]?.string == "text" ? $0["text"]?.string : nil }
      return texts.isEmpty ? nil : texts.joined()
    default: return nil
    }
  }

  private static func usage(_ usage: JSONValue) -> TokenUsage? {
    guard usage.object != nil else { return nil }
    return TokenUsage(
      input: usage["prompt_tokens"]?.integer,
      cachedInput: usage["prompt_tokens_details"]?["cached_tokens"]?.integer,
      output: usage["completion_tokens"]?.integer,
      reasoning: usage["completion_tokens_details"]?["reasoning_tokens"]?.integer
    )
  }

  /// What a response with an error status means.
  static func error(status: Int, body: [UInt8], hiding key: Secret?) -> BackendError {
    let kind: BackendError.Kind =
      switch status {
      case 401: .badCredentials
      case 403: .permissionDenied
      case 404: .notFound
      case 408: .timedOut
      case 429: .rateLimited
      case 400..<500: .invalidRequest
      case 500...: .serverError
      default: .brokenAnswer
      }
    let json = try? JSONReader.value(body)
    let said =
      json?["error"]?["message"]?.string ?? json?["error"]?.string ?? json?["message"]?.string
    var message = "the server answered \(status)"
    if var said {
      // A server may repeat the key that it refuses.
      if let key { said = said.replacingOccurrences(of: key.value, with: "<redacted>") }
      message += ": \(said.prefix(longestServerMessage))"
    }
    return BackendError(kind, message)
  }
}

extension String {
  /// The string with each occurrence of a part replaced.
  func replacingOccurrences(of part: String, with replacement: String) -> String {
    guard !part.isEmpty else { return self }
    let wanted = Array(part.utf8)
    let bytes = Array(utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes.count - index >= wanted.count,
        bytes[index..<(index + wanted.count)].elementsEqual(wanted)
      {
        result.append(contentsOf: replacement.utf8)
        index += wanted.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
