/// One response to one case, with its scores: a line of the run log.
public struct Trial: Hashable, Sendable {
  /// How a trial ended.
  public enum Outcome: Hashable, Sendable {
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
  public var caseDigest: String
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
  public var requestKey: String
  /// How it ended.
  public var outcome: Outcome
  /// The scores, in the order of the suite, then of the case; the answer's own flaw last, where no
  /// scorer names it.
  public var scores: [NamedScore]
  /// What was answered; nil when nothing was.
  public var output: Output?

  /// What was answered, short enough to be kept in memory for every trial.
  public struct Output: Hashable, Sendable {
    /// The first part of the answer's text; all of it stands in the run log.
    public var excerpt: String
    /// Whether the excerpt is less than the whole text.
    public var isCut: Bool
    /// SHA-256 over the whole text.
    public var digest: String
    /// Why the answer ended, in the word of the wire.
    public var finishReason: String?
    /// The tokens that the server counted, if it did.
    public var usage: TokenUsage?
    /// The cost in US dollars; nil when unknown.
    public var cost: Double?
    /// How long the answer took.
    public var timings: ResponseTimings
    /// Who answered.
    public var provenance: Provenance
  }

  /// Whether an answer came that the app could not have used.
  public var isUnusable: Bool { scores.contains { $0.score.isUnusable } }

  /// Whether no recording answered the request.
  package var isMiss: Bool {
    if case .lost(.noRecording) = outcome { true } else { false }
  }

  /// Whether the trial was lost.
  public var isLost: Bool { if case .lost = outcome { true } else { false } }
}

extension Trial.Output {
  /// The longest excerpt, in Unicode scalars.
  static let excerptLimit = 4_000

  init(_ response: ModelResponse, cost: Double?) {
    let text = response.text ?? response.refusal ?? ""
    self.init(
      text: text,
      digest: SHA256.hexadecimal(text.utf8),
      finishReason: response.finishReason,
      usage: response.usage,
      cost: cost,
      timings: response.timings,
      provenance: response.provenance
    )
  }

  /// An output with as much of a text as is kept; nil for a text that is not at hand.
  init(
    text: String?,
    digest: String,
    finishReason: String?,
    usage: TokenUsage?,
    cost: Double?,
    timings: ResponseTimings,
    provenance: Provenance
  ) {
    let scalars = (text ?? "").unicodeScalars
    let end =
      scalars.index(scalars.startIndex, offsetBy: Self.excerptLimit, limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    excerpt = String(scalars[..<end])
    isCut = text == nil || end != scalars.endIndex
    self.digest = digest
    self.finishReason = finishReason
    self.usage = usage
    self.cost = cost
    self.timings = timings
    self.provenance = provenance
  }
}
