extension Trial {
  /// What was answered, short enough to be kept in memory for every trial.
  public struct Output: Hashable, Sendable {
    /// The first part of the answer's text; all of it stands in the run log.
    ///
    /// Where a run log is kept, this part stands there alone.
    public var excerpt: String
    /// Whether the excerpt is less than the whole text.
    public var isCut: Bool
    /// SHA-256 over the whole text.
    public var digest: String {
      get { storedDigest.text }
      set { storedDigest = DigestText(newValue) }
    }
    /// Why the answer ended, in the word of the wire.
    public var finishReason: String?
    /// The tokens that the server counted, if it did.
    public var usage: TokenUsage? {
      get { storedUsage?.usage }
      set { storedUsage = newValue.map(CompactUsage.init) }
    }
    /// The cost in US dollars; nil when unknown.
    public var cost: Double? {
      get { storedCost.value }
      set { storedCost = MaybeNumber(newValue) }
    }
    /// How long the answer took.
    public var timings: ResponseTimings {
      get {
        ResponseTimings(
          connect: connect.value,
          tls: tls.value,
          firstByte: firstByte.value,
          total: total.value
        )
      }
      set {
        connect = MaybeNumber(newValue.connect)
        tls = MaybeNumber(newValue.tls)
        firstByte = MaybeNumber(newValue.firstByte)
        total = MaybeNumber(newValue.total)
      }
    }
    /// Who answered.
    public var provenance: Provenance {
      get { source.provenance }
      set { source = AnswerOrigin(newValue) }
    }

    // There are as many outputs as cases, so they are kept small.
    var storedDigest: DigestText
    var storedUsage: CompactUsage?
    var storedCost: MaybeNumber
    var connect: MaybeNumber
    var tls: MaybeNumber
    var firstByte: MaybeNumber
    var total: MaybeNumber
    var source: AnswerOrigin

    /// The longest excerpt, in Unicode scalars.
    static let excerptLimit = 4_000

    /// The output of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - cost: What it cost in US dollars, if that is known.
    ///   - source: Who answered, where others have the same source.
    init(_ response: ModelResponse, cost: Double?, source: AnswerOrigin? = nil) {
      let text = response.text ?? response.refusal ?? ""
      self.init(
        text: text,
        digest: DigestText(SHA256.digest(text.utf8)),
        finishReason: response.finishReason,
        usage: response.usage,
        cost: cost,
        timings: response.timings,
        source: source ?? AnswerOrigin(response.provenance)
      )
    }

    /// An output with as much of a text as is kept; nil for a text that is not at hand.
    init(
      text: String?,
      digest: DigestText,
      finishReason: String?,
      usage: TokenUsage?,
      cost: Double?,
      timings: ResponseTimings,
      source: AnswerOrigin
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
    }

    /// An output whose text is short, and stands in the run log alone.
    init(
      digest: DigestText,
      finishReason: String?,
      usage: TokenUsage?,
      cost: Double?,
      timings: ResponseTimings,
      source: AnswerOrigin
    ) {
      excerpt = ""
      isCut = false
      storedDigest = digest
      self.finishReason = finishReason
      storedUsage = usage.map(CompactUsage.init)
      storedCost = MaybeNumber(cost)
      connect = MaybeNumber(timings.connect)
      tls = MaybeNumber(timings.tls)
      firstByte = MaybeNumber(timings.firstByte)
      total = MaybeNumber(timings.total)
      self.source = source
    }

    /// As much of a text as is shown.
    static func excerpt(of text: String) -> String {
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
