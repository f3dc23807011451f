import SluiceStatistics
import SluiceSupport
import Testing

@Suite("Differences between texts")
struct TextDifferenceTests {
  @Test(
    "Changed lines are shown with one line of context",
    arguments: [
      ("", "", []), ("a", "a", []), ("a\n", "a\n", []), ("", "a", ["+ a"]), ("a", "", ["- a"]),
      ("", "\n", ["+ "]), ("\n", "\n\n", ["  ", "+ "]), ("a", "b", ["- a", "+ b"]),
      ("a\nb\nc", "a\nc", ["  a", "- b", "  c"]), ("a\nc", "a\nb\nc", ["  a", "+ b", "  c"]),
      ("1\n2\n3\n4", "1\n2\n3\nfour", ["  …", "  3", "- 4", "+ four"]),
      ("1\n2\n3\n4", "one\n2\n3\n4", ["- 1", "+ one", "  2", "  …"]),
      (
        "1\n2\n3\n4\n5\n6\n7", "1\nII\n3\n4\n5\nVI\n7",
        ["  1", "- 2", "+ II", "  3", "  …", "  5", "- 6", "+ VI", "  7"]
      ),
      ("a b", "a  b", ["- a b", "+ a··b"]),
    ]
  )
  func lines(old: String, new: String, lines: [String]) {
    #expect(TextDifference.lines(from: old, to: new) == lines)
  }

  @Test(
    "A final line break, which no line would show, is reported",
    arguments: [
      ("a", "a\n", ["+ (a line break at the end)"]), ("a\n", "a", ["- (a line break at the end)"]),
      ("a", "b\n", ["- a", "+ b", "+ (a line break at the end)"]),
    ]
  )
  func lastBreak(old: String, new: String, lines: [String]) {
    #expect(TextDifference.lines(from: old, to: new) == lines)
  }

  @Test(
    "Lines that differ only in white space show it; others, and unchanged ones, stay as they are",
    arguments: [
      ("- one\n- two", "- one \n- two", ["- - one", "+ - one·", "  - two"]),
      ("a b", "a\u{A0}b", ["- a b", "+ a<U+00A0>b"]),
      ("\ta", "  a", ["- <U+0009>a", "+ ··a"]), ("a", " a\u{200B}", ["- a", "+ ·a<U+200B>"]),
      ("a b", "ab", ["- a b", "+ ab"]), ("a ", "b ", ["- a ", "+ b "]),
      ("\u{E0020}", " ", ["- <U+E0020>", "+ ·"]),
      ("x\na ", "a  \ny", ["- x", "- a·", "+ a··", "+ y"]),
      ("x \ny", "x \nz", ["  x ", "- y", "+ z"]),
    ]
  )
  func whiteSpace(old: String, new: String, lines: [String]) {
    #expect(TextDifference.lines(from: old, to: new) == lines)
  }

  @Test("White space inside a value of JSON is shown, too")
  func whiteSpaceInJSON() {
    #expect(
      JSONDifference.lines(from: ["a": "b c", "d": 1], to: ["a": "b\u{A0}c", "d": 2])
        == [#"- a: "b c""#, #"+ a: "b<U+00A0>c""#, "- d: 1", "+ d: 2"]
    )
  }

  @Test("Texts are compared by bytes, so composed letters and carriage returns count")
  func bytes() {
    #expect(TextDifference.lines(from: "caf\u{E9}", to: "cafe\u{301}").count == 2)
    #expect(
      TextDifference.lines(from: "a\r\nb\r\n", to: "a\nb\r\n")
        == ["- a<U+000D>", "+ a", "  b\r"]
    )
  }

  @Test("No line of a difference contains a line break, so none can imitate another line")
  func noBreaks() {
    let old = "a\r\n```\r\n<script>"
    for line in TextDifference.lines(from: old, to: "b") + TextDifference.lines(from: "", to: old) {
      #expect(!line.utf8.contains(0x0A))
    }
  }

  @Test("For long texts, only the first difference is shown")
  func long() {
    let lines = (0..<2_001).map(String.init)
    func difference(_ change: (inout [String]) -> Void) -> [String] {
      var other = lines
      change(&other)
      return TextDifference.lines(
        from: lines.joined(separator: "\n"),
        to: other.joined(separator: "\n")
      )
    }
    #expect(difference { _ in } == [])
    #expect(difference { $0[1_000] = "x" } == ["  …", "- 1000", "+ x", "  …"])
    #expect(difference { $0[0] = "x" } == ["- 0", "+ x", "  …"])
    #expect(difference { $0.removeLast() } == ["  …", "- 2000", "  …"])
    #expect(difference { $0.append("x") } == ["  …", "+ x", "  …"])
  }

  @Test("The difference is consistent with both texts", arguments: [UInt64](0..<40))
  func applied(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func text() -> [String] {
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        ["a", "b", "c", ""].randomElement(using: &generator) ?? ""
      }
    }
    let (old, new) = (text() + ["end"], text() + ["end"])
    let lines = TextDifference.lines(
      from: old.joined(separator: "\n"),
      to: new.joined(separator: "\n")
    )
    let removed = lines.count { $0.hasPrefix("- ") }
    let added = lines.count { $0.hasPrefix("+ ") }
    #expect(new.count - old.count == added - removed)
    #expect(lines.isEmpty == (old == new))
    // Each line is from the text that its sign stands for.
    for line in lines where line != "  …" {
      let text = String(line.dropFirst(2))
      if !line.hasPrefix("+") { #expect(old.contains(text)) }
      if !line.hasPrefix("-") { #expect(new.contains(text)) }
    }
  }
}
