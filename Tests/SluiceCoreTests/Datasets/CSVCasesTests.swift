import SampleProjects
import Sluice
import Testing

@Suite("CSV cases")
struct CSVCasesTests {
  private let header = "id,tags,input.message,input.sender.role,expected.flagged,expected.label"

  /// Returns the report for a project with these rows after the header.
  private func report(header: String? = nil, _ rows: String...) throws -> String {
    let text = ([header ?? self.header] + rows).joined(separator: "\n") + "\n"
    return try ProjectFixture()
      .replacing(
        "      {{#conversation}}\n      {{from}}: {{text}}\n      {{/conversation}}\n",
        with: "",
        in: ProjectFixture.prompt
      )
      .adding([ProjectFixture.dataset: nil, "datasets/tone/cases.csv": text])
      .report()
  }

  private func cases(_ text: String) throws -> [TestCase] {
    let files = ProjectFiles(
      InMemoryFileSystem(["a.csv": text]),
      diagnostics: DiagnosticCollector()
    )
    let dataset = try #require(DatasetReader.read(ProjectPath("a.csv"), files: files))
    #expect(files.diagnostics.diagnostics == [])
    return dataset.cases.map(\.testCase)
  }

  @Test("Rows become cases according to the column names, in any order")
  func rows() throws {
    #expect(try report("a,clean,Done.,engineer,false,calm", "b,,Now!,manager,true,harsh") == "")
    #expect(
      try cases("expected.a.b,input.x.y,cluster,input.x.z,id,notes\n1,2,c,,a,why\n") == [
        TestCase(
          id: "a",
          cluster: "c",
          input: ["x": ["y": "2", "z": ""]],
          expected: ["a": ["b": 1]]
        )
      ]
    )
  }

  @Test(
    "An 'expected' cell is read as JSON, or else as a text; an empty cell is absent",
    arguments: [
      ("true", true), ("3", 3), ("\"3\"", 3), ("\"\"\"3\"\"\"", "3"), ("yes", "yes"),
      ("\"[1, 2]\"", [1, 2]), ("\"{\"\"a\"\": null}\"", ["a": nil]), ("NaN", "NaN"),
      ("[oops", "[oops"), (" 3", 3), ("null", .some(.null)), ("", nil),
    ] as [(String, JSONValue?)]
  )
  func expected(_ cell: String, _ value: JSONValue?) throws {
    let found = try cases("id,input.a,expected.b\nx,,\(cell)\n")
    #expect(found.map { $0.expected["b"] } == [value])
  }

  @Test("An input is always a text, and an empty cell is an empty text")
  func inputs() throws {
    let found = try cases("id,input.a,input.b\nx,3,\n")
    #expect(found.map(\.input) == [["a": "3", "b": ""]])
  }

  @Test("Tags are separated by spaces, commas or semicolons")
  func tags() throws {
    #expect(try cases("id,tags\nx,\"a b, c;d \"\n").map(\.tags) == [["a", "b", "c", "d"]])
  }

  @Test("The cases of a dataset without input columns have no inputs")
  func noInputs() throws {
    #expect(try cases("id\nx\ny\n").map(\.input) == [[:], [:]])
  }

  // MARK: Faults

  @Test("An unknown column is an error with the nearest known column, or a way to rename it")
  func unknownColumn() throws {
    #expect(
      try report(header: header + ",tag,topic,input.,", "a,,x,y,false,calm,,,,") == """
        datasets/tone/cases.csv:1:73: error: unknown column 'tag'
          1 | …ole,expected.flagged,expected.label,tag,topic,input.,
            |                                      ^
          fix: did you mean 'tags'?
        datasets/tone/cases.csv:1:77: error: unknown column 'topic'
          1 | …expected.flagged,expected.label,tag,topic,input.,
            |                                      ^
          fix: name it 'input.topic' or 'expected.topic'
        datasets/tone/cases.csv:1:83: error: unknown column 'input.'
          1 | …ed.flagged,expected.label,tag,topic,input.,
            |                                      ^
          fix: write 'input.NAME'
        datasets/tone/cases.csv:1:90: error: column 10 has no name
          1 | …ged,expected.label,tag,topic,input.,
            |                                      ^
          fix: remove the ',' at the end of each line, or name the column

        """
    )
  }

  @Test("Duplicate or conflicting columns are errors")
  func clash() throws {
    #expect(
      try report(header: header + ",id,input.sender,expected.label.a", "a,,x,y,false,calm,b,z,1")
        == """
        datasets/tone/cases.csv:1:73: error: duplicate column 'id'
          1 | …ole,expected.flagged,expected.label,id,input.sender,expected.label.a
            |                                      ^
          fix: remove one of the two
        datasets/tone/cases.csv:1:76: error: the columns 'input.sender' and 'input.sender.role' would put one value inside of the other
          1 | …,expected.flagged,expected.label,id,input.sender,expected.label.a
            |                                      ^
          fix: rename one of the two
        datasets/tone/cases.csv:1:89: error: the columns 'expected.label.a' and 'expected.label' would put one value inside of the other
          1 | …gged,expected.label,id,input.sender,expected.label.a
            |                                      ^
          fix: rename one of the two

        """
    )
  }

  @Test("A dataset without an 'id' column is an error")
  func noId() throws {
    #expect(
      try report(header: "name,input.message", "a,x", "b,y") == """
        datasets/tone/cases.csv:1:1: error: unknown column 'name'
          1 | name,input.message
            | ^
          fix: name it 'input.name' or 'expected.name'
        datasets/tone/cases.csv:1:1: error: there is no column 'id'
          1 | name,input.message
            | ^
          fix: add a column 'id' with a unique id for each case

        """
    )
  }

  @Test("A row with the wrong number of cells is an error, and the other rows are read")
  func width() throws {
    #expect(
      try report("a,clean,Done.", "a,,Now!,manager,true,harsh", "", "a,,,,true,calm") == """
        datasets/tone/cases.csv:2:1: error: not valid CSV: the row has 3 cells, but the header has 6 columns
          2 | a,clean,Done.
            | ^
          fix: add the missing cells; an empty cell also needs its ','
        datasets/tone/cases.csv:4:1: error: not valid CSV: the line is empty
          4 | 
            | ^
          fix: remove it
        datasets/tone/cases.csv:5:1: error: duplicate case id 'a', first on line 3
          5 | a,,,,true,calm
            | ^
          fix: rename one of the two

        """
    )
  }

  @Test("A misplaced quote is an error with a fix")
  func quote() throws {
    #expect(
      try report(#"a,,He said "no".,engineer,true,calm"#) == """
        datasets/tone/cases.csv:2:12: error: not valid CSV: a quotation mark inside an unquoted cell
          2 | a,,He said "no".,engineer,true,calm
            |            ^
          fix: put the whole cell in quotes, and write each quote inside it twice

        """
    )
    #expect(
      try report(#"a,,"Done,engineer,true,calm"#) == """
        datasets/tone/cases.csv:2:4: error: not valid CSV: the quote is not closed
          2 | a,,"Done,engineer,true,calm
            |    ^
          fix: add the closing quote

        """
    )
  }

  @Test("An error in a case is reported at its cell")
  func cells() throws {
    #expect(
      try report("a,,Done.,engineer,maybe,calm", "b,,,x,true,clam", ",,Done.,engineer,true,calm")
        == """
        datasets/tone/cases.csv:2:19: error: 'expected.flagged' must be true or false, not a text
          2 | a,,Done.,engineer,maybe,calm
            |                   ^
        datasets/tone/cases.csv:3:12: error: 'clam' is not one of the labels of the suite
          3 | b,,,x,true,clam
            |            ^
          fix: did you mean 'calm'?
        datasets/tone/cases.csv:4:1: error: a case needs 'id'
          4 | ,,Done.,engineer,true,calm
            | ^
          fix: add 'id: …'

        """
    )
  }

  @Test("An error inside the JSON of a cell is reported at the cell")
  func nested() throws {
    let fixture = try ProjectFixture()
      .replacing(
        "  - flags: {path: warning, when: non-empty}\n",
        with: "  - mentions: {path: warning, expected: words}\n",
        in: ProjectFixture.suite
      )
      .replacing("false-positive-rate < 5%", with: "mention-rate > 5%", in: ProjectFixture.suite)
      .adding([
        ProjectFixture.prompt: "messages: [{user: '{{message}}'}]", ProjectFixture.dataset: nil,
        "datasets/tone/cases.csv": """
        id,input.message,expected.label,expected.words
        a,x,calm,"[""one"", 2]"

        """,
      ])
    #expect(
      fixture.report() == """
        datasets/tone/cases.csv:2:10: error: a finding must be a text or {any-of: [texts]}
          2 | a,x,calm,"[""one"", 2]"
            |          ^
          fix: write '- any-of: ["first", "second"]'

        """
    )
  }

  @Test("An unused input causes a warning at its column")
  func unread() throws {
    #expect(
      try report(header: header + ",input.sent", "a,,Done.,engineer,false,calm,today") == """
        datasets/tone/cases.csv:1:73: warning: no prompt of the suite uses the input 'sent'
          1 | …ole,expected.flagged,expected.label,input.sent
            |                                      ^
          fix: use it in a prompt as {{sent}}, or remove it

        """
    )
  }
}
