import Foundation
import SampleProjects
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("report.html")
struct HTMLReportTests {
  @Test("The page starts with the verdict and its reason, then draws each gate's interval")
  func firstScreen() throws {
    var result = RunResult.everywhere("inbox")
    result.mixes = []
    result.suites[0].columns[0].gates = [
      .fixture("accuracy >= 85%", .fail, Estimate(rate: 80, of: 100))
    ]
    result.suites[0].columns[0].goals = []
    let page = try HTMLPageFixture(result).markup
    #expect(page.contains("<title>Sluice: fail</title>"))
    #expect(
      page.contains(
        """
        <h1 class="verdict"><span class="fail"><span class="sign" aria-hidden="true">✗</span> Fail</span></h1>
        """
      )
    )
    #expect(
      page.contains(
        """
        <p class="reason">Accuracy 80.0%, needs 85%. The only gate fails (inbox); no recorded answers for 1 of 4 trials \
        (inbox).</p>
        <ul class="about"><li>Recorded answers of inbox, 2026-11-21</li></ul>
        """
      )
    )
    #expect(
      page.contains(
        """
        <li><span class="sign fail" role="img" aria-label="fail">✗</span>
        <code>accuracy &gt;= 85%</code>
        <span class="drawn"><svg viewBox="0 0 360 50" width="360" height="50" role="img" \
        aria-label="80.0%, interval [71.1%, 86.7%]; required: at least 85.0%">
        """
      )
    )
  }

  @Test("The page is a single file that loads nothing and runs only its own script")
  func policy() throws {
    let page = HTMLPageFixture(.everywhere("x"))
    let policy = try page.between("Content-Security-Policy\" content=\"", "\">")
    func digest(_ text: String) -> String { Base64.encode(SHA256.digest(text.utf8).bytes) }
    let style = digest(try page.between("<style>", "</style>"))
    let program = digest(try page.between("<script>", "</script>"))
    #expect(
      policy == "default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(program)'; "
        + "base-uri 'none'; form-action 'none'"
    )
    let markup = try page.markup
    for forbidden in [
      "http:", "https:", " src=", "<link", "<iframe", "<object", " style=", " onclick=",
    ] {
      #expect(!markup.contains(forbidden), "\(forbidden)")
    }
  }

  @Test("Texts of datasets, prompts and models cannot become markup", arguments: HostileText.all)
  func hostile(text: String) throws {
    let page = HTMLPageFixture(.everywhere(text))
    let plain = HTMLPageFixture(.everywhere("x"))
    // The page has the same tags as with a harmless text, and the text itself is in the data.
    func tags(_ page: HTMLPageFixture) throws -> [String] {
      try page.markup.split(separator: "<").dropFirst().map { part in
        String(part.prefix { !" >\n".contains($0) })
      }
    }
    #expect(try tags(page) == tags(plain))
    #expect(page.text.components(separatedBy: "<script").count == 5)
    #expect(page.text.components(separatedBy: "</script").count == 5)
    #expect(try page.caseIDs.first == text)
    let markup = try page.markup
    for scalar in markup.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
    }
  }

  @Test("The same result gives the same bytes")
  func deterministic() {
    let result = RunResult.everywhere("a")
    #expect(HTMLPageFixture(result).text == HTMLPageFixture(result).text)
  }

  @Test("Trials contain the request, the answer, the scores, the times and the baseline's answer")
  func trials() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let page = HTMLPageFixture(RunResult(suites: [try project.replay().suites[0]]))
    let trial = try #require(try page.trials.first)
    let shared = try page.shared
    #expect(trial.count == 19)
    #expect(trial[3] == 0)
    #expect(shared["roles"] == ["system", "user"])
    let pieces = shared["pieces"]?.array?.compactMap(\.string) ?? []
    // A text of the case's input is not repeated: -1 refers to the first input text.
    #expect(trial[8] == [[0, [1]], [1, [-1]]])
    #expect(pieces[1] == "Say what kind of message it is.")
  }

  @Test("Cases contain line, labels, input and expectation, once for all columns and repeats")
  func cases() async throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backend: server\nrepeat: 2"
    )
    _ = try await project.record()
    let page = HTMLPageFixture(try project.replay())
    let shared = try page.shared
    #expect(shared["names"] == ["message", "kind"])
    #expect(shared["tags"] == ["short"])
    #expect(shared["classes"] == ["question", "request", "other"])
    #expect(shared["suites"]?.array?.first?["dataset"] == "datasets/triage/cases.yaml")
    #expect(try page.trials.count == 8)
    #expect(
      try page.cases == [
        [0, "where", 1, [0], 0, -1, [0, "Where is it?"], [1, "question"]],
        [0, "send", 2, [], 1, -1, [0, "Please send it."], [1, "request"]],
        [0, "thanks", 3, [], 2, -1, [0, "Thanks!"], [1, "other"]],
        [0, "polite", 4, [], 1, -1, [0, "Could you send it?"], [1, "request"]],
      ]
    )
  }

  @Test("A run without suites is described in words")
  func empty() throws {
    let page = try HTMLPageFixture(RunResult(suites: [])).markup
    #expect(page.contains("No suite ran."))
    #expect(
      page.contains(
        """
        <p class="quiet small empty">Nothing to show for: quality against cost (each suite has only one configuration; to add another one: <code>sluice compare SUITE --backend NAME</code> or <code>--prompt FILE</code>); latency (the times of all answers are unknown); \
        labels, expected and given (no scorer reads labels); false alarms on clean cases (no scorer \
        counts false alarms); figures by tag (no answered case has a tag).</p>
        """
      )
    )
    for heading in ["Quality against cost", "Latency", "Figures by tag"] {
      #expect(!page.contains(">\(heading)</h2>"), "\(heading)")
      #expect(!page.contains(">\(heading)</a>"), "\(heading)")
    }
  }

  @Test("If answers are missing, the page gives the reason and a command to copy")
  func missing() throws {
    let page = try HTMLPageFixture(try RecordingProject().replay()).markup
    #expect(
      page.contains(
        """
        <p class="reason">No recorded answers for 4 of 4 cases (triage): new case.</p>
        <div class="next"><p><strong>Next:</strong> record the missing answers (this sends requests)</p>
        <div class="command"><pre tabindex="0"><code>sluice record triage</code></pre>\
        <button type="button" data-copy hidden>Copy</button><span class="small" role="status"></span></div></div>
        """
      )
    )
    #expect(
      page.contains(
        """
        <p class="warning">No recorded answers for 4 of 4 cases.</p>
        <h3>4 × no recording: new case</h3>
        <div class="gates-head"><h3>Gates</h3></div>
        <p>Cannot be decided without answers: <code>accuracy &gt;= 60%</code>.</p>
        <div class="gates-head"><h3>Goals</h3><p class="legend small quiet">Goals never fail a run.</p></div>
        <p>None of 3 can be decided without answers: <code>accuracy &gt;= 90%</code>, \
        <code>p95(latency) &lt; 1 s</code>, <code>mean(cost) &lt;= $0.004</code>.</p>
        """
      )
    )
  }

  @Test("The effect names the classes of the newly failing cases, the most frequent first")
  func classesOfNewlyFailing() throws {
    let suite = try GatedSuite(cases: 40)
    let baseline = try suite.baseline { _, _ in .right }
    var result = suite.result(against: baseline) { testCase, _ in testCase < 5 ? .wrong : .right }
    let one = try HTMLPageFixture(result).markup
    #expect(!one.contains("Newly failing by class"))
    for index in [0, 1] {
      result.suites[0].columns[0].trials[index].scores[0].score
        .measurements[MetricDefinition.expectedLabel] = "other"
    }
    let two = try HTMLPageFixture(result).markup
    #expect(
      two.contains("<p class=\"small quiet\">Newly failing by class: question 3, other 2</p>")
    )
  }
}
