import SluiceSupport

/// The requests with which a judge graded one answer, and their cost.
public struct JudgeWork: Hashable, Sendable {
  /// The name of the scorer that sent the requests.
  public var scorer: String
  /// The name of the judge's backend.
  public var backend: String
  /// The number of requests that were answered.
  public var requests: Int
  /// The tokens of all requests; nil if a server did not report its tokens.
  public var usage: TokenUsage?
  /// The cost in US dollars; nil if unknown.
  public var cost: Double?
  /// The model and the server that gave the first reply; nil if there is no reply.
  public var provenance: Provenance?
  /// The reason why a verdict is not recorded, as a phrase; nil if every verdict is recorded.
  public var miss: String?
  /// The first reply that is not a verdict.
  ///
  /// Nil if all replies are verdicts, or if a verdict is not recorded.
  public var unreadable: UnreadableReply?

  /// A reply that is not a verdict.
  public struct UnreadableReply: Hashable, Sendable {
    /// The first 200 Unicode scalars of the reply, on one line; nil if the judge did not reply.
    public var text: String?
    /// The reason why the reply is not a verdict.
    public var reason: String
  }

  /// Summarizes the replies to a scorer's questions; nil if none of the questions is for a judge.
  ///
  /// - Parameters:
  ///   - scorer: The name of the scorer.
  ///   - entry: The questions and their replies.
  ///   - prices: The token prices.
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
      case .missing(let missing): sum.miss = sum.miss ?? missing.miss?.verdictMessage
      case .output: break
      }
      work = sum
    }
    guard let work else { return nil }
    self = work
  }

  /// Records the first reply that is not a verdict.
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

  /// The maximum length of an unreadable reply that is stored, in Unicode scalars.
  private static let shownReply = 200

  private init(scorer: String, backend: String) {
    self.scorer = scorer
    self.backend = backend
    requests = 0
  }
}

extension JudgeWork {
  /// The value that run logs contain.
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

  /// Parses the format of ``json``.
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
  /// The members that run logs and reports contain.
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
  /// Returns the sum of this usage and another usage; nil if the other usage is unknown.
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
