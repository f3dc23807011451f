extension Character {
  /// True if the character is displayed as a picture.
  var isEmoji: Bool {
    guard let first = unicodeScalars.first else { return false }
    return first.properties.isEmojiPresentation
      || (first.properties.isEmoji && (first.value > 0x2190 || unicodeScalars.count > 1))
  }

  /// True if the character belongs to a script without spaces between words.
  var isIdeographOrKana: Bool {
    guard let value = unicodeScalars.first?.value else { return false }
    return (0x3040...0x30FF).contains(value) || (0x3400...0x9FFF).contains(value)
  }
}

extension Text {
  var hasEmoji: Bool { raw.contains(where: \.isEmoji) }

  /// The number of words, in which two ideographs or kana count as one word.
  var wordCount: Int {
    words.reduce(0) { count, word in
      let unspaced = word.text.count(where: \.isIdeographOrKana)
      if unspaced > 0 { return count + (unspaced + 1) / 2 }
      return count + (word.text.contains { $0.isLetter || $0.isNumber } ? 1 : 0)
    }
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
