@testable import SluiceCore
import Testing

@Suite("Item similarity")
struct ItemSimilarityTests {
  @Test(
    "Words are compared by Dice's coefficient: twice the shared words divided by all words",
    arguments: [
      ("review design", "review design", 1), ("review design", "design review", 1),
      ("review design", "Review the DESIGN!", 1), ("review design", "review docs", 1.0 / 2),
      ("review design", "send report", 0), ("review", "review design docs", 1.0 / 2),
      ("b c d e", "c d e f", 3.0 / 4), ("test test test", "test", 1), ("", "", 1),
      ("", "review", 0), ("!", "?", 1), ("update docs", "update 📄 docs", 1),
    ] as [(String, String, Double)]
  )
  func words(_ left: String, _ right: String, _ similarity: Double) throws {
    #expect(abs(try ItemSimilarity.words.of(left, right) - similarity) < 1e-12)
    #expect(abs(try ItemSimilarity.words.of(right, left) - similarity) < 1e-12)
  }

  @Test("English articles and prepositions are ignored, unless there are no other words")
  func functionWords() throws {
    #expect(
      try ItemSimilarity.words.of("Review the design of it by Friday", "review design friday") == 1
    )
    #expect(try ItemSimilarity.words.of("it", "review") == 0)
    #expect(try ItemSimilarity.words.of("it", "it") == 1)
    #expect(try ItemSimilarity.words.of("it", "that") == 0)
    #expect(try ItemSimilarity.words.of("up to it", "it up") == 0.8)
  }

  @Test(
    "A plural equals its singular, according to the S-stemmer (Harman 1991)",
    arguments: [
      ("doc", "docs"), ("query", "queries"), ("release", "releases"), ("page", "pages"),
      ("shoe", "shoes"), ("key", "keys"),
    ]
  )
  func plurals(_ singular: String, _ plural: String) throws {
    #expect(try ItemSimilarity.words.of(singular, plural) == 1)
  }

  @Test(
    "Words that only look like plurals stay different, as do those the S-stemmer excludes",
    arguments: [
      ("statu", "status"), ("pas", "pass"), ("box", "boxes"), ("a1", "a2"), ("i", "is"),
      ("ies", "y"),
    ]
  )
  func noPlurals(_ left: String, _ right: String) throws {
    #expect(try ItemSimilarity.words.of(left, right) == 0)
  }

  @Test(
    "A part of a number or of a word with symbols is another word",
    arguments: [
      ("5", "3.5"), ("12", "12,500"), ("C", "C++"), ("C#", "C++"), ("can", "can't"),
      ("1.2", "1.2.3"), ("$1", "$1,000"), ("-5", "5"), ("3", "1e-3"), ("R", "R&D"),
    ]
  )
  func parts(_ left: String, _ right: String) throws {
    for similarity in [ItemSimilarity.words, .rougeL] {
      #expect(try similarity.of(left, right) == 0)
      #expect(try similarity.of(right, left.lowercased()) == 0)
      #expect(try similarity.of(right, right.lowercased()) == 1)
    }
  }

  @Test(
    "'exact' requires identical scalars",
    arguments: [
      ("Review design", "Review design", 1), ("Review design", "review design", 0),
      ("a", "a ", 0), ("", "", 1), ("\u{e9}", "e\u{301}", 0),
    ] as [(String, String, Double)]
  )
  func exact(_ left: String, _ right: String, _ similarity: Double) throws {
    #expect(try ItemSimilarity.exact.of(left, right) == similarity)
  }

  @Test(
    "Other similarities equal the text metrics, in both directions",
    arguments: [
      (.levenshtein, "kitten", "sitting", 4.0 / 7), (.levenshtein, "", "", 1),
      (.levenshtein, "", "a", 0), (.rougeL, "a b c d", "a c x d", 0.75), (.rougeL, "é", "é", 1),
      (.rougeL, "", "a", 0), (.contains, "Design", "review the design today", 1),
      (.contains, "sign", "review the design", 0), (.contains, "", "", 1),
      (.contains, "", "a", 0),
    ] as [(ItemSimilarity, String, String, Double)]
  )
  func others(
    _ similarity: ItemSimilarity,
    _ left: String,
    _ right: String,
    _ value: Double
  ) throws {
    #expect(abs(try similarity.of(left, right) - value) < 1e-12)
    #expect(abs(try similarity.of(right, left) - value) < 1e-12)
  }
}
