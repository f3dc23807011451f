package import SluiceCore

/// A comparison of recorded answers with new answers to the same requests.
package struct DriftResult: Sendable {
  /// The number of requests to sample for each suite and backend.
  package var sample: Int
  /// The seed of the sample.
  package var seed: UInt64
  /// The largest acceptable change in scores, such as 0.05 for 5 points.
  package var margin: Double
  package var columns: [Column]

  package init(sample: Int, seed: UInt64, margin: Double, columns: [Column]) {
    self.sample = sample
    self.seed = seed
    self.margin = margin
    self.columns = columns
    decide()
  }

  /// A suite's prompt on one backend.
  package struct Column: Sendable {
    package var suite: String
    package var prompt: String
    package var backend: String
    /// The number of recorded answers that could be requested again.
    package var available: Int
    /// The number of answers that were requested again.
    package var asked: Int
    /// The number of requests that received no answer.
    package var lost = 0
    /// True if scorers pass or fail single cases, so that the scores can be tested for a change.
    package var isJudged = true
    /// The data for the test on paired scores; `nil` if nothing was compared.
    package var test: DriftRule.Test?
    /// The number of answers that differ from the recorded ones but have the same outcome.
    package var reworded = 0
    /// The number of answers that are identical to the recorded ones.
    package var identical = 0
    /// The cases whose outcome changed; newly failing ones come first.
    package var moved: [MovedCase] = []
    /// The changes in the names that the server reports, such as the model's name.
    package var identities: [IdentityChange] = []
    /// Figures that are shown but decide nothing.
    package var figures: [Figure] = []
    /// The outcome of the test on scores.
    ///
    /// It is set when all columns are known, since it depends on the number of tests.
    package fileprivate(set) var outcome = DriftRule.Outcome(.unknown, .notRecorded)

    package init(suite: String, prompt: String, backend: String, available: Int, asked: Int) {
      self.suite = suite
      self.prompt = prompt
      self.backend = backend
      self.available = available
      self.asked = asked
    }

    package var change: PairedChange? { test?.change }
  }

  /// A case whose outcome changed.
  package struct MovedCase: Sendable {
    package var flip: OutcomeFlip
    package var before: Trial
    package var after: Trial

    package init(_ flip: OutcomeFlip, before: Trial, after: Trial) {
      self.flip = flip
      self.before = before
      self.after = after
    }

    package var caseID: String { after.caseID }
  }

  /// A change in the names that servers report, such as the model's name.
  package struct IdentityChange: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
      case model
      case systemFingerprint = "system_fingerprint"
    }

    package var kind: Kind
    package var recorded: [String]
    package var now: [String]

    /// Creates the change between two sets of names, or returns `nil` if no new name appeared.
    package init?(_ kind: Kind, recorded: Set<String>, now: Set<String>) {
      guard !now.isSubset(of: recorded) else { return nil }
      self.kind = kind
      self.recorded = recorded.sorted()
      self.now = now.sorted()
    }
  }

  /// A figure of the recorded answers, and the same figure of the new ones.
  package struct Figure: Hashable, Sendable {
    package var name: String
    package var quantity: Quantity
    package var change: PairedChange

    package init(name: String, quantity: Quantity, change: PairedChange) {
      self.name = name
      self.quantity = quantity
      self.change = change
    }
  }

  private mutating func decide() {
    let places = columns.indices.filter { columns[$0].test != nil && columns[$0].isJudged }
    let outcomes = DriftRule(margin: margin).outcomes(of: places.compactMap { columns[$0].test })
    for (place, outcome) in zip(places, outcomes) { columns[place].outcome = outcome }
    for index in columns.indices where !places.contains(index) {
      let column = columns[index]
      columns[index].outcome =
        if column.asked == 0 {
          DriftRule.Outcome(.unknown, .notRecorded)
        } else if column.lost == column.asked {
          DriftRule.Outcome(.unknown, .noAnswers)
        } else {
          DriftRule.Outcome(.undecided, .unjudged)
        }
    }
  }

  /// The number of tests that the p values are corrected for.
  package var testCount: Int { columns.count { $0.outcome.adjustedP != nil } }

  /// The verdict over all columns: fail if scores changed in any column, pass if scores changed in
  /// no column.
  package var verdict: Verdict { Verdict.overall(columns.map(\.outcome.standing.verdict)) }
}

extension DriftRule.Standing {
  fileprivate var verdict: Verdict {
    switch self {
    case .moved: .fail
    case .still: .pass
    case .undecided: .inconclusive
    case .unknown: .noVerdict
    }
  }
}
