import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import TestSupport

/// Compares what Sluice reads out of recorded exchanges with what it should.
///
/// It goes on after a difference and after an error: each is kept by the name of its exchange.
struct WireCheck {
  /// How many exchanges were checked, by kind.
  private(set) var counts: [(kind: String, count: Int)] = []
  /// The differences, each with the name of its exchange.
  private(set) var differences: [String] = []

  /// Checks exchanges.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges.
  ///   - kind: What to count an exchange as.
  ///   - check: The differences of an exchange.
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

  /// How many were checked, by kind.
  var summary: String { counts.map { "\($0.count) \($0.kind)" }.joined(separator: ", ") }

  // MARK: Reading

  static func response(_ body: [UInt8], cutAt cut: Int? = nil) throws(BackendError) -> ModelResponse
  {
    var exchange = Exchange(
      request: ModelRequest(backend: "wire", api: "openai-chat", model: "m", body: [:]),
      body: body,
      host: "https://wire.test",
      date: Timestamp(seconds: 0)
    )
    exchange.response.arrivals = [cut, body.count].compactMap(\.self).map {
      RawResponse.Arrival(milliseconds: Double($0), end: $0)
    }
    return try ResponseReader.response(in: exchange)
  }

  /// A difference in words; nil where both are the same.
  private static func difference<Value: Equatable>(
    _ what: String,
    _ found: Value,
    _ expected: Value
  ) -> String? {
    found == expected ? nil : "\(what): found \(found), expected \(expected)"
  }

  /// The differences of an answer from an independent reading of its body.
  static func differences(_ response: ModelResponse, _ reading: WireReading) -> [String] {
    [
      // The clients give "" for no text.
      difference("text", response.text ?? "", reading.text),
      difference("refusal", response.refusal ?? "", reading.refusal),
      difference("ending", response.finishReason ?? "", reading.ending),
      difference("meaning of the ending", response.ending, meaning[reading.ending.lowercased()]),
      difference("calls", response.toolCalls.map { [$0.name, $0.arguments] }, reading.calls),
      difference("input tokens", response.usage?.input, reading.input),
      difference("cached tokens", response.usage?.cachedInput, reading.cached),
      difference("cache-write tokens", response.usage?.cacheWrite, reading.cacheWrite),
      difference("output tokens", response.usage?.output, reading.output),
      difference("reasoning tokens", response.usage?.reasoning, reading.reasoning),
    ].compactMap(\.self)
  }

  /// The meanings of words that real chat completions end with, written down by hand.
  private static let meaning: [String: Ending] = [
    "": .done, "stop": .done, "tool_calls": .done, "function_call": .done, "eos": .done,
    "length": .cutOff, "model_length": .cutOff, "max_tokens": .cutOff,
    "content_filter": .filtered, "safety": .filtered,
  ]

  /// The differences of an independent reading from what the vendors' clients read.
  static func differences(_ reading: WireReading, _ exchange: WireSet.Exchange) -> [String] {
    let expected = exchange.expected
    let start = String(String.UnicodeScalarView(reading.text.unicodeScalars.prefix(80)))
    var output = expected["completion_tokens"]?.integer
    // The clients leave beside the completion what a server counts beside it.
    if let told = output, let reasoning = reading.reasoning, reading.output == told + reasoning {
      output = reading.output
    }
    var differences = [
      difference("first 80 characters", start, expected["text"]?.string ?? ""),
      difference("ending", reading.ending, expected["finish_reason"]?.string ?? ""),
      difference("refusal", reading.refusal, expected["refusal"]?.string ?? ""),
      difference("prompt tokens", reading.input, expected["prompt_tokens"]?.integer),
      difference("completion tokens", reading.output, output),
    ]
    if let calls = expected["tool_calls"]?.integer {
      let legacy = expected["function_call"]?.string?.isEmpty == false ? 1 : 0
      differences.append(difference("number of calls", reading.calls.count, calls + legacy))
    }
    // Words for these counts that OpenAI's client does not know are read all the same.
    for (what, found, told) in [
      ("cached tokens", reading.cached, expected["cached_tokens"]?.integer),
      ("reasoning tokens", reading.reasoning, expected["reasoning_tokens"]?.integer),
    ] where told != nil {
      differences.append(difference(what, found, told))
    }
    return differences.compactMap(\.self)
  }

  /// The differences of an answer from what else the vendors' clients read.
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

  /// The kinds of trouble by status, written down by hand.
  private static let kinds: [Int: BackendError.Kind] = [
    200: .brokenAnswer, 400: .invalidRequest, 401: .badCredentials, 402: .quotaSpent,
    403: .permissionDenied, 404: .notFound, 413: .invalidRequest, 422: .invalidRequest,
    429: .rateLimited, 498: .rateLimited, 500: .serverError, 503: .serverError, 529: .serverError,
  ]
  /// The kinds of trouble that a code or a type tells, whatever the status.
  private static let codes: [String: BackendError.Kind] = [
    "content_filter": .contentFilter, "context_length_exceeded": .contextTooLong,
    "too_many_prompt_tokens": .contextTooLong, "insufficient_quota": .quotaSpent,
    "model_not_found": .notFound,
  ]

  /// The differences of an error from what the server said.
  static func differences(_ error: BackendError, _ exchange: WireSet.Exchange) -> [String] {
    let expected = exchange.expected["error"]
    let code = expected?["code"]?.string ?? expected?["type"]?.string ?? ""
    let kind = codes[code] ?? kinds[exchange.status]
    // llama.cpp answers 500 to what it cannot do (recordings-and-wire: do not retry).
    let mayPass: [BackendError.Kind] = [.rateLimited, .serverError, .brokenAnswer]
    let canRetry = kind.map(mayPass.contains) == true && exchange.vendor != "llamacpp"
    let message = WireReading.message(exchange.body) ?? WireReading(exchange.body).error
    let said = (message ?? "").prefix(300)
    let start =
      exchange.status == 200
      ? "the server answered 200 with an error" : "the server answered \(exchange.status)"
    var differences = [
      difference("kind", error.kind, kind ?? .brokenAnswer),
      difference("sent again", error.canRetry, canRetry),
      difference("message", error.message, said.isEmpty ? start : "\(start): \(said)"),
    ]
    if let seconds = expected?["retry_after"]?.string.flatMap({ Int($0) }) {
      differences.append(difference("wait", error.retryAfter, .seconds(seconds)))
    }
    return differences.compactMap(\.self)
  }
}
