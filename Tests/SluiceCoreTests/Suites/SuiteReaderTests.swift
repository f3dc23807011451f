import SampleProjects
import Sluice
import Testing

@Suite("Suite reader")
struct SuiteReaderTests {
  private let path = ProjectFixture.suite

  private func report(_ old: String, _ new: String) throws -> String {
    try ProjectFixture().replacing(old, with: new, in: path).report()
  }

  // MARK: Finding

  @Test("Every prompts/**/suite.yaml is a suite, except in hidden folders")
  func allSuites() {
    let system = InMemoryFileSystem([
      "prompts/b/suite.yaml": "", "prompts/a/deep/er/suite.yaml": "", "prompts/a/suite.yaml": "",
      "prompts/suite.yaml": "", "prompts/c/suite.yml": "", "prompts/c/my-suite.yaml": "",
      "prompts/.git/suite.yaml": "", "suites/suite.yaml": "", "suite.yaml": "",
    ])
    #expect(
      SuiteReader.allSuites(system).map(\.description) == [
        "prompts/a/deep/er/suite.yaml", "prompts/a/suite.yaml", "prompts/b/suite.yaml",
        "prompts/suite.yaml",
      ]
    )
  }

  @Test(
    "The short name of a suite is its folder under prompts",
    arguments: [
      ("prompts/tone/suite.yaml", "tone"), ("prompts/a/b/suite.yaml", "a/b"),
      ("prompts/suite.yaml", "."),
    ]
  )
  func shortName(_ path: String, _ name: String) {
    #expect(SuiteName.short(ProjectPath(path)) == name)
  }

  // MARK: Reading

  @Test("A suite is read with the positions that later stages need")
  func whole() throws {
    let diagnostics = DiagnosticCollector()
    let files = ProjectFiles(ProjectFixture().system, diagnostics: diagnostics)
    let suite = try #require(SuiteReader.read(ProjectPath(path), files: files))
    #expect(suite.name?.text == "tone")
    #expect(suite.prompts.map(\.text) == ["v1.yaml"])
    #expect(suite.dataset?.text == "tone")
    #expect(suite.dataset?.position == SourcePosition(line: 3, column: 10))
    #expect(suite.backends.map(\.text) == ["fast"])
    #expect(suite.repetitions == 1)
    #expect(suite.scorers.map(\.type) == ["json-schema", "flags", "classification"])
    #expect(suite.gates.map(\.text) == ["accuracy >= 85%"])
    #expect(suite.goals.map(\.position) == [SourcePosition(line: 12, column: 5)])
    #expect(diagnostics.diagnostics == [])
  }

  @Test("Several prompts and backends keep their order, and 'repeat' is read")
  func several() throws {
    let fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompts: [v1.yaml, v2.yaml]", in: path)
      .replacing("backend: fast", with: "backends: [strong, fast]\nrepeat: 3", in: path)
      .adding(["prompts/tone/v2.yaml": "messages: [{user: '{{message}}'}]"])
    let loaded = fixture.load()
    let plan = try #require(loaded.suites.first?.plan)
    #expect(plan.prompts.map(\.name) == ["v1", "v2"])
    #expect(plan.backends.map(\.name) == ["strong", "fast"])
    #expect(plan.repetitions == 3)
    #expect(loaded.diagnostics == [])
  }

  // MARK: Faults

  @Test("An unknown key is an error that suggests the nearest known key")
  func unknownKey() throws {
    #expect(
      try report("goals:", "goal:") == """
        prompts/tone/suite.yaml:11:1: error: unknown key 'goal' in a suite
          11 | goal:
             | ^
          fix: did you mean 'goals'?

        """
    )
  }

  @Test("A duplicate key is an error at its second position")
  func duplicateKey() throws {
    #expect(
      try report("backend: fast", "backend: fast\nbackend: strong") == """
        prompts/tone/suite.yaml:5:1: error: duplicate key 'backend', first on line 4
          5 | backend: strong
            | ^
          fix: remove one of the two

        """
    )
  }

  @Test(
    "A missing required key is an error at the start of the suite",
    arguments: [
      ("suite", "suite: tone\n"), ("prompt", "prompt: v1.yaml\n"), ("dataset", "dataset: tone\n"),
      ("backend", "backend: fast\n"),
    ]
  )
  func missing(_ key: String, _ line: String) throws {
    let first = key == "suite" ? "prompt: v1.yaml" : "suite: tone"
    #expect(
      try report(line, "") == """
        prompts/tone/suite.yaml:1:1: error: a suite needs '\(key)'
          1 | \(first)
            | ^
          fix: add '\(key): …'

        """
    )
  }

  @Test("A suite without scorers causes a warning", arguments: ["", "scorers: null\n"])
  func missingScorers(_ scorers: String) {
    let suite = """
      suite: tone
      prompt: v1.yaml
      dataset: tone
      backend: fast
      \(scorers)gates: [accuracy >= 85%]

      """
    #expect(
      ProjectFixture().adding([path: suite]).report() == """
        prompts/tone/suite.yaml:1:1: warning: the suite has no scorers, so its answers are shown but not judged
          1 | suite: tone
            | ^
          fix: add 'scorers:' with, for example, '- contains: …', or add an 'assert' to each case

        """
    )
  }

  @Test(
    "A value of the wrong type is an error at the value",
    arguments: [
      ("suite: tone", "suite: [tone]", "1:8", "'suite' must be a text, not a list", nil),
      (
        "prompt: v1.yaml", "prompt: 1", "2:9", "'prompt' must be a text, not a number",
        "put it in quotes: \"1\""
      ),
      (
        "dataset: tone", "dataset: {name: tone}", "3:10", "'dataset' must be a text, not a mapping",
        nil
      ),
      (
        "backend: fast", "backends: fast", "4:11", "'backends' must be a list, not a text",
        "write 'backend: fast'"
      ),
      (
        "backend: fast", "backends: [true]", "4:12",
        "an entry of 'backends' must be a text, not true or false",
        "put it in quotes: \"true\""
      ),
      (
        "backend: fast", "backend: fast\nrepeat: three", "5:9",
        "'repeat' must be a whole number, not a text", nil
      ),
      (
        "backend: fast", "backend: fast\nrepeat: 1.5", "5:9",
        "'repeat' must be a whole number, not 1.5", nil
      ),
      (
        "backend: fast", "backend: fast\nrepeat: 0", "5:9",
        "'repeat' must be between 1 and 10000, not 0", nil
      ),
    ] as [(String, String, String, String, String?)]
  )
  func wrongType(_ old: String, _ new: String, _ place: String, _ message: String, _ fix: String?)
    throws
  {
    let parts = try place.split(separator: ":").map { try #require(Int($0)) }
    let line = try #require(new.split(separator: "\n").last)
    let said = try report(old, new)
    #expect(
      said == """
        prompts/tone/suite.yaml:\(place): error: \(message)
          \(parts[0]) | \(line)
            | \(String(repeating: " ", count: parts[1] - 1))^
        \(fix.map { "  fix: \($0)\n" } ?? "")
        """
    )
  }

  @Test("Scorers that are not a list are an error")
  func wrongScorers() {
    let suite = """
      suite: tone
      prompt: v1.yaml
      dataset: tone
      backend: fast
      scorers: {flags: {path: warning}}
      gates: [accuracy >= 85%]

      """
    #expect(
      ProjectFixture().adding([path: suite]).report() == """
        prompts/tone/suite.yaml:5:10: error: 'scorers' must be a list, not a mapping
          5 | scorers: {flags: {path: warning}}
            |          ^
          fix: begin each entry with '- ', as in '- flags: …'

        """
    )
  }

  @Test("Gates that are not a list are an error, so they are not ignored")
  func wrongGates() throws {
    #expect(
      try report("gates:\n  - accuracy >= 85%", "gates: accuracy >= 85%") == """
        prompts/tone/suite.yaml:9:8: error: 'gates' must be a list, not a text
          9 | gates: accuracy >= 85%
            |        ^
          fix: write 'gates: ["accuracy >= 85%"]'

        """
    )
  }

  @Test("Both 'prompt' and 'prompts' are an error")
  func both() throws {
    #expect(
      try report("prompt: v1.yaml", "prompt: v1.yaml\nprompts: [v1.yaml]") == """
        prompts/tone/suite.yaml:3:10: error: both 'prompt' and 'prompts' are given
          3 | prompts: [v1.yaml]
            |          ^
          fix: keep one of the two

        """
    )
  }

  @Test("An empty list of backends is an error")
  func emptyList() throws {
    #expect(
      try report("backend: fast", "backends: []") == """
        prompts/tone/suite.yaml:4:11: error: 'backends' is empty
          4 | backends: []
            |           ^

        """
    )
  }

  @Test("An empty list of scorers causes a warning")
  func emptyScorers() {
    let suite = """
      suite: tone
      prompt: v1.yaml
      dataset: tone
      backend: fast
      scorers: []
      gates: [accuracy >= 85%]

      """
    #expect(
      ProjectFixture().adding([path: suite]).report() == """
        prompts/tone/suite.yaml:5:10: warning: the suite has no scorers, so its answers are shown but not judged
          5 | scorers: []
            |          ^
          fix: add 'scorers:' with, for example, '- contains: …', or add an 'assert' to each case

        """
    )
  }

  @Test("A prompt that is listed twice is one error")
  func twice() throws {
    #expect(
      try report("prompt: v1.yaml", "prompts: [v1.yaml, v1.yaml]") == """
        prompts/tone/suite.yaml:2:20: error: 'v1.yaml' appears twice under 'prompts'
          2 | prompts: [v1.yaml, v1.yaml]
            |                    ^
          fix: remove one of the two

        """
    )
  }

  @Test("A suite name must be a valid file name")
  func name() throws {
    #expect(
      try report("suite: tone", "suite: tone/strict") == """
        prompts/tone/suite.yaml:1:8: error: the suite name 'tone/strict' must consist of letters, digits, '.', '_' and '-', and must not start with '.'
          1 | suite: tone/strict
            |        ^
          fix: write 'suite: tone-strict'

        """
    )
  }

  @Test("A scorer must have one key, its type")
  func twoKeys() throws {
    let flags = "  - flags: {path: warning, when: non-empty}"
    #expect(
      try report(flags, "  - flags:\n    path: warning\n    when: non-empty") == """
        prompts/tone/suite.yaml:8:5: error: a scorer must have exactly one key, its type; this one has 3
          8 |     path: warning
            |     ^
          fix: put the arguments in braces or indent them under 'flags:'

        """
    )
  }

  @Test("A scorer with only the keys that all scorers share has no type")
  func noType() throws {
    #expect(
      try report("  - json-schema: answer.schema.json", "  - {weight: 2, name: style}") == """
        prompts/tone/suite.yaml:6:5: error: a scorer needs a type; this one has only 'weight', 'name'
          6 |   - {weight: 2, name: style}
            |     ^
          fix: add the type: '- {type: TYPE, weight: …}'

        """
    )
  }

  @Test("A scorer must be a type with arguments")
  func noScorer() throws {
    #expect(
      try report("  - json-schema: answer.schema.json", "  - 3") == """
        prompts/tone/suite.yaml:6:5: error: a scorer must be a type with its arguments, not a number
          6 |   - 3
            |     ^
          fix: write '- contains: …'

        """
    )
  }

  @Test("A suite without gates causes a warning", arguments: ["", "gates: []\n", "gates:\n"])
  func noGates(_ gates: String) throws {
    let fixture = try ProjectFixture()
      .replacing("gates:\n  - accuracy >= 85%\n", with: gates, in: path)
    let loaded = fixture.load()
    #expect(!loaded.hasErrors)
    #expect(loaded.suites.count == 1)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml: warning: the suite has no gates, so it cannot reach a verdict
          fix: add 'gates:' with a condition such as '- accuracy >= 85%'

        """
    )
  }
}
