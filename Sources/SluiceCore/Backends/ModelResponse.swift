import SluiceSupport

/// What a model answered, whatever protocol it came through.
public struct ModelResponse: Hashable, Sendable {
  /// The visible text of the answer; nil when there is none.
  public var text: String? {
    get { box.parts.text }
    set { edit { $0.text = newValue } }
  }
  /// Why the model says that it will not answer, if it does.
  public var refusal: String? {
    get { uncommon?.parts.refusal }
    set { editUncommon { $0.refusal = newValue } }
  }
  /// Why the answer ended, in the word of the wire: `stop`, `length`, `content_filter`.
  public var finishReason: String? {
    get { box.parts.finishReason }
    set { edit { $0.finishReason = newValue } }
  }
  /// The tokens that the server counted, if it did.
  public var usage: TokenUsage? {
    get { box.parts.usage }
    set { edit { $0.usage = newValue } }
  }
  /// Who answered.
  public var provenance: Provenance {
    get { origin.provenance }
    set { origin = AnswerOrigin(newValue) }
  }
  /// How long the answer took.
  public var timings: ResponseTimings {
    get { box.parts.timings }
    set { edit { $0.timings = newValue } }
  }
  /// The calls of the caller's functions that the model asks for.
  public var toolCalls: [ToolCall] {
    get { uncommon?.parts.toolCalls ?? [] }
    set { editUncommon { $0.toolCalls = newValue } }
  }
  /// What the model wrote while it thought, which is no part of the answer.
  public var reasoning: String? {
    get { uncommon?.parts.reasoning }
    set { editUncommon { $0.reasoning = newValue } }
  }
  /// How likely the tokens of the answer were, if that was asked for.
  public var logprobs: [TokenLogprob] {
    get { uncommon?.parts.logprobs ?? [] }
    set { editUncommon { $0.logprobs = newValue } }
  }
  /// The other answers, where more than one was asked for.
  public var others: [Choice] {
    get { uncommon?.parts.others ?? [] }
    set { editUncommon { $0.others = newValue } }
  }
  /// What the server says that the answer cost, in US dollars, if it does.
  public var reportedCost: Double? {
    get { uncommon?.parts.reportedCost }
    set { editUncommon { $0.reportedCost = newValue } }
  }
  /// The tier of service that answered, in the word of the wire, if the server names one.
  public var serviceTier: String? {
    get { uncommon?.parts.serviceTier }
    set { editUncommon { $0.serviceTier = newValue } }
  }
  /// The meaning of the ending where the backend has a word of its own for it.
  package var ownEnding: Ending? {
    get { uncommon?.parts.ownEnding }
    set { editUncommon { $0.ownEnding = newValue } }
  }
  /// What went before, where the answer was asked for again without streaming.
  public var fallback: StreamFallback? {
    get { uncommon?.parts.fallback }
    set { editUncommon { $0.fallback = newValue } }
  }
  package var origin: AnswerOrigin {
    get { box.parts.origin }
    set { edit { $0.origin = newValue } }
  }
  private var uncommon: Uncommon? { box.parts.uncommon }

  // A response is handed on from stage to stage: what is handed on is one reference.
  private var box: Box

  private struct Parts: Hashable, Sendable {
    var text: String?
    var finishReason: String?
    var usage: TokenUsage?
    var timings: ResponseTimings
    var origin: AnswerOrigin
    // What few have stands apart from what all have.
    var uncommon: Uncommon?
  }

  // Safe to share: changed only while nobody else has it.
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
  ///   - refusal: Why the model says that it will not answer.
  ///   - finishReason: Why the answer ended.
  ///   - usage: The tokens that the server counted.
  ///   - provenance: Who answered.
  ///   - timings: How long the answer took.
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

  /// Creates a response of an origin that others have, too.
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

  /// Takes over what few answers have, all at once, since each edit makes a copy.
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

  /// A reference to what few responses have.
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

    /// Nil where there is nothing.
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

/// Tokens as the server counted them; nil where it did not say, which is not zero.
public struct TokenUsage: Hashable, Sendable {
  /// All tokens of the request, cached ones included.
  public var input: Int?
  /// Tokens of the request that came from the provider's cache.
  public var cachedInput: Int?
  /// Tokens of the request that were put into the provider's cache.
  public var cacheWrite: Int?
  /// Those of ``cacheWrite`` that the provider keeps for the longer of its lifetimes: an hour at
  /// Anthropic, 12 hours at OpenAI.
  public var longCacheWrite: Int?
  /// All tokens of the answer, reasoning included.
  public var output: Int?
  /// Tokens of the answer that were spent on reasoning.
  public var reasoning: Int?

  /// Creates a count.
  ///
  /// - Parameters:
  ///   - input: All tokens of the request, cached ones included.
  ///   - cachedInput: Tokens of the request that came from the provider's cache.
  ///   - output: All tokens of the answer, reasoning included.
  ///   - reasoning: Tokens of the answer that were spent on reasoning.
  ///   - cacheWrite: Tokens of the request that were put into the provider's cache.
  ///   - longCacheWrite: Those of them that are kept for the longer of the provider's lifetimes.
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

/// Who gave an answer, and when.
public struct Provenance: Hashable, Sendable {
  /// The scheme, host and port that the request went to.
  public var host: String?
  /// The model that the server says it is.
  public var model: String?
  /// The name of the stand-in, when the server says that no real model answered.
  public var standIn: String?
  /// When the answer came, as an ISO 8601 date in UTC.
  public var date: String?
  /// The way that the answer came where Sluice did not ask for it itself; nil where it did.
  public var via: AnswerRoute?
  /// The origin of an answer that Sluice did not ask for itself; nil where nobody tells it.
  public var stated: AnswerStatement?
  /// When the answer was imported, as an ISO 8601 date in UTC, where nobody knows when it was given.
  public var imported: String?
  /// True where the times of the backend are meaningless, as `sluice.yaml` says.
  public var hasMeaninglessTimes = false
  /// True where the file that the answer was read from states its times.
  package var statesTimes = false

  /// Creates a provenance.
  ///
  /// - Parameters:
  ///   - host: The scheme, host and port that the request went to.
  ///   - model: The model that the server says it is.
  ///   - standIn: The name of the stand-in, when no real model answered.
  ///   - date: When the answer came, as an ISO 8601 date in UTC.
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

/// A way on which an answer comes that Sluice did not ask for itself.
public enum AnswerRoute: String, Hashable, Sendable, CaseIterable {
  /// Given elsewhere and read from a file: nobody knows its times and its cost.
  case files
  /// Given by a batch service: its times are those of a queue, and batch prices hold.
  case batch
  /// Taken over from a log that has the whole exchange.
  case `import`

  /// True where the times of the answer were measured.
  var isMeasured: Bool { self == .import }

  /// True where a price says what the answer cost.
  var hasPrice: Bool { self != .files }
}

extension Provenance {
  /// A Boolean value that indicates whether the times of the answer were measured.
  var hasTimes: Bool {
    standIn == nil && !hasMeaninglessTimes && (via?.isMeasured ?? true || statesTimes)
  }

  /// A Boolean value that indicates whether the cost of the answer can be known.
  var hasCost: Bool { standIn == nil && via?.hasPrice ?? true }

  /// Why the times of the answer are unknown; nil where they were measured.
  ///
  /// - Parameter backend: The name of the backend that answered.
  /// - Returns: The reason, as a clause.
  package func timesFault(of backend: String) -> String? {
    if hasMeaninglessTimes { return "times of backend '\(backend)' are meaningless" }
    if standIn == nil && statesTimes { return nil }
    if let via, !via.isMeasured { return Self.elsewhere(via) }
    return costFault
  }

  /// Why the cost of the answer is unknown whatever its usage; nil where it can be known.
  var costFault: String? {
    if let via, !via.hasPrice { return Self.elsewhere(via) }
    return standIn == nil ? nil : "a stand-in answered, not a model"
  }

  private static func elsewhere(_ via: AnswerRoute) -> String {
    "the answers were given elsewhere (via: \(via.rawValue))"
  }
}

/// How long the phases of an answer took, in milliseconds from the start of the exchange.
///
/// The harness's own queueing is in none of them.
public struct ResponseTimings: Hashable, Sendable {
  /// Until the connection stood; zero on an open connection.
  public var connect: Double?
  /// Until TLS stood; zero on an open connection and without TLS.
  public var tls: Double?
  /// Until the first byte of the response came.
  public var firstByte: Double?
  /// Until the first visible text came; nil for an answer that did not come in pieces.
  public var firstText: Double?
  /// The longest wait between two pieces of visible text; nil for fewer than two.
  public var longestGap: Double?
  /// Until the last byte of the response came.
  public var total: Double?
  /// How long the server says that it took, if it does.
  public var server: Double?
  /// How long a person would have waited, with what was tried in vain; nil where that is the total.
  public var user: Double?

  /// Creates timings.
  ///
  /// - Parameters:
  ///   - connect: Milliseconds until the connection stood.
  ///   - tls: Milliseconds until TLS stood.
  ///   - firstByte: Milliseconds until the first byte came.
  ///   - firstText: Milliseconds until the first visible text came.
  ///   - longestGap: Milliseconds of the longest wait between two pieces of visible text.
  ///   - total: Milliseconds until the last byte came.
  ///   - server: Milliseconds that the server says that it took.
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
