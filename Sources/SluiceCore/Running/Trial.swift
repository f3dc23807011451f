import SluiceSupport

/// One response to one case, with its scores.
///
/// It is a line of the run log.
public struct Trial: Hashable, Sendable {
  /// The outcome of a trial.
  public indirect enum Outcome: Hashable, Sendable {
    /// There was an answer, and every scorer and assertion that applies to the case passed it.
    case passed
    /// There was an answer, but it was wrong or unusable.
    case failed
    /// There was an answer, but the case has no assertions, and no scorer applies to it except
    /// advisory ones.
    case unjudged
    /// There was no answer, or a scorer could not finish.
    ///
    /// This is not evidence about quality.
    case lost(Loss)
  }

  /// The reason why a trial was lost.
  public enum Loss: Hashable, Sendable {
    /// There is no recording of the request.
    case noRecording(RecordingMiss)
    /// The backend did not give an answer.
    case noAnswer(BackendError)
    /// A scorer could not score the answer.
    ///
    /// The value is the reason, as a phrase.
    case unscored(String)
    /// The trial was read from a file that contains the reason only as a phrase.
    ///
    /// The value is that phrase.
    case stated(String)
    /// The case differs between the two runs that are compared.
    ///
    /// The value describes the difference, as a phrase.
    case incomparable(String)

    /// The loss as a phrase.
    public var message: String {
      switch self {
      case .noRecording(let miss): miss.message
      case .noAnswer(let error): error.message
      case .unscored(let reason), .stated(let reason), .incomparable(let reason): reason
      }
    }
  }

  /// The score of one scorer, with the scorer's name.
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
  /// The SHA-256 digest of the case, in hexadecimal digits.
  ///
  /// If the digests of two trials differ, the case has changed.
  public var caseDigest: String {
    get { box.facts.caseDigest.text }
    set { facts.caseDigest = DigestText(newValue) }
  }
  /// The tags of the case.
  public var tags: [String] {
    get { box.facts.labels.tags }
    set { facts.labels = CaseLabels(tags: newValue, split: split, cluster: cluster) }
  }
  /// The part of the dataset that the case belongs to; nil if the case names none.
  public var split: String? {
    get { box.facts.labels.split }
    set { facts.labels = CaseLabels(tags: tags, split: newValue, cluster: cluster) }
  }
  /// The cluster of the case; nil if the case belongs to none.
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
  /// The number of the trial, from 1, among the trials with the same case, prompt and backend.
  public var repetition: Int {
    get { box.facts.repetition }
    set { facts.repetition = newValue }
  }
  /// The SHA-256 digest by which the request is found in the recordings, in hexadecimal digits;
  /// empty if no request could be created.
  public var requestKey: String {
    get { box.facts.requestKey.text }
    set { facts.requestKey = DigestText(newValue) }
  }
  /// The outcome.
  public var outcome: Outcome {
    get { box.facts.outcome }
    set { facts.outcome = newValue }
  }
  /// The scores of the suite's scorers, in order, followed by the scores of the case's assertions.
  ///
  /// If the answer is unusable and no scorer reports that, the last score gives the reason.
  ///
  /// If there is a run log, only the log contains the explanations.
  public var scores: [NamedScore] {
    get { box.facts.sheet.scores }
    set { facts.sheet = ScoreSheet(newValue) }
  }
  /// The answer; nil if there is none.
  public var output: Output? {
    get { box.facts.output }
    set { facts.output = newValue }
  }
  /// The answer itself, of which ``output`` is a copy; a placeholder if there is no answer.
  package var answer: Output {
    _read { yield box.facts.answer }
  }
  /// The location of the explanations and of the answer's text in the run log; nil if they are in
  /// memory.
  package var place: RunLogPlace? { box.facts.place }
  package var sheet: ScoreSheet { box.facts.sheet }

  // MARK: Storage

  /// The values are behind a single reference, because trials are copied often.
  private var box: Box

  // Safe to share: the values change only during creation, before others have a reference.
  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  /// The values of a trial, in a compact form.
  struct Facts: Hashable, Sendable {
    var caseID: String
    var labels: CaseLabels
    var column: Column
    var repetition: Int
    var outcome: Outcome
    var sheet: ScoreSheet
    var caseDigest: DigestText
    // A small value takes no extra space after a digest.
    fileprivate var isAnswered: Bool
    var requestKey: DigestText
    // The answer is not an optional, because reading a part of an optional copies the whole value.
    fileprivate var answer: Output
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

  /// All values of the trial.
  ///
  /// A change creates a new trial.
  var facts: Facts {
    get { box.facts }
    set { box = Box(newValue) }
  }

  init(_ facts: Facts) { box = Box(facts) }

  /// The part of a trial that stays in memory if the explanations and the text are in a run log.
  struct Remainder {
    /// The scores without their explanations.
    var sheet: ScoreSheet
    var place: RunLogPlace
  }

  /// Removes from this trial all parts that the log contains.
  ///
  /// Call this method only on a new trial that nothing else refers to.
  func become(_ remainder: Remainder) { box.facts.reduce(to: remainder) }

  /// Returns the trial without the parts that the log contains.
  func reduced(to remainder: Remainder) -> Trial {
    var facts = facts
    facts.reduce(to: remainder)
    return Trial(facts)
  }

  /// Gives the trial the labels of its case.
  ///
  /// Call this method only on a new trial that nothing else refers to.
  func take(_ labels: CaseLabels) { box.facts.labels = labels }

  /// Moves the location of the trial's line by the length of the lines before it.
  ///
  /// Call this method only on a new trial that nothing else refers to.
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

  /// True if the request was not sent because the run was cancelled.
  var wasCancelled: Bool {
    if case .lost(.noAnswer(let error)) = outcome { error.kind == .cancelled } else { false }
  }

  /// True if the trial passed, false if it failed.
  ///
  /// Nil if the trial has neither result.
  package var isPassed: Bool? {
    switch outcome {
    case .passed: true
    case .failed: false
    case .unjudged, .lost: nil
    }
  }

  /// True if the trial was lost.
  public var isLost: Bool { if case .lost = outcome { true } else { false } }

  /// The time until the answer was complete, in milliseconds from the start of the exchange; nil if
  /// it was not measured.
  package var latency: Double? {
    guard isAnswered, box.facts.answer.source.hasTimes else { return nil }
    return box.facts.answer.total.value
  }

  /// The token counts that the server reported.
  package var usage: TokenUsage? { isAnswered ? box.facts.answer.usage : nil }

  /// The cost of the answer in US dollars.
  package var cost: Double? { isAnswered ? box.facts.answer.cost : nil }

  /// The digest of the case.
  ///
  /// If the digests of two trials differ, the case has changed.
  package var caseVersion: DigestText { box.facts.caseDigest }

  /// The digest that identifies the request of the trial.
  package var request: DigestText { box.facts.requestKey }

  /// The model and the server that gave the answer; nil if there is no answer.
  package var source: AnswerOrigin? { isAnswered ? box.facts.answer.source : nil }

  /// The way in which the text of a streamed answer arrived.
  ///
  /// Nil if the answer was not streamed, or if there is none.
  var delivery: Output.Delivery? { isAnswered ? box.facts.answer.delivery : nil }

  /// True if the answer has any of the uncommon fields.
  package var hasUncommonFields: Bool { box.facts.answer.hasUncommonFields }

  /// True if the cost of the answer is the one that the server reported.
  package var isCostReported: Bool { box.facts.answer.isCostReported }

  /// The cost of the answer, computed with the price files; nil if they contain no price.
  var pricedCost: Double? { isAnswered ? box.facts.answer.pricedCost : nil }

  /// The service tier that determines the prices of the answer; nil for the standard tier.
  package var pricedTier: String? { isAnswered ? box.facts.answer.pricedTier : nil }

  /// True if the price files determine the cost of the answer.
  package var isPriced: Bool { source?.hasCost == true && pricedCost != nil }

  /// The reason why the price files give no cost.
  ///
  /// The value has no meaning if the price files do give a cost.
  var costLack: PriceList.Lack {
    PriceList.Lack(usage) ?? (isAnswered ? box.facts.answer.priceLack : nil) ?? .model
  }

  /// True if the price files or the server give a cost for the answer, even if ``cost`` does not
  /// use it.
  var hasAnyCost: Bool { pricedCost != nil || box.facts.answer.reportedCost != nil }

  /// The text of the model's refusal; nil if it did not refuse.
  package var refusal: String? { isAnswered ? box.facts.answer.refusal : nil }

  /// True if there is an answer.
  package var isAnswered: Bool { box.facts.isAnswered }
}
