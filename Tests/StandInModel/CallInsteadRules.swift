/// The stand-in's rules for suggesting a call instead of more messages between two people.
struct CallInsteadRules {
  /// The instructions in the system text that the suggestion of a call follows.
  enum CallInstruction: Instruction {
    case misunderstanding, heat, circles, sensitive, incident, longButOrderly, cannotTalk
    case notOnce, onlyHeat, eachOther, oneByOne, goodNews, incidentOver, over, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .misunderstanding: [["misunderstanding", "past each other"], ["suggest"]]
      case .heat: [["heat", "blame"], ["suggest"]]
      case .circles: [["circles", "goes round"], ["suggest"]]
      case .sensitive: [["sensitive", "illness"], ["suggest"]]
      case .incident: [["incident", "broken"], ["suggest"]]
      case .longButOrderly: [["long"], ["no reason"]]
      case .cannotTalk: [["can't talk", "can't or won't talk"], ["no call"]]
      case .notOnce: [["misunderstanding"], ["put right"]]
      case .onlyHeat: [["cross word", "mock fight"]]
      case .eachOther: [["anger"], ["absent", "machine"]]
      case .oneByOne: [["one by one"], ["no circle"]]
      case .goodNews: [["good news"], ["none"]]
      case .incidentOver: [["incident"], ["calm report", "is over"]]
      case .over: [["no call"], ["ends the matter"]]
      case .noOrders: Injection.defence
      }
    }
  }

  private enum Kind {
    case misunderstanding, heat, circles, sensitive, incident, length

    var reason: String {
      switch self {
      case .misunderstanding: "You have misunderstood each other more than once."
      case .heat: "This is getting heated, and it is easier to make peace by voice."
      case .circles: "Several open points hang together and keep coming back."
      case .sensitive: "This is a personal matter that is better told by voice."
      case .incident: "Something is broken now, and you would find it faster together."
      case .length: "This is getting long."
      }
    }
  }

  private let instructions: Set<CallInstruction>

  init(system: String) { instructions = CallInstruction.all(in: system) }

  func answer(to layout: ChatLayout) -> String {
    let kind = kind(of: layout)
    return JSONText.object([
      "callInstead": kind == nil ? "false" : "true",
      "reason": JSONText.string(kind?.reason),
    ])
  }

  private func kind(of layout: ChatLayout) -> Kind? {
    let exchange = Exchange(layout)
    if !instructions.contains(.noOrders), exchange.hasOrders {
      return exchange.ordersCall ? .length : nil
    }
    if exchange.cannotTalk {
      if instructions.contains(.cannotTalk) { return nil }
      if exchange.speaksOfCall { return .misunderstanding }
    }
    if !instructions.contains(.longButOrderly), exchange.isLong { return .length }
    if exchange.isOver {
      if instructions.contains(.over) { return nil }
      if exchange.hadTrouble { return .misunderstanding }
    }
    if instructions.contains(.sensitive),
      exchange.isSensitive(evenIfSlight: !instructions.contains(.goodNews))
    {
      return .sensitive
    }
    if instructions.contains(.heat),
      exchange.isHeated(
        evenIfOnce: !instructions.contains(.onlyHeat),
        atAnybody: !instructions.contains(.eachOther)
      )
    {
      return .heat
    }
    if instructions.contains(.incident),
      exchange.isIncident(evenIfOver: !instructions.contains(.incidentOver))
    {
      return .incident
    }
    if instructions.contains(.circles),
      exchange.goesRound(evenIfOrderly: !instructions.contains(.oneByOne))
    {
      return .circles
    }
    if instructions.contains(.misunderstanding),
      exchange.isMisunderstood(evenIfOnce: !instructions.contains(.notOnce))
    {
      return .misunderstanding
    }
    return nil
  }
}
