/// The words with which people criticize a design, and withdraw their criticism.
enum FeedbackWords {
  static let limits: PhraseList = [
    "by law", "law", "legal", "legally", "must", "mustn't", "may not", "has to", "have to", "rule",
    "rules", "permitted", "allowed", "required", "contract", "statute", "regulation*", "policy",
    "brand book", "at least", "at most", "max", "maximum", "minimum", "no more than", "not above",
    "deadline", "only", "budget", "permission", "muss", "müssen", "darf", "gesetz", "vorschrift",
    "tiene que", "debe", "ley", "obligatorio", "doit", "loi", "standard", "printer", "scanner",
    "browser",
    "screen reader", "room for", "guideline*", "certif*",
  ]
  static let units: PhraseList = [
    "mm", "cm", "m", "px", "pt", "kb", "mb", "gb", "g", "gram", "gramm", "characters", "seconds",
    "punkt", "euro", "pounds", "degrees", "dpi", "words", "a5", "a6", "a4",
  ]
  static let keeping: PhraseList = [
    "keep", "stays", "stay", "stays on", "leave it", "leave the", "don't take", "don't change",
    "don't touch", "exactly like this", "as it is", "must stay", "bleibt", "bleiben", "lass",
    "déjalo", "que se quede", "garde", "so lassen",
  ]
  static let removing: PhraseList = [
    "gone", "drop", "remove", "delete", "no", "not", "instead", "rather", "never", "without",
    "take out", "off", "weg", "raus", "kein", "quita*", "quitar", "fuera", "sin", "enlever",
  ]
  static let observing: PhraseList = [
    "of", "out of", "failed", "missed", "calls", "tested", "test", "tried", "every", "people",
    "users", "testers", "minutes", "times", "von", "de",
  ]
  static let wishes: PhraseList = [
    "please", "pls", "bitte", "i'd", "want", "wants", "wish", "need", "needs", "should", "could",
    "make", "put", "add", "give", "send", "missing", "where is", "i need", "would like", "better",
    "instead", "mark", "show", "move", "has to", "must", "por favor", "quiero", "falta", "faltan",
    "il faut", "fehlt", "lieber", "ください", "欲しい", "ほしい",
  ]
  static let faults: PhraseList = [
    "can't", "cannot", "couldn't", "doesn't", "don't", "isn't", "aren't", "won't", "didn't",
    "nobody",
    "no one", "too", "hard to", "wrong", "broken", "missing", "hides", "missed", "lost", "confus*",
    "alike", "abrupt", "frighten*", "unreadable", "slow", "spins", "fails", "failed", "bad",
    "kills",
    "rub", "tiny", "small", "hidden", "empty", "nothing", "nowhere", "never", "only", "mixed up",
    "but", "zu klein", "zu groß", "nicht", "verdeckt", "brauchen", "no se", "demasiado", "trop",
    "illisible", "小さ*", "ない",
  ]
  static let withdrawing: PhraseList = [
    "forget", "drop it", "scrap that", "skip it", "never mind", "at first", "i first",
    "i had asked",
    "i'd asked", "i had also", "i asked for one", "is fine", "it's fine", "was fine",
    "fine as it is",
    "fine where", "off my list", "it's gone", "is gone", "works now", "my mistake", "i was wrong",
    "was tired", "no need", "already", "last time", "my old", "unfounded", "erledigt", "doch nicht",
    "passt schon", "ya está", "olvida*", "me equivoqué", "oublie", "やっぱり",
  ]
  /// Phrases of a designer who has changed the design.
  static let changed: PhraseList = [
    "done", "look now", "changed", "corrected", "fixed it", "fixed", "now has", "has the",
    "removed",
    "took it out", "is in now", "dropped", "skipped", "forgotten", "scrapped", "geändert",
    "erledigt",
    "hecho", "cambiado", "corrigé",
  ]
  static let content: PhraseList = [
    "yes", "gone", "thanks", "better", "lovely", "perfect", "great", "see it", "good", "ja",
    "danke",
    "sí", "gracias", "oui", "merci",
  ]
  static let givingWay: PhraseList = [
    "ok then", "fine then", "then not", "fair enough", "she's right", "he's right", "i see",
    "agreed",
    "never mind", "then so be it", "as he likes", "as she likes", "na gut", "de acuerdo",
    "d'accord",
  ]
  static let later: PhraseList = [
    "some day", "someday", "next version", "another version", "version 2", "next year", "later",
    "year after", "another project", "another game", "another product", "not in this", "irgendwann",
    "algún día", "un jour",
  ]
  static let indifferent: PhraseList = [
    "either way", "don't care", "don't mind", "not attached", "ignore", "skip it", "if you like",
    "whatever you", "up to you", "a bonus", "just me", "thats me", "that's me", "matter of taste",
    "egal", "da igual", "me da igual", "peu importe",
  ]
  static let praise: PhraseList = [
    "lovely", "nice", "beautiful", "best", "a joy", "wonderful", "super", "cute", "fresh", "love",
    "calmer", "schön", "bonito", "joli", "かわいい",
  ]
  static let ignorance: PhraseList = [
    "no idea", "don't know", "good question", "not yet", "let me think", "i'll ask",
    "i have to ask",
    "i'll find out", "look into", "not sure", "weiß ich", "gute frage", "ni idea", "no sé",
    "buena pregunta", "je ne sais", "bonne question", "わからない", "確認",
  ]
}
