extension JSONReader.RawString {
  /// True if the string is written as ``JSONWriter`` would write it.
  package var isCanonical: Bool {
    if !hasEscapes { return true }
    var index = 0
    while index < units.count {
      guard units[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard index + 1 < units.count else { return false }
      switch units[index + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        index += 2
      // The writer uses `\u` only for some control characters, and never `\/`. Both are rare, so
      // neither counts as canonical.
      default: return false
      }
    }
    return true
  }

  /// Appends the unescaped string.
  ///
  /// The string must be written as ``JSONWriter`` would write it.
  package func appendMeaning(to buffer: inout ByteBuffer) {
    var index = 0
    while true {
      index = buffer.append(units, from: index) { word in word.marks(of: UInt8(ascii: "\\")) }
      guard index < units.count else { return }
      // A backslash at the end does not escape anything.
      let escape = index + 1 < units.count ? units[index + 1] : units[index]
      switch escape {
      case UInt8(ascii: "b"): buffer.append(0x08)
      case UInt8(ascii: "f"): buffer.append(0x0C)
      case UInt8(ascii: "n"): buffer.append(0x0A)
      case UInt8(ascii: "r"): buffer.append(0x0D)
      case UInt8(ascii: "t"): buffer.append(0x09)
      case UInt8(ascii: "u"):
        // The writer uses this escape only for control characters that have no short escape.
        let digits = String(decoding: units[(index + 2)...].prefix(4), as: UTF8.self)
        buffer.append(UInt8(digits, radix: 16) ?? UInt8(ascii: "?"))
        index += 4
      default: buffer.append(escape)
      }
      index += 2
    }
  }
}
