import SluiceSupport

/// The parser of responses from an app's endpoint, whole or streamed.
///
/// It finds the answer's parts by the configured paths.
enum AppResponse {
  /// Returns the answer in a response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - places: The paths of the answer's parts.
  ///   - secret: A secret that an error may repeat and that must be redacted.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if the response contains no answer.
  static func read(
    _ response: RawResponse,
    _ places: AnswerPlaces,
    hiding secret: Secret? = nil
  ) throws(BackendError) -> ModelResponse {
    // If the whole response is the text of the answer, this text may only look like a stream.
    let mayBeStream = places.isStreamed || places.text != AnswerPlaces.whole
    return mayBeStream && EventStream.isLikely(response.body)
      ? try streamed(response, places, secret) : try whole(response, places, secret)
  }

  // MARK: Whole

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
        throw BackendError(.brokenAnswer, "the server's answer is not text: it is not valid UTF-8")
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

  // MARK: Streamed

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
    // A part of a text is not an answer.
    if !isDone { throw .brokenOff }
    var timings = response.waitedFor
    timings.firstText = stream.clock.first
    timings.longestGap = stream.clock.longestGap
    return try stream.parts.response(text: stream.text, response, timings: timings)
  }
}

/// The parts of an app's answer, except for its text.
struct AnswerParts {
  private(set) var usage: JSONValue?
  private(set) var model: String?
  private(set) var finishReason: String?

  /// Reads the parts that a response or an event contains.
  mutating func take(_ json: JSONValue, _ places: AnswerPlaces) {
    // Later counts replace earlier ones, because some servers send counts with every event.
    if let found = json.value(at: places.usage ?? "usage"), found.object != nil { usage = found }
    if let name = json.value(at: places.model ?? "model")?.string, !name.isEmpty { model = name }
    let reasons = places.finishReason.map { [$0] } ?? Self.usualReasons
    if let word = reasons.lazy.compactMap({ Ending.word(in: json.value(at: $0)) }).first {
      finishReason = word
    }
  }

  private static let usualReasons = ["finish_reason", "finish-reason", "finishReason"]

  /// Returns the answer.
  ///
  /// - Throws: ``BackendError`` if the finish reason means that there is no answer.
  func response(
    text: String?,
    _ raw: RawResponse,
    timings: ResponseTimings
  ) throws(BackendError) -> ModelResponse {
    if let failure = Ending.failure(word: finishReason) { throw failure }
    var response = ModelResponse(
      text: text,
      finishReason: finishReason,
      usage: usage.map { UsageReading($0).usage },
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
}

/// A parser that assembles an app's answer from server-sent events.
///
/// `data: {"content": "…"}` contains a piece of the text. `data: {"error": …}` ends the stream with
/// an error. `data: [DONE]` ends the stream successfully. A stream without `[DONE]` has no answer.
struct AppStream {
  private(set) var parts = AnswerParts()
  private(set) var clock = TextClock()
  private(set) var text = ""
  private let places: AnswerPlaces
  private let status: Int
  private let secret: Secret?

  /// Creates an empty stream.
  init(_ places: AnswerPlaces, status: Int, hiding secret: Secret?) {
    self.places = places
    self.status = status
    self.secret = secret
  }

  /// Parses an event.
  ///
  /// - Throws: ``BackendError`` if the event reports that there is no answer.
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
  /// Returns the value at the path of the text; nil if there is none.
  func text(in json: JSONValue) -> JSONValue? {
    if let text { return json.value(at: text) }
    return json["content"] ?? json["text"]
  }

  /// Returns the piece of text in an event; nil if there is none.
  func piece(in event: JSONValue) -> String? {
    piece == Self.whole ? event.string : event.value(at: piece ?? "content")?.string
  }

  /// Returns the error in a response or event; nil if there is none.
  func error(in json: JSONValue, status: Int, hiding secret: Secret?) -> BackendError? {
    guard let found = json.value(at: error ?? "error"), !ServerFault.isEmpty(found) else {
      return nil
    }
    // A member next to the error, such as a code, may show the kind of error.
    let place = json["error"] == nil || json["error"] == .null ? ["error": found] : json
    return ServerFault.said(place, status: status, hiding: secret)
  }

  /// Returns the body of an error response, in a form in which the error is under `error`.
  ///
  /// If the app puts its errors at another path, the result contains nothing but the error.
  func refusal(_ body: [UInt8]) -> [UInt8] {
    guard let error, let json = try? JSONReader.value(body.withoutByteOrderMark),
      json["error"] == nil,
      let found = json.value(at: error), found != .null
    else { return body }
    return JSONWriter.line(["error": found])
  }
}
