/// The test for texts without visible characters.
package enum BlankText {
  /// Returns true if a text has no visible character: it is empty or has only white space, control
  /// and zero-width characters.
  package static func isBlank(_ text: String) -> Bool {
    // For nearly every text, the first byte that is not blank decides.
    guard let first = text.utf8.first(where: { $0 > 0x20 && $0 != 0x7F }) else { return true }
    return first >= 0x7F && text.unicodeScalars.allSatisfy(isBlank)
  }

  /// Returns true if a valid UTF-8 text has no visible character.
  package static func isBlank(_ units: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = units.firstIndex(where: { $0 > 0x20 && $0 != 0x7F }) else { return true }
    if units[first] < 0x7F { return false }
    return String(decoding: units[first...], as: UTF8.self).unicodeScalars.allSatisfy(isBlank)
  }

  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    // Unicode classifies Braille's blank pattern as a symbol.
    if scalar == "\u{2800}" { return true }
    let properties = scalar.properties
    return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      || properties.generalCategory == .control || properties.generalCategory == .format
  }
}
