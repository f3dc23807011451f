import SampleProjects
import Sluice
import Testing

@Suite("Defaults of a dataset")
struct CaseDefaultsTests {
  private let path = ProjectFixture.dataset

  private func dataset(_ text: String, _ others: [String: String] = [:]) throws -> Dataset {
    let texts = others.merging(["cases.yaml": text]) { $1 }
    let files = ProjectFiles(InMemoryFileSystem(texts), diagnostics: DiagnosticCollector())
    let dataset = try #require(DatasetReader.read(ProjectPath("cases.yaml"), files: files))
    #expect(files.diagnostics.diagnostics.map(\.description) == [])
    return dataset
  }

  private func report(_ text: String) -> String {
    let files = ProjectFiles(
      InMemoryFileSystem(["cases.yaml": text]),
      diagnostics: DiagnosticCollector()
    )
    _ = DatasetReader.read(ProjectPath("cases.yaml"), files: files)
    return files.diagnostics.diagnostics.map(\.description).joined()
  }

  private let defaults = """
    defaults:
      input: {tone: kind, sender: {role: engineer, name: Ana}}
      expected: {flagged: false}
      tags: [clean, short]
      assert: [{contains: Dear}]
      split: held-out
    """

  /// Checks that the case with the defaults equals the same case written out.
  private func expectSame(_ withDefaults: String, _ writtenOut: String) throws {
    let merged = try dataset("\(defaults)\ncases:\n  - \(withDefaults)\n")
    let written = try dataset("- \(writtenOut)\n")
    #expect(try merged.cases[0].read() == written.cases[0].read())
    #expect(merged.cases[0].digest == written.cases[0].digest)
    let types = [merged, written].map { $0.spec(0).assertions.map(\.type) }
    #expect(types[0] == types[1])
  }

  // MARK: Merging

  @Test("A case with only an ID equals the written-out case, including its digest")
  func nothing() throws {
    try expectSame(
      "{id: a}",
      """
      {id: a, input: {tone: kind, sender: {role: engineer, name: Ana}}, expected: {flagged: false},
        tags: [clean, short], assert: [{contains: Dear}], split: held-out}
      """
    )
  }

  @Test("A member of a case replaces the whole default, and null counts as a value")
  func members() throws {
    try expectSame(
      "{id: a, input: {sender: {role: manager}, tone: null, text: Hi}, expected: {label: calm}}",
      """
      {id: a, input: {tone: null, sender: {role: manager}, text: Hi},
        expected: {flagged: false, label: calm}, tags: [clean, short], assert: [{contains: Dear}],
        split: held-out}
      """
    )
  }

  @Test("Tags and assertions are appended to the defaults, without repeated tags; a split replaces")
  func lists() throws {
    try expectSame(
      "{id: a, tags: [long, clean], assert: [{regex: 'x+'}], split: tuned, expected: null}",
      """
      {id: a, input: {tone: kind, sender: {role: engineer, name: Ana}}, expected: {flagged: false},
        tags: [clean, short, long], assert: [{contains: Dear}, {regex: 'x+'}], split: tuned}
      """
    )
  }

  @Test("Cluster and known outputs belong to a single case")
  func own() throws {
    let dataset = try dataset(
      """
      \(defaults)
      cases:
        - {id: a, cluster: c, good: [Dear Ana], notes: x}
        - {id: b}
      """
    )
    #expect(dataset.cases.map(\.labels.cluster) == ["c", nil])
    #expect(dataset.spec(0).knownOutputs.map(\.text) == ["Dear Ana"])
    #expect(dataset.spec(1).knownOutputs.isEmpty)
    #expect(dataset.spec(1).position == SourcePosition(line: 9, column: 10))
  }

  @Test("A dataset may be a mapping without defaults", arguments: ["", "defaults: null\n"])
  func casesAlone(_ start: String) throws {
    let dataset = try dataset("\(start)cases: [{id: a, input: {m: x}}]")
    #expect(try dataset.cases.map { try $0.read() } == [TestCase(id: "a", input: ["m": "x"])])
  }

  @Test("The defaults may name a file, and its text is part of each case")
  func file() throws {
    let text = "defaults: {input: {terms: {file: terms.txt}}}\ncases: [{id: a}, {id: b}]"
    let dataset = try dataset(text, ["terms.txt": "All of them.\n"])
    #expect(
      try dataset.cases.map { try $0.read().input }
        == [["terms": "All of them."], ["terms": "All of them."]]
    )
  }

  @Test("Default assertions apply to each case of the suite")
  func suite() throws {
    let cases = """
      defaults:
        input: {sender: {role: engineer}, conversation: []}
        expected: {flagged: false, label: calm}
        assert: [{contains: '{{message}}'}]
      cases:
        - {id: a, input: {message: Hi}}
        - {id: b, input: {message: Ho}, expected: {label: harsh}}

      """
    let loaded = ProjectFixture().adding([path: cases]).load()
    #expect(loaded.diagnostics.map(\.description) == [])
    let plan = try #require(loaded.suites.first?.plan)
    #expect(plan.cases.map(\.testCase.expected["label"]) == ["calm", "harsh"])
    #expect(
      ProjectFixture().adding([path: cases.replacing("message: Ho", with: "text: Ho")]).report()
        == """
        datasets/tone/cases.yaml:4:24: error: the case 'b' has no 'message'
          4 |   assert: [{contains: '{{message}}'}]
            |                        ^
          fix: give it a value under 'input', or remove it from the assertion
        datasets/tone/cases.yaml:7:10: error: the case 'b' has no 'message', which is used at prompts/tone/v1.yaml:7:36
          7 |   - {id: b, input: {text: Ho}, expected: {label: harsh}}
            |          ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
  }

  // MARK: Faults

  @Test("Each error in the defaults is reported once, at its position")
  func faults() {
    #expect(
      report(
        """
        defaults:
          id: a
          input: {mail: {file: mail.txt}}
          expected: calm
          tags: [two words]
          assert: [3]
          cluster: c
          good: [x]
          bad: [x]
          notes: x
          splitt: held-out
        cases:
          - {id: a}
          - {id: b}
        """
      ) == """
        cases.yaml:2:3: error: 'defaults' must not have 'id', which is a key of single cases
          2 |   id: a
            |   ^
          fix: move 'id:' into a case
        cases.yaml:3:24: error: file not found: mail.txt
          3 |   input: {mail: {file: mail.txt}}
            |                        ^
        cases.yaml:4:13: error: 'expected' must be a mapping, not a text
          4 |   expected: calm
            |             ^
          fix: give the text a name: 'expected: {label: "calm"}'
        cases.yaml:5:10: error: the tag 'two words' must consist of letters, digits, '.', '_' and '-'
          5 |   tags: [two words]
            |          ^
        cases.yaml:6:12: error: a scorer must be a type with its arguments, not a number
          6 |   assert: [3]
            |            ^
          fix: write '- contains: …'
        cases.yaml:7:3: error: 'defaults' must not have 'cluster', which is a key of single cases
          7 |   cluster: c
            |   ^
          fix: move 'cluster:' into a case
        cases.yaml:8:3: error: 'defaults' must not have 'good', which is a key of single cases
          8 |   good: [x]
            |   ^
          fix: move 'good:' into a case
        cases.yaml:9:3: error: 'defaults' must not have 'bad', which is a key of single cases
          9 |   bad: [x]
            |   ^
          fix: move 'bad:' into a case
        cases.yaml:10:3: error: 'defaults' must not have 'notes', which is a key of single cases
          10 |   notes: x
             |   ^
          fix: move 'notes:' into a case
        cases.yaml:11:3: error: unknown key 'splitt' in 'defaults'
          11 |   splitt: held-out
             |   ^
          fix: did you mean 'split'?

        """
    )
  }

  @Test(
    "An unknown key of a dataset is an error that suggests the correct key",
    arguments: [
      (
        "defaults: {}\ncase: []",
        """
        cases.yaml:2:1: error: unknown key 'case' in a dataset
          2 | case: []
            | ^
          fix: did you mean 'cases'?

        """
      ),
      (
        "defaults: {}\ntests: []",
        """
        cases.yaml:2:1: error: unknown key 'tests' in a dataset
          2 | tests: []
            | ^
          fix: write 'cases:'

        """
      ),
      (
        "defaultTest: {}\ncases: []",
        """
        cases.yaml:1:1: error: unknown key 'defaultTest' in a dataset
          1 | defaultTest: {}
            | ^
          fix: did you mean 'defaults'?

        """
      ),
      (
        "defaults: {}",
        """
        cases.yaml:1:1: error: a dataset needs 'cases'
          1 | defaults: {}
            | ^
          fix: add 'cases: …'

        """
      ),
      (
        "defaults: []\ncases: {id: a}",
        """
        cases.yaml:1:11: error: 'defaults' must be a mapping, not a list
          1 | defaults: []
            |           ^
        cases.yaml:2:8: error: 'cases' must be a list, not a mapping
          2 | cases: {id: a}
            |        ^
          fix: begin each entry with '- ', as in '- id: …'

        """
      ), ("cases: []", "cases.yaml: error: the dataset has no cases\n  fix: add a case\n"),
    ]
  )
  func wrongMapping(_ text: String, _ expected: String) {
    #expect(report(text) == expected)
  }

  @Test("Without a default input, each case needs its own input")
  func noInput() {
    #expect(
      report("defaults: {tags: [x]}\ncases: [{id: a}]") == """
        cases.yaml:2:9: error: a case needs 'input'
          2 | cases: [{id: a}]
            |         ^
          fix: add 'input: …'

        """
    )
  }

  @Test("An unused input of the defaults is reported once, at its position")
  func unused() throws {
    let cases = """
      defaults: {input: {sender: {role: engineer}, conversation: [], mood: good}}
      cases:
        - {id: a, input: {message: Hi}, expected: {flagged: false, label: calm}}
        - {id: b, input: {message: Ho}, expected: {flagged: true, label: harsh}}

      """
    #expect(
      ProjectFixture().adding([path: cases]).report() == """
        datasets/tone/cases.yaml:1:64: warning: no prompt of the suite uses the input 'mood'
          1 | …{role: engineer}, conversation: [], mood: good}}
            |                                      ^
          fix: use it in a prompt as {{mood}}, or remove it

        """
    )
  }
}
