import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Assertions with values of cases, from the project's files to the trials.
@Suite("Assertions with values of cases")
struct AssertionTemplateRunTests {
  private let scorers = """
      - json-schema: answer.schema.json
      - flags: {path: warning, when: non-empty}
      - classification: {path: label, expected: label, labels: [calm, harsh]}
    """

  /// The project with additional scorers.
  private func fixture(_ more: String) throws -> ProjectFixture {
    try ProjectFixture().replacing(scorers, with: scorers + "\n" + more, in: ProjectFixture.suite)
  }

  @Test("A name that no case has is an error at its placeholder")
  func missingEverywhere() throws {
    #expect(
      try fixture("  - contains: 'x {{expected.lable}}'").report() == """
        prompts/tone/suite.yaml:9:18: error: no case of datasets/tone/cases.yaml has 'expected.lable'
          9 |   - contains: 'x {{expected.lable}}'
            |                  ^
          fix: did you mean 'expected.label'?

        """
    )
  }

  @Test("A name that some cases lack is an error at these cases")
  func missingSomewhere() throws {
    let said = try fixture("  - not-contains: '{{banned}}'")
      .replacing(
        "message: Done.",
        with: "message: Done.\n    banned: no",
        in: ProjectFixture.dataset
      )
      .report()
    #expect(
      said == """
        datasets/tone/cases.yaml:9:7: error: the case 'rude' has no 'banned', which is used at prompts/tone/suite.yaml:9:20
          9 | - id: rude
            |       ^
          fix: give it a value under 'input', or remove it from the assertion

        """
    )
  }

  @Test("A key under 'expected' needs the prefix 'expected.'")
  func unqualified() throws {
    let said = try fixture("  - contains: '{{label}}'").load().diagnostics
    #expect(said.map(\.message) == ["no case of datasets/tone/cases.yaml has 'label'"])
    #expect(said.map(\.fix) == ["did you mean 'expected.label'?"])
  }

  @Test("A value that the assertion cannot use is an error at the case")
  func unusable() throws {
    let said = try fixture("  - contains: '{{conversation}}'").report()
    #expect(
      said == """
        datasets/tone/cases.yaml:1:7: error: with the values of the case 'terse', the assertion at prompts/tone/suite.yaml:9:15 is invalid: 'contains' must be a text, not a list
          1 | - id: terse
            |       ^
          fix: correct the value in the case, or the assertion
        datasets/tone/cases.yaml:8:7: error: with the values of the case 'rude', the assertion at prompts/tone/suite.yaml:9:15 is invalid: 'contains' must be a text, not a list
          8 | - id: rude
            |       ^
          fix: correct the value in the case, or the assertion

        """
    )
  }

  @Test("An input called 'expected' is an error only if assertions have placeholders")
  func hidden() throws {
    func report(_ more: String) throws -> [String] {
      try fixture(more).replacing(
        "    message: Done.\n",
        with: "    message: Done.\n    expected: {label: x}\n",
        in: ProjectFixture.dataset
      ).load().diagnostics.map(\.message)
    }
    #expect(
      try report("  - contains: '{{expected.label}}'")
        == [
          "an input is named 'expected', but in assertions {{expected.…}} means the "
            + "expected output"
        ]
    )
    #expect(try report("  - contains: x") == ["no prompt of the suite uses the input 'expected'"])
  }

  @Test("A case's own assertion uses its inputs, and reports a missing one at the placeholder")
  func ownAssertions() throws {
    func project(_ value: String) throws -> ProjectFixture {
      try ProjectFixture().replacing(
        "  expected: {flagged: false, label: calm}\n",
        with: "  expected: {flagged: false, label: calm, reply: [no]}\n  assert:\n    - \(value)\n",
        in: ProjectFixture.dataset
      )
    }
    #expect(try project("contains: '{{sender.role}} {{expected.reply}}'").report() == "")
    #expect(
      try project("contains-any: [x, 'a {{expected.replay}}']").report() == """
        datasets/tone/cases.yaml:9:28: error: the case 'terse' has no 'expected.replay'
          9 |     - contains-any: [x, 'a {{expected.replay}}']
            |                            ^
          fix: did you mean 'expected.reply'?
        """ + "\n"
    )
  }

  @Test("A text that begins with file:// is an error unless it is marked as literal")
  func fileReferences() throws {
    func project(_ message: String) throws -> ProjectFixture {
      try ProjectFixture()
        .replacing("message: Done.", with: "message: \(message)", in: ProjectFixture.dataset)
    }
    #expect(
      try project("file://mail.txt").report() == """
        datasets/tone/cases.yaml:4:14: error: 'file://mail.txt' would be used as text, not as the name of a file
          4 |     message: file://mail.txt
            |              ^
          fix: write {file: "mail.txt"}; to use exactly this text, write {literal: "file://mail.txt"}

        """
    )
    let written = try project("{literal: \"file://mail.txt\"}")
    #expect(written.report() == "")
    let suite = try #require(written.load().suites.first)
    #expect(suite.plan.cases[0].testCase.input["message"] == "file://mail.txt")
    #expect(try project("see file://mail.txt").report() == "")
    #expect(
      try project("{literal: x}").load().suites.first?.plan.cases[0].testCase.input["message"]
        == ["literal": "x"]
    )
  }

  @Test("The rules for file:// also apply to JSONL datasets")
  func fileReferencesInLines() throws {
    func line(_ id: String, _ message: String) -> String {
      #"{"id":"ID","input":{"message":MESSAGE},"expected":{"kind":"question"}}"#
        .replacing("ID", with: id).replacing("MESSAGE", with: message) + "\n"
    }
    func load(_ message: String) throws -> LoadedProject {
      let project = RecordingProject()
      try project.files.remove(ProjectPath(RecordingProject.casesPath))
      let lines = line("first", #""a""#) + line("second", #""b""#) + line("third", message)
      try project.files.write(
        Array(lines.utf8),
        to: ProjectPath("datasets/triage/cases.jsonl")
      )
      return ProjectLoader.load(from: project.files)
    }
    #expect(
      try load(#""file://c""#).diagnostics.filter { $0.severity == .error }
        .map(\.description) == [
          """
          datasets/triage/cases.jsonl:3:34: error: 'file://c' would be used as text, not as the name of a file
            3 | {"id":"third","input":{"message":"file://c"},"expected":{"kind":"questio…
              |                                  ^
            fix: write {"file": "c"}; to use exactly this text, write {"literal": "file://c"}

          """
        ]
    )
    let loaded = try load(#"{"literal":"file://c"}"#)
    #expect(loaded.diagnostics.isEmpty)
    let last = try #require(loaded.suites.first?.plan.cases[2].testCase)
    #expect(last.input == ["message": "file://c"])
    #expect(last.digest == TestCase(id: "third", input: last.input, expected: last.expected).digest)
  }

  @Test("A run fills each assertion from its case, on the fast path, too")
  func run() async throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "[question, request, other]}",
      with: "[question, request, other]}\n  - not-contains: '{{banned}}'\n"
        + "  - json-path: {path: kind, equals: '{{expected.kind}}'}"
    )
    try project.files.remove(ProjectPath(RecordingProject.casesPath))
    let cases = [("a?", "other", "question"), ("b.", "request", "request"), ("c?", "x", "other")]
    let lines = cases.enumerated().map { index, entry in
      let kind = entry.2
      return #"{"id":"case-\#(index)","input":{"message":"\#(entry.0)","banned":"\#(entry.1)"},"#
        + #""expected":{"kind":"\#(kind)"},"assert":[{"contains":"{{expected.kind}}"}]}"# + "\n"
    }
    try project.files.write(
      Array(lines.joined().utf8),
      to: ProjectPath("datasets/triage/cases.jsonl")
    )
    _ = try await project.record()
    let plan = try project.plan()
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    #expect(
      trials.map { $0.trial.faults.map { "\($0.scorer): \($0.explanation)" } } == [
        [],
        [
          #"not-contains: expected the answer not to contain "request", "#
            + #"found at character 10: "{"kind":"request"}""#
        ],
        [
          "classification: expected other, got question",
          #"json-path: expected the answer to have "other" at 'kind': there is "question""#,
          #"assert.contains: expected the answer to contain "other", got "{"kind":"question"}""#,
        ],
      ]
    )
    let log = RunLog(plan, start: RecordingProject.date, mode: .replay)
    let run = LoggingRun(plan, log, project.files)
      .replay(try project.recordings(), notBefore: nil, concurrency: 2) { _ in }
    let file = try #require(run.log)
    #expect(file.bytes(0..<file.count) == log.bytes(trials))
    #expect(plan.cases[0].assertions.map(\.digest) == plan.cases[1].assertions.map(\.digest))
  }
}
