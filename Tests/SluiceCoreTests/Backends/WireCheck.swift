import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import TestSupport

/// The comparison of Sluice's reading of recorded exchanges with the expected reading.
///
/// It continues after a difference or an error, and stores each with the name of its exchange.
struct WireCheck {
  /// The number of checked exchanges, by kind.
  private(set) var counts: [(kind: String, count: Int)] = []
  /// The differences, each with the name of its exchange.
  private(set) var differences: [String] = []

  /// Checks exchanges.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges.
  ///   - kind: The kind of the exchanges.
  ///   - check: Returns the differences of an exchange.
  mutating func check(
    _ exchanges: [WireSet.Exchange],
    as kind: (WireSet.Exchange) -> String,
    _ check: (WireSet.Exchange) throws -> [String]
  ) {
    for exchange in exchanges {
      count(kind(exchange))
      do {
        differences += try check(exchange).map { "\(exchange.name): \($0)" }
      } catch {
        differences.append("\(exchange.name): threw \(error)")
      }
    }
  }

  private mutating func count(_ kind: String) {
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count += 1
    } else {
      counts.append((kind, 1))
    }
  }

  /// The numbers of checked exchanges, by kind.
  var summary: String { counts.map { "\($0.count) \($0.kind)" }.joined(separator: ", ") }

  // MARK: Reading

  static func response(_ body: [UInt8], _ api: WireAPI, cutAt cut: Int? = nil)
    throws(BackendError) -> ModelResponse
  {
    var exchange = Exchange(
      request: ModelRequest(backend: "wire", api: api.model.name(), model: "m", body: [:]),
      body: body,
      host: "https://wire.test",
      date: Timestamp(seconds: 0)
    )
    exchange.response.arrivals = [cut, body.count].compactMap(\.self).map {
      RawResponse.Arrival(milliseconds: Double($0), end: $0)
    }
    return try ResponseReader.response(in: exchange)
  }

  /// Returns a difference in words; nil if both are equal.
  private static func difference<Value: Equatable>(
    _ what: String,
    _ found: Value,
    _ expected: Value
  ) -> String? {
    found == expected ? nil : "\(what): found \(found), expected \(expected)"
  }

  /// The differences of an answer from an independent reading of its body.
  static func differences(_ response: ModelResponse, _ reading: WireReading, _ api: WireAPI)
    -> [String]
  {
    let known = Self.meaning[reading.ending.lowercased()]
    return [
      // The clients give "" for no text.
      difference("text", response.text ?? "", reading.text),
      difference("refusal", response.refusal ?? "", reading.refusal),
      difference("ending", response.finishReason ?? "", reading.ending),
      difference("meaning of the ending", response.ending, reading.isFiltered ? .filtered : known),
      difference(
        "calls",
        response.toolCalls.map {
          [$0.name, api.hasArgumentObjects ? WireReading.sorted(text: $0.arguments) : $0.arguments]
        },
        reading.calls
      ),
      difference("input tokens", response.usage?.input, reading.input),
      difference("cached tokens", response.usage?.cachedInput, reading.cached),
      difference("cache-write tokens", response.usage?.cacheWrite, reading.cacheWrite),
      difference("output tokens", response.usage?.output, reading.output),
      difference("reasoning tokens", response.usage?.reasoning, reading.reasoning),
    ].compactMap(\.self)
  }

  /// The meanings of words that real answers end with, written down by hand.
  private static let meaning: [String: Ending] = [
    "": .done, "stop": .done, "tool_calls": .done, "function_call": .done, "eos": .done,
    "completed": .done, "complete": .done, "end_turn": .done, "stop_sequence": .done,
    "tool_use": .done, "length": .cutOff, "model_length": .cutOff, "max_tokens": .cutOff,
    "max_output_tokens": .cutOff, "model_context_window_exceeded": .cutOff,
    "incomplete": .cutOff, "content_filter": .filtered, "safety": .filtered, "refusal": .filtered,
    "recitation": .filtered, "blocklist": .filtered, "prohibited_content": .filtered,
    "pause_turn": .paused, "malformed_function_call": .brokenCall,
    "unexpected_tool_call": .brokenCall,
  ]

  /// Returns the differences between our independent reading and the vendors' clients.
  static func differences(_ reading: WireReading, _ exchange: WireSet.Exchange) -> [String] {
    let expected = exchange.expected
    let text = reading.told.text ?? reading.text
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(80)))
    let ending = reading.told.ending ?? reading.ending
    var differences = [
      difference("first 80 characters", start, expected["text"]?.string ?? ""),
      difference("ending", ending, expected["finish_reason"]?.string ?? ""),
      difference(
        "prompt tokens",
        reading.told.input ?? reading.input,
        expected["prompt_tokens"]?.integer
      ),
      difference(
        "completion tokens",
        reading.told.output ?? reading.output,
        expected["completion_tokens"]?.integer
      ),
    ]
    // Only OpenAI's clients have a member for the refusal.
    if exchange.api == .chat || exchange.api == .responses {
      differences.append(
        difference("refusal", reading.refusal, expected["refusal"]?.string ?? "")
      )
    }
    if let calls = expected["tool_calls"]?.integer {
      let legacy = expected["function_call"]?.string?.isEmpty == false ? 1 : 0
      differences.append(difference("number of calls", reading.calls.count, calls + legacy))
    }
    // The independent reading also knows counts that OpenAI's client does not.
    for (what, found, told) in [
      ("cached tokens", reading.cached, expected["cached_tokens"]?.integer),
      ("cache-write tokens", reading.cacheWrite, expected["cache_creation_tokens"]?.integer),
      ("reasoning tokens", reading.reasoning, expected["reasoning_tokens"]?.integer),
    ] where told != nil {
      differences.append(difference(what, found, told))
    }
    return differences.compactMap(\.self)
  }

  /// Returns the differences between an answer and the other values that vendors' clients read.
  static func differences(_ response: ModelResponse, _ exchange: WireSet.Exchange) -> [String] {
    var differences: [String?] = []
    if let count = exchange.expected["n_choices"]?.integer {
      differences.append(difference("choices", response.others.count + 1, count))
    }
    if let count = exchange.expected["logprob_tokens"]?.integer {
      differences.append(difference("likelihoods", response.logprobs.count, count))
    }
    return differences.compactMap(\.self)
  }

  // MARK: Errors

  /// The kinds of errors by status, written down by hand.
  private static let kinds: [Int: BackendError.Kind] = [
    200: .brokenAnswer, 400: .invalidRequest, 401: .badCredentials, 402: .quotaSpent,
    403: .permissionDenied, 404: .notFound, 413: .invalidRequest, 422: .invalidRequest,
    429: .rateLimited, 498: .rateLimited, 500: .serverError, 503: .serverError, 529: .serverError,
  ]
  /// The kinds of errors by code or type, whatever the status.
  private static let codes: [String: BackendError.Kind] = [
    "content_filter": .contentFilter, "context_length_exceeded": .contextTooLong,
    "too_many_prompt_tokens": .contextTooLong, "insufficient_quota": .quotaSpent,
    "model_not_found": .notFound, "invalid_api_key": .badCredentials,
    "authentication_error": .badCredentials, "not_found_error": .notFound,
    "rate_limit_error": .rateLimited, "rate_limit_exceeded": .rateLimited,
    "RESOURCE_EXHAUSTED": .rateLimited, "overloaded_error": .serverError,
  ]
  /// The kinds by codes that servers send with a success status.
  private static let lateCodes: [String: BackendError.Kind] = [
    "api_error": .serverError, "server_error": .serverError, "timeout_error": .timedOut,
  ]
  /// The kinds by beginnings of messages whose status indicates another kind.
  private static let phrases: [(start: String, kind: BackendError.Kind)] = [
    ("API key not valid", .badCredentials), ("Incorrect API key provided", .badCredentials),
  ]

  /// Returns the kind of error that the server meant.
  private static func kind(_ exchange: WireSet.Exchange, _ message: String) -> BackendError.Kind {
    let expected = exchange.expected["error"]
    // Waiting does not help against a daily quota.
    if String(decoding: exchange.body, as: UTF8.self).contains("PerDay") { return .quotaSpent }
    let codes = exchange.status == 200 ? codes.merging(lateCodes) { $1 } : codes
    for name in ["code", "type"] {
      if let kind = expected?[name]?.string.flatMap({ codes[$0] }) { return kind }
    }
    if let phrase = phrases.first(where: { message.hasPrefix($0.start) }) { return phrase.kind }
    let code = expected?["code"]?.integer.flatMap { kinds[$0] }
    return (exchange.status == 200 ? code : nil) ?? kinds[exchange.status] ?? .brokenAnswer
  }

  /// Returns the differences between an error and the server's message.
  static func differences(_ error: BackendError, _ exchange: WireSet.Exchange) -> [String] {
    let expected = exchange.expected["error"]
    let message =
      WireReading.message(exchange.body) ?? WireReading(exchange.body, exchange.api).error ?? ""
    let kind = kind(exchange, message)
    // llama.cpp answers 500 to unsupported requests (recordings-and-wire: do not retry).
    let mayPass: [BackendError.Kind] = [.rateLimited, .serverError, .brokenAnswer]
    let canRetry = mayPass.contains(kind) && exchange.vendor != "llamacpp"
    let said = message.prefix(300)
    let start =
      exchange.status == 200
      ? "the server answered 200 with an error" : "the server answered \(exchange.status)"
    var differences = [
      difference("kind", error.kind, kind),
      difference("sent again", error.canRetry, canRetry),
      difference("message", error.message, said.isEmpty ? start : "\(start): \(said)"),
    ]
    let wait =
      expected?["retry_after"]?.string.flatMap { Double($0) } ?? WireReading.wait(exchange.body)
    if let wait {
      let milliseconds = Int64((wait * 1_000).rounded(.up))
      differences.append(difference("wait", error.retryAfter, .milliseconds(milliseconds)))
    }
    return differences.compactMap(\.self)
  }
}
