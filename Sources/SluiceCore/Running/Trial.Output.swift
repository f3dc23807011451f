import SluiceSupport

extension Trial {
  /// The answer of a trial, in a compact form that is kept in memory.
  public struct Output: Hashable, Sendable {
    /// The first 4,000 Unicode scalars of the answer's text.
    ///
    /// If there is a run log, this is empty in memory, and only the log contains the text.
    public var excerpt: String
    /// The first 4,000 Unicode scalars of the model's refusal; nil if it did not refuse.
    public var refusal: String? {
      get { rarities?.refusal }
      set { editRarities { $0.refusal = newValue.map(Self.excerpt) } }
    }
    /// The SHA-256 digest of the whole text, in hexadecimal digits.
    ///
    /// If the model refused without text, this is the digest of the refusal.
    public var digest: String {
      get { storedDigest.text }
      set { storedDigest = DigestText(newValue) }
    }
    /// The finish reason, as the API calls it.
    public var finishReason: String?
    /// The token counts that the server reported, if any.
    public var usage: TokenUsage? {
      get {
        guard var usage = storedUsage?.usage else { return nil }
        if let rarities {
          usage.cacheWrite = rarities.cacheWrite
          usage.longCacheWrite = rarities.longCacheWrite
          usage.doubt = rarities.doubt
        }
        return usage
      }
      set {
        storedUsage = newValue.map(CompactUsage.init)
        editRarities {
          $0.cacheWrite = newValue?.cacheWrite
          $0.longCacheWrite = newValue?.longCacheWrite
          $0.doubt = newValue?.doubt
        }
      }
    }
    /// The service tier of the answer, as the API calls it; nil for the standard tier.
    public var serviceTier: String? {
      get { rarities?.serviceTier }
      set { editRarities { $0.serviceTier = newValue } }
    }
    /// The cost in US dollars, computed with the price files.
    ///
    /// If the price files contain no price, this is the cost that the server reported. Nil if the
    /// cost is unknown, as for the answers of a stand-in.
    ///
    /// Setting this property replaces the computed cost, not the reported cost.
    public var cost: Double? {
      get { source.hasCost ? pricedCost ?? reportedCost : nil }
      set { storedCost = MaybeNumber(newValue) }
    }
    /// The cost that the server reported in US dollars, if any.
    public var reportedCost: Double? {
      get { rarities?.reportedCost }
      set { editRarities { $0.reportedCost = newValue } }
    }
    /// The times of the answer, in milliseconds.
    public var timings: ResponseTimings {
      get {
        var timings = ResponseTimings(
          connect: connect.value,
          tls: tls.value,
          firstByte: firstByte.value,
          firstText: rarities?.firstText,
          longestGap: rarities?.longestGap,
          total: total.value,
          server: rarities?.server
        )
        timings.user = rarities?.user
        return timings
      }
      set {
        connect = MaybeNumber(newValue.connect)
        tls = MaybeNumber(newValue.tls)
        firstByte = MaybeNumber(newValue.firstByte)
        total = MaybeNumber(newValue.total)
        editRarities { $0.set(newValue) }
      }
    }
    /// The times of the answer, if they were measured.
    ///
    /// Empty if no times were measured, as for the answers of a stand-in.
    package var measuredTimings: ResponseTimings { source.hasTimes ? timings : ResponseTimings() }
    /// The stream that failed, if the answer was requested again without streaming.
    public var fallback: StreamFallback? {
      get { rarities?.fallback }
      set { editRarities { $0.fallback = newValue } }
    }
    /// The requests of judges about the answer.
    ///
    /// Their cost is not part of the answer's cost.
    public var judging: [JudgeWork] {
      get { rarities?.judging ?? [] }
      set { editRarities { $0.judging = newValue } }
    }
    /// The model and the server that gave the answer, with the date.
    public var provenance: Provenance {
      get { source.provenance }
      set { source = AnswerOrigin(newValue) }
    }

    // Kept small, because there are as many outputs as trials.
    package var storedDigest: DigestText
    // A small value takes no extra space after a digest.
    /// True if ``excerpt`` is shorter than the whole text.
    public var isCut: Bool
    var storedCost: MaybeNumber
    var connect: MaybeNumber
    var tls: MaybeNumber
    var firstByte: MaybeNumber
    var total: MaybeNumber
    package var source: AnswerOrigin
    private var rare: UncommonFields.Box?
    var storedUsage: CompactUsage?

    /// The maximum length of excerpts, in Unicode scalars.
    package static let excerptLimit = 4_000

    /// The placeholder for a missing answer.
    static let absent = Output(
      text: nil,
      digest: "",
      finishReason: nil,
      usage: nil,
      cost: nil,
      timings: ResponseTimings(),
      source: AnswerOrigin(Provenance()),
      reportedCost: nil,
      fallback: nil
    )

    /// Creates the output of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - pricing: The cost computed with the price files; nil if it cannot be known.
    ///   - source: The shared origin of the answer, if another answer has the same origin.
    package init(
      _ response: ModelResponse,
      _ pricing: PriceList.Pricing?,
      source: AnswerOrigin? = nil
    ) {
      self.init(
        text: response.text ?? "",
        digest: DigestText(SHA256.digest(response.words.utf8)),
        finishReason: response.finishReason,
        usage: response.usage,
        cost: pricing?.cost,
        timings: response.timings,
        source: source ?? response.origin,
        reportedCost: response.reportedCost,
        fallback: response.fallback
      )
      if let refusal = response.refusal { self.refusal = refusal }
      if let tier = response.serviceTier { serviceTier = tier }
      if let lack = pricing?.lack { note(lack) }
    }

    /// Creates the output of a response, given its cost.
    ///
    /// A cost of nil means that the price files contain no price for the answer.
    package init(_ response: ModelResponse, cost: Double?, source: AnswerOrigin? = nil) {
      self.init(response, cost.map(PriceList.Pricing.cost), source: source)
    }

    /// Creates an output from its fields.
    ///
    /// `text` is the stored part of the answer's text; nil if the text is not available.
    init(
      text: String?,
      digest: DigestText,
      finishReason: String?,
      usage: TokenUsage?,
      cost: Double?,
      timings: ResponseTimings,
      source: AnswerOrigin,
      reportedCost: Double?,
      fallback: StreamFallback?
    ) {
      let excerpt = text.map(Self.excerpt)
      self.excerpt = excerpt ?? ""
      isCut = excerpt?.utf8.count != text?.utf8.count || text == nil
      storedDigest = digest
      self.finishReason = finishReason
      storedUsage = usage.map(CompactUsage.init)
      storedCost = MaybeNumber(cost)
      connect = MaybeNumber(timings.connect)
      tls = MaybeNumber(timings.tls)
      firstByte = MaybeNumber(timings.firstByte)
      total = MaybeNumber(timings.total)
      self.source = source
      rare = UncommonFields.box(usage, timings, reportedCost, fallback)
    }

    /// The fields that few answers have; nil if this answer has none of them.
    private var rarities: UncommonFields? { rare?.rarities }

    private mutating func editRarities(_ edit: (inout UncommonFields) -> Void) {
      var rarities = rarities ?? UncommonFields()
      edit(&rarities)
      rare = UncommonFields.Box(rarities)
    }

    /// Updates the price of the answer.
    mutating func price(_ pricing: PriceList.Pricing) {
      storedCost = MaybeNumber(pricing.cost)
      note(pricing.lack)
    }

    /// Stores the reason why a cost is unknown.
    ///
    /// A reason that the model or the token counts show is not stored.
    private mutating func note(_ lack: PriceList.Lack?) {
      let kept: PriceList.Lack? =
        switch lack {
        case .tier, .part: lack
        case .model, .usage, .partOfUsage, .doubt, nil: nil
        }
      if kept != priceLack { editRarities { $0.priceLack = kept } }
    }

    /// The service tier or the part of the price that the price files lack; nil if the price files
    /// contain both.
    var priceLack: PriceList.Lack? { rarities?.priceLack }

    /// The service tier that determines the prices; nil for the standard tier.
    var pricedTier: String? { source.isBatch ? PriceList.batch : serviceTier }

    /// The cost computed with the price files; nil if they contain no price.
    var pricedCost: Double? { storedCost.value }

    /// True if the cost is the one that the server reported, because the price files contain no
    /// price for the answer.
    package var isCostReported: Bool {
      guard let rare, source.hasCost else { return false }
      return storedCost.value == nil && rare.rarities.reportedCost != nil
    }

    /// True if the answer has any of the uncommon fields.
    var hasUncommonFields: Bool { rare != nil }

    /// The way in which the text of a streamed answer arrived.
    enum Delivery: UInt8 {
      case streamed = 1
      case fellBack = 2
    }

    /// The way in which the text arrived.
    ///
    /// Nil if the answer was not streamed, or if there is no answer.
    var delivery: Delivery? {
      guard let rare else { return nil }
      if rare.rarities.fallback != nil { return .fellBack }
      return rare.rarities.firstText == nil ? nil : .streamed
    }

    /// Returns the first part of a text, up to ``excerptLimit``.
    package static func excerpt(of text: String) -> String {
      // A text never contains more scalars than bytes.
      if text.utf8.count <= excerptLimit { return text }
      let scalars = text.unicodeScalars
      let end =
        scalars.index(scalars.startIndex, offsetBy: excerptLimit, limitedBy: scalars.endIndex)
        ?? scalars.endIndex
      return String(scalars[..<end])
    }
  }
}

/// The fields that few answers have.
///
/// They are stored separately from the common fields.
private struct UncommonFields: Hashable, Sendable {
  var firstText: Double?
  var longestGap: Double?
  var server: Double?
  var user: Double?
  var cacheWrite: Int?
  var longCacheWrite: Int?
  var doubt: UsageDoubt?
  var serviceTier: String?
  var priceLack: PriceList.Lack?
  var reportedCost: Double?
  var fallback: StreamFallback?
  var judging: [JudgeWork] = []
  var refusal: String?

  /// Returns the uncommon fields of an answer; nil if it has none, like most answers.
  static func box(
    _ usage: TokenUsage?,
    _ timings: ResponseTimings,
    _ reportedCost: Double?,
    _ fallback: StreamFallback?
  ) -> Box? {
    if usage?.cacheWrite == nil, usage?.longCacheWrite == nil, usage?.doubt == nil,
      reportedCost == nil, fallback == nil, timings.firstText == nil, timings.longestGap == nil,
      timings.server == nil,
      timings.user == nil
    {
      return nil
    }
    var fields = UncommonFields()
    fields.cacheWrite = usage?.cacheWrite
    fields.longCacheWrite = usage?.longCacheWrite
    fields.doubt = usage?.doubt
    fields.reportedCost = reportedCost
    fields.fallback = fallback
    fields.set(timings)
    return Box(fields)
  }

  mutating func set(_ timings: ResponseTimings) {
    firstText = timings.firstText
    longestGap = timings.longestGap
    server = timings.server
    user = timings.user
  }

  private var isEmpty: Bool {
    firstText == nil && longestGap == nil && server == nil && user == nil && cacheWrite == nil
      && longCacheWrite == nil && doubt == nil && serviceTier == nil && priceLack == nil
      && reportedCost == nil
      && fallback == nil && judging.isEmpty && refusal == nil
  }

  /// A reference to the uncommon fields of an answer.
  final class Box: Hashable, Sendable {
    let rarities: UncommonFields

    /// Creates a reference; nil if all fields are empty.
    init?(_ rarities: UncommonFields) {
      if rarities.isEmpty { return nil }
      self.rarities = rarities
    }

    static func == (left: Box, right: Box) -> Bool {
      left === right || left.rarities == right.rarities
    }

    func hash(into hasher: inout Hasher) { hasher.combine(rarities) }
  }
}

extension ModelResponse {
  /// The text that identifies the answer.
  ///
  /// If the answer has no text, this is the refusal.
  package var words: String { text.flatMap { $0.isEmpty ? nil : $0 } ?? refusal ?? "" }
}

/// An optional number that takes no more memory than a number.
struct MaybeNumber: Hashable, Sendable {
  private var number: Double

  init(_ value: Double?) { number = value ?? .nan }

  var value: Double? { number.isNaN ? nil : number }

  static func == (left: MaybeNumber, right: MaybeNumber) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Optional token counts that take no more memory than four counts.
struct CompactUsage: Hashable, Sendable {
  private var input: Int
  private var cachedInput: Int
  private var output: Int
  private var reasoning: Int
  private static let unknown = Int.min

  init(_ usage: TokenUsage) {
    input = usage.input ?? Self.unknown
    cachedInput = usage.cachedInput ?? Self.unknown
    output = usage.output ?? Self.unknown
    reasoning = usage.reasoning ?? Self.unknown
  }

  var usage: TokenUsage {
    func known(_ count: Int) -> Int? { count == Self.unknown ? nil : count }
    return TokenUsage(
      input: known(input),
      cachedInput: known(cachedInput),
      output: known(output),
      reasoning: known(reasoning)
    )
  }
}
