import SluiceSupport

/// A model's answer, in a form that does not depend on the protocol.
public struct ModelResponse: Hashable, Sendable {
  /// The visible text of the answer; nil if there is none.
  public var text: String? {
    get { box.parts.text }
    set { edit { $0.text = newValue } }
  }
  /// The model's refusal, if any.
  public var refusal: String? {
    get { uncommon?.parts.refusal }
    set { editUncommon { $0.refusal = newValue } }
  }
  /// The finish reason, as the API calls it, such as `stop`, `length` or `content_filter`.
  public var finishReason: String? {
    get { box.parts.finishReason }
    set { edit { $0.finishReason = newValue } }
  }
  /// The token counts that the server reported, if any.
  public var usage: TokenUsage? {
    get { box.parts.usage }
    set { edit { $0.usage = newValue } }
  }
  /// The model and the server that gave the answer, with the date.
  public var provenance: Provenance {
    get { origin.provenance }
    set { origin = AnswerOrigin(newValue) }
  }
  /// The times of the answer.
  public var timings: ResponseTimings {
    get { box.parts.timings }
    set { edit { $0.timings = newValue } }
  }
  /// The function calls that the model requests.
  public var toolCalls: [ToolCall] {
    get { uncommon?.parts.toolCalls ?? [] }
    set { editUncommon { $0.toolCalls = newValue } }
  }
  /// The model's reasoning.
  ///
  /// The reasoning is not part of the answer.
  public var reasoning: String? {
    get { uncommon?.parts.reasoning }
    set { editUncommon { $0.reasoning = newValue } }
  }
  /// The log probabilities of the answer's tokens, if they were requested.
  public var logprobs: [TokenLogprob] {
    get { uncommon?.parts.logprobs ?? [] }
    set { editUncommon { $0.logprobs = newValue } }
  }
  /// The other answers, if several were requested.
  public var others: [Choice] {
    get { uncommon?.parts.others ?? [] }
    set { editUncommon { $0.others = newValue } }
  }
  /// The cost that the server reported in US dollars, if any.
  public var reportedCost: Double? {
    get { uncommon?.parts.reportedCost }
    set { editUncommon { $0.reportedCost = newValue } }
  }
  /// The service tier of the answer, as the API calls it, if the server names one.
  public var serviceTier: String? {
    get { uncommon?.parts.serviceTier }
    set { editUncommon { $0.serviceTier = newValue } }
  }
  /// The meaning of the finish reason, if the backend's `endings` or other members of the response
  /// define it.
  ///
  /// If nil, the finish reason alone determines its meaning.
  package var ownEnding: Ending? {
    get { uncommon?.parts.ownEnding }
    set { editUncommon { $0.ownEnding = newValue } }
  }
  /// The stream that failed, if the answer was requested again without streaming.
  public var fallback: StreamFallback? {
    get { uncommon?.parts.fallback }
    set { editUncommon { $0.fallback = newValue } }
  }
  package var origin: AnswerOrigin {
    get { box.parts.origin }
    set { edit { $0.origin = newValue } }
  }
  private var uncommon: Uncommon? { box.parts.uncommon }

  // All values are behind a single reference, because responses are copied often.
  private var box: Box

  private struct Parts: Hashable, Sendable {
    var text: String?
    var finishReason: String?
    var usage: TokenUsage?
    var timings: ResponseTimings
    var origin: AnswerOrigin
    // Most responses have no uncommon parts, so these are stored separately to save memory.
    var uncommon: Uncommon?
  }

  // Safe to share: the parts change only while there is a single reference to them.
  private final class Box: @unchecked Sendable {
    var parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private mutating func edit(_ change: (inout Parts) -> Void) {
    if !isKnownUniquelyReferenced(&box) { box = Box(box.parts) }
    change(&box.parts)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func == (left: ModelResponse, right: ModelResponse) -> Bool {
    left.box === right.box || left.box.parts == right.box.parts
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func hash(into hasher: inout Hasher) { hasher.combine(box.parts) }

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - text: The visible text of the answer.
  ///   - refusal: The model's refusal.
  ///   - finishReason: The finish reason, as the API calls it.
  ///   - usage: The token counts that the server reported.
  ///   - provenance: The source of the answer.
  ///   - timings: The times of the answer.
  public init(
    text: String?,
    refusal: String? = nil,
    finishReason: String? = "stop",
    usage: TokenUsage? = nil,
    provenance: Provenance = Provenance(),
    timings: ResponseTimings = ResponseTimings()
  ) {
    self.init(
      text: text,
      finishReason: finishReason,
      usage: usage,
      origin: AnswerOrigin(provenance),
      timings: timings
    )
    if refusal != nil { self.refusal = refusal }
  }

  /// Creates a response whose origin is shared with other responses.
  init(
    text: String?,
    finishReason: String?,
    usage: TokenUsage? = nil,
    origin: AnswerOrigin,
    timings: ResponseTimings = ResponseTimings()
  ) {
    box = Box(
      Parts(
        text: text,
        finishReason: finishReason,
        usage: usage,
        timings: timings,
        origin: origin
      )
    )
  }

  /// Sets all uncommon parts at once, because each change copies them.
  mutating func takeUncommon(_ draft: AnswerDraft, tier: String?) {
    editUncommon { parts in
      parts.toolCalls = draft.first.toolCalls
      parts.reasoning = draft.first.reasoning
      parts.logprobs = draft.first.logprobs
      parts.others = draft.others
      parts.reportedCost = draft.reportedCost
      parts.serviceTier = tier
      parts.ownEnding = draft.ending
    }
  }

  private mutating func editUncommon(_ edit: (inout Uncommon.Parts) -> Void) {
    var parts = uncommon?.parts ?? Uncommon.Parts()
    edit(&parts)
    let edited = Uncommon(parts)
    self.edit { $0.uncommon = edited }
  }

  /// A reference to the uncommon parts of a response.
  private final class Uncommon: Hashable, Sendable {
    let parts: Parts

    struct Parts: Hashable, Sendable {
      var refusal: String?
      var toolCalls: [ToolCall] = []
      var reasoning: String?
      var logprobs: [TokenLogprob] = []
      var others: [Choice] = []
      var reportedCost: Double?
      var serviceTier: String?
      var ownEnding: Ending?
      var fallback: StreamFallback?

      var isEmpty: Bool {
        refusal == nil && toolCalls.isEmpty && reasoning == nil && logprobs.isEmpty
          && others.isEmpty && reportedCost == nil && serviceTier == nil && ownEnding == nil
          && fallback == nil
      }
    }

    /// Creates a reference; nil if all parts are empty.
    init?(_ parts: Parts) {
      if parts.isEmpty { return nil }
      self.parts = parts
    }

    static func == (left: Uncommon, right: Uncommon) -> Bool {
      left === right || left.parts == right.parts
    }

    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
  }
}

/// The token counts that the server reported.
///
/// A count that is nil is unknown, not zero.
public struct TokenUsage: Hashable, Sendable {
  /// The number of all tokens of the request, including cached ones.
  public var input: Int?
  /// The number of the request's tokens that were read from the provider's cache.
  public var cachedInput: Int?
  /// The number of the request's tokens that were written to the provider's cache.
  public var cacheWrite: Int?
  /// The part of ``cacheWrite`` that the provider caches for the longer of its two lifetimes: an
  /// hour at Anthropic, 12 hours at OpenAI.
  public var longCacheWrite: Int?
  /// The number of all tokens of the answer, including those for reasoning.
  public var output: Int?
  /// The number of the answer's tokens that were used for reasoning.
  public var reasoning: Int?
  /// The reason why the counts do not determine the cost; nil if they do, or if a part is larger
  /// than the whole.
  package var doubt: UsageDoubt?

  /// Creates token counts.
  ///
  /// - Parameters:
  ///   - input: The number of all tokens of the request, including cached ones.
  ///   - cachedInput: The number of the request's tokens that were read from the provider's cache.
  ///   - output: The number of all tokens of the answer, including those for reasoning.
  ///   - reasoning: The number of the answer's tokens that were used for reasoning.
  ///   - cacheWrite: The number of the request's tokens that were written to the provider's cache.
  ///   - longCacheWrite: The part of `cacheWrite` that is cached for the longer of the provider's
  ///     lifetimes.
  public init(
    input: Int? = nil,
    cachedInput: Int? = nil,
    output: Int? = nil,
    reasoning: Int? = nil,
    cacheWrite: Int? = nil,
    longCacheWrite: Int? = nil
  ) {
    self.input = input
    self.cachedInput = cachedInput
    self.cacheWrite = cacheWrite
    self.longCacheWrite = longCacheWrite
    self.output = output
    self.reasoning = reasoning
  }

  /// The sum of input and output; nil unless both are known.
  public var total: Int? { input.flatMap { input in output.map { input + $0 } } }

  /// True if a part of the tokens is larger than the whole.
  var isContradictory: Bool {
    func exceeds(_ part: Int, _ whole: Int?) -> Bool { whole.map { part > $0 } ?? false }
    return exceeds((cachedInput ?? 0) + (cacheWrite ?? longCacheWrite ?? 0), input)
      || exceeds(reasoning ?? 0, output) || exceeds(longCacheWrite ?? 0, cacheWrite)
  }
}

/// The origin of an answer: the server, the model and the date.
public struct Provenance: Hashable, Sendable {
  /// The scheme, host and port of the request.
  public var host: String?
  /// The name of the model that the server reported.
  public var model: String?
  /// The name of the stand-in, if the server said that no real model answered.
  public var standIn: String?
  /// The date of the answer, in ISO 8601 form in UTC.
  public var date: String?
  /// The origin of an answer that Sluice did not request itself; nil if Sluice requested it.
  public var via: AnswerRoute?
  /// The stated details of an answer that Sluice did not request itself; nil if there are none.
  public var stated: AnswerStatement?
  /// The date of the import, in ISO 8601 form in UTC, if the date of the answer is unknown.
  public var imported: String?
  /// True if `sluice.yaml` says that the times of the backend have no meaning.
  public var hasMeaninglessTimes = false
  /// True if the file that contains the answer also states the answer's times.
  package var statesTimes = false
  /// True if the file that contains the answer also states the answer's cost.
  package var statesCost = false

  /// Creates a provenance.
  ///
  /// - Parameters:
  ///   - host: The scheme, host and port of the request.
  ///   - model: The name of the model that the server reported.
  ///   - standIn: The name of the stand-in, if no real model answered.
  ///   - date: The date of the answer, in ISO 8601 form in UTC.
  public init(
    host: String? = nil,
    model: String? = nil,
    standIn: String? = nil,
    date: String? = nil
  ) {
    self.host = host
    self.model = model
    self.standIn = standIn
    self.date = date
  }
}

/// The origin of an answer that Sluice did not request itself: a file, a batch service or a log.
public enum AnswerRoute: String, Hashable, Sendable, CaseIterable {
  /// The answer was read from a file of existing answers.
  ///
  /// The cost and the times are unknown unless the file states them.
  case files
  /// A batch service gave the answer.
  ///
  /// Times are not measured, because they would include the time in the service's queue. Batch
  /// prices apply.
  case batch
  /// The answer was imported from a log that contains the complete exchange.
  ///
  /// The log contains the times of the answer. Prices per token apply.
  case `import`

  /// The route in words.
  package var phrase: String {
    switch self {
    case .files: "through files"
    case .batch: "through a batch service"
    case .import: "from an imported log"
    }
  }

  /// True if the times of the answer were measured.
  var isMeasured: Bool { self == .import }

  /// True if prices per token apply to the answer.
  var hasPrice: Bool { self != .files }
}

extension Provenance {
  /// True if the times of the answer are known.
  var hasTimes: Bool {
    standIn == nil && !hasMeaninglessTimes && (via?.isMeasured ?? true || statesTimes)
  }

  /// True if the cost of the answer can be known.
  var hasCost: Bool { standIn == nil && (via?.hasPrice ?? true || statesCost) }

  /// Returns the reason why the times of the answer are unknown; nil if they are known.
  ///
  /// - Parameter backend: The name of the backend that answered.
  /// - Returns: The reason, as a clause.
  package func timesFault(of backend: String) -> String? {
    if hasMeaninglessTimes { return "times of backend '\(backend)' are meaningless" }
    if standIn == nil && statesTimes { return nil }
    if let via, !via.isMeasured { return Self.elsewhere(via) }
    return costFault
  }

  /// The reason why an answer of this origin has no known cost; nil if the cost can be known.
  var costFault: String? {
    if let via, !via.hasPrice, !statesCost { return Self.elsewhere(via) }
    return standIn == nil ? nil : "the answer comes from a stand-in, not from a model"
  }

  private static func elsewhere(_ via: AnswerRoute) -> String {
    "the answers came \(via.phrase)"
  }
}

/// The times of an answer, in milliseconds.
///
/// A time to an event, such as ``firstByte``, is counted from the start of the exchange. The time
/// that the request waited in Sluice's own queue is not included.
public struct ResponseTimings: Hashable, Sendable {
  /// The time to establish the connection; zero for a reused connection.
  public var connect: Double?
  /// The time to complete the TLS handshake; nil for a reused connection, or if TLS is not used.
  public var tls: Double?
  /// The time to the first byte of the response.
  public var firstByte: Double?
  /// The time to the first visible text; nil for an answer that was not streamed.
  public var firstText: Double?
  /// The longest delay between two pieces of visible text; nil if there are fewer than two pieces.
  public var longestGap: Double?
  /// The time to the last byte of the response.
  public var total: Double?
  /// The processing time that the server reported, if any.
  public var server: Double?
  /// The time that a user would have waited, including failed attempts; nil if this time is equal
  /// to ``total``.
  public var user: Double?

  /// Creates timings.
  ///
  /// - Parameters:
  ///   - connect: The milliseconds to establish the connection.
  ///   - tls: The milliseconds to complete the TLS handshake.
  ///   - firstByte: The milliseconds to the first byte.
  ///   - firstText: The milliseconds to the first visible text.
  ///   - longestGap: The milliseconds of the longest delay between two pieces of visible text.
  ///   - total: The milliseconds to the last byte.
  ///   - server: The milliseconds of processing that the server reported.
  public init(
    connect: Double? = nil,
    tls: Double? = nil,
    firstByte: Double? = nil,
    firstText: Double? = nil,
    longestGap: Double? = nil,
    total: Double? = nil,
    server: Double? = nil
  ) {
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.firstText = firstText
    self.longestGap = longestGap
    self.total = total
    self.server = server
  }
}
