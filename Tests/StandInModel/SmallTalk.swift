/// Messages that are only friendly.
enum SmallTalk {
  static func isAll(of text: Text) -> Bool {
    let count = text.wordCount
    if count == 0 { return true }
    guard count <= 30, phrases.occurs(in: text) || count <= 2 && !asksForWork.occurs(in: text)
    else { return false }
    return !asksForWork.occurs(in: text)
  }

  private static let phrases: PhraseList = [
    "thank*", "thx", "hi", "hey", "hello", "good morning", "good night", "morning",
    "happy birthday", "congrat*", "welcome", "haha*", "lol", "have a", "enjoy", "see you",
    "sounds good", "great", "perfect", "nice", "awesome", "cool", "ok", "okay", "sure", "will do",
    "got it", "on it", "lgtm", "weekend", "coffee", "raining", "pouring", "cheers", "bye",
    "no worries", "yes", "done", "hope", "danke", "guten", "gracias", "hola", "merci", "bonjour",
    "ciao", "buongiorno", "お疲れさまです", "nope", "yep", "yeah", "aww", "wow", "seriously", "miss",
    "lunch",
  ]
  private static let asksForWork: PhraseList = [
    "can you", "could you", "please", "pls", "need", "fix", "check", "send", "did you", "when",
    "which", "where", "who", "should", "still", "why", "review", "update", "have you", "bug",
    "fixed", "broken", "change", "kannst", "puedes", "it", "that", "they",
  ]
}

/// Messages whose sender is still typing.
enum Draft {
  /// Returns true if the text ends without punctuation in the middle of something.
  static func breaksOff(_ text: Text) -> Bool {
    guard let last = text.words.last, last.after.isEmpty || last.after == ",",
      !last.text.contains(where: \.isEmoji), last.text.contains(where: \.isLetter), !last.isLink
    else { return false }
    return true
  }
}
