import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("The meaning of a verdict in a sentence")
struct VerdictTextTests {
  private static let passed = Decision.fixture("accuracy >= 50%", .pass, Estimate(rate: 9, of: 10))
  private static let failed = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 8, of: 10))
  private static let open = Decision.fixture(
    "f1 >= 50%",
    .noVerdict,
    Estimate(unknown: "nothing was measured")
  )
  private static var regression: Decision {
    var gate = Decision.fixture("no regression", .pass, Estimate(rate: 9, of: 10))
    gate.change = .fixture(0, 1, 10)
    return gate
  }

  private static func said(_ gates: [Decision], goals: [Decision] = [], suites: Int = 1) -> String {
    var suite = RunResult.everywhere("inbox").suites[0]
    suite.columns[0].gates = gates
    suite.columns[0].goals = goals
    let all = (0..<suites).map { index in
      var suite = suite
      if index > 0 { suite.name = "inbox-\(index)" }
      return suite
    }
    return VerdictText(RunResult(suites: all)).meaning
  }

  @Test(
    "It counts gates and goals, names the suites of what fails, and says no regression only of a gate on one",
    arguments: [
      (said([passed]), "The only gate passes."),
      (said([passed, regression]), "No regression. All 2 gates pass."),
      (
        said([passed], goals: [passed, failed, open]),
        "The only gate passes. 1 of 3 goals reached, 1 not reached yet, 1 undecided."
      ),
      (said([passed], goals: [passed]), "The only gate passes. 1 of 1 goal reached."),
      (said([failed, passed]), "1 of 2 gates fails."),
      (said([failed, failed, open]), "2 of 3 gates fail; 1 is undecided."),
      (said([open, open]), "2 of 2 gates are undecided."),
      (said([failed], suites: 2), "2 of 2 gates fail, in inbox, inbox-1."),
      (
        said([failed], suites: 5),
        "5 of 5 gates fail, in inbox, inbox-1, inbox-2 and 2 more."
      ),
      (said([]), "No suite has gates, so nothing was decided."),
      (said([], suites: 0), "No suite ran."),
    ]
  )
  func meaning(text: String, expected: String) {
    #expect(text == expected)
  }

  @Test(
    "Gates that are waived, or decided only on live answers, are counted beside those that pass"
  )
  func exceptions() {
    var waived = Self.failed
    waived.waiver = Exemption(reason: "a known fault", until: "2026-12-31")
    let live = Decision.fixture("p95(latency) < 1 s", .notEvaluated, Estimate(unknown: "recorded"))
    #expect(
      Self.said([Self.passed, waived, live])
        == "All 3 gates pass (1 waived, 1 decided only on live answers)."
    )
  }
}
