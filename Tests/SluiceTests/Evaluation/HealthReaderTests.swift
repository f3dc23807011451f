import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Reading the health of a suite")
struct HealthReaderTests {
  private func read(
    _ project: RecordingProject,
    logs: [HealthReader.Log] = [],
    ratings: [String] = []
  ) async throws -> HealthReader.Outcome {
    try await read(project.suite(), project.files, project.surroundings, logs, ratings)
  }

  private func read(
    _ suite: ResolvedSuite,
    _ files: InMemoryFileSystem,
    _ surroundings: Surroundings,
    _ logs: [HealthReader.Log] = [],
    _ ratings: [String] = []
  ) async throws -> HealthReader.Outcome {
    let backends = ProjectLoader.backends(from: files).backends
    let reader = HealthReader(suite, backends: backends, surroundings: surroundings)
    return await reader.read(logs: logs, ratings: ratings.map { ProjectPath($0) }, concurrency: 2)
  }

  private func text(_ outcome: HealthReader.Outcome, isVerbose: Bool = false) -> String {
    let style = TerminalStyle(isColored: false)
    return TerminalHealth([outcome.health], style: style, isVerbose: isVerbose).text
  }

  private func suspects(_ outcome: HealthReader.Outcome, isRevealed: Bool) -> String {
    TerminalHealth.suspects(
      [outcome.health],
      style: TerminalStyle(isColored: false),
      isRevealed: isRevealed
    )
  }

  private static let other = "prompts/triage/v0.yaml"

  /// A project with recordings of its own prompt and of another prompt in its folder.
  private func twoPrompts() async throws -> RecordingProject {
    let project = RecordingProject()
    _ = try await project.record()
    let prompt = try project.text(of: RecordingProject.promptPath)
    let earlier = prompt.replacing("Say what kind", with: "Name the kind")
    try project.files.write(Array(earlier.utf8), to: ProjectPath(Self.other))
    try project.edit(RecordingProject.suitePath, replacing: "v1.yaml", with: "v0.yaml")
    // The other prompt classifies each question differently.
    _ = try await project.record(
      from: RecordingHTTPClient { request throws(HTTPError) in
        var response = try RecordingProject.answer(to: request)
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array(text.replacing("question", with: "other").utf8)
        return response
      }
    )
    try project.edit(RecordingProject.suitePath, replacing: "v0.yaml", with: "v1.yaml")
    return project
  }

  // MARK: Recordings

  @Test("Every recorded prompt of the folder is a column, and the suite's own decides")
  func columns() async throws {
    let outcome = try await read(twoPrompts())
    #expect(outcome.diagnostics == [])
    let health = outcome.health.health
    #expect(health.columns.map(\.name) == ["v1 on server", "v0 on server"])
    #expect(health.columns.map(\.isOwn) == [true, false])
    #expect(health.columns.map(\.day) == ["2026-11-21", "2026-11-21"])
    #expect(health.models == ["sorter-1"])
    #expect(
      text(outcome, isVerbose: true) == """
        NOT SATURATED  triage  v1 on server, 2026-11-21 · 4 cases
          1 of 4 cases fails; the suite can show neither a loss nor a gain
          pass on all repeats                 75.0%  [30.1%, 95.4%]    n 4
          fail on all repeats                 25.0%  [4.6%, 69.9%]     n 4
          columns disagree on               1 of 4 cases, 2 columns
          fewer than 5 cases                1 of 1 tag, 3 of 3 classes
          difficulty, discrimination        too few columns or models: 2 of 20 needed, 1
                                            of 3 models needed
          cases on which columns disagree:
            where
              pass: v1 on server
              fail: v0 on server
          columns
            v1 on server                    2026-11-21 · 75.0% of 4 · sorter-1
            v0 on server                    2026-11-21 · 50.0% of 4 · sorter-1
          classes
            other                           1 case, 0 failing, too few cases
            question                        1 case, 0 failing, too few cases
            request                         2 cases, 1 failing, too few cases
          tags
            short                           1 case, 0 failing, too few cases

        NOT SATURATED: 1 of 4 cases fails

        """
    )
  }

  @Test("A column with only some cases shows its n, and quarantined cases do not count")
  func partial() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(
      RecordingProject.casesPath,
      replacing: "- {id: thanks, input: {message: \"Thanks!\"}",
      with: "- {id: thanks, input: {message: \"Thank you!\"}"
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "quarantine:\n  - {case: polite, until: 2026-12-31, reason: unclear}\ngates:"
    )
    let outcome = try await read(project)
    #expect(outcome.health.health.cases.map(\.id) == ["where", "send", "thanks"])
    #expect(outcome.health.health.quarantined == 1)
    #expect(
      text(outcome).hasPrefix(
        """
        SATURATED  triage  v1 on server, 2026-11-21 · 2 of 3 cases
          all 2 cases pass; the suite can show neither a loss nor a gain

        """
      )
    )
  }

  @Test("All recorded repeats count, even if the suite uses fewer")
  func repeats() async throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.suitePath, replacing: "gates:", with: "repeat: 3\ngates:")
    _ = try await project.record()
    try project.edit(RecordingProject.suitePath, replacing: "repeat: 3\n", with: "")
    let column = try #require(try await read(project).health.health.columns.first)
    #expect(column.answered == 4)
    // A case that is asked three times is one case.
    #expect(column.headroom?.passing == 3)
  }

  @Test("Missing recordings and unreadable files are reported")
  func nothing() async throws {
    let project = RecordingProject()
    try project.files.write(
      Array("messages: [{robot: Hello}]\n".utf8),
      to: ProjectPath("prompts/triage/broken.yaml")
    )
    try project.files.write([], to: ProjectPath("datasets/triage/recordings/gone.jsonl"))
    let outcome = try await read(project)
    #expect(outcome.diagnostics.allSatisfy { $0.severity == .warning })
    #expect(
      outcome.diagnostics.map { "\($0.path): \($0.message)" } == [
        "prompts/triage/broken.yaml: not used as a prompt of the suite: unknown role 'robot'",
        "datasets/triage/recordings/gone.jsonl: left out: sluice.yaml has no backend 'gone'",
      ]
    )
    #expect(
      text(outcome) == """
        NOTHING RECORDED  triage  v1 · 4 cases
          no answers are recorded for any prompt of the suite

        """
    )
  }

  // MARK: Run logs

  private func run(_ project: RecordingProject) async throws {
    let evaluation = Evaluation(try project.suite(), surroundings: project.surroundings)
    _ = await evaluation.live(try project.backends(RecordingProject.server))
  }

  private static let log = "reports/runs/triage-20261121T120019Z.jsonl"

  @Test("A live run is a separate column, and a replay is not")
  func live() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    _ = try project.replay()
    try await run(project)
    let health = try await read(project).health.health
    #expect(health.columns.map(\.origin) == [.recorded, .live])
    #expect(health.columns.map(\.answered) == [4, 4])
    #expect(health.skippedLogs == [])
    // For a log that the user names, the report explains why it adds nothing.
    let replay = HealthReader.Log(
      name: "mine.jsonl",
      contents: try project.files.open(ProjectPath(Self.log))
    )
    let named = try await read(project, logs: [replay]).health.health
    #expect(
      named.skippedLogs == [
        SuiteHealth.SkippedLog(
          name: "mine.jsonl",
          reason: "it is the log of a run on recordings, not of a live run"
        )
      ]
    )
  }

  @Test("After a prompt edit, the log's column belongs to an earlier version of the prompt")
  func edited() async throws {
    let project = RecordingProject()
    try await run(project)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    let health = try await read(project).health.health
    #expect(health.columns.map(\.prompt) == ["v1 (earlier text)"])
    #expect(health.newest == nil)
    #expect(
      try await text(read(project)).contains(
        "  no model answered the suite's own prompt, v1\n"
      )
    )
  }

  @Test(
    "A log with changed cases or scorers is reported, and its unchanged cases count",
    arguments: [
      (
        RecordingProject.casesPath, "Please send it.", "Send it.",
        "1 of its cases changed since the run; the others are used", 3
      ),
      (
        RecordingProject.suitePath, "[question, request, other]", "[question, request, other, no]",
        "the scorers changed since the run", 0
      ),
    ]
  )
  func incomparable(
    _ path: String,
    _ old: String,
    _ new: String,
    _ reason: String,
    _ answered: Int
  ) async throws {
    let project = RecordingProject()
    try await run(project)
    try project.edit(path, replacing: old, with: new)
    let outcome = try await read(project)
    #expect(
      outcome.health.health.skippedLogs == [
        SuiteHealth.SkippedLog(name: Self.log, reason: reason)
      ]
    )
    #expect(outcome.health.health.columns.reduce(0) { $0 + $1.answered } == answered)
    #expect(
      text(outcome).contains(
        """
          1 run log not usable, or only in part:
            \(Self.log): \(reason.prefix(10))
        """
      )
    )
  }

  @Test(
    "A truncated log, one of another suite and an invalid log are reported and ignored",
    arguments: [
      ("cut", "the run did not finish"), ("other", "the log is of another suite, 'inbox'"),
      ("none", "line 1: the line is not valid JSON: expected a JSON value"),
    ]
  )
  func odd(_ kind: String, _ reason: String) async throws {
    let project = RecordingProject()
    try await run(project)
    let text = try project.text(of: Self.log)
    let odd =
      switch kind {
      case "cut": text.split(separator: "\n").dropLast(2).map { $0 + "\n" }.joined()
      case "other": text.replacing(#""suite":"triage""#, with: #""suite":"inbox""#)
      default: "nothing\n"
      }
    try project.files.write(Array(odd.utf8), to: ProjectPath(Self.log))
    let health = try await read(project).health.health
    #expect(health.columns.isEmpty)
    #expect(health.skippedLogs.map(\.reason) == [reason])
  }

  // MARK: Suspects

  @Test("Labels that people dispute are listed without the label unless revealed")
  func ratings() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let before = try project.text(of: RecordingProject.casesPath)
    try project.files.write(
      Array(
        """
        {"id": "where", "text": "{\\"kind\\": \\"question\\"}"}
        {"id": "polite", "text": "{\\"kind\\": \\"question\\"}"}
        {"id": "polite", "repeat": 2, "text": "{\\"kind\\": \\"question\\"}"}
        {"id": "send", "text": "{\\"kind\\": \\"other\\"}"}
        {"id": "send", "repeat": 2, "text": "{\\"kind\\": \\"request\\"}"}

        """.utf8
      ),
      to: ProjectPath("people.jsonl")
    )
    let outcome = try await read(project, ratings: ["people.jsonl"])
    #expect(outcome.diagnostics == [])
    #expect(
      suspects(outcome, isRevealed: false) == """
        triage  1 doubtful label

        1 of 1
          question  Could you send it?

        Labels and answers are hidden. To see them, add --reveal.

        """
    )
    #expect(
      suspects(outcome, isRevealed: true) == """
        triage  1 doubtful label

        1 of 1  polite
          question  Could you send it?
          label     kind: request
          answer    people.jsonl: {"kind": "question"}

        """
    )
    #expect(
      text(outcome).hasSuffix(
        """
          doubtful labels                   1 label

        Next: review 1 doubtful label with labels and answers hidden:
          sluice health triage --suspects

        """
      )
    )
    #expect(outcome.health.health.columns.count == 1)
    #expect(try project.text(of: RecordingProject.casesPath) == before)
  }

  @Test("Ratings of unknown cases are an error")
  func wrongRatings() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.files.write(
      Array("id,text\nnobody,question\n".utf8),
      to: ProjectPath("people.csv")
    )
    let outcome = try await read(project, ratings: ["people.csv", "none.csv"])
    #expect(outcome.diagnostics.map(\.severity) == [.error, .error])
    #expect(outcome.diagnostics.map(\.path) == ["people.csv", "none.csv"])
  }

  @Test("The JSON hides suspect labels until they are revealed")
  func json() async throws {
    let project = OutputsProject()
    try project.edit(
      OutputsProject.suitePath,
      replacing: "backend: given",
      with: "backends: [given, second]"
    )
    try project.edit(
      "sluice.yaml",
      replacing: "backends:",
      with: "backends:\n  second: {type: file, path: second.jsonl}"
    )
    try project.write(
      (OutputsProject.texts["outputs.jsonl"] ?? "").replacing("m-1", with: "m-2"),
      to: "second.jsonl"
    )
    let outcome = try await read(try project.suite(), project.files, project.surroundings)
    func suite(_ isRevealed: Bool) throws -> JSONValue? {
      try JSONReader.value(HealthJSON([outcome.health], isRevealed: isRevealed).bytes)["suites"]?
        .array?.first
    }
    let blind = try #require(try suite(false))
    #expect(blind["standing"] == "open")
    #expect(blind["columns"]?.array?.count == 2)
    #expect(blind["columns"]?.array?.first?["models"] == ["m-1"])
    #expect(blind["items"] == .null)
    #expect(
      blind["items-unknown"] == "too few columns or models: 2 of 20 needed, 2 of 3 models needed"
    )
    let question: JSONValue = [["name": "message", "text": "Could you send it?"]]
    #expect(blind["suspects"] == [["number": 1, "question": question]])
    let revealed = try #require(try suite(true))
    #expect(
      revealed["suspects"] == [
        [
          "number": 1, "question": question, "case": "polite",
          "expected": [["name": "kind", "text": "request"]], "models": ["m-1", "m-2"],
          "people": false,
          "answers": [
            ["column": "v1 on given", "text": "question"],
            ["column": "v1 on second", "text": "question"],
          ],
        ]
      ]
    )
  }

  // MARK: Single cases

  /// Twenty columns of three models.
  ///
  /// Stronger models pass more of the six cases.
  private var analyzed: SuiteHealthReport {
    let ids = (0..<6).map { "c\($0)" }
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { (ExactString($1), $0) })
    let columns = (0..<20).map { strength -> SuiteHealth.Column in
      let passes = [true, strength > 4, strength > 4, strength > 9, strength > 14, strength < 6]
      let trials = passes.enumerated().map { place, passes in
        let provenance = Provenance(model: "m-\(strength % 3)", date: "2026-11-20T10:00:00Z")
        return StatisticsTrials.trial(
          ids[place],
          passes ? .passed : .failed,
          output: Trial.Output(ModelResponse(text: "", provenance: provenance), cost: nil)
        )
      }
      return SuiteHealth.Column(
        prompt: "v\(strength)",
        backend: "server",
        origin: .recorded,
        isOwn: strength == 19,
        trials: trials,
        places: places
      )
    }
    return SuiteHealthReport(
      health: SuiteHealth(
        suite: "triage",
        path: ProjectPath("prompts/triage/suite.yaml"),
        prompt: "v19",
        cases: ids.map { SuiteHealth.Case(id: $0, tags: []) },
        columns: columns
      )
    )
  }

  @Test("A table longer than a screen ends with its conclusion and the next command")
  func longTable() throws {
    let reports = Array(repeating: analyzed, count: 30)
    let lines = TerminalHealth(reports, style: TerminalStyle(isColored: false)).text
      .split(separator: "\n").suffix(3)
    let expected = "30 suites: 0 saturated, 0 nearly saturated"
    #expect(lines.first == expected[...])
    #expect(lines.dropFirst().first == "Next: see one suite in full:")
    let short = TerminalHealth([analyzed, analyzed], style: TerminalStyle(isColored: false)).text
    #expect(short.ranges(of: "2 suites: ").count == 1)
  }

  @Test("With twenty columns of three models, cases have difficulty and discrimination")
  func items() throws {
    let style = TerminalStyle(isColored: false)
    let text = TerminalHealth([analyzed], style: style, isVerbose: true).text
    #expect(
      text.contains(
        """
          difficulty, discrimination        5 of 6 cases separate columns, 1 of them in
                                            the wrong direction; 2 redundant in 1 group

        """
      )
    )
    let tail = try #require(text.firstRange(of: "  cases that separate columns least"))
    #expect(
      text[tail.lowerBound...] == """
          cases that separate columns least, with discrimination
            c5                              -0.85, passed by 30.0% of columns
            c4                              0.48, passed by 25.0% of columns
            c1                              0.57, passed by 75.0% of columns
            c2                              0.57, passed by 75.0% of columns
            c3                              0.61, passed by 50.0% of columns
          groups of redundant cases
            c1, c2

        NOT SATURATED: 1 of 6 cases fails

        """
    )
    let json = try JSONReader.value(HealthJSON([analyzed]).bytes)["suites"]?.array?.first
    #expect(json?["items"]?["redundant"] == [["c1", "c2"]])
    #expect(
      json?["items"]?["cases"]?.array?.first
        == ["case": "c0", "difficulty": 1, "discrimination": .null]
    )
    #expect(json?["items-unknown"] == nil)
  }

  // MARK: The page

  @Test("The page shows the state of each suite and no labels")
  func page() async throws {
    let outcome = try await read(twoPrompts())
    let page = String(
      decoding: FileSink.bytes { (sink) throws(FileError) in
        try HTMLHealth([outcome.health, outcome.health]).write(to: &sink)
      },
      as: UTF8.self
    )
    #expect(page.contains("<title>Sluice: health</title>"))
    #expect(page.contains("No suite is saturated</span></h1>"))
    #expect(page.contains("</span> not saturated</span></span><span class=\"name\">triage</span>"))
    #expect(page.contains("too few columns or models: 2 of 20 needed, 1 of 3 models needed"))
    #expect(page.contains("<th scope=\"row\">where</th><td data-label=\"Pass\">v1 on server</td>"))
  }

  // MARK: A run

  private func result(
    _ cases: Int,
    standIn: String? = nil,
    failing: Int = 0
  ) throws -> RunResult {
    let suite = try GatedSuite(cases: cases, gates: "gates: [accuracy >= 60%]")
    let trials = suite.trials { testCase, _ in testCase < failing ? .wrong : .right }
      .map { trial in
        var trial = trial
        trial.output?.provenance.standIn = standIn
        return trial
      }
    let judge = ColumnJudge(suite.suite, source: .recorded)
    return RunResult(suites: [judge.result(trials, baselines: [:])])
  }

  private static let line =
    "saturated: all 162 cases pass; the suite can show a loss of 3.8 points or more, but no gain"

  @Test("A verbose run of a saturated suite says so and still passes")
  func saturated() throws {
    let result = try result(162)
    #expect(result.verdict == .pass)
    let style = TerminalStyle(isColored: false)
    let terminal = TerminalReport(result, style: style, isVerbose: true).text
    #expect(!TerminalReport(result, style: style).text.contains("saturated"))
    #expect(
      terminal.contains(
        """
          saturated: all 162 cases pass; the suite can show a loss of 3.8 points or
          more, but no gain

        """
      )
    )
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(markdown.contains("\ntriage is \(Self.line).\n"))
    let json = try JSONReader.value(JSONReport(result).bytes)
    #expect(try ReportSchema.report.violations(of: json) == [])
    let headroom = json["suites"]?.array?.first?["columns"]?.array?.first?["headroom"]
    #expect(headroom?["level"] == "saturated")
    #expect(headroom?["passing"] == 162)
    #expect(headroom?["visible-gain"] == .null)
    let page = String(
      decoding: FileSink.bytes { (sink) throws(FileError) in
        try HTMLReport(result).write(to: &sink)
      },
      as: UTF8.self
    )
    #expect(page.contains("triage is \(Self.line)."))
    #expect(page.contains("<h2 id=\"health-title\">What the cases can still show</h2>"))
  }

  @Test("A suite with a failing case, or with a stand-in's answers, is not saturated")
  func open() throws {
    for result in [try result(162, failing: 1), try result(162, standIn: "stand-in-1")] {
      let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
      #expect(!terminal.contains("saturated"))
      #expect(!String(decoding: MarkdownReport(result).bytes, as: UTF8.self).contains("saturated"))
    }
    let standIn = try JSONReader.value(JSONReport(result(162, standIn: "stand-in-1")).bytes)
    let column = standIn["suites"]?.array?.first?["columns"]?.array?.first
    #expect(column?["headroom"] == nil)
  }

  @Test("Several saturated suites share a sentence")
  func several() throws {
    var result = try result(162)
    result.suites += result.suites
    result.suites[1].name = "inbox"
    #expect(
      HealthText.saturated(result.suites)
        == "In this run, all cases of 2 suites pass: triage, inbox. They can show "
        + "losses but no gains."
    )
  }

  @Test("Names cannot control the terminal", arguments: HostileText.all)
  func hostile(hostile: String) async throws {
    let outcome = try await read(twoPrompts())
    var report = outcome.health
    report.health.suite = hostile
    report.health.columns[0].prompt = hostile
    report.health.columns[1].backend = String(repeating: hostile, count: 25)
    report.health.columns[0].models = [hostile]
    report.health.cases[0].id = hostile
    report.health.cases[1].tags = [hostile]
    report.health.skippedLogs = [SuiteHealth.SkippedLog(name: hostile, reason: hostile)]
    let text = TerminalHealth([report], style: TerminalStyle(isColored: false), isVerbose: true)
      .text
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
    }
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
    }
  }
}
