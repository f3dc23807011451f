import SampleProjects
@testable import Sluice
@testable import SluiceCore
import Testing

/// Tests of the warnings about inputs whose spelling a prompt would change.
@Suite("Spelling of numbers in inputs")
struct NumberSpellingTests {
  private static let suite = """
    suite: s
    prompt: p.yaml
    dataset: d.yaml
    backend: b
    scorers: [contains: x]
    gates: [accuracy > 1%]

    """
  private static let cases = "prompts/s/d.yaml"

  private func said(
    _ cases: String,
    as name: String = "d.yaml",
    prompt: String = "{{n}}"
  ) -> [String] {
    let files = [
      "sluice.yaml": "backends: {b: {type: openai, model: m-1}}\n",
      "prompts/s/suite.yaml": Self.suite.replacing("d.yaml", with: name),
      "prompts/s/p.yaml": "messages:\n  - user: '\(prompt)'\n",
      "prompts/s/\(name)": cases,
    ]
    let loaded = ProjectLoader.load(from: InMemoryFileSystem(files))
    #expect(!loaded.hasErrors)
    return loaded.diagnostics.map(\.description).filter { $0.contains("in prompts, the number") }
  }

  /// A number as a file spells it, and as a prompt does.
  private static let respelled = [
    ("01234", "1234"), ("3.10", "3.1"), ("1e3", "1000"), ("0x1F", "31"), ("+1", "1"), (".5", "0.5"),
    ("5.", "5"), ("0o17", "15"), ("-0", "0"), ("1.0", "1"), ("1E+2", "100"),
    ("1152921504606846976", "1152921504606847000"), ("0.0000001", "1e-7"), ("007", "7"),
  ]

  @Test("A number that a prompt spells differently is a warning with a fix", arguments: respelled)
  func warned(_ spelling: String, _ shown: String) {
    let line = "  input: {n: \(spelling)}"
    #expect(
      said("- id: a\n\(line)\n") == [
        """
        \(Self.cases):2:14: warning: in prompts, the number \(spelling) becomes \(shown)
          2 | \(line)
            |              ^
          fix: quote it: "\(spelling)"

        """
      ]
    )
    #expect(said("- id: a\n  input: {n: \"\(spelling)\"}\n") == [])
  }

  @Test(
    "A number that a prompt spells as the file does is no warning, nor is a text",
    arguments: [
      "42", "-7", "3.5", "0.25", "0", "1000", "-0.5", "9007199254740992", "9007199254740993",
      "123456789012345678901234567890", "0.1000000000000000055", "1_000", "'3.10'", "2026-11-29",
      "1.2.3", ".inf", ".nan", "true", "null x", "0b1", "v1.0",
    ]
  )
  func quiet(_ text: String) {
    #expect(said("- id: a\n  input: {n: \(text)}\n") == [])
  }

  @Test("Lists, mappings, defaults and aliases are searched, and each number is reported once")
  func nested() {
    let places = said(
      """
      defaults:
        input: {n: [1, 2.50, {price: 1.0}], m: "3.10"}
      cases:
        - id: a
          input: {m: 1e3}
        - id: b
          input: {n: &n {deep: [007]}, other: 3.10}
        - id: c
          input: {n: *n}

      """,
      prompt: "{{n}} {{m}}"
    )
    .map { String($0.prefix { $0 != "\n" }) }
    #expect(
      places.sorted() == [
        "\(Self.cases):2:18: warning: in prompts, the number 2.50 becomes 2.5",
        "\(Self.cases):2:32: warning: in prompts, the number 1.0 becomes 1",
        "\(Self.cases):5:16: warning: in prompts, the number 1e3 becomes 1000",
        "\(Self.cases):7:27: warning: in prompts, the number 007 becomes 7",
      ]
    )
  }

  @Test("Expected values and inputs that no prompt contains are no warnings")
  func unrendered() {
    let cases = "- id: a\n  input: {n: 1, m: 3.10}\n  expected: {x: 3.10}\n"
    #expect(said(cases) == [])
  }

  @Test("A line of JSONL is warned of, and texts in CSV keep their spelling")
  func otherFiles() {
    #expect(
      said(
        """
        {"id": "a", "input": {"n": 5}}
        {"id": "b", "input": {"n": [1, {"x": 3.10}]}}
        {"id": "c", "input": {"n": "3.10"}}

        """,
        as: "d.jsonl"
      ) == [
        """
        prompts/s/d.jsonl:2:38: warning: in prompts, the number 3.10 becomes 3.1
          2 | {"id": "b", "input": {"n": [1, {"x": 3.10}]}}
            |                                      ^
          fix: quote it: "3.10"

        """
      ]
    )
    #expect(said("id,input.n\na,3.10\nb,007\nc,1e3\n", as: "d.csv") == [])
  }

  @Test("A prompt contains the digits of a number that no double holds")
  func prompt() throws {
    let files = [
      "sluice.yaml": "backends: {b: {type: openai, model: m-1}}\n",
      "prompts/s/suite.yaml": Self.suite,
      "prompts/s/p.yaml": "messages:\n  - user: '{{n}} {{list}}'\n",
      "prompts/s/d.yaml": """
      - id: a
        input: {n: 9007199254740993, list: [1, 12345678901234567890]}

      """,
    ]
    let suite = try #require(ProjectLoader.load(from: InMemoryFileSystem(files)).suites.first)
    let prompt = try suite.plan.prompts[0].render(suite.plan.cases[0].testCase)
    #expect(prompt.messages.map(\.text) == ["9007199254740993 [1,12345678901234567890]"])
  }
}
