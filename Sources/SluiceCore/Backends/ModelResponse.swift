import SluiceSupport

/// A model's answer, independent of the protocol.
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
  /// The finish reason, in the API's word: `stop`, `length`, `content_filter`.
  public var finishReason: String? {
    get { box.parts.finishReason }
    set { edit { $0.finishReason = newValue } }
  }
  /// The token counts reported by the server, if any.
  public var usage: TokenUsage? {
    get { box.parts.usage }
    set { edit { $0.usage = newValue } }
  }
  /// The source of the answer.
  public var provenance: Provenance {
    get { origin.provenance }
    set { origin = AnswerOrigin(newValue) }
  }
  /// The times of the answer.
  public var timings: ResponseTimings {
    get { box.parts.timings }
    set { edit { $0.timings = newValue } }
  }
  /// The calls of the caller's functions, as requested by the model.
  public var toolCalls: [ToolCall] {
    get { uncommon?.parts.toolCalls ?? [] }
    set { editUncommon { $0.toolCalls = newValue } }
  }
  /// The model's reasoning, which is not part of the answer.
  public var reasoning: String? {
    get { uncommon?.parts.reasoning }
    set { editUncommon { $0.reasoning = newValue } }
  }
  /// The log probabilities of the answer's tokens, if requested.
  public var logprobs: [TokenLogprob] {
    get { uncommon?.parts.logprobs ?? [] }
    set { editUncommon { $0.logprobs = newValue } }
  }
  /// The other answers, if several were requested.
  public var others: [Choice] {
    get { uncommon?.parts.others ?? [] }
    set { editUncommon { $0.others = newValue } }
  }
  /// The cost reported by the server in US dollars, if any.
  public var reportedCost: Double? {
    get { uncommon?.parts.reportedCost }
    set { editUncommon { $0.reportedCost = newValue } }
  }
  /// The service tier of the answer, in the API's word, if the server names one.
  public var serviceTier: String? {
    get { uncommon?.parts.serviceTier }
    set { editUncommon { $0.serviceTier = newValue } }
  }
  /// The meaning of the finish reason, if it is one of the backend's own.
  package var ownEnding: Ending? {
    get { uncommon?.parts.ownEnding }
    set { editUncommon { $0.ownEnding = newValue } }
  }
  /// The failed stream, if the answer was requested again without streaming.
  public var fallback: StreamFallback? {
    get { uncommon?.parts.fallback }
    set { editUncommon { $0.fallback = newValue } }
  }
  package var origin: AnswerOrigin {
    get { box.parts.origin }
    set { edit { $0.origin = newValue } }
  }
  private var uncommon: Uncommon? { box.parts.uncommon }

  // A single reference, because responses are passed from stage to stage.
  private var box: Box

  private struct Parts: Hashable, Sendable {
    var text: String?
    var finishReason: String?
    var usage: TokenUsage?
    var timings: ResponseTimings
    var origin: AnswerOrigin
    // Uncommon parts are stored separately from common ones.
    var uncommon: Uncommon?
  }

  // Safe to share: mutated only while uniquely referenced.
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
  ///   - finishReason: The finish reason, in the API's word.
  ///   - usage: The token counts reported by the server.
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

  /// Creates a response with a shared origin.
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

  /// Sets all uncommon parts at once, because each mutation copies them.
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

    /// Creates a reference; nil if there are no uncommon parts.
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

/// The token counts reported by the server; nil for an unknown count, which is not zero.
public struct TokenUsage: Hashable, Sendable {
  /// All tokens of the request, including cached ones.
  public var input: Int?
  /// The tokens of the request read from the provider's cache.
  public var cachedInput: Int?
  /// The tokens of the request written to the provider's cache.
  public var cacheWrite: Int?
  /// The part of ``cacheWrite`` with the longer of the provider's lifetimes: an hour for Anthropic,
  /// 12 hours for OpenAI.
  public var longCacheWrite: Int?
  /// All tokens of the answer, including reasoning.
  public var output: Int?
  /// The tokens of the answer used for reasoning.
  public var reasoning: Int?

  /// Creates token counts.
  ///
  /// - Parameters:
  ///   - input: All tokens of the request, including cached ones.
  ///   - cachedInput: The tokens of the request read from the provider's cache.
  ///   - output: All tokens of the answer, including reasoning.
  ///   - reasoning: The tokens of the answer used for reasoning.
  ///   - cacheWrite: The tokens of the request written to the provider's cache.
  ///   - longCacheWrite: The part of them with the longer of the provider's lifetimes.
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

  /// Input and output together; nil unless both are known.
  public var total: Int? { input.flatMap { input in output.map { input + $0 } } }
}

/// The source and date of an answer.
public struct Provenance: Hashable, Sendable {
  /// The scheme, host and port of the request.
  public var host: String?
  /// The model name reported by the server.
  public var model: String?
  /// The name of the stand-in, if the server says that no real model answered.
  public var standIn: String?
  /// The date of the answer, in ISO 8601 form in UTC.
  public var date: String?
  /// The route of an answer that Sluice did not request itself; nil for other answers.
  public var via: AnswerRoute?
  /// The declared origin of an answer that Sluice did not request itself; nil if unknown.
  public var stated: AnswerStatement?
  /// The date of the import, in ISO 8601 form in UTC, if the date of the answer is unknown.
  public var imported: String?
  /// True if the times of the backend are meaningless, as declared in `sluice.yaml`.
  public var hasMeaninglessTimes = false
  /// True if the file of the answer states its times.
  package var statesTimes = false

  /// Creates a provenance.
  ///
  /// - Parameters:
  ///   - host: The scheme, host and port of the request.
  ///   - model: The model name reported by the server.
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

/// The route of an answer that Sluice did not request itself.
public enum AnswerRoute: String, Hashable, Sendable, CaseIterable {
  /// Read from a file of existing answers, with unknown times and costs.
  case files
  /// Given by a batch service: the times are those of a queue, and batch prices apply.
  case batch
  /// Imported from a log with the complete exchange.
  case `import`

  /// True if the times of the answer were measured.
  var isMeasured: Bool { self == .import }

  /// True if prices apply to the answer.
  var hasPrice: Bool { self != .files }
}

extension Provenance {
  /// A Boolean value that indicates whether the times of the answer were measured.
  var hasTimes: Bool {
    standIn == nil && !hasMeaninglessTimes && (via?.isMeasured ?? true || statesTimes)
  }

  /// A Boolean value that indicates whether the cost of the answer can be known.
  var hasCost: Bool { standIn == nil && via?.hasPrice ?? true }

  /// Returns the reason why the times of the answer are unknown; nil if they were measured.
  ///
  /// - Parameter backend: The name of the backend that answered.
  /// - Returns: The reason, as a clause.
  package func timesFault(of backend: String) -> String? {
    if hasMeaninglessTimes { return "times of backend '\(backend)' are meaningless" }
    if standIn == nil && statesTimes { return nil }
    if let via, !via.isMeasured { return Self.elsewhere(via) }
    return costFault
  }

  /// The reason why the cost of the answer is unknown whatever its usage; nil if it can be known.
  var costFault: String? {
    if let via, !via.hasPrice { return Self.elsewhere(via) }
    return standIn == nil ? nil : "the answer comes from a stand-in, not from a model"
  }

  private static func elsewhere(_ via: AnswerRoute) -> String {
    "the answers come from outside Sluice (via: \(via.rawValue))"
  }
}

/// The end times of an answer's phases, in milliseconds from the start of the exchange.
///
/// They exclude the harness's own queue time.
public struct ResponseTimings: Hashable, Sendable {
  /// The time to establish the connection; zero for a reused connection.
  public var connect: Double?
  /// The time to complete the TLS handshake; zero for a reused connection and without TLS.
  public var tls: Double?
  /// The time to the first byte of the response.
  public var firstByte: Double?
  /// The time to the first visible text; nil for an answer that was not streamed.
  public var firstText: Double?
  /// The longest delay between two pieces of visible text; nil for fewer than two.
  public var longestGap: Double?
  /// The time to the last byte of the response.
  public var total: Double?
  /// The time reported by the server, if any.
  public var server: Double?
  /// The time that a user would have waited, including failed attempts; nil if equal to the total.
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
  ///   - server: The milliseconds reported by the server.
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
