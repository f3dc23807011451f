import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("report.md")
struct MarkdownReportTests {
  private func text(_ result: RunResult, prompt: String? = nil) -> String {
    String(
      decoding: MarkdownReport(result, overrides: CommandLineOverrides(prompt: prompt)).bytes,
      as: UTF8.self
    )
  }

  // MARK: Whole texts

  @Test("report.md shows verdict, gates and goals, and folds cases and figures")
  func whole() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    try project.edit(
      RecordingProject.suitePath,
      replacing: "- accuracy >= 60%",
      with: "- accuracy >= 90%\n  - accuracy >= 60%\n  - unusable-rate <= 50%"
    )
    let report = text(try project.replay())
    let expected = try Snapshot.text("triage.report.md")
    #expect(report == expected)
  }

  @Test("Without recorded answers, report.md gives the reason and the next step, but no gates")
  func nothingRecorded() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.promptPath, replacing: "kind of message", with: "sort")
    let report = text(try project.replay(), prompt: "prompts/triage/v1.yaml")
    let expected = try Snapshot.text("unrecorded.report.md")
    #expect(report == expected)
  }

  @Test("A passing suite without goals or failed cases takes little space")
  func small() {
    var result = RunResult.everywhere("tone")
    result.mixes = []
    result.suites[0].repetitions = 1
    result.suites[0].columns[0].trials = [.fixture("a", .passed)]
    result.suites[0].columns[0].metrics.removeLast(2)
    result.suites[0].columns[0].gates = [
      .fixture("accuracy >= 85%", .pass, Estimate(rate: 1, of: 1))
    ]
    result.suites[0].columns[0].goals = []
    #expect(
      text(result) == """
        <!-- sluice-report -->
        ## ✅ Sluice: pass

        **The only gate passes.**

        ### ✅ tone: tone on tone

        | gate | value | 95% interval | n | verdict |
        | --- | --- | --- | --- | --- |
        | `accuracy >= 85%` | 100.0% | [20.7%, 100.0%] | 1 | ✅ met |

        <details><summary>All figures</summary>

        | metric | value | n |
        | --- | --- | --- |
        | `accuracy` | 50.0% [9.5%, 90.5%] | 2 |

        </details>

        Recorded answers, given by `a at a, 2026-11-21`.

        Reproduce: `sluice run tone`

        """
    )
  }

  @Test("A case shows its tags, its repeat, each scorer that failed it and the answer")
  func entries() {
    var result = RunResult.everywhere("x")
    var trial = Trial.fixture("a-1", .failed, repetition: 2)
    trial.scores.append(
      Trial.NamedScore(name: "flags", score: Score(.failed, explanation: "nothing flagged"))
    )
    trial.scores.append(Trial.NamedScore(name: "equals", score: Score(.passed, explanation: "yes")))
    result.suites[0].columns[0].trials = [trial]
    #expect(
      text(result).contains(
        """
        <details><summary>1 failed trial</summary>

        - **a-1** (repeat 2) a-1, plain
          - a-1: `a-1`
          - flags: `nothing flagged`
          - answer: `a-1`

        </details>

        """
      )
    )
  }

  @Test("Only the first twenty cases and the start of a long answer are shown")
  func limits() {
    var result = RunResult.everywhere("x")
    result.suites[0].repetitions = 1
    result.suites[0].columns[0].trials = (1...53).map { .fixture("case-\($0)", .failed) }
    #expect(text(result).contains("- **case-20**"))
    #expect(!text(result).contains("- **case-21**"))
    #expect(
      text(result).contains("<details><summary>53 failed cases</summary>")
    )
    #expect(text(result).contains("\n\nand 33 more, in report.json\n\n</details>\n"))
    let long = text(.everywhere(String(repeating: "x", count: 601)))
    #expect(long.contains("  - answer: `\(String(repeating: "x", count: 600))…`\n"))
  }

  @Test("report.md always fits into a GitHub comment and counts what it leaves out")
  func size() {
    var result = RunResult.everywhere("x")
    let answer = String(repeating: "🙂", count: 600)
    result.suites[0].columns[0].trials = (0..<200).map { index in
      var trial = Trial.fixture(
        answer,
        index.isMultiple(of: 2) ? .failed : .lost(.unscored(answer))
      )
      trial.caseID = "case-\(index)"
      return trial
    }
    result.suites += result.suites + result.suites
    let text = text(result)
    #expect(text.utf16.count < 65_536)
    #expect(text.contains("<details><summary>100 lost trials</summary>"))
    #expect(text.contains("and 100 more, in report.json"))
    #expect(text.ranges(of: "<details>").count == text.ranges(of: "</details>").count)
  }

  // MARK: Any text

  /// Returns the text without code spans.
  ///
  /// As in CommonMark, a code span ends at a run of backticks of the same length.
  private func withoutCode(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "`") {
      result += rest[..<start]
      let isEscaped = result.hasSuffix("\\")
      let fence = rest[start...].prefix { $0 == "`" }
      rest = rest[fence.endIndex...]
      if isEscaped {
        result.removeLast()
        continue
      }
      var search = rest
      while let next = search.firstIndex(of: "`") {
        let run = search[next...].prefix { $0 == "`" }
        search = search[run.endIndex...]
        if run.count == fence.count {
          rest = search
          result += "CODE"
          break
        }
      }
    }
    return result + rest
  }

  @Test(
    "No text can mention, reference, link, load, nest, control a log or leave its element",
    arguments: HostileText.all
  )
  func hostile(text: String) {
    let markdown = self.text(.everywhere(text))
    let own = self.text(.everywhere("x"))
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let ownLines = own.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count == ownLines.count)
    for (line, ownLine) in zip(lines, ownLines) {
      let bare = withoutCode(line)
      func count(_ part: String, _ text: String) -> Int { text.ranges(of: part).count }
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      #expect(!line.contains(#/##[A-Za-z.]*\[/#), "\(line)")
      for scalar in line.unicodeScalars where scalar != "\u{200D}" {
        #expect(![.control, .format].contains(scalar.properties.generalCategory), "\(line)")
      }
      if ownLine.hasPrefix("sluice record") { continue }
      // Tables keep their cells.
      #expect(
        count("|", bare.replacing("\\|", with: "")) == count("|", withoutCode(ownLine)),
        "\(line)"
      )
      // Only report.md's own text contains tags, links, images or emphasis.
      #expect(count("<", bare) == count("<", withoutCode(ownLine)), "\(line)")
      for part in ["[", "]", "*", "_", "~", "`", "!"] {
        let escaped = bare.replacing("\\\\", with: "").replacing("\\" + part, with: "")
        #expect(count(part, escaped) == count(part, withoutCode(ownLine)), "\(part) in \(line)")
      }
      #expect(count("@", bare) == count("@&#8203;", bare), "\(line)")
      if !bare.hasPrefix("#") {
        #expect(
          count("#", bare.replacing("&#", with: ""))
            == count(
              "#&#8203;",
              bare.replacing("&#8203;", with: "+").replacing("#+", with: "#&#8203;")
            ),
          "\(line)"
        )
      }
    }
  }

  @Test(
    "A plain name is escaped so that none of its characters has a meaning in Markdown",
    arguments: [
      ("TEST-2.4", "TEST-2.4"), ("a_b*c", #"a\_b\*c"#), ("`x`", #"\`x\`"#), ("a|b", #"a\|b"#),
      ("<b>&", "&lt;b&gt;&amp;"), ("@team", "@&#8203;team"), ("fixes #1", "fixes #&#8203;1"),
      ("![x](y)", #"\!\[x\](y)"#), (#"\"#, #"\\"#), ("$x$", #"\$x\$"#), ("~~a~~", #"\~\~a\~\~"#),
      ("a\nb", #"a\\nb"#), ("##[error]", "#&#8203;#&#8203;" + #"\\\[error\]"#), ("é🙂", "é🙂"),
      ("\u{202E}", #"\\u{202e}"#), ("", ""),
    ]
  )
  func plain(text: String, markdown: String) {
    #expect(MarkdownText.plain(text) == markdown)
  }

  @Test(
    "A text of a model is written as a code span, whatever it contains",
    arguments: [
      ("yes", "`yes`"), ("", "`  `"), ("a`b", "``a`b``"), ("`a`", "`` `a` ``"),
      ("a``b`c", "```a``b`c```"), ("```", "```` ``` ````"), ("a|b", "`a│b`"), ("a\nb", #"`a\nb`"#),
      ("@team <b> #1 ![x](y)", "`@team <b> #1 ![x](y)`"), (#"\"#, #"`\`"#), (" a ", "`  a  `"),
      (" a", "` a`"), ("a ", "`a `"), ("\u{1B}[2J", #"`\u{1b}[2J`"#),
    ]
  )
  func code(text: String, markdown: String) {
    #expect(MarkdownText.code(text) == markdown)
  }

  @Test("A command to copy stays on one line in its code block, whatever the folder's name")
  func command() {
    let miss = Trial.Outcome.lost(.noRecording(RecordingMiss(reason: .newCase)))
    var result = RunResult.everywhere("x")
    result.suites[0].path = "prompts/a\n```\n@team/suite.yaml"
    result.suites[0].columns[0].trials = [.fixture("x", miss)]
    #expect(
      text(result).contains(
        """

        Next, record the missing answers (this sends requests):

        ```sh
        sluice record 'a\\n```\\n@team'
        ```

        """
      )
    )
  }
}
