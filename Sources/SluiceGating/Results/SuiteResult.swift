public import SluiceCore

/// What a run of a suite came to: all that reports show of it.
public struct SuiteResult: Sendable {
  /// The suite's name.
  public var name: String
  /// The suite's file, relative to the project's root.
  public var path: String
  /// How the answers came.
  public var source: AnswerSource
  /// How many cases there are.
  public var caseCount: Int
  /// How many trials each case has in each column.
  public var repetitions: Int
  /// Every prompt with every backend, in the order of the suite.
  public var columns: [ColumnResult]
  /// What there is to say about the recordings that answered, or did not.
  package var recordings = RecordingSummary()
  /// The price files that costs were made by; empty where there are none.
  public var prices: [String]
  /// The prices that are much older or newer than the answers that they price.
  public var priceAges: [PriceAge] = []
  /// Where the cases stand; nil where that is not known.
  package var places: CasePlaces?
  /// The part of the suite's cases that ran, where the call asked for some of them alone: nothing is
  /// decided then.
  package var filtered: FilteredCases?
  /// The run log, which has the explanations and texts that trials lack; nil where they lack nothing.
  package var log: FileContents?

  package init(
    name: String,
    path: String,
    source: AnswerSource,
    caseCount: Int,
    repetitions: Int,
    columns: [ColumnResult],
    recordings: RecordingSummary = RecordingSummary(),
    prices: [String] = [],
    places: CasePlaces? = nil,
    filtered: FilteredCases? = nil,
    log: FileContents? = nil
  ) {
    self.name = name
    self.path = path
    self.source = source
    self.caseCount = caseCount
    self.repetitions = repetitions
    self.columns = columns
    self.recordings = recordings
    self.prices = prices
    self.places = places
    self.filtered = filtered
    self.log = log
  }

  /// The verdict over the candidate's columns.
  public var verdict: Verdict {
    filtered != nil ? .noVerdict : Verdict.overall(columns.filter(\.isCandidate).map(\.verdict))
  }

  /// What judges did, which is counted apart from what was judged.
  public var judges: [JudgeSummary] { JudgeSummary.all(of: columns.flatMap(\.unusual)) }

  /// The judges that gave verdicts that cannot be read.
  public var unreadableVerdicts: [UnreadableVerdicts] {
    UnreadableVerdicts.all(of: columns.flatMap(\.unusual))
  }

  /// The trials that no recording answers.
  public var misses: [Trial] {
    hasMisses ? columns.flatMap { $0.trials.filter(\.isMiss) } : []
  }

  /// Whether there are trials that no recording answers.
  package var hasMisses: Bool { columns.contains(where: \.hasMisses) }
}

/// How answers came.
public enum AnswerSource: String, Sendable {
  case recorded, live
}

/// What a prompt with a backend came to.
public struct ColumnResult: Sendable {
  /// The name of the prompt's version.
  public var prompt: String
  /// The prompt's file, relative to the project's root.
  public var promptPath: String
  /// The name of the backend.
  public var backend: String
  /// Whether the suite's gates decide about it: it has the suite's last prompt.
  public var isCandidate: Bool
  /// The trials, in the order of the suite.
  public var trials: [Trial] {
    didSet { summary = TrialSummary(trials, quarantine: quarantine) }
  }
  /// What was measured, by the names that conditions use.
  public var metrics: [NamedEstimate]
  /// How often which label was given where which was expected, by scorers that find labels.
  package var confusions: [ConfusionMatrix]
  /// What the parts of the dataset came to; nil where cases name no split.
  public var splits: SplitResult?
  /// The figures by group, for each property that the suite names under `by`.
  public var groups: [GroupTable]
  /// The conditions that decide.
  public var gates: [Decision]
  /// The conditions that are shown and never block.
  public var goals: [Decision]
  /// How the cases changed since the baseline; nil when there is none.
  public var comparison: RunComparison?
  /// The cases that ran and do not decide, with why.
  public var quarantine: [String: Exemption] {
    didSet { summary = TrialSummary(trials, quarantine: quarantine) }
  }
  /// The file that the answers came from; nil where somebody was asked.
  public var outputs: OutputsSource?
  /// True where answers come through batch files, so that nothing can be sent for those that are missing.
  package var isAskedThroughFiles = false
  /// What was sent and what the baseline answered; nil where that is not at hand.
  package var evidence: Evidence?
  /// The room that the cases leave for changes; nil without answers of a model, and for a part of the
  /// cases.
  package var headroom: Headroom?
  /// What is asked otherwise than for the baseline; nil where that is nothing, or nobody knows.
  package var requestChange: RequestChange?
  /// What the trials come to, gone through once.
  private var summary: TrialSummary

  package init(
    prompt: String,
    promptPath: String,
    backend: String,
    isCandidate: Bool,
    trials: [Trial],
    metrics: [NamedEstimate],
    gates: [Decision],
    goals: [Decision],
    comparison: RunComparison? = nil,
    quarantine: [String: Exemption] = [:],
    confusions: [ConfusionMatrix] = [],
    splits: SplitResult? = nil,
    groups: [GroupTable] = [],
    evidence: Evidence? = nil,
    requestChange: RequestChange? = nil,
    outputs: OutputsSource? = nil
  ) {
    self.outputs = outputs
    self.prompt = prompt
    self.promptPath = promptPath
    self.backend = backend
    self.isCandidate = isCandidate
    self.trials = trials
    self.metrics = metrics
    self.gates = gates
    self.goals = goals
    self.comparison = comparison
    self.quarantine = quarantine
    self.confusions = confusions
    self.splits = splits
    self.groups = groups
    self.evidence = evidence
    self.requestChange = requestChange
    summary = TrialSummary(trials, quarantine: quarantine)
  }

  /// A metric with its estimate.
  public struct NamedEstimate: Hashable, Sendable {
    /// The name that a condition would use.
    public var name: String
    /// In what it is counted.
    public var quantity: Quantity
    /// Whether it rests on scores that are only shown.
    public var isAdvisory = false
    /// The number.
    public var estimate: Estimate
    /// Whether it says in another way what other metrics say.
    package var isDetail = false

    package init(
      name: String,
      quantity: Quantity,
      isAdvisory: Bool = false,
      estimate: Estimate,
      isDetail: Bool = false
    ) {
      self.name = name
      self.quantity = quantity
      self.isAdvisory = isAdvisory
      self.estimate = estimate
      self.isDetail = isDetail
    }
  }

  /// The estimates of metrics.
  package static func metrics(_ metrics: [SuiteMetrics.Named], of trials: [Trial])
    -> [NamedEstimate]
  {
    Self.metrics(metrics, by: MetricEvaluator(trials))
  }

  /// The estimates of metrics, and of what few runs have where these have it.
  package static func metrics(_ metrics: [SuiteMetrics.Named], by evaluator: MetricEvaluator)
    -> [NamedEstimate]
  {
    estimates(metrics + SuiteMetrics.unusual(evaluator), by: evaluator)
  }

  static func estimates(_ metrics: [SuiteMetrics.Named], by evaluator: MetricEvaluator)
    -> [NamedEstimate]
  {
    metrics.map { named in
      NamedEstimate(
        name: named.name,
        quantity: named.metric.quantity,
        isAdvisory: named.metric.isAdvisory,
        estimate: evaluator.estimate(named.metric),
        isDetail: named.isDetail
      )
    }
  }

  /// How many trials passed.
  public var passed: Int { summary.passed }
  /// How many trials failed.
  public var failed: Int { summary.failed }
  /// The number of trials that were lost.
  public var lost: Int { summary.lost }
  /// The number of answers that no scorer judged.
  public var unjudged: Int { summary.unjudged }
  /// True when answers came and no scorer judged any.
  package var isUnjudged: Bool { unjudged > 0 && unjudged + lost == trials.count }
  /// Whether there are trials that no recording answers.
  package var hasMisses: Bool { summary.hasMisses }
  /// How many answers cost what the server says, and how many what the price file says.
  package var costs: (reported: Int, priced: Int) { summary.costs }
  /// How many trials failed and how many were lost of those that decide.
  package var counted: (failed: Int, lost: Int) { summary.counted }

  /// The trials whose answers have anything that only few have.
  package var unusual: [Trial] { summary.unusual }

  /// The trials that decide: those of cases that are not in quarantine.
  package var countedTrials: [Trial] {
    quarantine.isEmpty ? trials : trials.filter { quarantine[$0.caseID] == nil }
  }

  /// The verdict over all gates; without a recording for every request that counts there is none
  /// that passes.
  public var verdict: Verdict {
    let isOpen = summary.hasCountedMisses || trials.isEmpty
    return Verdict.overall(gates.map(\.effect) + (isOpen ? [.noVerdict] : []))
  }

  /// The cases whose repetitions, of one and the same request, did not all end alike.
  public var flakyCases: [FlakyCase] { summary.flakyCases }

  /// A case whose repetitions did not all end alike.
  public struct FlakyCase: Hashable, Sendable {
    /// The case.
    public var caseID: String
    /// How many repetitions passed.
    public var passed: Int
    /// How many repetitions were judged.
    public var of: Int
  }

  /// Who answered, each source once, in the order of first appearance.
  public var provenances: [Provenance] { summary.provenances }

  /// Why the times of all answers, or of some, are no measurements; nil where they were measured, or
  /// nobody recorded any.
  package var unmeasuredTimes: String? {
    guard let source = trials.first(where: { $0.source?.hasTimes == false }) else { return nil }
    return source.output?.provenance.timesFault(of: backend)
  }
}
