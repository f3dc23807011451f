import SluiceSupport

/// A parser that assembles a chat completion.
struct ChatParser: AnswerParser {
  private var choices: [Int: ChatParts] = [:]
  private var facts = Facts()
  private var hasChunk = false
  private var clock = TextClock()
  private let status: Int
  private let secret: Secret?

  init(status: Int, hiding secret: Secret?) {
    self.status = status
    self.secret = secret
  }

  /// The facts about an answer that do not belong to one of its choices.
  private struct Facts {
    var model: String?
    var usage: JSONValue?
    /// The object that contains the server's own timings, if any.
    var timings: JSONValue?
    var serviceTier: String?

    /// Reads a body or an event.
    ///
    /// Later token counts replace earlier ones, because some servers send counts with every event.
    mutating func take(_ json: JSONValue) {
      // The first events of some servers contain no model name.
      if model == nil, let name = json["model"]?.string, !name.isEmpty { model = name }
      if let counts = json["usage"] ?? json.value(at: "x_groq.usage"), counts.object != nil {
        usage = counts
      }
      if json["timings"]?.object != nil || json["time_info"]?.object != nil { timings = json }
      if let tier = json["service_tier"]?.string { serviceTier = tier }
    }

    func draft(_ choices: [ModelResponse.Choice], _ clock: TextClock) -> AnswerDraft {
      AnswerDraft(
        first: choices[0],
        others: Array(choices.dropFirst()),
        model: model,
        usage: usage.map { UsageReading($0).usage },
        serviceTier: serviceTier,
        reportedCost: usage.flatMap(TokenCounts.reportedCost),
        serverTime: ServerTime.milliseconds(usage: usage, timings: timings),
        clock: clock
      )
    }
  }

  // MARK: Whole

  func whole(_ json: JSONValue) throws(BackendError) -> AnswerDraft {
    // If an answer was interrupted, the error is in its choice or next to the choices.
    for place in [json] + (json["choices"]?.array ?? []) {
      let error = ServerFault.inside(place, status: status, hiding: secret)
      if let error { throw error }
    }
    guard var choices = json["choices"]?.array, !choices.isEmpty else {
      throw BackendError(
        .brokenAnswer,
        "the server's answer contains no choice"
          + ServerFault.Fault(json).words(hiding: secret)
      )
    }
    // Servers list choices in any order. They may omit the index if there is only one choice.
    let choice = choices.remove(at: choices.firstIndex { $0["index"]?.integer == 0 } ?? 0)
    let word = Ending.word(in: choice["finish_reason"])
    // Azure's completion filter removes the message, but keeps the finish reason.
    guard choice["message"]?.object != nil || word != nil else {
      throw BackendError(.brokenAnswer, "the server's answer contains no choice with a message")
    }
    if let failure = Ending.failure(word: word) { throw failure }
    let read = ([choice] + choices).map { choice in
      var parts = ChatParts()
      parts.take(choice, "message")
      return parts.choice
    }
    var facts = Facts()
    facts.take(json)
    facts.timings = json
    return facts.draft(read, TextClock())
  }

  // MARK: Streamed

  mutating func take(_ json: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool
  {
    if let error = ServerFault.inside(json, status: status, hiding: secret) { throw error }
    if name == "error" { throw ServerFault.said(json, status: status, hiding: secret) }
    hasChunk = hasChunk || json["choices"]?.array != nil
    facts.take(json)
    var isText = false
    for choice in json["choices"]?.array ?? [] {
      if let error = ServerFault.inside(choice, status: status, hiding: secret) { throw error }
      let index = choice["index"]?.integer ?? 0
      let hasText = choices[index, default: ChatParts()].take(choice, "delta")
      isText = isText || hasText && index == 0
    }
    if isText { clock.tick(milliseconds) }
    return false
  }

  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft {
    guard hasChunk else {
      throw BackendError(.brokenAnswer, "the server's stream contains no completion")
    }
    guard let first = choices[0] else {
      if !isClosed { throw .brokenOff }
      throw BackendError(.brokenAnswer, "the server's stream contains no choice")
    }
    // A proxy sends [DONE] even if the stream behind it was interrupted. So [DONE] does not prove
    // that the answer is complete.
    guard let word = first.finishReason else {
      if !isClosed { throw .brokenOff }
      throw BackendError(
        .brokenAnswer,
        "the server's stream ended without a 'finish_reason', so the answer may be cut off"
      )
    }
    if let failure = Ending.failure(word: word) { throw failure }
    let others = choices.sorted { $0.key < $1.key }.filter { $0.key != 0 }.map(\.value.choice)
    return facts.draft([first.choice] + others, clock)
  }
}
