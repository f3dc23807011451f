import SluiceGating

/// The escaping of untrusted text for a cell of comma-separated values.
///
/// A cell has one line, so line breaks, tabs and other control characters are written as `\n`, `\t`
/// and `\u{…}`. Text that a spreadsheet would interpret as a formula gets an apostrophe in front.
enum CSVText {
  /// Adds a cell of text, in quotes (RFC 4180).
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isCut: True if the text is truncated, which adds `…`.
  ///   - cells: The buffer to add to.
  static func append(_ text: String, isCut: Bool = false, to cells: inout ByteBuffer) {
    var text = text
    text.withUTF8 { append($0, isCut: isCut, to: &cells) }
  }

  /// Adds a cell of UTF-8 text, in quotes.
  ///
  /// - Parameters:
  ///   - units: The text.
  ///   - isCut: True if the text is truncated, which adds `…`.
  ///   - cells: The buffer to add to.
  static func append(
    _ units: UnsafeBufferPointer<UInt8>,
    isCut: Bool = false,
    to cells: inout ByteBuffer
  ) {
    cells.append("\"")
    if startsFormula(units) { cells.append("'") }
    var index = 0
    while true {
      index = cells.append(units, from: index, until: marks)
      if index == units.count { break }
      // A multibyte character is found by its first byte alone.
      index += escape(at: index, of: units, to: &cells)
    }
    cells.append(isCut ? "…\"" : "\"")
  }

  /// Returns a mask of the bytes in an 8-byte word that may need escaping.
  @inline(__always)
  private static func marks(_ word: UInt64) -> UInt64 {
    word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\"")) | word.marks(of: UInt8(ascii: ";"))
      // The first bytes of Latin-1 controls, and of the line and paragraph separators.
      | word.marks(of: 0x7F) | word.marks(of: 0xC2) | word.marks(of: 0xE2)
  }

  /// Appends the escaped form of the character at an index, or only the character's first byte if
  /// it needs no escaping.
  ///
  /// - Returns: The number of bytes that were consumed.
  private static func escape(
    at index: Int,
    of units: UnsafeBufferPointer<UInt8>,
    to cells: inout ByteBuffer
  ) -> Int {
    func byte(_ offset: Int) -> UInt8 { index + offset < units.count ? units[index + offset] : 0 }
    switch (units[index], byte(1), byte(2)) {
    case (UInt8(ascii: "\""), _, _):
      cells.append("\"\"")
    case (UInt8(ascii: ";"), _, _):
      cells.append(";")
      // Spreadsheets in much of Europe end a cell at a semicolon, even inside quotes.
      if startsFormula(UnsafeBufferPointer(rebasing: units[(index + 1)...])) { cells.append("'") }
    case (0xC2, 0x80...0x9F, _):
      appendEscape(UInt32(byte(1)), to: &cells)
      return 2
    case (0xE2, 0x80, 0xA8...0xA9):
      appendEscape(0x2000 + UInt32(byte(2)) - 0x80, to: &cells)
      return 3
    case (0xC2, _, _), (0xE2, _, _): cells.append(units[index])
    case (let unit, _, _): appendEscape(UInt32(unit), to: &cells)
    }
    return 1
  }

  private static func appendEscape(_ scalar: UInt32, to cells: inout ByteBuffer) {
    switch scalar {
    case 0x9: cells.append("\\t")
    case 0xA: cells.append("\\n")
    case 0xD: cells.append("\\r")
    default: cells.append(Array("\\u{\(String(scalar, radix: 16))}".utf8))
    }
  }

  /// Returns true if a spreadsheet may interpret a text as a formula.
  ///
  /// The first character after spaces, control characters and quotes decides.
  private static func startsFormula(_ units: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in units.indices {
      switch units[index] {
      case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): return true
      case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): continue
      case ..<0x80: return false
      default:
        return startsFormula(String(decoding: units[index...].prefix(64), as: UTF8.self))
      }
    }
    return false
  }

  private static func startsFormula(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      switch scalar {
      // With East Asian settings, Excel treats the wide and small forms like the ASCII signs.
      case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE62}",
        "\u{FE63}", "\u{FE66}", "\u{FE6B}", "\u{2212}":
        return true
      default: break
      }
      switch scalar.properties.generalCategory {
      case .spaceSeparator, .control, .format, .lineSeparator, .paragraphSeparator,
        .initialPunctuation, .finalPunctuation:
        continue
      default: if !"\"'`".unicodeScalars.contains(scalar) { return false }
      }
    }
    return false
  }
}
