import SluiceSupport

/// HTML character references.
///
/// An HTML error page of a server may contain a key in this form.
enum HTMLEntities {
  /// The named references of characters that occur in keys and are commonly escaped.
  private static let names: [String: UInt8] = [
    "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "sol": 0x2F, "plus": 0x2B,
    "equals": 0x3D, "hyphen": 0x2D, "dash": 0x2D, "lowbar": 0x5F, "period": 0x2E, "colon": 0x3A,
    "commat": 0x40, "dollar": 0x24, "percnt": 0x25, "num": 0x23, "excl": 0x21, "ast": 0x2A,
  ]
  private static let longestReference = 12

  /// Returns a text with its references decoded; nil if the text contains no references.
  ///
  /// References to characters beyond ASCII stay as they are, because keys do not contain such
  /// characters.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "&")) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var hasReference = false
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "&"), let found = reference(in: bytes, at: index) {
        result.append(found.byte)
        index = found.end
        hasReference = true
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return hasReference ? result : nil
  }

  private static func reference(in bytes: ArraySlice<UInt8>, at start: Int)
    -> (byte: UInt8, end: Int)?
  {
    let limit = min(start + longestReference, bytes.endIndex)
    var end = start + 1
    while end < limit, isPart(bytes[end]) { end += 1 }
    let body = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    let isEnded = end < bytes.endIndex && bytes[end] == UInt8(ascii: ";")
    let next = isEnded ? end + 1 : end
    if body.hasPrefix("#") {
      let digits = body.dropFirst()
      let isHexadecimal = digits.first == "x" || digits.first == "X"
      let code = isHexadecimal ? UInt8(digits.dropFirst(), radix: 16) : UInt8(digits)
      return code.flatMap { $0 < 0x80 ? ($0, next) : nil }
    }
    guard isEnded, let byte = names[body] else { return nil }
    return (byte, next)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    SecretText.isAlphanumeric(byte) || byte == UInt8(ascii: "#")
  }
}
