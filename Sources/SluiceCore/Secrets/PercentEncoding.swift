import SluiceSupport

/// Percent-encoded text (RFC 3986, section 2.1).
enum PercentEncoding {
  /// Returns the decoded text; invalid escapes stay as they are.
  static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      let next = text.index(after: index)
      if byte == UInt8(ascii: "%"), let high = next == text.endIndex ? nil : digit(text[next]) {
        let second = text.index(after: next)
        if second != text.endIndex, let low = digit(text[second]) {
          result.append(high << 4 | low)
          index = text.index(after: second)
          continue
        }
      }
      result.append(byte)
      index = next
    }
    return result
  }

  /// Returns the text with all bytes escaped except letters, digits and `-._~`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - plain: Other bytes that need no escape.
  /// - Returns: The escaped text.
  static func encoded(_ text: some Sequence<UInt8>, leaving plain: Set<UInt8> = []) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.append(byte)
      case _ where plain.contains(byte) && byte != UInt8(ascii: "%"): result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return result
  }

  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
