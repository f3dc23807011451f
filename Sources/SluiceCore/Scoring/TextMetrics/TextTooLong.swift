import SluiceSupport

/// Two texts that are not compared, since the work would grow with the product of their lengths.
package struct TextTooLong: Error, Hashable, CustomStringConvertible {
  /// What the lengths count.
  package enum Unit: String, Sendable {
    case characters, words
  }

  /// The length of one text.
  package var first: Int
  /// The length of the other text.
  package var second: Int
  /// What the lengths count; a character is a Unicode scalar.
  package var unit: Unit

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package var description: String {
    "too long to compare: \(first.withThousands) by \(second.withThousands) \(unit.rawValue)"
  }
}
