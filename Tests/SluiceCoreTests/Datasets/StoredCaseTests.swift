@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Stored case")
struct StoredCaseTests {
  private static let usual = #"""
    {"id":"a","tags":["clean"],"split":"test","cluster":"c","input":{"m":"\u00e9 \"x\"","n":[1,2.5]},"expected":{"label":"calm"}}
    """#

  private func dataset(_ text: String) throws -> Dataset {
    let files = ProjectFiles(
      InMemoryFileSystem(["a.jsonl": text]),
      diagnostics: DiagnosticCollector()
    )
    let dataset = try #require(DatasetReader.read(ProjectPath("a.jsonl"), files: files))
    #expect(files.diagnostics.diagnostics == [])
    return dataset
  }

  @Test("A case read from its file equals the same case in memory")
  func same() throws {
    let stored = try #require(try dataset(Self.usual).cases.first)
    let testCase = TestCase(
      id: "a",
      tags: ["clean"],
      split: "test",
      cluster: "c",
      input: ["m": "é \"x\"", "n": [1, 2.5]],
      expected: ["label": "calm"]
    )
    #expect(try stored.read() == testCase)
    #expect(stored.digest.hexadecimal == testCase.digest)
    #expect(try StoredCase(testCase).read() == testCase)
  }

  @Test(
    "A line in an unusual form gives the same case",
    arguments: [
      #"{"tags":["clean"],"split":"test","cluster":"c","id":"a","assert":null,"input":{"n":[1,2.5],"m":"é \"x\""},"expected":{"label":"calm"}}"#,
      #"{"\u0069d":"a","tags":["clean"],"split":"test","cluster":"c","input":{"m":"é \"x\"","n":[1e0,25e-1]},"expected":{"label":"calm"},"assert":[]}"#,
    ]
  )
  func unusual(_ line: String) throws {
    let read = try #require(try dataset(line).cases.first).read()
    #expect(try read == #require(try dataset(Self.usual).cases.first).read())
  }

  @Test("Every case of a large file can be read in any order")
  func large() throws {
    let filler = String(repeating: "x", count: 500)
    let lines = (0..<700).map { #"{"id":"case-\#($0)","input":{"m":"\#($0) \#(filler)"}}"# }
    let folder = try ProjectFolder()
    try folder.write(["a.jsonl": lines.joined(separator: "\n") + "\n\n"], under: ".")
    let system = try #require(DiskFileSystem(root: folder.path))
    let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
    let dataset = try #require(DatasetReader.read(ProjectPath("a.jsonl"), files: files))
    #expect(dataset.cases.count == 700)
    for index in Array(0..<700) + [699, 3, 3, 350, 0] {
      let testCase = try dataset.cases[index].read()
      #expect(testCase.id == "case-\(index)")
      #expect(testCase.input["m"] == .string("\(index) \(filler)"))
      #expect(dataset.spec(index).position.line == index + 1)
    }
  }

  @Test("A file that is edited during the run is an error that names the file")
  func changed() throws {
    let folder = try ProjectFolder()
    let lines = #"{"id":"a","input":{"m":"one"}}"# + "\n" + #"{"id":"b","input":{"m":"two"}}"#
    try folder.write(["a.jsonl": lines], under: ".")
    let system = try #require(DiskFileSystem(root: folder.path))
    let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
    let dataset = try #require(DatasetReader.read(ProjectPath("a.jsonl"), files: files))
    try folder.write(["a.jsonl": lines.replacing("two", with: "tow")], under: ".")
    #expect(try dataset.cases[0].read().input == ["m": "one"])
    let error = #expect(throws: CaseFile.Changed.self) { try dataset.cases[1].read() }
    #expect(error?.description == "a.jsonl changed while the suite ran")
    #expect(dataset.cases[1].testCase.input == [:])
  }

  @Test("Cases with the same labels share the label object")
  func sharedLabels() throws {
    let text = ["a", "b", "c"].map { #"{"id":"\#($0)","tags":["x","y"],"input":{}}"# }
    let cases = try dataset(text.joined(separator: "\n")).cases
    #expect(cases[0].labels === cases[2].labels)
  }
}
