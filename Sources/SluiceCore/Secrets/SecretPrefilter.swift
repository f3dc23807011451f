import SluiceSupport

/// A filter that recognizes, in a single pass, texts that cannot contain a secret.
///
/// Almost all texts are of this kind, and need no search.
///
/// The filter must flag every text in which ``SecretText`` can find a secret, encoded or not.
enum SecretPrefilter {
  /// Returns true if the bytes may contain a secret and must be searched.
  static func mayHoldSecret(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { mayHoldSecret($0) }
  }

  private static func mayHoldSecret(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    classes.withUnsafeBufferPointer { classes in
      var index = 0
      let count = bytes.count
      while index < count {
        let byte = bytes[index]
        guard classes[Int(byte)] != 0 else {
          if isEscape(bytes, index) { return true }
          index += 1
          continue
        }
        let start = index
        repeat { index += 1 } while index < count && classes[Int(bytes[index])] != 0
        if index - start >= 16 {
          if looksRandom(UnsafeBufferPointer(rebasing: bytes[start..<index]), classes) {
            return true
          }
        }
        if index - start >= 3, isTelling(bytes, start, index) { return true }
      }
      return false
    }
  }

  /// Returns true if an escape starts at an index.
  ///
  /// An escape may hide a character of a key: `%73`, `\u0073`, `\/`, `&#115;` or `&lowbar;`.
  private static func isEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "%"):
      return index + 2 < bytes.count && PercentEncoding.digit(bytes[index + 1]) != nil
        && PercentEncoding.digit(bytes[index + 2]) != nil
    case UInt8(ascii: "&") where index + 1 < bytes.count:
      if bytes[index + 1] == UInt8(ascii: "#") { return true }
      return bytes[(index + 1)..<min(index + 9, bytes.count)].contains(UInt8(ascii: ";"))
    case UInt8(ascii: "\\") where index + 1 < bytes.count:
      if bytes[index + 1] == UInt8(ascii: "/") { return true }
      guard bytes[index + 1] == UInt8(ascii: "u"), index + 5 < bytes.count,
        bytes[index + 2] == 0x30, bytes[index + 3] == 0x30,
        let high = PercentEncoding.digit(bytes[index + 4]),
        let low = PercentEncoding.digit(bytes[index + 5])
      else { return false }
      return classes[Int(high << 4 | low)] != 0
    default: return false
    }
  }

  /// Returns true if a long word mixes digits and letters, or upper and lower case, as keys do.
  private static func looksRandom(
    _ word: UnsafeBufferPointer<UInt8>,
    _ classes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var changes = 0
    var separators = 0
    var counts = (lower: 0, digits: 0)
    var last = separator
    var capitals = 0
    for byte in word {
      let kind = classes[Int(byte)]
      capitals = kind == separator || kind == lower ? 0 : capitals + 1
      if capitals == 16 { return true }
      if kind == separator {
        separators += 1
      } else {
        if kind == lower { counts.lower += 1 }
        if kind == digit { counts.digits += 1 }
        if kind != last, last != separator { changes += 1 }
      }
      last = kind
    }
    if changes >= 2, changes * 8 >= word.count { return !HarmlessValue.isIdentifier(word) }
    // Also matches words in upper case alone, and words with few letters between digits.
    return (counts.lower == 0 && separators <= 2) || counts.digits * 2 >= word.count
  }

  /// Returns true if a word announces a secret that may be short: a password, a cookie, a user in a
  /// URL or a private key.
  private static func isTelling(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ end: Int
  ) -> Bool {
    if bytes[start] == UInt8(ascii: "-") {
      return end - start >= 6 && bytes[start + 5] == UInt8(ascii: "B")
    }
    if bytes[start] == UInt8(ascii: "/") {
      guard bytes[start + 1] == UInt8(ascii: "/"), start > 0,
        bytes[start - 1] == UInt8(ascii: ":")
      else { return false }
      // The authority of a URL ends at the next slash. In the authority, an `@` follows the user.
      for byte in bytes[(start + 2)..<min(start + 260, bytes.count)] {
        switch byte {
        case UInt8(ascii: "@"): return true
        case UInt8(ascii: "/"), UInt8(ascii: "\""), 0...0x20: return false
        default: continue
        }
      }
      return false
    }
    for word in tellingWords[Int(bytes[end - 1] | 0x20)] where end - start >= word.count {
      let first = end - word.count
      if word.indices.allSatisfy({ bytes[first + $0] | 0x20 == word[$0] | 0x20 }) { return true }
    }
    return false
  }

  private static let tellingWords: [[[UInt8]]] = {
    var words = [[[UInt8]]](repeating: [], count: 256)
    for word in [
      "password", "passwd", "passphrase", "pwd", "secret", "cookie", "basic", "authorization",
      "cf_bm", "cfuvid",
    ] {
      let text = Array(word.utf8)
      words[Int(text[text.count - 1] | 0x20)].append(text)
    }
    return words
  }()

  private static let lower: UInt8 = 1
  private static let upper: UInt8 = 2
  private static let digit: UInt8 = 3
  private static let separator: UInt8 = 4

  /// The class of each byte that words contain; 0 for all other bytes.
  private static let classes: [UInt8] = {
    var classes = [UInt8](repeating: 0, count: 256)
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { classes[Int(byte)] = lower }
    for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { classes[Int(byte)] = upper }
    for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { classes[Int(byte)] = digit }
    for byte in "-_+/".utf8 { classes[Int(byte)] = separator }
    return classes
  }()
}
