import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
import Testing

@Suite("The summary in report.md")
struct MarkdownSummaryTests {
  private func text(_ result: RunResult) -> String { MarkdownSummary(result).text }

  /// Returns suites of 60 cases with the given answers; the first suite may differ from its
  /// baseline.
  private func suites(
    _ count: Int,
    changed: (Int) -> GatedSuite.Answer? = { _ in .right }
  ) throws -> RunResult {
    let suite = try GatedSuite(
      cases: 60,
      gates: "gates: [no regression in accuracy beyond 5 points]"
    )
    let baseline = try suite.baseline { _, _ in .right }
    let same = suite.result(against: baseline) { _, _ in .right }
    let other = suite.result(against: baseline) { testCase, _ in changed(testCase) }
    var result = RunResult(suites: [])
    for number in 0..<count {
      var suite = number == 0 ? other.suites[0] : same.suites[0]
      suite.name = "suite-\(number)"
      result.suites.append(suite)
    }
    return result
  }

  @Test("If nothing changed, the summary is two sentences")
  func same() throws {
    #expect(
      text(try suites(3))
        == "**No regression, all 3 gates pass.** All answers are identical to the baseline.\n"
    )
  }

  @Test("A credible loss is stated with its figures and the gate that fails because of it")
  func loss() throws {
    let result = try suites(2) { $0 < 12 ? .wrong : .right }
    let change = try #require(result.suites[0].columns[0].gates[0].change)
    let figures = MarkdownText.plain(ChangeText.difference(change, .rate))
    #expect(figures.hasPrefix("100.0% → 80.0%, -20.0 points "))
    #expect(
      text(result) == """
        **1 of 2 gates fails (suite-0).** Since the baseline: 12 cases newly failing, 0 newly passing. The loss is \
        credible: suite-0 `accuracy` \(figures).

        Next, read a failed case with its request, answer and scores:

        ```sh
        sluice show case-0 --suite triage
        ```

        - ❌ suite-0: `no regression in accuracy beyond 5 points`: \(figures): a loss beyond the \
        margin is credible

        """
    )
  }

  @Test("A flip that may be chance is not a credible loss")
  func noise() throws {
    #expect(
      text(try suites(2) { $0 == 0 ? .wrong : .right }).contains(
        "Since the baseline: 1 case newly failing, 0 newly passing. No loss is credible."
      )
    )
  }

  @Test("Changes are stated only if there is a baseline, with the number of suites without one")
  func noBaseline() throws {
    var result = try suites(3)
    result.suites[1].columns[0].comparison = nil
    #expect(
      text(result)
        == "**No regression, all 3 gates pass.** All answers are identical to the baseline. "
        + "1 of 3 have no baseline.\n"
    )
    for index in 0..<3 { result.suites[index].columns[0].comparison = nil }
    #expect(text(result) == "**No regression, all 3 gates pass.**\n")
  }

  @Test("Gates without a verdict take one line per suite, with the first reason")
  func noVerdict() throws {
    let suite = try GatedSuite(cases: 60)
    let text = text(suite.result { testCase, _ in testCase < 50 ? nil : .right })
    #expect(text.contains("- ⚠️ triage: 3 gates have no verdict; the reason for the first: "))
    #expect(text.hasPrefix("**No answers for 50 of 60 cases"))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("- ") }.count == 1)
  }

  @Test("At most ten failing gates are listed")
  func many() throws {
    var result = RunResult.everywhere("x")
    let gate = result.suites[0].columns[0].gates[0]
    result.suites[0].columns[0].gates = Array(repeating: gate, count: 13)
    #expect(text(result).contains("**13 of 13 gates fail (x); "))
    #expect(text(result).hasSuffix("- and 3 more\n"))
  }

  // MARK: Suites that did not change

  private func report(_ result: RunResult) -> String {
    String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
  }

  @Test("If nothing changed, the report is a few lines for any number of suites")
  func unchanged() throws {
    #expect(
      report(try suites(3)) == """
        <!-- sluice-report -->
        ## ✅ Sluice: pass

        **No regression, all 3 gates pass.** All answers are identical to the baseline.

        ✅ 3 suites pass unchanged: suite-0, suite-1, suite-2.

        In this run, all cases of 3 suites pass: suite-0, suite-1, suite-2. They can show losses but no gains.

        Costs at the prices of `prices.json`.

        Recorded answers, given by `sorter-1 at https://models.test`.

        Reproduce: `sluice run`

        """
    )
    let one = report(try suites(1))
    #expect(one.contains("\n✅ 1 suite passes unchanged: suite-0.\n"))
    #expect(one.hasSuffix("\nReproduce: `sluice run triage`\n"))
    for count in [1, 20, 200] {
      #expect(
        report(try suites(count)).split(separator: "\n", omittingEmptySubsequences: false).count
          < 20
      )
    }
  }

  @Test("Unchanged passing suites are listed in one line after the changed suite")
  func fold() throws {
    let report = report(try suites(3) { $0 < 12 ? .wrong : .right })
    #expect(report.contains("\n### ❌ suite-0: v1 on server\n"))
    let line = try #require(
      report.firstRange(of: "\n✅ 2 suites pass unchanged: suite-1, suite-2.\n")
    )
    #expect(report[..<line.lowerBound].contains("### ❌ suite-0"))
    #expect(!report.contains("### ✅"))
    #expect(report.hasSuffix("\nReproduce: `sluice run triage`\n"))
  }

  @Test("The report fits into a comment with any number of suites")
  func size() throws {
    for count in [20, 200] {
      let report = report(try suites(count) { $0 < 12 ? .wrong : .right })
      #expect(report.utf16.count <= MarkdownReport.longestComment)
      #expect(report.contains("\n### ❌ suite-0: v1 on server\n"))
      #expect(report.contains("✅ \(count - 1) suites pass unchanged: "))
      #expect(report.ranges(of: "<details>").count == report.ranges(of: "</details>").count)
    }
    var all = try suites(400)
    for index in all.suites.indices {
      all.suites[index].columns[0].gates[0].verdict = .fail
      all.suites[index].columns[0].goals = all.suites[index].columns[0].gates
    }
    let report = report(all)
    #expect(report.utf16.count <= MarkdownReport.longestComment)
    #expect(report.contains(" sections more, in report.json\n"))
  }
}
