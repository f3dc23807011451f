@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Import of outputs per case")
struct OutputsImportTests {
  private static let cases = ["1", "2", "3"].map {
    StoredCase(TestCase(id: $0, input: ["number": .string($0)]))
  }

  private func imported(
    _ text: String,
    as name: String,
    _ mappings: [OutputsImport.Mapping],
    knowsCases: Bool = true
  ) throws -> (text: String?, faults: [String]) {
    let diagnostics = DiagnosticCollector()
    let work = OutputsImport(
      SourceFile(path: name, bytes: Array(text.utf8)),
      mappings,
      for: knowsCases ? (Self.cases, ProjectPath("cases.yaml")) : nil,
      diagnostics
    )
    let faults = diagnostics.diagnostics.map { String($0.description.dropLast()) }
    guard let work else { return (nil, faults) }
    let files = InMemoryFileSystem()
    let outcome = try work.write(to: ProjectPath("out.jsonl"), in: files)
    let written = String(decoding: try files.read(ProjectPath("out.jsonl")), as: UTF8.self)
    #expect(outcome.rows == written.split(separator: "\n").count)
    return (written, faults)
  }

  private func column(_ target: String, _ source: String) -> OutputsImport.Mapping {
    OutputsImport.Mapping(target, from: .column(source))
  }

  @Test("Dotted paths lead into JSON, numbers become IDs, and members have a fixed order")
  func jsonLines() throws {
    let (text, faults) = try imported(
      """
      {"key": 1, "response": {"output": "a", "choices": [{"why": "stop"}]}, "tokens": {"in": 5}}
      {"key": 2, "response": {"output": {"b": 1}, "choices": []}, "tokens": null}
      """,
      as: "log.jsonl",
      [
        column("usage.input", "tokens.in"), column("text", "response.output"), column("id", "key"),
        column("finish-reason", "response.choices.0.why"),
        OutputsImport.Mapping("prompt", from: .constant("v2")),
      ]
    )
    #expect(faults == [])
    #expect(
      text == """
        {"id":"1","prompt":"v2","text":"a","finish-reason":"stop","usage":{"input":5}}
        {"id":"2","prompt":"v2","text":{"b":1}}

        """
    )
  }

  @Test("A numeric ID is the text of its exact value, and an ID in CSV keeps its spelling")
  func exactIDs() throws {
    let numbers = try imported(
      """
      {"id": 9007199254740993, "text": "a"}
      {"id": 9007199254740992, "text": "b"}
      {"id": 1152921504606846976, "text": "c"}
      {"id": 12345678901234567890, "text": "d"}
      {"id": 1.0, "text": "e"}
      {"id": 1e3, "text": "f"}
      {"id": -9007199254740993.0, "text": "g"}
      {"id": "007", "text": {"n": 9007199254740993}}

      """,
      as: "log.jsonl",
      [],
      knowsCases: false
    )
    #expect(numbers.faults == [])
    #expect(
      numbers.text == """
        {"id":"9007199254740993","text":"a"}
        {"id":"9007199254740992","text":"b"}
        {"id":"1152921504606846976","text":"c"}
        {"id":"12345678901234567890","text":"d"}
        {"id":"1","text":"e"}
        {"id":"1000","text":"f"}
        {"id":"-9007199254740993","text":"g"}
        {"id":"007","text":{"n":9007199254740993}}

        """
    )
    let ids = ["9007199254740993", "9007199254740992", "007", "1e3", "1.0", "1152921504606846976"]
    let table = try imported(
      "id,text\n" + ids.map { "\($0),x\n" }.joined(),
      as: "log.csv",
      [],
      knowsCases: false
    )
    #expect(table.faults == [])
    #expect(table.text == ids.map { "{\"id\":\"\($0)\",\"text\":\"x\"}\n" }.joined())
  }

  @Test("CSV and JSON arrays are read, and columns named 'id' and 'text' need no mapping")
  func otherForms() throws {
    let table = try imported(
      "id,text,n\n1,\"=HYPERLINK(\"\"x\"\")\",4\n2,,\n",
      as: "log.csv",
      [column("usage.output", "n")]
    )
    #expect(table.faults == [])
    #expect(
      table.text == """
        {"id":"1","text":"=HYPERLINK(\\"x\\")","usage":{"output":4}}
        {"id":"2","text":""}

        """
    )
    let list = try imported(
      #"[{"id": "1", "text": "a"}, {"id": "3", "text": "c"}]"#,
      as: "log.json",
      []
    )
    #expect(list.text == "{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"3\",\"text\":\"c\"}\n")
  }

  @Test("All invalid rows are reported at once, at their positions, and nothing is written")
  func wrongRows() throws {
    let (text, faults) = try imported(
      """
      case,answer,ms
      1,a,12
      9,b,13
      1,c,14
      2,d,soon
      ,e,15
      """,
      as: "log.csv",
      [column("id", "case"), column("text", "answer"), column("timings.total-ms", "ms")]
    )
    #expect(text == nil)
    #expect(
      faults == [
        """
        log.csv:3:1: error: there is no case '9' in cases.yaml
          3 | 9,b,13
            | ^
          fix: did you mean '1'?
        """,
        """
        log.csv:4:1: error: line 2 already has a row for the case '1'
          4 | 1,c,14
            | ^
          fix: remove one of the two; if they are repeats, number them with 'repeat' from 1
        """,
        """
        log.csv:5:5: error: 'total-ms' must be a number, not a text
          5 | 2,d,soon
            |     ^
        """,
        """
        log.csv:6:1: error: the row has no 'case', which is mapped to 'id'
          6 | ,e,15
            | ^
        """,
      ]
    )
  }

  @Test("A missing text is an error unless the row states an error")
  func missingText() throws {
    let rows = """
      {"id": "1", "out": null, "why": "timeout"}
      {"id": "2", "out": null, "why": null}
      """
    let (text, faults) = try imported(
      rows,
      as: "log.jsonl",
      [column("text", "out"), column("error", "why")]
    )
    #expect(text == nil)
    #expect(
      faults == [
        """
        log.jsonl:2:20: error: the row has no 'out', which is mapped to 'text'
          2 | {"id": "2", "out": null, "why": null}
            |                    ^
          fix: remove the row, or give the reason in a column that is mapped to 'error'
        """
      ]
    )
    let first = try imported(
      String(rows.split(separator: "\n")[0]),
      as: "log.jsonl",
      [column("text", "out"), column("error", "why")]
    )
    #expect(first.text == "{\"id\":\"1\",\"error\":\"timeout\"}\n")
  }

  /// Rows in each form, and the row that is written for them.
  private static let known: [(String, String, String)] = [
    (
      "l.csv",
      "id,text,model,finish-reason,repeat,prompt,cost,stand-in\n1,a,m-1,length,2,v1,0.25,rules\n",
      #"{"id":"1","repeat":2,"prompt":"v1","text":"a","model":"m-1","finish-reason":"length","cost":0.25,"stand-in":"rules"}"#
    ),
    (
      "l.csv", "id,text,finish_reason\n1,a,length\n",
      #"{"id":"1","text":"a","finish-reason":"length"}"#
    ),
    ("l.csv", "id,text,stop_reason\n1,a,stop\n", #"{"id":"1","text":"a","finish-reason":"stop"}"#),
    (
      "l.json", #"[{"id":1,"text":"a","finishReason":"length"}]"#,
      #"{"id":"1","text":"a","finish-reason":"length"}"#
    ),
    (
      "l.jsonl", #"{"id":1,"text":"a","stopReason":"max_tokens"}"#,
      #"{"id":"1","text":"a","finish-reason":"max_tokens"}"#
    ),
    (
      "l.csv",
      "id,text,usage.prompt_tokens,usage.completion_tokens,timings.total-ms\n1,a,5,6,7.5\n",
      #"{"id":"1","text":"a","usage":{"prompt_tokens":5,"completion_tokens":6},"timings":{"total-ms":7.5}}"#
    ),
    (
      "l.csv", "id,text,usage.prompt_tokens,usage.prompt_tokens_details.cached_tokens\n1,a,5,2\n",
      #"{"id":"1","text":"a","usage":{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":2}}}"#
    ),
    (
      "l.csv", "id,text,usage,timings\n1,a,\"{\"\"input\"\":5}\",\"{\"\"total-ms\"\":7}\"\n",
      #"{"id":"1","text":"a","usage":{"input":5},"timings":{"total-ms":7}}"#
    ),
    (
      "l.jsonl",
      #"{"id":"1","text":"a","usage":{"prompt_tokens":5,"completion_tokens":6},"timings":{"total-ms":7,"first-text-ms":3}}"#,
      #"{"id":"1","text":"a","usage":{"prompt_tokens":5,"completion_tokens":6},"timings":{"total-ms":7,"first-text-ms":3}}"#
    ),
    (
      "l.jsonl", #"{"id":"1","text":"a","usage.input":5,"usage.output":6,"total-ms":7}"#,
      #"{"id":"1","text":"a","usage":{"input":5,"output":6},"timings":{"total-ms":7}}"#
    ),
    ("l.csv", "id,text,error\n1,,timeout\n", #"{"id":"1","error":"timeout"}"#),
    ("l.csv", "id,text,error\n1,a,\n", #"{"id":"1","text":"a"}"#),
    (
      "l.csv", "id,text,error.message,error.kind\n1,,slow,rate-limited\n",
      #"{"id":"1","error":{"message":"slow","kind":"rate-limited"}}"#
    ),
    ("l.jsonl", #"{"id":"1","text":null,"error":"timeout"}"#, #"{"id":"1","error":"timeout"}"#),
    (
      "l.jsonl", #"{"id":"1","text":"half","error":{"message":"slow","kind":"rate-limited"}}"#,
      #"{"id":"1","text":"half","error":{"message":"slow","kind":"rate-limited"}}"#
    ),
    (
      "l.jsonl", #"{"id":"1","text":"a","error":null,"usage":null,"model":null,"repeat":null}"#,
      #"{"id":"1","text":"a"}"#
    ),
    ("l.jsonl", #"{"id":"1","text":"a","error":false}"#, #"{"id":"1","text":"a"}"#),
    ("l.jsonl", #"{"id":"1","refusal":"No."}"#, #"{"id":"1","refusal":"No."}"#),
    (
      "l.jsonl", #"{"id":"1","tool_calls":[{"name":"f","arguments":{}}]}"#,
      #"{"id":"1","tool-calls":[{"name":"f","arguments":{}}]}"#
    ),
    ("l.jsonl", #"{"input":{"number":"1"},"text":"a"}"#, #"{"input":{"number":"1"},"text":"a"}"#),
  ]

  @Test(
    "A cell that says that there is no error or refusal is as good as empty",
    arguments: [
      "False", "false", "0", "0.0", "null", "NULL", "None", "none", "nan", "NaN", "", "{}", "[]",
    ],
    ["error", "refusal", "error.message"]
  )
  func noError(cell: String, column: String) throws {
    for (mappings, name) in [([], column), ([self.column(column, "why")], "why")] {
      let (text, faults) = try imported("id,text,\(name)\n1,a,\(cell)\n", as: "l.csv", mappings)
      #expect(faults == [])
      #expect(text == #"{"id":"1","text":"a"}"# + "\n", "\(name)")
    }
  }

  @Test("Columns with the names of members are kept without a mapping", arguments: known)
  func knownColumns(name: String, text: String, row: String) throws {
    let (written, faults) = try imported(text, as: name, [])
    #expect(faults == [])
    #expect(written == row + "\n")
  }

  @Test("A member of any row is kept, even if no earlier row has it")
  func lateMember() throws {
    let rows =
      (1...150).map { #"{"id": "c\#($0)", "text": "a"}"# } + [
        #"{"id": "last", "text": "", "error": "timeout"}"#
      ]
    let (text, faults) = try imported(
      rows.joined(separator: "\n"),
      as: "log.jsonl",
      [],
      knowsCases: false
    )
    #expect(faults == [])
    #expect(text?.hasSuffix(#"{"id":"last","error":"timeout"}"# + "\n") == true)
  }

  @Test(
    "All columns that are not used are named once, with the nearest member",
    arguments: [
      (
        "id,text,finsh-reason,grade,latency\n1,a,length,5,12\n", "log.csv",
        """
        log.csv: warning: 3 columns are not used: finsh-reason, grade, latency
          fix: did you mean --map finish-reason=finsh-reason,timings=latency?
        """
      ),
      (
        #"{"id": "1", "text": "a", "meta": {"run": 1, "why": {"a": 1}}}"#, "log.jsonl",
        """
        log.jsonl: warning: one column is not used: meta
          fix: map a column that describes the answer: --map TARGET=COLUMN
        """
      ),
      // Other tools call the words of the prompt a prompt.
      (
        "id,text,prompt\n1,a,Sort this: x\n", "log.csv",
        """
        log.csv: warning: one column is not used: prompt
          fix: map a column that describes the answer: --map TARGET=COLUMN
        """
      ),
      (
        #"[{"id": "1", "text": "a", "input": "x", "messages": [], "prompt": [{"role": "user"}]}]"#,
        "log.json",
        """
        log.json: warning: 3 columns are not used: input, messages, prompt
          fix: map a column that describes the answer: --map TARGET=COLUMN
        """
      ),
    ]
  )
  func unused(text: String, name: String, warning: String) throws {
    let (written, faults) = try imported(text, as: name, [])
    #expect(faults.map { $0.replacing(", names", with: "") } == [warning])
    #expect(written == "{\"id\":\"1\",\"text\":\"a\"}\n")
  }

  @Test("If a column is mapped to the id, a column 'input' is not used without a mapping")
  func otherInput() throws {
    let (text, faults) = try imported(
      #"{"case_id": "1", "input": "What is it?", "text": "a"}"#,
      as: "log.jsonl",
      [column("id", "case_id")]
    )
    #expect(text == "{\"id\":\"1\",\"text\":\"a\"}\n")
    #expect(
      faults.map { $0.hasPrefix("log.jsonl: warning: one column is not used: input\n") } == [true]
    )
  }

  @Test("A nested member beside a mapped one is named, too")
  func nestedUnused() throws {
    let (_, faults) = try imported(
      #"{"id": "1", "response": {"output": "a", "finish_reason": "length"}}"#,
      as: "log.jsonl",
      [column("text", "response.output")]
    )
    #expect(
      faults == [
        """
        log.jsonl: warning: one column is not used: response.finish_reason
          fix: did you mean --map finish-reason=response.finish_reason?
        """
      ]
    )
  }

  @Test(
    "A value of a wrong type is an error at its position",
    arguments: [
      (
        #"{"id":"1","text":"a","finish-reason":7}"#,
        "l.jsonl:1:38: error: 'finish-reason' must be a text, not a number"
      ),
      (
        #"{"id":"1","text":"a","error":true}"#,
        "l.jsonl:1:30: error: 'error' must be a text, not true or false"
      ),
      (#"{"id":"1","text":"a","repeat":"2"}"#, ""),
      (
        #"{"id":"1","text":"a","repeat":0}"#,
        "l.jsonl:1:31: error: 'repeat' must be between 1 and 10000, not 0"
      ),
      (
        #"{"id":"1","text":"a","usage":7}"#,
        "l.jsonl:1:30: error: 'usage' must be a mapping of counts, not a number"
      ),
      (
        #"{"id":"1","text":"a","usage":{"input":"7"}}"#,
        "l.jsonl:1:39: error: 'usage.input' must be a whole number of tokens, not a text"
      ),
      (
        #"{"id":"1","text":"a","usage":{"input":-1}}"#,
        "l.jsonl:1:39: error: 'usage.input' must be a whole number of tokens, not -1"
      ),
      (
        #"{"id":"1","text":"a","usage":{"input":1.5}}"#,
        "l.jsonl:1:39: error: 'usage.input' must be a whole number of tokens, not 1.5"
      ),
      (
        #"{"id":"1","text":"a","timings":{"total-ms":-1}}"#,
        "l.jsonl:1:44: error: 'total-ms' must be 0 or more milliseconds, not -1"
      ),
      (
        #"{"id":"1","text":"a","cost":-1}"#,
        "l.jsonl:1:29: error: 'cost' must be 0 or more US dollars, not a number"
      ),
      (
        #"{"id":"1","text":"a","cost":"$1"}"#,
        "l.jsonl:1:29: error: 'cost' must be a number, not a text"
      ),
      (
        #"{"id":"1","text":"a","model":{}}"#,
        "l.jsonl:1:30: error: 'model' must be a text, not a mapping"
      ),
    ]
  )
  func wrongTypes(row: String, fault: String) throws {
    let faults = try imported(row, as: "l.jsonl", []).faults
    #expect(faults.first?.split(separator: "\n").first.map(String.init) ?? "" == fault)
  }

  @Test(
    "A cell that is not a number is an error, also 'nan' and 'inf'",
    arguments: ["nan", "inf", "soon"]
  )
  func wrongCells(cell: String) throws {
    for column in ["timings.total-ms", "usage.input", "cost", "repeat"] {
      let faults = try imported("id,text,\(column)\n1,a,\(cell)\n", as: "l.csv", []).faults
      #expect(faults.count == 1, "\(column)")
      #expect(faults.first?.hasPrefix("l.csv:2:5: error: ") == true, "\(column)")
    }
  }

  @Test("A report with a shortened or escaped text is an error that names the run log")
  func inexactReports() throws {
    func faults(_ text: String) throws -> [String] {
      try imported(
        "case,repeat,outcome,since-baseline,text\n1,1,passed,,\"\(text)\"\n",
        as: "report.csv",
        []
      ).faults
    }
    for text in ["one\\ntwo", "cut…", "a;'=b", "'quoted"] {
      #expect(
        try faults(text).first?.hasSuffix(
          "fix: import the run log instead: reports/runs/SUITE-….jsonl"
        ) == true
      )
    }
    #expect(try faults("'=1+1") == [])
    let cut =
      #"{"generator":"sluice 1","suites":[{"columns":[{"prompt":"v1","results":[{"case":"1","#
      + #""repeat":1,"outcome":"passed","text":"a","text-cut":true}]}]}]}"#
    #expect(try imported(cut, as: "report.json", []).faults.count == 1)
  }

  @Test("An unknown column gets a suggestion, and a missing mapping gets a list of columns")
  func columns() throws {
    let row = #"{"case_id": "1", "response": {"output": "a"}}"#
    #expect(
      try imported(
        row,
        as: "log.jsonl",
        [column("id", "case_id"), column("text", "response.outptu")]
      )
      .faults == [
        """
        log.jsonl: error: unknown column 'response.outptu'
          fix: did you mean 'response.output'?
        """
      ]
    )
    #expect(
      try imported(row, as: "log.jsonl", [column("id", "case_id")]).faults == [
        """
        command line: error: no column is mapped to 'text'
          fix: add --map text=COLUMN; the columns of the file are case_id, response, response.output
        """
      ]
    )
  }

  @Test(
    "A file in another format is an error",
    arguments: [
      ("log.txt", "x", "log.txt: error: the file's name does not end in .csv, .jsonl or .json"),
      (
        "log.json", #"{"rows": []}"#,
        "log.json:1:1: error: a JSON file must be a list of rows, not a mapping"
      ),
      ("log.json", "[1]", "log.json:1:2: error: a row must be a mapping, not a number"),
      ("log.csv", "", "log.csv: error: the file is empty"),
      ("log.csv", "a,a\n1,2\n", "log.csv:1:3: error: duplicate column 'a'"),
      ("log.jsonl", "", "log.jsonl: error: the file has no rows"),
      (
        "log.jsonl", "[]",
        "log.jsonl:1:1: error: a JSONL file must have one row per line, not a list"
      ),
    ]
  )
  func forms(name: String, text: String, fault: String) throws {
    let faults = try imported(
      text,
      as: name,
      [OutputsImport.Mapping("id", from: .constant("1")), .init("text", from: .constant("x"))]
    ).faults
    #expect(faults.first?.split(separator: "\n").first.map(String.init) == fault)
  }

  @Test("Keys in texts are replaced with placeholders and counted")
  func secrets() throws {
    let key = "sk-ant-" + "api03-" + String(repeating: "aB3x", count: 23) + "-AA"
    let diagnostics = DiagnosticCollector()
    let work = try #require(
      OutputsImport(
        SourceFile(path: "l.jsonl", bytes: Array(#"{"id": "1", "text": "\#(key)"}"#.utf8)),
        [],
        for: nil,
        diagnostics
      )
    )
    let files = InMemoryFileSystem()
    #expect(try work.write(to: ProjectPath("o.jsonl"), in: files).redacted == 1)
    let text = String(decoding: try files.read(ProjectPath("o.jsonl")), as: UTF8.self)
    #expect(!text.contains(key))
  }
}
