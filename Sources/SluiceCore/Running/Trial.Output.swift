import SluiceSupport

extension Trial {
  /// What was answered, short enough to be kept in memory for every trial.
  public struct Output: Hashable, Sendable {
    /// The first part of the answer's text; all of it stands in the run log.
    ///
    /// Where a run log is kept, this part stands there alone.
    public var excerpt: String
    /// Whether the excerpt is less than the whole text.
    public var isCut: Bool
    /// The first part of the words with which the model refused; nil where it did not.
    public var refusal: String? {
      get { rarities?.refusal }
      set { editRarities { $0.refusal = newValue.map(Self.excerpt) } }
    }
    /// SHA-256 over the whole text, or over the words of a refusal without text.
    public var digest: String {
      get { storedDigest.text }
      set { storedDigest = DigestText(newValue) }
    }
    /// Why the answer ended, in the word of the wire.
    public var finishReason: String?
    /// The tokens that the server counted, if it did.
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
    /// The tier of service that answered, in the word of the wire, if it is not the standard one.
    public var serviceTier: String? {
      get { rarities?.serviceTier }
      set { editRarities { $0.serviceTier = newValue } }
    }
    /// The cost in US dollars, at the price file's prices or, where it has none, as the server says;
    /// nil when unknown, as of a stand-in's answers.
    ///
    /// What is set is the cost at the prices of the file.
    public var cost: Double? {
      get { source.hasCost ? pricedCost ?? reportedCost : nil }
      set { storedCost = MaybeNumber(newValue) }
    }
    /// What the server says that the answer cost, in US dollars, if it does.
    public var reportedCost: Double? {
      get { rarities?.reportedCost }
      set { editRarities { $0.reportedCost = newValue } }
    }
    /// How long the answer took.
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
    /// The times of the answer; without any time where none was measured, as of a stand-in's answers.
    package var measuredTimings: ResponseTimings { source.hasTimes ? timings : ResponseTimings() }
    /// What went before, where the answer was asked for again without streaming.
    public var fallback: StreamFallback? {
      get { rarities?.fallback }
      set { editRarities { $0.fallback = newValue } }
    }
    /// What judges did about the answer, which is no part of its own cost.
    public var judging: [JudgeWork] {
      get { rarities?.judging ?? [] }
      set { editRarities { $0.judging = newValue } }
    }
    /// Who answered.
    public var provenance: Provenance {
      get { source.provenance }
      set { source = AnswerOrigin(newValue) }
    }

    // There are as many outputs as cases, so they are kept small.
    package var storedDigest: DigestText
    var storedUsage: CompactUsage?
    var storedCost: MaybeNumber
    var connect: MaybeNumber
    var tls: MaybeNumber
    var firstByte: MaybeNumber
    var total: MaybeNumber
    package var source: AnswerOrigin
    private var rare: UncommonFields.Box?

    /// The longest excerpt, in Unicode scalars.
    package static let excerptLimit = 4_000

    /// Stands for the answer where there is none.
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

    /// The output of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - pricing: What it cost at the prices of the price files; nil where that cannot be known.
    ///   - source: Who answered, where others have the same source.
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

    /// The output of a response with a cost that is known, or is unknown for want of a price.
    package init(_ response: ModelResponse, cost: Double?, source: AnswerOrigin? = nil) {
      self.init(response, cost.map(PriceList.Pricing.cost), source: source)
    }

    /// An output with as much of a text as is kept; nil for a text that is not at hand.
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

    /// What only few answers have; nil where there is none of it.
    private var rarities: UncommonFields? { rare?.rarities }

    private mutating func editRarities(_ edit: (inout UncommonFields) -> Void) {
      var rarities = rarities ?? UncommonFields()
      edit(&rarities)
      rare = UncommonFields.Box(rarities)
    }

    /// Prices the answer anew.
    mutating func price(_ pricing: PriceList.Pricing) {
      storedCost = MaybeNumber(pricing.cost)
      note(pricing.lack)
    }

    /// Keeps what a cost lacks, where model and counts do not tell it.
    private mutating func note(_ lack: PriceList.Lack?) {
      let kept: PriceList.Lack? =
        switch lack {
        case .tier, .part: lack
        case .model, .usage, .partOfUsage, nil: nil
        }
      if kept != priceLack { editRarities { $0.priceLack = kept } }
    }

    /// The missing part of a price, beside the model's price and the counts; nil where nothing else is missing.
    var priceLack: PriceList.Lack? { rarities?.priceLack }

    /// The tier of service whose prices hold; nil for the standard one.
    var pricedTier: String? { source.isBatch ? PriceList.batch : serviceTier }

    /// The cost at the prices of the price file; nil when that has none.
    var pricedCost: Double? { storedCost.value }

    /// Whether the cost is what the server says, as the price file has no price.
    package var isCostReported: Bool {
      guard let rare, source.hasCost else { return false }
      return storedCost.value == nil && rare.rarities.reportedCost != nil
    }

    /// Whether there is anything that only few answers have.
    var hasRarities: Bool { rare != nil }

    /// How the text of an answer came that was asked for in pieces.
    enum Delivery: UInt8 {
      case streamed = 1
      case fellBack = 2
    }

    /// How the text came; nil where it was not asked for in pieces, or none came.
    var delivery: Delivery? {
      guard let rare else { return nil }
      if rare.rarities.fallback != nil { return .fellBack }
      return rare.rarities.firstText == nil ? nil : .streamed
    }

    /// As much of a text as is shown.
    package static func excerpt(of text: String) -> String {
      // No text has more scalars than bytes.
      if text.utf8.count <= excerptLimit { return text }
      let scalars = text.unicodeScalars
      let end =
        scalars.index(scalars.startIndex, offsetBy: excerptLimit, limitedBy: scalars.endIndex)
        ?? scalars.endIndex
      return String(scalars[..<end])
    }
  }
}

/// What few answers have to tell, which stands apart from what all have.
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

  /// The rare fields that an answer has; nil for most.
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

  /// A reference to them.
  final class Box: Hashable, Sendable {
    let rarities: UncommonFields

    /// Nil where there are none.
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
  /// The words that tell the answer from others: its text or, where it has none, its refusal.
  package var words: String { text.flatMap { $0.isEmpty ? nil : $0 } ?? refusal ?? "" }
}

/// A number that may be unknown, in the room of a number.
struct MaybeNumber: Hashable, Sendable {
  private var number: Double

  init(_ value: Double?) { number = value ?? .nan }

  var value: Double? { number.isNaN ? nil : number }

  static func == (left: MaybeNumber, right: MaybeNumber) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Counts of tokens that may be unknown, in the room of four counts.
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
