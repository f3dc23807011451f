import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Reports of mixes")
struct MixReportTests {
  private var result: RunResult {
    var mix = MixResult.fixture("inbox")
    mix.mix.name = "user-day"
    mix.backend = nil
    mix.figures[1].estimate = Estimate(unknown: "no usage was sent (b)")
    mix.goals = [
      .fixture(
        "cost >= $0.40",
        .fail,
        Estimate(0.25, interval: Interval(low: 0.2, high: 0.3), n: 12),
        metric: Metric(.series(.cost, .sum)),
        bound: 0.4
      ),
      .fixture(
        "tokens < 900",
        .noVerdict,
        Estimate(unknown: "no usage was sent (b)"),
        metric: Metric(.series(.tokens, .sum)),
        bound: 900
      ),
    ]
    return RunResult(suites: [], mixes: [mix])
  }

  @Test("The terminal shows a mix's calls, its totals and the distance to its goals")
  func terminal() {
    let text = TerminalReport(result, style: TerminalStyle(isColored: false), writesReports: false)
      .text
    #expect(
      text == """
        Mix user-day: 40 inbox, 6 b: 46 requests
          cost                              $0.25000  [$0.20000, $0.30000] n 12
          – cost >= $0.40  $0.25000, $0.15000 short
          ? tokens < 900   unknown: no usage was sent (b)

        NO VERDICT: no suite ran

        """
    )
  }

  @Test("report.md has a line for each mix")
  func markdown() {
    let text = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(
      text == """
        <!-- sluice-report -->
        ## ⚠️ Sluice: no verdict

        **No suite ran.**

        Mix user-day (40 inbox, 6 b: 46 requests): `cost` \\$0.25000 [\\$0.20000, \\$0.30000], `tokens` unknown. \
        Goals: 0 of 2 reached; `cost >= $0.40` \\$0.15000 short; 1 undecided.

        """
    )
  }

  @Test("A mix does not affect the verdict")
  func verdict() {
    var passing = RunResult.everywhere("x")
    passing.suites[0].columns[0].gates = [.fixture("x", .pass, Estimate(rate: 1, of: 1))]
    passing.suites[0].columns[0].trials = [.fixture("x", .passed)]
    passing.mixes = result.mixes
    #expect(passing.verdict == .pass)
  }
}
