import SampleProjects
@testable import Sluice
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Families of gates")
struct GateFamilyTests {
  private static let gates = """
    gates:
      - no regression in accuracy beyond 5 points
      - no regression in unusable-rate beyond 5 points
    """

  /// Returns a suite of 100 cases with one improved and a number of worse ones; without either, all
  /// answers are identical.
  static func suite(_ name: String, worse: Int, gates: String = gates) throws -> SuiteResult {
    let suite = try GatedSuite(cases: 100, gates: gates)
    let baseline = try suite.baseline { testCase, _ in
      testCase == 99 && worse > 0 ? .wrong : .right
    }
    var result = suite.result(against: baseline) { testCase, _ in
      testCase < worse ? .wrong : .right
    }.suites[0]
    result.name = name
    return result
  }

  private func verdicts(_ result: RunResult) -> [Verdict] { result.suites.map(\.verdict) }

  @Test("A suite has the same verdict alone and in a larger call")
  func suites() throws {
    // 9 of 100 got worse and one better: p = .0057, which two gates let fail and six do not.
    let worse = try Self.suite("worse", worse: 9)
    let others = try ["second", "third", "fourth", "fifth"].map { try Self.suite($0, worse: 0) }
    let alone = RunResult(suites: [worse])
    let together = RunResult(suites: [worse] + others)
    #expect(verdicts(alone) == [.fail])
    #expect(verdicts(together) == [.fail, .pass, .pass, .pass, .pass])
    #expect(together.suites[0].columns[0].gates == alone.suites[0].columns[0].gates)
    #expect(together.suites[0].columns[0].gates[0].correction?.gates == 2)
    #expect(together.verdict == .fail)
    #expect(ExitCode(together.verdict) == .fail)
  }

  @Test("With the call as the family a failure of one suite is held against the gates of all")
  func call() throws {
    let worse = try Self.suite("worse", worse: 9)
    let others = try ["second", "third", "fourth", "fifth"].map { try Self.suite($0, worse: 0) }
    #expect(verdicts(RunResult(suites: [worse], family: .call)) == [.fail])
    let together = RunResult(suites: [worse] + others, family: .call)
    #expect(verdicts(together) == [.inconclusive, .pass, .pass, .pass, .pass])
    #expect(together.verdict == .inconclusive)
    #expect(ExitCode(together.verdict) == .inconclusive)
    let gate = together.suites[0].columns[0].gates[0]
    #expect(gate.reason == .notCredibleTogether)
    #expect(
      gate.explanation == "would fail alone; not after Holm's correction for the 10 gates of the "
        + "call"
    )
    let correction = try #require(gate.correction)
    #expect(correction.family == .call)
    #expect(correction.factor == 10)
    #expect(correction.adjustedP == 10 * correction.p)
  }

  @Test("A suite whose own gates take a failure back fails beside a suite that fails clearly")
  func helped() throws {
    // 6 worse and one better: p = .029, too much for two gates, and enough once the other has failed.
    let gates = "gates: [no regression in accuracy beyond 5 points]"
    let close = try Self.suite("close", worse: 6, gates: gates)
    let clear = try Self.suite("clear", worse: 40, gates: gates)
    let same = try Self.suite("same", worse: 0, gates: gates)
    #expect(verdicts(RunResult(suites: [close, same], family: .call)) == [.inconclusive, .pass])
    #expect(verdicts(RunResult(suites: [close, clear], family: .call)) == [.fail, .fail])
    #expect(
      verdicts(RunResult(suites: [close, clear, same], family: .call))
        == [.inconclusive, .fail, .pass]
    )
  }

  @Test("Gates that were corrected as one family can be corrected by suite and as another one")
  func again() throws {
    let close = try Self.suite("close", worse: 6)
    #expect(close.verdict == .inconclusive)
    let same = try Self.suite("same", worse: 0)
    let call = RunResult(suites: [close, same], family: .call)
    #expect(call.suites[0].columns[0].gates[0].correction?.gates == 4)
    let alone = RunResult(suites: [call.suites[0]], family: .call)
    #expect(alone.suites[0].columns[0].gates[0].correction?.gates == 2)
    #expect(
      alone.suites[0].columns[0].gates[0].explanation
        == "would fail alone; not after Holm's correction for the 2 gates of the call"
    )
    #expect(
      alone.suites[0].columns[0].gates[0].correction?.takenBack?.reason
        == .credibleRegressionSizeUnknown
    )
  }

  @Test("False alarms are counted over suites with changed answers, at 5% each or 5% in all")
  func falseAlarms() throws {
    let worse = try (0..<3).map { try Self.suite("worse \($0)", worse: 6) }
    let same = try Self.suite("same", worse: 0)
    let plain = try Self.suite("plain", worse: 6, gates: "gates: [accuracy >= 10%]")
    let waived = try Self.suite(
      "waived",
      worse: 6,
      gates: """
        gates: [no regression in accuracy beyond 5 points]
        waivers:
          - {gate: no regression in accuracy beyond 5 points, reason: soon, until: 2026-12-31}
        """
    )
    let suites = worse + [same, plain, waived]
    let alarms = RunResult(suites: suites).falseAlarms
    #expect(alarms.suites == 3)
    #expect(alarms.gates == 6)
    // 1 - 0.95³
    #expect(abs(alarms.chance - 0.142625) < 1e-12)
    #expect(RunResult(suites: suites, family: .call).falseAlarms.chance == 0.05)
    #expect(RunResult(suites: [same]).falseAlarms.chance == 0)
    #expect(RunResult(suites: [same], family: .call).falseAlarms.chance == 0)
  }

  @Test("Revisions of several suites are corrected as one family, and their verdicts follow")
  func revisions() async throws {
    func compared(_ name: String, wrong: Int) async throws -> ConfigurationComparison {
      let revisions = try TwoRevisions(cases: 100)
      try revisions.makeWorse()
      try await revisions.record(guessingWrong: wrong)
      var comparison = try #require(try revisions.compare().comparisons.first)
      comparison.suite = name
      return comparison
    }
    // 5 of 100 got worse: p = .013.
    var result = ComparisonResult([
      try await compared("worse", wrong: 5), try await compared("second", wrong: 0),
      try await compared("third", wrong: 0), try await compared("fourth", wrong: 0),
    ])
    #expect(result.comparisons.map(\.verdict) == [.fail, .pass, .pass, .pass])
    #expect(result.verdict == .fail)
    #expect(result.falseAlarms?.suites == 1)
    result.correctAsOne()
    #expect(result.family == .call)
    #expect(result.comparisons.map(\.verdict) == [.inconclusive, .pass, .pass, .pass])
    #expect(result.verdict == .inconclusive)
    #expect(result.comparisons[0].gates[0].reason == .notCredibleTogether)
    #expect(
      result.comparisons[0].gates == result.comparisons[0].configurations[1].column.gates
    )
  }
}
