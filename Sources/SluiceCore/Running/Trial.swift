import SluiceSupport

/// One response to one case, with its scores: a line of the run log.
public struct Trial: Hashable, Sendable {
  /// The outcome of a trial.
  public indirect enum Outcome: Hashable, Sendable {
    /// There was an answer and every scorer passed it.
    case passed
    /// There was an answer that was wrong or unusable.
    case failed
    /// There was an answer, but no deciding scorer applies to the case.
    case unjudged
    /// No answer could be scored, which is not evidence about quality.
    case lost(Loss)
  }

  /// The reason why a trial was lost.
  public enum Loss: Hashable, Sendable {
    /// There is no recording of the request.
    case noRecording(RecordingMiss)
    /// The backend gave no answer.
    case noAnswer(BackendError)
    /// A scorer could not score the answer.
    case unscored(String)
    /// The trial was read from a file, which contains the reason as text.
    case told(String)
    /// The case differs between the two compared runs.
    case incomparable(String)

    /// The loss as a phrase.
    public var message: String {
      switch self {
      case .noRecording(let miss): miss.message
      case .noAnswer(let error): error.message
      case .unscored(let reason), .told(let reason), .incomparable(let reason): reason
      }
    }
  }

  /// The score of one scorer.
  public struct NamedScore: Hashable, Sendable {
    /// The scorer's name in the suite.
    public var name: String
    /// The score.
    public var score: Score

    /// Creates a score with its scorer's name.
    ///
    /// - Parameters:
    ///   - name: The scorer's name in the suite.
    ///   - score: The score.
    public init(name: String, score: Score) {
      self.name = name
      self.score = score
    }
  }

  /// The id of the case.
  public var caseID: String {
    get { box.facts.caseID }
    set { facts.caseID = newValue }
  }
  /// The digest of the case, which reveals changes.
  public var caseDigest: String {
    get { box.facts.caseDigest.text }
    set { facts.caseDigest = DigestText(newValue) }
  }
  /// The tags of the case.
  public var tags: [String] {
    get { box.facts.labels.tags }
    set { facts.labels = CaseLabels(tags: newValue, split: split, cluster: cluster) }
  }
  /// The part of the dataset that the case belongs to.
  public var split: String? {
    get { box.facts.labels.split }
    set { facts.labels = CaseLabels(tags: tags, split: newValue, cluster: cluster) }
  }
  /// The cluster of the case.
  public var cluster: String? {
    get { box.facts.labels.cluster }
    set { facts.labels = CaseLabels(tags: tags, split: split, cluster: newValue) }
  }
  /// The name of the prompt's version.
  public var prompt: String {
    get { box.facts.column.prompt }
    set { facts.column = Column(prompt: newValue, backend: backend) }
  }
  /// The name of the backend.
  public var backend: String {
    get { box.facts.column.backend }
    set { facts.column = Column(prompt: prompt, backend: newValue) }
  }
  /// The number of the trial among those of the case, from 1.
  public var repetition: Int {
    get { box.facts.repetition }
    set { facts.repetition = newValue }
  }
  /// The key of the request in the recordings.
  public var requestKey: String {
    get { box.facts.requestKey.text }
    set { facts.requestKey = DigestText(newValue) }
  }
  /// The outcome.
  public var outcome: Outcome {
    get { box.facts.outcome }
    set { facts.outcome = newValue }
  }
  /// The scores, first those of the suite in order, then those of the case; a flaw of the answer
  /// itself last, if no scorer reports it.
  ///
  /// With a run log, only the log contains their explanations.
  public var scores: [NamedScore] {
    get { box.facts.sheet.scores }
    set { facts.sheet = ScoreSheet(newValue) }
  }
  /// The answer; nil if there is none.
  public var output: Output? {
    get { box.facts.output }
    set { facts.output = newValue }
  }
  /// The answer in place, of which ``output`` is a copy; a placeholder if there is none.
  package var answer: Output {
    _read { yield box.facts.answer }
  }
  /// The location of the explanations and the answer's text in the run log; nil if the trial is
  /// complete.
  package var place: RunLogPlace? { box.facts.place }
  package var sheet: ScoreSheet { box.facts.sheet }

  // MARK: Storage

  /// A single reference, because trials are passed from stage to stage and there are as many as
  /// cases.
  private var box: Box

  // Safe to share: mutated only during creation, before others have a reference.
  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  /// The stored values of a trial, in compact form.
  struct Facts: Hashable, Sendable {
    var caseID: String
    var caseDigest: DigestText
    var labels: CaseLabels
    var column: Column
    var repetition: Int
    var requestKey: DigestText
    var outcome: Outcome
    var sheet: ScoreSheet
    // Not an optional, because reading a part of an optional copies the whole.
    fileprivate var answer: Output
    fileprivate var isAnswered: Bool
    var place: RunLogPlace?

    var output: Output? {
      get { isAnswered ? answer : nil }
      set {
        answer = newValue ?? .absent
        isAnswered = newValue != nil
      }
    }

    init(
      caseID: String,
      caseDigest: DigestText,
      labels: CaseLabels,
      column: Column,
      repetition: Int,
      requestKey: DigestText,
      outcome: Outcome,
      sheet: ScoreSheet,
      output: Output?
    ) {
      self.caseID = caseID
      self.caseDigest = caseDigest
      self.labels = labels
      self.column = column
      self.repetition = repetition
      self.requestKey = requestKey
      self.outcome = outcome
      self.sheet = sheet
      if let output {
        answer = output
        isAnswered = true
      } else {
        answer = .absent
        isAnswered = false
      }
    }

    fileprivate mutating func reduce(to remainder: Remainder) {
      sheet = remainder.sheet
      answer.excerpt = ""
      place = remainder.place
    }
  }

  /// All stored values; a mutation creates a new trial.
  var facts: Facts {
    get { box.facts }
    set { box = Box(newValue) }
  }

  init(_ facts: Facts) { box = Box(facts) }

  /// The part of a trial that stays in memory if its explanations and text are in a run log.
  struct Remainder {
    /// The scores without their explanations.
    var sheet: ScoreSheet
    var place: RunLogPlace
  }

  /// Drops the logged parts in place; call it only on a new trial that nobody else references.
  func become(_ remainder: Remainder) { box.facts.reduce(to: remainder) }

  /// Returns the trial without its logged parts.
  func reduced(to remainder: Remainder) -> Trial {
    var facts = facts
    facts.reduce(to: remainder)
    return Trial(facts)
  }

  /// Moves the location of the trial's line by the length of the preceding lines; call it only on a
  /// new trial that nobody else references.
  func movePlace(by length: Int) { box.facts.place?.start += length }

  package init(
    caseID: String,
    caseDigest: String,
    tags: [String],
    split: String? = nil,
    cluster: String? = nil,
    prompt: String,
    backend: String,
    repetition: Int,
    requestKey: String,
    outcome: Outcome,
    scores: [NamedScore],
    output: Output? = nil
  ) {
    self.init(
      Facts(
        caseID: caseID,
        caseDigest: DigestText(caseDigest),
        labels: CaseLabels(tags: tags, split: split, cluster: cluster),
        column: Column(prompt: prompt, backend: backend),
        repetition: repetition,
        requestKey: DigestText(requestKey),
        outcome: outcome,
        sheet: ScoreSheet(scores),
        output: output
      )
    )
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func == (left: Trial, right: Trial) -> Bool {
    left.box === right.box || left.facts == right.facts
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func hash(into hasher: inout Hasher) { hasher.combine(facts) }
}

extension Trial {
  /// True if there is an answer that the app could not use.
  public var isUnusable: Bool { sheet.isUnusable }

  /// True if there was no recording of the request.
  package var isMiss: Bool {
    if case .lost(.noRecording) = outcome { true } else { false }
  }

  /// True if it was not asked because the run was cancelled.
  var wasCancelled: Bool {
    if case .lost(.noAnswer(let error)) = outcome { error.kind == .cancelled } else { false }
  }

  /// True if the trial passed, false if it failed; nil if no answer was scored.
  package var isPassed: Bool? {
    switch outcome {
    case .passed: true
    case .failed: false
    case .unjudged, .lost: nil
    }
  }

  /// True if the trial was lost.
  public var isLost: Bool { if case .lost = outcome { true } else { false } }

  /// The time to the complete answer, in milliseconds from the start of the exchange; nil if it was
  /// not measured.
  package var latency: Double? {
    guard isAnswered, box.facts.answer.source.hasTimes else { return nil }
    return box.facts.answer.total.value
  }

  /// The token counts reported by the server.
  package var usage: TokenUsage? { isAnswered ? box.facts.answer.usage : nil }

  /// The cost of the answer in US dollars.
  package var cost: Double? { isAnswered ? box.facts.answer.cost : nil }

  /// The digest that identifies the version of the case.
  package var caseVersion: DigestText { box.facts.caseDigest }

  /// The digest that identifies the request of the case.
  package var request: DigestText { box.facts.requestKey }

  /// The source of the answer; nil if there is none.
  package var source: AnswerOrigin? { isAnswered ? box.facts.answer.source : nil }

  /// The delivery of a streamed answer; nil if it was not streamed, or there is none.
  var delivery: Output.Delivery? { isAnswered ? box.facts.answer.delivery : nil }

  /// True if the answer has any uncommon field.
  package var hasRarities: Bool { box.facts.answer.hasRarities }

  /// True if the cost of the answer was reported by the server.
  package var isCostReported: Bool { box.facts.answer.isCostReported }

  /// The cost of the answer at the prices of the price file; nil if it has none.
  var pricedCost: Double? { isAnswered ? box.facts.answer.pricedCost : nil }

  /// The service tier that determines the answer's prices; nil for the standard one.
  package var pricedTier: String? { isAnswered ? box.facts.answer.pricedTier : nil }

  /// A Boolean value that indicates whether the price files determine the cost of the answer.
  package var isPriced: Bool { source?.hasCost == true && pricedCost != nil }

  /// The missing part of a cost at the prices of the price files, if there is no cost.
  var costLack: PriceList.Lack {
    PriceList.Lack(usage) ?? (isAnswered ? box.facts.answer.priceLack : nil) ?? .model
  }

  /// True if the price file or the server gives a cost for the answer, even one that is not valid.
  var hasAnyCost: Bool { pricedCost != nil || box.facts.answer.reportedCost != nil }

  /// The text of the model's refusal; nil if it did not refuse.
  package var refusal: String? { isAnswered ? box.facts.answer.refusal : nil }

  /// True if there is an answer.
  package var isAnswered: Bool { box.facts.isAnswered }
}
