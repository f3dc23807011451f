import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("The terminal report")
struct TerminalReportTests {
  private func text(
    _ result: RunResult,
    isColored: Bool = false,
    prompt: String? = nil,
    columns: Int = 80,
    isVerbose: Bool = false
  ) -> String {
    TerminalLines.$width.withValue(columns) {
      TerminalReport(
        result,
        style: TerminalStyle(isColored: isColored),
        overrides: CommandLineOverrides(prompt: prompt),
        isVerbose: isVerbose
      ).text
    }
  }

  /// Runs the recorded project after edits.
  private func run(editing edits: [(path: String, old: String, new: String)]) async throws
    -> RunResult
  {
    let project = RecordingProject()
    _ = try await project.record()
    for edit in edits { try project.edit(edit.path, replacing: edit.old, with: edit.new) }
    return try project.replay()
  }

  /// The terminal report of the recorded project after edits.
  private func text(editing edits: [(path: String, old: String, new: String)]) async throws
    -> String
  {
    text(try await run(editing: edits))
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  // MARK: Whole texts

  private static let missing = [
    (RecordingProject.casesPath, "Thanks!", "Thank you!"),
    (
      RecordingProject.casesPath, "id: send, input: {message: \"Please",
      "id: get, input: {message: \"Do"
    ),
    ("sluice.yaml", "prices: prices.json", ""),
  ]

  @Test(
    "A passing run shows gates, goals, figures, failed cases, sources and the verdict",
    arguments: [80, 120]
  )
  func passing(columns: Int) async throws {
    let text = text(try await run(editing: []), columns: columns)
    let expected = try Snapshot.text("run.pass.\(columns).txt")
    #expect(text == expected)
  }

  @Test(
    "A failing run shows how far a gate was missed, and the command that shows a failed case",
    arguments: [80, 120]
  )
  func failing(columns: Int) async throws {
    let edit = (RecordingProject.suitePath, "accuracy >= 60%", "accuracy >= 80%")
    let text = text(try await run(editing: [edit]), columns: columns)
    let expected = try Snapshot.text("run.fail.\(columns).txt")
    #expect(text == expected)
  }

  @Test(
    "A run with missing recordings has no verdict and shows the command that records them",
    arguments: [80, 120]
  )
  func misses(columns: Int) async throws {
    let text = text(try await run(editing: Self.missing), columns: columns)
    let expected = try Snapshot.text("run.no-verdict.\(columns).txt")
    #expect(text == expected)
  }

  @Test("--verbose shows all figures and explanations", arguments: [80, 120])
  func verbose(columns: Int) async throws {
    let text = text(try await run(editing: []), columns: columns, isVerbose: true)
    let expected = try Snapshot.text("run.verbose.\(columns).txt")
    #expect(text == expected)
  }

  @Test(
    "With several suites, those that do not pass come first in full, the others in a table",
    arguments: [80, 120]
  )
  func several(columns: Int) async throws {
    var result = try await run(editing: [])
    let other = try await run(editing: [
      (RecordingProject.suitePath, "accuracy >= 60%", "accuracy >= 80%")
    ])
    for name in ["inbox", "a-suite-with-a-longer-name"] {
      result.suites.append(result.suites[0])
      result.suites[result.suites.count - 1].name = name
    }
    result.suites += other.suites
    result.suites[3].name = "urgent"
    let text = text(result, columns: columns)
    let expected = try Snapshot.text("run.several.\(columns).txt")
    #expect(text == expected)
  }

  @Test("A gate that fails whatever the missing answers are fails the run")
  func failingWithMisses() async throws {
    let text = try await text(editing: [
      (RecordingProject.casesPath, "Thanks!", "Thank you!"),
      (RecordingProject.suitePath, "accuracy >= 60%", "accuracy >= 95%"),
    ])
    #expect(lines(text)[0].hasPrefix("FAIL  "))
    #expect(text.contains("  ✗ accuracy >= 95%       66.7%, 28.3 points short\n"))
    #expect(text.contains("  no recording: case changed (user message)\n    thanks\n"))
    #expect(
      text.hasSuffix(
        """
        FAIL: the only gate fails (triage); no recorded answers for 1 of 4 cases
        (triage): case changed (user message)
        Reports: reports/latest/report.html, .md, .json, .csv; junit.xml
        Next: record the missing answers (this sends requests):
          sluice record triage

        """
      )
    )
  }

  @Test("Without recordings, the report gives the reason and skips unknown figures")
  func nothingRecorded() throws {
    #expect(
      text(try RecordingProject().replay()) == """
        NO VERDICT  triage  v1 on server · 4 cases

        No recorded answers for 4 of 4 cases
          no recording: new case
            where, send, thanks and 1 more

        NO VERDICT: no recorded answers for 4 of 4 cases (triage): new case
        Reports: reports/latest/report.html, .md, .json, .csv; junit.xml
        Next: record the missing answers (this sends requests):
          sluice record triage

        """
    )
  }

  @Test("The suggested command names another prompt that was tried")
  func sidePrompt() throws {
    let text = text(try RecordingProject().replay(), prompt: "prompts/triage/v 2.yaml")
    #expect(text.hasSuffix("\n  sluice record triage --prompt 'prompts/triage/v 2.yaml'\n"))
  }

  @Test("Each suite without answers is listed with its reason, and one command records them")
  func commandOfEachSuite() throws {
    var result = try RecordingProject().replay()
    result.suites += result.suites
    result.suites[1].name = "other"
    result.suites[1].path = "prompts/other/suite.yaml"
    #expect(
      text(result, prompt: "v2.yaml").hasPrefix(
        """
        NO VERDICT  2 suites · 8 cases

        NO VERDICT  triage  v1 on server · 4 cases

        No recorded answers for 4 of 4 cases
          no recording: new case
            where, send, thanks and 1 more
          Next, record the missing answers (this sends requests):
            sluice record triage --prompt v2.yaml

        NO VERDICT  other  v1 on server · 4 cases

        """
      )
    )
    #expect(
      text(result).contains(
        """

        NO VERDICT: no recorded answers for 4 of 4 cases (triage, other): new case
        """
      )
    )
  }

  @Test(
    "Outcomes are aligned in a column, and those that do not fit are below their condition"
  )
  func columns() {
    var result = RunResult.everywhere("x")
    let rate = Estimate(rate: 8, of: 10)
    result.suites[0].columns[0].gates = [
      .fixture("accuracy >= 60%", .pass, rate), .fixture("p95(latency) < 1 s", .pass, rate),
      .fixture("no regression in accuracy beyond 5 points", .pass, rate),
      .fixture(
        "mean(cost) <= $0.004",
        .noVerdict,
        Estimate(unknown: "word" + String(repeating: " word", count: 9))
      ),
    ]
    result.suites[0].columns[0].goals = [.fixture("a long goal on some metric >= 60%", .pass, rate)]
    let shown = lines(text(result)).drop { $0 != "Gates" }.prefix(10).map { String($0) }
    #expect(
      shown == [
        "Gates",
        "  ✓ accuracy >= 60%                            80.0%",
        "  ✓ p95(latency) < 1 s                         80.0%",
        "  ✓ no regression in accuracy beyond 5 points  80.0%",
        "  ? mean(cost) <= $0.004",
        "      unknown: word word word word word word word word word word",
        "",
        "Goals  reached",
        "  ✓ a long goal on some metric >= 60%          80.0%, 5.0 points to spare",
        "",
      ]
    )
  }

  @Test("Inside a test, the report names no files, because none are written")
  func withoutReports() throws {
    let report = TerminalReport(
      try RecordingProject().replay(),
      style: TerminalStyle(isColored: false),
      writesReports: false
    )
    #expect(
      report.text.hasSuffix(
        "\nNO VERDICT: no recorded answers for 4 of 4 cases (triage): new case\n"
      )
    )
  }

  @Test("Of many failed or lost trials, the first three are shown, with a count of the others")
  func manyTrials() {
    var result = RunResult.everywhere("x")
    let miss = Trial.Outcome.lost(.noRecording(RecordingMiss(reason: .newCase)))
    result.suites[0].repetitions = 1
    result.suites[0].columns[0].trials =
      (1...7).map { Trial.fixture("f\($0)", .failed) }
      + (1...7).map { Trial.fixture("l\($0)", miss) }
    #expect(
      text(result).contains(
        """
        No recorded answers for 7 of 14 cases
          no recording: new case
            l1, l2, l3 and 4 more

        Failed, 7 cases, 3 shown
          f1
            answer  f1
            f1      f1
          f2
            answer  f2
            f2      f2
          f3
            answer  f3
            f3      f3

        """
      )
    )
  }

  @Test("With repeats, trials are counted instead of cases")
  func repeats() {
    let text = text(.everywhere("x"))
    #expect(text.hasPrefix("FAIL  x  x on x · 3 cases × 2\n"))
    #expect(text.contains("\nNo recorded answers for 1 of 4 trials\n  unusable recording: x\n"))
    #expect(
      text.contains(
        """

        Failed, 2 trials
          x
            answer  x
            x       x
          x (repeat 2)
            answer  x
            x       x

        """
      )
    )
  }

  @Test("Columns that are not candidates are marked, and only the candidates' gates are counted")
  func severalSuites() {
    var result = RunResult.everywhere("a")
    var other = RunResult.everywhere("b").suites[0]
    other.columns[0].isCandidate = false
    other.columns.append(RunResult.everywhere("c").suites[0].columns[0])
    other.columns[1].gates = [.fixture("accuracy >= 85%", .pass, Estimate(rate: 1, of: 1))]
    other.columns[1].trials = [.fixture("c", .passed)]
    result.suites.append(other)
    let text = text(result)
    #expect(text.contains("b  b on b · 3 cases × 2 · not the candidate"))
    #expect(
      text.contains("FAIL: 1 of 3 gates fails (a); no recorded answers for 1 of 4 trials (a)\n")
    )
  }

  @Test("Live answers are not called recorded")
  func live() {
    let text = text(.everywhere("x", source: .live))
    #expect(
      text.contains(
        "Answered by x at x, 2026-11-21.\n"
      )
    )
    #expect(!text.contains("(recorded)"))
  }

  // MARK: Layout

  /// Long and wide names and texts, with and without places to break.
  private static let long = [
    "x", String(repeating: "long words ", count: 40), String(repeating: "x", count: 300),
    String(repeating: "日本語", count: 60), String(repeating: "👩‍👩‍👧‍👦 ", count: 60),
    String(repeating: "a ", count: 16) + "b", String(repeating: "\u{1B}[2J", count: 40),
    String(repeating: "x", count: 43), String(repeating: "x", count: 44),
    String(repeating: "x", count: 33), String(repeating: "x", count: 34),
  ]

  @Test(
    "Only a command to copy may be wider than the terminal, whatever the names and texts",
    arguments: long + HostileText.all
  )
  func width(text: String) {
    for (columns, isVerbose) in [(60, false), (80, false), (80, true), (120, false)] {
      let text = self.text(.everywhere(text), columns: columns, isVerbose: isVerbose)
      for line in lines(text) where !line.hasPrefix("  sluice record ") {
        #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
        #expect(line.last != " ")
      }
    }
  }

  @Test("Real runs fit into 80 columns")
  func widthOfRealRun() async throws {
    for edits in [
      [], [(RecordingProject.casesPath, "Thanks!", "Thank you!")],
      [(RecordingProject.casesPath, "id: polite", "id: \(String(repeating: "x", count: 90))")],
      [
        (
          RecordingProject.suitePath, "- accuracy >= 60%",
          "- recall[class=question] >= 60%\n  - classification.invalid-label-rate[tag=short] <= 12.5%"
        )
      ],
    ] {
      for line in lines(try await text(editing: edits)) where !line.hasPrefix("  sluice ") {
        #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
      }
    }
  }

  @Test("A condition without room has its outcome on the next line")
  func longCondition() {
    var result = RunResult.everywhere("x")
    let estimate = Estimate(rate: 1, of: 2)
    result.suites[0].columns[0].gates = [
      .fixture("accuracy >= 85%", .pass, estimate),
      .fixture(
        "classification.recall[class=a rather long label of a class] >= 85%",
        .fail,
        estimate
      ),
      .fixture("f1 >= 85%", .pass, estimate),
    ]
    #expect(
      text(result).contains(
        """
        Gates
          ✓ accuracy >= 85%  50.0%
          ✗ classification.recall[class=a rather long label of a class] >= 85%
              50.0%, 35.0 points short
          ✓ f1 >= 85%        50.0%

        """
      )
    )
  }

  // MARK: Colours

  private func withoutColors(_ text: String) -> String {
    text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
  }

  @Test("Colors are added only on request and change nothing else")
  func colors() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let result = try project.replay()
    let plain = text(result)
    let colored = text(result, isColored: true)
    #expect(!plain.contains("\u{1B}"))
    #expect(withoutColors(colored) == plain)
    #expect(colored.contains("\u{1B}[1;32mPASS\u{1B}[0m"))
    #expect(colored.contains("\u{1B}[1mtriage\u{1B}[0m"))
    #expect(colored.contains("\u{1B}[2m–\u{1B}[0m accuracy >= 90%"))
  }

  @Test("Failures are red, and missing and inconclusive verdicts are yellow")
  func verdictColors() {
    let style = TerminalStyle(isColored: true)
    #expect(style.verdict("x", .pass) == "\u{1B}[1;32mx\u{1B}[0m")
    #expect(style.verdict("x", .fail) == "\u{1B}[1;31mx\u{1B}[0m")
    #expect(style.verdict("x", .noVerdict) == "\u{1B}[1;33mx\u{1B}[0m")
    #expect(style.verdict("x", .inconclusive) == "\u{1B}[1;33mx\u{1B}[0m")
    #expect(style.bold("") == "")
  }

  // MARK: Hostile text

  @Test(
    "Texts cannot control the terminal, hide themselves or give commands to CI",
    arguments: HostileText.all
  )
  func hostile(text: String) {
    let plain = self.text(.everywhere(text))
    for scalar in plain.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
      #expect(scalar == "\u{200D}" || scalar.properties.generalCategory != .format)
    }
    for line in lines(plain) {
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      #expect(!line.contains(#/##[A-Za-z.]*\[/#), "\(line)")
    }
    guard !text.allSatisfy({ $0 == " " }) else { return }
    #expect(withoutColors(self.text(.everywhere(text), isColored: true)) == plain)
  }
}
