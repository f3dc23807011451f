import SluiceSupport

/// Reads what a chat-completions server sent, as a whole or as a stream.
enum OpenAIChatResponse {
  /// Returns the answer in a response.
  ///
  /// What the body is decides, not what its content type says that it is.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - secret: What a server may repeat and must not be seen.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` when the body holds no answer.
  static func read(_ response: RawResponse, hiding secret: Secret? = nil) throws(BackendError)
    -> ModelResponse
  {
    var timings = response.waitedFor
    timings.server = ServerTime.milliseconds(in: response.headers)
    let plain = response.body.withUnsafeBufferPointer { body in
      PlainCompletion.read(body) { completion in
        ModelResponse(
          text: completion.text,
          refusal: completion.refusal?.text,
          finishReason: completion.finishReason?.text,
          usage: completion.usage,
          provenance: provenance(response, model: completion.model?.text),
          timings: timings
        )
      }
    }
    if let plain { return plain }
    let answer =
      EventStream.isLikely(response.body)
      ? try streamed(response, secret) : try whole(response, secret)
    timings.firstText = answer.clock.first
    timings.longestGap = answer.clock.longestGap
    timings.server = timings.server ?? ServerTime.milliseconds(in: answer)
    var read = ModelResponse(
      text: answer.first.text,
      refusal: answer.first.refusal,
      finishReason: answer.first.finishReason,
      usage: answer.usage.map { TokenCounts($0).usage },
      provenance: provenance(response, model: answer.model),
      timings: timings
    )
    read.toolCalls = answer.first.toolCalls
    read.reasoning = answer.first.reasoning
    read.logprobs = answer.first.logprobs
    read.others = answer.others
    read.reportedCost = answer.usage.flatMap(TokenCounts.reportedCost)
    return read
  }

  private static func streamed(_ response: RawResponse, _ secret: Secret?) throws(BackendError)
    -> ChatAnswer
  {
    var stream = ChatStream(status: response.status, hiding: secret)
    var start = 0
    for arrival in response.arrivals where arrival.end <= response.body.count {
      stream.take(response.body[start..<max(start, arrival.end)], at: arrival.milliseconds)
      start = max(start, arrival.end)
    }
    stream.take(response.body[start...], at: nil)
    return try stream.answer()
  }

  private static func whole(_ response: RawResponse, _ secret: Secret?) throws(BackendError)
    -> ChatAnswer
  {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONReader.value(response.body.withoutByteOrderMark)
    } catch {
      throw BackendError(.brokenAnswer, "the server's answer is not JSON: \(error.message)")
    }
    // An answer that broke off in the middle says so in its choice, or beside its choices.
    for place in [json] + (json["choices"]?.array ?? []) {
      let error = ServerFault.inside(place, status: response.status, hiding: secret)
      if let error { throw error }
    }
    guard var choices = json["choices"]?.array, !choices.isEmpty else {
      throw BackendError(
        .brokenAnswer,
        "the server's answer holds no choice"
          + ServerFault.Fault(json).words(hiding: secret)
      )
    }
    // Servers list choices in any order, and those that list one may leave out its index.
    let choice = choices.remove(at: choices.firstIndex { $0["index"]?.integer == 0 } ?? 0)
    let word = Ending.word(in: choice["finish_reason"])
    // Azure's filter of completions takes the message out and leaves the reason.
    guard choice["message"]?.object != nil || word != nil else {
      throw BackendError(.brokenAnswer, "the server's answer holds no choice with a message")
    }
    if let failure = Ending.failure(word: word) { throw failure }
    let read = ([choice] + choices).map { choice in
      var parts = ChatParts()
      parts.take(choice, "message")
      return parts.choice
    }
    return ChatAnswer(
      first: read[0],
      others: Array(read.dropFirst()),
      model: json["model"]?.string,
      usage: json["usage"].flatMap { $0.object == nil ? nil : $0 },
      timings: json
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
}
