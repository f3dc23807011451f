/// One response to one case, with its scores: a line of the run log.
public struct Trial: Hashable, Sendable {
  /// How a trial ended.
  public indirect enum Outcome: Hashable, Sendable {
    /// An answer came and every scorer passed it.
    case passed
    /// An answer came and was wrong, or the app could not have used it.
    case failed
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
  public var caseID: String
  /// The digest of the case, so that a changed case is noticed.
  public var caseDigest: String {
    get { storedCaseDigest.text }
    set { storedCaseDigest = DigestText(newValue) }
  }
  /// The tags of the case.
  public var tags: [String]
  /// The part of the dataset that the case belongs to.
  public var split: String?
  /// The cluster of the case.
  public var cluster: String?
  /// The name of the prompt's version.
  public var prompt: String
  /// The name of the backend.
  public var backend: String
  /// Which of several trials of the case it is, from 1.
  public var repetition: Int
  /// The key of the request in the recordings.
  public var requestKey: String {
    get { storedRequestKey.text }
    set { storedRequestKey = DigestText(newValue) }
  }
  /// How it ended.
  public var outcome: Outcome
  /// The scores, in the order of the suite, then of the case; the answer's own flaw last, where no
  /// scorer names it.
  ///
  /// Where a run log is kept, their explanations stand there.
  public var scores: [NamedScore] {
    get { sheet.scores }
    set { sheet = ScoreSheet(newValue) }
  }
  /// What was answered; nil when nothing was.
  public var output: Output?

  // There are as many trials as cases, so they are kept small.
  var storedCaseDigest: DigestText
  var storedRequestKey: DigestText
  var sheet: ScoreSheet
  /// Where the run log has what the trial itself lacks: explanations and the answer's text; nil where
  /// it lacks nothing.
  package var place: RunLogPlace?

  init(
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
    self.caseID = caseID
    storedCaseDigest = DigestText(caseDigest)
    self.tags = tags
    self.split = split
    self.cluster = cluster
    self.prompt = prompt
    self.backend = backend
    self.repetition = repetition
    storedRequestKey = DigestText(requestKey)
    self.outcome = outcome
    sheet = ScoreSheet(scores)
    self.output = output
  }

  /// Whether an answer came that the app could not have used.
  public var isUnusable: Bool { sheet.isUnusable }

  /// Whether no recording answered the request.
  package var isMiss: Bool {
    if case .lost(.noRecording) = outcome { true } else { false }
  }

  /// Whether the trial was lost.
  public var isLost: Bool { if case .lost = outcome { true } else { false } }
}
