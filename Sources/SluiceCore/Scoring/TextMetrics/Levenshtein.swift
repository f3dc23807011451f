import SluiceSupport

/// The edit distance of two texts.
///
/// Like rapidfuzz, it compares Unicode scalars without normalization.
package enum Levenshtein {
  /// Returns the number of insertions, deletions and replacements that turn one text into the other
  /// (Levenshtein 1966).
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The distance, from 0 to the length of the longer text.
  /// - Throws: ``TextTooLong`` if the product of the lengths, without the common beginning and end,
  ///   is more than 1.6 billion.
  package static func distance(_ first: String, _ second: String) throws(TextTooLong) -> Int {
    try SymbolPair(first.scalarValues, second.scalarValues, counting: .characters).editDistance
  }

  /// Returns `1 - distance / length`, where `length` is the length of the longer text.
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The similarity, from 0 to 1; 1 for two empty texts.
  /// - Throws: ``TextTooLong`` if the product of the lengths, without the common beginning and end,
  ///   is more than 1.6 billion.
  package static func similarity(_ first: String, _ second: String) throws(TextTooLong) -> Double {
    similarity(first, second, distance: try distance(first, second))
  }

  /// Returns the similarity of two texts, given their distance.
  static func similarity(_ first: String, _ second: String, distance: Int) -> Double {
    let longest = max(first.unicodeScalars.count, second.unicodeScalars.count)
    return longest == 0 ? 1 : 1 - Double(distance) / Double(longest)
  }
}

/// The similarity of two texts, in which edits are insertions and deletions, but not replacements.
package enum IndelRatio {
  /// Returns `1 - edits / length`, where `length` is the sum of both lengths.
  ///
  /// - Parameters:
  ///   - first: One text.
  ///   - second: The other text.
  /// - Returns: The ratio, from 0 to 1; 1 for two empty texts.
  /// - Throws: ``TextTooLong`` if the product of the lengths, without the common beginning and end,
  ///   is more than 1.6 billion.
  package static func of(_ first: String, _ second: String) throws(TextTooLong) -> Double {
    let (one, other) = (first.scalarValues, second.scalarValues)
    let lengths = one.count + other.count
    if lengths == 0 { return 1 }
    let common = try SymbolPair(one, other, counting: .characters).commonSubsequence
    return 2 * Double(common) / Double(lengths)
  }
}
