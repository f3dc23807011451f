@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Files referenced by cases")
struct FileReferenceTests {
  private let mail = "Dear Ana,\n\nwhere is it?"

  private func files(_ texts: [String: String]) -> ProjectFiles {
    ProjectFiles(InMemoryFileSystem(texts), diagnostics: DiagnosticCollector())
  }

  private func dataset(_ name: String, _ texts: [String: String]) throws -> Dataset {
    let files = files(texts)
    let dataset = try #require(DatasetReader.read(ProjectPath(name), files: files))
    #expect(files.diagnostics.diagnostics.map(\.description) == [])
    return dataset
  }

  private func report(_ name: String, _ texts: [String: String]) -> String {
    let files = files(texts)
    _ = DatasetReader.read(ProjectPath(name), files: files)
    return files.diagnostics.diagnostics.map(\.description).joined()
  }

  private static let yaml = """
    - id: a
      input: {mails: [{text: {file: mails/1.txt}}, x], tone: {file: ../tone.txt}}
      expected: {reply: {text: {file: reply.txt}}}
    """

  private static let line = """
    {"id":"a","input":{"mails":[{"text":{"file":"mails/1.txt"}},"x"],"tone":{"file":"../tone.txt"}},\
    "expected":{"reply":{"text":{"file":"reply.txt"}}}}
    """

  // MARK: Reading

  @Test(
    "A file reference is replaced with the file's text, also in the digest",
    arguments: [("d/cases.yaml", yaml), ("d/cases.jsonl", line)]
  )
  func read(_ name: String, _ text: String) throws {
    let dataset = try dataset(
      name,
      [name: text, "d/mails/1.txt": mail + "\n", "d/reply.txt": "Here.", "tone.txt": "kind\n\n"]
    )
    let written = TestCase(
      id: "a",
      input: ["mails": [["text": .string(mail)], "x"], "tone": "kind\n"],
      expected: ["reply": ["text": "Here."]]
    )
    #expect(try dataset.cases[0].read() == written)
    #expect(dataset.cases[0].digest.hexadecimal == written.digest)
    #expect(dataset.spec(0).testCase == written)
    #expect(dataset.spec(0).input?.json == written.input)
  }

  @Test("A byte-order mark, Windows line endings and a final line break make no difference")
  func sameText() throws {
    let digests = try ["a\nb", "a\nb\n", "a\r\nb\r\n", "\u{FEFF}a\r\nb"].map { text in
      let texts = ["cases.yaml": "- {id: a, input: {m: {file: m.txt}}}", "m.txt": text]
      return try dataset("cases.yaml", texts).cases[0].digest
    }
    #expect(Set(digests).count == 1)
  }

  @Test("A change of the file changes the digest of the case")
  func changed() throws {
    let digests = try ["a", "b"].map { text in
      let texts = [
        "cases.jsonl": #"{"id":"a","input":{"m":{"file":"m.txt"}}}"#, "m.txt": text,
      ]
      return try dataset("cases.jsonl", texts).cases[0].digest
    }
    #expect(digests[0] != digests[1])
  }

  @Test("Lines next to a line with a file reference are read as usual")
  func neighbours() throws {
    let text = ["1", "2", "3"].map { id in
      #"{"id":"\#(id)","input":{"m":\#(id == "2" ? #"{"file":"m.txt"}"# : #""x""#)}}"#
    }
    let dataset = try dataset("a.jsonl", ["a.jsonl": text.joined(separator: "\n"), "m.txt": "x"])
    #expect(try dataset.cases.map { try $0.read().input } == Array(repeating: ["m": "x"], count: 3))
    #expect(dataset.casesToCheck.contains(1))
  }

  @Test(
    "A value that only resembles a file reference is kept as it is",
    arguments: [
      ("{m: {file: a.txt, page: 1}}", ["m": ["file": "a.txt", "page": 1]]),
      ("{m: {file: 3}}", ["m": ["file": 3]]), ("{file: a.txt}", ["file": "a.txt"]),
      ("{m: {literal: {file: a.txt}}}", ["m": ["file": "a.txt"]]),
      ("{m: [{literal: {file: a.txt}}]}", ["m": [["file": "a.txt"]]]),
      ("{m: {literal: {literal: {file: a.txt}}}}", ["m": ["literal": ["file": "a.txt"]]]),
      ("{m: {literal: x}}", ["m": ["literal": "x"]]),
      ("{m: {literal: \"file://a\"}}", ["m": "file://a"]),
      ("{literal: {x: 1}}", ["literal": ["x": 1]]),
    ] as [(String, JSONValue)]
  )
  func asWritten(_ input: String, _ expected: JSONValue) throws {
    let yaml = "- {id: a, input: \(input), expected: \(input)}"
    let line = try #require(YAMLReader.read(Array(yaml.utf8)).root?.json.array?.first?.jsonText)
    for (name, text) in [("a.yaml", yaml), ("a.jsonl", line)] {
      let testCase = try dataset(name, [name: text]).cases[0].read()
      #expect(testCase.input == expected)
      #expect(testCase.expected == expected)
    }
  }

  @Test("A CSV file cannot reference files")
  func cells() throws {
    let text = "id,input.m.file,expected.m\na,m.txt,\"{\"\"file\"\": \"\"m.txt\"\"}\"\n"
    let testCase = try dataset("a.csv", ["a.csv": text, "m.txt": "x"]).cases[0].read()
    #expect(testCase.input == ["m": ["file": "m.txt"]])
    #expect(testCase.expected == ["m": ["file": "m.txt"]])
  }

  @Test("A referenced file is tracked, so that a watched run restarts when it changes")
  func noted() throws {
    for (name, text) in [
      ("a.yaml", "- {id: a, input: {m: {file: m.txt}}}"),
      ("a.jsonl", #"{"id":"a","input":{"m":{"file":"m.txt"}}}"#),
    ] {
      let system = ReadTrackingFileSystem(InMemoryFileSystem([name: text, "m.txt": "x"]))
      let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
      _ = DatasetReader.read(ProjectPath(name), files: files)
      guard case .contents? = system.listing.entries[ProjectPath("m.txt")] else {
        Issue.record("\(name): the file was not noted")
        continue
      }
    }
  }

  // MARK: Faults

  @Test("All invalid file paths are reported at once, each at its position")
  func wrongPaths() {
    let texts = [
      "d/cases.yaml": """
      - id: a
        input: {one: {file: mials/1.txt}, two: [{file: ../../etc/passwd}], three: {file: mails}}
        expected: {text: {file: ""}}
      - id: b
        input: {one: {file: "file://mails/1.txt"}, two: file://mails/1.txt}
      """,
      "d/mails/1.txt": mail, "d/mail.txt": mail,
    ]
    #expect(
      report("d/cases.yaml", texts) == """
        d/cases.yaml:2:23: error: file not found: d/mials/1.txt
          2 |   input: {one: {file: mials/1.txt}, two: [{file: ../../etc/passwd}], thr…
            |                       ^
        d/cases.yaml:2:50: error: '../../etc/passwd' is outside the project
          2 |   input: {one: {file: mials/1.txt}, two: [{file: ../../etc/passwd}], thr…
            |                                                  ^
          fix: move the file into the project, or list its folder under 'allow-folders' in sluice.yaml
        d/cases.yaml:2:84: error: 'mails' is a folder, not a file
          2 | …: ../../etc/passwd}], three: {file: mails}}
            |                                      ^
        d/cases.yaml:3:27: error: an empty string is not the name of a file
          3 |   expected: {text: {file: ""}}
            |                           ^
        d/cases.yaml:5:23: error: 'file://mails/1.txt' is not a path
          5 |   input: {one: {file: "file://mails/1.txt"}, two: file://mails/1.txt}
            |                       ^
          fix: write 'mails/1.txt', a path relative to this file
        d/cases.yaml:5:51: error: 'file://mails/1.txt' would be used as text, not as the name of a file
          5 |   input: {one: {file: "file://mails/1.txt"}, two: file://mails/1.txt}
            |                                                   ^
          fix: write {file: "mails/1.txt"}; to use exactly this text, write {literal: "file://mails/1.txt"}

        """
    )
  }

  @Test("An invalid path in JSONL is reported at its position, and its case is not checked further")
  func wrongPathInLine() throws {
    let texts = ["a.jsonl": #"{"id":"a","input":{"m":{"file":"mial.txt"}}}"#, "mail.txt": mail]
    let files = files(texts)
    let dataset = try #require(DatasetReader.read(ProjectPath("a.jsonl"), files: files))
    #expect(
      files.diagnostics.diagnostics.map(\.description).joined() == """
        a.jsonl:1:32: error: file not found: mial.txt
          1 | {"id":"a","input":{"m":{"file":"mial.txt"}}}
            |                                ^
          fix: did you mean 'mail.txt'?

        """
    )
    #expect(dataset.spec(0).input == nil)
  }

  @Test("A text that begins with 'file://' is an error with a fix for its format")
  func schemes() {
    #expect(
      report("a.jsonl", ["a.jsonl": #"{"id":"a","input":{"m":"file://m.txt"}}"#]) == """
        a.jsonl:1:24: error: 'file://m.txt' would be used as text, not as the name of a file
          1 | {"id":"a","input":{"m":"file://m.txt"}}
            |                        ^
          fix: write {"file": "m.txt"}; to use exactly this text, write {"literal": "file://m.txt"}

        """
    )
    #expect(
      report("a.csv", ["a.csv": "id,input.m\na,file://m.txt\n"]) == """
        a.csv:2:3: error: 'file://m.txt' would be used as text, not as the name of a file
          2 | a,file://m.txt
            |   ^
          fix: write the text of the file here; to use exactly this text, write {literal: "file://m.txt"}, in a dataset in YAML or JSONL

        """
    )
  }

  @Test("A file that is not UTF-8 is an error at the first invalid byte")
  func notText() throws {
    let system = InMemoryFileSystem(["a.yaml": "- {id: a, input: {m: {file: m.txt}}}"])
    try system.write([0x61, 0x0A, 0x62, 0xC3], to: ProjectPath("m.txt"))
    let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
    _ = DatasetReader.read(ProjectPath("a.yaml"), files: files)
    #expect(
      files.diagnostics.diagnostics.map(\.description) == [
        """
        m.txt:2:2: error: not valid UTF-8
          2 | b\u{FFFD}
            |  ^
          fix: save the file as UTF-8

        """
      ]
    )
  }

  @Test("A link out of the project is refused")
  func link() throws {
    let folder = try ProjectFolder()
    try folder.write(["a.yaml": "- {id: a, input: {m: {file: m.txt}}}"], under: "project")
    try folder.write(["m.txt": "secret"], under: "outside")
    try folder.link("project/m.txt", to: "../outside/m.txt")
    let system = try #require(DiskFileSystem(root: folder.path + "/project"))
    let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
    _ = DatasetReader.read(ProjectPath("a.yaml"), files: files)
    #expect(
      files.diagnostics.diagnostics.map(\.message) == [
        "'m.txt' is a link that leads outside the project"
      ]
    )
  }
}
