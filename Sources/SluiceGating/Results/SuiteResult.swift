public import SluiceCore

/// The result of a run of a suite, with everything that reports show about it.
public struct SuiteResult: Sendable {
  /// The suite's name.
  public var name: String
  /// The suite's file, relative to the project's root.
  public var path: String
  /// The kind of the answers: recorded, or from a live run.
  public var source: AnswerSource
  /// The number of cases.
  public var caseCount: Int
  /// The number of trials per case in each column.
  public var repetitions: Int
  /// The columns, one for each prompt on each backend, in the order of the suite.
  public var columns: [ColumnResult]
  /// A summary of the recordings that were used or missing.
  package var recordings = RecordingSummary()
  /// The price files that costs are based on; empty if there are none.
  public var prices: [String]
  /// The prices that are much older or newer than the answers that they apply to.
  public var priceAges: [PriceAge] { datedPrices.filter(\.isFar) }
  /// The ages of all prices with a date that the costs use.
  package var datedPrices: [PriceAge] = []
  /// The positions of the cases in their files, or `nil` if unknown.
  package var places: CasePlaces?
  /// The subset of the suite's cases that ran; `nil` if all cases ran.
  ///
  /// A run of a subset has no verdict.
  package var filtered: FilteredCases?
  /// The run log, from which reports read the explanations and texts that the trials in memory
  /// leave out; `nil` if the trials are complete.
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

  /// The requests and costs of the judges, which the suite's own figures do not include.
  public var judges: [JudgeSummary] { JudgeSummary.all(of: columns.flatMap(\.unusual)) }

  /// The judges that returned unreadable verdicts.
  public var unreadableVerdicts: [UnreadableVerdicts] {
    UnreadableVerdicts.all(of: columns.flatMap(\.unusual))
  }

  /// The trials without a recorded answer.
  public var misses: [Trial] {
    hasMisses ? columns.flatMap { $0.trials.filter(\.isMiss) } : []
  }

  /// True if there are trials without a recorded answer.
  package var hasMisses: Bool { columns.contains(where: \.hasMisses) }
}

/// The kind of the answers that a run judges: recorded, or from a live run.
public enum AnswerSource: String, Sendable {
  /// The answers were recorded before the run, or come from files. The run sends no requests.
  case recorded
  /// The models answered during the run.
  case live
}

/// The result of a prompt on a backend.
public struct ColumnResult: Sendable {
  /// The name of the prompt's version.
  public var prompt: String
  /// The prompt's file, relative to the project's root.
  public var promptPath: String
  /// The name of the backend.
  public var backend: String
  /// True if the prompt is the suite's last one, which the suite's gates judge.
  public var isCandidate: Bool
  /// The trials, in the order of the suite.
  public var trials: [Trial] {
    didSet { summary = TrialSummary(trials, quarantine: quarantine) }
  }
  /// The estimates of metrics, by the names that conditions use.
  public var metrics: [NamedEstimate]
  /// The confusion matrices, one for each scorer that finds labels.
  package var confusions: [ConfusionMatrix]
  /// The results by split of the dataset; `nil` if no case names a split.
  public var splits: SplitResult?
  /// The figures by group, for each property that the suite lists under `by`.
  public var groups: [GroupTable]
  /// The conditions that decide the verdict.
  public var gates: [Decision]
  /// The conditions that are only shown and never change the verdict.
  public var goals: [Decision]
  /// The changes in cases since the baseline, or `nil` without a baseline.
  public var comparison: RunComparison?
  /// The reasons for quarantined cases, by case id; these cases run, but do not affect the verdict.
  public var quarantine: [String: Exemption] {
    didSet { summary = TrialSummary(trials, quarantine: quarantine) }
  }
  /// The output file that has the answers; `nil` if they come from a backend or its recordings.
  public var outputs: OutputsSource?
  /// True if answers come through batch files, so that Sluice cannot request missing answers.
  package var isAskedThroughFiles = false
  /// The requests and the baseline's answers; `nil` if they are not available.
  package var evidence: Evidence?
  /// The headroom of the column; `nil` if only a subset of the cases ran or no model answered.
  package var headroom: Headroom?
  /// The change in the requests since the baseline; `nil` if nothing changed, or if the change is
  /// unknown.
  package var requestChange: RequestChange?
  /// The summary of the trials, computed once.
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
    /// The metric's name, as used in conditions.
    public var name: String
    /// The metric's unit.
    public var quantity: Quantity
    /// True if the metric depends on advisory scores.
    public var isAdvisory = false
    /// The estimate.
    public var estimate: Estimate
    /// True if the metric restates other metrics in another form.
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

  /// Returns the estimates of metrics.
  package static func metrics(_ metrics: [SuiteMetrics.Named], of trials: [Trial])
    -> [NamedEstimate]
  {
    Self.metrics(metrics, by: MetricEvaluator(trials))
  }

  /// Returns the estimates of the given metrics, and of rare metrics for which the trials have
  /// values.
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

  /// The number of trials that passed.
  public var passed: Int { summary.passed }
  /// The number of trials that failed.
  public var failed: Int { summary.failed }
  /// The number of trials that were lost.
  public var lost: Int { summary.lost }
  /// The number of answers that no scorer judged.
  public var unjudged: Int { summary.unjudged }
  /// True if answers were received but no scorer judged any of them.
  package var isUnjudged: Bool { unjudged > 0 && unjudged + lost == trials.count }
  /// True if there are trials without a recorded answer.
  package var hasMisses: Bool { summary.hasMisses }
  /// The number of answers with a cost that the server reported, and the number of answers with a
  /// cost from the price file.
  package var costs: (reported: Int, priced: Int) { summary.costs }
  /// The numbers of failed and lost trials outside quarantine.
  package var counted: (failed: Int, lost: Int) { summary.counted }

  /// The distinct sets of scores that the trials share, in order of first appearance.
  package var sheets: [ScoreSheet] { summary.sheets }
  /// The trials whose answers have uncommon fields, such as a judge's work.
  package var unusual: [Trial] { summary.unusual }

  /// The trials of cases outside quarantine, which determine the verdict.
  package var countedTrials: [Trial] {
    quarantine.isEmpty ? trials : trials.filter { quarantine[$0.caseID] == nil }
  }

  /// The verdict over all gates.
  ///
  /// The verdict is never ``Verdict/pass`` if a case outside quarantine lacks a recording.
  public var verdict: Verdict {
    let isOpen = summary.hasCountedMisses || trials.isEmpty
    return Verdict.overall(gates.map(\.effect) + (isOpen ? [.noVerdict] : []))
  }

  /// The cases whose repetitions of the same request had different outcomes.
  public var flakyCases: [FlakyCase] { summary.flakyCases }

  /// A case whose repetitions had different outcomes.
  public struct FlakyCase: Hashable, Sendable {
    /// The case.
    public var caseID: String
    /// The number of repetitions that passed.
    public var passed: Int
    /// The number of repetitions that were judged.
    public var of: Int
  }

  /// The models and servers that gave the answers, without duplicates, in order of first
  /// appearance.
  public var provenances: [Provenance] { summary.provenances }

  /// The reason why some or all latencies were not measured.
  ///
  /// This is `nil` if all of them were measured, or if there are no answers.
  package var unmeasuredTimes: String? {
    guard let source = trials.first(where: { $0.source?.hasTimes == false }) else { return nil }
    return source.output?.provenance.timesFault(of: backend)
  }
}
