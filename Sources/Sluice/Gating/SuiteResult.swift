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

  /// The verdict over the candidate's columns.
  public var verdict: Verdict {
    Verdict.overall(columns.filter(\.isCandidate).map(\.verdict))
  }

  /// The trials that no recording answers.
  public var misses: [Trial] {
    columns.flatMap(\.trials).filter(\.isMiss)
  }
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
  public var trials: [Trial]
  /// What was measured, by the names that conditions use.
  public var metrics: [NamedEstimate]
  /// The conditions that decide.
  public var gates: [Decision]
  /// The conditions that are shown and never block.
  public var goals: [Decision]
  /// How the cases changed since the baseline; nil when there is none.
  public var comparison: RunComparison?
  /// The cases that ran and do not decide, with why.
  public var quarantine: [String: Exemption] = [:]

  /// A metric with its estimate.
  public struct NamedEstimate: Hashable, Sendable {
    /// The name that a condition would use.
    public var name: String
    /// In what it is counted.
    public var quantity: Quantity
    /// The number.
    public var estimate: Estimate
  }

  /// The estimates of metrics.
  static func metrics(_ metrics: [SuiteMetrics.Named], of trials: [Trial]) -> [NamedEstimate] {
    let evaluator = MetricEvaluator(trials)
    return metrics.map { named in
      NamedEstimate(
        name: named.name,
        quantity: named.metric.quantity,
        estimate: evaluator.estimate(named.metric)
      )
    }
  }

  /// How many trials passed.
  public var passed: Int { trials.count { $0.outcome == .passed } }
  /// How many trials failed.
  public var failed: Int { trials.count { $0.outcome == .failed } }
  /// How many trials were lost.
  public var lost: Int { trials.count(where: \.isLost) }

  /// The verdict over all gates; without a recording for every request that counts there is none
  /// that passes.
  public var verdict: Verdict {
    let misses = trials.contains { $0.isMiss && quarantine[$0.caseID] == nil }
    return Verdict.overall(gates.map(\.effect) + (misses || trials.isEmpty ? [.noVerdict] : []))
  }

  /// The cases whose repetitions, of one and the same request, did not all end alike.
  public var flakyCases: [FlakyCase] {
    var cases: [FlakyCase] = []
    var places: [[String]: Int] = [:]
    for trial in trials where !trial.isLost {
      let key = [trial.caseID, trial.requestKey]
      let place = places[key] ?? cases.count
      if place == cases.count {
        places[key] = place
        cases.append(FlakyCase(caseID: trial.caseID, passed: 0, of: 0))
      }
      cases[place].of += 1
      if trial.outcome == .passed { cases[place].passed += 1 }
    }
    return cases.filter { $0.passed > 0 && $0.passed < $0.of }
  }

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
  public var provenances: [Provenance] {
    var seen: Set<Provenance> = []
    return trials.compactMap { trial in
      guard var provenance = trial.output?.provenance else { return nil }
      provenance.date = provenance.date.map { String($0.prefix(10)) }
      return seen.insert(provenance).inserted ? provenance : nil
    }
  }
}
