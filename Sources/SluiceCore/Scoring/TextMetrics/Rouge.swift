import SluiceSupport

/// The words that a text shares with a reference (Lin 2004), computed as in Google's rouge-score.
///
/// A word is a run of letters, marks and digits, in lower case. In scripts without spaces between
/// words, each letter is a word. Unlike here, rouge-score knows only the letters a to z, so it
/// finds no words in Russian, and "l" in "Öl".
package enum Rouge {
  /// The sequences of words that are compared.
  package enum Variant: Hashable, Sendable {
    /// N-grams of the given length, which is at least 1.
    case n(Int)
    /// The longest common subsequence of words.
    case longest
  }

  /// The overlap, as shares from 0 to 1.
  ///
  /// All shares are 0 if one side contains nothing to compare.
  package struct Score: Hashable, Sendable {
    /// The share of the candidate that also occurs in the reference.
    package var precision: Double
    /// The share of the reference that also occurs in the candidate.
    package var recall: Double
    /// The harmonic mean of ``precision`` and ``recall``.
    package var f1: Double

    init(common: Int, candidate: Int, reference: Int) {
      precision = candidate > 0 ? Double(common) / Double(candidate) : 0
      recall = reference > 0 ? Double(common) / Double(reference) : 0
      f1 = common > 0 ? 2 * precision * recall / (precision + recall) : 0
    }
  }

  /// Returns the overlap of a candidate with a reference.
  ///
  /// - Parameters:
  ///   - candidate: The text to score.
  ///   - reference: The reference text.
  ///   - variant: The sequences of words that are compared.
  ///   - isStemmed: True to compare words of more than three letters by their stems.
  /// - Returns: The overlap.
  /// - Throws: ``TextTooLong`` if finding the longest common subsequence needs more than 1.6
  ///   billion comparisons of words.
  package static func score(
    _ candidate: String,
    against reference: String,
    _ variant: Variant,
    isStemmed: Bool = false
  ) throws(TextTooLong) -> Score {
    try score(
      words(candidate, isStemmed: isStemmed),
      against: words(reference, isStemmed: isStemmed),
      variant
    )
  }

  /// Returns the overlap of the words of a candidate with those of a reference.
  static func score(
    _ candidate: [ArraySlice<UInt32>],
    against reference: [ArraySlice<UInt32>],
    _ variant: Variant
  ) throws(TextTooLong) -> Score {
    var numbers = WordNumbers()
    let candidate = numbers.number(candidate)
    let reference = numbers.number(reference)
    switch variant {
    case .n(let order):
      precondition(order > 0, "an n-gram contains at least one word")
      var overlap = NGramOverlap(order: order)
      overlap.add(reference)
      return Score(
        common: overlap.matches(in: candidate)[order - 1],
        candidate: max(0, candidate.count - order + 1),
        reference: max(0, reference.count - order + 1)
      )
    case .longest:
      return Score(
        common: try SymbolPair(candidate, reference, counting: .words).commonSubsequence,
        candidate: candidate.count,
        reference: reference.count
      )
    }
  }

  private static func words(_ text: String, isStemmed: Bool) -> [ArraySlice<UInt32>] {
    let words = WordSplitter.scalars(text, separatesUnspaced: true)
    guard isStemmed else { return words }
    return words.map { word in
      word.count > 3 && word.allSatisfy { $0 < 0x80 } ? PorterStemmer.stem(word) : word
    }
  }
}
