package import SluiceSupport

/// The meaning of a finish reason.
package enum Ending: String, Sendable, CaseIterable {
  /// The answer is complete, possibly with a tool call.
  case done
  /// The answer was stopped at a token limit.
  case cutOff = "cut-off"
  /// The answer was stopped or withheld by a filter.
  case filtered
  /// The server paused the answer until it receives another request.
  case paused
  /// The answer ended with a tool call that cannot be parsed.
  case brokenCall = "broken-call"
  /// The server aborted the answer because of an error.
  case failed

  /// The meanings that a backend may give to its own finish reasons.
  static let nameable = allCases.filter { $0 != .failed }

  /// Creates the usual meaning of a finish reason, ignoring letter case; nil for an unknown word.
  ///
  /// If there is no finish reason, the answer counts as complete. This is safe for streams, too:
  /// the stream reader rejects a stream that ended without a finish reason.
  package init?(word: String?) {
    guard let word, word != "stop", !word.isEmpty else {
      self = .done
      return
    }
    // No known word has more than 64 bytes. The check avoids copying a long word.
    guard word.utf8.count <= 64, let known = Self.words[word.lowercased()] else { return nil }
    self = known
  }

  private static let words: [String: Ending] = {
    let words: [Ending: [String]] = [
      .done: [
        "stop", "eos", "end_turn", "stop_sequence", "tool_calls", "tool_use", "function_call",
        "completed", "complete",
      ],
      .cutOff: [
        "length", "max_tokens", "max_output_tokens", "model_length", "incomplete",
        "model_context_window_exceeded",
      ],
      .filtered: [
        "content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content",
        "spii", "language", "model_armor",
      ],
      .paused: ["pause_turn", "steered", "max_messages", "continuation", "escalation"],
      .brokenCall: [
        "malformed_function_call", "unexpected_tool_call", "too_many_tool_calls",
        "missing_thought_signature", "malformed_response",
      ],
      // OpenRouter, z.ai, DeepSeek and vLLM use these words for server errors that may be
      // temporary.
      .failed: ["error", "network_error", "insufficient_system_resource", "abort"],
    ]
    return Dictionary(
      words.flatMap { ending, words in words.map { ($0, ending) } },
      uniquingKeysWith: { first, _ in first }
    )
  }()

  /// Returns the finish reason with this meaning in chat completions; nil if there is none.
  package func commonWord(hasCalls: Bool) -> String? {
    switch self {
    case .done: hasCalls ? "tool_calls" : "stop"
    case .cutOff: "length"
    case .filtered: "content_filter"
    case .paused, .brokenCall, .failed: nil
    }
  }

  /// The reason why no app could use an answer with this ending; nil if the answer is complete.
  package var flaw: String? {
    switch self {
    case .done: nil
    case .cutOff: "the answer was cut off at the token limit"
    case .filtered: "the answer was stopped by the provider's content filter"
    case .paused: "the server paused the answer and continues it only on another request"
    case .brokenCall: "the model's tool call could not be read"
    case .failed: "the server ended the answer with an error"
    }
  }

  /// Returns an error if the finish reason means that the server aborted the answer; otherwise nil.
  static func failure(word: String?) -> BackendError? {
    guard let word, Ending(word: word) == .failed else { return nil }
    return BackendError(
      .serverError,
      word.lowercased() == "error"
        ? "the server ended the answer with an error but did not name the error"
        : "the server did not finish the answer: it ended with '\(word)'"
    )
  }

  /// Returns the finish reason in a value of the response; nil if the value is absent,
  /// null or an empty text.
  ///
  /// A value that is not a text becomes an unknown word, so that it does not count as absent.
  static func word(in value: JSONValue?) -> String? {
    guard let value, value != .null, value != .string("") else { return nil }
    return value.string ?? value.jsonText
  }
}

/// The finish reasons that a backend defines itself, in addition to the usual ones.
package struct EndingWords: Hashable, Sendable {
  /// The meanings, by finish reason in lower case.
  private(set) var meanings: [String: Ending] = [:]

  package init() {}

  /// Adds a finish reason.
  ///
  /// - Parameters:
  ///   - word: The finish reason, in upper or lower case.
  ///   - meaning: The meaning of the finish reason.
  package mutating func add(_ word: String, _ meaning: Ending) {
    meanings[word.lowercased()] = meaning
  }

  /// Returns the meaning that the backend gives to a finish reason; nil if the backend does not
  /// define the finish reason.
  func meaning(of word: String?) -> Ending? {
    meanings.isEmpty ? nil : word.flatMap { meanings[$0.lowercased()] }
  }

  /// The finish reasons with their meanings; nil if there are none.
  package var json: JSONObject? {
    if meanings.isEmpty { return nil }
    return JSONObject(
      meanings.sorted { $0.key < $1.key }.map { (name: $0, value: .string($1.rawValue)) }
    )
  }
}

extension ModelResponse {
  /// The meaning of the answer's finish reason; nil if the finish reason is unknown.
  package var ending: Ending? { ownEnding ?? Ending(word: finishReason) }

  /// Returns the response with the ending that `words` defines for the finish reason.
  ///
  /// If `words` does not define the finish reason, the response is unchanged.
  func ending(by words: EndingWords) -> ModelResponse {
    guard let meaning = words.meaning(of: finishReason) else { return self }
    var response = self
    response.ownEnding = meaning
    return response
  }

  /// Returns the response with a known ending.
  ///
  /// - Parameter words: The finish reasons that the backend defines itself.
  /// - Returns: The response.
  /// - Throws: ``BackendError`` if the finish reason is unknown, because the answer may be
  ///   incomplete.
  func ended(by words: EndingWords) throws(BackendError) -> ModelResponse {
    let response = ending(by: words)
    if response.ending != nil { return response }
    throw BackendError(
      .unknownEnding,
      "unknown ending '\(shownWord)'; add it to the backend's 'endings' in sluice.yaml"
    )
  }

  /// The finish reason, cut off if it is unusually long.
  private var shownWord: Substring { (finishReason ?? "").prefix(60) }

  /// The words `has the unknown ending '…'`, for messages whose subject is the answer.
  package var unknownEnding: String {
    "has the unknown ending '\(shownWord)'"
  }
}
