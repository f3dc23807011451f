/// Base64 in any common form: both alphabets of RFC 4648, with or without padding.
package struct LooseBase64 {
  /// The decoded bytes.
  package var bytes: [UInt8]
  private var isURL: Bool
  private var padding: Int

  /// Decodes a text; nil when it is not base64.
  package init?(_ text: ArraySlice<UInt8>) {
    let content = text.prefix { $0 != UInt8(ascii: "=") }
    padding = text.count - content.count
    guard padding <= 2, content.count % 4 != 1,
      text.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    bytes = []
    bytes.reserveCapacity(content.count / 4 * 3 + 2)
    isURL = false
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in content {
      let value = Self.values[Int(byte)]
      guard value < 64 else { return nil }
      if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { isURL = true }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
  }

  /// Encodes bytes in the form of the decoded text: with the same alphabet, and without padding if
  /// the text had none.
  package func encoded(_ other: [UInt8]) -> [UInt8] {
    var text = Array(Base64.encode(other).utf8)
    if isURL {
      for (index, byte) in text.enumerated() {
        if byte == UInt8(ascii: "+") { text[index] = UInt8(ascii: "-") }
        if byte == UInt8(ascii: "/") { text[index] = UInt8(ascii: "_") }
      }
    }
    if padding == 0, bytes.count % 3 != 0 {
      while text.last == UInt8(ascii: "=") { text.removeLast() }
    }
    return text
  }

  /// The base64 value of each byte, for both alphabets together; 255 for a byte outside both
  /// alphabets.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for (value, byte) in alphabet.utf8.enumerated() { values[Int(byte)] = UInt8(value) }
    for byte in "+-".utf8 { values[Int(byte)] = 62 }
    for byte in "/_".utf8 { values[Int(byte)] = 63 }
    return values
  }()
}
