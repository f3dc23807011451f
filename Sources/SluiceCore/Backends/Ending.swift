package import SluiceSupport

/// The meaning of the word with which an answer ended.
package enum Ending: String, Sendable, CaseIterable {
  /// Complete, a call of a tool included.
  case done
  /// Stopped at a limit of tokens.
  case cutOff = "cut-off"
  /// Stopped or withheld by a filter.
  case filtered
  /// Paused by the server until a further request.
  case paused
  /// Ended by a call of a tool that nobody can read.
  case brokenCall = "broken-call"
  /// Given up by the server: there is no answer.
  case failed

  /// The meanings that a backend may give to words of its own.
  static let nameable = allCases.filter { $0 != .failed }

  /// The usual meaning of a word, in any letter case; nil for an unknown word.
  ///
  /// An answer that came as a whole is complete without a word. A stream is not: its reader refuses
  /// one that ended without a word.
  package init?(word: String?) {
    guard let word, word != "stop", !word.isEmpty else {
      self = .done
      return
    }
    // Longer than any word that is known, and not worth a copy.
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
      // OpenRouter, z.ai, DeepSeek and vLLM: trouble of the server, which may pass.
      .failed: ["error", "network_error", "insufficient_system_resource", "abort"],
    ]
    return Dictionary(
      words.flatMap { ending, words in words.map { ($0, ending) } },
      uniquingKeysWith: { first, _ in first }
    )
  }()

  /// The word of chat completions for an answer that ended so; nil where they have none.
  package func commonWord(hasCalls: Bool) -> String? {
    switch self {
    case .done: hasCalls ? "tool_calls" : "stop"
    case .cutOff: "length"
    case .filtered: "content_filter"
    case .paused, .brokenCall, .failed: nil
    }
  }

  /// The reason why no app could use an answer that ended so; nil for a complete one.
  package var flaw: String? {
    switch self {
    case .done: nil
    case .cutOff: "the answer was cut off at the token limit"
    case .filtered: "the answer was stopped by the provider's content filter"
    case .paused: "the server paused the answer and would continue it only on another request"
    case .brokenCall: "the model's call of a tool could not be read"
    case .failed: "the server ended the answer with an error"
    }
  }

  /// The error of an answer that the server gave up; nil for a word with another meaning.
  static func failure(word: String?) -> BackendError? {
    guard let word, Ending(word: word) == .failed else { return nil }
    return BackendError(
      .serverError,
      word.lowercased() == "error"
        ? "the server ended the answer with an error, and does not say with which"
        : "the server gave up the answer: it ended with '\(word)'"
    )
  }

  /// The word in a value of the wire; nil where there is none.
  ///
  /// A value that is not text is no word that anybody knows, so it must not count as absent.
  static func word(in value: JSONValue?) -> String? {
    guard let value, value != .null, value != .string("") else { return nil }
    return value.string ?? value.jsonText
  }
}

/// The words by which a backend of its own ends answers, beside the usual ones.
package struct EndingWords: Hashable, Sendable {
  /// The meanings by word, in lower case.
  private(set) var meanings: [String: Ending] = [:]

  package init() {}

  /// Adds a word.
  ///
  /// - Parameters:
  ///   - word: The word in any letter case.
  ///   - meaning: The meaning of an answer that ends with it.
  package mutating func add(_ word: String, _ meaning: Ending) {
    meanings[word.lowercased()] = meaning
  }

  /// The backend's own meaning of a word; nil where it has none.
  func meaning(of word: String?) -> Ending? {
    meanings.isEmpty ? nil : word.flatMap { meanings[$0.lowercased()] }
  }

  /// The words with their meanings; nil where there are none.
  package var json: JSONObject? {
    if meanings.isEmpty { return nil }
    return JSONObject(
      meanings.sorted { $0.key < $1.key }.map { (name: $0, value: .string($1.rawValue)) }
    )
  }
}

extension ModelResponse {
  /// The meaning of the word with which the answer ended; nil for an unknown word.
  package var ending: Ending? { ownEnding ?? Ending(word: finishReason) }

  /// The response with its ending read in the words of a backend, known or not.
  func ending(by words: EndingWords) -> ModelResponse {
    guard let meaning = words.meaning(of: finishReason) else { return self }
    var response = self
    response.ownEnding = meaning
    return response
  }

  /// The response with its ending read in the words of a backend.
  ///
  /// - Parameter words: The backend's own words.
  /// - Returns: The response.
  /// - Throws: ``BackendError`` for an unknown word: the answer may be complete or not.
  func ended(by words: EndingWords) throws(BackendError) -> ModelResponse {
    let response = ending(by: words)
    if response.ending != nil { return response }
    throw BackendError(
      .unknownEnding,
      "unknown ending '\(shownWord)'; add it to the backend's 'endings' in sluice.yaml"
    )
  }

  /// The word of the ending, cut where it is unusually long.
  private var shownWord: Substring { (finishReason ?? "").prefix(60) }

  /// A clause about an ending that nobody knows.
  package var unknownEnding: String {
    "ended with '\(shownWord)', which Sluice does not know"
  }
}
