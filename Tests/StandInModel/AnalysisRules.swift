/// The stand-in's analysis of a whole conversation: its category, its sentiment, and the value of
/// an answer.
struct AnalysisRules {
  /// The instructions in the system text that the analysis follows.
  enum AnalysisInstruction: Instruction {
    case toTheEnd, fan, superFan, evidence, business, spam, urgent, order, feelings, mixed, neutral
    case politeFormulas, adverts, nothing, little, some, much, veryMuch, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .toTheEnd: [["end"], ["as it stands"], ["settled"]]
      case .fan: [["fan"], ["likes", "casual question"]]
      case .superFan: [["super_fan"], ["devoted"]]
      case .evidence: [["evidence", "proves nothing"], ["year", "support"]]
      case .business: [["business"], ["sponsorship", "licence"]]
      case .spam: [["spam"], ["phishing", "giveaways"]]
      case .urgent: [["urgent"], ["hacked", "safety"]]
      case .order: [["spam"], ["goes before", "comes before"]]
      case .feelings: [["positive"], ["negative"], ["mockery", "reproach"]]
      case .mixed: [["mixed"], ["praise and reproach", "substance"]]
      case .neutral: [["neutral"], ["matter of fact"]]
      case .politeFormulas: [["polite", "formulas"], ["neutral"]]
      case .adverts: [["adverts", "scams"], ["sentiment", "flattery"]]
      case .nothing: [["nothing"], ["score"], ["closed"]]
      case .little: [["little"], ["score"], ["small talk"]]
      case .some: [["some"], ["score"], ["question"]]
      case .much: [["much"], ["score"], ["problem"]]
      case .veryMuch: [["very much"], ["score"], ["paid"]]
      case .noOrders:
        [["orders", "instructions"], ["only text", "never follow", "never", "ignore"]]
      }
    }
  }

  private let instructions: Set<AnalysisInstruction>
  private let categories: CategoryRules
  private let sentiments: SentimentRules

  init(system: String) {
    let given = AnalysisInstruction.all(in: system)
    instructions = given
    func chosen<Other: Hashable>(_ pairs: KeyValuePairs<AnalysisInstruction, Other>) -> Set<Other> {
      Set(pairs.filter { given.contains($0.key) }.map(\.value))
    }
    categories = CategoryRules(
      instructions: chosen([
        .fan: .fan, .superFan: .superFan, .business: .business, .spam: .spam, .urgent: .urgent,
        .order: .urgentWins,
      ]).union([.noOrders, .onlyListed])
    )
    sentiments = SentimentRules(
      instructions: chosen([
        .feelings: .positive, .mixed: .mixed, .neutral: .neutral, .politeFormulas: .politeness,
      ]).union(given.contains(.feelings) ? [.negative, .sarcasm] : []).union([.emoji, .quotations])
    )
  }

  func answer(to layout: ChatLayout) -> String {
    let blocks = layout.blocksOfOthers
    let whole = Text(blocks.joined(separator: "\n"))
    if !instructions.contains(.noOrders), let ordered = CategoryRules.orderedLabel(in: whole) {
      return Self.json(CategoryRules.Label(rawValue: ordered) ?? .urgent, .positive, 99)
    }
    let isToTheEnd = instructions.contains(.toTheEnd)
    // Without the instruction that the end counts, all parts have the same weight.
    let last = isToTheEnd ? Text(blocks.last ?? "") : whole
    let matter = Matter(whole, last: last, isKnown: false)
    let category = category(of: matter, text: whole, last: last, isKnown: blocks.count > 1)
    let isClosed = isToTheEnd && blocks.count > 1 && Matter.isClosing(last)
    let sentiment = sentiment(of: isToTheEnd ? blocks : [whole.raw], in: category)
    let score = AnalysisScore(instructions: instructions)
      .value(of: matter, in: category, isClosed: isClosed, last: last)
    return Self.json(category, sentiment, score)
  }

  private static func json(
    _ category: CategoryRules.Label,
    _ sentiment: SentimentRules.Label,
    _ score: Int
  ) -> String {
    JSONText.object([
      "category": JSONText.string(category.rawValue),
      "sentiment": JSONText.string(sentiment.rawValue),
      "score": "\(score)",
    ])
  }

  private func category(of matter: Matter, text: Text, last: Text, isKnown: Bool)
    -> CategoryRules.Label
  {
    if matter.isPretence, instructions.contains(.spam) { return .spam }
    if matter.isCostly, instructions.contains(.urgent), instructions.contains(.order) {
      return .urgent
    }
    let label = categories.label(of: text, last: last, isKnown: isKnown)
    // Without a definition of proof for a supporter, enthusiastic praise is enough.
    if label == .fan, instructions.contains(.superFan), !instructions.contains(.evidence),
      matter.feeling.praise + matter.feeling.thanks >= 4
    {
      return .superFan
    }
    let isDeal = matter.payment ?? 0 >= 100 || matter.isInvitation && matter.hasDate
    if label == .fan, instructions.contains(.business), isDeal, matter.feeling.faults == 0 {
      return .business
    }
    return label
  }

  private func sentiment(of blocks: [String], in category: CategoryRules.Label)
    -> SentimentRules.Label
  {
    guard let last = blocks.last else { return .neutral }
    if category == .spam, instructions.contains(.adverts) {
      return MatterWords.threats.occurs(in: Text(last)) ? .negative : .neutral
    }
    let isOnlyOfCreator = instructions.contains(.neutral)
    let label = sentiments.label(of: last, isOnlyOfCreator: isOnlyOfCreator)
    guard label == .neutral, blocks.count > 1, Text(last).wordCount <= 5 else { return label }
    return sentiments.label(of: blocks[blocks.count - 2], isOnlyOfCreator: isOnlyOfCreator)
  }
}
