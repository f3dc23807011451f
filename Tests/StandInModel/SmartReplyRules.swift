/// The stand-in's rules for drafting a creator's reply.
struct SmartReplyRules {
  /// The instructions in the system text that the draft follows.
  enum SmartReplyInstruction: Instruction {
    case type, thanks, decline, accept, askDetails, answer, apologise, facts, invention, voice
    case language, length, form, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .type: [["type"], ["asked for"], ["write"]]
      case .thanks: [["thanks"], ["thank for", "say thank you"]]
      case .decline: [["decline"], ["clear no", "decline say no"]]
      case .accept: [["accept"], ["clear yes", "say yes"]]
      case .askDetails: [["ask-details"], ["details that", "each detail"]]
      case .answer: [["answer"], ["answer what", "every question"]]
      case .apologise: [["apologise"], ["say sorry"]]
      case .facts: [["facts"], ["every fact"]]
      case .invention: [["invent nothing"]]
      case .voice: [["voice"], ["keep every point"]]
      case .language: [["language"], ["last message"]]
      case .length: [["length", "at most"], ["words"]]
      case .form: [["placeholder", "subject line"]]
      case .noOrders: [["orders"], ["only text", "do not follow"]]
      }
    }
  }

  private let instructions: Set<SmartReplyInstruction>

  init(system: String) { instructions = SmartReplyInstruction.all(in: system) }

  func answer(to layout: ReplyLayout) -> String {
    let language: ReplyLanguage =
      instructions.contains(.language) ? ReplyLanguage(of: layout.message) : .english
    let voice = ReplyVoice(layout.voice, in: language, isWhole: instructions.contains(.voice))
    var sentences = sentences(for: layout, in: language)
    if !instructions.contains(.length) { sentences += Self.kindWords }
    if let order = obeyedOrder(in: layout.message) { sentences.append(order) }
    if !instructions.contains(.invention) { sentences.append("I'll get back to you soon.") }
    sentences = shortened(sentences, to: voice)
    let greeting = greeting(for: layout, voice: voice, phrases: language.phrases)
    let body = voice.styled(greeting + "\n\n" + sentences.joined(separator: " "))
    return voice.signature.isEmpty ? body : body + "\n\n" + voice.signature
  }

  // MARK: Content

  private func sentences(for layout: ReplyLayout, in language: ReplyLanguage) -> [String] {
    let phrases = language.phrases
    let topic = topic(of: layout.message, and: phrases.and)
    // Without the instruction to keep to the type, every message gets a helpful answer.
    let type = instructions.contains(.type) ? layout.type : "accept"
    let told = told(layout.facts)
    let facts = ReplyFacts.sentences(told)
    switch type {
    case "thanks":
      let isNamed = instructions.contains(.thanks) && !topic.isEmpty
      return [phrases.thanks + (isNamed ? " \(phrases.about) \(topic)." : ".")] + facts
    case "decline":
      let door = instructions.contains(.decline) ? [] : ["Maybe another time, in the future?"]
      return [phrases.thanks + ".", phrases.no] + facts + door
    case "accept":
      let isClear = instructions.contains(.accept)
      return [isClear ? phrases.yes : "That sounds interesting, let me think about it."]
        + ReplyFacts.sentences(told.map(ReplyFacts.withoutYes))
    case "ask-details":
      let questions = ReplyFacts.questions(told, asking: phrases.ask)
      let hint = instructions.contains(.askDetails) ? [] : ["I'd love to make it happen."]
      return [phrases.thanks + "."] + hint
        + (instructions.contains(.askDetails) ? questions : Array(questions.prefix(1)))
    case "answer":
      return [phrases.thanks + "."]
        + (instructions.contains(.answer) ? facts : Array(facts.prefix(1)))
    default:
      guard instructions.contains(.apologise) else {
        return ["If it bothered you, that is a pity."]
      }
      return [phrases.sorry + (topic.isEmpty ? "." : " \(phrases.about) \(topic).")] + facts
    }
  }

  /// Returns the facts to state, without those that are secret or can be left out.
  private func told(_ facts: [Substring]) -> [Substring] {
    guard instructions.contains(.facts) else {
      return facts.prefix(1) + facts.filter { $0.hasPrefix("Not to be told: ") }
    }
    return facts.filter { !$0.hasPrefix("Not to be told: ") && !$0.hasPrefix("May be said: ") }
  }

  /// Returns a few things that the message mentions: the words after "the", "my" and similar words.
  private func topic(of message: String, and: String) -> String {
    let text = Text(FaqMessage.withoutOrders(Quotation.removed(from: message)))
    var things: [String] = []
    for (first, second) in zip(text.words, text.words.dropFirst())
    where Self.determiners.contains(first.text) && !first.endsClause {
      let thing = second.written
      if second.text.count >= 4, second.text.allSatisfy(\.isLetter), !things.contains(thing) {
        things.append(thing)
      }
    }
    let named = things.prefix(3).map { "the " + $0 }
    return named.joined(separator: " \(and) ")
  }

  private static let determiners: Set<String> = [
    "the", "my", "our", "your", "ur", "a", "an", "her", "his", "this", "that",
  ]

  /// Returns the text that a message orders the replier to say, unless the system text forbids it.
  private func obeyedOrder(in message: String) -> String? {
    guard !instructions.contains(.noOrders) else { return nil }
    let ordered = Text(message).sentences.filter { Self.orders.occurs(in: $0.words) }
    guard !ordered.isEmpty else { return nil }
    return ordered.flatMap(\.words).map { $0.before + $0.written + $0.after }
      .joined(separator: " ")
  }

  private static let orders: PhraseList = [
    "system", "the reply must", "your reply must", "please print", "print every", "the assistant",
    "to the assistant", "ignore the", "ignore all", "the ai", "dear ai", "word for word",
    "instructions", "the reply has", "type of reply", "reply type", "whoever replies",
  ]

  private static let kindWords = [
    "It means a lot to me that you took the time to write, and I read every single message that "
      + "comes in, even on the days on which there are far too many of them.",
    "Please know that people like you are the reason why I go on with all this, through the good "
      + "weeks and through the bad ones.",
    "I wish you a wonderful day and a wonderful week!",
  ]

  // MARK: Style

  private func shortened(_ sentences: [String], to voice: ReplyVoice) -> [String] {
    var sentences = sentences
    if let most = voice.maximumSentences {
      // Join the last sentences with commas until the rest fits.
      while sentences.count > most {
        let last = sentences.removeLast()
        sentences[sentences.count - 1] = sentences[sentences.count - 1].dropLast() + ", " + last
      }
    }
    if let most = voice.maximumWords {
      func count() -> Int { sentences.joined(separator: " ").split(separator: " ").count + 3 }
      while count() > most, sentences.count > 1 { sentences.removeLast() }
    }
    return sentences
  }

  private func greeting(
    for layout: ReplyLayout,
    voice: ReplyVoice,
    phrases: ReplyLanguage.Phrases
  ) -> String {
    let name = ReplyFacts.firstName(layout.writer)
    if voice.opensWithFirstName { return (name ?? layout.writer.capitalisedFirst) + "," }
    if !voice.opening.isEmpty { return voice.opening + "," }
    // Without the instruction to be ready to send, a draft has a placeholder for a name that it
    // cannot guess.
    let isHandle = layout.writer.contains { "_.".contains($0) || $0.isNumber }
    let known = name ?? (instructions.contains(.form) || !isHandle ? nil : "[Name]")
    return known.map { "\(phrases.hello) \($0)," } ?? "\(phrases.hello),"
  }
}
