@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Diagnostic collector")
struct DiagnosticCollectorTests {
  private func file(_ path: String, _ text: String = "one\ntwo\nthree") -> SourceFile {
    SourceFile(path: path, bytes: Array(text.utf8))
  }

  @Test("Diagnostics are sorted by file in order of first mention, and then by position")
  func order() {
    let diagnostics = DiagnosticCollector()
    let (b, a) = (file("b.yaml"), file("a.yaml"))
    diagnostics.error("1", in: b, at: SourcePosition(line: 2, column: 5))
    diagnostics.error("2", in: a, at: SourcePosition(line: 1, column: 1))
    diagnostics.warning("3", in: b, at: SourcePosition(line: 2, column: 1))
    diagnostics.error("4", in: b, at: SourcePosition(line: 1, column: 9))
    diagnostics.error("5", in: a, at: nil)
    diagnostics.error("6", in: b, at: SourcePosition(line: 2, column: 5))
    #expect(diagnostics.diagnostics.map(\.message) == ["4", "3", "1", "6", "5", "2"])
  }

  @Test("Identical diagnostics are reported once")
  func once() {
    let diagnostics = DiagnosticCollector()
    for _ in 0..<3 {
      diagnostics.error("x", in: file("a"), at: SourcePosition(line: 1, column: 1), fix: "y")
    }
    diagnostics.error("x", in: file("a"), at: SourcePosition(line: 1, column: 1))
    #expect(diagnostics.diagnostics.map(\.fix) == ["y", nil])
  }

  @Test("Warnings do not count as errors")
  func severity() {
    let diagnostics = DiagnosticCollector()
    #expect(!diagnostics.hasErrors)
    diagnostics.warning("x", in: file("a"), at: nil)
    #expect(!diagnostics.hasErrors)
    diagnostics.error("x", in: file("a"), at: nil)
    #expect(diagnostics.hasErrors)
  }

  @Test("A diagnostic includes its source line")
  func sourceLine() {
    let diagnostics = DiagnosticCollector()
    diagnostics.error("x", in: file("a.yaml"), at: SourcePosition(line: 2, column: 3), fix: "y")
    #expect(
      diagnostics.diagnostics.map(\.description) == [
        """
        a.yaml:2:3: error: x
          2 | two
            |   ^
          fix: y

        """
      ]
    )
  }

  @Test(
    "The lines of a file are returned without line breaks",
    arguments: [
      ("a\nb", 1, "a"), ("a\nb", 2, "b"), ("a\nb", 3, nil), ("a\nb", 0, nil),
      ("a\r\nb\r\n", 1, "a"),
      ("a\r\nb\r\n", 2, "b"), ("a\r\nb\r\n", 3, ""), ("", 1, ""), ("\n", 1, ""), ("\n", 2, ""),
      ("\r\n", 1, ""), ("\u{FEFF}a\nb", 1, "a"), ("\u{FEFF}", 1, ""),
      ("a\n\u{FEFF}b", 2, "\u{FEFF}b"),
      ("a\rb", 1, "a\rb"),
    ] as [(String, Int, String?)]
  )
  func lines(_ text: String, _ number: Int, _ line: String?) {
    #expect(file("a", text).line(number).map { Array($0.utf8) } == line.map { Array($0.utf8) })
  }

  @Test("Invalid UTF-8 in a line is repaired for display")
  func repairedLine() {
    #expect(SourceFile(path: "a", bytes: [0x61, 0xFF, 0x62]).line(1) == "a\u{FFFD}b")
  }
}
