@testable import SluiceSupport
import Testing

@Suite("Source position")
struct SourcePositionTests {
  @Test(
    "The position of a byte is counted in lines and scalars",
    arguments: [
      ("", 0, 1, 1), ("ab", 1, 1, 2), ("ab", 2, 1, 3), ("ab", 99, 1, 3), ("a\nb", 1, 1, 2),
      ("a\nb", 2, 2, 1), ("é🙂x", 6, 1, 3), ("a\r\nb", 3, 2, 1), ("\n\n\n", 2, 3, 1),
      ("\u{FEFF}ab", 0, 1, 1), ("\u{FEFF}ab", 3, 1, 1), ("\u{FEFF}ab", 4, 1, 2),
      ("\u{FEFF}a\nb", 5, 2, 1), ("a\u{FEFF}b", 4, 1, 3),
    ]
  )
  func offset(_ text: String, _ offset: Int, _ line: Int, _ column: Int) {
    #expect(
      SourcePosition(offset: offset, in: Array(text.utf8))
        == SourcePosition(line: line, column: column)
    )
  }

  @Test("Positions are sorted in the order of the text")
  func order() {
    #expect(SourcePosition(line: 1, column: 9) < SourcePosition(line: 2, column: 1))
    #expect(SourcePosition(line: 2, column: 1) < SourcePosition(line: 2, column: 2))
  }
}
