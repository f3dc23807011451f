import SluiceSupport

/// Counts the requests of a live call by purpose.
package final class SendingTally: Sendable {
  /// The numbers of requests of a live call by purpose.
  package struct Count: Hashable, Sendable {
    /// The number of trials with an answer.
    package var answers = 0
    /// The number of answered judge requests.
    package var verdicts = 0
    /// The number of asked trials without an answer.
    package var unanswered = 0
    /// The number of trials that were never asked because the budget was exhausted.
    package var unsent = 0
    /// The number of retries, by the error that caused them.
    package var sentAgain: [BackendError.Kind: Int] = [:]
    /// The backends' consumption.
    package var used = Meter.Count()

    package init() {}
  }

  private let meter: Meter
  private let state = Locked(Count())

  /// Creates a tally.
  ///
  /// - Parameter meter: The counter of all backends' requests.
  package init(_ meter: Meter) { self.meter = meter }

  /// The current count.
  package var count: Count {
    var count = state.withLock { $0 }
    count.used = meter.count
    return count
  }

  /// Records a finished trial.
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
      // After the last failure, nothing more was sent.
      if case .lost(.noAnswer(let error)) = judged.trial.outcome, error.kind == .budgetSpent {
        again = again.dropLast()
      }
      for failure in again { state.sentAgain[failure.kind, default: 0] += 1 }
    }
  }
}
