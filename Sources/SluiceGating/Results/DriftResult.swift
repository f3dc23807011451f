package import SluiceCore

/// Recorded answers beside answers to the same requests that were asked for again, suite by suite.
package struct DriftResult: Sendable {
  /// The number of requests of each suite and backend that were wanted.
  package var sample: Int
  /// The seed that the sample was drawn by.
  package var seed: UInt64
  /// The distance that scores may move before it matters, as a share of 1.
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
    /// The number of recorded answers that could have been asked for again.
    package var available: Int
    /// The number of answers that were asked for again.
    package var asked: Int
    /// The number of them that did not come, for whatever reason.
    package var lost = 0
    /// The number of cases that pass or fail by themselves, so that their scores can be tested.
    package var isJudged = true
    /// The scores in pairs; nil where nothing was compared.
    package var test: DriftRule.Test?
    /// Answers that differ from the recorded ones, the outcome being the same.
    package var reworded = 0
    /// Answers that are the same as the recorded ones.
    package var identical = 0
    /// The cases whose outcome moved, those that fail now first.
    package var moved: [MovedCase] = []
    /// The differences in how the server names itself.
    package var identities: [IdentityChange] = []
    /// Figures that are shown and do not decide.
    package var figures: [Figure] = []
    /// The standing of the scores; set once all columns are known.
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

  /// A case whose outcome is another one.
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

  /// A name that servers give themselves, as recorded and as of now.
  package struct IdentityChange: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
      case model
      case systemFingerprint = "system_fingerprint"
    }

    package var kind: Kind
    package var recorded: [String]
    package var now: [String]

    /// The change from some names to others; nil where none of those that are there now is new.
    package init?(_ kind: Kind, recorded: Set<String>, now: Set<String>) {
      guard !now.isSubset(of: recorded) else { return nil }
      self.kind = kind
      self.recorded = recorded.sorted()
      self.now = now.sorted()
    }
  }

  /// A figure of the answers at both times.
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

  /// The number of tests that were corrected for each other.
  package var testCount: Int { columns.count { $0.outcome.adjustedP != nil } }

  /// The verdict over all columns: fail where scores moved, pass where none did.
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
