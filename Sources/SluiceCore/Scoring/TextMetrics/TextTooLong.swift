import SluiceSupport

/// The error for two texts that are too long to compare.
///
/// The work grows with the product of their lengths.
package struct TextTooLong: Error, Hashable, CustomStringConvertible {
  /// The unit of the lengths.
  package enum Unit: String, Sendable {
    case characters, words
  }

  /// The length of one text.
  package var first: Int
  /// The length of the other text.
  package var second: Int
  /// The unit of the lengths.
  ///
  /// A character is a Unicode scalar.
  package var unit: Unit

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package var description: String {
    "too long to compare: \(first.withThousands) by \(second.withThousands) \(unit.rawValue)"
  }
}
