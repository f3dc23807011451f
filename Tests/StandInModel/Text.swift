/// A text that is split into sentences and words for the rules.
struct Text {
  let raw: String
  let words: [Word]
  let sentences: [Sentence]

  init(_ raw: String) {
    self.raw = raw
    var words: [Word] = []
    // The slices are taken last, because an earlier slice would be copied with every further word.
    var ranges: [Range<Int>] = []
    var start = 0
    func endSentence() {
      guard words.count > start else { return }
      ranges.append(start..<words.count)
      start = words.count
    }
    for line in Self.paragraphs(of: raw) {
      for chunk in line.split(whereSeparator: { $0.isWhitespace }) {
        for piece in Word.pieces(of: chunk) {
          words.append(Word(piece, startsSentence: words.count == start))
          if words[words.count - 1].endsSentence { endSentence() }
        }
      }
      endSentence()
    }
    self.words = words
    sentences = ranges.map { Sentence(words: words[$0]) }
  }

  /// Returns the lines of a text, with wrapped lines joined again.
  static func paragraphs(of raw: String) -> [String] {
    var paragraphs: [String] = []
    var previous: Substring = ""
    for line in raw.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
      let isBroken =
        previous.count >= 80 && !(previous.last.map { ".!?:;…".contains($0) } ?? true)
      if isBroken, let first = line.first, first.isLetter || first.isNumber || first == " " {
        paragraphs[paragraphs.count - 1] += " " + line
      } else {
        paragraphs.append(String(line))
      }
      previous = line
    }
    return paragraphs
  }

  /// True if the text contains a link, which explains a vague word.
  var hasLink: Bool { words.contains(where: \.isLink) }
}

/// A run of words up to a full stop, a question mark or the end of a line.
struct Sentence {
  let words: ArraySlice<Word>
}

/// A word with its spelling and its punctuation.
struct Word {
  /// The word in lower case, with straight apostrophes and without the punctuation around it.
  let text: String
  /// The word as it was written.
  let written: String
  /// The punctuation before and after the word.
  let before: Substring
  let after: Substring
  let startsSentence: Bool

  fileprivate init(_ chunk: Substring, startsSentence: Bool) {
    let first = chunk.firstIndex(where: Self.isPartOfWord) ?? chunk.startIndex
    var end = chunk.lastIndex(where: Self.isPartOfWord).map { chunk.index(after: $0) }
    if first == chunk.startIndex, end == nil { end = chunk.endIndex }
    let core = chunk[first..<(end ?? chunk.endIndex)]
    written = String(core)
    let lowered = core.lowercased()
    text = Self.isASCII(core) ? lowered : String(lowered.map { $0 == "’" ? "'" : $0 })
    before = chunk[..<first]
    after = chunk[(end ?? chunk.endIndex)...]
    self.startsSentence = startsSentence
  }

  /// Splits a chunk at dashes and slashes that join words, and after ideographic punctuation.
  fileprivate static func pieces(of chunk: Substring) -> [Substring] {
    if isASCII(chunk) || chunk.contains("://") || chunk.hasPrefix("`") { return [chunk] }
    return chunk.split(omittingEmptySubsequences: true) { $0 == "—" || $0 == "–" }
      .flatMap { part -> [Substring] in
        var pieces: [Substring] = []
        var rest = part
        while let mark = rest.firstIndex(where: { "。！？、".contains($0) }) {
          let next = rest.index(after: mark)
          pieces.append(rest[..<next])
          rest = rest[next...]
        }
        return rest.isEmpty ? pieces : pieces + [rest]
      }
  }

  private static func isASCII(_ text: Substring) -> Bool {
    for unit in text.utf8 where unit >= 0x80 { return false }
    return true
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_@#/$%&+".contains(character)
  }

  var endsSentence: Bool {
    if after.isEmpty { return false }
    // The second full stop of a date such as 04.12. does not end a sentence.
    if after == ".", written.contains("."), written.allSatisfy({ $0.isNumber || $0 == "." }) {
      return false
    }
    return after.contains(where: { ".!?…。！？".contains($0) })
  }

  /// True if a clause ends after the word.
  var endsClause: Bool { endsSentence || after.contains(where: { ",;:)、".contains($0) }) }

  /// The word without a contraction or a possessive: "meeting" for "meeting's".
  var stem: String { text.split(separator: "'").first.map(String.init) ?? text }

  var isLink: Bool { text.contains("://") || text.hasPrefix("www.") }

  var isCapitalised: Bool { written.first?.isUppercase ?? false }

  /// True if the word is in capitals and has at least three letters.
  var isShouted: Bool {
    var letters = 0
    for character in written where character.isLetter {
      guard character.isUppercase else { return false }
      letters += 1
    }
    return letters >= 3
  }

  /// True if the word names a single thing: a file, a ticket, a link or a piece of code.
  var isIdentifier: Bool {
    if isLink || (before.contains("`") && after.contains("`")) { return true }
    if text.hasPrefix("#"), text.count > 1 { return true }
    let characters = Array(text)
    let hasDigit = characters.contains(where: \.isNumber)
    let hasLetter = characters.contains(where: \.isLetter)
    if hasDigit, hasLetter, text.contains("-") || isShoutedStart { return true }
    guard let dot = characters.lastIndex(of: "."), dot > 0, dot < characters.count - 1 else {
      return text.contains("_") || text.contains("()") || isCamelCase
    }
    return characters[(dot + 1)...].allSatisfy { $0.isLetter || $0.isNumber }
      && characters[..<dot].contains(where: \.isLetter)
  }

  private var isShoutedStart: Bool { written.prefix(2).allSatisfy(\.isUppercase) }

  private var isCamelCase: Bool {
    guard written.first?.isLetter ?? false else { return false }
    return zip(written, written.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
  }
}
