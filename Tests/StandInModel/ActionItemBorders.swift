/// The rules for borderline action items, which version 2 of the prompt adds.
struct ActionItemBorders {
  let sender: String
  let recipient: String
  let sent: CalendarDay

  // MARK: Drafts

  /// Returns true if an item is only the start of a word or of a command.
  static func isCutOff(_ item: ActionItemRules.Item, in text: Text) -> Bool {
    guard Draft.breaksOff(text), let last = item.words.last, let end = text.words.last else {
      return false
    }
    return last.text == end.text
      && (item.words.count == 1 || Self.openEnds.contains(last.text))
      && WorkVerb.base(of: last.text) == nil
  }

  private static let openEnds: Set<String> = [
    "the", "a", "an", "and", "or", "to", "of", "for", "with", "my", "your", "our", "in", "on",
  ]

  // MARK: Requests in the conversation

  /// Returns the day by which a message promises a requested item: "you'll get it Thursday".
  func promisedDay(in message: String) -> CalendarDay? {
    let text = Text(message)
    guard text.wordCount <= 14, Self.handovers.occurs(in: text) else { return nil }
    return Deadline.all(in: text.words[...], sent: sent).compactMap(\.day).first
  }

  /// Returns the day with which a message answers "when will you …?".
  func answeredDay(in message: String, to question: String) -> CalendarDay? {
    let text = Text(message)
    guard Self.whens.occurs(in: Text(question)), text.wordCount <= 10 else { return nil }
    return Deadline.all(in: text.words[...], sent: sent).compactMap(\.day).first
  }

  private static let handovers: PhraseList = [
    "you'll get it", "you get it", "you'll have it", "you have it", "it's yours", "you'll get them",
    "you'll have them", "it'll be with you", "works for me",
  ]
  private static let whens: PhraseList = [
    "when will you", "when can you", "when are you going to", "when do you", "by when will you",
  ]

  // MARK: Other languages

  /// Returns the items of a message in a language that the other rules do not cover.
  func foreignItems(in text: Text) -> [ActionItemRules.Item] {
    clauses(of: text).compactMap { clause in
      guard let owner = owner(of: clause) else { return nil }
      let task = clause.filter { !Self.isCue($0) && dayOffset($0) == nil }
      guard task.count >= 2 else { return nil }
      return ActionItemRules.Item(
        words: task,
        assignee: owner,
        day: clause.compactMap(dayOffset).first.map { sent + $0 },
        context: clause
      )
    }
  }

  private func clauses(of text: Text) -> [ArraySlice<Word>] {
    text.sentences.flatMap { sentence -> [ArraySlice<Word>] in
      var clauses: [ArraySlice<Word>] = []
      var start = sentence.words.startIndex
      for index in sentence.words.indices {
        let ends = sentence.words[index].after.contains { ",:;".contains($0) }
        guard ends || index + 1 == sentence.words.endIndex else { continue }
        clauses.append(sentence.words[start...index])
        start = index + 1
      }
      return clauses
    }
  }

  private func owner(of clause: ArraySlice<Word>) -> String? {
    if Self.requests.occurs(in: clause) { return recipient }
    let promises = clause.contains { word in
      Self.promises.contains(word) || Self.promiseEnds.contains(where: word.text.hasSuffix)
    }
    return promises ? sender : nil
  }

  private static func isCue(_ word: Word) -> Bool {
    cues.contains(word) || !word.text.contains { $0.isLetter || $0.isNumber }
  }

  /// Returns the number of days after the message that a word denotes.
  private func dayOffset(_ word: Word) -> Int? {
    if let offset = Self.offsets[word.text] { return offset }
    guard let weekday = Self.weekdays[word.text] else { return nil }
    return sent.next(weekday: weekday).number - sent.number
  }

  private static let requests: PhraseList = [
    "per favore", "potresti", "puoi", "por favor", "podrías", "pode", "poderia", "s'il te plaît",
    "pourrais-tu", "kar do", "kar dena", "kar dijiye", "bhej do", "bhej dena", "कर दो", "कर देना",
    "कर दीजिए", "भेज दो", "प्लीज़", "कृपया",
  ]
  private static let promises: PhraseList = [
    "subo", "mando", "envío", "actualizo", "reviso", "preparo", "arreglo", "termino", "carico",
    "sistemo", "envio", "atualizo", "j'envoie",
  ]
  private static let promiseEnds = ["unga", "ungi", "ूँगा", "ूँगी", "ूंगा", "ूंगी"]
  private static let cues: PhraseList = [
    "per", "favore", "potresti", "puoi", "por", "favor", "podrías", "please", "kar", "do", "dena",
    "tak", "entro", "para", "कर", "दो", "देना", "तक", "प्लीज़", "कृपया", "bhai", "ciao",
  ]
  private static let offsets: [String: Int] = [
    "hoy": 0, "oggi": 0, "hoje": 0, "aaj": 0, "आज": 0, "mañana": 1, "domani": 1, "amanhã": 1,
    "demain": 1, "kal": 1, "कल": 1,
  ]
  private static let weekdays: [String: Int] = [
    "lunedì": 0, "martedì": 1, "mercoledì": 2, "giovedì": 3, "venerdì": 4, "lunes": 0, "martes": 1,
    "miércoles": 2, "jueves": 3, "viernes": 4, "segunda": 0, "terça": 1, "quarta": 2, "quinta": 3,
    "sexta": 4, "सोमवार": 0, "मंगलवार": 1, "बुधवार": 2, "गुरुवार": 3, "शुक्रवार": 4,
  ]
}
