import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("The summary of a run")
struct RunSummaryTextTests {
  private func result(_ gates: [Decision]) -> RunResult {
    var result = RunResult.everywhere("inbox")
    result.mixes = []
    result.suites[0].columns[0].gates = gates
    result.suites[0].columns[0].trials = [.fixture("a", .passed)]
    return result
  }

  @Test("The summary states changes since the baseline, and whether a loss is credible")
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
    #expect(RunSummaryText(result).change == "All answers are identical to the baseline.")
    comparison.isIdentical = false
    result.suites[0].columns[0].comparison = comparison
    #expect(RunSummaryText(result).change == "No answers can be compared with the baseline.")
    var two = result
    two.suites += result.suites
    two.suites[1].columns[0].comparison?.isIdentical = true
    let name = result.suites[0].name
    #expect(
      RunSummaryText(two).change
        == "All other answers are identical to the baseline. No answers of \(name) can be compared."
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
