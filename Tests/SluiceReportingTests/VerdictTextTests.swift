import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("The sentence about the verdict")
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
    suite.columns[0].trials = [.fixture("a", .passed)]
    let all = (0..<suites).map { index in
      var suite = suite
      if index > 0 { suite.name = "inbox-\(index)" }
      return suite
    }
    return VerdictText(RunResult(suites: all)).line
  }

  @Test(
    "The sentence counts gates and goals, and names the suites that fail",
    arguments: [
      (said([passed]), "PASS: the only gate passes"),
      (said([passed, regression]), "PASS: no regression, all 2 gates pass"),
      (
        said([passed], goals: [passed, failed, open]),
        "PASS: the only gate passes; 1 of 3 goals not reached yet, 1 undecided"
      ),
      (said([passed], goals: [passed]), "PASS: the only gate passes; the only goal reached"),
      (
        said([passed], goals: [passed, open]),
        "PASS: the only gate passes; 1 of 2 goals reached, 1 undecided"
      ),
      (said([failed, passed]), "FAIL: 1 of 2 gates fails (inbox)"),
      (said([failed], goals: [failed]), "FAIL: the only gate fails (inbox)"),
      (said([failed, failed, open]), "FAIL: 2 of 3 gates fail (inbox); 1 undecided (inbox)"),
      (said([open]), "NO VERDICT: the only gate is undecided (inbox)"),
      (said([open, open]), "NO VERDICT: 2 of 2 gates undecided (inbox)"),
      (said([failed], suites: 2), "FAIL: 2 of 2 gates fail (inbox, inbox-1)"),
      (said([failed], suites: 5), "FAIL: 5 of 5 gates fail (inbox, inbox-1, inbox-2 and 2 more)"),
      (said([]), "NO VERDICT: no gates (inbox)"),
      (said([], suites: 0), "NO VERDICT: no suite ran"),
    ]
  )
  func line(text: String, expected: String) {
    #expect(text == expected)
  }

  @Test(
    "Waived gates and gates on live answers are counted separately"
  )
  func exceptions() {
    var waived = Self.failed
    waived.waiver = Exemption(reason: "a known fault", until: "2026-12-31")
    let live = Decision.fixture("p95(latency) < 1 s", .notEvaluated, Estimate(unknown: "recorded"))
    #expect(
      Self.said([Self.passed, waived, live])
        == "PASS: all 2 gates pass, 1 gate for live answers only; 1 gate waived"
    )
  }

  @Test("Missing answers are stated with reason and suite instead of the gates that lack them")
  func absences() {
    func suite(_ name: String) -> SuiteResult {
      var suite = RunResult.everywhere(name).suites[0]
      suite.columns[0].gates = [Self.open]
      suite.columns[0].goals = []
      suite.repetitions = 1
      suite.columns[0].trials = [
        .fixture("a", .passed), .fixture("b", .lost(.stated("the server did not answer"))),
      ]
      return suite
    }
    #expect(
      VerdictText(RunResult(suites: [suite("inbox")])).line
        == "NO VERDICT: no answers for 1 of 2 cases (inbox)"
    )
    #expect(
      VerdictText(RunResult(suites: [suite("inbox"), suite("outbox")])).line
        == "NO VERDICT: no answers for 1 of 2 cases (inbox, outbox)"
    )
  }

  @Test("The page and the comment use the same sentence as the terminal")
  func places() throws {
    var result = RunResult.everywhere("inbox")
    result.mixes = []
    result.suites[0].columns[0].gates = [Self.passed, Self.regression]
    result.suites[0].columns[0].goals = [Self.failed, Self.passed]
    result.suites[0].columns[0].trials = [.fixture("a", .passed)]
    let meaning = "o regression, all 2 gates pass; 1 of 2 goals not reached yet"
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(terminal.contains("\nPASS: n\(meaning)\n"))
    #expect(
      try HTMLPageFixture(result).between("<p class=\"reason\">", "</p>") == "N\(meaning)."
    )
    let comment = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(comment.contains("**N\(meaning).**"))
  }
}
