import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("What a run came to in a sentence")
struct RunSummaryTextTests {
  private func result(_ gates: [Decision]) -> RunResult {
    var result = RunResult.everywhere("inbox")
    result.mixes = []
    result.suites[0].columns[0].gates = gates
    result.suites[0].columns[0].trials = [.fixture("a", .passed)]
    return result
  }

  @Test("Gates that hold are counted, with those that are waived or about live answers")
  func holds() {
    let held = Decision.fixture("accuracy >= 50%", .pass, Estimate(rate: 9, of: 10))
    var waived = Decision.fixture("accuracy >= 95%", .fail, Estimate(rate: 9, of: 10))
    waived.waiver = Exemption(reason: "a known fault", until: "2026-12-31")
    let live = Decision.fixture("p95(latency) < 1 s", .notEvaluated, Estimate(unknown: "recorded"))
    #expect(RunSummaryText(result([held])).reason == "The one gate holds in 1 suite.")
    #expect(
      RunSummaryText(result([held, waived, live])).reason
        == "All 3 gates hold in 1 suite, 1 of them waived, 1 of them on live answers alone, "
        + "not decided here."
    )
    #expect(RunSummaryText(result([])).reason == "There are no gates in 1 suite.")
    #expect(RunSummaryText(RunResult(suites: [])).reason == "No suite ran.")
  }

  @Test("Gates that fail or are not decided are named with their numbers, three of them")
  func fails() {
    let failed = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 8, of: 10))
    let open = Decision.fixture("f1 >= 50%", .noVerdict, Estimate(unknown: "nothing was measured"))
    #expect(
      RunSummaryText(result([failed, open])).reason
        == "1 of 2 gates fails: inbox accuracy >= 85% (80.0%). "
        + "1 gate is not decided: inbox f1 >= 50% (unknown: nothing was measured)."
    )
    #expect(
      RunSummaryText(result(Array(repeating: failed, count: 5))).reason.hasSuffix(" and 2 more.")
    )
  }

  @Test("What changed since the baseline is told with whether it is real")
  func changes() {
    var result = result([])
    #expect(RunSummaryText(result).change == nil)
    var comparison = RunComparison(
      reference: "the baseline (v1)",
      isIdentical: true,
      changedCases: [],
      addedCases: [],
      removedCases: [],
      reslicedCases: [],
      changedScorers: [],
      flips: [],
      changes: [],
      slices: []
    )
    result.suites[0].columns[0].comparison = comparison
    #expect(RunSummaryText(result).change == "Every answer is that of the baseline.")
    comparison.isIdentical = false
    result.suites[0].columns[0].comparison = comparison
    #expect(RunSummaryText(result).change == "No answer can be compared with the baseline.")
    var two = result
    two.suites += result.suites
    two.suites[1].columns[0].comparison?.isIdentical = true
    let name = result.suites[0].name
    #expect(
      RunSummaryText(two).change
        == "Every other answer is that of the baseline. No answer of \(name) can be compared."
    )
    comparison.flips = [
      .init(caseID: "a", flip: .harmful), .init(caseID: "b", flip: .harmful),
      .init(caseID: "c", flip: .beneficial),
    ]
    result.suites[0].columns[0].comparison = comparison
    #expect(
      RunSummaryText(result).change
        == "Since the baseline: 2 cases newly failing, 1 newly passing. No loss is credible."
    )
  }
}
