import SluiceCore

/// The behavior of a suite's gates on one column when nothing changed.
package struct NoiseReport: Sendable {
  package var suite: String
  package var prompt: String
  package var backend: String
  package var caseCount: Int
  /// The number of answers to each request.
  package var answers: Int
  /// The number of answers to each request in a run.
  package var repetitions: Int
  /// The chance that two answers to one request have different outcomes, over the cases.
  ///
  /// This is `nil` with one answer.
  package var discordance: Double?
  /// The share of cases for which all answers pass (pass^k), or `nil` with one answer.
  package var allPass: Double?
  /// The share of cases for which at least one answer passes (pass@k), or `nil` with one answer.
  package var anyPasses: Double?
  /// The variance of answers between and within cases, or `nil` with one answer.
  package var variance: RepeatVariance?
  package var flaky: [ColumnResult.FlakyCase]
  /// The decisions of the gates on the answers compared with themselves.
  package var itself: [Decision]
  /// The decisions of the gates on the drawn pairs of runs; empty with one answer.
  package var gates: [Gate]
  /// The number of pairs that failed at least one gate that compares them.
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

  /// The decisions of a gate on pairs of runs between which nothing changed.
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
