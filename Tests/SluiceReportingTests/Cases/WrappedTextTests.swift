@testable import SluiceReporting
import Testing

@Suite("Wrapped texts")
struct WrappedTextTests {
  /// A text, the width, and the expected lines.
  private struct Row: CustomTestStringConvertible {
    var text: String
    var width: Int
    var lines: [String]
    var testDescription: String { "\(text.debugDescription) in \(width)" }
  }

  @Test(
    "Lines break between words, and inside words that are wider than a line",
    arguments: [
      Row(text: "", width: 10, lines: [""]),
      Row(text: "one two", width: 10, lines: ["one two"]),
      Row(text: "one two three", width: 8, lines: ["one two", "three"]),
      Row(text: "one\n\ntwo\n", width: 8, lines: ["one", "", "two"]),
      Row(text: "abcdefghij", width: 4, lines: ["abcd", "efgh", "ij"]),
      Row(text: "x: abcdefghij", width: 6, lines: ["x: abc", "defghi", "j"]),
      Row(text: "  - a long item", width: 9, lines: ["  - a", "  long", "  item"]),
      Row(text: "日本語の長い文", width: 6, lines: ["日本語", "の長い", "文"]),
      // GitHub Actions runs a line that starts with two colons.
      Row(text: "one two ::a::b", width: 8, lines: ["one two", "\\::a::b"]),
      Row(text: "one two  ::error::b", width: 8, lines: ["one two", "\\::erro…", ":b"]),
      Row(text: "a\rb", width: 6, lines: ["a\\rb"]),
      Row(text: "a\r\nb", width: 6, lines: ["a", "b"]),
    ]
  )
  private func breaks(_ row: Row) {
    #expect(WrappedText.lines(row.text, width: row.width).lines == row.lines)
  }

  @Test("No line is wider than the given width")
  func width() {
    let texts = [
      String(repeating: "word ", count: 100), String(repeating: "x", count: 999),
      String(repeating: "🌞", count: 99), "   " + String(repeating: "ab ", count: 50),
      String(repeating: "é\u{301}", count: 200),
    ]
    for text in texts {
      for width in [8, 20, 77] {
        for line in WrappedText.lines(text, width: width).lines {
          #expect(TerminalText.width(of: line) <= width)
        }
      }
    }
  }

  @Test("A cut text counts the characters that are left out")
  func cut() {
    let (lines, left) = WrappedText.lines("one\ntwo\nthree", width: 10, most: 1)
    #expect(lines == ["one"])
    #expect(left == "two\nthree".count + 1)
    let long = WrappedText.lines(String(repeating: "x", count: 1_000_000), width: 10, most: 3)
    #expect(long.lines.count == 3)
    #expect(long.left == 1_000_000 - 30)
  }

  @Test("The start and end of a text are cut only if the text does not fit")
  func ends() {
    let short = WrappedText.ends("one\ntwo", width: 10, most: 3)
    #expect(short.start == ["one", "two"])
    #expect(short.left == 0)
    let long = WrappedText.ends(
      (1...9).map { "line \($0)" }.joined(separator: "\n"),
      width: 10,
      most: 3
    )
    #expect(long.start == ["line 1"])
    #expect(long.end == ["line 8", "line 9"])
    #expect(long.left == 6 * 7)
    let huge = WrappedText.ends(String(repeating: "word ", count: 200_000), width: 10, most: 3)
    #expect(huge.start.count == 1)
    #expect(huge.end.count == 2)
    #expect(huge.left > 900_000)
  }
}
