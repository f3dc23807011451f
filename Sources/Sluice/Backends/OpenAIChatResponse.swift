/// Reads what a chat-completions server sent.
enum OpenAIChatResponse {
  private static let longestServerMessage = 300

  /// Returns the first choice of a completion.
  ///
  /// - Throws: ``BackendError`` when the body is no completion: no answer came.
  static func read(_ response: RawResponse) throws(BackendError) -> ModelResponse {
    let plain = response.body.withUnsafeBufferPointer { body in
      PlainCompletion.read(body) { completion in
        ModelResponse(
          text: completion.content?.text,
          refusal: completion.refusal?.text,
          finishReason: completion.finishReason?.text,
          usage: completion.usage,
          provenance: provenance(response, model: completion.model?.text),
          timings: response.timings
        )
      }
    }
    if let plain { return plain }
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONReader.value(response.body)
    } catch {
      throw BackendError(.brokenAnswer, "the server's answer is not JSON: \(error.message)")
    }
    if let error = error(in: json, status: response.status, hiding: nil) { throw error }
    guard let choice = json["choices"]?.array?.first else {
      throw BackendError(
        .brokenAnswer,
        "the server's answer holds no choice" + said(in: json, hiding: nil)
      )
    }
    let message = choice["message"]
    let finishReason = choice["finish_reason"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    // Azure's filter of completions takes the message out and leaves the reason.
    guard message?.object != nil || finishReason != nil else {
      throw BackendError(.brokenAnswer, "the server's answer holds no choice with a message")
    }
    return ModelResponse(
      text: text(of: message?["content"]),
      refusal: message?["refusal"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      finishReason: finishReason,
      usage: json["usage"].flatMap(usage),
      provenance: provenance(response, model: json["model"]?.string),
      timings: response.timings
    )
  }

  private static func provenance(_ response: RawResponse, model: String?) -> Provenance {
    Provenance(
      host: response.host,
      model: model,
      standIn: response.headers.first { $0.name == OpenAIChatBackend.standInHeader }?.value,
      date: response.date.iso8601
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
    var counts = TokenCounts()
    counts.prompt = usage["prompt_tokens"]?.number
    counts.completion = usage["completion_tokens"]?.number
    counts.total = usage["total_tokens"]?.number
    counts.reasoning = usage.value(at: "completion_tokens_details.reasoning_tokens")?.number
    counts.cachedDetail = usage.value(at: "prompt_tokens_details.cached_tokens")?.number
    counts.cacheHit = usage["prompt_cache_hit_tokens"]?.number
    counts.cached = usage["cached_tokens"]?.number
    counts.cachedNumber = usage["num_cached_tokens"]?.number
    return counts.usage
  }

  /// The error in a body that holds one in place of an answer, whatever its status.
  static func error(in json: JSONValue, status: Int, hiding key: Secret?) -> BackendError? {
    guard let error = json["error"], error != .null, json["choices"]?.array?.isEmpty ?? true else {
      return nil
    }
    // Where the status says that all is well, the error may hold the one that it should have had.
    let codes = [error["status"]?.integer, error["code"]?.integer].compactMap(\.self)
    let meant = codes.first { (400..<600).contains($0) } ?? status
    return BackendError(
      kind(status: meant),
      "the server answered \(status) with an error" + said(in: json, hiding: key)
    )
  }

  /// What a response with an error status means.
  static func error(status: Int, body: [UInt8], hiding key: Secret?) -> BackendError {
    let json = try? JSONReader.value(body)
    return BackendError(
      kind(status: status),
      "the server answered \(status)" + (json.map { said(in: $0, hiding: key) } ?? "")
    )
  }

  private static func kind(status: Int) -> BackendError.Kind {
    switch status {
    case 300..<400, 404: .notFound
    case 401: .badCredentials
    case 402, 403: .permissionDenied
    case 408: .timedOut
    case 429: .rateLimited
    case 400..<500: .invalidRequest
    case 500...: .serverError
    default: .brokenAnswer
    }
  }

  /// What the server said about an error, to follow what is said of it; empty when it said nothing.
  private static func said(in json: JSONValue, hiding key: Secret?) -> String {
    let error = json["error"]
    guard
      var said = error?["message"]?.string ?? error?.string ?? json["message"]?.string
        ?? json["detail"]?.string
    else { return "" }
    // A server may repeat the key that it refuses.
    if let key { said = said.replacingOccurrences(of: key.value, with: "<redacted>") }
    return ": \(said.prefix(longestServerMessage))"
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
