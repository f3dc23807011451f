/// The canonical composition of texts, in which `e` with a combining accent becomes `é`.
///
/// Letters that have no composed form stay as they are.
package enum ComposedText {
  /// The composed letters, by the characters to which they are canonically equivalent.
  ///
  /// Swift compares characters by canonical equivalence, so the letters need no table of their own.
  private static let letters: [Character: Unicode.Scalar] = {
    var letters: [Character: Unicode.Scalar] = [:]
    for range in [0xC0...0x52F, 0x600...0x1FFF, 0x3040...0x30FF, 0xAC00...0xD7A3] as [ClosedRange] {
      for scalar in range.lazy.compactMap(Unicode.Scalar.init)
      where letters[Character(scalar)] == nil { letters[Character(scalar)] = scalar }
    }
    return letters
  }()

  /// Returns the scalars of a text, composed.
  package static func scalars(_ text: String) -> [Unicode.Scalar] {
    let scalars = Array(text.unicodeScalars)
    guard scalars.contains(where: isDecomposed) else { return scalars }
    return text.flatMap { letters[$0].map { [$0] } ?? Array($0.unicodeScalars) }
  }

  /// Returns true if a scalar may belong to a letter that has another canonical form.
  private static func isDecomposed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: false
    case 0x1160...0x11FF, 0x1F00...0x1FFF, 0x2126...0x212B: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }
}
