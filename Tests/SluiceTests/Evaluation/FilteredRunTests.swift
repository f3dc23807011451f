import SampleProjects
import Sluice
import Testing

/// A filtered run decides nothing, and every report says that it is filtered.
@Suite("Filtered runs")
struct FilteredRunTests {
  private let project = RecordingProject()

  private func result(_ filter: CaseFilter) throws -> RunResult {
    let filtering = CaseFiltering([try project.suite()], filter, in: project.files)
    let suite = try #require(filtering.suites.first)
    let evaluation = Evaluation(suite, surroundings: project.surroundings)
    return RunResult(suites: [evaluation.replay(concurrency: 1).result])
  }

  private func acceptBaseline() throws {
    let result = try #require(try project.replay().suites.first)
    let acceptance = BaselineAcceptance(try project.suite(), surroundings: project.surroundings)
    for draft in try acceptance.drafts(result) {
      try project.files.write(draft.bytes, to: draft.path)
    }
  }

  @Test("Gates and goals show their figures but have no verdict")
  func undecided() async throws {
    _ = try await project.record()
    let result = try result(CaseFilter(cases: ["where", "polite"]))
    #expect(result.verdict == .noVerdict)
    let column = try #require(result.suites.first?.columns.first)
    #expect(
      (column.gates + column.goals).map { "\($0.verdict.rawValue), \($0.reason)" }
        == Array(repeating: "not-evaluated, filtered", count: 4)
    )
    #expect(
      column.gates.map { $0.outcomeText(isGoal: false) } == ["50.0%, n 2: undecided"]
    )
    #expect(result.filteredPhrase == "2 of 4 cases were run (--case where --case polite)")
  }

  @Test("Only the selected cases are compared with the baseline, and none counts as removed")
  func baseline() async throws {
    _ = try await project.record()
    try acceptBaseline()
    let result = try result(CaseFilter(cases: ["where"]))
    let comparison = try #require(result.suites.first?.columns.first?.comparison)
    #expect(comparison.removedCases == [])
    #expect(comparison.isIdentical)
  }

  @Test("A filtered run cannot become a baseline")
  func noBaseline() async throws {
    _ = try await project.record()
    let part = try #require(try result(CaseFilter(first: 2)).suites.first)
    let acceptance = BaselineAcceptance(try project.suite(), surroundings: project.surroundings)
    #expect {
      try acceptance.drafts(part)
    } throws: { error in
      (error as? BaselineAcceptance.Refusal)?.message
        == "a baseline needs every case, but 2 of 4 cases were run (--first 2)"
    }
  }

  @Test("Every report states the filter and is in a separate folder")
  func reports() async throws {
    _ = try await project.record()
    let whole = try project.replay()
    try ReportWriter.write(whole, to: project.files)
    let before = try project.text(of: "reports/latest/report.json")
    let part = try result(CaseFilter(cases: ["where"]))
    try ReportWriter.write(part, to: project.files)
    #expect(try project.text(of: "reports/latest/report.json") == before)
    func report(_ name: String) throws -> String {
      try project.text(of: "reports/filtered/\(name)")
    }
    let phrase = "1 of 4 cases was run (--case where)"
    let json = try JSONReader.value(Array(report("report.json").utf8))
    #expect(
      json["suites"]?.array?.first?["filter"]?.jsonText
        == #"{"cases":1,"of":4,"options":["--case","where"]}"#
    )
    #expect(json["verdict"]?.string == "no-verdict")
    #expect(try report("junit.xml").contains("<property name=\"filter\" value=\"\(phrase)\"/>"))
    #expect(
      try report("junit.xml").contains(
        "<skipped message=\"100.0%: undecided: 1 of 4 cases was run\">"
      )
    )
    #expect(
      try report("report.md").contains(
        "**No verdict: 1 of 4 cases was run (\\-\\-case where).**"
      ) || report("report.md").contains("**No verdict: \(phrase).**")
    )
    #expect(try report("report.html").contains("<p class=\"reason\">\(phrase).</p>"))
  }

  @Test("The log states the filter, and the history ignores it")
  func log() async throws {
    _ = try await project.record()
    _ = try result(CaseFilter(tags: ["short"], first: 1))
    let name = "reports/filtered/runs/triage-20261121T120019Z.jsonl"
    let run = try LoggedRun(reading: Array(project.text(of: name).utf8), kind: RunLog.kind)
    #expect(run.filtered == FilteredCases(CaseFilter(tags: ["short"], first: 1), count: 1, of: 4))
    // Even if it is moved among the logs of complete runs.
    try project.files.write(
      Array(project.text(of: name).utf8),
      to: ProjectPath("reports/runs/triage-20261121T120019Z.jsonl")
    )
    let (history, _) = HistoryReader([try project.suite()], files: project.files, limit: 5).read([])
    #expect(history.lines.isEmpty)
  }

  @Test("Logs of filtered runs are compared without a verdict")
  func comparedLogs() async throws {
    _ = try await project.record()
    _ = try result(CaseFilter(cases: ["where", "send"]))
    let text = try project.text(of: "reports/filtered/runs/triage-20261121T120019Z.jsonl")
    let run = try LoggedRun(reading: Array(text.utf8), kind: RunLog.kind)
    let logs = ["a", "b"].map { RunLogComparison.Log(name: $0, run: run) }
    let comparison = try RunLogComparison(logs, suite: try project.suite())
      .compare(SuiteComparison.Request())
    #expect(comparison.verdict == .noVerdict)
    #expect(comparison.gates.map(\.reason) == [.filtered])
  }

  @Test("The terminal shows the number of passed cases, undecided gates and the next step")
  func terminal() async throws {
    _ = try await project.record()
    let part = try result(CaseFilter(cases: ["where", "polite"]))
    var overrides = CommandLineOverrides()
    overrides.filter = CaseFilter(cases: ["where", "polite"])
    func text() -> String {
      TerminalReport(part, style: TerminalStyle(isColored: false), overrides: overrides).text
    }
    #expect(
      text() == """
        1 OF 2 PASSED  triage  v1 on server · 2 of 4 cases

        Gates
          – accuracy >= 60%  50.0%, n 2: undecided

        Figures
          accuracy                            50.0%  [9.5%, 90.5%]     n 2
          unusable-rate                        0.0%  [0.0%, 65.8%]     n 2
          classification.precision            25.0%  [0.0%, 93.3%]     n 2
          classification.recall               50.0%  [6.7%, 100.0%]    n 2
          classification.f1                   33.3%  [0.0%, 97.2%]     n 2
          latency                           p50 251 ms · p95 251 ms (recorded)
          usage                             110 tokens per call · $0.00060 in total
          and 1 more: --verbose

        Failed, 1 case
          polite
            answer          {"kind":"question"}
            classification  expected request, got question

        Recorded answers of sorter-1 at https://models.test, 2026-11-21.

        NO VERDICT: 2 of 4 cases were run (--case where --case polite)
        Reports: reports/filtered/report.html, .md, .json, .csv; junit.xml
        Next: read the question, expected output and answer of each case:
          sluice run triage --case where --case polite --show

        """
    )
    overrides.showsCases = true
    #expect(
      text() == """
        1 OF 2 PASSED  triage  v1 on server · 2 of 4 cases

        Gates
          – accuracy >= 60%  50.0%, n 2: undecided

        Recorded answers of sorter-1 at https://models.test, 2026-11-21.

        NO VERDICT: 2 of 4 cases were run (--case where --case polite)
        Reports: reports/filtered/report.html, .md, .json, .csv; junit.xml
        Next: run all cases for a verdict:
          sluice run triage

        """
    )
  }

  @Test("The suggested record command names the cases and never uses --failed")
  func missing() throws {
    let filter = CaseFilter(cases: ["where", "send"])
    let part = try result(filter)
    var overrides = CommandLineOverrides()
    overrides.filter = filter
    #expect(
      part.nextStep(overrides)?.command == "sluice record triage --case where --case send"
    )
    overrides.filter = CaseFilter(isFailed: true)
    #expect(
      part.nextStep(overrides)?.command == "sluice record triage --case where --case send"
    )
  }
}
