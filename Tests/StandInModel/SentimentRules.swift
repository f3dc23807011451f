/// The stand-in's rules for the feelings of a conversation's writer.
struct SentimentRules {
  /// The instructions in the system text that the classification follows.
  enum SentimentInstruction: Instruction {
    case positive, negative, mixed, neutral, advertising, sarcasm, lastState, creatorFirst
    case politeness, faults, leaving, emoji, quotations, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .positive: [["positive"], ["praise"], ["nothing bad", "joy"]]
      case .negative: [["negative"], ["disappointment", "anger"], ["sadness", "nothing good"]]
      case .mixed: [["mixed"], ["both"], ["praise"], ["meant", "named"]]
      case .neutral: [["neutral"], ["no feeling"], ["question", "news"]]
      case .advertising: [["adverts", "scams", "advertising"], ["neutral"]]
      case .sarcasm: [["sarcasm", "mock praise", "irony"]]
      case .lastState: [["last state", "last turn", "at the end"], ["counts", "feels", "shows"]]
      case .creatorFirst: [["wins over", "comes first"], ["life", "grief"]]
      case .politeness: [["politeness", "please"], ["thanks in advance"], ["no feeling"]]
      case .faults: [["faults", "defect"], ["typo", "helpful", "wish"]]
      case .leaving: [["cancelling", "leaving"], ["money", "time"]]
      case .emoji: [["emoji"], ["alone", "mean"]]
      case .quotations: [["quotes", "somebody else wrote", "quoted"]]
      case .noOrders: Injection.defence
      }
    }
  }

  enum Label: String, CaseIterable {
    case positive, neutral, negative, mixed
  }

  private let instructions: Set<SentimentInstruction>

  init(system: String) { self.init(instructions: SentimentInstruction.all(in: system)) }

  init(instructions: Set<SentimentInstruction>) { self.instructions = instructions }

  func answer(to layout: ChatLayout) -> String {
    JSONText.object(["sentiment": JSONText.string(label(of: layout).rawValue)])
  }

  private func label(of layout: ChatLayout) -> Label {
    let blocks = layout.blocksOfOthers
    let whole = Text(blocks.joined(separator: "\n"))
    if !instructions.contains(.noOrders), let ordered = Self.orderedLabel(in: whole) {
      return ordered
    }
    if instructions.contains(.advertising), CategoryRules.spamEvidence(in: whole) >= 3 {
      return named(.neutral, in: Feeling(whole))
    }
    // Without the instruction to look at the end, the start of a conversation decides.
    let order = instructions.contains(.lastState) ? blocks.reversed() : blocks
    for block in order {
      let label = label(of: block)
      if label != .neutral { return label }
    }
    return named(.neutral, in: Feeling(whole))
  }

  /// Returns the label of one turn.
  ///
  /// - Parameters:
  ///   - block: The turn.
  ///   - isOnlyOfCreator: True to ignore trouble that the creator did not cause.
  /// - Returns: The label.
  func label(of block: String, isOnlyOfCreator: Bool = false) -> Label {
    let own = instructions.contains(.quotations) ? Quotation.removed(from: block) : block
    let text = Text(own)
    if text.wordCount == 0 { return emojiLabel(of: own) }
    let isOpened = instructions.contains(.politeness)
    var feeling = Feeling(isOpened ? Self.withoutOpening(text) : text)
    if isOnlyOfCreator { feeling.dropTrouble() }
    return named(label(of: feeling), in: feeling)
  }

  private func emojiLabel(of text: String) -> Label {
    guard instructions.contains(.emoji) else { return .neutral }
    let mood = EmojiMood(text)
    let label: Label =
      switch (mood.good > 0, mood.bad > 0) {
      case (true, true): .mixed
      case (true, false): .positive
      case (false, true): .negative
      case (false, false): .neutral
      }
    return instructions.contains(Self.definition(of: label)) ? label : .neutral
  }

  private func label(of feeling: Feeling) -> Label {
    if instructions.contains(.sarcasm) {
      if feeling.isMockery { return .negative }
      if feeling.isTeasing { return .positive }
    }
    var good = feeling.praise + feeling.thanks
    var bad = feeling.anger
    if !instructions.contains(.politeness) { good += feeling.politeness }
    if instructions.contains(.faults) {
      if feeling.isHelpfulNote, bad < 2 { return good >= 2 ? .positive : .neutral }
      bad += feeling.faults
    } else {
      bad += feeling.faults / 2
    }
    if feeling.isLeaving, !instructions.contains(.leaving) { bad += 2 }
    if feeling.sorrow > 0, !(instructions.contains(.creatorFirst) && good >= 2) {
      bad += feeling.sorrow
    }
    if good >= 2, bad >= 2 { return .mixed }
    if good == bad { return good == 0 ? .neutral : .mixed }
    return good > bad ? .positive : .negative
  }

  /// Returns the label if the system text defines it, otherwise its replacement.
  private func named(_ label: Label, in feeling: Feeling) -> Label {
    if instructions.contains(Self.definition(of: label)) { return label }
    let good = feeling.praise + feeling.thanks
    let bad = feeling.anger + feeling.faults + feeling.sorrow
    switch label {
    case .positive: return .neutral
    case .negative: return good + feeling.politeness > 0 ? .mixed : .neutral
    case .mixed: return good > bad ? .positive : .negative
    case .neutral: return bad > 0 ? .negative : .positive
    }
  }

  private static func definition(of label: Label) -> SentimentInstruction {
    switch label {
    case .positive: .positive
    case .neutral: .neutral
    case .negative: .negative
    case .mixed: .mixed
    }
  }

  /// Returns a text without a general compliment that only introduces an offer or a complaint.
  private static func withoutOpening(_ text: Text) -> Text {
    guard let first = text.sentences.first(where: { FeelingWords.praise.occurs(in: $0.words) }),
      first.words.count <= 10, first.words.startIndex < 8,
      generalities.occurs(in: first.words)
    else { return text }
    let rest = Text(
      text.words[first.words.endIndex...].map { $0.before + $0.written + $0.after }
        .joined(separator: " ")
    )
    let isOffer = CategoryRules.businessEvidence(in: rest) >= 2
    let feeling = Feeling(rest)
    let isComplaint = feeling.anger + feeling.faults >= 2 && feeling.praise + feeling.thanks == 0
    return isOffer || isComplaint ? rest : text
  }

  private static let generalities: PhraseList = [
    "page", "channel", "profile", "content", "work", "works", "stuff", "videos", "music", "podcast",
    "show", "fan", "you", "your", "what you do", "account", "feed", "site", "shop",
  ]

  /// Returns the label that an order in the text names.
  private static func orderedLabel(in text: Text) -> Label? {
    guard Injection.occurs(in: text.raw) || orders.occurs(in: text) else { return nil }
    return Label.allCases.first { label in text.words.contains { $0.text == label.rawValue } }
  }

  private static let orders: PhraseList = [
    "answer positive", "answer negative", "answer neutral", "answer mixed", "say positive",
    "say negative", "be classified", "is classified", "classify this", "label this", "output",
    "is to be classified", "rate this", "sentiment is", "sentiment:", "mark this",
  ]
}
