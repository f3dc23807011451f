import SluiceSupport

/// The parser of responses from vendors' APIs, whole or streamed.
enum AnswerReader {
  /// Returns the answer in a response.
  ///
  /// A body that looks like a stream is read as a stream, whatever its content type.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - api: The API of the request.
  ///   - secret: The key, which a server may repeat and which must be redacted.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if the body contains no answer.
  static func read(
    _ response: RawResponse,
    _ api: ModelAPI = .chatCompletions,
    hiding secret: Secret? = nil
  ) throws(BackendError) -> ModelResponse {
    switch api {
    case .chatCompletions:
      if let plain = plain(response) { return plain }
      return try read(response, as: ChatParser.self, secret)
    case .responses: return try read(response, as: ResponsesParser.self, secret)
    case .messages: return try read(response, as: MessagesParser.self, secret)
    case .generateContent:
      // If a request lacks `alt=sse`, the server sends the events as a list.
      return try read(response, as: ContentParser.self, secret, takesList: true)
    case .ollamaChat: return try read(response, as: OllamaParser.self, secret)
    }
  }

  /// Returns a chat completion that ``PlainCompletion`` can read; nil for any other body.
  private static func plain(_ response: RawResponse) -> ModelResponse? {
    response.body.withUnsafeBufferPointer { body in
      PlainCompletion.read(body) { completion in
        var timings = response.waitedFor
        timings.server = ServerTime.milliseconds(in: response.headers)
        return ModelResponse(
          text: completion.text,
          refusal: completion.refusal?.text,
          finishReason: completion.finishReason?.text,
          usage: completion.usage,
          provenance: provenance(response, model: completion.model?.text),
          timings: timings
        )
      }
    }
  }

  private static func read<Parser: AnswerParser>(
    _ response: RawResponse,
    as type: Parser.Type,
    _ secret: Secret?,
    takesList: Bool = false
  ) throws(BackendError) -> ModelResponse {
    var parser = Parser(status: response.status, hiding: secret)
    let draft: AnswerDraft
    if let framing = StreamFraming(of: response.body) {
      let isClosed = try response.forEachEvent(framing) {
        (event, name, time) throws(BackendError) in
        try parser.take(event, named: name, at: time)
      }
      draft = try parser.streamed(isClosed: isClosed)
    } else {
      let json: JSONValue
      do throws(JSONSyntaxError) {
        json = try value(response.body.withoutByteOrderMark, without: Parser.echoes)
      } catch {
        throw BackendError(.brokenAnswer, "the server's answer is not JSON: \(error.message)")
      }
      if takesList, case .array(let events) = json {
        for event in events where try parser.take(event, named: nil, at: nil) { break }
        draft = try parser.streamed(isClosed: true)
      } else {
        draft = try parser.whole(json)
      }
    }
    return try answer(draft, response)
  }

  /// Parses a body.
  ///
  /// If the body is an object, skips its members named in `echoes`, which only repeat the request.
  private static func value(_ body: ArraySlice<UInt8>, without echoes: [StaticString])
    throws(JSONSyntaxError) -> JSONValue
  {
    try JSONReader.read(body) { reader throws(JSONSyntaxError) in
      guard !echoes.isEmpty, try reader.kind() == .object else { return try reader.readValue() }
      var members: [(name: String, value: JSONValue)] = []
      try reader.readMembers { reader, name throws(JSONSyntaxError) in
        if echoes.contains(where: { name == $0 }) {
          try reader.skipValue()
        } else {
          members.append((name.text, try reader.readValue()))
        }
      }
      return .object(JSONObject(members))
    }
  }

  /// Returns the answer of a draft.
  ///
  /// - Throws: ``BackendError`` if nothing shows that the model answered: there is neither content
  ///   nor a finish reason. With a finish reason, the model answered nothing.
  private static func answer(_ draft: AnswerDraft, _ response: RawResponse) throws(BackendError)
    -> ModelResponse
  {
    if draft.first == ModelResponse.Choice(text: nil) {
      throw BackendError(
        .brokenAnswer,
        "the server's answer contains neither content nor a finish reason"
      )
    }
    var timings = response.waitedFor
    timings.firstText = draft.clock.first
    timings.longestGap = draft.clock.longestGap
    timings.server = ServerTime.milliseconds(in: response.headers) ?? draft.serverTime
    var read = ModelResponse(
      text: draft.first.text,
      refusal: draft.first.refusal,
      finishReason: draft.first.finishReason,
      usage: draft.usage?.possible,
      provenance: provenance(response, model: draft.model),
      timings: timings
    )
    read.takeUncommon(draft, tier: draft.serviceTier.flatMap(ServiceTier.word))
    return read
  }

  private static func provenance(_ response: RawResponse, model: String?) -> Provenance {
    Provenance(
      host: response.host,
      model: model,
      standIn: response.headers.first { $0.name == ModelServerBackend.standInHeader }?.value,
      date: response.date.iso8601
    )
  }
}
