import SluiceSupport

/// Reads what an app's endpoint sent, as a whole or as a stream, where the places say that it stands.
enum AppResponse {
  /// Returns the answer in a response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - places: Where the parts of the answer stand.
  ///   - secret: What an error may repeat and must not be seen.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` when the response holds no answer.
  static func read(
    _ response: RawResponse,
    _ places: AnswerPlaces,
    hiding secret: Secret? = nil
  ) throws(BackendError) -> ModelResponse {
    // A text that is taken as it comes may well begin like an event.
    let mayBeStream = places.isStreamed || places.text != AnswerPlaces.whole
    return mayBeStream && EventStream.isLikely(response.body)
      ? try streamed(response, places, secret) : try whole(response, places, secret)
  }

  // MARK: As a whole

  private static func whole(
    _ response: RawResponse,
    _ places: AnswerPlaces,
    _ secret: Secret?
  ) throws(BackendError) -> ModelResponse {
    let json: JSONValue?
    var fault: JSONSyntaxError?
    do throws(JSONSyntaxError) {
      json = try JSONReader.value(response.body.withoutByteOrderMark)
    } catch {
      (json, fault) = (nil, error)
    }
    if let json, let error = places.error(in: json, status: response.status, hiding: secret) {
      throw error
    }
    let text: String?
    if places.text == AnswerPlaces.whole {
      guard UTF8Text.firstInvalidByte(in: response.body) == nil else {
        throw BackendError(.brokenAnswer, "the server's answer is no text: not valid UTF-8")
      }
      text = json?.string ?? String(decoding: response.body, as: UTF8.self)
    } else if let json {
      guard let found = places.text(in: json) else {
        throw BackendError(
          .brokenAnswer,
          "the server's answer has no '\(places.text ?? "content' or 'text")'"
        )
      }
      text = found == .null ? nil : found.string ?? found.jsonText
    } else {
      throw BackendError(
        .brokenAnswer,
        "the server's answer is not JSON: \(fault?.message ?? "")"
      )
    }
    var parts = AnswerParts()
    if let json { parts.take(json, places) }
    return try parts.response(text: text, response, timings: response.waitedFor)
  }

  // MARK: In pieces

  private static func streamed(
    _ response: RawResponse,
    _ places: AnswerPlaces,
    _ secret: Secret?
  ) throws(BackendError) -> ModelResponse {
    var stream = AppStream(places, status: response.status, hiding: secret)
    let isDone = try response.forEachEvent(.events) { (event, name, time) throws(BackendError) in
      try stream.take(event, named: name, at: time)
      return false
    }
    // A part of a text is no answer.
    if !isDone { throw .brokenOff }
    var timings = response.waitedFor
    timings.firstText = stream.clock.first
    timings.longestGap = stream.clock.longestGap
    return try stream.parts.response(text: stream.text, response, timings: timings)
  }
}

/// What an app says of an answer beside its text.
struct AnswerParts {
  private(set) var usage: JSONValue?
  private(set) var model: String?
  private(set) var finishReason: String?

  /// Takes what a response or an event says.
  mutating func take(_ json: JSONValue, _ places: AnswerPlaces) {
    // Of counts that come with every event the last ones count.
    if let found = json.value(at: places.usage ?? "usage"), found.object != nil { usage = found }
    if let name = json.value(at: places.model ?? "model")?.string, !name.isEmpty { model = name }
    let reasons = places.finishReason.map { [$0] } ?? Self.usualReasons
    if let word = reasons.lazy.compactMap({ Ending.word(in: json.value(at: $0)) }).first {
      finishReason = word
    }
  }

  private static let usualReasons = ["finish_reason", "finish-reason", "finishReason"]

  /// The answer.
  ///
  /// - Throws: ``BackendError`` when its ending says that there is none.
  func response(
    text: String?,
    _ raw: RawResponse,
    timings: ResponseTimings
  ) throws(BackendError) -> ModelResponse {
    if let failure = Ending.failure(word: finishReason) { throw failure }
    var response = ModelResponse(
      text: text,
      finishReason: finishReason,
      usage: usage.map(Self.counts),
      provenance: Provenance(
        host: raw.host,
        model: model,
        standIn: raw.headers.first { $0.name == ModelServerBackend.standInHeader }?.value,
        date: raw.date.iso8601
      ),
      timings: timings
    )
    response.reportedCost = usage.flatMap(TokenCounts.reportedCost)
    return response
  }

  /// Counts in the words of a vendor, of Sluice (`input`, `output`), or of an app's own code
  /// (`promptTokens`, `inputTokens`).
  static func counts(_ usage: JSONValue) -> TokenUsage {
    let known = TokenCounts(usage).usage
    if known.input != nil || known.output != nil { return known }
    let own = TokenUsage(json: usage)
    if own.input != nil || own.output != nil { return own }
    func count(_ names: String...) -> Int? {
      names.lazy.compactMap { usage[$0]?.integer }.first
    }
    return TokenUsage(
      input: count("promptTokens", "inputTokens"),
      cachedInput: count("cachedInputTokens"),
      output: count("completionTokens", "outputTokens"),
      reasoning: count("reasoningTokens")
    ).possible
  }
}

/// An app's answer that comes as server-sent events, while it is put together.
///
/// `data: {"content": "…"}` is a piece of the text, `data: {"error": …}` ends it in vain, and
/// `data: [DONE]` ends it well: without that it is no answer.
struct AppStream {
  private(set) var parts = AnswerParts()
  private(set) var clock = TextClock()
  private(set) var text = ""
  private let places: AnswerPlaces
  private let status: Int
  private let secret: Secret?

  /// Creates a stream of which nothing has come.
  init(_ places: AnswerPlaces, status: Int, hiding secret: Secret?) {
    self.places = places
    self.status = status
    self.secret = secret
  }

  /// Takes an event.
  ///
  /// - Throws: ``BackendError`` when it says that there is no answer.
  mutating func take(_ json: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError)
  {
    if let error = places.error(in: json, status: status, hiding: secret)
      ?? (name == "error" ? ServerFault.said(json, status: status, hiding: secret) : nil)
    {
      throw error
    }
    parts.take(json, places)
    if let piece = places.piece(in: json), !piece.isEmpty {
      text += piece
      clock.tick(milliseconds)
    }
  }
}

extension AnswerPlaces {
  /// The value at the text's place; nil where there is none.
  func text(in json: JSONValue) -> JSONValue? {
    if let text { return json.value(at: text) }
    return json["content"] ?? json["text"]
  }

  /// The piece of the text in an event; nil where it holds none.
  func piece(in event: JSONValue) -> String? {
    piece == Self.whole ? event.string : event.value(at: piece ?? "content")?.string
  }

  /// The error that a response or an event holds in place of an answer; nil where it holds none.
  func error(in json: JSONValue, status: Int, hiding secret: Secret?) -> BackendError? {
    guard let found = json.value(at: error ?? "error"), !ServerFault.isEmpty(found) else {
      return nil
    }
    // What stands beside the error, such as its code, says what kind it is.
    let place = json["error"] == nil || json["error"] == .null ? ["error": found] : json
    return ServerFault.said(place, status: status, hiding: secret)
  }

  /// The body of a refusal, with the error where servers have it.
  func refusal(_ body: [UInt8]) -> [UInt8] {
    guard let error, let json = try? JSONReader.value(body.withoutByteOrderMark),
      json["error"] == nil,
      let found = json.value(at: error), found != .null
    else { return body }
    return JSONWriter.line(["error": found])
  }
}
