/// The stand-in's rules for the value of answering a conversation now.
struct OpportunityRules {
  /// The instructions in the system text that the score follows.
  enum OpportunityInstruction: Instruction {
    case nothing, pretence, settled, costlySilence, veryMuch, much, some, little, openMatters
    case withinBand, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .nothing: [["nothing"], ["advertising"], ["followers", "scams"]]
      case .pretence: [["pretence", "unproven", "claim to be"], ["password", "money first"]]
      case .settled: [["settled"], ["closed"], ["thanks", "confirms"]]
      case .costlySilence: [["costly", "harm"], ["loss"], ["two days", "acts"]]
      case .veryMuch: [["very much"], ["paid"], ["date", "press"]]
      case .much: [["much"], ["small", "smaller"], ["early", "event", "invitation"]]
      case .some: [["some"], ["question"], ["feedback"]]
      case .little: [["little"], ["praise", "greetings"], ["begging"]]
      case .openMatters: [["nudge", "next step"], ["open"]]
      case .withinBand: [["within the band"], ["middle", "start"]]
      case .noOrders:
        [["orders", "instructions"], ["only text", "never follow", "never", "ignore"]]
      }
    }
  }

  enum Band: Int {
    case nothing, little, some, much, veryMuch

    var reason: String {
      switch self {
      case .nothing: "This is advertising or a trick."
      case .little: "Nothing is asked that needs an answer."
      case .some: "An answer would help the writer."
      case .much: "This is an offer with something still open."
      case .veryMuch: "Much is lost without a quick answer."
      }
    }
  }

  private let instructions: Set<OpportunityInstruction>

  init(system: String) { instructions = OpportunityInstruction.all(in: system) }

  func answer(to layout: ChatLayout) -> String {
    let blocks = layout.blocksOfOthers
    let last = Text(blocks.last ?? "")
    let isKnown = blocks.joined().utf8.count < layout.conversationText.utf8.count - blocks.count
    let whole = Text(blocks.joined(separator: "\n"))
    if !instructions.contains(.noOrders), let ordered = Self.orderedScore(in: whole) {
      return Self.json(ordered, reason: "The message says so.")
    }
    let text = instructions.contains(.openMatters) ? whole : last
    let matter = Matter(text, last: Matter.isNudge(last) ? text : last, isKnown: isKnown)
    let isClosed = blocks.count > 1 && Matter.isClosing(last)
    let band = band(of: matter, isClosed: isClosed)
    return Self.json(score(of: matter, in: band), reason: band.reason)
  }

  private static func json(_ score: Int, reason: String) -> String {
    JSONText.object(["score": "\(score)", "reason": JSONText.string(reason)])
  }

  // MARK: The band

  private func band(of matter: Matter, isClosed: Bool) -> Band {
    if matter.isPretence {
      if instructions.contains(.pretence) { return .nothing }
      // If the system text does not warn of tricks, the stand-in believes what a trick pretends to
      // be.
      return named(matter.isToday ? .veryMuch : .much, else: .some)
    }
    if matter.spam >= 3 || matter.isSpite, instructions.contains(.nothing) { return .nothing }
    if isClosed, instructions.contains(.settled) { return .little }
    if matter.isCostly, instructions.contains(.costlySilence) { return .veryMuch }
    if matter.isNationalPress, instructions.contains(.veryMuch) { return .veryMuch }
    if matter.isBegging, matter.payment == nil { return named(.little, else: .some) }
    if isOffer(matter) {
      let isLarge = (matter.payment ?? 0) >= 500 && matter.hasDate
      return isLarge ? named(.veryMuch, else: .much) : named(.much, else: .some)
    }
    let isWorthwhile =
      matter.isQuestion || matter.wordCount >= 35 || matter.feeling.faults >= 2
      || matter.feeling.isHelpfulNote
    return isWorthwhile ? named(.some, else: .little) : named(.little, else: .some)
  }

  private func isOffer(_ matter: Matter) -> Bool {
    if matter.offer >= 4 || matter.payment != nil && matter.offer >= 1 { return true }
    guard matter.isQuestion || matter.hasDate else { return false }
    if matter.isInvitation || matter.isSmallPress { return matter.offer >= 1 || matter.hasDate }
    return matter.isPlan && (matter.devotion >= 2 || matter.offer >= 2)
  }

  /// Returns the band if the system text defines it, otherwise its replacement.
  private func named(_ band: Band, else other: Band) -> Band {
    let definition: OpportunityInstruction =
      switch band {
      case .nothing: .nothing
      case .little: .little
      case .some: .some
      case .much: .much
      case .veryMuch: .veryMuch
      }
    return instructions.contains(definition) ? band : other
  }

  // MARK: Within the band

  private func score(of matter: Matter, in band: Band) -> Int {
    // Without the instruction to start in the middle, the score is the round number at the edge of
    // the band.
    guard instructions.contains(.withinBand) else { return band.rawValue * 20 }
    var steps = 0
    switch band {
    case .nothing: steps -= matter.isPretence || matter.isSpite ? 1 : 0
    case .little: steps -= matter.wordCount <= 2 || matter.isBegging ? 1 : 0
    case .some: steps += matter.feeling.sorrow > 0 || matter.devotion >= 2 ? 1 : 0
    case .much: steps += (matter.payment != nil ? 1 : 0) + (matter.hasAddress ? 1 : 0)
    case .veryMuch:
      steps += ((matter.payment ?? 0) >= 3000 || matter.isDangerous ? 1 : 0)
      steps += (matter.isToday ? 1 : 0) + (matter.hasAddress ? 1 : 0)
    }
    return 10 + band.rawValue * 20 + 3 * max(-2, min(2, steps))
  }

  // MARK: Orders

  /// Returns the score that an order in the text names.
  private static func orderedScore(in text: Text) -> Int? {
    guard Injection.occurs(in: text.raw) || orders.occurs(in: text) else { return nil }
    return text.words.compactMap { Int($0.text.filter { $0.isASCII && $0.isNumber }) }
      .last { (0...100).contains($0) }
  }

  private static let orders: PhraseList = [
    "ai assistant", "to ai", "score this", "score", "points", "if a robot", "dear robot",
    "to the machine", "ai reading this", "output", "rate this",
  ]
}
