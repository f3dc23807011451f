import SluiceSupport

/// A text in the form in which words and phrases are searched for.
///
/// Letter case, invisible characters, and the forms of white space, dashes and quotation marks do
/// not matter. Nor does the way in which accents and digits are encoded.
struct SearchedText: Sendable {
  /// The scalars, in which each run of white space is one space.
  private let scalars: [UInt32]

  /// The white space between two groups of digits, as in `12 500`, if it cannot separate words.
  private static let groupSpace: UInt32 = 0xA0
  /// The character that makes one emoji of two.
  private static let joiner: UInt32 = 0x200D

  init(_ text: String) {
    var bytes = text
    let ascii: [UInt32]? = bytes.withUTF8 { units in
      if units.contains(where: { $0 >= 0x80 }) { return nil }
      return units.map { UInt32($0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0) }
    }
    let input = ascii ?? ComposedText.scalars(text.lowercased()).map { Self.plain($0).value }
    var output: [UInt32] = []
    output.reserveCapacity(input.count)
    // The white space before the next scalar, and whether it contains a line break.
    var (space, isBroken) = (UInt32(0), false)
    var place = 0
    while place < input.count {
      var value = input[place]
      place += 1
      // LaTeX separates groups of digits by `{,}` and `\,`.
      if value == 0x7B, Self.isDigit(output.last ?? 0), input[place...].starts(with: [0x2C, 0x7D]) {
        value = 0x2C
        place += 2
      } else if value == 0x5C, place < input.count, input[place] == 0x2C {
        value = Self.groupSpace
        place += 1
      }
      switch value {
      case 0: continue
      case 0x09...0x0D, 0x20:
        if value != 0x09, value != 0x20 { isBroken = true }
        space = 0x20
      case Self.groupSpace:
        let isGroup = space == 0 && Self.isDigit(output.last ?? 0) && Self.isGroup(input[place...])
        space = isGroup ? Self.groupSpace : 0x20
      default:
        // A line may break between two characters of a script without spaces.
        let isInWord = isBroken && Self.isUnspaced(output.last) && Self.isUnspaced(value)
        if space != 0, !output.isEmpty, !isInWord { output.append(space) }
        (space, isBroken) = (0, false)
        output.append(value)
      }
    }
    scalars = output
  }

  /// Returns a scalar without the differences that readers do not see; U+0000 for an invisible one.
  static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case ..<0x80: return scalar
    case 0xA0, 0x2007, 0x2009, 0x202F: return "\u{A0}"
    case 0x85, 0x2028, 0x2029: return "\n"
    case 0x1680, 0x2000...0x200A, 0x205F, 0x3000: return " "
    case 0x2010...0x2013, 0x2212, 0xFE63: return "-"
    case 0x2018, 0x2019, 0x201B, 0x2BC: return "'"
    case 0x201C...0x201F: return "\""
    case 0x66B: return "."
    case 0x66C: return ","
    // The last letter of a Greek word.
    case 0x3C2: return "σ"
    case joiner: return scalar
    // Latin letters as wide as Chinese characters.
    case 0xFF0D, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
      return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    default: break
    }
    if let digit = WrittenNumber.digit(scalar) { return digit }
    return scalar.properties.isDefaultIgnorableCodePoint ? "\0" : scalar
  }

  private static func isDigit(_ value: UInt32) -> Bool { value >= 0x30 && value <= 0x39 }

  /// Returns true if scalars begin with exactly three digits.
  private static func isGroup(_ scalars: ArraySlice<UInt32>) -> Bool {
    scalars.prefix(4).prefix(while: isDigit).count == 3
  }

  private static func isWord(_ value: UInt32) -> Bool {
    Unicode.Scalar(value).map(WordSplitter.isSpaced) ?? false
  }

  private static func isUnspaced(_ value: UInt32?) -> Bool {
    guard let value, value > 0x7F, let scalar = Unicode.Scalar(value) else { return false }
    return WordSplitter.isWordScalar(scalar) && !WordSplitter.isSpaced(scalar)
  }

  // MARK: Search

  /// Returns true if the text contains another text as a whole word or phrase.
  ///
  /// A word ends between a letter or digit and any other character. Some scripts put no spaces
  /// between words (Han, Kana, Thai and similar ones). In these, a word can end anywhere. A number
  /// ends where the whole number ends, so 5 is not a word of "3.5". Marks that make another word,
  /// as in "C++" or "can't", do not end a word either.
  func containsWord(_ word: SearchedText) -> Bool {
    let (text, word) = (scalars, word.scalars)
    guard let first = word.first, word.count <= text.count else { return false }
    for start in 0...(text.count - word.count) where text[start] == first {
      var length = 1
      while length < word.count,
        text[start + length] == word[length]
          || text[start + length] == Self.groupSpace && word[length] == 0x20
          || text[start + length] == 0x20 && word[length] == Self.groupSpace
      { length += 1 }
      if length == word.count, startsFree(start, length), endsFree(start + length) { return true }
    }
    return false
  }

  private func at(_ place: Int) -> UInt32 { scalars.indices.contains(place) ? scalars[place] : 0 }

  private func isDigit(_ place: Int) -> Bool { Self.isDigit(at(place)) }

  private func isWord(_ place: Int) -> Bool { Self.isWord(at(place)) }

  private func `is`(_ place: Int, _ marks: String) -> Bool {
    let value = at(place)
    return value != 0 && marks.unicodeScalars.contains { $0.value == value }
  }

  /// The marks that join digits to a number, a time, a date or a fraction.
  private static let joining = ".,':/_^\u{A0}"

  private func startsFree(_ start: Int, _ length: Int) -> Bool {
    guard start > 0 else { return true }
    let before = start - 1
    if at(before) == Self.joiner { return false }
    if isWord(before), isWord(start) || self.is(start, ".-+#@") && isWord(start + 1) {
      return false
    }
    if self.is(before, "&"), isWord(start), isWord(before - 1) { return false }
    if self.is(before, "'"), isWord(before - 1), isClitic(start, length) { return false }
    if isDigit(start), self.is(before, Self.joining), isDigit(before - 1) || at(before) == 0x5E {
      return false
    }
    guard isDigit(start) || isDigit(start + 1), !isWord(start) || isDigit(start) else {
      return true
    }
    // A minus sign, as in -5 or -$5, makes another number. A dash after a word or number does not.
    let sign = self.is(before, "$€£¥") ? before - 1 : before
    return !self.is(sign, "-") || isWord(sign - 1) || self.is(sign - 1, ")")
  }

  /// Returns true if all of a word is what English adds after an apostrophe, as in "it's".
  private func isClitic(_ start: Int, _ length: Int) -> Bool {
    length == 1 && self.is(start, "stdm")
      || length == 2
        && ["ll", "re", "ve"].contains { pair in
          zip(pair.unicodeScalars, scalars[start...]).allSatisfy { $0.value == $1 }
        }
  }

  private func endsFree(_ end: Int) -> Bool {
    let last = end - 1
    if at(end) == Self.joiner { return false }
    if isDigit(last) { return endsNumber(end) }
    guard isWord(last) else { return true }
    switch at(end) {
    case 0x23: return false
    case 0x2B: return isWord(end + 1)
    case 0x26: return !isWord(end + 1)
    // The end of "can't" makes the opposite of the word.
    case 0x27: return !self.is(end + 1, "t") || isWord(end + 2)
    default: return !isWord(end)
    }
  }

  /// Returns true if the number that precedes a place ends there.
  private func endsNumber(_ end: Int) -> Bool {
    if isWord(end) || self.is(end, "^") { return false }
    if self.is(end, Self.joining), isDigit(end + 1) {
      // A fraction of zeros does not make another number.
      var zeros = end + 1
      while self.is(zeros, "0") { zeros += 1 }
      return self.is(end, ".") && !isDigit(zeros)
        && !(self.is(zeros, Self.joining) && isDigit(zeros + 1))
    }
    if Unicode.Scalar(at(end))?.properties.numericType != nil { return false }
    guard at(end) == 0x20 || at(end) == Self.groupSpace else { return true }
    // Words such as "million" make another number.
    let word = scalars[(end + 1)...].prefix(12).compactMap(Unicode.Scalar.init)
    return !WrittenNumber.isScaled(by: String(String.UnicodeScalarView(word)))
  }
}
