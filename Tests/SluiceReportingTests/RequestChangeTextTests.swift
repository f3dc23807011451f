import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Differences between requests")
struct RequestChangeTextTests {
  private func text(_ parts: [RequestDifference.Part], caseID: String = "where")
    -> RequestChangeText
  {
    RequestChangeText(
      RequestChange(
        count: 39,
        total: 1_040,
        caseID: caseID,
        difference: RequestDifference(parts: parts)
      )
    )
  }

  @Test("The title counts the changed requests and names at most three parts")
  func title() {
    let one = RequestDifference.Part(name: "system message", lines: ["- a", "+ b"])
    #expect(text([one]).title == "The request differs in 39 of 1,040 requests: system message")
    let many = ["system message", "model", "seed", "tools"].map {
      RequestDifference.Part(name: $0, lines: ["+ x"])
    }
    #expect(
      text(many).title
        == "The request differs in 39 of 1,040 requests: system message, model, seed and 1 more"
    )
  }

  @Test("report.html and report.md show how a suite's requests differ from its baseline's")
  func reports() throws {
    var result = RunResult.everywhere("inbox")
    let pair = try #require(ConfigurationComparison.everywhere("inbox").pairs.first)
    result.suites[0].columns[0].comparison = pair.comparison
    let title = "The request differs in 1 of 1 request: seed"
    func texts() throws -> [String] {
      [
        try HTMLPageFixture(result).markup,
        String(decoding: MarkdownReport(result).bytes, as: UTF8.self),
      ]
    }
    #expect(
      try texts().allSatisfy { !$0.contains("What is asked") && !$0.contains("What changed") }
    )
    result.suites[0].columns[0].requestChange = RequestChange(
      count: 1,
      total: 1,
      caseID: "inbox",
      difference: RequestDifference(parts: [.init(name: "seed", lines: ["- 1", "+ 2"])])
    )
    let (page, comment) = (try texts()[0], try texts()[1])
    #expect(
      page.contains(
        """
        <div class="edit"><h3>What changed</h3>
        <p>Seed, in 1 of 1 request <code class="quiet">prompts/inbox.yaml</code></p>
        <pre class="difference" tabindex="0"><span>seed:</span>\
        <del>  - 1</del><ins>  + 2</ins></pre>
        <p class="small quiet">From the request of <a href="#case=inbox/inbox/inbox/inbox/1">inbox</a></p>
        """
      )
    )
    #expect(
      comment.contains(
        "\n\(title). In the request of inbox:\n\n```diff\n@@ seed @@\n- 1\n+ 2\n```\n"
      )
    )
  }

  @Test("An edit that changes no answer is shown, too")
  func withoutEffect() throws {
    let suite = try GatedSuite(
      cases: 60,
      gates: "gates: [no regression in accuracy beyond 5 points]"
    )
    let baseline = try suite.baseline { _, _ in .right }
    var result = suite.result(against: baseline) { _, _ in .right }
    result.suites[0].columns[0].requestChange = RequestChange(
      count: 60,
      total: 60,
      caseID: "case-0",
      difference: RequestDifference(parts: [.init(name: "seed", lines: ["- 1", "+ 2"])])
    )
    let comment = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(
      comment.contains(
        "\nThe request differs in 60 of 60 requests: seed. In the request of case-0:\n"
      )
    )
    #expect(comment.contains("\nAll answers are identical to the baseline (v1).\n"))
    let page = try HTMLPageFixture(result).markup
    #expect(
      page.contains(
        """
        <h3>What changed</h3>
        <p>Seed, in 60 of 60 requests <code class="quiet">prompts/triage/v1.yaml</code></p>
        """
      )
    )
    #expect(
      page.contains(
        "<h3>Effect, against the baseline (v1)</h3>\n<p>All answers are identical to the baseline.</p>"
      )
    )
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(terminal.contains("\nWhat changed: seed, in 60 of 60 requests\n  - 1\n  + 2\n"))
  }

  @Test("In a page, removed and added lines are marked, and their texts are escaped")
  func markup() {
    let part = RequestDifference.Part(
      name: "user message",
      lines: ["  Hi", "- <b>you</b>", "+ </pre><script>", "  …"]
    )
    #expect(
      text([part], caseID: "<i>").markup(address: "#case=a&b", isOpen: true) == """
        <details class="asked" open><summary><span>The request differs in 39 of 1,040 requests: user message</span></summary>
        <p>In the request of <a href="#case=a&amp;b">&lt;i&gt;</a>:</p>
        <pre class="difference" tabindex="0"><span>user message:</span><span>    Hi</span>\
        <del>  - &lt;b&gt;you&lt;/b&gt;</del><ins>  + &lt;/pre&gt;&lt;script&gt;</ins>\
        <span>    …</span></pre></details>

        """
    )
    #expect(
      text([part]).markup(address: "#", isOpen: false).hasPrefix("<details class=\"asked\"><s")
    )
  }

  @Test("In a comment, the difference is a diff block of limited length, whatever it contains")
  func markdown() {
    let lines =
      ["- ```", "+ @team fixes #1 \u{1B}[31m", "  ::error::x"] + (0..<40).map { "+ line \($0)" }
    let part = RequestDifference.Part(name: "user message", lines: lines)
    let diff = text([part]).diff
    #expect(
      diff.hasPrefix(
        """

        The request differs in 39 of 1,040 requests: user message. In the request of where:

        ````diff
        @@ user message @@
        - ```
        + @team fixes #1 \\u{1b}[31m
          \\::error::x
        + line 0

        """
      )
    )
    #expect(diff.hasSuffix("+ line 20\n  and 19 more lines\n````\n"))
  }
}
