/// The rules for borderline cases of clarity, which version 2 of the prompt adds.
enum ClarityBorders {
  /// Nouns that are vague without context, in addition to those of ``VagueReference``.
  static let nouns: Set<String> = [
    "icon", "icons", "date", "feedback", "screenshot", "photo", "photos", "picture", "pictures",
    "recording", "presentation", "survey", "header", "notes", "attachment", "proposal", "contract",
    "template", "prototype", "video", "article", "folder", "function", "field", "comment",
    "comments", "setting", "settings", "package", "order", "colour", "color", "font", "animation",
  ]

  static let bareRequests: PhraseList = [
    "please approve", "can you approve", "could you approve", "please sign", "can you sign",
    "please confirm", "please send", "can you send", "please forward", "please advise",
    "can you decide", "please decide", "please reply", "can you update", "please update",
    "can you share", "please share", "i'd take", "please merge", "can you merge", "can you test",
  ]

  /// Returns true if a message only asks for a clarification.
  static func asksBack(_ text: Text) -> Bool {
    text.wordCount <= 30 && questionsBack.occurs(in: text) && text.raw.contains("?")
  }

  private static let questionsBack: PhraseList = [
    "do you mean", "did you mean", "you mean", "what do you mean", "who do you mean", "meant by",
    "what is meant", "are you talking about", "meinst du", "te refieres", "tu veux dire",
  ]

  /// Returns true if a pronoun is part of an idiom and refers to nothing.
  static func isIdle(at index: Int, in words: ArraySlice<Word>) -> Bool {
    let start = max(words.startIndex, index - 2)
    return (start...index).contains { first in
      idioms.match(at: first, in: words)?.contains(index) ?? false
    }
  }

  private static let idioms: PhraseList = [
    "that's it", "that is it", "it going", "there it is", "here it is", "make it", "made it",
    "without it", "it's getting", "it is getting", "it's a girl", "it's a boy", "it's a pleasure",
    "call it a day", "take it easy", "worth it", "it rains", "it snows", "they say", "that's life",
    "here's", "it's late", "it's early", "it's been ages", "it was late", "how's it", "so be it",
    "it's no use", "that being said", "having said that", "it's on me", "get it over with",
  ]

  /// Returns true if a word is the department "IT" and not the pronoun.
  static func isDepartment(_ word: Word) -> Bool { word.written == "IT" || word.written == "IT's" }

  /// Returns true if a sentence only describes the sender's own plan.
  static func isOwnPlan(_ words: ArraySlice<Word>) -> Bool {
    plans.occurs(in: words) && !others.occurs(in: words)
  }

  private static let plans: PhraseList = [
    "i'll", "i will", "i'm going to", "i am going to", "i'm finishing", "ich werde", "ich mache",
    "voy a", "je vais", "vou",
  ]
  private static let others: PhraseList = [
    "you", "your", "please", "can you", "could you", "he", "she", "him", "her", "they", "them",
  ]

  /// Returns true if a reference has a name, number or date next to it.
  static func isKnown(_ reference: VagueReference, in words: ArraySlice<Word>) -> Bool {
    guard let noun = words.firstIndex(where: { $0.stem == reference.noun }),
      noun + 1 < words.endIndex, !words[noun].endsClause
    else { return false }
    let next = words[noun + 1]
    return next.text.contains(where: \.isNumber) || next.isName || next.before.contains("(")
  }
}
