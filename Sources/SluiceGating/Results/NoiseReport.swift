import SluiceCore

/// The noise of one column's answers, and the gates' decisions when nothing changed.
package struct NoiseReport: Sendable {
  package var suite: String
  package var prompt: String
  package var backend: String
  package var caseCount: Int
  /// The number of recorded answers to each request.
  package var answers: Int
  /// The number of answers to each request in one simulated run.
  package var repetitions: Int
  /// The chance that two answers to the same request have different outcomes, averaged over the
  /// cases with at least two answers.
  ///
  /// This is `nil` if each request has only one answer.
  package var discordance: Double?
  /// The share of cases for which all answers pass (pass^k); `nil` if each request has one answer.
  package var allPass: Double?
  /// The share of cases for which any answer passes (pass@k); `nil` if each request has one answer.
  package var anyPasses: Double?
  /// The variance of outcomes between and within cases; `nil` if each request has one answer.
  package var variance: RepeatVariance?
  package var flaky: [ColumnResult.FlakyCase]
  /// The decisions of the gates when all answers are compared with themselves.
  package var itself: [Decision]
  /// The gates' decisions on pairs of runs that are drawn at random from the answers; empty if each
  /// request has one answer.
  package var gates: [Gate]
  /// The number of drawn pairs on which at least one regression gate failed.
  package var anyFailed: Int
  package var draws: Int
  package var lost: Int

  package init(
    suite: String,
    prompt: String,
    backend: String,
    caseCount: Int,
    answers: Int,
    repetitions: Int,
    discordance: Double? = nil,
    allPass: Double? = nil,
    anyPasses: Double? = nil,
    variance: RepeatVariance? = nil,
    flaky: [ColumnResult.FlakyCase],
    itself: [Decision],
    gates: [Gate],
    anyFailed: Int,
    draws: Int,
    lost: Int
  ) {
    self.suite = suite
    self.prompt = prompt
    self.backend = backend
    self.caseCount = caseCount
    self.answers = answers
    self.repetitions = repetitions
    self.discordance = discordance
    self.allPass = allPass
    self.anyPasses = anyPasses
    self.variance = variance
    self.flaky = flaky
    self.itself = itself
    self.gates = gates
    self.anyFailed = anyFailed
    self.draws = draws
    self.lost = lost
  }

  /// A gate, and the number of drawn pairs of runs on which it reached each verdict.
  ///
  /// Nothing changed between the runs of a pair.
  package struct Gate: Sendable {
    package var condition: Condition
    package var passed: Int
    package var failed: Int
    package var inconclusive: Int

    package init(condition: Condition, passed: Int, failed: Int, inconclusive: Int) {
      self.condition = condition
      self.passed = passed
      self.failed = failed
      self.inconclusive = inconclusive
    }
  }
}
