import SluiceSupport

/// A parser that assembles an answer of Gemini's `generateContent`.
struct ContentParser: AnswerParser {
  private var candidates: [Int: Candidate] = [:]
  private var facts = Facts()
  private var hasEvent = false
  private var clock = TextClock()
  private let status: Int
  private let secret: Secret?

  init(status: Int, hiding secret: Secret?) {
    self.status = status
    self.secret = secret
  }

  /// An answer whose parts may still be arriving.
  private struct Candidate {
    var text: String?
    var reasoning = ""
    var calls: [ToolCall] = []
    var logprobs: [TokenLogprob] = []
    var finishReason: String?

    /// True if the last part is code of the model, or its result.
    ///
    /// Gemini sends `STOP` with such a part, although the answer goes on.
    var isRunningCode = false

    /// Reads a candidate or its next parts.
    ///
    /// Returns true if the value contained visible text.
    mutating func take(_ json: JSONValue) -> Bool {
      var hasText = false
      let callsBefore = calls.count
      isRunningCode = false
      for part in json["content"]?["parts"]?.array ?? [] {
        isRunningCode = part["executableCode"] != nil || part["codeExecutionResult"] != nil
        if let call = part["functionCall"], call.object != nil {
          calls.append(
            ToolCall(
              id: call["id"]?.string ?? "",
              name: call["name"]?.string ?? "",
              arguments: (call["args"] ?? [:]).jsonText
            )
          )
        }
        guard let piece = part["text"]?.string else { continue }
        if part["thought"] == .bool(true) {
          reasoning += piece
        } else {
          text = (text ?? "") + piece
          hasText = hasText || !piece.isEmpty
        }
      }
      for token in json["logprobsResult"]?["chosenCandidates"]?.array ?? [] {
        if let text = token["token"]?.string, let logprob = token["logProbability"]?.number {
          logprobs.append(TokenLogprob(token: text, logprob: logprob))
        }
      }
      // If text or a call follows an ending, the answer went on, so the ending no longer counts.
      let isLonger = hasText || calls.count > callsBefore
      finishReason = Ending.word(in: json["finishReason"]) ?? (isLonger ? nil : finishReason)
      return hasText
    }

    var choice: ModelResponse.Choice {
      ModelResponse.Choice(
        text: text,
        finishReason: finishReason,
        toolCalls: calls,
        reasoning: reasoning.isEmpty ? nil : reasoning,
        logprobs: logprobs
      )
    }
  }

  /// The facts about an answer that do not belong to one of its candidates.
  private struct Facts {
    var model: String?
    var usage: JSONValue?
    /// The reason why the prompt was blocked.
    var blockReason: String?
    var blockMessage: String?

    mutating func take(_ json: JSONValue) {
      model = json["modelVersion"]?.string ?? model
      if json["usageMetadata"]?.object != nil { usage = json["usageMetadata"] }
      let feedback = json["promptFeedback"]
      blockReason = feedback?["blockReason"]?.string ?? blockReason
      blockMessage = feedback?["blockReasonMessage"]?.string ?? blockMessage
    }
  }

  // MARK: Whole

  func whole(_ json: JSONValue) throws(BackendError) -> AnswerDraft {
    var other = self
    _ = try other.take(json, named: nil, at: nil)
    return try other.draft(isWhole: true)
  }

  private func draft(isWhole: Bool) throws(BackendError) -> AnswerDraft {
    if candidates.isEmpty, let reason = facts.blockReason {
      let words = facts.blockMessage.map { ": \($0)" } ?? ""
      return draft(
        ModelResponse.Choice(
          text: nil,
          refusal: "the prompt was blocked (\(reason))\(words)",
          finishReason: reason
        ),
        ending: .filtered
      )
    }
    guard let first = candidates[0] else {
      if !isWhole, hasEvent { throw .brokenOff }
      throw BackendError(.brokenAnswer, "the server's answer contains no candidate")
    }
    if first.finishReason == nil || first.isRunningCode, !isWhole { throw .brokenOff }
    if let failure = Ending.failure(word: first.finishReason) { throw failure }
    let others = candidates.sorted { $0.key < $1.key }.filter { $0.key != 0 }
    var draft = draft(first.choice, ending: nil)
    draft.others = others.map(\.value.choice)
    return draft
  }

  private func draft(_ choice: ModelResponse.Choice, ending: Ending?) -> AnswerDraft {
    AnswerDraft(
      first: choice,
      model: facts.model,
      usage: facts.usage.map(Self.usage),
      serviceTier: facts.usage.flatMap(ServiceTier.ofGemini),
      clock: clock,
      ending: ending
    )
  }

  /// Returns the token counts.
  ///
  /// Gemini's count for the candidates excludes thoughts, so they are added.
  static func usage(_ usage: JSONValue) -> TokenUsage {
    func count(_ name: String) -> Double? { TokenCounts.count(usage[name]) }
    let (prompt, tools) = (count("promptTokenCount"), count("toolUsePromptTokenCount"))
    let thoughts = count("thoughtsTokenCount")
    var written = count("candidatesTokenCount")
    // Gemini omits a count of 0. The total shows whether a missing count is 0 or unknown.
    if written == nil, let prompt, let total = count("totalTokenCount"),
      total == prompt + (tools ?? 0) + (thoughts ?? 0)
    {
      written = 0
    }
    var reading = UsageReading(
      input: prompt.map { $0 + (tools ?? 0) },
      cached: count("cachedContentTokenCount"),
      output: written,
      reasoning: thoughts,
      total: count("totalTokenCount")
    )
    reading.hasReasoningBeside = true
    return reading.usage
  }

  // MARK: Streamed

  mutating func take(_ event: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool
  {
    hasEvent = true
    if let error = ServerFault.inside(event, status: status, hiding: secret) { throw error }
    if name == "error" { throw ServerFault.said(event, status: status, hiding: secret) }
    facts.take(event)
    for (place, candidate) in (event["candidates"]?.array ?? []).enumerated() {
      let index = candidate["index"]?.integer ?? place
      let hasText = candidates[index, default: Candidate()].take(candidate)
      if hasText, index == 0 { clock.tick(milliseconds) }
    }
    // The counts may follow after the last candidate.
    return false
  }

  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft {
    try draft(isWhole: false)
  }
}
