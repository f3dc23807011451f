/// Words with the same meaning, so that a question finds an answer in other words or another
/// language.
struct Thesaurus: Sendable {
  /// A meaning.
  ///
  /// If a question asks for it, its answer must contain it.
  struct Concept: Hashable, Sendable {
    let name: String
    let isAsked: Bool
  }

  static let questions = Thesaurus(ThesaurusLines.text)

  private var byWord: [String: [Concept]] = [:]
  private var byPrefix: [UInt8: [(prefix: String, concept: Concept)]] = [:]
  private var fragments: [(list: FragmentList, concept: Concept)] = []

  /// Reads lines such as `price! cost* how-much | 値段`: a name, an exclamation mark if questions ask
  /// for it, words, and word fragments after the bar.
  init(_ lines: String) {
    for line in lines.split(whereSeparator: \.isNewline) {
      let halves = line.split(separator: "|", maxSplits: 1)
      let words = halves[0].split(separator: " ").map(String.init)
      guard let head = words.first else { continue }
      let concept = Concept(
        name: head.filter { $0 != "!" },
        isAsked: head.hasSuffix("!")
      )
      add(concept.name, concept)
      for word in words.dropFirst() { add(word, concept) }
      if halves.count == 2 {
        let pieces = halves[1].split(separator: " ").map(String.init)
        fragments.append((FragmentList(pieces), concept))
      }
    }
  }

  private mutating func add(_ word: String, _ concept: Concept) {
    if word.hasSuffix("*"), let byte = word.utf8.first {
      byPrefix[byte, default: []].append((String(word.dropLast()), concept))
    } else {
      byWord[word, default: []].append(concept)
    }
  }

  /// Returns the meanings of words.
  func concepts(of words: some Sequence<Word>) -> Set<Concept> {
    var found: Set<Concept> = []
    var previous = ""
    for word in words {
      for text in [word.text, ContentWords.stem(word.text), previous + "-" + word.text] {
        found.formUnion(byWord[text] ?? [])
      }
      if let byte = word.text.utf8.first {
        for (prefix, concept) in byPrefix[byte] ?? [] where word.text.hasPrefix(prefix) {
          found.insert(concept)
        }
      }
      previous = word.text
    }
    return found
  }

  /// Returns the meanings of word fragments in a text.
  func concepts(ofPiecesIn text: String) -> Set<Concept> {
    Set(fragments.filter { $0.list.occurs(in: text) }.map(\.concept))
  }
}
