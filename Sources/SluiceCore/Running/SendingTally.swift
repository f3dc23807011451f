import SluiceSupport

/// Counts what a live call sends, and for what.
package final class SendingTally: Sendable {
  /// What a live call sent, and for what.
  package struct Count: Hashable, Sendable {
    /// The trials that got an answer.
    package var answers = 0
    /// The requests of judges that were answered.
    package var verdicts = 0
    /// The trials that were asked and got none.
    package var unanswered = 0
    /// The trials that were never asked, as the budget was used up.
    package var unsent = 0
    /// The requests that were sent again, by the trouble that made it necessary.
    package var sentAgain: [BackendError.Kind: Int] = [:]
    /// What backends used up.
    package var used = Meter.Count()

    package init() {}
  }

  private let meter: Meter
  private let state = Locked(Count())

  /// Creates a tally.
  ///
  /// - Parameter meter: What counts the requests of all backends.
  package init(_ meter: Meter) { self.meter = meter }

  /// What was counted so far.
  package var count: Count {
    var count = state.withLock { $0 }
    count.used = meter.count
    return count
  }

  /// Notes a trial that ended.
  package func note(_ judged: JudgedTrial) {
    state.withLock { state in
      if judged.trial.isAnswered {
        state.answers += 1
        state.verdicts +=
          judged.trial.output?.judging.reduce(0) { $0 + $1.requests } ?? 0
      } else if case .lost(.noAnswer(let error)) = judged.trial.outcome,
        error.kind == .budgetSpent, judged.effort.failures.isEmpty
      {
        state.unsent += 1
      } else {
        state.unanswered += 1
      }
      var again = judged.effort.failures
      // After the last failure nothing was sent any more.
      if case .lost(.noAnswer(let error)) = judged.trial.outcome, error.kind == .budgetSpent {
        again = again.dropLast()
      }
      for failure in again { state.sentAgain[failure.kind, default: 0] += 1 }
    }
  }
}
