import SluiceSupport

/// What a judge did about one answer: the requests that were answered, and what they took.
public struct JudgeWork: Hashable, Sendable {
  /// The name of the scorer that asked.
  public var scorer: String
  /// The name of the judge's backend.
  public var backend: String
  /// How many requests were answered.
  public var requests: Int
  /// The tokens of all of them; nil where a server did not count.
  public var usage: TokenUsage?
  /// What they cost in US dollars; nil when unknown.
  public var cost: Double?
  /// Who answered; nil when nobody did.
  public var provenance: Provenance?
  /// Why a verdict is not recorded, in a phrase; nil where all are.
  public var miss: String?
  /// The first reply that is not a verdict; nil where all are, or where a verdict is not recorded.
  public var unreadable: UnreadableReply?

  /// A reply that is not a verdict.
  public struct UnreadableReply: Hashable, Sendable {
    /// The beginning of the reply in one line; nil where nobody replied.
    public var text: String?
    /// Why it is not a verdict.
    public var reason: String
  }

  /// What a judge did to the questions of a scorer.
  ///
  /// - Parameters:
  ///   - scorer: The name of the scorer.
  ///   - entry: The questions with what came of them; nil is returned where none is for a judge.
  ///   - prices: What tokens cost.
  init?(_ scorer: String, _ entry: ScorerInquiry.Entry, _ prices: PriceList) {
    var work: JudgeWork?
    for (question, reply) in zip(entry.questions, entry.replies) {
      guard case .model(let asked) = question else { continue }
      let backend = asked.request.backend
      var sum = work ?? JudgeWork(scorer: scorer, backend: backend)
      switch reply {
      case .answer(let response):
        let isFirst = sum.requests == 0
        sum.requests += 1
        sum.usage = isFirst ? response.usage : sum.usage.flatMap { $0.adding(response.usage) }
        let cost = prices.cost(of: response, asking: asked.request.model)
        sum.cost = isFirst ? cost : sum.cost.flatMap { sum in cost.map { sum + $0 } }
        sum.provenance = sum.provenance ?? response.provenance
      case .silence(let silence): sum.miss = sum.miss ?? silence.miss?.verdictMessage
      case .output: break
      }
      work = sum
    }
    guard let work else { return nil }
    self = work
  }

  /// Notes the first reply that is not a verdict.
  mutating func noteUnreadable(in entry: ScorerInquiry.Entry, by scorer: any JudgeScorer) {
    guard miss == nil else { return }
    for reply in entry.replies {
      guard let reason = scorer.fault(of: reply) else { continue }
      var text: String?
      if case .answer(let response) = reply {
        text = Excerpt.line(response.text ?? response.refusal ?? "", to: Self.shownReply)
      }
      unreadable = UnreadableReply(text: text, reason: reason)
      return
    }
  }

  /// The length of an unreadable reply that is kept, in Unicode scalars.
  private static let shownReply = 200

  private init(scorer: String, backend: String) {
    self.scorer = scorer
    self.backend = backend
    requests = 0
  }
}

extension JudgeWork {
  /// What run logs keep.
  package var json: JSONValue {
    var object: JSONObject = [
      "scorer": .string(scorer), "backend": .string(backend),
      "requests": .number(Double(requests)),
    ]
    object.set("usage", usage.map { .object($0.json) })
    object.set("cost", cost.map(JSONValue.number))
    object.set("answered-by", provenance.map { .object($0.json) })
    object.set("miss", miss.map(JSONValue.string))
    object.set("unreadable", unreadable.map { .object($0.json) })
    return .object(object)
  }

  /// Reads what ``json`` is.
  init?(json: JSONValue) {
    guard let scorer = json["scorer"]?.string, let backend = json["backend"]?.string,
      let requests = json["requests"]?.integer
    else { return nil }
    self.scorer = scorer
    self.backend = backend
    self.requests = requests
    usage = json["usage"].map { TokenUsage(json: $0) }
    cost = json["cost"]?.number
    provenance = json["answered-by"].map { Provenance(json: $0) }
    miss = json["miss"]?.string
    unreadable = json["unreadable"].flatMap(UnreadableReply.init)
  }
}

extension JudgeWork.UnreadableReply {
  /// The members that run logs and reports have of it.
  package var json: JSONObject {
    var object: JSONObject = ["reason": .string(reason)]
    object.set("reply", text.map(JSONValue.string))
    return object
  }

  fileprivate init?(json: JSONValue) {
    guard let reason = json["reason"]?.string else { return nil }
    self.init(text: json["reply"]?.string, reason: reason)
  }
}

extension TokenUsage {
  /// The sum with another count; nil where that is not known.
  package func adding(_ other: TokenUsage?) -> TokenUsage? {
    guard let other else { return nil }
    func sum(_ path: KeyPath<TokenUsage, Int?>) -> Int? {
      self[keyPath: path].flatMap { own in other[keyPath: path].map { own + $0 } }
    }
    return TokenUsage(
      input: sum(\.input),
      cachedInput: sum(\.cachedInput),
      output: sum(\.output),
      reasoning: sum(\.reasoning),
      cacheWrite: sum(\.cacheWrite),
      longCacheWrite: sum(\.longCacheWrite)
    )
  }
}
