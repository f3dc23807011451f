/// Phrases to search for in a text, word by word.
///
/// `*` at the end of a word matches any ending.
struct PhraseList: ExpressibleByArrayLiteral, Sendable {
  private struct Phrase {
    let words: [String]
    let isPrefix: [Bool]
  }

  private var byFirstWord: [String: [Phrase]] = [:]
  /// Phrases by the first byte of their prefix, so that each word is compared with only a few of
  /// them.
  private var byFirstPrefix: [UInt8: [Phrase]] = [:]

  init(_ phrases: some Sequence<String>) {
    for text in phrases {
      let parts = text.split(separator: " ")
      guard let first = parts.first else { continue }
      let phrase = Phrase(
        words: parts.map { String($0.hasSuffix("*") ? $0.dropLast() : $0) },
        isPrefix: parts.map { $0.hasSuffix("*") }
      )
      if first.hasSuffix("*"), let byte = phrase.words[0].utf8.first {
        byFirstPrefix[byte, default: []].append(phrase)
      } else {
        byFirstWord[phrase.words[0], default: []].append(phrase)
      }
    }
  }

  init(arrayLiteral elements: String...) { self.init(elements) }

  /// Returns the longest phrase that starts at an index.
  func match(at index: Int, in words: ArraySlice<Word>) -> Range<Int>? {
    guard index >= words.startIndex, index < words.endIndex else { return nil }
    var longest = 0
    let word = words[index].text
    let candidates = [byFirstWord[word], word.utf8.first.flatMap { byFirstPrefix[$0] }]
    for case let phrases? in candidates {
      for phrase in phrases where phrase.words.count > longest {
        if fits(phrase, at: index, in: words) { longest = phrase.words.count }
      }
    }
    return longest > 0 ? index..<(index + longest) : nil
  }

  /// Returns all phrases in reading order, without overlaps.
  func matches(in words: ArraySlice<Word>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = words.startIndex
    while index < words.endIndex {
      if let range = match(at: index, in: words) {
        found.append(range)
        index = range.upperBound
      } else {
        index += 1
      }
    }
    return found
  }

  func firstMatch(in words: ArraySlice<Word>) -> Range<Int>? {
    for index in words.indices {
      if let range = match(at: index, in: words) { return range }
    }
    return nil
  }

  func occurs(in words: ArraySlice<Word>) -> Bool { firstMatch(in: words) != nil }

  func occurs(in text: Text) -> Bool { occurs(in: text.words[...]) }

  func contains(_ word: Word) -> Bool { match(at: 0, in: [word]) != nil }

  private func fits(_ phrase: Phrase, at index: Int, in words: ArraySlice<Word>) -> Bool {
    guard index + phrase.words.count <= words.endIndex else { return false }
    for offset in phrase.words.indices {
      let word = words[index + offset].text
      let fits =
        phrase.isPrefix[offset]
        ? word.hasPrefix(phrase.words[offset]) : word == phrase.words[offset]
      guard fits else { return false }
      // A phrase does not continue past the end of a sentence.
      if offset + 1 < phrase.words.count, words[index + offset].endsSentence { return false }
    }
    return true
  }
}
