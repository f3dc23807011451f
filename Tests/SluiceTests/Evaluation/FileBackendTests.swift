import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Backends that answer from a file")
struct FileBackendTests {
  private func terminal(_ result: RunResult) -> [String] {
    TerminalReport(result, style: TerminalStyle(isColored: false)).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("A run reads the file, sends nothing and writes no recordings")
  func run() throws {
    let project = OutputsProject()
    let result = try project.run()
    let column = result.suites[0].columns[0]
    #expect(column.passed == 3)
    #expect(column.failed == 1)
    #expect(result.verdict == .pass)
    let digest = SHA256.hexadecimal(OutputsProject.texts[OutputsProject.outputsPath]!.utf8)
    #expect(column.outputs == OutputsSource(path: "outputs.jsonl", digest: digest))
    #expect(project.files.kind(of: ProjectPath("datasets/triage/recordings")) == .missing)
  }

  @Test("Unknown times, tokens, costs and finish reasons stay unknown")
  func unknown() throws {
    let project = OutputsProject()
    let result = try project.run(keepsLog: true)
    let metrics = result.suites[0].columns[0].metrics
    for name in ["p50(latency)", "p95(latency)", "mean(tokens)", "sum(cost)", "mean(cost)"] {
      #expect(metrics.first { $0.name == name }?.estimate.value == nil, "\(name)")
    }
    let names = project.files.names(in: ProjectPath("reports/runs"))
    let log = String(
      decoding: try project.files.read(ProjectPath("reports/runs/\(names[0])")),
      as: UTF8.self
    )
    let lines = try log.split(separator: "\n").map { try JSONReader.value(String($0)) }
    #expect(lines[0]["outputs"]?["given"]?["path"] == "outputs.jsonl")
    #expect(
      lines[1]["answered-by"]
        == ["host": "file:outputs.jsonl", "model": "m-1", "via": "files"]
    )
    #expect(lines[1]["timings"] == [:])
    for member in ["usage", "cost", "finish-reason"] { #expect(lines[1][member] == nil) }
  }

  @Test("Times and token counts in the file are used")
  func stated() throws {
    let project = OutputsProject()
    let rows = ["where": "question", "send": "request", "thanks": "other", "polite": "request"]
      .map { id, kind in
        #"{"id":"\#(id)","text":"\#(kind)","timings":{"total-ms":200},"usage":{"input":9,"output":1}}"#
      }
    try project.write(rows.joined(separator: "\n"), to: OutputsProject.outputsPath)
    let metrics = try project.run().suites[0].columns[0].metrics
    func value(_ name: String) -> Double? { metrics.first { $0.name == name }?.estimate.value }
    #expect(value("p50(latency)") == 200)
    #expect(value("mean(tokens)") == 10)
    #expect(value("sum(cost)") == nil)
  }

  // MARK: Reports

  @Test("Every report starts with the notice and names the file with its digest")
  func reports() throws {
    let result = try OutputsProject().run()
    let digest = try #require(result.suites[0].columns[0].outputs?.digest)
    #expect(
      terminal(result).prefix(4) == [
        "answers from a file; request unknown",
        "  given: outputs.jsonl, SHA-256 \(digest.prefix(12)), answered by m-1",
        "",
        "PASS  triage  v1 on given · 4 cases",
      ]
    )
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(
      markdown.hasPrefix(
        "<!-- sluice-report -->\n**answers from a file; request unknown**: `given: "
          + "outputs.jsonl, SHA-256 \(digest.prefix(12)), answered by m-1`.\n\n## ✅ Sluice: pass"
      )
    )
    let json = String(decoding: JSONReport(result).bytes, as: UTF8.self)
    #expect(json.hasPrefix("{\n  \"notice\": \"answers from a file; request unknown\",\n"))
    #expect(try ReportSchema.report.violations(of: JSONReport(result).bytes) == [])
    let junit = String(decoding: JUnitReport(result).bytes, as: UTF8.self)
    #expect(
      junit.contains(
        """
            <properties>
              <property name="notice" value="answers from a file; request unknown"/>
              <property name="outputs" value="outputs.jsonl SHA-256 \(digest)"/>
        """
      )
    )
    let page = FileSink.bytes { (sink) throws(FileError) in try HTMLReport(result).write(to: &sink)
    }
    let html = String(decoding: page, as: UTF8.self)
    let notice = try #require(html.firstRange(of: "answers from a file; request unknown"))
    let verdict = try #require(html.firstRange(of: "<h1"))
    #expect(notice.lowerBound < verdict.lowerBound)
    #expect(html.contains("The answer is from outputs.jsonl."))
  }

  @Test("Reports of recorded answers do not mention files")
  func otherReports() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let json = String(decoding: JSONReport(try project.replay()).bytes, as: UTF8.self)
    #expect(!json.contains("answers from a file"))
    #expect(!json.contains("\"outputs\""))
  }

  // MARK: Missing rows

  @Test("Cases without a row leave no verdict, and the next step says what to add")
  func missing() throws {
    let project = OutputsProject()
    try project.edit(
      OutputsProject.outputsPath,
      replacing: #"{"id": "send", "text": "request", "model": "m-1"}"# + "\n",
      with: ""
    )
    let result = try project.run()
    #expect(result.verdict == .noVerdict)
    let text = terminal(result).joined(separator: "\n")
    #expect(
      text.contains(
        "\nNo rows in outputs.jsonl for 1 of 4 cases\n  no row in outputs.jsonl\n    send"
      )
    )
    #expect(
      text.hasSuffix(
        """
        Next: add the missing rows to outputs.jsonl, then run again:
          sluice run triage

        """
      )
    )
  }

  @Test("A row with an error loses its trial, with that reason")
  func errors() throws {
    let project = OutputsProject()
    try project.edit(
      OutputsProject.outputsPath,
      replacing: #"{"id": "send", "text": "request", "model": "m-1"}"#,
      with: #"{"id": "send", "error": {"message": "slow down", "kind": "rate-limited"}}"#
    )
    let trials = try project.run().suites[0].columns[0].trials
    #expect(
      trials[1].outcome
        == .lost(
          .noAnswer(BackendError(.rateLimited, "outputs.jsonl:2 has no answer: slow down"))
        )
    )
  }

  @Test("Each repeat has a row, and a missing one is reported")
  func repeats() throws {
    let project = OutputsProject()
    let again = OutputsProject.texts[OutputsProject.outputsPath]!.split(separator: "\n").dropLast()
      .map { $0.replacing("\"text\"", with: "\"repeat\": 2, \"text\"") + "\n" }.joined()
    try project.write(
      OutputsProject.texts[OutputsProject.outputsPath]! + again,
      to: OutputsProject.outputsPath
    )
    let column = try project.run(ProjectLoader.Selection(repetitions: 2)).suites[0].columns[0]
    #expect(column.trials.count == 8)
    #expect(column.lost == 1)
    #expect(
      column.trials.compactMap { trial -> String? in
        if case .lost(let loss) = trial.outcome { loss.message } else { nil }
      } == ["no row in outputs.jsonl for repeat 2"]
    )
  }

  // MARK: Regression gates

  private func gated(_ rows: String? = nil) throws -> OutputsProject {
    let project = OutputsProject()
    try project.edit(
      OutputsProject.suitePath,
      replacing: "- accuracy >= 60%",
      with: "- no regression in accuracy beyond 60 points"
    )
    if let rows { try project.write(rows, to: OutputsProject.outputsPath) }
    try project.acceptBaseline()
    return project
  }

  private func gate(_ project: OutputsProject) throws -> Decision {
    try #require(try project.run().suites[0].columns[0].gates.first)
  }

  @Test("The same prompt with identical answers passes as identical")
  func identical() throws {
    #expect(try gate(gated()).reason == .identical)
  }

  @Test("If the prompt changed, unchanged answers leave a regression gate without a verdict")
  func changedPrompt() throws {
    let project = try gated()
    try project.edit(OutputsProject.promptPath, replacing: "Sort", with: "Sort carefully")
    var decision = try gate(project)
    #expect(decision.verdict == .noVerdict)
    #expect(decision.reason == .unknownRequest)
    #expect(
      decision.explanation
        == "the prompt changed, but the answers of 4 of 4 cases did not; they come from a file "
        + "and may belong to the old prompt"
    )
    #expect(
      try project.run().nextStep(CommandLineOverrides())?.advice
        == "put the answers to the new prompt into outputs.jsonl, or name each row's prompt under "
        + "'prompt', then run again"
    )
    // One unchanged answer is enough.
    try project.write(
      """
      {"id": "where", "text": "question"}
      {"id": "send", "text": "request!"}
      {"id": "thanks", "text": "other!"}
      {"id": "polite", "text": "question!"}
      """,
      to: OutputsProject.outputsPath
    )
    decision = try gate(project)
    #expect(decision.reason == .unknownRequest)
    #expect(decision.explanation.contains("the answers of 1 of 4 cases did not"))
    try project.edit(OutputsProject.outputsPath, replacing: "\"question\"", with: "\"question?\"")
    #expect(try gate(project).reason != .unknownRequest)
  }

  @Test("Rows that name the current prompt are its answers, even if they did not change")
  func namedPrompt() throws {
    func rows(_ prompt: String) -> String {
      ["where": "question", "send": "request", "thanks": "other", "polite": "question"]
        .sorted { $0.key < $1.key }
        .map { #"{"id": "\#($0)", "text": "\#($1)", "prompt": "\#(prompt)"}"# + "\n" }.joined()
    }
    let project = try gated(rows("v1"))
    // If a prompt was edited under the same name, its rows may be older than the edit.
    try project.edit(OutputsProject.promptPath, replacing: "Sort", with: "Sort carefully")
    #expect(try gate(project).reason == .unknownRequest)
    try project.write("Sort with care: {{message}}\n", to: "prompts/triage/v2.txt")
    try project.edit(OutputsProject.suitePath, replacing: "v1.txt", with: "v2.txt")
    // Rows of the old prompt do not answer trials of the new one.
    #expect(try project.run().suites[0].columns[0].lost == 4)
    try project.write(rows("v2"), to: OutputsProject.outputsPath)
    #expect(try gate(project).reason == .identical)
  }

  // MARK: Loading

  @Test("Errors in rows are reported together with errors in other files")
  func faults() throws {
    let project = OutputsProject()
    try project.edit(OutputsProject.outputsPath, replacing: "\"where\"", with: "\"wher\"")
    try project.edit(OutputsProject.suitePath, replacing: "- exact: kind", with: "- exactly: kind")
    let faults = project.diagnostics()
    #expect(
      faults.contains(
        """
        outputs.jsonl:1:8: error: there is no case 'wher' in datasets/triage/cases.yaml
          1 | {"id": "wher", "text": "question", "model": "m-1"}
            |        ^
          fix: did you mean 'where'?

        """
      )
    )
    #expect(faults.contains { $0.contains("exactly") })
  }

  @Test(
    "The entry in sluice.yaml is validated",
    arguments: [
      ("{type: file}", "sluice.yaml:2:10: error: the backend 'given' needs 'path'"),
      ("{type: file, path: nope.jsonl}", "sluice.yaml:2:29: error: file not found: nope.jsonl"),
      (
        "{type: file, path: ../x.jsonl}",
        "sluice.yaml:2:29: error: '../x.jsonl' is outside the project"
      ),
      (
        "{type: file, path: prompts/triage/v1.txt}",
        "sluice.yaml:2:29: error: 'prompts/triage/v1.txt' ends neither in .jsonl nor in .csv"
      ),
      (
        "{type: file, path: outputs.jsonl, model: m}",
        "sluice.yaml:2:44: error: unknown key 'model' in the backend 'given'"
      ),
    ]
  )
  func entries(entry: String, fault: String) throws {
    let project = OutputsProject()
    try project.edit(
      "sluice.yaml",
      replacing: "{type: file, path: outputs.jsonl}",
      with: entry
    )
    #expect(
      project.diagnostics().first?.split(separator: "\n").first.map(String.init) == fault
    )
  }

  @Test("If rows name no prompt, a suite with two prompts gives a warning")
  func severalPrompts() throws {
    let project = OutputsProject()
    try project.write("Again: {{message}}\n", to: "prompts/triage/v2.txt")
    try project.edit(
      OutputsProject.suitePath,
      replacing: "prompt: v1.txt",
      with: "prompts: [v1.txt, v2.txt]"
    )
    #expect(
      project.diagnostics() == [
        """
        outputs.jsonl: warning: the suite has 2 prompts, but the rows do not name the prompt of their answers, so each prompt gets the same answers
          fix: add 'prompt' to the rows, for example "v2"

        """
      ]
    )
  }

  @Test("A file cannot be a judge")
  func judge() throws {
    let project = OutputsProject()
    try project.write("Judge: {{answer}}\n", to: "prompts/triage/judge.txt")
    try project.edit(
      OutputsProject.suitePath,
      replacing: "- exact: kind",
      with: "- exact: kind\n  - llm-rubric: {backend: sheet, prompt: judge.txt}"
    )
    #expect(
      project.diagnostics().contains {
        $0.contains("the backend 'sheet' answers from sheet.csv, so it cannot judge")
      }
    )
  }

  // MARK: Beside other backends

  @Test("A live run reads a file's column from the file and asks only the other backend")
  func liveBeside() async throws {
    let project = OutputsProject()
    try project.edit(
      OutputsProject.suitePath,
      replacing: "backend: given",
      with: "backends: [server, given]"
    )
    let suite = try project.suite()
    let asked = Locked(0)
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      asked.withLock { $0 += 1 }
      return RecordingProject.completion(text: "question")
    }
    let server = try #require(suite.plan.backends.first { $0.name == "server" })
    let live = try server.connectPlainly(client, surroundings: project.surroundings)
    let outcome = await Evaluation(suite, surroundings: project.surroundings, keepsLog: false)
      .live(["server": live])
    #expect(asked.withLock { $0 } == 4)
    let columns = outcome.result.columns
    #expect(columns.map(\.backend) == ["server", "given"])
    #expect(columns.map(\.passed) == [1, 3])
    #expect(columns.map(\.lost) == [0, 0])
  }

  @Test("Two files are compared case by case")
  func compared() throws {
    let project = OutputsProject()
    let selection = ProjectLoader.Selection(backends: ["given", "sheet"])
    let suite = try project.suite(selection)
    let result = try project.run(selection).suites[0]
    let comparison = try SuiteComparison.compare(result, of: suite, .init())
    #expect(comparison.disagreements.map(\.caseID) == ["polite"])
    let whole = ComparisonResult([comparison])
    let text = TerminalComparison(whole, style: TerminalStyle(isColored: false)).text
    #expect(
      text.hasPrefix("answers from a file; request unknown\n  given: outputs.jsonl, SHA-256 ")
    )
    #expect(try ReportSchema.compare.violations(of: ComparisonJSON(whole).bytes) == [])
  }
}
