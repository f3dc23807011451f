/// The words by which the stand-in weighs the sentences of a thread.
enum SummaryWords {
  static let findings: PhraseList = [
    "cause", "because of", "turns out", "found", "it's the", "it is the", "the reason", "fixed",
    "is live", "is up", "is built", "is in", "works", "measured", "result", "results", "tested",
    "confirmed", "failed", "expired", "missing", "final", "so far", "in short", "wrong", "bug",
    "lösung", "ursache", "gefunden", "fehlt", "causa", "falta", "pesan", "mil gaya",
    "原因", "修正",
  ]
  static let promises: PhraseList = [
    "i'll", "i will", "i'm going to", "you get", "you'll get", "will do", "can you", "could you",
    "would you", "i send", "i ask", "i draft", "i write", "i tell", "i need", "you need to",
    "ich mache", "ich schicke", "kannst du", "bitte", "yo me", "te paso", "je demande", "je fais",
    "puedes", "eu faço", "main", "やります", "します*",
  ]
  static let duties: PhraseList = [
    "has to", "have to", "must", "needs to", "need to", "is due", "are due", "deadline", "opens",
    "closes", "stays", "stay", "goes to", "goes out", "moves to", "only", "not before", "up to",
    "muss", "müssen", "tiene que", "doit", "il faut", "precisa",
  ]
  static let changing: PhraseList = [
    "instead", "no longer", "moves", "moved", "not the", "rather", "back to", "bad news", "then",
    "changed", "cancelled", "better", "doch", "lieber", "mejor", "plutôt",
  ]
  static let done: PhraseList = [
    "done", "sent", "is up", "written", "booked", "ordered", "ordering", "uploaded", "finished",
    "is out", "merged", "it's in", "posted", "erledigt", "hecho", "fait",
  ]
  static let smallTalk: PhraseList = [
    "haha*", "lol", "thanks", "thank you", "thx", "morning", "good night", "bye", "cake", "coffee",
    "lunch", "weather", "😂", "🤣", "😄", "🙏", "joking", "kidding", "lovely", "love it", "sorry",
    "congrats", "weekend", "tea", "ouch", "oops", "ugh", "phew", "wow", "omg", "enjoy", "danke",
    "gracias", "merci", "obrigad*", "kkkk*", "jaja*", "abrazo", "moin", "chai",
  ]
  static let foreign: Set<String> = [
    "und", "der", "die", "das", "ich", "nicht", "wir", "ist", "el", "los", "las", "que", "para",
    "con", "pero", "le", "les", "des", "une", "est", "pas", "avec", "hai", "nahi", "aur", "mein",
    "kya", "toh", "não", "uma", "com", "então",
  ]

  /// Returns true if a word is a figure or names a day.
  static func isFigure(_ word: Word) -> Bool {
    word.text.contains(where: \.isNumber) || days.contains(word.text)
  }

  private static let days: Set<String> = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow",
    "tonight", "today", "noon", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december", "spring", "summer", "autumn",
    "winter", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half",
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "morgen",
    "lunes", "martes", "miércoles", "jueves", "viernes", "mañana", "lundi", "mardi", "mercredi",
    "jeudi", "vendredi", "demain", "segunda", "terça", "quarta", "quinta", "sexta", "amanhã", "kal",
  ]

  /// Words that any sentence can do without.
  static let fillers: Set<String> = [
    "just", "really", "so", "ok", "okay", "oh", "well", "hm", "hmm", "yes", "ah", "also", "btw",
    "anyway", "quite", "very", "rather", "actually", "honestly", "perfect", "great", "good",
    "right",
    "then", "the", "a", "an",
  ]
  /// Words that a phrase can do without but a full sentence cannot.
  static let littleWords: Set<String> = [
    "der", "die", "das", "el", "la", "los", "las", "le", "les", "o", "os", "that", "i'd", "say",
    "think", "i", "we", "it's", "is", "are", "was", "be", "to",
  ]

  /// Returns the words without a condition at their start or end.
  static func withoutCondition(_ words: [Word]) -> [Word] {
    guard
      let start = words.indices.first(where: { DecisionWords.conditions.contains(words[$0]) })
    else { return words }
    if start > 2 { return Array(words[..<start]) }
    guard let end = words.indices.dropFirst(start).first(where: { words[$0].endsClause }),
      end + 1 < words.count
    else { return words }
    return Array(words[(end + 1)...])
  }
}
