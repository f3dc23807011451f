@testable import SluiceSupport
import Testing

@Suite("Word splitter")
struct WordSplitterTests {
  @Test(
    "Words are sequences of letters, marks and digits, in lower case",
    arguments: [
      ("", []), (" -- ", []), ("Fix it, NOW!", ["fix", "it", "now"]), ("v2.0_b", ["v2", "0", "b"]),
      ("don't", ["don", "t"]), ("Ärger\tCAFE\u{301}", ["ärger", "cafe\u{301}"]),
      ("它 bug", ["它", "bug"]), ("½ Ⅳ ٣", ["½", "ⅳ", "٣"]),
    ]
  )
  func words(_ text: String, _ words: [String]) {
    #expect(WordSplitter.words(text) == words)
  }
}
