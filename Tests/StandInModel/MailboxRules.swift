/// The stand-in's rules for classifying mail in a support mailbox, the task of the suite from
/// `sluice init`.
///
/// Unless the system text says otherwise, it ignores the subject, takes compliments literally, and
/// treats a problem that ends with a question mark as a question.
struct MailboxRules {
  /// The instructions in the system text that the classification follows.
  enum MailboxInstruction: Instruction {
    case question, problem, praise, problemWins, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .question: [["question"], ["know", "asks", "how"]]
      case .problem: [["problem"], ["broken", "wrong", "missing", "does not work", "late"]]
      case .praise: [["praise"], ["thanks", "compliment*", "likes"]]
      case .problemWins:
        [["problem"], ["question*"], ["wins", "also", "even", "still", "although", "not work"]]
      case .noOrders:
        [["orders", "instructions", "commands"], ["never", "not", "ignore", "only text"]]
      }
    }
  }

  private enum Kind: String, CaseIterable {
    case question, problem, praise, other
  }

  private let instructions: Set<MailboxInstruction>

  init(system: String) { instructions = MailboxInstruction.all(in: system) }

  func answer(to layout: ChatLayout) -> String {
    JSONText.object(["kind": JSONText.string(kind(of: Text(layout.message)).rawValue)])
  }

  private func kind(of text: Text) -> Kind {
    if Injection.occurs(in: text.raw) {
      if instructions.contains(.noOrders) { return .other }
      return Kind.allCases.first { kind in text.words.contains { $0.text == kind.rawValue } }
        ?? .other
    }
    if Self.toNobody.occurs(in: text) { return .other }
    if instructions.contains(.praise), Self.pleasure.occurs(in: text) { return .praise }
    let isProblem = instructions.contains(.problem) && Self.trouble.occurs(in: text)
    let isQuestion = instructions.contains(.question) && text.raw.contains("?")
    if isProblem, isQuestion {
      return instructions.contains(.problemWins) ? .problem : .question
    }
    return isProblem ? .problem : isQuestion ? .question : .other
  }

  // MARK: Words

  private static let toNobody: PhraseList = [
    "out of the office", "automatic reply", "dear sir or madam", "unsubscribe", "best prices",
    "special offer",
  ]
  private static let trouble: PhraseList = [
    "can't", "cannot", "doesn't work", "does not work", "broken", "wrong", "missing", "gone",
    "twice", "late", "stops", "never come*", "crash*", "error*", "fails", "a minute to open",
  ]
  private static let pleasure: PhraseList = [
    "thank you", "thanks", "love", "great", "beautiful", "compliments", "well done",
  ]
}
