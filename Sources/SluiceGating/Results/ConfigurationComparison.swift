package import SluiceCore

/// The result of comparing configurations of a suite: prompts, backends, revisions or run logs.
package struct ConfigurationComparison: Sendable {
  /// The suite's name.
  package var suite: String
  /// The kind of the answers: recorded, or from a live run.
  package var source: AnswerSource
  /// The number of cases.
  package var caseCount: Int
  /// The number of trials per case in each configuration.
  package var repetitions: Int
  /// The edits of gates, labels, cases, scorers and baselines, which affect the measurement.
  package var edits: [YardstickEdit]
  /// The results of the reference with its own scorers, if the scorers were edited.
  ///
  /// This is `nil` if the old and the new scorers give every case the same outcome.
  package var rescored: RescoredBase?
  /// The answers recorded between the two revisions; `nil` if no revisions are compared.
  package var recorded: RecordedChange?
  /// The configurations; the first is the reference for the others.
  package var configurations: [Configuration]
  /// The pairs that are compared: each configuration with the first, or all with each other.
  package var pairs: [Pair]
  /// The largest acceptable loss in a rate, such as 0.05 for 5 points.
  package var margin: Double
  /// The subset of the suite's cases that was compared; `nil` if all cases were.
  ///
  /// A comparison of a subset has no verdict.
  package var filtered: FilteredCases? {
    didSet { if filtered != nil { verdict = .noVerdict } }
  }
  /// The run log, from which reports read the texts that the trials in memory leave out; `nil` if
  /// the trials are complete.
  package var log: FileContents?
  /// The decisions on the suite's gates, in the order of the candidates; empty if no gate decides
  /// the comparison.
  package var gates: [Decision]

  /// The ages of all prices with a date that the costs use.
  package var datedPrices: [PriceAge] = []

  /// The verdict of the gates, or `nil` if no gate decides the comparison.
  package var verdict: Verdict?

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

  /// Sets ``gates`` and ``verdict`` to those of the candidate, the last configuration.
  package mutating func decide(by candidate: ColumnResult) {
    configurations[configurations.count - 1].column = candidate
    gates = candidate.gates
    let lostThere = configurations[0].column.countedTrials.contains(where: \.isLost)
    verdict = Verdict.overall(
      [candidate.verdict] + (lostThere ? [.noVerdict] : [])
        + (changesScorersAndAnswers ? [.inconclusive] : [])
    )
  }

  /// True if both the answers and the scorers that judge them changed.
  ///
  /// A better figure may then come from the scorers alone, so the comparison cannot pass.
  package var changesScorersAndAnswers: Bool {
    rescored != nil && !pairs.allSatisfy(\.comparison.isIdentical)
  }

  /// A configuration with its measurements.
  package struct Configuration: Sendable {
    /// The name, such as `v1 on fast`.
    package var name: String
    /// The measurements.
    package var column: ColumnResult
    /// The cost of all answers divided by the number of passing ones, in US dollars.
    package var costPerRightAnswer: Estimate
    /// True if the configuration is Pareto-optimal: any configuration that is better costs more,
    /// and any configuration that is cheaper is worse.
    ///
    /// This is `nil` when the quality or the cost is unknown.
    package var isOnFront: Bool?
  }

  /// A configuration compared with another one.
  package struct Pair: Sendable {
    /// The index of the configuration.
    package var configuration: Int
    /// The index of the reference that the configuration is compared with.
    package var reference = 0
    /// The changes in the configuration's cases.
    package var comparison: RunComparison
    /// The changes in the configuration's metrics.
    package var changes: [Judged]
  }

  /// The change of a metric, with a decision on its significance.
  package struct Judged: Hashable, Sendable {
    /// The metric's name, as used in conditions.
    package var name: String
    /// The metric's unit.
    package var quantity: Quantity
    /// The change.
    package var change: PairedChange
    /// The result for the configuration, such as credibly worse or credibly better.
    package var standing: Standing
    /// The two-sided p value, corrected for the number of pairs that compare this metric (Holm
    /// 1979).
    package var adjustedP: Double
  }

  /// The result of comparing a configuration with the reference in one metric.
  package enum Standing: String, Hashable, Sendable {
    /// The configuration is credibly worse.
    case worse
    /// The configuration is credibly better.
    case better
    /// The configuration is not worse by more than the margin.
    case asGood = "as-good"
    /// Every case has the same result in both configurations.
    case same
    /// There are too few cases to decide.
    case undecided
  }

  /// The cases on which configurations disagree, with the outcome in each configuration.
  ///
  /// A case that was edited between configurations is left out.
  package var disagreements: [(caseID: String, outcomes: [Trial.Outcome?])] {
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

/// The results of a base revision with its own scorers, for a change that edits the scorers.
package struct RescoredBase: Hashable, Sendable {
  /// The number of cases whose outcome differs between the current scorers and the base's own
  /// scorers.
  package var cases: Int
  /// The accuracy with the base's own scorers; `nil` if no case was judged.
  package var accuracy: Double?

  package init(cases: Int, accuracy: Double?) {
    self.cases = cases
    self.accuracy = accuracy
  }

  /// Compares the outcomes of the same trials with the base's own scorers and with the current
  /// scorers.
  ///
  /// Returns `nil` if every case has the same outcome with both.
  ///
  /// - Parameters:
  ///   - own: The trials outside quarantine, as judged by the base's own scorers.
  ///   - current: The same trials, as judged by the current scorers.
  package init?(own: [Trial], current: [Trial]) {
    func ends(_ trials: [Trial]) -> [ExactString: [String]] {
      trials.reduce(into: [:]) { ends, trial in
        ends[ExactString(trial.caseID), default: []]
          .append("\(trial.repetition) \(trial.outcome) \(trial.isUnusable)")
      }
    }
    let now = ends(current)
    cases = ends(own).count { id, outcomes in now[id] != outcomes }
    if cases == 0 { return nil }
    accuracy = MetricEvaluator(own).estimate(Metric(.accuracy)).value
  }
}

/// An edit that affects the measurement, such as an edited gate or label.
package struct YardstickEdit: Hashable, Sendable {
  /// The kind of thing that was edited.
  package enum Kind: String, Hashable, Sendable {
    case suite, prompt, gate, goal, policy, scorer, label, input, cases, slices, baseline, backend,
      prices
  }

  /// The kind of thing that was edited.
  package var kind: Kind
  /// A phrase that describes the edit.
  package var text: String

  /// Creates an edit.
  ///
  /// - Parameters:
  ///   - kind: The kind of thing that was edited.
  ///   - text: A phrase that describes the edit.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
