import SluiceSupport

/// How much has to be changed to make one text of another, by Unicode scalars and without any
/// normalisation, as rapidfuzz counts.
package enum Levenshtein {
  /// Returns how many characters have to be put in, left out or replaced (Levenshtein 1966).
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The distance, from 0 to the length of the longer text.
  /// - Throws: ``TextTooLong`` for more than 1.6 billion pairs of characters that may differ.
  package static func distance(_ first: String, _ second: String) throws(TextTooLong) -> Int {
    try SymbolPair(first.scalarValues, second.scalarValues, counting: .characters).editDistance
  }

  /// Returns 1 less the distance as a share of the longer text.
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The similarity, from 0 to 1; 1 for two empty texts.
  /// - Throws: ``TextTooLong`` for more than 1.6 billion pairs of characters that may differ.
  package static func similarity(_ first: String, _ second: String) throws(TextTooLong) -> Double {
    similarity(first, second, distance: try distance(first, second))
  }

  /// The similarity of two texts whose distance is known.
  static func similarity(_ first: String, _ second: String, distance: Int) -> Double {
    let longest = max(first.unicodeScalars.count, second.unicodeScalars.count)
    return longest == 0 ? 1 : 1 - Double(distance) / Double(longest)
  }
}

/// How alike two texts are where characters can be put in and left out, not replaced.
package enum IndelRatio {
  /// Returns 1 less the number of insertions and deletions as a share of both lengths.
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The ratio, from 0 to 1; 1 for two empty texts.
  /// - Throws: ``TextTooLong`` for more than 1.6 billion pairs of characters that may differ.
  package static func of(_ first: String, _ second: String) throws(TextTooLong) -> Double {
    let (one, other) = (first.scalarValues, second.scalarValues)
    let lengths = one.count + other.count
    if lengths == 0 { return 1 }
    let common = try SymbolPair(one, other, counting: .characters).commonSubsequence
    return 2 * Double(common) / Double(lengths)
  }
}
