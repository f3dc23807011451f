/// The clear referents in a text for pronouns and vague nouns.
struct References {
  private struct Mention {
    var isPerson: Bool
    var index: Int
  }

  private var mentions: [Mention] = []
  private var nouns: [String: Int] = [:]
  private let hasIdentifier: Bool
  /// True if the text names two persons or two things together.
  private let isPairOfPersons: Bool
  private let isPairOfThings: Bool
  /// Nouns that a sentence uses more than once, as in "the first draft and the second draft".
  private var repeated: Set<String> = []
  private var titles = 0

  init(in text: Text) {
    var persons: Set<String> = []
    var isPairOfPersons = false
    for words in text.sentences.map(\.words) {
      var once: Set<String> = []
      for index in words.indices {
        let word = words[index]
        if !once.insert(word.text.singular).inserted { repeated.insert(word.text.singular) }
        if ["ms", "mrs", "mr", "dr"].contains(word.text) { titles += 1 }
        nouns[word.text.singular, default: 0] += 1
        if Self.isPerson(at: index, in: words) {
          mentions.append(Mention(isPerson: true, index: index))
          persons.insert(word.text)
          if index + 2 < words.endIndex, words[index + 1].text == "and", words[index + 2].isName {
            isPairOfPersons = true
          }
        }
        if word.isIdentifier || Self.isThing(at: index, in: words) {
          mentions.append(Mention(isPerson: false, index: index))
        }
      }
    }
    self.isPairOfPersons = isPairOfPersons && persons.count == 2
    isPairOfThings = Self.pairs.occurs(in: text)
    hasIdentifier = text.words.contains(where: \.isIdentifier)
  }

  var isEmpty: Bool { mentions.isEmpty }

  /// Returns true if the text as a whole explains a pronoun of this kind.
  func explains(_ kind: Pronoun.Kind) -> Bool {
    switch kind {
    case .thing: !isPairOfThings && mentions.contains { !$0.isPerson }
    case .person: !isPairOfPersons && mentions.contains(where: \.isPerson)
    case .several: !mentions.isEmpty
    }
  }

  /// Returns true if a pronoun of this kind could refer to either of two items that the text names
  /// together.
  func hasCandidates(for kind: Pronoun.Kind) -> Bool {
    switch kind {
    case .thing: isPairOfThings
    case .person: isPairOfPersons || titles >= 2
    case .several: false
    }
  }

  /// Returns true if the text names two items with this noun together.
  func hasCandidates(for noun: String) -> Bool { repeated.contains(noun.singular) }

  /// Returns true if the text before a pronoun explains it, or the text after it, as in "Before I
  /// merge it, …".
  func explains(_ kind: Pronoun.Kind, at index: Int, in sentence: Sentence) -> Bool {
    if kind == .thing, hasIdentifier { return true }
    if kind == .person, isPairOfPersons { return false }
    let looksAhead = sentence.words.first.map { Self.lookingAhead.contains($0.text) } ?? false
    return mentions.contains { mention in
      (kind == .several || mention.isPerson == (kind == .person))
        && (mention.index < index || looksAhead)
    }
  }

  /// Returns true if the text uses the noun.
  func mentions(_ noun: String) -> Bool {
    if Self.openNouns.contains(noun) { return !isPairOfThings && !mentions.isEmpty }
    return nouns[noun.singular] != nil
  }

  /// Returns true if the text specifies elsewhere which item the noun means.
  func specifies(_ noun: String, at index: Int) -> Bool {
    if Self.openNouns.contains(noun) { return mentions.contains { $0.index < index } }
    return hasIdentifier || nouns[noun.singular, default: 0] > 1
  }

  private static func isPerson(at index: Int, in words: ArraySlice<Word>) -> Bool {
    let word = words[index]
    if people.contains(word.text) { return true }
    guard word.isName else { return false }
    // Every word is capitalized at the start of a sentence, but only a name is followed by a
    // predicate.
    guard word.startsSentence, !word.endsClause, index + 1 < words.endIndex else { return true }
    return predicates.contains(words[index + 1].text)
  }

  /// Returns true if a word ends a phrase that names a specific thing: "the October hosting bill".
  private static func isThing(at index: Int, in words: ArraySlice<Word>) -> Bool {
    let word = words[index]
    guard word.text.count > 2, word.text.contains(where: \.isLetter), !isFunctionWord(word.text)
    else { return false }
    guard index > words.startIndex else { return false }
    let previous = words[index - 1]
    guard !previous.endsClause else { return false }
    if determiners.contains(previous.text) {
      return !VagueReference.nouns.contains(word.stem) && !people.contains(word.text)
        && !times.contains(word.text)
    }
    // Two content words in a row after a determiner name more than a kind of thing.
    guard index - 1 > words.startIndex, !isFunctionWord(previous.text),
      !times.contains(previous.text), !times.contains(word.text)
    else { return false }
    let start = max(words.startIndex, index - 4)
    return words[start..<(index - 1)].contains { determiners.contains($0.text) }
  }

  private static let predicates: Set<String> = [
    "said", "says", "asked", "asks", "wants", "wanted", "is", "was", "has", "had", "will", "would",
    "can", "could", "and", "told", "thinks", "promised", "agreed", "sent", "needs", "wrote",
    "found", "mentioned", "from", "just", "already", "suspects", "knows", "fixed", "merged",
    "approved",
  ]
  private static let openNouns: Set<String> = ["one", "ones", "others", "thing", "things", "stuff"]
  private static let lookingAhead: Set<String> = ["before", "when", "once", "if", "after", "as"]

  private static func isFunctionWord(_ word: String) -> Bool { functionWords.contains(word) }

  private static let determiners: Set<String> = [
    "the", "a", "an", "my", "your", "our", "this", "that", "these", "those", "every", "each",
    "both", "two", "three", "der", "die", "das", "den", "dem", "el", "la", "los", "las", "le", "un",
    "una", "ein", "eine", "no", "new",
  ]
  private static let times: Set<String> = [
    "morning", "afternoon", "evening", "week", "month", "year", "day", "time", "moment", "minute",
    "weekend", "bit", "lot", "way", "chance", "end", "same", "next", "last", "first", "other",
  ]
  private static let people: Set<String> = [
    "client", "customer", "manager", "boss", "team", "designer", "engineer", "developer", "finance",
    "legal", "marketing", "sales", "support", "user", "users", "customers", "people", "everybody",
    "everyone", "colleague", "daughter", "son", "wife", "husband", "guys", "candidate", "person",
  ]
  private static let pairs: PhraseList = [
    "both are", "two separate", "two things", "two issues", "two bugs", "two pages",
    "there are two", "there are three", "which of the",
  ]
  private static let functionWords: Set<String> = Set(
    """
    a about after again all also am an and any are as at back be because been before but by can
    could did do does doesn't don't done for from get go good got had has have he her here him his
    how i i'd i'll i'm i've if in into is isn't it it's its just know let like look make maybe me
    might more most much my need needs new no not now of off ok on one only or other our out over
    please same see she should so some still sure take than thanks that that's the their them then
    there these they this those to today tomorrow too try up us use very want was we were what when
    where which while who why will with work would yes yet you you're your ich du er sie es wir ihr
    ist und oder nicht bitte kannst
    """.split(whereSeparator: \.isWhitespace).map(String.init)
  )
}

extension String {
  fileprivate var singular: String { count > 3 && hasSuffix("s") ? String(dropLast()) : self }
}
