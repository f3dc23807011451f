import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Dataset reader")
struct DatasetReaderTests {
  private let path = ProjectFixture.dataset

  private func report(_ old: String, _ new: String) throws -> String {
    try ProjectFixture().replacing(old, with: new, in: path).report()
  }

  /// Returns the project with its cases in another file than the YAML file.
  private func project(_ name: String, _ text: String) -> ProjectFixture {
    ProjectFixture().adding([path: nil]).adding(["datasets/tone/\(name)": text])
  }

  // MARK: Finding

  @Test(
    "The name of a dataset's folder refers to its cases.* file",
    arguments: ["yaml", "yml", "jsonl", "csv"]
  )
  func shortName(_ ending: String) throws {
    let diagnostics = DiagnosticCollector()
    let files = ProjectFiles(
      InMemoryFileSystem(["datasets/tone/cases.\(ending)": "", "datasets/tone/README.md": ""]),
      diagnostics: diagnostics
    )
    let suite = SourceFile(path: ProjectFixture.suite, bytes: [])
    let reference = SuiteSpec.Reference(text: "tone", position: SourcePosition(line: 1, column: 1))
    let found = DatasetReader.resolve(reference, in: suite, files: files)
    #expect(found?.description == "datasets/tone/cases.\(ending)")
    #expect(diagnostics.diagnostics == [])
  }

  @Test("A dataset that does not exist is an error that suggests the nearest name")
  func missing() throws {
    let fixture = try ProjectFixture()
      .replacing("dataset: tone", with: "dataset: tones", in: ProjectFixture.suite)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:3:10: error: there is no dataset 'tones': no datasets/tones/cases.* in YAML, JSONL or CSV
          3 | dataset: tones
            |          ^
          fix: did you mean 'tone'?

        """
    )
    let other = try ProjectFixture()
      .replacing("dataset: tone", with: "dataset: clarity", in: ProjectFixture.suite)
    #expect(
      other.report() == """
        prompts/tone/suite.yaml:3:10: error: there is no dataset 'clarity': no datasets/clarity/cases.* in YAML, JSONL or CSV
          3 | dataset: clarity
            |          ^

        """
    )
  }

  @Test("A dataset name that matches two files is an error that names both")
  func ambiguous() {
    #expect(
      ProjectFixture().adding(["datasets/tone/cases.csv": "id\n"]).report() == """
        prompts/tone/suite.yaml:3:10: error: the dataset 'tone' is ambiguous: cases.yaml, cases.csv
          3 | dataset: tone
            |          ^
          fix: name the file: '../../datasets/tone/cases.yaml'

        """
    )
  }

  @Test("A dataset can be named by its path")
  func byPath() throws {
    let fixture = try ProjectFixture()
      .replacing("dataset: tone", with: "dataset: more.yaml", in: ProjectFixture.suite)
    let text = try #require(fixture.files[path])
    #expect(fixture.adding(["prompts/tone/more.yaml": text]).report() == "")
  }

  @Test("A dataset file that links out of the project is an error")
  func link() throws {
    let folder = try ProjectFolder()
    try folder.write(ProjectFixture().adding([path: nil]).files, under: "project")
    try folder.write(["cases.yaml": "[]"], under: "elsewhere")
    try folder.link("project/\(path)", to: "../../../elsewhere/cases.yaml")
    let system = try #require(DiskFileSystem(root: folder.path + "/project"))
    let report = ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
    #expect(
      report == """
        prompts/tone/suite.yaml:3:10: error: '../../datasets/tone/cases.yaml' is a link that leads outside the project
          3 | dataset: tone
            |          ^
          fix: copy the file into the project, or list the folder that contains the link under 'allow-folders' in sluice.yaml

        """
    )
  }

  // MARK: Formats

  @Test("The same cases in YAML, JSONL, JSON and CSV are equal, including their digests")
  func formats() throws {
    let yaml = """
      - id: a
        tags: [clean, short]
        split: held-out
        cluster: c1
        input: {message: "He said: \\"no\\"", sender: {role: engineer}}
        expected: {flagged: false, score: 2, items: [{what: reply}], label: calm}
      - id: b
        input: {message: "", sender: {role: ""}}
        expected: {label: "yes"}
      """
    let jsonl = #"""
      {"id": "a", "tags": ["clean", "short"], "split": "held-out", "cluster": "c1", "input": {"sender": {"role": "engineer"}, "message": "He said: \"no\""}, "expected": {"label": "calm", "flagged": false, "score": 2.0, "items": [{"what": "reply"}]}}

      {"id": "b", "input": {"message": "", "sender": {"role": ""}}, "expected": {"label": "yes"}}
      """#
    let csv = #"""
      id,tags,split,cluster,input.message,input.sender.role,expected.flagged,expected.score,expected.items,expected.label
      a,clean short,held-out,c1,"He said: ""no""",engineer,false,2,"[{""what"": ""reply""}]",calm
      b,,,,,,,,,yes

      """#
    let json = "[" + jsonl.split(separator: "\n").joined(separator: ",") + "]"
    var read: [[TestCase]] = []
    for (name, text) in [("a.yaml", yaml), ("a.jsonl", jsonl), ("a.csv", csv), ("a.json", json)] {
      let files = ProjectFiles(InMemoryFileSystem([name: text]), diagnostics: DiagnosticCollector())
      let dataset = try #require(DatasetReader.read(ProjectPath(name), files: files))
      #expect(files.diagnostics.diagnostics == [])
      read.append(dataset.cases.map(\.testCase))
    }
    #expect(read[0].count == 2)
    #expect(read[0][0].tags == ["clean", "short"])
    #expect(read[0][0].expected["items"] == [["what": "reply"]])
    #expect(read[1] == read[0])
    #expect(read[2] == read[0])
    #expect(read[3] == read[0])
  }

  @Test(
    "Windows line endings and a byte-order mark change nothing",
    arguments: ["yaml", "jsonl", "csv"]
  )
  func foreignEditor(_ ending: String) throws {
    let texts = [
      "yaml": "- id: a\n  input: {m: x}\n", "jsonl": #"{"id": "a", "input": {"m": "x"}}"# + "\n",
      "csv": "id,input.m\na,x\n",
    ]
    let text = try #require(texts[ending])
    let name = "a.\(ending)"
    let foreign = "\u{FEFF}" + text.replacing("\n", with: "\r\n")
    let cases = try [text, foreign].map { text in
      let files = ProjectFiles(InMemoryFileSystem([name: text]), diagnostics: DiagnosticCollector())
      let dataset = try #require(DatasetReader.read(ProjectPath(name), files: files))
      #expect(files.diagnostics.diagnostics == [])
      return dataset.cases.map(\.testCase)
    }
    #expect(cases[0].map(\.input) == [["m": "x"]])
    #expect(cases[1] == cases[0])
  }

  // MARK: Faults of any format

  @Test(
    "A dataset without cases is an error",
    arguments: ["cases.yaml", "cases.jsonl", "cases.csv"]
  )
  func empty(_ name: String) {
    let texts = ["cases.yaml": "[]\n", "cases.jsonl": "\n \n", "cases.csv": "id,input.message\n"]
    #expect(
      project(name, texts[name] ?? "").report() == """
        datasets/tone/\(name): error: the dataset has no cases
          fix: add a case

        """
    )
  }

  @Test("A dataset that is not a list is an error")
  func noList() {
    #expect(
      project("cases.yaml", "tests: []\n").report() == """
        datasets/tone/cases.yaml:1:1: error: a dataset must be a list of cases, not a mapping
          1 | tests: []
            | ^
          fix: start each case with '- id: …'

        """
    )
  }

  @Test("A case that is not a mapping is an error")
  func noMapping() throws {
    #expect(
      try report("- id: terse", "- terse\n- id: terse") == """
        datasets/tone/cases.yaml:1:3: error: a case must be a mapping, not a text
          1 | - terse
            |   ^

        """
    )
  }

  @Test("An unknown key is an error that suggests the nearest known key")
  func unknownKey() throws {
    #expect(
      try report("tags: [clean]", "tag: [clean]") == """
        datasets/tone/cases.yaml:2:3: error: unknown key 'tag' in a case
          2 |   tag: [clean]
            |   ^
          fix: did you mean 'tags'?

        """
    )
  }

  @Test("Notes of any type do not affect the case or its digest")
  func notes() throws {
    func cases(_ notes: String) throws -> [TestCase] {
      let files = ProjectFiles(
        InMemoryFileSystem(["a.yaml": "- id: a\n  input: {x: y}\n\(notes)"]),
        diagnostics: DiagnosticCollector()
      )
      let dataset = try #require(DatasetReader.read(ProjectPath("a.yaml"), files: files))
      #expect(files.diagnostics.diagnostics == [])
      return dataset.cases.map(\.testCase)
    }
    let plain = try cases("")
    #expect(try cases("  notes: doubtful\n") == plain)
    #expect(try cases("  notes: {minor: [a, b]}\n") == plain)
    #expect(try cases("  notes:\n").map(\.digest) == plain.map(\.digest))
  }

  @Test("A duplicate key is an error on any level")
  func duplicateKey() throws {
    #expect(
      try report("message: Done.", "message: Done.\n    message: Again.") == """
        datasets/tone/cases.yaml:5:5: error: duplicate key 'message', first on line 4
          5 |     message: Again.
            |     ^
          fix: remove one of the two

        """
    )
  }

  @Test("A duplicate ID is an error that names the line of the first")
  func duplicateId() throws {
    #expect(
      try report("id: rude", "id: terse") == """
        datasets/tone/cases.yaml:8:7: error: duplicate case id 'terse', first on line 1
          8 | - id: terse
            |       ^
          fix: rename one of the two

        """
    )
  }

  @Test(
    "An ID with characters that are not allowed is an error",
    arguments: [("a b", "a-b"), ("a/b", "a-b"), ("é", nil), ("a:b", "a-b")] as [(String, String?)]
  )
  func id(_ id: String, _ better: String?) throws {
    #expect(
      try report("id: terse", "id: \(id)") == """
        datasets/tone/cases.yaml:1:7: error: the case id '\(id)' must consist of letters, digits, '.', \
        '_' and '-'
          1 | - id: \(id)
            |       ^
        \(better.map { "  fix: write '\($0)'\n" } ?? "")
        """
    )
  }

  @Test("An empty ID is an error; an ID that starts with a dot is allowed")
  func edgeIds() throws {
    #expect(
      try report("id: terse", "id: ''") == """
        datasets/tone/cases.yaml:1:7: error: the case id '' must consist of letters, digits, '.', '_' and '-'
          1 | - id: ''
            |       ^

        """
    )
    #expect(try report("id: terse", "id: .terse") == "")
  }

  @Test("A tag with characters that are not allowed is an error")
  func tag() throws {
    #expect(
      try report("tags: [clean]", "tags: [clean, short message]") == """
        datasets/tone/cases.yaml:2:17: error: the tag 'short message' must consist of letters, digits, '.', '_' and '-'
          2 |   tags: [clean, short message]
            |                 ^

        """
    )
  }

  @Test("A case without an ID is still checked")
  func missingId() throws {
    let text = try ProjectFixture()
      .replacing("- id: rude\n  tags: [harsh]", with: "- tags: [harsh]", in: path)
      .replacing("flagged: true, ", with: "", in: path)
    #expect(
      text.report() == """
        datasets/tone/cases.yaml:8:3: error: a case needs 'id'
          8 | - tags: [harsh]
            |   ^
          fix: add 'id: …'
        datasets/tone/cases.yaml:8:3: error: the case '(no id)' has no 'expected.flagged', which the scorer 'flags' compares with
          8 | - tags: [harsh]
            |   ^
          fix: add 'expected: {flagged: …}'

        """
    )
  }

  @Test("A case without an input is still checked, without errors about missing variables")
  func missingInput() throws {
    let text = """
      - id: terse
        expected: {flagged: false, label: clam}

      """
    #expect(
      project("cases.yaml", text).report() == """
        datasets/tone/cases.yaml:1:3: error: a case needs 'input'
          1 | - id: terse
            |   ^
          fix: add 'input: …'
        datasets/tone/cases.yaml:2:37: error: 'clam' is not one of the labels of the suite
          2 |   expected: {flagged: false, label: clam}
            |                                     ^
          fix: did you mean 'calm'?

        """
    )
  }

  @Test(
    "A value of the wrong type is an error at the value",
    arguments: [
      ("id: terse", "id: 24", "1:7", "'id' must be a text, not a number"),
      ("tags: [clean]", "tags: clean", "2:9", "'tags' must be a list, not a text"),
      (
        "tags: [clean]", "tags: [1]", "2:10", "an entry of 'tags' must be a text, not a number"
      ),
      ("tags: [clean]", "split: [a]", "2:10", "'split' must be a text, not a list"),
      ("tags: [clean]", "cluster: {}", "2:12", "'cluster' must be a text, not a mapping"),
      (
        "tags: [clean]", "assert: {is-json: null}", "2:11", "'assert' must be a list, not a mapping"
      ),
      (
        "expected: {flagged: false, label: calm}", "expected: calm", "7:13",
        "'expected' must be a mapping, not a text"
      ),
    ]
  )
  func wrongType(_ old: String, _ new: String, _ place: String, _ message: String) throws {
    let said = try report(old, new)
    #expect(said.hasPrefix("datasets/tone/cases.yaml:\(place): error: \(message)\n"))
    #expect(said.ranges(of: " error: ").count == 1)
  }

  @Test("An input that is not a mapping is a single error")
  func wrongInput() throws {
    let text = """
      - id: terse
        input: Done.
        expected: {flagged: false, label: calm}

      """
    #expect(
      project("cases.yaml", text).report() == """
        datasets/tone/cases.yaml:2:10: error: 'input' must be a mapping, not a text
          2 |   input: Done.
            |          ^
          fix: give the text a name: 'input: {message: "Done."}'

        """
    )
  }

  // MARK: JSONL

  @Test("Each invalid line of JSONL is an error with its line and column")
  func invalidLines() {
    let jsonl = #"""
      {"id": "terse", "input": {"message": "Done.", "sender": {"role": "é"}, "conversation": []}, "expected": {"flagged": false, "label": "calm"}}
      {"id": "é" "input": {}}

        {"id": "b", "input": {}
      {"id": "c", "input": {"message": "x", "message": "y", "sender": {"role": ""}, "conversation": []}, "expected": {"flagged": true, "label": "calm"}}
      """#
    #expect(
      project("cases.jsonl", jsonl).report() == """
        datasets/tone/cases.jsonl:2:12: error: not valid JSON: expected ',' or '}'
          2 | {"id": "é" "input": {}}
            |            ^
        datasets/tone/cases.jsonl:4:26: error: not valid JSON: expected ',' or '}'
          4 |   {"id": "b", "input": {}
            |                          ^
        datasets/tone/cases.jsonl:5:39: error: duplicate key 'message', first on line 5
          5 | {"id": "c", "input": {"message": "x", "message": "y", "sender": {"role":…
            |                                       ^
          fix: remove one of the two

        """
    )
  }

  @Test("Bytes that are not UTF-8 are reported for each line of JSONL, but once for CSV")
  func badUTF8() throws {
    for name in ["cases.jsonl", "cases.csv"] {
      let system = project(name, "").system
      let line: [UInt8] = Array("{\"id\": \"".utf8) + [0xE9, 0x0A]
      try system.write(line + line, to: ProjectPath("datasets/tone/\(name)"))
      let report = ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
      if name == "cases.csv" {
        #expect(
          report == """
            datasets/tone/cases.csv:1:9: error: not valid CSV: not valid UTF-8
              1 | {"id": "�
                |         ^
              fix: save the file as UTF-8

            """
        )
      } else {
        #expect(
          report == """
            datasets/tone/cases.jsonl:1:9: error: not valid UTF-8
              1 | {"id": "�
                |         ^
              fix: save the file as UTF-8
            datasets/tone/cases.jsonl:2:9: error: not valid UTF-8
              2 | {"id": "�
                |         ^
              fix: save the file as UTF-8

            """
        )
      }
    }
  }

  @Test("An error in a JSONL case is reported with its line and column")
  func faultsInLines() {
    let jsonl = #"""
      {"id": "terse", "input": {"message": "Done.", "sender": {"role": "x"}, "conversation": []}, "expected": {"flagged": 0, "label": "calm"}}
      {"id": "terse", "tgas": [], "input": {"message": "Done.", "sender": {"role": "x"}, "conversation": []}, "expected": {"flagged": true, "label": "harsh"}}
      ["terse"]
      """#
    #expect(
      project("cases.jsonl", jsonl).report() == """
        datasets/tone/cases.jsonl:1:117: error: 'expected.flagged' must be true or false, not a number
          1 | …tion": []}, "expected": {"flagged": 0, "label": "calm"}}
            |                                      ^
          fix: write false
        datasets/tone/cases.jsonl:2:8: error: duplicate case id 'terse', first on line 1
          2 | {"id": "terse", "tgas": [], "input": {"message": "Done.", "sender": {"ro…
            |        ^
          fix: rename one of the two
        datasets/tone/cases.jsonl:2:17: error: unknown key 'tgas' in a case
          2 | {"id": "terse", "tgas": [], "input": {"message": "Done.", "sender": {"ro…
            |                 ^
          fix: did you mean 'tags'?
        datasets/tone/cases.jsonl:3:1: error: a case must be a mapping, not a list
          3 | ["terse"]
            | ^

        """
    )
  }
}
