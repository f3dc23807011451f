/// The splitter of texts into words.
package enum WordSplitter {
  /// Returns the words of a text in lower case.
  ///
  /// A word is a run of letters, marks and digits.
  package static func words(_ text: String) -> [String] {
    scalars(text).map { word in
      String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init)))
    }
  }

  /// Returns the scalars of the words of a text, in lower case and composed.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - separatesUnspaced: True if each letter is a word in scripts without spaces between words.
  /// - Returns: The words.
  package static func scalars(_ text: String, separatesUnspaced: Bool = false)
    -> [ArraySlice<UInt32>]
  {
    let scalars = ComposedText.scalars(text.lowercased())
    let values = scalars.map(\.value)
    var words: [ArraySlice<UInt32>] = []
    var start = 0
    var followsUnspaced = false
    for (place, scalar) in scalars.enumerated() {
      let isWord = isWordScalar(scalar)
      if isWord {
        // A mark belongs to the letter before it.
        if !separatesUnspaced || scalar.properties.isGraphemeExtend { continue }
        let isUnspaced = !isSpaced(scalar)
        defer { followsUnspaced = isUnspaced }
        if !isUnspaced, !followsUnspaced { continue }
      }
      if start < place { words.append(values[start..<place]) }
      start = isWord ? place : place + 1
    }
    if start < values.count { words.append(values[start...]) }
    return words
  }

  package static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: false
      }
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  /// Returns true if a scalar belongs to a word in a script that puts spaces between words.
  package static func isSpaced(_ scalar: Unicode.Scalar) -> Bool {
    guard isWordScalar(scalar) else { return false }
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF,
      0x31F0...0x31FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
      return false
    default: return true
    }
  }
}
