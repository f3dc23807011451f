/// The words with which people in a thread accept, postpone, withdraw and joke.
enum DecisionWords {
  static let accepting: PhraseList = [
    "agreed", "deal", "ok", "okay", "fine", "yes", "yep", "yeah", "yup", "sold", "+1", "sure",
    "works for me", "sounds good", "good", "great", "perfect", "done", "i'm in", "im in", "love it",
    "signed", "absolutely", "exactly", "of course", "fair", "cool", "go for it", "do it",
    "i like", "approved", "seconded", "👍", "🎉", "🤝", "🙌", "💯", "✅", "👌", "einverstanden",
    "überzeugt", "passt", "stimmt", "gut", "abgemacht", "gerne", "klar", "parfait", "d'accord",
    "ça marche",
    "alors", "vale", "hecho", "perfecto", "de acuerdo", "trato", "fechado", "combinado", "beleza",
    "ठीक", "पक्का", "सही", "theek", "اتفقنا", "ممتاز", "موافق", "موافقة", "تمام", "了解*", "賛成*",
  ]
  /// Phrases of a person who wants to close a matter.
  static let settling: PhraseList = [
    "it is", "is out", "out with it", "goes out", "final", "it's decided", "decided", "settled",
    "let's", "then", "stays", "take", "back to", "we go with", "going with", "sold", "deal",
    "roll back", "rolling back", "we'll", "we drop", "dabei", "dann", "alors", "entonces", "então",
  ]
  static let proposing: PhraseList = [
    "let's", "let us", "can we", "could we", "shall we", "should we", "i'd", "i would", "how about",
    "what about", "why not", "proposal", "then", "please", "we could", "start", "use", "drop",
    "move", "keep", "make", "try", "sollen", "würde",
    "können", "podemos", "mettre", "أقترح", "نطلق", "करें",
  ]
  /// Words of a question that leaves the choice open.
  static let choosing: PhraseList = ["or", "oder", "ou", "o", "या", "أم", "vs"]
  static let puttingOff: PhraseList = [
    "later", "next week", "next month", "next sprint", "next planning", "in a month", "in a week",
    "sleep on", "let me think", "need to think", "have to think", "not sure", "no idea", "depends",
    "don't know", "dunno", "maybe",
    "i'd tend", "tend to", "lean", "i'd lean", "probably", "let me", "i'll ask", "ask", "asking",
    "parked", "wait for", "waiting", "hear", "look at", "talk about", "talk to", "tomorrow",
    "still open", "collect", "not yet", "need to try", "have to test",
    "i'd have to", "i'd need",
    "hmm", "hm", "interesting", "dreaming", "could imagine", "klären", "nächste woche",
    "nachdenken",
    "wäre nett", "je pose", "on pourrait", "pas fan", "quizás", "luego", "mañana", "talvez",
    "depois", "سأسأل", "ربما", "अच्छा विचार",
  ]
  static let turningDown: PhraseList = [
    "not this", "rather not", "no way", "too many", "nein", "lieber nicht",
  ]
  static let conditions: PhraseList = [
    "if", "as long as", "provided", "unless", "once", "wenn", "falls", "sofern", "si", "अगर", "إذا",
  ]
  static let laughing: PhraseList = [
    "😂", "😂😂", "🤣", "lol", "haha*", "kidding", "joking", "kkkk", "jaja*", "seriously",
  ]
  static let promises: PhraseList = [
    "i'll", "i will", "i'm going to", "i can", "will do", "on it", "ich schicke", "ich mache",
    "voy",
  ]
  static let reporting: PhraseList = [
    "signed off", "has approved", "have approved", "was approved", "the board decided",
    "has decided",
    "have decided", "gave the green light",
  ]
  static let delegating: PhraseList = [
    "your call", "you decide", "up to you", "you choose", "you pick", "deine entscheidung",
    "entscheide du", "tú decides", "à toi de",
  ]
  static let takingBack: PhraseList = [
    "forget it", "scrap that", "never mind", "reopen*", "take that back", "open again",
    "not so sure",
    "on hold", "off the table",
  ]
  static let changing: PhraseList = [
    "back to", "instead", "move", "moves", "moved", "rather", "change", "changed", "better",
    "go back",
    "after all", "make it", "lieber", "doch", "mejor", "plutôt",
  ]
  static let refusals: Set<String> = [
    "no", "nope", "not", "wait", "but", "hm", "hmm", "never", "nein", "non",
  ]
  static let negations: Set<String> = [
    "no", "not", "without", "kein", "keine", "sans", "sin", "नहीं",
  ]

  static func isReason(_ word: Word) -> Bool { reasons.contains(word.text) }

  private static let reasons: Set<String> = [
    "because", "since", "weil", "porque", "parce", "otherwise", "upgrading",
  ]

  /// Returns the words without those that only say yes or close the matter.
  static func withoutAcceptance(_ words: ArraySlice<Word>) -> [Word] {
    let dropped = Set(
      (accepting.matches(in: words) + closers.matches(in: words)).flatMap { Array($0) }
    )
    return words.indices.filter { !dropped.contains($0) }.map { words[$0] }
  }

  /// Returns the option that the words are about, from a question that names several options.
  static func withoutOtherOptions(_ words: ArraySlice<Word>, than stems: Set<String>) -> [Word] {
    guard let separator = words.firstIndex(where: { choosing.contains($0) }) else {
      return Array(words)
    }
    // "Badge colour: red or purple?": the text before the colon is the matter, not an option.
    let start = words[..<separator].lastIndex { $0.endsClause || $0.text == "-" }.map { $0 + 1 }
    let topic = words[..<(start ?? words.startIndex)]
    let first = words[(start ?? words.startIndex)..<separator]
    let second = words[(separator + 1)...]
    let option = stems.isDisjoint(with: ContentWords.stems(of: first)) ? second : first
    return Array(topic + option)
  }

  private static let closers: PhraseList = [
    "it is", "then", "let's", "i'd", "please", "thanks", "thx", "safety", "decided", "final", "so",
    "dann", "alors",
  ]
}
