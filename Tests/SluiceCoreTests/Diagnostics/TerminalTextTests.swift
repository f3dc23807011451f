@testable import SluiceCore
import Testing

@Suite("Terminal text")
struct TerminalTextTests {
  @Test(
    "Control and invisible characters are escaped",
    arguments: [
      ("plain äöü 日本 🙂", "plain äöü 日本 🙂"),
      ("a\nb\tc\rd", #"a\nb\tc\rd"#),
      ("a\r\nb", #"a\r\nb"#),
      ("\u{1B}[31mred\u{1B}[0m", #"\u{1b}[31mred\u{1b}[0m"#),
      ("\u{0}\u{7}\u{7F}\u{9B}", #"\u{0}\u{7}\u{7f}\u{9b}"#),
      ("\u{202E}\u{2066}\u{200B}\u{FEFF}\u{AD}", #"\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}"#),
      ("\u{2028}\u{2029}\u{85}", #"\u{2028}\u{2029}\u{85}"#),
      ("\u{E000}\u{FFFF}\u{E0041}", #"\u{e000}\u{ffff}\u{e0041}"#),
      ("👩\u{200D}🚀❤\u{FE0F}", "👩\u{200D}🚀❤\u{FE0F}"),
      ("e\u{301}", "e\u{301}"),
      ("", ""),
    ]
  )
  func visible(_ text: String, _ expected: String) {
    #expect(TerminalText.visible(text).isIdentical(to: expected))
  }

  @Test(
    "Wide characters take two columns, and combining characters none",
    arguments: [
      ("", 0), ("abc", 3), ("äé", 2), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한", 2),
      ("、", 2), ("🙂", 2), ("👩\u{200D}🚀", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1),
      ("1\u{FE0F}\u{20E3}", 2), ("…", 1), ("م", 1), ("नि", 1), ("𠀀", 2),
    ]
  )
  func width(_ text: String, _ columns: Int) {
    #expect(TerminalText.width(of: text) == columns)
  }

  @Test(
    "A text is cut to a number of columns, with an ellipsis",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
      ("abcdef", -1, ""), ("", 0, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"), ("👩\u{200D}🚀👩\u{200D}🚀", 3, "👩\u{200D}🚀…"),
    ]
  )
  func cut(_ text: String, _ columns: Int, _ expected: String) {
    #expect(TerminalText.cut(text, to: columns) == expected)
    #expect(TerminalText.width(of: expected) <= max(0, columns))
  }

  @Test("A text is padded on either side to a number of columns, and never cut")
  func pad() {
    #expect(TerminalText.pad("日", to: 4) == "日  ")
    #expect(TerminalText.pad("日", to: 4, right: true) == "  日")
    #expect(TerminalText.pad("abc", to: 2) == "abc")
  }

  @Test(
    "A text is wrapped between words, and a longer word gets its own line",
    arguments: [
      ("one two three", 7, ["one two", "three"]),
      ("one two three", 100, ["one two three"]),
      ("one  two ", 3, ["one", "two"]),
      ("日本 語 x", 7, ["日本 語", "x"]),
      ("a https://example.com/long b", 6, ["a", "https://example.com/long", "b"]),
      ("", 5, [""]),
      ("   ", 5, [""]),
    ]
  )
  func wrap(_ text: String, _ columns: Int, _ lines: [String]) {
    #expect(TerminalText.wrap(text, to: columns) == lines)
  }
}
