import SluiceSupport

/// One response to one case, with its scores: a line of the run log.
public struct Trial: Hashable, Sendable {
  /// How a trial ended.
  public indirect enum Outcome: Hashable, Sendable {
    /// An answer came and every scorer passed it.
    case passed
    /// An answer came and was wrong, or the app could not have used it.
    case failed
    /// An answer came, and no scorer that decides judges the case.
    case unjudged
    /// No answer could be judged; this says nothing about quality.
    case lost(Loss)
  }

  /// Why a trial was lost.
  public enum Loss: Hashable, Sendable {
    /// No recording answers the request.
    case noRecording(RecordingMiss)
    /// The backend gave no answer.
    case noAnswer(BackendError)
    /// A scorer could not judge the answer.
    case unscored(String)
    /// The trial was read from a file, which gives the reason in words.
    case told(String)
    /// The case is not the same in the two runs that are compared.
    case incomparable(String)

    /// The loss in a phrase.
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
    /// What it found.
    public var score: Score

    /// Creates a score with its scorer's name.
    ///
    /// - Parameters:
    ///   - name: The scorer's name in the suite.
    ///   - score: What it found.
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
  /// The digest of the case, so that a changed case is noticed.
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
  /// Which of several trials of the case it is, from 1.
  public var repetition: Int {
    get { box.facts.repetition }
    set { facts.repetition = newValue }
  }
  /// The key of the request in the recordings.
  public var requestKey: String {
    get { box.facts.requestKey.text }
    set { facts.requestKey = DigestText(newValue) }
  }
  /// How it ended.
  public var outcome: Outcome {
    get { box.facts.outcome }
    set { facts.outcome = newValue }
  }
  /// The scores, in the order of the suite, then of the case; the answer's own flaw last, where no
  /// scorer names it.
  ///
  /// Where a run log is kept, their explanations stand there.
  public var scores: [NamedScore] {
    get { box.facts.sheet.scores }
    set { facts.sheet = ScoreSheet(newValue) }
  }
  /// What was answered; nil when nothing was.
  public var output: Output? {
    get { box.facts.output }
    set { facts.output = newValue }
  }
  /// The answer in place, of which ``output`` is a copy; stands for nothing where there is none.
  package var answer: Output {
    _read { yield box.facts.answer }
  }
  /// Where the run log has what the trial itself lacks: explanations and the answer's text; nil where
  /// it lacks nothing.
  package var place: RunLogPlace? { box.facts.place }
  package var sheet: ScoreSheet { box.facts.sheet }

  // MARK: Storage

  /// Trials are handed on from stage to stage, and there are as many as cases: what is handed on is one
  /// reference.
  private var box: Box

  // Safe to share: changed only while it is being made, when nobody else has it.
  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  /// What a trial is made of, as small as it gets.
  struct Facts: Hashable, Sendable {
    var caseID: String
    var caseDigest: DigestText
    var labels: CaseLabels
    var column: Column
    var repetition: Int
    var requestKey: DigestText
    var outcome: Outcome
    var sheet: ScoreSheet
    // Apart from whether there is one: a part of an optional is only read by copying the whole.
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

  /// All of it; a change makes a new trial.
  var facts: Facts {
    get { box.facts }
    set { box = Box(newValue) }
  }

  init(_ facts: Facts) { box = Box(facts) }

  /// What is left in memory of a trial whose explanations and text stand in a run log.
  struct Remainder {
    /// The scores without their explanations.
    var sheet: ScoreSheet
    var place: RunLogPlace
  }

  /// Leaves all but the remainder to the log: for whoever makes the trial, before anybody else has it.
  func become(_ remainder: Remainder) { box.facts.reduce(to: remainder) }

  /// The trial with all but the remainder left to the log.
  func reduced(to remainder: Remainder) -> Trial {
    var facts = facts
    facts.reduce(to: remainder)
    return Trial(facts)
  }

  /// Moves the place of the trial's line by as much as the file holds before the lines that it was
  /// counted from: for whoever makes the trial, before anybody else has it.
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
  /// Whether an answer came that the app could not have used.
  public var isUnusable: Bool { sheet.isUnusable }

  /// Whether no recording answered the request.
  package var isMiss: Bool {
    if case .lost(.noRecording) = outcome { true } else { false }
  }

  /// Whether it was not asked because the run was cancelled.
  var wasCancelled: Bool {
    if case .lost(.noAnswer(let error)) = outcome { error.kind == .cancelled } else { false }
  }

  /// True when the trial passed, false when it failed; nil where no answer was judged.
  package var isPassed: Bool? {
    switch outcome {
    case .passed: true
    case .failed: false
    case .unjudged, .lost: nil
    }
  }

  /// Whether the trial was lost.
  public var isLost: Bool { if case .lost = outcome { true } else { false } }

  /// When the whole answer was there, in milliseconds from the start of the exchange; nil where that
  /// was not measured.
  package var latency: Double? {
    guard isAnswered, box.facts.answer.source.hasTimes else { return nil }
    return box.facts.answer.total.value
  }

  /// The tokens that the server counted.
  package var usage: TokenUsage? { isAnswered ? box.facts.answer.usage : nil }

  /// The cost of the answer in US dollars.
  package var cost: Double? { isAnswered ? box.facts.answer.cost : nil }

  /// What tells one version of the case from another.
  package var caseVersion: DigestText { box.facts.caseDigest }

  /// What tells one request of a case from another.
  package var request: DigestText { box.facts.requestKey }

  /// Who answered; nil when nobody did.
  package var source: AnswerOrigin? { isAnswered ? box.facts.answer.source : nil }

  /// How the answer came that was asked for in pieces; nil where it was not, or there is none.
  var delivery: Output.Delivery? { isAnswered ? box.facts.answer.delivery : nil }

  /// Whether the answer has anything that only few have.
  package var hasRarities: Bool { box.facts.answer.hasRarities }

  /// Whether the cost of the answer is what the server says.
  package var isCostReported: Bool { box.facts.answer.isCostReported }

  /// The cost of the answer at the prices of the price file; nil when that has none.
  var pricedCost: Double? { isAnswered ? box.facts.answer.pricedCost : nil }

  /// The tier of service whose prices hold for the answer; nil for the standard one.
  package var pricedTier: String? { isAnswered ? box.facts.answer.pricedTier : nil }

  /// A Boolean value that indicates whether the price files say what the answer cost.
  package var isPriced: Bool { source?.hasCost == true && pricedCost != nil }

  /// The missing part of a cost at the prices of the price files, where there is no cost.
  var costLack: PriceList.Lack {
    PriceList.Lack(usage) ?? (isAnswered ? box.facts.answer.priceLack : nil) ?? .model
  }

  /// True when the price file or the server says what the answer cost, whether that can be or not.
  var hasAnyCost: Bool { pricedCost != nil || box.facts.answer.reportedCost != nil }

  /// The words with which the model refused; nil where it did not.
  package var refusal: String? { isAnswered ? box.facts.answer.refusal : nil }

  /// Whether there is an answer.
  package var isAnswered: Bool { box.facts.isAnswered }
}
