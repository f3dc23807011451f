import Foundation
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Outputs per case")
struct OutputsReaderTests {
  private static let cases = [
    StoredCase(TestCase(id: "late", input: ["mail": "Where is it?"])),
    StoredCase(TestCase(id: "rude", input: ["mail": "Now!", "tone": "cold"])),
    StoredCase(TestCase(id: "rude-2", input: ["mail": "Now!", "tone": "cold"])),
  ]

  private func read(
    _ text: String,
    as name: String = "outputs.jsonl",
    knowsCases: Bool = true
  ) -> (file: OutputsFile?, faults: [String]) {
    let diagnostics = DiagnosticCollector()
    let files = ProjectFiles(InMemoryFileSystem([name: text]), diagnostics: diagnostics)
    let file = OutputsReader.read(
      ProjectPath(name),
      for: knowsCases ? Self.cases : nil,
      in: ProjectPath("datasets/mail/cases.yaml"),
      files: files
    )
    return (file, diagnostics.diagnostics.map(\.description))
  }

  private func response(
    _ file: OutputsFile?,
    _ id: String,
    prompt: String = "v1",
    _ repetition: Int = 1
  )
    throws -> ModelResponse?
  {
    try file?.answer(to: id, prompt: prompt, repetition: repetition)?.response()
  }

  // MARK: Rows

  @Test("A row has the parts of a program's answer, and missing parts stay unknown")
  func parts() throws {
    let (file, faults) = read(
      """
      {"id": "late", "text": "Tomorrow.", "model": "m-1", "usage": {"input": 120, "output": 8}, \
      "finish-reason": "stop", "timings": {"total-ms": 812.5}, "tool-calls": [{"name": "track", \
      "arguments": {"id": 7}}]}
      {"id": "rude", "text": {"reply": "No."}}

      """
    )
    #expect(faults == [])
    #expect(file?.count == 2)
    let whole = try #require(try response(file, "late"))
    #expect(whole.text == "Tomorrow.")
    #expect(whole.usage == TokenUsage(input: 120, output: 8))
    #expect(whole.finishReason == "stop")
    #expect(whole.timings.total == 812.5)
    #expect(whole.toolCalls == [ToolCall(id: "", name: "track", arguments: #"{"id":7}"#)])
    #expect(
      whole.provenance.json
        == [
          "host": "file:outputs.jsonl", "model": "m-1", "via": "files", "times": "stated",
        ]
    )
    #expect(whole.provenance.hasTimes)
    #expect(!whole.provenance.hasCost)
    let bare = try #require(try response(file, "rude"))
    #expect(bare.text == #"{"reply":"No."}"#)
    #expect(bare.usage == nil)
    #expect(bare.finishReason == nil)
    #expect(bare.provenance.json == ["host": "file:outputs.jsonl", "via": "files"])
    #expect(!bare.provenance.hasTimes)
    #expect(try response(file, "rude-2") == nil)
  }

  @Test("A row can name its case by the complete input, and answers all cases with that input")
  func inputs() throws {
    let (file, faults) = read(
      """
      {"input": {"tone": "cold", "mail": "Now!"}, "text": "No."}
      {"id": "late", "input": {"mail": "Where is it?"}, "text": "Soon."}
      """
    )
    #expect(faults == [])
    #expect(try response(file, "rude")?.text == "No.")
    #expect(try response(file, "rude-2")?.text == "No.")
    #expect(try response(file, "late")?.text == "Soon.")
  }

  @Test("Rows of the same case are distinguished by repeat and prompt")
  func repeats() throws {
    let (file, faults) = read(
      """
      {"id": "late", "text": "a", "prompt": "v1"}
      {"id": "late", "text": "b", "prompt": "v1", "repeat": 2}
      {"id": "late", "text": "c", "prompt": "v2"}
      {"id": "rude", "text": "d"}
      """
    )
    #expect(faults == [])
    #expect(try response(file, "late", 2)?.text == "b")
    #expect(try response(file, "late", prompt: "v2")?.text == "c")
    #expect(try response(file, "rude", prompt: "v2")?.text == "d")
    #expect(file?.prompts == ["v1", "v2"])
    #expect(file?.namesPrompt(of: "late", prompt: "v2", repetition: 1) == true)
    #expect(file?.namesPrompt(of: "rude", prompt: "v2", repetition: 1) == false)
    func miss(_ id: String, _ prompt: String, _ repetition: Int) -> String? {
      file?.miss(id, prompt: prompt, repetition: repetition).message
    }
    #expect(miss("rude-2", "v1", 1) == "no row in outputs.jsonl")
    #expect(miss("late", "v3", 1) == "no row in outputs.jsonl for the prompt 'v3'")
    #expect(miss("rude", "v1", 2) == "no row in outputs.jsonl for repeat 2")
  }

  @Test("A row with an error has no answer, but a reason and a kind")
  func errors() throws {
    let (file, faults) = read(
      """
      {"id": "late", "error": "out of credit"}
      {"id": "rude", "error": {"message": "slow down", "kind": "rate-limited"}, "text": "half"}
      {"id": "rude-2", "text": "whole", "error": ""}
      """
    )
    #expect(faults == [])
    func error(_ id: String) -> BackendError? {
      do {
        _ = try response(file, id)
        return nil
      } catch {
        return error as? BackendError
      }
    }
    #expect(error("late")?.message == "outputs.jsonl:1 has no answer: out of credit")
    #expect(error("rude")?.kind == .rateLimited)
    #expect(try response(file, "rude-2")?.text == "whole")
  }

  @Test("A row can state the cost; without it, the cost is unknown, whatever the usage says")
  func costs() throws {
    let (file, faults) = read(
      """
      {"id": "late", "text": "a", "cost": 0.25, "usage": {"input": 3, "output": 4}}
      {"id": "rude", "text": "a", "usage": {"prompt_tokens": 3, "cost": 0.5}}
      {"id": "rude-2", "text": "a", "usage": {"input": 3, "output": 4}}
      """
    )
    #expect(faults == [])
    #expect(try response(file, "late")?.reportedCost == 0.25)
    #expect(try response(file, "rude")?.reportedCost == 0.5)
    #expect(try response(file, "late")?.provenance.hasCost == true)
    #expect(try response(file, "rude-2")?.provenance.hasCost == false)
    let origin = try #require(try response(file, "late")).provenance
    #expect(Provenance(json: .object(origin.json)) == origin)
    let table = read("id,text,cost\nlate,a,0.25\n", as: "outputs.csv").file
    #expect(try response(table, "late")?.reportedCost == 0.25)
  }

  @Test("A refusal and a tool call are answers without text")
  func withoutText() throws {
    let (file, faults) = read(
      """
      {"id": "late", "refusal": "I cannot."}
      {"id": "rude", "tool-calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]}
      {"id": "rude-2", "text": null}
      """
    )
    #expect(faults == [])
    #expect(try response(file, "late")?.refusal == "I cannot.")
    #expect(
      try response(file, "rude")?.toolCalls == [ToolCall(id: "c1", name: "f", arguments: "{}")]
    )
    #expect(try response(file, "rude-2")?.text == nil)
  }

  @Test("Keys in answers are redacted")
  func secrets() throws {
    let key = "sk-ant-" + "api03-" + String(repeating: "aB3x", count: 23) + "-AA"
    let (file, _) = read(#"{"id": "late", "text": "use \#(key) now"}"#)
    let text = try #require(try response(file, "late")?.text)
    #expect(!text.contains(key))
    #expect(text.hasPrefix("use <redacted:"))
  }

  @Test("A file that changes during a run gives no more answers")
  func changed() throws {
    let folder = try ProjectFolder()
    try folder.write(["outputs.jsonl": #"{"id": "late", "text": "one"}"#], under: "")
    let disk = try #require(DiskFileSystem(root: folder.path))
    let file = OutputsReader.read(
      ProjectPath("outputs.jsonl"),
      for: Self.cases,
      in: ProjectPath("cases.yaml"),
      files: ProjectFiles(disk, diagnostics: DiagnosticCollector())
    )
    #expect(try response(file, "late")?.text == "one")
    let handle = try FileHandle(forWritingTo: folder.url("outputs.jsonl"))
    try handle.write(contentsOf: Data(#"{"id": "late", "text": "two"}"#.utf8))
    try handle.close()
    #expect(throws: BackendError.self) { try response(file, "late") }
  }

  // MARK: Tables

  @Test("CSV has the same parts as columns, and an empty cell is absent unless it is the text")
  func table() throws {
    let (file, faults) = read(
      """
      id,text,model,usage.input,timings.total-ms,repeat,error,input.mail
      late,"Tomorrow, perhaps.",m-1,12,80,,,Where is it?
      rude,,m-1,,,1,timeout,
      rude-2,,,,,,,

      """,
      as: "outputs.csv"
    )
    // An input with other names is not compared if its cell is empty.
    #expect(faults == [])
    let first = try #require(try response(file, "late"))
    #expect(first.text == "Tomorrow, perhaps.")
    #expect(first.usage == TokenUsage(input: 12))
    #expect(first.timings.total == 80)
    #expect(throws: BackendError.self) { try response(file, "rude") }
    #expect(try response(file, "rude-2")?.text == "")
  }

  @Test(
    "In CSV, a cell of a data frame that says that there is no error means none",
    arguments: ["False", "false", "0", "null", "None", "none", "nan", "NaN", ""]
  )
  func noError(cell: String) throws {
    let (file, faults) = read("id,text,error,refusal\nlate,a,\(cell),\(cell)\n", as: "outputs.csv")
    #expect(faults == [])
    let answer = try response(file, "late")
    #expect(answer?.text == "a")
    #expect(answer?.refusal == nil)
  }

  @Test("Unknown columns are errors, with the nearest known column")
  func columns() {
    #expect(
      read("id,output,usge.input\nlate,x,1\n", as: "outputs.csv").faults
        == [
          """
          outputs.csv:1:4: error: unknown column 'output'
            1 | id,output,usge.input
              |    ^
            fix: did you mean 'text'?

          """,
          """
          outputs.csv:1:11: error: unknown column 'usge.input'
            1 | id,output,usge.input
              |           ^
            fix: did you mean 'usage.input'?

          """,
        ]
    )
    #expect(
      read("id;text\nlate;x\n", as: "outputs.csv").faults.map(\.firstLine)
        == ["outputs.csv:1:3: error: columns are separated by ';' instead of ','"]
    )
    let wide = (0...1_000).map { "c\($0)" }.joined(separator: ",") + "\n"
    #expect(
      read(wide, as: "outputs.csv").faults.map(\.firstLine)
        == ["outputs.csv:1:1: error: 1,001 columns; the limit is 1,000"]
    )
  }

  // MARK: Faults

  @Test("All invalid rows are reported at once, with their lines and fixes")
  func faults() {
    let (file, faults) = read(
      """
      {"id": "latte", "text": "x"}
      {"id": "late", "text": "x"}
      {"id": "late", "text": "y"}
      {"id": "rude", "input": {"mail": "Other"}, "text": "x"}
      {"input": {"mail": "nobody"}, "text": "x"}
      {"text": "x"}
      {"id": "rude-2"}
      {"id": "rude", "output": "x", "usage": {"input": "12", "output": 1.5}}
      {"id": 7, "text": "x", "repeat": 0, "timings": {"total": 1}}
      {"id": "rude-2", "error": {"message": "m", "kind": "rate-limit"}}
      {"id": "rude-2", "text": "x", "tool-calls": [{"arguments": {}}], "usage": {"inputs": 3}}
      not JSON
      """
    )
    #expect(file == nil)
    #expect(
      faults.map(\.firstLine)
        == [
          "outputs.jsonl:1:8: error: there is no case 'latte' in datasets/mail/cases.yaml",
          "outputs.jsonl:3:1: error: line 2 already has a row for the case 'late'",
          "outputs.jsonl:4:25: error: the input differs from the input of the case 'rude' in "
            + "datasets/mail/cases.yaml",
          "outputs.jsonl:5:11: error: no case in datasets/mail/cases.yaml has this input",
          "outputs.jsonl:6:1: error: a row needs 'id', the id of the case that it answers",
          "outputs.jsonl:7:1: error: a row needs 'text', which is the answer",
          "outputs.jsonl:8:16: error: unknown key 'output' in a row",
          "outputs.jsonl:8:50: error: 'usage.input' must be a whole number of tokens, not a text",
          "outputs.jsonl:8:66: error: 'usage.output' must be a whole number of tokens, not 1.5",
          "outputs.jsonl:9:8: error: 'id' must be a text, not a number",
          "outputs.jsonl:9:34: error: 'repeat' must be between 1 and 10000, not 0",
          "outputs.jsonl:9:49: error: unknown key 'total' in 'timings'",
          "outputs.jsonl:10:52: error: unknown kind of error 'rate-limit'",
          "outputs.jsonl:11:46: error: a call in 'tool-calls' needs the 'name' of a function",
          "outputs.jsonl:11:76: error: 'usage' contains no known token count",
          "outputs.jsonl:12:1: error: not valid JSON: expected a JSON value",
        ]
    )
    #expect(faults[0].contains("fix: did you mean 'late'?"))
    #expect(faults[6].contains("fix: write 'text:'"))
  }

  @Test("A second row for a case is an error only for the same repeat and prompt")
  func doubled() {
    #expect(
      read(
        """
        {"id": "late", "text": "a", "prompt": "v1"}
        {"id": "late", "text": "b"}
        {"id": "rude", "text": "c", "repeat": 2, "prompt": "v1"}
        {"id": "rude", "text": "c", "repeat": 2, "prompt": "v1"}
        """
      ).faults.map(\.firstLine)
        == [
          "outputs.jsonl:2:1: error: line 1 already has a row for the case 'late'",
          "outputs.jsonl:4:1: error: line 3 already has a row for the case 'rude' with the "
            + "prompt 'v1', repeat 2",
        ]
    )
  }

  @Test("A file in another format is an error")
  func otherForms() {
    #expect(read("").faults.map(\.firstLine) == ["outputs.jsonl: error: the file has no rows"])
    #expect(
      read(#"[{"id": "late", "text": "x"}]"#).faults.map(\.firstLine)
        == ["outputs.jsonl:1:1: error: a JSONL file must have one row per line, not a list"]
    )
    let latin = InMemoryFileSystem()
    try? latin.write([0x7B, 0xE9, 0x7D], to: ProjectPath("outputs.jsonl"))
    let diagnostics = DiagnosticCollector()
    let read = OutputsReader.read(
      ProjectPath("outputs.jsonl"),
      for: Self.cases,
      in: ProjectPath("cases.yaml"),
      files: ProjectFiles(latin, diagnostics: diagnostics)
    )
    #expect(read == nil)
    #expect(diagnostics.diagnostics.map(\.message) == ["not valid UTF-8"])
  }

  @Test("A line that is too long is an error and is not kept in memory")
  func longLine() {
    let long = String(repeating: "x", count: FileLimits.maximumLineBytes + 10)
    let (_, faults) = read(
      #"{"id": "late", "text": "x"}"# + "\n{\"text\": \"\(long)\"}\n"
        + #"{"id": "nope", "text": ""}"#
    )
    #expect(
      faults.map(\.firstLine)
        == [
          "outputs.jsonl:2:1: error: the line is longer than the limit of 16 MiB",
          "outputs.jsonl:3:8: error: there is no case 'nope' in datasets/mail/cases.yaml",
        ]
    )
  }

  @Test("If the cases are unknown, every ID is accepted and only the format is checked")
  func unknownCases() {
    #expect(read(#"{"id": "whoever", "text": "x"}"#, knowsCases: false).faults == [])
  }
}

extension String {
  fileprivate var firstLine: String { String(split(separator: "\n").first ?? "") }
}
