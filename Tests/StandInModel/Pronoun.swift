/// A pronoun that refers to a thing or a person.
struct Pronoun {
  enum Kind {
    case thing, person, several

    func question(_ word: String) -> String {
      switch self {
      case .thing: "What does \"\(word)\" refer to?"
      case .person: "Who is meant by \"\(word)\"?"
      case .several: "Who or what is meant by \"\(word)\"?"
      }
    }
  }

  let kind: Kind
  let written: String
  /// True if the pronoun refers to nothing, as in "it is raining" and "it was great to see you".
  let isDummy: Bool
  /// True if the pronoun clearly refers to nothing.
  let isPlainlyEmpty: Bool

  init?(at index: Int, in words: ArraySlice<Word>) {
    let word = words[index]
    guard !word.before.contains("`") else { return nil }
    let stem = word.stem
    let next = index + 1 < words.endIndex && !word.endsClause ? words[index + 1].text : ""
    let isContraction = word.text.contains("'") && word.text.count > stem.count
    switch stem {
    case "it", "its": kind = .thing
    case "this", "that", "these", "those":
      let previous = index > words.startIndex ? words[index - 1] : nil
      let isAsked = previous.map { Self.auxiliaries.contains($0.text) } ?? false
      let endsQuestion = isAsked && index + 2 == words.endIndex
      let stands =
        isContraction || next.isEmpty || Self.behindPronoun.contains(next) || endsQuestion
      guard stands else { return nil }
      if stem == "that", !isContraction, !isAsked, let previous, !previous.endsClause {
        // After a verb or a noun, "that" starts a clause, unless it is the last word or a time
        // follows.
        guard next.isEmpty || Self.times.contains(next) else { return nil }
      }
      kind = .thing
    case "he", "hes", "she", "shes", "him", "her", "his":
      // "Her parcel" says whose parcel it is, but still refers to a person.
      kind = .person
    case "they", "theyre", "them", "their": kind = .several
    case "das":
      guard Self.behindDas.contains(next) || next.isEmpty else { return nil }
      kind = .thing
    case "lo":
      // In Spanish, "lo" before a verb refers to a thing, but "lo que" and "por lo" do not.
      guard index == words.startIndex || words[index - 1].text != "por", next != "que",
        next.hasSuffix("ste") || next.hasSuffix("s") || next.hasSuffix("n") || next.hasSuffix("do")
      else { return nil }
      kind = .thing
    default: return nil
    }
    written = word.written
    isDummy =
      Self.dummies.match(at: index, in: words) != nil
      || (index > words.startIndex && Self.dummyEnds.match(at: index - 1, in: words) != nil)
    isPlainlyEmpty = Self.weather.match(at: index, in: words) != nil
  }

  private static let behindPronoun: Set<String> = [
    "is", "was", "isn't", "wasn't", "are", "were", "will", "would", "can", "could", "should", "has",
    "had", "needs", "works", "worked", "looks", "looked", "seems", "means", "does", "doesn't",
    "did", "happens", "happened", "depends", "makes", "breaks", "on", "in", "for", "to", "by",
    "before", "after", "when", "at", "with", "and", "or", "but", "again", "now", "today", "too",
    "tomorrow", "please", "might", "may", "must", "first", "asap", "tonight", "only", "really",
    "ever",
  ]
  private static let auxiliaries: Set<String> = [
    "is", "was", "did", "does", "has", "will", "would", "can", "could", "should", "are", "were",
  ]
  private static let behindDas: Set<String> = [
    "bitte", "noch", "nochmal", "mal", "bis", "heute", "morgen", "schon", "auch", "so", "nicht",
  ]
  private static let times: Set<String> = [
    "today", "tomorrow", "now", "before", "again", "asap", "tonight", "on", "by", "until", "first",
  ]
  private static let weather: PhraseList = [
    "it's raining", "it's pouring", "it's snowing", "it's cold", "it's hot", "it's late",
    "it's early", "it's friday", "it's monday", "it is raining", "it's absolutely", "it was nice",
    "it was great to", "it was lovely", "it's great to", "it's nice to", "it's a pleasure",
  ]
  private static let dummies: PhraseList = [
    "it takes", "it took", "it looks like", "it seems", "it turns out", "it would be", "it'd be",
    "it might be", "it may be", "it makes sense", "it's time", "it's been", "it has been",
    "it's hard to", "it's easy to", "it's better", "it's possible", "it's worth", "it depends",
    "it is late", "it doesn't matter", "it was a", "it's a", "it's ok", "it's okay", "it's fine",
    "that's fine", "that's great", "that's ok", "that's right", "that's all", "that's why",
    "that's it", "that would be", "that's how", "this is how", "this week", "it's raining",
    "it's pouring", "it's late", "it was nice", "it's nice",
  ]
  private static let dummyEnds: PhraseList = [
    "take it", "made it", "make it", "is it", "get it", "got it", "was it", "what's it",
  ]
}
