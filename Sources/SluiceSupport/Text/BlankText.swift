/// Tells texts that a reader sees something of from those that only look empty.
package enum BlankText {
  /// Returns true when a text has no visible character: white space, control and zero-width characters
  /// alone, or nothing at all.
  package static func isBlank(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(isBlank)
  }

  /// Returns true when a text in valid UTF-8 has no visible character.
  package static func isBlank(_ units: UnsafeBufferPointer<UInt8>) -> Bool {
    // The first byte of nearly every answer decides.
    guard let first = units.firstIndex(where: { $0 > 0x20 && $0 != 0x7F }) else { return true }
    if units[first] < 0x7F { return false }
    return String(decoding: units[first...], as: UTF8.self).unicodeScalars.allSatisfy(isBlank)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    // Braille's blank pattern is a symbol to Unicode.
    if scalar == "\u{2800}" { return true }
    let properties = scalar.properties
    return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      || properties.generalCategory == .control || properties.generalCategory == .format
  }
}
