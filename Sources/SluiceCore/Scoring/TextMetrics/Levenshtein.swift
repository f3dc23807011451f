import SluiceSupport

/// The edit distance of two texts, by Unicode scalars and without normalization, as in rapidfuzz.
package enum Levenshtein {
  /// Returns the number of insertions, deletions and replacements between two texts (Levenshtein
  /// 1966).
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The distance, from 0 to the length of the longer text.
  /// - Throws: ``TextTooLong`` for more than 1.6 billion pairs of potentially different characters.
  package static func distance(_ first: String, _ second: String) throws(TextTooLong) -> Int {
    try SymbolPair(first.scalarValues, second.scalarValues, counting: .characters).editDistance
  }

  /// Returns 1 minus the distance as a share of the longer text's length.
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The similarity, from 0 to 1; 1 for two empty texts.
  /// - Throws: ``TextTooLong`` for more than 1.6 billion pairs of potentially different characters.
  package static func similarity(_ first: String, _ second: String) throws(TextTooLong) -> Double {
    similarity(first, second, distance: try distance(first, second))
  }

  /// Returns the similarity of two texts with a known distance.
  static func similarity(_ first: String, _ second: String, distance: Int) -> Double {
    let longest = max(first.unicodeScalars.count, second.unicodeScalars.count)
    return longest == 0 ? 1 : 1 - Double(distance) / Double(longest)
  }
}

/// The similarity of two texts by insertions and deletions, without replacements.
package enum IndelRatio {
  /// Returns 1 minus the number of insertions and deletions as a share of both lengths.
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The ratio, from 0 to 1; 1 for two empty texts.
  /// - Throws: ``TextTooLong`` for more than 1.6 billion pairs of potentially different characters.
  package static func of(_ first: String, _ second: String) throws(TextTooLong) -> Double {
    let (one, other) = (first.scalarValues, second.scalarValues)
    let lengths = one.count + other.count
    if lengths == 0 { return 1 }
    let common = try SymbolPair(one, other, counting: .characters).commonSubsequence
    return 2 * Double(common) / Double(lengths)
  }
}
