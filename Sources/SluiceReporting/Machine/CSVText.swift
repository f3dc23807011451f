import SluiceGating

/// Escapes untrusted text for a cell of comma-separated values.
///
/// A cell has one line: breaks, tabs and other control characters are shown as `\n`, `\t` and
/// `\u{…}`. An apostrophe is put before text that a spreadsheet would interpret as a formula.
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
    var start = 0
    for index in units.indices where !isPlain(units[index]) {
      // Of a character of several bytes the first one tells.
      let length = escape(at: index, of: units, from: start, to: &cells)
      if length > 0 { start = index + length }
    }
    cells.append(UnsafeBufferPointer(rebasing: units[start...]))
    cells.append(isCut ? "…\"" : "\"")
  }

  /// Returns true if a byte needs no escaping, whatever follows it.
  @inline(__always)
  private static func isPlain(_ unit: UInt8) -> Bool {
    if unit < 0x7F {
      return unit >= 0x20 && unit != UInt8(ascii: "\"") && unit != UInt8(ascii: ";")
    }
    // What begins a control of Latin-1, or a line or paragraph separator.
    return unit != 0x7F && unit != 0xC2 && unit != 0xE2
  }

  /// Adds the text before an index, and the escaped form of the character there.
  ///
  /// - Returns: The number of bytes of the character; 0, with nothing added, if it needs no
  ///   escaping.
  private static func escape(
    at index: Int,
    of units: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to cells: inout ByteBuffer
  ) -> Int {
    func byte(_ offset: Int) -> UInt8 { index + offset < units.count ? units[index + offset] : 0 }
    let before = UnsafeBufferPointer(rebasing: units[start..<index])
    switch units[index] {
    case UInt8(ascii: "\""):
      cells.append(before)
      cells.append("\"\"")
      return 1
    case UInt8(ascii: ";"):
      // Half of Europe's spreadsheets end a cell here, whatever quotes say.
      guard startsFormula(UnsafeBufferPointer(rebasing: units[(index + 1)...])) else { return 0 }
      cells.append(before)
      cells.append(";'")
      return 1
    case 0xC2:
      guard (0x80...0x9F).contains(byte(1)) else { return 0 }
      cells.append(before)
      appendEscape(UInt32(byte(1)), to: &cells)
      return 2
    case 0xE2:
      guard byte(1) == 0x80, byte(2) == 0xA8 || byte(2) == 0xA9 else { return 0 }
      cells.append(before)
      appendEscape(0x2000 + UInt32(byte(2)) - 0x80, to: &cells)
      return 3
    case let unit:
      cells.append(before)
      appendEscape(UInt32(unit), to: &cells)
      return 1
    }
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
  /// It checks the first character after spaces, controls and quotes.
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
      // Excel takes the wide and small forms for the signs themselves where East Asian text is set.
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
