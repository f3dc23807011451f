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

  /// The verdict over the candidate's columns.
  public var verdict: Verdict {
    Verdict.overall(columns.filter(\.isCandidate).map(\.verdict))
  }

  /// The trials that no recording answers.
  public var misses: [Trial] {
    columns.flatMap(\.trials).filter {
      if case .lost(.noRecording) = $0.outcome { true } else { false }
    }
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

  /// A metric with its estimate.
  public struct NamedEstimate: Hashable, Sendable {
    /// The name that a condition would use.
    public var name: String
    /// In what it is counted.
    public var quantity: Quantity
    /// The number.
    public var estimate: Estimate
  }

  /// How many trials passed.
  public var passed: Int { trials.count { $0.outcome == .passed } }
  /// How many trials failed.
  public var failed: Int { trials.count { $0.outcome == .failed } }
  /// How many trials were lost.
  public var lost: Int { trials.count(where: \.isLost) }

  /// The verdict over all gates; without a recording for every request there is none that passes.
  public var verdict: Verdict {
    let misses = trials.contains {
      if case .lost(.noRecording) = $0.outcome { true } else { false }
    }
    return Verdict.overall(gates.map(\.verdict) + (misses || trials.isEmpty ? [.noVerdict] : []))
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
