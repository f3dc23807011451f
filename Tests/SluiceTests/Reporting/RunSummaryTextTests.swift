@testable import Sluice
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
    #expect(RunSummaryText.reason(result([held])) == "The one gate holds in 1 suite.")
    #expect(
      RunSummaryText.reason(result([held, waived, live]))
        == "All 3 gates hold in 1 suite, 1 of them waived, 1 of them on live answers alone, "
        + "not decided here."
    )
    #expect(RunSummaryText.reason(result([])) == "There are no gates in 1 suite.")
    #expect(RunSummaryText.reason(RunResult(suites: [])) == "No suite ran.")
  }

  @Test("Gates that fail or are not decided are named with their numbers, three of them")
  func fails() {
    let failed = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 8, of: 10))
    let open = Decision.fixture("f1 >= 50%", .noVerdict, Estimate(unknown: "nothing was measured"))
    #expect(
      RunSummaryText.reason(result([failed, open]))
        == "1 of 2 gates fails: inbox accuracy >= 85% (80.0%). "
        + "1 gate is not decided: inbox f1 >= 50% (unknown: nothing was measured)."
    )
    #expect(
      RunSummaryText.reason(result(Array(repeating: failed, count: 5))).hasSuffix(" and 2 more.")
    )
  }

  @Test("What changed since the baseline is told with whether it is real")
  func changes() {
    var result = result([])
    #expect(RunSummaryText.change(result) == nil)
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
    #expect(RunSummaryText.change(result) == "Since the baseline every answer is the same.")
    comparison.isIdentical = false
    comparison.flips = [
      .init(caseID: "a", flip: .harmful), .init(caseID: "b", flip: .harmful),
      .init(caseID: "c", flip: .beneficial),
    ]
    result.suites[0].columns[0].comparison = comparison
    #expect(
      RunSummaryText.change(result)
        == "Since the baseline answers changed in inbox: 2 cases that passed fail now, "
        + "1 case that failed pass now. No gate finds a loss that chance does not explain."
    )
    var gate = Decision.fixture("no regression in accuracy", .fail, Estimate(rate: 8, of: 10))
    gate.reason = .credibleRegression
    result.suites[0].columns[0].gates = [gate]
    #expect(
      RunSummaryText.change(result)?.hasSuffix(
        " The loss in inbox accuracy is more than chance explains."
      ) == true
    )
  }
}
