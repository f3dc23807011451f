import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Unreadable verdicts of judges")
struct UnreadableVerdictTests {
  private func result(
    _ scorer: String = JudgedProject.rubric,
    prompt: String = "Grade the reply to {{message}}: {{answer}}",
    expected: String = "",
    _ verdict: @escaping @Sendable (String) -> String
  ) async throws -> RunResult {
    let judged = try JudgedProject(scorer, prompt: prompt, expected: expected)
    try await judged.record(verdict)
    return try judged.project.replay()
  }

  private static let replies: [(reply: String, warning: String)] = [
    (
      "Good, I'd say.",
      "first reply (case where): \"Good, I'd say.\"; the judge's reply is not one JSON object: "
        + "expected a JSON value"
    ),
    (
      #"{"score": "4/5"}"#,
      #"first reply (case where): "{"score": "4/5"}"; the judge's reply has a grade for 'score' "#
        + #"that is not a number: "4/5""#
    ),
    (
      #"{"grade": 4}"#,
      #"first reply (case where): "{"grade": 4}"; the judge's reply has the unknown "#
        + "member \"grade\""
    ),
    (
      "",
      "first reply (case where): nothing; the judge's reply is not one JSON object: the JSON value "
        + "ends too early"
    ),
  ]

  @Test(
    "The warning counts unreadable verdicts and shows the first reply with the reason",
    arguments: replies
  )
  func warning(reply: String, warning: String) async throws {
    let result = try await result { _ in reply }
    #expect(
      result.suites[0].unreadableVerdicts.map(JudgeText.warning)
        == ["the judge 'llm-rubric' gave no readable verdict for 4 of 4 answers; \(warning)"]
    )
  }

  @Test("All reports show the warning with the fix")
  func reports() async throws {
    let result = try await result {
      $0.contains("send") ? "**4** of 5 <b>for</b>\u{1b}[31m @all\nreally" : JudgedProject.grade(5)
    }
    let terminal = TerminalReport(
      result,
      style: TerminalStyle(isColored: false),
      writesReports: false
    ).text
    #expect(
      terminal.contains(
        """
        Judges
          warning: the judge 'llm-rubric' gave no readable verdict for 2 of 4 answers;
          first reply (case send): "**4** of 5 <b>for</b>\\u{1b}[31m @all\\nreally"; the
          judge's reply is not one JSON object: expected a JSON value
            fix: tell the judge in its prompt to reply with one JSON object and nothing
            else, then run:
              sluice record triage
          judge (advisory): 4 requests
        """
      )
    )
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(
      markdown.contains(
        "⚠️ triage: the judge 'llm-rubric' gave no readable verdict for 2 of 4 answers"
      )
    )
    #expect(markdown.contains("sluice record triage"))
    #expect(!markdown.contains("<b>") && !markdown.contains("@all"))
    let page = HTMLPageFixture(result).text
    #expect(page.contains("gave no readable verdict for 2 of 4 answers"))
    #expect(page.contains("sluice record triage"))
    let json = try JSONReader.value(JSONReport(result).bytes)
    #expect(try ReportSchema.report.violations(of: JSONReport(result).bytes) == [])
    #expect(
      json["suites"]?.array?.first?["unreadable-verdicts"] == [
        [
          "scorer": "llm-rubric", "unreadable": 2, "asked": 4, "case": "send",
          "reply": "**4** of 5 <b>for</b>\u{1b}[31m @all\\nreally",
          "reason": "the judge's reply is not one JSON object: expected a JSON value",
        ]
      ]
    )
  }

  @Test("A long reply is cut, and the run log has the same text as the reports")
  func cut() async throws {
    let result = try await result { _ in String(repeating: "word ", count: 100) }
    let verdicts = try #require(result.suites[0].unreadableVerdicts.first)
    #expect(verdicts.first?.text?.unicodeScalars.count == 201)
    let log = try #require(result.suites[0].log)
    let run = try LoggedRun(reading: Array(log.bytes(0..<log.count)), kind: RunLog.kind)
    #expect(UnreadableVerdicts.all(of: run.trials) == [verdicts])
  }

  @Test("If a pair is judged in both orders, the unreadable reply is shown")
  func pairwise() async throws {
    let result = try await result(
      "llm-compare: {backend: judge, prompt: judge.yaml, with: reply}",
      prompt: "{{message}}: {{first}} or {{second}}",
      expected: "reply: Here."
    ) { text in
      // In the second order, the supplied text comes first.
      let supplied = text.firstRange(of: "Here.")?.lowerBound ?? text.endIndex
      let own = text.firstRange(of: "kind")?.lowerBound ?? text.endIndex
      return supplied < own ? "The former." : #"{"better": "first"}"#
    }
    let verdicts = try #require(result.suites[0].unreadableVerdicts.first)
    #expect((verdicts.count, verdicts.asked, verdicts.caseID) == (4, 4, "where"))
    #expect(verdicts.first?.text == "The former.")
  }

  @Test("A verdict that is not recorded is missing, not unreadable")
  func readable() async throws {
    let judged = try JudgedProject()
    _ = try await judged.project.record()
    #expect(try judged.project.replay().suites[0].unreadableVerdicts == [])
    try await judged.record { _ in JudgedProject.grade(1) }
    #expect(try judged.project.replay().suites[0].unreadableVerdicts == [])
  }

  @Test("A live judge without an answer is reported with its error and the live command")
  func live() async throws {
    let judged = try JudgedProject()
    var backends = try judged.backends { _ in "" }
    backends["judge"] = ClosureBackend { _, _ throws(BackendError) in
      throw BackendError(.serverError, "out of order")
    }
    let result = await Evaluation(
      try judged.project.suite(),
      surroundings: judged.project.surroundings,
      keepsLog: false
    ).live(backends).result
    #expect(
      JudgeText.notes(result) == [
        "the judge 'llm-rubric' gave no readable verdict for 4 of 4 answers; first reply (case "
          + "where): the judge gave no answer: out of order. Fix: tell the judge in its prompt to "
          + "reply with one JSON object and nothing else, then run: sluice run --live triage"
      ]
    )
  }
}
