import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
import Testing

/// Tests of ROUGE, BLEU and chrF.
///
/// Numbers without an obvious derivation come from rouge-score 0.1.2 (NLTK 3.10.4) and sacreBLEU
/// 2.6.0.
@Suite("ROUGE, BLEU and chrF")
struct NGramMetricsTests {
  @Test(
    "ROUGE compares the words of all scripts; rouge-score knows only those of ASCII letters",
    arguments: [
      ("Привет, мир", "привет мир", 1), ("Привет, мир", "привет дом", 0.5), ("Öl", "Äl", 0),
      ("Öl", "o\u{308}L", 1), ("你好", "你好。", 1), ("你好", "您好", 0.5), ("它bug", "bug 它", 1),
      ("مرحبا", "مرحبا", 1), ("नमस्ते", "नमस्ते", 1), ("ไทย", "ไทย", 1),
      ("naïve plan", "naive plan", 0.5),
      ("5\u{212A} Straße_x", "5k straße x", 1),
    ] as [(String, String, Double)]
  )
  func rougeWords(_ candidate: String, _ reference: String, _ f1: Double) throws {
    #expect(try Rouge.score(candidate, against: reference, .n(1), isStemmed: true).f1 == f1)
  }

  @Test(
    "Stems match NLTK's extended Porter stemmer",
    arguments: [
      ("caresses", "caress"), ("ponies", "poni"), ("dies", "die"), ("skies", "sky"),
      ("agreed", "agre"), ("feed", "feed"), ("plastered", "plaster"), ("hopping", "hop"),
      ("falling", "fall"), ("filing", "file"), ("owing", "owe"), ("enjoy", "enjoy"),
      ("happy", "happi"), ("rationalli", "ration"), ("relational", "relat"),
      ("analogi", "analog"), ("hopefulli", "hope"), ("adoption", "adopt"), ("controll", "control"),
      ("yyyyed", "yyyi"), ("tried", "tri"), ("died", "die"), ("syzygy", "syzygi"), ("as", "as"),
    ]
  )
  func stems(_ word: String, _ stem: String) {
    #expect(Array(PorterStemmer.stem(word.scalarValues[...])) == stem.scalarValues)
  }

  @Test(
    "The same text has a ROUGE of 1 as an assertion, even without words",
    arguments: ["👍", "!", "одно", "one", "你"]
  )
  func sameText(_ text: String) {
    for type in ["rouge-1", "rouge-2", "rouge-l"] {
      let score = ScoringFixture("- \(type): {value: \"\(text)\", threshold: 1}").score(text)
      #expect(score?.outcome == .passed)
    }
  }

  @Test("ROUGE is 0 if one side has too few words")
  func rougeOfNothing() throws {
    let none = Rouge.Score(common: 0, candidate: 0, reference: 0)
    for variant in [Rouge.Variant.n(1), .n(2), .longest] {
      #expect(try Rouge.score("", against: "", variant) == none)
      #expect(try Rouge.score("?!", against: "a b c", variant) == none)
    }
    #expect(try Rouge.score("one", against: "one", .n(2)) == none)
    #expect(none.f1 == 0)
  }

  @Test("ROUGE refuses a longest common subsequence of too many words")
  func rougeBound() {
    let one = (0..<50_000).map { "a\($0)" }.joined(separator: " ")
    let other = (0..<50_000).map { "b\($0)" }.joined(separator: " ")
    #expect(throws: TextTooLong(first: 50_000, second: 50_000, unit: .words)) {
      try Rouge.score(one, against: other, .longest)
    }
  }

  @Test(
    "BLEU tokenizes texts as mteval-v13a does",
    arguments: [
      ("Hello, world.", "Hello | , | world | ."), ("1,234.5 a.b", "1,234.5 | a | . | b"),
      ("don't", "don't"), ("2020-21 x-y", "2020 | - | 21 | x-y"), ("a&amp;lt;b", "a | < | b"),
      ("co-\noperate\nnow", "cooperate | now"), ("<skipped>x", "x"), ("...", ". | . | ."),
      ("a\u{3000}b\u{200B}c\u{1C}d", "a | b\u{200B}c | d"), ("_snake_", "_ | snake | _"),
    ]
  )
  func bleuWords(_ text: String, _ words: String) {
    let found = BLEUTokenizer.words(text).map { word in
      String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init)))
    }
    #expect(found.joined(separator: " | ") == words)
  }

  @Test("BLEU and chrF give 100 for identical texts, and 0 for texts with nothing in common")
  func ends() {
    let text = "The meeting starts at noon."
    #expect(BLEU.sentence(text, against: ["Something else", text]) == 100)
    #expect(ChrF.sentence(text, against: ["Something else", text]) == 100)
    #expect(BLEU.sentence("xyz", against: [text]) == 0)
    #expect(ChrF.sentence("xyz", against: ["abc"]) == 0)
    #expect(BLEU.sentence("", against: [""]) == 0)
    #expect(ChrF.sentence("", against: [text]) == 0)
  }

  @Test("BLEU penalizes a shorter text for its length, and a longer text only by its precision")
  func brevity() {
    let reference = "one two three four five six"
    let short = BLEU.sentence("one two three four", against: [reference])
    #expect(abs(short - 60.653_065_971_263_34) < 1e-9)
    let long = BLEU.sentence("one two three four five six seven", against: [reference])
    #expect(abs(long - 80.910_671_157_022_12) < 1e-9)
  }

  @Test("The BLEU of a corpus is 0 if no text has four words")
  func shortCorpus() {
    #expect(BLEU.corpus(["a b", "c"], against: [["a b"], ["c"]]) == 0)
    #expect(BLEU.sentence("a b", against: ["a b"]) == 100)
  }

  @Test("Scores stay in range for any text, and swapped sides swap recall and precision")
  func ranges() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let (one, other) = (String.anyText(&random), String.anyText(&random))
      #expect((0...100).contains(BLEU.sentence(one, against: [other])))
      #expect((0...100).contains(ChrF.sentence(one, against: [other])))
      for variant in [Rouge.Variant.n(1), .n(2), .longest] {
        let forth = try Rouge.score(one, against: other, variant, isStemmed: true)
        let back = try Rouge.score(other, against: one, variant, isStemmed: true)
        #expect((0...1).contains(forth.f1))
        #expect(forth.precision == back.recall)
        #expect(forth.recall == back.precision)
      }
    }
  }

  @Test("A long text is compared in linear time", .timeLimit(.minutes(5)))
  func longText() throws {
    let reference = "The budget was approved on Friday by all twelve members of the board."
    let long = String(repeating: "The budget, yyy9.-é&amp;", count: 10_000)
    #expect((0...100).contains(BLEU.sentence(long, against: [reference])))
    #expect((0...100).contains(ChrF.sentence(long, against: [reference])))
    let rouge = try Rouge.score(long, against: reference, .longest, isStemmed: true)
    #expect((0...1).contains(rouge.f1))
    #expect((0...1).contains(try Levenshtein.similarity(long, reference)))
  }
}
