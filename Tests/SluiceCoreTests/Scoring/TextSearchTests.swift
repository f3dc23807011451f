@testable import SluiceCore
import Testing

@Suite("Text search")
struct TextSearchTests {
  @Test(
    "A text is found wherever its scalars occur in sequence",
    arguments: [
      ("", "", true), ("", "a", true), ("a", "", false), ("abc", "abc", true),
      ("abc", "ab", false), ("bc", "abcd", true), ("aab", "aaaab", true), ("aba", "abbaab", false),
      ("🙂", "so 🙂!", true), ("é", "café", true), ("e", "cafe\u{301}", true),
    ]
  )
  func contains(_ part: String, _ text: String, _ isThere: Bool) {
    #expect(TextSearch.contains(part, in: text) == isThere)
  }

  @Test("Canonically equivalent texts are different")
  func canonicallyEqual() {
    #expect("é" == "e\u{301}")
    #expect(!TextSearch.contains("é", in: "cafe\u{301}"))
    #expect(!TextSearch.contains("e\u{301}", in: "café"))
  }

  @Test(
    "A word is found if no letter or digit is next to it, in any letter case",
    arguments: [
      "it", "fix it", "it works", "IT?", "(it)", "fix\nit\nnow", "do it.", "\"it\"", "it…",
      "audit, then it", "🙂it🙂", "it_now",
    ]
  )
  func found(_ text: String) {
    #expect(TextSearch.containsWord("it", in: text))
    #expect(TextSearch.containsWord("It", in: text))
  }

  @Test(
    "A part of a word is not found",
    arguments: [
      "", "i", "item", "audit", "split it2", "its", "it1", "1it", "ità", "it\u{301}", "ит", "i t",
      "biti",
    ]
  )
  func notFound(_ text: String) {
    #expect(!TextSearch.containsWord("it", in: text))
  }

  @Test("Hyphens and apostrophes end a word, and can be part of a searched word")
  func hyphensAndApostrophes() {
    #expect(TextSearch.containsWord("it", in: "it's broken"))
    #expect(TextSearch.containsWord("it", in: "it’s broken"))
    #expect(TextSearch.containsWord("up", in: "the follow-up"))
    #expect(TextSearch.containsWord("follow-up", in: "the Follow-Up meeting"))
    #expect(!TextSearch.containsWord("follow-up", in: "the follow up"))
    #expect(!TextSearch.containsWord("follow-up", in: "a follow-upper"))
    #expect(TextSearch.containsWord("don't", in: "I don't know"))
    #expect(!TextSearch.containsWord("don't", in: "I don’t know"))
    #expect(!TextSearch.containsWord("it's", in: "split's"))
  }

  @Test("A phrase is found only with the same spaces")
  func phrases() {
    #expect(TextSearch.containsWord("that one", in: "Which one is THAT ONE?"))
    #expect(!TextSearch.containsWord("that one", in: "that  one"))
    #expect(!TextSearch.containsWord("that one", in: "that ones"))
    #expect(TextSearch.containsWord("C++", in: "in C++11"))
    #expect(TextSearch.containsWord("@ana", in: "cc @ana!"))
  }

  @Test(
    "In scripts without spaces, a word is found at any position",
    arguments: [
      ("它", "你能修好它吗"), ("バグ", "このバグはまだある"), ("ﾊﾞｸﾞ", "このﾊﾞｸﾞはまだ"), ("เขา", "ถามเขาก่อน"),
      ("ວຽກ", "ເຮັດວຽກນີ້"), ("ဒါ", "ဒါကဘာလဲ"), ("នេះ", "ឯកសារនេះទេ"), ("々", "人々が"), ("bug", "这个bug还在"),
      ("个", "这个bug"), ("𠮷", "𠮷野家"),
    ]
  )
  func withoutSpaces(_ word: String, _ text: String) {
    #expect(TextSearch.containsWord(word, in: text))
  }

  @Test(
    "In other scripts with spaces, a part of a word is not found",
    arguments: [
      ("он", "онлайн"), ("το", "τούτο"), ("זה", "מזהה"), ("هو", "هوية"), ("이것", "이것은"),
      ("यह", "यहाँ"),
    ]
  )
  func otherSpacedScripts(_ word: String, _ text: String) {
    #expect(!TextSearch.containsWord(word, in: text))
    #expect(TextSearch.containsWord(word, in: "\(text) \(word)."))
  }

  @Test("An empty word is never found")
  func emptyWord() {
    #expect(!TextSearch.containsWord("", in: "a"))
    #expect(!TextSearch.containsWord("", in: ""))
  }

  @Test("A megabyte of text is searched to its end")
  func megabyte() {
    let text = String(repeating: "its ", count: 1 << 18)
    // Not inside the expectations, because they would print the text.
    let words = ["", "it"].map { TextSearch.containsWord("it", in: text + $0) }
    let parts = ["", "it "].map { TextSearch.contains("its it ", in: text + $0) }
    #expect(words == [false, true])
    #expect(parts == [false, true])
  }
}
