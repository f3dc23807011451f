import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Comparing a suite with itself")
struct NoiseCheckTests {
  private static let gates = """
    repeat: 1
    gates:
      - accuracy >= 10%
      - no regression in accuracy beyond 5 points
    """

  /// Returns the report on a suite with a number of answers per case, all of which a run uses.
  private func report(
    cases: Int,
    answers: Int,
    repetitions: Int = 1,
    gates: String = gates,
    draws: Int = 200,
    seed: UInt64 = 1,
    _ answer: (Int, Int) -> GatedSuite.Answer?
  ) throws -> NoiseReport {
    let suite = try GatedSuite(
      cases: cases,
      gates: gates.replacing("repeat: 1", with: "repeat: \(answers)")
    )
    let reports = NoiseCheck(suite.suite, draws: draws, seed: seed)
      .reports(suite.trials(answer), repetitions: repetitions)
    try #require(reports.count == 1)
    return reports[0]
  }

  /// Returns answers that are randomly wrong, for a seed.
  private func noise(_ seed: UInt64, wrong: @escaping (Int) -> Double)
    -> (Int, Int) -> GatedSuite.Answer
  {
    { testCase, repetition in
      var random = SeededGenerator(
        seed: seed &+ UInt64(testCase) &* 1_000_003 &+ UInt64(repetition) &* 7_919
      )
      return Double(random.uniform(below: 1_000_000)) / 1e6 < wrong(testCase) ? .wrong : .right
    }
  }

  @Test(
    "Answers are identical to themselves, and every regression gate passes",
    arguments: [1, 5, 30, 156],
    [1, 3]
  )
  func itself(cases: Int, answers: Int) throws {
    let report = try report(cases: cases, answers: answers, draws: 1) { testCase, repetition in
      (testCase + repetition) % 4 == 0 ? .wrong : .right
    }
    #expect(report.itself.map(\.reason).last == .identical)
    #expect(report.itself.map(\.verdict).last == .pass)
    #expect(report.caseCount == cases)
    #expect(report.answers == answers)
  }

  @Test("One answer per request measures no noise")
  func oneAnswer() throws {
    let report = try report(cases: 30, answers: 1) { _, _ in .right }
    #expect(report.discordance == nil)
    #expect(report.allPass == nil)
    #expect(report.anyPasses == nil)
    #expect(report.variance == nil)
    #expect(report.gates.isEmpty)
    #expect(report.draws == 0)
    #expect(report.flaky == [])
  }

  @Test("A case with fewer answers than the others limits all cases to that number")
  func unequalAnswers() throws {
    let suite = try GatedSuite(
      cases: 3,
      gates: Self.gates.replacing("repeat: 1", with: "repeat: 4")
    )
    var trials = suite.trials { _, repetition in repetition == 1 ? .wrong : .right }
    trials.removeAll { $0.caseID == "case-1" && $0.repetition > 1 }
    let check = NoiseCheck(suite.suite, draws: 10)
    let one = try #require(check.reports(trials, repetitions: 1).first)
    #expect(one.answers == 1)
    #expect(one.discordance == nil)
    #expect(one.draws == 0)
  }

  @Test("The chance that two answers end differently is computed over all pairs")
  func discordance() throws {
    // The example from the specification: the number of passing answers out of five.
    let passes = [5, 5, 4, 3, 2, 0, 5, 5]
    let report = try report(cases: 8, answers: 5) { testCase, repetition in
      repetition <= passes[testCase] ? .right : .wrong
    }
    var differing = 0
    for passes in passes {
      let answers = (1...5).map { $0 <= passes }
      for first in 0..<5 {
        for second in 0..<5 where first != second && answers[first] != answers[second] {
          differing += 1
        }
      }
    }
    let counted = Double(differing) / Double(8 * 20)
    #expect(counted == 0.2)
    #expect(try #require(report.discordance).distance(to: counted).magnitude < 1e-12)
    #expect(report.allPass == 0.5)
    #expect(report.anyPasses == 0.875)
    let variance = try #require(report.variance)
    #expect(variance.mean.distance(to: 0.725).magnitude < 1e-12)
    #expect(try #require(variance.standardError).distance(to: 0.13059).magnitude < 1e-4)
    #expect(try #require(variance.standardError(repeats: 1)).distance(to: 0.1645).magnitude < 1e-4)
    #expect(
      report.flaky.map { "\($0.caseID): \($0.passed) of \($0.of)" } == [
        "case-2: 4 of 5", "case-3: 3 of 5", "case-4: 2 of 5",
      ]
    )
  }

  @Test("The same seed draws the same pairs, and another seed draws others")
  func seeds() throws {
    func counts(_ seed: UInt64) throws -> [[Int]] {
      try report(cases: 60, answers: 4, draws: 60, seed: seed, noise(7) { _ in 0.1 }).gates.map {
        [$0.passed, $0.failed, $0.inconclusive]
      }
    }
    #expect(try counts(1) == counts(1))
    #expect(try counts(1) != counts(2))
  }

  @Test("Every gate decides every pair of runs")
  func totals() throws {
    let report = try report(cases: 60, answers: 4, noise(7) { _ in 0.1 })
    #expect(report.draws == 200)
    for gate in report.gates { #expect(gate.passed + gate.failed + gate.inconclusive == 200) }
    #expect(
      report.gates.map(\.condition.text) == [
        "accuracy >= 10%", "no regression in accuracy beyond 5 points",
      ]
    )
    #expect(report.gates[0].passed == 200)
    #expect(report.anyFailed == report.gates[1].failed)
  }

  @Test("Without noise, no pair of runs raises an alarm")
  func noNoise() throws {
    let report = try report(cases: 60, answers: 4) { testCase, _ in testCase < 9 ? .wrong : .right }
    #expect(report.discordance == 0)
    #expect(report.gates.map(\.passed) == [200, 200])
    #expect(report.anyFailed == 0)
  }

  @Test(
    "With pure noise, the gates raise an alarm in at most about one of twenty pairs",
    arguments: [0.02, 0.1, 0.3]
  )
  func falseAlarms(wrong: Double) throws {
    var (failed, draws) = (0, 0)
    // Each iteration has different noise, because draws from one set of answers depend on each
    // other.
    for seed in 0..<5 {
      let report = try report(cases: 80, answers: 6, draws: 100, noise(UInt64(seed)) { _ in wrong })
      failed += report.anyFailed
      draws += report.draws
    }
    #expect(Double(failed) / Double(draws) < 0.075)
  }

  @Test("Runs with several repeats are less noisy")
  func repeats() throws {
    func undecided(_ repetitions: Int) throws -> Int {
      let report = try report(
        cases: 60,
        answers: 6,
        repetitions: repetitions,
        draws: 60,
        noise(3) { _ in 0.15 }
      )
      return report.gates[1].inconclusive + report.gates[1].failed
    }
    #expect(try undecided(3) < undecided(1))
  }

  @Test("Quarantined cases do not count")
  func quarantine() throws {
    let gates =
      Self.gates + "\nquarantine: [{case: case-3, reason: flaky, until: 2026-12-31}]\n"
    let report = try report(cases: 10, answers: 2, gates: gates) { testCase, repetition in
      testCase == 3 ? (repetition == 1 ? nil : .wrong) : .right
    }
    #expect(report.caseCount == 9)
    #expect(report.discordance == 0)
    #expect(report.flaky == [])
    #expect(report.lost == 0)
    #expect(report.itself.last?.reason == .identical)
  }

  @Test("Lost trials are counted and leave no verdict")
  func lost() throws {
    let report = try report(cases: 60, answers: 3) { testCase, _ in testCase < 3 ? nil : .right }
    #expect(report.lost == 9)
    #expect(report.caseCount == 57)
    #expect(report.itself.last?.verdict == .noVerdict)
    #expect(report.discordance == 0)
    let all = try self.report(cases: 3, answers: 1) { _, _ in nil }
    #expect(all.lost == 3)
    #expect(all.answers == 0)
    #expect(all.caseCount == 0)
    #expect(all.discordance == nil)
  }

  @Test("Gates on live answers decide no pair")
  func live() throws {
    let report = try report(
      cases: 5,
      answers: 2,
      gates: "repeat: 1\ngates: [p95(latency) < 1 s (live)]",
      draws: 3
    ) { _, _ in .right }
    #expect(report.gates.map { [$0.passed, $0.failed, $0.inconclusive] } == [[0, 0, 0]])
    #expect(report.anyFailed == 0)
  }
}
