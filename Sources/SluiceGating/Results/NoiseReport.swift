import SluiceCore

/// What the gates of a suite do for one column when nothing changed.
package struct NoiseReport: Sendable {
  package var suite: String
  package var prompt: String
  package var backend: String
  package var caseCount: Int
  /// How many answers there are to each request.
  package var answers: Int
  /// How many of them a run asks for.
  package var repetitions: Int
  /// The chance that two answers to one request end differently, over the cases; nil with one answer.
  package var discordance: Double?
  /// The share of cases all of whose answers pass (pass^k); nil with one answer.
  package var allPass: Double?
  /// The share of cases of whose answers at least one passes (pass@k); nil with one answer.
  package var anyPasses: Double?
  /// How answers vary between cases and within; nil with one answer.
  package var variance: RepeatVariance?
  package var flaky: [ColumnResult.FlakyCase]
  /// How the gates decide the answers against themselves.
  package var itself: [Decision]
  /// How the gates decided the pairs of runs that were drawn; empty with one answer.
  package var gates: [Gate]
  /// How many of the pairs failed any gate that compares them.
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

  /// How a gate decided pairs of runs between which nothing changed.
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
