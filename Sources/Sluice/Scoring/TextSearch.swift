/// Finds texts in texts, scalar by scalar.
enum TextSearch {
  /// Whether a text occurs in another.
  static func contains(_ part: String, in text: String) -> Bool {
    var text = text
    var part = part
    return text.withUTF8 { text in part.withUTF8 { part in offset(of: part, in: text) != nil } }
  }

  /// The first place of a text in another; nil where it does not occur.
  static func place(of part: String, in text: String) -> Range<String.Index>? {
    var bytes = text
    var part = part
    let found = bytes.withUTF8 { text in part.withUTF8 { part in offset(of: part, in: text) } }
    guard let found else { return nil }
    let start = text.utf8.index(text.startIndex, offsetBy: found)
    return start..<text.utf8.index(start, offsetBy: part.utf8.count)
  }

  /// Whether a text occurs in another, which is given as UTF-8.
  static func contains(_ part: String, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var part = part
    return part.withUTF8 { part in offset(of: part, in: text) != nil }
  }

  /// Whether a text occurs in another as a whole word or phrase, ignoring case.
  ///
  /// A word ends where a letter or digit meets something else. Scripts that are written without
  /// spaces (Han, Kana, Thai and their like) have no such borders, so there every place counts.
  static func containsWord(_ word: String, in text: String) -> Bool {
    let text = Array(text.lowercased().unicodeScalars)
    let word = Array(word.lowercased().unicodeScalars)
    guard !word.isEmpty, word.count <= text.count else { return false }
    for start in 0...(text.count - word.count)
    where text[start] == word[0] && text[start..<(start + word.count)].elementsEqual(word) {
      let end = start + word.count
      let startsFree = start == 0 || !continues(text[start - 1], word[0])
      let endsFree = end == text.count || !continues(word[word.count - 1], text[end])
      if startsFree, endsFree { return true }
    }
    return false
  }

  /// Whether two neighbours belong to one word.
  private static func continues(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
    isSpaced(left) && isSpaced(right)
  }

  /// Whether a scalar is part of a word of a script that puts spaces between words.
  private static func isSpaced(_ scalar: Unicode.Scalar) -> Bool {
    guard WordSplitter.isWordScalar(scalar) else { return false }
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF,
      0x31F0...0x31FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
      return false
    default: return true
    }
  }

  /// Where bytes first occur in others, found in linear time on average; nil where they do not.
  private static func offset(
    of part: UnsafeBufferPointer<UInt8>,
    in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let first = part.first else { return 0 }
    guard part.count <= text.count else { return nil }
    for start in 0...(text.count - part.count) where text[start] == first {
      var offset = 1
      while offset < part.count, text[start + offset] == part[offset] { offset += 1 }
      if offset == part.count { return start }
    }
    return nil
  }
}

/// Cuts texts into words.
enum WordSplitter {
  /// The runs of letters, marks and digits, in lower case.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if isWordScalar(scalar) {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word))
        word = String.UnicodeScalarView()
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }
}
