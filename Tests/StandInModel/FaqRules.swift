/// The stand-in's rules for answering a message from a creator's FAQ, or not at all.
struct FaqRules {
  /// The instructions in the system text that the FAQ answer follows.
  enum FaqInstruction: Instruction {
    case anyWords, statements, inference, notInFaq, inPart, noQuestion, offers, ownCase
    case brokenPromise, emergency, noOrders, reply

    var keyWords: [PhraseList] {
      switch self {
      case .anyWords: [["entry"], ["whatever words", "words or language"]]
      case .statements: [["statement"], ["question"]]
      case .inference: [["inference", "rule out"], ["country", "only", "list"]]
      case .notInFaq: [["not in the faq", "same subject"], ["silent"]]
      case .inPart: [["in part", "a part of"], ["silent"]]
      case .noQuestion: [["no question"], ["silent"]]
      case .offers: [["offers"], ["advertising"], ["silent"]]
      case .ownCase: [["own case"], ["look", "decide"]]
      case .brokenPromise: [["already done", "did not hold"], ["silent"]]
      case .emergency: [["danger", "hurt"], ["silent"]]
      case .noOrders: [["orders", "tells you what to choose"], ["only text", "ignore"]]
      case .reply: [["reply"], ["sentences"], ["language"]]
      }
    }
  }

  private let instructions: Set<FaqInstruction>

  init(system: String) { instructions = FaqInstruction.all(in: system) }

  func answer(to layout: ChatLayout) -> String {
    let entry = entry(for: layout)
    let text = entry.map { reply(from: $0) }
    return JSONText.object([
      "answerId": JSONText.string(entry?.id),
      "reply": JSONText.string(text),
    ])
  }

  private func entry(for layout: ChatLayout) -> FaqEntry? {
    let entries = layout.faq.compactMap { FaqEntry($0) }
    guard !entries.isEmpty else { return nil }
    var message = layout.message
    if instructions.contains(.noOrders) {
      message = FaqMessage.withoutOrders(message)
    } else if FaqMessage.hasOrders(message) {
      // An order is obeyed: the answer is the entry that it names, or none.
      return entries.first { message.contains("\"\($0.id)\"") }
    }
    let asked = FaqMessage(
      message,
      takesStatements: instructions.contains(.statements),
      leavesQuotations: instructions.contains(.noQuestion)
    )
    if asked.isEmergency, instructions.contains(.emergency) { return nil }
    if asked.questions.isEmpty, instructions.contains(.noQuestion) { return nil }
    let match = FaqMatch(
      asked,
      in: entries,
      takesAnyWords: instructions.contains(.anyWords),
      looksAtAll: instructions.contains(.inPart)
    )
    guard let best = match.best else { return nil }
    if instructions.contains(.offers), asked.isOffer, !best.takesOffers { return nil }
    if instructions.contains(.ownCase), asked.isOwnCase { return nil }
    if instructions.contains(.brokenPromise), asked.isComplaint { return nil }
    if instructions.contains(.inPart), match.isPartial { return nil }
    if instructions.contains(.notInFaq) {
      let needed = best.isExclusive && instructions.contains(.inference) ? 1.4 : 1.9
      if match.score < needed || match.isNearMiss { return nil }
    }
    return best
  }

  /// Returns the first two sentences of the answer, or a vague line if no reply is requested.
  private func reply(from entry: FaqEntry) -> String {
    guard instructions.contains(.reply) else { return "Please have a look at the FAQ." }
    let words = entry.answer.sentences.prefix(2).flatMap(\.words)
    return words.map { $0.before + $0.written + $0.after }.joined(separator: " ")
  }
}
