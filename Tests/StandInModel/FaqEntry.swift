/// An entry of a creator's FAQ, as analyzed by the stand-in.
struct FaqEntry {
  let id: String
  let question: Text
  let answer: Text
  let stems: Set<String>
  let concepts: Set<Thesaurus.Concept>
  /// True if the answer excludes everything that it does not name: "nowhere else", "no", "only".
  let isExclusive: Bool

  /// Reads a line of an FAQ: the id in brackets, the question, the answer.
  init?(_ line: Substring) {
    guard line.hasPrefix("["), let close = line.firstIndex(of: "]") else { return nil }
    id = String(line[line.index(after: line.startIndex)..<close])
    let text = Text(String(line[line.index(after: close)...].drop(while: \.isWhitespace)))
    guard let heading = text.sentences.first else { return nil }
    func part(_ words: ArraySlice<Word>) -> Text {
      Text(words.map { $0.before + $0.written + $0.after }.joined(separator: " "))
    }
    question = part(heading.words)
    answer = part(text.words[heading.words.endIndex...])
    stems = ContentWords.stems(of: text.words)
    let thesaurus = Thesaurus.questions
    var concepts = thesaurus.concepts(of: text.words).union(
      thesaurus.concepts(ofPiecesIn: text.raw)
    )
    func add(_ name: String, if isTrue: Bool) {
      if isTrue { concepts.insert(Thesaurus.Concept(name: name, isAsked: true)) }
    }
    add("price", if: answer.words.contains { $0.text.contains { "€$£₹¥".contains($0) } })
    add(
      "where",
      if: answer.words.contains { $0.text.contains(".example.") || $0.text.contains("@") }
    )
    add(
      "when",
      if: MatterWords.dates.occurs(in: answer) || Self.days.occurs(in: answer)
        || answer.words.contains { $0.text.contains(":") }
    )
    self.concepts = concepts
    isExclusive = Self.exclusions.occurs(in: answer)
  }

  /// True if the entry is about offers.
  var takesOffers: Bool { Self.dealings.occurs(in: question) }

  private static let dealings: PhraseList = [
    "advertise", "sponsor", "book you", "hire you", "collaborate", "commissions", "interview",
    "weddings", "wholesale",
  ]
  private static let days: PhraseList = [
    "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "daily",
    "each month", "every week",
  ]
  private static let exclusions: PhraseList = [
    "only", "nowhere", "nothing else", "no", "none", "not", "never", "any",
  ]
}
