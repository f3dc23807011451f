import SluiceSupport

/// A chat completion that comes as server-sent events, while it is put together.
struct ChatStream {
  private var events = StreamedEvents()
  private var choices: [Int: ChatParts] = [:]
  private var usage: JSONValue?
  private var model: String?
  private var timings: JSONValue?
  private var hasChunk = false
  private var clock = TextClock()
  private let status: Int
  private let secret: Secret?

  /// Creates a stream of which nothing has come.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - secret: The key that a server may repeat.
  init(status: Int, hiding secret: Secret?) {
    self.status = status
    self.secret = secret
  }

  /// Takes the next bytes of the body.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes, cut anywhere.
  ///   - milliseconds: When they came, since the request was sent; nil where that is not known.
  mutating func take(_ bytes: some Sequence<UInt8>, at milliseconds: Double?) {
    for event in events.take(bytes) { take(event, at: milliseconds) }
  }

  private mutating func take(_ event: EventStream.Event, at milliseconds: Double?) {
    guard let json = events.json(of: event) else { return }
    if let error = ServerFault.inside(json, status: status, hiding: secret)
      ?? (event.name == "error" ? ServerFault.said(json, status: status, hiding: secret) : nil)
    {
      return events.fail(error)
    }
    hasChunk = hasChunk || json["choices"]?.array != nil
    // The first events of some servers have none.
    if let name = json["model"]?.string, !name.isEmpty, model == nil { model = name }
    // Of counts that come with every event the last ones count.
    if let counts = json["usage"] ?? json.value(at: "x_groq.usage"), counts.object != nil {
      usage = counts
    }
    if json["timings"]?.object != nil || json["time_info"]?.object != nil { timings = json }
    var isText = false
    for choice in json["choices"]?.array ?? [] {
      if let error = ServerFault.inside(choice, status: status, hiding: secret) {
        return events.fail(error)
      }
      let index = choice["index"]?.integer ?? 0
      let hasText = choices[index, default: ChatParts()].take(choice, "delta")
      isText = isText || hasText && index == 0
    }
    if isText { clock.tick(milliseconds) }
  }

  /// The answer, once the stream has ended.
  ///
  /// - Throws: ``BackendError`` when the stream held no answer, or ended before its answer did: a part
  ///   of a text is no answer.
  mutating func answer() throws(BackendError) -> ChatAnswer {
    if let event = events.finish() { take(event, at: nil) }
    if let fault = events.fault { throw fault }
    guard hasChunk else {
      throw BackendError(.brokenAnswer, "the server's stream holds no completion")
    }
    guard let first = choices[0] else {
      throw BackendError(
        .brokenAnswer,
        events.isDone
          ? "the server's stream holds no choice"
          : "the server's stream broke off before the answer's end"
      )
    }
    // A proxy closes what broke off behind it with [DONE], so that alone is not the answer's end.
    guard let word = first.finishReason else {
      throw BackendError(
        .brokenAnswer,
        events.isDone
          ? "the server's stream ended without a 'finish_reason', so the answer may be cut off"
          : "the server's stream broke off before the answer's end"
      )
    }
    if let failure = Ending.failure(word: word) { throw failure }
    return ChatAnswer(
      first: first.choice,
      others: choices.sorted { $0.key < $1.key }.filter { $0.key != 0 }.map(\.value.choice),
      model: model,
      usage: usage,
      timings: timings,
      clock: clock
    )
  }
}

/// When the visible text of a stream came.
struct TextClock: Hashable, Sendable {
  private(set) var first: Double?
  private(set) var longestGap: Double?
  private var last: Double?

  /// Takes note of a piece of text.
  mutating func tick(_ milliseconds: Double?) {
    guard let milliseconds else { return }
    if let last { longestGap = max(longestGap ?? 0, milliseconds - last) }
    first = first ?? milliseconds
    last = milliseconds
  }
}

/// What a chat completion says, whole or streamed.
struct ChatAnswer {
  var first: ModelResponse.Choice
  var others: [ModelResponse.Choice]
  var model: String?
  var usage: JSONValue?
  /// The object in which the server says how long it took, if it does.
  var timings: JSONValue?
  var clock = TextClock()
}
