import SluiceSupport

/// A counter of the requests of a live run, by purpose.
package final class SendingTally: Sendable {
  /// The numbers of requests of a live run, by purpose.
  package struct Count: Hashable, Sendable {
    /// The number of trials with an answer.
    package var answers = 0
    /// The number of requests to judges that were answered.
    package var verdicts = 0
    /// The number of trials whose request was sent but not answered.
    package var unanswered = 0
    /// The number of trials whose request was never sent because the budget was exhausted.
    package var unsent = 0
    /// The number of retries, by the kind of error of the failed attempt.
    package var sentAgain: [BackendError.Kind: Int] = [:]
    /// The tokens, cost and requests that the backends used.
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
        error.kind == .budgetSpent, judged.statistics.failures.isEmpty
      {
        state.unsent += 1
      } else {
        state.unanswered += 1
      }
      var again = judged.statistics.failures
      // The budget was exhausted, so nothing was sent after the last failure.
      if case .lost(.noAnswer(let error)) = judged.trial.outcome, error.kind == .budgetSpent {
        again = again.dropLast()
      }
      for failure in again { state.sentAgain[failure.kind, default: 0] += 1 }
    }
  }
}
