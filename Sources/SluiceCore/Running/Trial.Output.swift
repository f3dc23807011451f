import SluiceSupport

extension Trial {
  /// The answer of a trial, in a compact form that is kept in memory.
  public struct Output: Hashable, Sendable {
    /// The first part of the answer's text.
    ///
    /// With a run log, only the log contains this part and the whole text.
    public var excerpt: String
    /// True if the excerpt is shorter than the whole text.
    public var isCut: Bool
    /// The first part of the model's refusal; nil if it did not refuse.
    public var refusal: String? {
      get { rarities?.refusal }
      set { editRarities { $0.refusal = newValue.map(Self.excerpt) } }
    }
    /// The SHA-256 digest of the whole text, or of a refusal without text.
    public var digest: String {
      get { storedDigest.text }
      set { storedDigest = DigestText(newValue) }
    }
    /// The finish reason, in the API's word.
    public var finishReason: String?
    /// The token counts reported by the server, if any.
    public var usage: TokenUsage? {
      get {
        guard var usage = storedUsage?.usage else { return nil }
        if let rarities {
          usage.cacheWrite = rarities.cacheWrite
          usage.longCacheWrite = rarities.longCacheWrite
        }
        return usage
      }
      set {
        storedUsage = newValue.map(CompactUsage.init)
        editRarities {
          $0.cacheWrite = newValue?.cacheWrite
          $0.longCacheWrite = newValue?.longCacheWrite
        }
      }
    }
    /// The service tier of the answer, in the API's word; nil for the standard one.
    public var serviceTier: String? {
      get { rarities?.serviceTier }
      set { editRarities { $0.serviceTier = newValue } }
    }
    /// The cost in US dollars at the price file's prices, otherwise as reported by the server; nil
    /// if unknown, as for a stand-in's answers.
    ///
    /// A value that is set is the cost at the prices of the file.
    public var cost: Double? {
      get { source.hasCost ? pricedCost ?? reportedCost : nil }
      set { storedCost = MaybeNumber(newValue) }
    }
    /// The cost reported by the server in US dollars, if any.
    public var reportedCost: Double? {
      get { rarities?.reportedCost }
      set { editRarities { $0.reportedCost = newValue } }
    }
    /// The times of the answer.
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
    /// The measured times of the answer; empty if none were measured, as for a stand-in's answers.
    package var measuredTimings: ResponseTimings { source.hasTimes ? timings : ResponseTimings() }
    /// The failed stream, if the answer was requested again without streaming.
    public var fallback: StreamFallback? {
      get { rarities?.fallback }
      set { editRarities { $0.fallback = newValue } }
    }
    /// The judges' work on the answer, which is not included in its cost.
    public var judging: [JudgeWork] {
      get { rarities?.judging ?? [] }
      set { editRarities { $0.judging = newValue } }
    }
    /// The source of the answer.
    public var provenance: Provenance {
      get { source.provenance }
      set { source = AnswerOrigin(newValue) }
    }

    // Kept small, because there are as many outputs as cases.
    package var storedDigest: DigestText
    var storedUsage: CompactUsage?
    var storedCost: MaybeNumber
    var connect: MaybeNumber
    var tls: MaybeNumber
    var firstByte: MaybeNumber
    var total: MaybeNumber
    package var source: AnswerOrigin
    private var rare: UncommonFields.Box?

    /// The maximum length of excerpts, in Unicode scalars.
    package static let excerptLimit = 4_000

    /// Represents a missing answer.
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
    ///   - pricing: The cost at the prices of the price files; nil if it cannot be known.
    ///   - source: The shared source of the answer, if others have the same.
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

    /// Creates the output of a response with a known cost, or one unknown because of a missing
    /// price.
    package init(_ response: ModelResponse, cost: Double?, source: AnswerOrigin? = nil) {
      self.init(response, cost.map(PriceList.Pricing.cost), source: source)
    }

    /// Creates an output with the stored part of a text; nil for an unavailable text.
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

    /// The fields that few answers have; nil without any.
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

    /// Stores the missing part of a cost, if it does not follow from the model and the counts.
    private mutating func note(_ lack: PriceList.Lack?) {
      let kept: PriceList.Lack? =
        switch lack {
        case .tier, .part: lack
        case .model, .usage, .partOfUsage, nil: nil
        }
      if kept != priceLack { editRarities { $0.priceLack = kept } }
    }

    /// The missing part of a price, other than the model's price and the counts; nil if nothing
    /// else is missing.
    var priceLack: PriceList.Lack? { rarities?.priceLack }

    /// The service tier that determines the prices; nil for the standard one.
    var pricedTier: String? { source.isBatch ? PriceList.batch : serviceTier }

    /// The cost at the prices of the price file; nil if it has none.
    var pricedCost: Double? { storedCost.value }

    /// True if the cost is the server's, because the price file has no price.
    package var isCostReported: Bool {
      guard let rare, source.hasCost else { return false }
      return storedCost.value == nil && rare.rarities.reportedCost != nil
    }

    /// True if the answer has any uncommon field.
    var hasRarities: Bool { rare != nil }

    /// The delivery of a streamed answer's text.
    enum Delivery: UInt8 {
      case streamed = 1
      case fellBack = 2
    }

    /// The delivery of the text; nil if it was not streamed, or there is none.
    var delivery: Delivery? {
      guard let rare else { return nil }
      if rare.rarities.fallback != nil { return .fellBack }
      return rare.rarities.firstText == nil ? nil : .streamed
    }

    /// Returns the displayed part of a text.
    package static func excerpt(of text: String) -> String {
      // A text never has more scalars than bytes.
      if text.utf8.count <= excerptLimit { return text }
      let scalars = text.unicodeScalars
      let end =
        scalars.index(scalars.startIndex, offsetBy: excerptLimit, limitedBy: scalars.endIndex)
        ?? scalars.endIndex
      return String(scalars[..<end])
    }
  }
}

/// The fields that few answers have, stored separately from the common ones.
private struct UncommonFields: Hashable, Sendable {
  var firstText: Double?
  var longestGap: Double?
  var server: Double?
  var user: Double?
  var cacheWrite: Int?
  var longCacheWrite: Int?
  var serviceTier: String?
  var priceLack: PriceList.Lack?
  var reportedCost: Double?
  var fallback: StreamFallback?
  var judging: [JudgeWork] = []
  var refusal: String?

  /// Returns the uncommon fields of an answer; nil for most.
  static func box(
    _ usage: TokenUsage?,
    _ timings: ResponseTimings,
    _ reportedCost: Double?,
    _ fallback: StreamFallback?
  ) -> Box? {
    if usage?.cacheWrite == nil, usage?.longCacheWrite == nil, reportedCost == nil, fallback == nil,
      timings.firstText == nil, timings.longestGap == nil, timings.server == nil,
      timings.user == nil
    {
      return nil
    }
    var fields = UncommonFields()
    fields.cacheWrite = usage?.cacheWrite
    fields.longCacheWrite = usage?.longCacheWrite
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
      && longCacheWrite == nil && serviceTier == nil && priceLack == nil && reportedCost == nil
      && fallback == nil && judging.isEmpty && refusal == nil
  }

  /// A reference to the fields.
  final class Box: Hashable, Sendable {
    let rarities: UncommonFields

    /// Creates a reference; nil if there are no uncommon fields.
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
  /// The text that identifies the answer, or its refusal if there is no text.
  package var words: String { text.flatMap { $0.isEmpty ? nil : $0 } ?? refusal ?? "" }
}

/// An optional number in the space of a number.
struct MaybeNumber: Hashable, Sendable {
  private var number: Double

  init(_ value: Double?) { number = value ?? .nan }

  var value: Double? { number.isNaN ? nil : number }

  static func == (left: MaybeNumber, right: MaybeNumber) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Optional token counts in the space of four counts.
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
