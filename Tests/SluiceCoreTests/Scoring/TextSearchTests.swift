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

  private func found(_ word: String, in text: String) -> Bool {
    SearchedText(text).containsWord(SearchedText(word))
  }

  @Test(
    "A word is found if no letter or digit is next to it, in any letter case",
    arguments: [
      "it", "fix it", "it works", "IT?", "(it)", "fix\nit\nnow", "do it.", "\"it\"", "it…",
      "audit, then it", "🙂it🙂", "it_now",
    ]
  )
  func found(_ text: String) {
    #expect(found("it", in: text))
    #expect(found("It", in: text))
  }

  @Test(
    "A part of a word is not found",
    arguments: [
      "", "i", "item", "audit", "split it2", "its", "it1", "1it", "ità", "it\u{301}", "ит", "i t",
      "biti",
    ]
  )
  func notFound(_ text: String) {
    #expect(!found("it", in: text))
  }

  @Test("Hyphens and apostrophes end a word, and can be part of a searched word")
  func hyphensAndApostrophes() {
    #expect(found("it", in: "it's broken"))
    #expect(found("it", in: "it’s broken"))
    #expect(found("up", in: "the follow-up"))
    #expect(found("follow-up", in: "the Follow-Up meeting"))
    #expect(!found("follow-up", in: "the follow up"))
    #expect(!found("follow-up", in: "a follow-upper"))
    #expect(found("don't", in: "I don't know"))
    #expect(found("don't", in: "I don’t know"))
    #expect(!found("it's", in: "split's"))
  }

  @Test(
    "A phrase is found in every form in which it looks the same",
    arguments: [
      ("that one", "Which one is THAT ONE?"), ("that one", "that  one"),
      ("that one", "that\n  one"),
      ("that one", "that\r\none"), ("that one", "that\t\u{A0}one"), ("that one", "that\u{202F}one"),
      ("that one", "that\u{2028}one"), ("12 March", "12\u{A0}March"), (" it ", "fix it"),
      ("that\u{A0}one", "that one"), ("don't", "don’t"), ("don’t", "don't"), ("\"it\"", "“it”"),
      ("follow-up", "follow\u{2011}up"), ("follow-up", "follow\u{2010}up"),
      ("follow-up", "fol\u{AD}low-up"),
      ("café", "cafe\u{301}"), ("cafe\u{301}", "CAFÉ"), ("ế", "e\u{302}\u{301}"),
      ("각", "\u{1100}\u{1161}\u{11A8}"),
      ("hello", "he\u{200B}l\u{2060}lo"), ("❤", "❤\u{FE0F}"), ("οδος", "ΟΔΟΣ"), ("gpt", "ＧＰＴ"),
      ("42", "４２"),
      ("你能修好", "你能\n修好它"), ("12 500", "12\u{202F}500"), ("12 500", "12 500"),
      ("-5", "\u{2212}5 °C"),
    ]
  )
  func alike(_ phrase: String, _ text: String) {
    #expect(found(phrase, in: text))
  }

  @Test(
    "A number is found if it ends there, whatever its unit",
    arguments: [
      ("5", "5%"), ("5", "5 %"), ("5", "It is 5."), ("5", "5, 6"), ("5", "(5)"), ("5", "5-day"),
      ("5", "$5"),
      ("5", "5.0"), ("2", "until 2:00"), ("12,500", "12,500.00 euros"), ("5", "3-5"), ("5", "#5"),
      ("5", "第5章"),
      ("5", "5 kg"),
      ("$1", "US$1."), ("1.2", "1.2."), ("5", "5 apples"), ("9:30", "at 9:30."),
      ("29.11.", "29.11.2026"),
      ("5", "- 5"), ("12", "on 12 500 people came"), ("14", "rooms 12,14,16"), ("12", "12,14,16"),
      ("16", "12,14,16"), ("5", "4,5,6"), ("2026", "29.11.2026"), ("2026", "11/2026"),
      ("2026", "11/29/2026."), ("5", "5 x 3"), ("5", "5，3"), ("5", "note-5"),
    ]
  )
  func numbers(_ number: String, _ text: String) {
    #expect(found(number, in: text))
  }

  @Test(
    "A part of a number is not found",
    arguments: [
      ("5", "3.5 kg"), ("3", "3.5 kg"), ("12", "12,500"), ("500", "12,500"), ("$1", "$1,000"),
      ("$1", "$1.50"),
      ("1.2", "1.2.3"), ("2.3", "1.2.3"), ("5", "-5"), ("5", "\u{2212}5"), ("5", "-$5"),
      ("$5", "-$5"), ("5", "5th"),
      ("5", "v5"), ("5", "1,5"), ("5", "5:30"), ("30", "5:30"), ("5", "5/6"), ("6", "5/6"),
      ("12", "12\u{A0}500"),
      ("500", "12\u{202F}500"), ("12", "12'500"), ("12", "12_500"), ("12", "12{,}500"),
      ("12", "12\\,500"),
      ("5", "5 million"), ("5", "5\u{A0}million"), ("12", "12万"), ("3", "3½"), ("5", "5²"),
      ("10", "10^6"), ("6", "10^6"),
      ("234", "1,234,567"), ("23", "1,23,456"), ("2026", "11.2026"), ("2026", "1.2.2026.1"),
      ("2026", "3.29.11.2026"), ("3", "1e-3"), ("3", "3×10⁵"), ("3", "3 × 10^5"), ("3", "3⁄4"),
      ("3", "3，000"),
      ("0", "1，000"), ("5", "3．5"), ("3", "3．5"),
      ("5", "5.05"), ("5", "5.0.1"), ("5", "5k"), ("5", "٣٫٥"), ("-5", "3-5"), (".5", "3.5"),
      ("1", "10"),
    ]
  )
  func partsOfNumbers(_ number: String, _ text: String) {
    #expect(!found(number, in: text))
  }

  @Test(
    "Marks that make another word do not end a word",
    arguments: [
      ("C", "C++"), ("C", "C++11"), ("C", "C#"), ("F", "F#"), ("B", "a B+."), ("R", "R&D"),
      ("D", "R&D"),
      ("can", "can't"), ("can", "can’t"), ("can", "can`t"), ("can", "can´t"), ("can", "can＇t"),
      ("don", "I DON'T"), ("s", "it's"), ("ll", "we'll"),
      ("re", "we’re"),
      (".NET", "ASP.NET"), ("cafe", "café"), ("cafe", "cafe\u{301}"), ("👩", "👩\u{200D}💻"),
      ("💻", "👩\u{200D}💻"),
    ]
  )
  func otherWords(_ word: String, _ text: String) {
    #expect(!found(word, in: text))
  }

  @Test(
    "Other marks end a word",
    arguments: [
      ("C", "C+D"), ("C", "C, not C++"), ("C", "C/C++"), ("it", "it's"), ("can", "can've"),
      ("foo", "foo_bar"),
      ("foo", "foo-bar"), (".NET", "in .NET 8"), ("NET", ".NET"), ("ana", "ana@acme.com"),
      ("acme.com", "www.acme.com/x"),
      ("C++", "in C++11"), ("AT&T", "at AT&T."), ("eau", "l'eau"), ("#1", "the #1"),
      ("5+", "5+ years"),
    ]
  )
  func otherMarks(_ word: String, _ text: String) {
    #expect(found(word, in: text))
  }

  @Test("A phrase has its own words")
  func phrases() {
    #expect(!found("that one", in: "that ones"))
    #expect(found("C++", in: "in C++11"))
    #expect(found("@ana", in: "cc @ana!"))
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
    #expect(found(word, in: text))
  }

  @Test(
    "In other scripts with spaces, a part of a word is not found",
    arguments: [
      ("он", "онлайн"), ("το", "τούτο"), ("זה", "מזהה"), ("هو", "هوية"), ("이것", "이것은"),
      ("यह", "यहाँ"),
    ]
  )
  func otherSpacedScripts(_ word: String, _ text: String) {
    #expect(!found(word, in: text))
    #expect(found(word, in: "\(text) \(word)."))
  }

  @Test("An empty word is never found")
  func emptyWord() {
    #expect(!found("", in: "a"))
    #expect(!found("", in: ""))
  }

  @Test("A megabyte of text is searched to its end")
  func megabyte() {
    let text = String(repeating: "its ", count: 1 << 18)
    // Not inside the expectations, because they would print the text.
    let words = ["", "it"].map { found("it", in: text + $0) }
    let parts = ["", "it "].map { TextSearch.contains("its it ", in: text + $0) }
    #expect(words == [false, true])
    #expect(parts == [false, true])
  }
}
