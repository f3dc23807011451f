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

  /// Returns a suite of 100 cases, of which one is better and a number are worse.
  ///
  /// If that number is 0, all answers are identical.
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

  @Test("A suite has the same verdict alone and together with others")
  func suites() throws {
    // 9 of 100 cases are worse and one is better: p = .0057, which fails among two gates but not
    // among six.
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

  @Test("With the call as the family, a failure is corrected over the gates of all suites")
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
      gate.explanation == "fails alone; not when corrected for the 10 gates of the run"
    )
    let correction = try #require(gate.correction)
    #expect(correction.family == .call)
    #expect(correction.factor == 10)
    #expect(correction.adjustedP == 10 * correction.p)
  }

  @Test("With the call as the family, a clear failure elsewhere can make a close one fail")
  func helped() throws {
    // 6 cases are worse and one is better: p = .029, too much for two gates, but enough once the
    // other gate has failed.
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

  @Test("Gates that were corrected as one family can be corrected again as another")
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
        == "fails alone; not when corrected for the 2 gates of the run"
    )
    #expect(
      alone.suites[0].columns[0].gates[0].correction?.takenBack?.reason
        == .credibleRegressionSizeUnknown
    )
  }

  @Test("The chance of a false alarm counts suites with changed answers: 5% each, or 5% per call")
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

  @Test("Comparisons of several suites can be corrected as one family, with updated verdicts")
  func revisions() async throws {
    func compared(_ name: String, wrong: Int) async throws -> ConfigurationComparison {
      let revisions = try TwoRevisions(cases: 100)
      try revisions.makeWorse()
      try await revisions.record(guessingWrong: wrong)
      var comparison = try #require(try revisions.compare().comparisons.first)
      comparison.suite = name
      return comparison
    }
    // 5 of 100 cases are worse: p = .013.
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
