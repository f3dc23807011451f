/// A message to a creator, as analyzed by the stand-in before it searches the FAQ.
struct FaqMessage {
  /// A sentence with its subject.
  struct Part {
    let stems: Set<String>
    let concepts: Set<Thesaurus.Concept>

    init(_ words: ArraySlice<Word>) {
      stems = ContentWords.stems(of: words)
      let raw = words.map(\.text).joined(separator: " ")
      // "When I order" does not ask for a time.
      let telling = words.indices.filter { index in
        guard FaqMessage.conjunctions.contains(words[index].text) else { return true }
        return words.indices.contains(index + 1)
          && FaqMessage.auxiliaries.contains(words[index + 1].text)
      }.map { words[$0] }
      concepts = Thesaurus.questions.concepts(of: telling)
        .union(Thesaurus.questions.concepts(ofPiecesIn: raw))
    }

    var isEmpty: Bool { stems.isEmpty && concepts.isEmpty }
  }

  /// The sentences that are questions, in order, and all other sentences.
  private(set) var questions: [Part] = []
  private(set) var rest: [Part] = []
  var all: [Part] { questions + rest }
  /// The number of questions.
  private(set) var questionCount = 0
  let isEmergency: Bool
  let isOffer: Bool
  /// True if somebody must look something up, decide or correct it.
  let isOwnCase: Bool
  /// True if the writer followed the FAQ without success.
  let isComplaint: Bool

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - raw: The message.
  ///   - takesStatements: True if a need without a question mark counts as a question.
  ///   - leavesQuotations: True to ignore quotations.
  init(_ raw: String, takesStatements: Bool, leavesQuotations: Bool) {
    let own = leavesQuotations ? Quotation.removed(from: raw) : raw
    let text = Text(Quotation.removed(from: own).isEmpty ? raw : own)
    for sentence in text.sentences {
      let marked = sentence.words.contains { $0.after.contains { "?？؟".contains($0) } }
      let asks =
        marked || Self.openers.match(at: sentence.words.startIndex, in: sentence.words) != nil
        || Self.indirect.occurs(in: sentence.words)
      if asks {
        let parts = Self.clauses(of: sentence.words).map { Part($0) }
        questions += parts.filter { !$0.isEmpty || text.wordCount >= 3 }
        questionCount += parts.count
      } else if takesStatements, Self.needs.occurs(in: sentence.words) {
        questions.append(Part(sentence.words))
      } else {
        rest.append(Part(sentence.words))
      }
    }
    isEmergency =
      text.wordCount <= 80 && Self.emergencies.matches(in: text.words[...]).count >= 2
    // A long letter contains words of every kind.
    isOffer =
      text.wordCount <= 250
      && (CategoryRules.spamEvidence(in: text) >= 3
        || CategoryRules.businessEvidence(in: text) >= 3 || Self.offers.occurs(in: text)
        || text.hasLink && raw.contains("!"))
    isOwnCase = Self.ownCases.occurs(in: text)
    isComplaint =
      Self.tried.occurs(in: text) && (Self.failed.occurs(in: text) || Feeling(text).faults > 0)
  }

  // MARK: Orders

  /// Returns a message without the lines and sentences that give orders to a machine.
  static func withoutOrders(_ message: String) -> String {
    Text(message).sentences.filter { !orders.occurs(in: $0.words) }
      .map { $0.words.map { $0.before + $0.written + $0.after }.joined(separator: " ") }
      .joined(separator: "\n")
  }

  static func hasOrders(_ message: String) -> Bool {
    let text = Text(message)
    return orders.occurs(in: text) || Injection.occurs(in: message)
  }

  private static let orders: PhraseList = [
    "answerid", "new rule", "rule 0", "the assistant", "assistant", "/assistant", "new entry",
    "your faq has", "end of message", "policy update", "stay silent", "output null", "ignore your",
    "ignore the", "system override", "helpful assistant", "must now", "overrides the",
    "always pick", "pick the entry", "choose the entry", "to the bot", "dear bot", "dear ai",
  ]

  // MARK: Questions

  fileprivate static let conjunctions: Set<String> = ["when", "where"]
  fileprivate static let auxiliaries: Set<String> = [
    "do", "does", "did", "is", "are", "was", "will", "would", "can", "could", "may", "should",
    "must", "d'you", "has", "have",
  ]

  /// Returns the words of a sentence, split before a second question.
  private static func clauses(of words: ArraySlice<Word>) -> [ArraySlice<Word>] {
    var clauses: [ArraySlice<Word>] = []
    var start = words.startIndex
    for range in joints.matches(in: words) where range.lowerBound >= start + 3 {
      clauses.append(words[start..<range.lowerBound])
      start = range.lowerBound
    }
    return clauses + [words[start...]]
  }

  private static let openers: PhraseList = [
    "what", "what's", "which", "where", "where's", "when", "how", "who", "why", "can", "could",
    "may",
    "is", "are", "do", "does", "will", "would", "should", "did", "any", "have you", "has", "am i",
    "wie", "was", "wo", "wann", "welche*", "gibt", "kann", "kannst", "darf", "qué", "cuánto",
    "cómo",
    "dónde", "hay", "tienen", "est-ce", "quel*", "comment", "combien", "où", "quanto", "dove",
    "quando", "como", "onde", "wat", "hoe", "czy", "ile", "jak", "чи", "как", "saako", "onko",
    "naweza",
  ]
  private static let indirect: PhraseList = [
    "can i", "do i", "may i", "could i", "should i", "do you", "do u", "can u", "could you",
    "can you", "would you", "will you", "is there", "are there", "where do", "where d'you",
    "how do", "how much", "how many", "which one", "is that ok", "any chance", "anyway to",
    "any way to", "do i hav", "d'you", "wondering", "would u",
  ]
  private static let needs: PhraseList = [
    "need", "can't find", "cannot find", "cant find", "looking for", "i'd like", "i would like",
    "would love", "don't know", "want to", "wants to", "wanted to", "no idea", "i wonder",
    "some way", "tell me", "let me know", "settle a", "hoping to", "trying to", "please", "pls",
    "what now", "closes by itself", "in pieces", "any objection", "won't start", "never got",
    "i'd rather",
  ]
  /// Conjunctions before a second question.
  private static let joints: PhraseList = [
    "and what", "and do", "and does", "and is", "and are", "and how", "and where", "and when",
    "and which", "and can", "and may", "and will", "and would", "and who", "n is", "and it",
    "and could", "und", "y", "et", "e", "और",
  ]

  // MARK: Silence

  private static let emergencies: PhraseList = [
    "hurt", "hurts", "bleeding", "blood", "doctor", "ambulance", "hospital", "shivering", "lost",
    "chest", "fog", "twisted", "swallowed", "licked", "burn", "burned", "burnt", "skin", "help",
    "poison*", "unconscious", "breathe", "dizzy", "fainted", "stuck", "cliff", "drop", "sleet",
    "dark", "home alone", "arm", "badly", "emergency", "hot oil", "lips", "tingly", "numb",
    "choking", "storm", "freezing", "anyone near", "which way",
  ]
  private static let offers: PhraseList = [
    "interview", "sponsor*", "festival", "slot", "we distribute", "we make", "we run", "we're a",
    "our guests", "gifts for our", "place a", "in exchange for", "使用料", "cambio",
    "a mention", "record an episode", "somos una", "we are restoring", "wholesale",
    "would you take on",
    "magazine", "museum", "collaborat*", "podcast with", "our brand", "our shop",
    "per copy", "test it and",
  ]
  private static let ownCases: PhraseList = [
    "my order", "i ordered", "did you get", "can you correct", "could you correct", "could we swap",
    "can you check", "could you check", "can you look", "could you look", "my account",
    "account is under", "i'm on the", "what number", "would you let", "would you open",
    "anything you can do", "sent my", "i sent", "i've sent", "my new card", "new card",
    "in the name of", "double charged", "wrong address", "typed my",
    "do you want them", "make an exception", "still waiting", "verificar",
    "können sie prüfen", "هل يمكنك التحقق",
  ]
  private static let tried: PhraseList = [
    "as you say", "like it says", "as advised", "as it says", "it says", "you say", "your faq",
    "to the letter", "exactly as", "i did", "did the", "done", "i've paid", "i paid", "followed",
    "tried", "tapped", "pasted", "opens", "as you advise", "as promised", "wie beschrieben",
  ]
  private static let failed: PhraseList = [
    "still", "every time", "error", "isn't", "doesn't", "didn't", "not working", "no answer",
    "zero",
    "nothing", "wrong", "grey", "whatever i", "never", "won't", "what is going on", "now what",
    "but",
  ]
}
