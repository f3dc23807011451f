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
    for (place, value) in input.enumerated() {
      switch value {
      case 0: continue
      case 0x09...0x0D, 0x20:
        if value != 0x09, value != 0x20 { isBroken = true }
        space = 0x20
      case Self.groupSpace:
        let isGroup = input[(place + 1)...].prefix(4).prefix(while: Self.isDigit).count == 3
        space = isGroup && space == 0 && Self.isDigit(output.last ?? 0) ? value : 0x20
      default:
        // A line may break between two characters of a script without spaces.
        let isInWord = isBroken && Self.isUnspaced(output.last ?? 0) && Self.isUnspaced(value)
        if space != 0, !output.isEmpty, !isInWord { output.append(space) }
        (space, isBroken) = (0, false)
        output.append(value)
      }
    }
    scalars = output
  }

  /// Returns a scalar without the differences that readers do not see, or that have the same meaning
  /// in a number; U+0000 for an invisible one.
  static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    // Latin letters have no other form, and are frequent.
    case "\0"..."\u{7F}", "\u{C0}"..."\u{2BB}": return scalar
    case "‐", "\u{2011}", "‒", "–", "−", "﹣", "－": return "-"
    case "‘", "’", "‛", "ʼ", "´", "＇": return "'"
    case "“", "”", "„", "‟": return "\""
    case "٫", "．": return "."
    case "٬": return ","
    case "⁄": return "/"
    case "ς": return "σ"
    case "\u{85}", "\u{2028}", "\u{2029}": return "\n"
    case "\u{2007}", "\u{2009}", "\u{202F}": return "\u{A0}"
    case "\u{1680}", "\u{2000}"..."\u{2008}", "\u{200A}", "\u{205F}", "\u{3000}": return " "
    // The joiner is invisible, but it makes one emoji of two.
    case "\u{200D}": return scalar
    // Latin letters as wide as Chinese characters.
    case "\u{FF21}"..."\u{FF5A}": return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    default:
      if let digit = WrittenNumber.digit(scalar) { return digit }
      return scalar.properties.isDefaultIgnorableCodePoint ? "\0" : scalar
    }
  }

  private static func isDigit(_ value: UInt32) -> Bool { value >= 0x30 && value <= 0x39 }

  private static func isUnspaced(_ value: UInt32) -> Bool {
    guard value > 0x7F, let scalar = Unicode.Scalar(value) else { return false }
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
    func isSpace(_ value: UInt32) -> Bool { value == 0x20 || value == Self.groupSpace }
    for start in 0...(text.count - word.count) where text[start] == first {
      var end = 1
      while end < word.count,
        text[start + end] == word[end] || isSpace(text[start + end]) && isSpace(word[end])
      {
        end += 1
      }
      if end == word.count, startsFree(start, end), endsFree(start + end) { return true }
    }
    return false
  }

  private func at(_ place: Int) -> UInt32 { scalars.indices.contains(place) ? scalars[place] : 0 }

  private func isDigit(_ place: Int) -> Bool { Self.isDigit(at(place)) }

  private func isWord(_ place: Int) -> Bool {
    Unicode.Scalar(at(place)).map(WordSplitter.isSpaced) ?? false
  }

  private func isOne(_ place: Int, of marks: String) -> Bool {
    let value = at(place)
    return value != 0 && marks.unicodeScalars.contains { $0.value == value }
  }

  /// The marks that join digits to a number, a time, a date or a fraction.
  private static let joining = ".,':/_^\u{A0}"

  /// Returns true if a mark joins the digits around it; the commas of a list such as 4,5,6 do not.
  private func joins(_ mark: Int) -> Bool {
    guard isDigit(mark - 1), isDigit(mark + 1) else { return false }
    func isInRun(_ value: UInt32) -> Bool { value == 0x2C || Self.isDigit(value) }
    switch at(mark) {
    case 0xFF0C: return scalars[(mark + 1)...].prefix(4).prefix(while: Self.isDigit).count == 3
    case 0x2C:
      // A longer run is read in part, so that the search takes no longer in it.
      let start = scalars[..<mark].suffix(40).lastIndex { !isInRun($0) }.map { $0 + 1 }
      let run = scalars[(start ?? max(0, mark - 40))...].prefix(80).prefix(while: isInRun)
      let groups = run.split(separator: 0x2C).map(\.count).dropFirst()
      let isIndian = groups.last == 3 && groups.dropLast().allSatisfy { $0 == 2 }
      return groups.count < 2 || isIndian || groups.allSatisfy { $0 == 3 }
    default: return isOne(mark, of: Self.joining)
    }
  }

  /// Returns true if a year starts at a place, at the end of a date such as 29.11.2026 or 11/2026.
  private func isYear(_ start: Int) -> Bool {
    let year = scalars[start...].prefix(5).prefix(while: Self.isDigit)
    let mark = at(start - 1)
    guard year.count == 4, [0x3139, 0x3230].contains(at(start) << 8 | at(start + 1)),
      mark == 0x2E || mark == 0x2F, !joins(start + 4)
    else { return false }
    let date = scalars[..<(start - 1)].suffix(6).reversed().prefix {
      Self.isDigit($0) || $0 == mark
    }
    let parts = date.split(separator: mark, omittingEmptySubsequences: false).map(\.count)
    return parts.count <= 2 && parts.allSatisfy { 1...2 ~= $0 }
      && (mark == 0x2F || parts.count == 2)
  }

  /// The words of the text, in order.
  ///
  /// A number is one word, with its sign. A word has the marks that make another word of it.
  var words: [String] {
    var words: [String] = []
    var place = 0
    while place < scalars.count {
      guard Unicode.Scalar(at(place)).map(WordSplitter.isWordScalar) == true else {
        place += 1
        continue
      }
      let start = place
      repeat {
        place += 1
        if isDigit(place - 1), joins(place), !endsNumber(place) { place += 1 }
      } while Unicode.Scalar(at(place)).map(WordSplitter.isWordScalar) == true
      var word = Array(scalars[start..<place])
      if isDigit(start),
        at(start - 1) == 0x2D || isOne(start - 1, of: "$€£¥") && at(start - 2) == 0x2D,
        !startsFree(start, place - start)
      {
        word.insert(0x2D, at: 0)
      }
      if !endsFree(place) {
        word += scalars[place...].prefix { [0x23, 0x26, 0x27, 0x2B, 0x60].contains($0) }
      }
      words.append(String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init))))
    }
    return words
  }

  private func startsFree(_ start: Int, _ length: Int) -> Bool {
    guard start > 0 else { return true }
    let before = start - 1
    let isWord = isWord(start)
    if self.isWord(before), isWord || isOne(start, of: ".-+#@") && self.isWord(start + 1) {
      return false
    }
    // The letters after an apostrophe, as in "it's", are not a word.
    let isClitic =
      length == 1 && isOne(start, of: "stdm")
      || length == 2
        && ["ll", "re", "ve"].contains { pair in
          pair.unicodeScalars.map(\.value).elementsEqual(scalars[start..<(start + 2)])
        }
    if isWord && isOne(before, of: "&") || isClitic && isOne(before, of: "'"),
      self.isWord(before - 1)
    {
      return false
    }
    guard isDigit(start) || !isWord && isDigit(start + 1) else { return at(before) != 0x200D }
    if isDigit(start), at(before) == 0x5E || joins(before) && !isYear(start) { return false }
    // LaTeX separates groups of digits by `{,}` and `\,`.
    if at(before) == 0x2C && at(before - 1) == 0x5C || at(before) == 0x7D && at(before - 1) == 0x2C
    {
      return false
    }
    // A minus sign, as in -5 or -$5, makes another number. A dash after a word or number does not.
    let sign = isOne(before, of: "$€£¥") ? before - 1 : before
    let isExponent = at(sign - 1) == 0x65 && isDigit(sign - 2)
    return at(sign) != 0x2D || self.isWord(sign - 1) && !isExponent || at(sign - 1) == 0x29
  }

  private func endsFree(_ end: Int) -> Bool {
    if isDigit(end - 1) { return endsNumber(end) }
    guard isWord(end - 1) else { return at(end) != 0x200D }
    switch Unicode.Scalar(at(end)) {
    case "#": return false
    case "+": return isWord(end + 1)
    case "&": return !isWord(end + 1)
    // The end of "can't" makes the opposite of the word.
    case "'", "`": return at(end + 1) != 0x74 || isWord(end + 2)
    default: return !isWord(end)
    }
  }

  /// Returns true if the number that precedes a place ends there.
  private func endsNumber(_ end: Int) -> Bool {
    if isWord(end) || isOne(end, of: "^") || isOne(end, of: "{\\") && at(end + 1) == 0x2C
      || Unicode.Scalar(at(end))?.properties.numericType != nil
    {
      return false
    }
    if joins(end) {
      // A fraction of zeros does not make another number, nor does the full hour of a time.
      let next = end + 1 + scalars[(end + 1)...].prefix { $0 == 0x30 }.count
      return isOne(end, of: ".:") && !isDigit(next)
        && !(isOne(next, of: Self.joining) && isDigit(next + 1))
    }
    // A power of ten, as in 3 × 10^5.
    var next = at(end) == 0x20 ? end + 1 : end
    if isOne(next, of: "×·⋅*x") {
      next += at(next + 1) == 0x20 ? 2 : 1
      if at(next) == 0x31, at(next + 1) == 0x30, !endsNumber(next + 2) { return false }
    }
    guard at(end) == 0x20 else { return true }
    // Words such as "million" make another number.
    let word = scalars[(end + 1)...].prefix(12).compactMap(Unicode.Scalar.init)
    return !WrittenNumber.isScaled(by: String(String.UnicodeScalarView(word)))
  }
}
