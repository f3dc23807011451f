public import SluiceCore

/// What came of comparing configurations of a suite: prompts, backends, revisions, run logs.
public struct ConfigurationComparison: Sendable {
  /// The suite's name.
  public var suite: String
  /// How the answers came.
  public var source: AnswerSource
  /// How many cases there are.
  public var caseCount: Int
  /// How many trials each case has in each configuration.
  public var repetitions: Int
  /// What changed about the yardstick itself: gates, labels, cases, scorers, baselines.
  public var edits: [YardstickEdit]
  /// Which answers were recorded between the two revisions; nil where none are compared.
  package var recorded: RecordedChange?
  /// What is compared; the first is what the others are compared with.
  public var configurations: [Configuration]
  /// The configurations that are compared with each other: each with the first, or all.
  public var pairs: [Pair]
  /// How much worse a rate may be, as a share of 1.
  public var margin: Double
  /// The part of the suite's cases that is compared, where the call asked for some of them alone:
  /// nothing is decided then.
  package var filtered: FilteredCases? {
    didSet { if filtered != nil { verdict = .noVerdict } }
  }
  /// What has the texts that trials lack; nil where they lack nothing.
  package var log: FileContents?
  /// The suite's gates, where the comparison decides; of several candidates one after the other.
  public var gates: [Decision]

  /// The verdict of the gates; nil where the comparison decides nothing.
  public var verdict: Verdict?

  package init(
    suite: String,
    source: AnswerSource,
    caseCount: Int,
    repetitions: Int,
    edits: [YardstickEdit],
    recorded: RecordedChange? = nil,
    configurations: [Configuration],
    pairs: [Pair],
    margin: Double,
    log: FileContents? = nil,
    gates: [Decision],
    verdict: Verdict? = nil
  ) {
    self.suite = suite
    self.source = source
    self.caseCount = caseCount
    self.repetitions = repetitions
    self.edits = edits
    self.recorded = recorded
    self.configurations = configurations
    self.pairs = pairs
    self.margin = margin
    self.log = log
    self.gates = gates
    self.verdict = verdict
  }

  /// Takes over what the gates of the candidate, which is the last configuration, came to.
  package mutating func decide(by candidate: ColumnResult) {
    configurations[configurations.count - 1].column = candidate
    gates = candidate.gates
    let lostThere = configurations[0].column.countedTrials.contains(where: \.isLost)
    verdict = Verdict.overall([candidate.verdict] + (lostThere ? [.noVerdict] : []))
  }

  /// Something that was measured, with all that is known about it.
  public struct Configuration: Sendable {
    /// The name, such as `v1 on fast`.
    public var name: String
    /// What was measured.
    public var column: ColumnResult
    /// What an answer that passes costs, in US dollars, with those that do not.
    public var costPerRightAnswer: Estimate
    /// Whether no other configuration is at least as good and cheaper, or better and as cheap; nil
    /// where its quality or cost is unknown.
    public var isOnFront: Bool?
  }

  /// A configuration against another one.
  public struct Pair: Sendable {
    /// The place of the configuration.
    public var configuration: Int
    /// The place of the one that it is compared with.
    public var reference = 0
    /// How its cases changed.
    public var comparison: RunComparison
    /// How its metrics changed.
    public var changes: [Judged]
  }

  /// A metric with how it changed and whether that is real.
  public struct Judged: Hashable, Sendable {
    /// The name that a condition would use.
    public var name: String
    /// In what it is counted.
    public var quantity: Quantity
    /// How it changed.
    public var change: PairedChange
    /// Whether the configuration is credibly worse, credibly better, or neither.
    public var standing: Standing
    /// The two-sided p value, adjusted over the pairs of this metric (Holm 1979).
    public var adjustedP: Double
  }

  /// How a configuration stands to the reference in a metric.
  public enum Standing: String, Hashable, Sendable {
    /// Credibly worse.
    case worse
    /// Credibly better.
    case better
    /// No loss beyond the margin is credible.
    case asGood = "as-good"
    /// Every case is the same.
    case same
    /// The cases do not say.
    case undecided
  }

  /// The cases on which configurations disagree, with the outcome of each in their order; a case that
  /// is not the same in all of them is none.
  public var disagreements: [(caseID: String, outcomes: [Trial.Outcome?])] {
    var order: [String] = []
    var outcomes: [String: [[Trial.Outcome]]] = [:]
    var digests: [String: Set<String>] = [:]
    for (index, configuration) in configurations.enumerated() {
      for trial in configuration.column.trials {
        if outcomes[trial.caseID] == nil {
          order.append(trial.caseID)
          outcomes[trial.caseID] = Array(repeating: [], count: configurations.count)
        }
        outcomes[trial.caseID]?[index].append(trial.outcome)
        digests[trial.caseID, default: []].insert(trial.caseDigest)
      }
    }
    return order.compactMap { id in
      if digests[id]?.count != 1 { return nil }
      let sides = (outcomes[id] ?? []).map(Self.majority)
      let judged = sides.compactMap { outcome -> Bool? in
        switch outcome {
        case .passed: true
        case .failed: false
        case .unjudged, .lost, nil: nil
        }
      }
      return Set(judged).count > 1 ? (id, sides) : nil
    }
  }

  private static func majority(_ outcomes: [Trial.Outcome]) -> Trial.Outcome? {
    let judged = outcomes.filter { $0 == .passed || $0 == .failed }
    guard
      let passes = MetricDefinition.RepetitionRule.majority.holds(judged.map { $0 == .passed })
    else { return outcomes.first }
    return passes ? .passed : .failed
  }
}

/// A change to what a candidate is measured by, which a reader wants to know before the numbers.
public struct YardstickEdit: Hashable, Sendable {
  /// What was edited.
  public enum Kind: String, Hashable, Sendable {
    case suite, prompt, gate, goal, policy, scorer, label, input, cases, slices, baseline, backend,
      prices
  }

  /// What was edited.
  public var kind: Kind
  /// The edit in a phrase.
  public var text: String

  /// Creates an edit.
  ///
  /// - Parameters:
  ///   - kind: What was edited.
  ///   - text: The edit in a phrase.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
