import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Column judge")
struct ColumnJudgeTests {
  private func column(_ result: RunResult) throws -> ColumnResult {
    try #require(result.suites.first?.columns.first)
  }

  private func said(_ column: ColumnResult) -> [String] {
    column.gates.map { "\($0.verdict.rawValue), \($0.reason)" }
  }

  @Test("Without a baseline, a regression gate has no verdict, and nothing is compared")
  func noBaseline() throws {
    let suite = try GatedSuite(cases: 100)
    let result = suite.result { _, _ in .right }
    let column = try column(result)
    #expect(
      said(column) == [
        "pass, met", "pass, claimed", "no-verdict, no-baseline", "not-evaluated, live-only",
      ]
    )
    #expect(column.comparison == nil)
    #expect(result.verdict == .noVerdict)
    let next = result.nextStep(CommandLineOverrides())
    #expect(next?.command == "sluice baseline accept triage")
  }

  @Test("If the baseline has the same answers, every gate passes")
  func identical() throws {
    let suite = try GatedSuite(cases: 100)
    let baseline = try suite.baseline { testCase, _ in testCase < 2 ? .wrong : .right }
    let result = suite.result(against: baseline) { testCase, _ in testCase < 2 ? .wrong : .right }
    let column = try column(result)
    #expect(said(column).prefix(3) == ["pass, met", "pass, claimed", "pass, identical"])
    #expect(result.verdict == .pass)
    let comparison = try #require(column.comparison)
    #expect(comparison.isIdentical)
    #expect(comparison.reference == "the baseline (v1)")
    #expect(comparison.flips == [])
  }

  @Test("A credible loss fails, and its flips are listed")
  func loss() throws {
    let suite = try GatedSuite(cases: 100)
    let baseline = try suite.baseline { testCase, _ in testCase < 2 ? .wrong : .right }
    let result = suite.result(against: baseline) { testCase, _ in
      testCase == 0 ? .otherwiseWrong : testCase == 1 ? .right : testCase < 14 ? .wrong : .right
    }
    let column = try column(result)
    #expect(said(column)[2] == "fail, credible-regression")
    let comparison = try #require(column.comparison)
    #expect(comparison.count(.harmful) == 12)
    #expect(comparison.count(.beneficial) == 1)
    #expect(comparison.count(.wrongToWrong) == 1)
    #expect(comparison.flips.first?.caseID == "case-0")
    #expect(comparison.flips.first?.flip == .wrongToWrong)
    #expect(comparison.changes.first?.name == "accuracy")
    // Only cases with the tag count, of which four got worse.
    #expect(comparison.slices.map(\.tag) == ["third"])
    #expect(comparison.slices.first?.harmful == 4)
    #expect(result.verdict == .fail)
  }

  @Test("Live answers decide conditions marked (live)")
  func live() throws {
    let suite = try GatedSuite(cases: 100)
    let column = try column(suite.result(source: .live) { _, _ in .right })
    #expect(said(column)[3] == "pass, met")
  }

  @Test("A suite with only (live) gates has no verdict on recordings")
  func allLive() throws {
    let suite = try GatedSuite(cases: 3, gates: "gates: [p95(latency) < 1 s (live)]")
    let result = suite.result { _, _ in .right }
    #expect(try said(column(result)) == ["not-evaluated, live-only"])
    #expect(result.verdict == .noVerdict)
  }

  @Test("A waived gate that fails does not fail the suite; one without a verdict leaves none")
  func waiver() throws {
    let gates = """
      gates:
        - accuracy >= 60%
        - accuracy >= 99%
        - no regression in accuracy beyond 5 points
      waivers:
        - {gate: accuracy >= 99%, reason: soon, until: 2026-12-31}
        - {gate: no regression in accuracy beyond 5 points, reason: soon, until: 2026-12-31}
      """
    let suite = try GatedSuite(cases: 60, gates: gates)
    let baseline = try suite.baseline { _, _ in .right }
    let failing = suite.result(against: baseline) { testCase, _ in testCase < 10 ? .wrong : .right }
    let column = try column(failing)
    #expect(column.gates.map(\.verdict) == [.pass, .fail, .fail])
    #expect(column.gates.map(\.effect) == [.pass, .pass, .pass])
    #expect(failing.verdict == .pass)
    let unbased = suite.result { _, _ in .right }
    #expect(try self.column(unbased).gates.map(\.effect) == [.pass, .pass, .noVerdict])
    #expect(unbased.verdict == .noVerdict)
  }

  @Test("A quarantined case runs and is shown, but decides nothing")
  func quarantine() throws {
    let gates = """
      gates:
        - accuracy >= 100%
        - no regression in accuracy beyond 5 points
      quarantine:
        - {case: case-7, reason: flaky, until: 2026-12-31}
      """
    let suite = try GatedSuite(cases: 60, gates: gates)
    let baseline = try suite.baseline { _, _ in .right }
    for answer in [GatedSuite.Answer.wrong, nil] {
      let result = suite.result(against: baseline) { testCase, _ in testCase == 7 ? answer : .right
      }
      let column = try column(result)
      #expect(result.verdict == .pass)
      #expect(column.trials.count == 60)
      #expect(column.gates[0].estimate.n == 59)
      #expect(column.gates[1].reason == .identical)
      #expect(column.comparison?.flips == [])
      #expect(column.quarantine.keys.sorted() == ["case-7"])
    }
  }

  @Test("A missing recording of a quarantined case does not affect the verdict")
  func missedQuarantine() throws {
    let suite = try GatedSuite(
      cases: 2,
      gates: """
        gates: [accuracy >= 60%]
        quarantine: [{case: case-1, reason: flaky, until: 2026-12-31}]
        """
    )
    var trials = suite.trials { _, _ in .right }
    trials[1].outcome = .lost(.noRecording(RecordingMiss(reason: .newCase)))
    let judge = ColumnJudge(suite.suite, source: .recorded)
    #expect(judge.result(trials, baselines: [:]).verdict == .pass)
    trials[0].outcome = trials[1].outcome
    #expect(judge.result(trials, baselines: [:]).verdict == .noVerdict)
  }

  @Test("A case whose repeats end differently is flaky")
  func flaky() throws {
    let suite = try GatedSuite(cases: 4, gates: "repeat: 3\ngates: [accuracy >= 60%]")
    let result = suite.result { testCase, repetition in
      testCase == 1 && repetition == 2 || testCase == 2 ? .wrong : .right
    }
    let column = try column(result)
    #expect(column.flakyCases == [.init(caseID: "case-1", passed: 2, of: 3)])
    // The case counts with the share of its repeats that pass.
    #expect(column.gates[0].estimate.value.map { ($0 * 12).rounded() } == 8)
    #expect(column.gates[0].estimate.n == 4)
    // Lost repeats make a case neither passed nor flaky.
    let lost = suite.result { testCase, repetition in repetition == 2 ? nil : .right }
    #expect(try self.column(lost).flakyCases == [])
  }

  @Test("A gate that fails alone can be inconclusive after correction over several gates")
  func holm() throws {
    let gates = """
      gates:
        - no regression in accuracy beyond 5 points
        - no regression in accuracy[tag=third] beyond 50 points
        - no regression in unusable-rate beyond 5 points
      """
    let suite = try GatedSuite(cases: 100, gates: gates)
    let baseline = try suite.baseline { testCase, _ in testCase < 2 ? .wrong : .right }
    let column = try column(
      suite.result(against: baseline) { testCase, _ in
        testCase < 2 ? .right : testCase < 11 ? .wrong : .right
      }
    )
    #expect(column.gates[0].change?.basis == .flips(harmful: 9, beneficial: 2))
    #expect(
      said(column) == [
        "inconclusive, not-credible-together", "pass, within-margin", "pass, within-margin",
      ]
    )
  }

  @Test("Both sides use today's prices, so a new price is not a regression")
  func prices() throws {
    let gates = "gates: [no regression in mean(cost) beyond 10%]"
    let suite = try GatedSuite(cases: 60, gates: gates)
    var baseline = try suite.baseline { _, _ in .right }
    for index in baseline.trials.indices { baseline.trials[index].output?.cost = 100 }
    let column = try column(suite.result(against: baseline) { _, _ in .right })
    #expect(said(column) == ["pass, identical"])
    #expect(column.gates[0].change?.baseline == column.gates[0].change?.candidate)
  }

  @Test("With no cases, one case or only lost trials, the verdict is computed without a crash")
  func edges() throws {
    let one = try GatedSuite(cases: 1)
    let baseline = try one.baseline { _, _ in .right }
    #expect(one.result(against: baseline) { _, _ in .right }.verdict == .inconclusive)
    #expect(one.result(against: baseline) { _, _ in .wrong }.verdict == .fail)
    let lost = one.result(against: baseline) { _, _ in nil }
    #expect(lost.verdict == .noVerdict)
    #expect(
      try column(lost).gates.prefix(3).map(\.reason) == [.lostTrials, .lostTrials, .lostTrials]
    )
    #expect(
      ColumnJudge(one.suite, source: .recorded).result([], baselines: [:]).verdict == .noVerdict
    )
    for result in [lost, one.result { _, _ in nil }] {
      _ = TerminalReport(result, style: TerminalStyle(isColored: false)).text
      _ = MarkdownReport(result).bytes
      _ = JSONReport(result).bytes
      _ = JUnitReport(result).bytes
    }
  }
}
