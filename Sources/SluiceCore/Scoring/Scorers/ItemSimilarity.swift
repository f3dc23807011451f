import SluiceSupport

/// A similarity of two short texts, from 0 to 1.
enum ItemSimilarity: String, CaseIterable, Sendable {
  /// The Dice coefficient (1945) of the words of both texts, in lower case.
  ///
  /// Plural endings are removed (Harman 1991, "How effective is suffixing?"), and English articles
  /// and prepositions are left out.
  case words
  /// 1 if the texts have identical scalars, otherwise 0.
  case exact
  /// 1 minus the edit distance as a share of the length of the longer text.
  case levenshtein
  /// The F1 score of the longest common subsequence of words.
  case rougeL = "rouge-l"
  /// 1 if one text contains the other as a whole word or phrase, ignoring case; otherwise 0.
  case contains

  /// The form in which a text is compared.
  enum Content {
    case words(Set<String>)
    case text(String)
  }

  func content(_ text: String) -> Content {
    switch self {
    case .exact, .levenshtein, .rougeL, .contains: .text(text)
    case .words: .words(Self.contentWords(text))
    }
  }

  func of(_ left: String, _ right: String) throws(TextTooLong) -> Double {
    try of(content(left), content(right))
  }

  func of(_ left: Content, _ right: Content) throws(TextTooLong) -> Double {
    switch (left, right) {
    case (.text(let left), .text(let right)): return try compare(left, right)
    case (.words(let left), .words(let right)):
      if left.isEmpty, right.isEmpty { return 1 }
      return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    // Both contents are of the same kind, because they come from the same similarity.
    default: return 0
    }
  }

  private func compare(_ left: String, _ right: String) throws(TextTooLong) -> Double {
    if left.isIdentical(to: right) { return 1 }
    switch self {
    case .words, .exact: return 0
    case .levenshtein: return try Levenshtein.similarity(left, right)
    case .rougeL:
      let (left, right) = (Self.wholeWords(left), Self.wholeWords(right))
      return try Rouge.score(left, against: right, .longest).f1
    case .contains:
      let (left, right) = (SearchedText(left), SearchedText(right))
      return left.containsWord(right) || right.containsWord(left) ? 1 : 0
    }
  }

  private static let functionWords: Set<String> = [
    "a", "an", "the", "to", "of", "for", "in", "on", "at", "by", "with", "and", "from", "into",
    "about", "up", "out", "over", "is", "be", "it", "this", "that", "my", "your", "our", "their",
    "his", "her", "its", "some", "any",
  ]

  private static func contentWords(_ text: String) -> Set<String> {
    let words = SearchedText(text).words
    let content = words.filter { !functionWords.contains($0) }
    return Set((content.isEmpty ? words : content).map(withoutPlural))
  }

  /// Returns the words of a text; in scripts without spaces, each letter is one.
  private static func wholeWords(_ text: String) -> [ArraySlice<UInt32>] {
    SearchedText(text).words.flatMap { word in
      word.unicodeScalars.contains { $0.value > 0x7F }
        ? WordSplitter.scalars(word, separatesUnspaced: true)
        : [word.unicodeScalars.map(\.value)[...]]
    }
  }

  private static func withoutPlural(_ word: String) -> String {
    if word.count > 3, word.hasSuffix("ies"), !word.hasSuffix("eies"), !word.hasSuffix("aies") {
      return word.dropLast(3) + "y"
    }
    if word.count > 3, word.hasSuffix("es"), !["aes", "ees", "oes"].contains(where: word.hasSuffix)
    {
      return String(word.dropLast())
    }
    if word.count > 2, word.hasSuffix("s"), !word.hasSuffix("us"), !word.hasSuffix("ss") {
      return String(word.dropLast())
    }
    return word
  }
}
