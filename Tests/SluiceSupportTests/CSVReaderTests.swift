import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("CSV reader")
struct CSVReaderTests {
  private func texts(_ text: String) -> [[String]] {
    CSVReader.read(Array(text.utf8)).rows.map { $0.map(\.text) }
  }

  private func problems(_ text: String) -> [String] {
    CSVReader.read(Array(text.utf8)).problems.map { problem in
      let fix = problem.fix.map { " (\($0))" } ?? ""
      return "\(problem.position.line):\(problem.position.column) \(problem.message)\(fix)"
    }
  }

  @Test(
    "A table is read according to RFC 4180",
    arguments: [
      ("", []),
      ("a", [["a"]]),
      ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
      ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
      ("a,b\r\nc,d\ne,f\r\n", [["a", "b"], ["c", "d"], ["e", "f"]]),
      (",\n", [["", ""]]),
      (",", [["", ""]]),
      ("a,\n,b", [["a", ""], ["", "b"]]),
      (" a , b \n", [[" a ", " b "]]),
      (#""a","b""#, [["a", "b"]]),
      ("\"\"\",\"\"\"", [[#"",""#]]),
      ("\"\"\n", [[""]]),
      (#""a""b""#, [[#"a"b"#]]),
      (#""""""#, [[#"""#]]),
      (#""""a""""#, [[#""a""#]]),
      ("\"a,b\nc\r\nd\",e", [["a,b\nc\r\nd", "e"]]),
      ("id\n\na\n", [["id"], [""], ["a"]]),
      ("\u{FEFF}id,x\n1,2", [["id", "x"], ["1", "2"]]),
      ("\u{FEFF}\"id\",x", [["id", "x"]]),
      ("\u{FEFF}", []),
      ("\u{FEFF}\u{FEFF}a", [["\u{FEFF}a"]]),
      ("größe,日本\n🙂,e\u{301}", [["größe", "日本"], ["🙂", "e\u{301}"]]),
      ("a\tb,c\u{0}d", [["a\tb", "c\u{0}d"]]),
    ] as [(String, [[String]])]
  )
  func read(_ text: String, _ rows: [[String]]) {
    #expect(texts(text) == rows)
    #expect(problems(text) == [])
  }

  @Test("The position of a cell is that of its first character or quote")
  func positions() {
    let text = "\u{FEFF}id,🙂é,x\r\n1,\"a\nß\",\"b\"\r\n2,,\n"
    let positions = CSVReader.read(Array(text.utf8)).rows.map { row in
      row.map { "\($0.position.line):\($0.position.column)" }
    }
    #expect(
      positions == [["1:1", "1:4", "1:7"], ["2:1", "2:3", "3:4"], ["4:1", "4:3", "4:4"]]
    )
  }

  private static let missingCells =
    "add the missing cells; an empty cell also needs its ','"
  private static let quoteFix =
    "(put the whole cell in quotes, and write each quote inside it twice)"

  @Test("A cell that needs quotes is shown in its correct form")
  func commaInCell() {
    #expect(
      problems("id,text\n1,So, it is, too\n2,b\n") == [
        "2:3 the row has 4 cells, but the header has 2 columns"
          + " (put the cell in quotes: \"So, it is, too\")"
      ]
    )
  }

  @Test(
    "A format error is reported with its position, and the rest is read",
    arguments: [
      (
        "id,text\n1,say \"hi\" to \"me\"\n2,b",
        ["2:7 a quotation mark inside an unquoted cell \(quoteFix)"],
        [["id", "text"], ["1", #"say "hi" to "me""#], ["2", "b"]]
      ),
      (
        "id,text\n1,\"say\" \"hi\",\n2,b",
        [
          "2:8 text after the closing quote \(quoteFix)"
        ],
        [["id", "text"], ["2", "b"]]
      ),
      (
        "a,b\n\"x\"y,z",
        ["2:4 text after the closing quote \(quoteFix)"],
        [["a", "b"], ["xy", "z"]]
      ),
      (
        "a,b\n\"x\" ,z",
        ["2:4 text after the closing quote \(quoteFix)"],
        [["a", "b"], ["x ", "z"]]
      ),
      (
        "a,b\n1,2\n3,\"four\n5,6\n",
        ["3:3 the quote is not closed (add the closing quote)"],
        [["a", "b"], ["1", "2"]]
      ),
      ("\"", ["1:1 the quote is not closed (add the closing quote)"], []),
      ("\"a\"\"", ["1:1 the quote is not closed (add the closing quote)"], []),
      (
        "a,b,c\n1,2\n\n1,2,3,4\n5\n1,2,3\n",
        [
          "2:1 the row has 2 cells, but the header has 3 columns (\(missingCells))",
          "3:1 the line is empty (remove it)",
          "4:1 the row has 4 cells, but the header has 3 columns"
            + " (put the cell that contains a ',' in double quotes)",
          "5:1 the row has 1 cell, but the header has 3 columns (\(missingCells))",
        ],
        [["a", "b", "c"], ["1", "2", "3"]]
      ),
      (
        "a,b\r1,2\r",
        [
          "1:4 a carriage return without a line feed"
            + " (end the lines with a line feed, or put the cell in quotes)"
        ],
        [["a", "b\r1", "2\r"]]
      ),
    ] as [(String, [String], [[String]])]
  )
  func refuse(_ text: String, _ expected: [String], _ rows: [[String]]) {
    #expect(problems(text) == expected)
    #expect(texts(text) == rows)
  }

  @Test("A file that is not UTF-8 has no rows and is an error at the first invalid byte")
  func encoding() {
    let (rows, problems) = CSVReader.read(Array("id,näm\nx,".utf8) + [0xE4, 0x0A, 0xFF])
    #expect(rows == [])
    #expect(
      problems == [
        CSVReader.Problem(
          position: SourcePosition(line: 2, column: 3),
          message: "not valid UTF-8",
          fix: "save the file as UTF-8"
        )
      ]
    )
  }

  @Test("Quoted cells are read back unchanged", arguments: 0..<50)
  func roundTrip(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let alphabet = ["a", "é", "🙂", ",", "\"", "\n", "\r\n", "\r", " ", "\u{FEFF}"]
    let width = Int.random(in: 1...4, using: &random)
    let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      (0..<width).map { _ in
        (0..<Int.random(in: 0...5, using: &random))
          .map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }.joined()
      }
    }
    let text = rows.map { row in
      row.map { cell in
        let doubled = cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        return "\"\(doubled)\""
      }.joined(separator: ",")
    }.joined(separator: "\r\n")
    #expect(problems(text) == [])
    #expect(texts(text).map { $0.map { Array($0.utf8) } } == rows.map { $0.map { Array($0.utf8) } })
  }

  @Test("Reading a long table takes linear time", .timeLimit(.minutes(5)))
  func linear() {
    let row = "1,\"" + String(repeating: "a\"\"b\n", count: 20) + "\",x\"y\r\n"
    let text = "a,b,c\r\n" + String(repeating: row, count: 10_000)
    let (rows, problems) = CSVReader.read(Array(text.utf8))
    #expect(rows.count == 10_001)
    #expect(problems.count == 10_000)
    #expect(problems.last?.position == SourcePosition(line: 210_001, column: 4))
  }
}
