/// The stand-in's rules for the action items of a message.
struct ActionItemRules {
  /// The instructions in the system text that the search for action items follows.
  enum ActionItemInstruction: Instruction {
    case commitments, requests, names, several, deadlines, onlyOpen, shortCommands, noOrders
    case drafts, references, anyLanguage

    var keyWords: [PhraseList] {
      switch self {
      case .commitments: [["commitment*", "promise*"], ["sender"]]
      case .requests: [["request*", "asked of"], ["recipient"]]
      case .names:
        [["named", "by name", "name"], ["lower case", "lowercase"], ["work", "people"]]
      case .several: [["several", "each on its own", "more than one"]]
      case .deadlines: [["deadline*", "duedate", "due date"], ["resolve*", "yyyy-mm-dd", "sent"]]
      case .onlyOpen: [["already happened", "done", "wishes", "small talk", "discussed"]]
      case .shortCommands: [["short", "brief"], ["command", "verb first", "imperative"]]
      case .noOrders: Injection.defence
      case .drafts: [["drafts"], ["breaks off"]]
      case .references: [["conversation"], ["refers to"]]
      case .anyLanguage: [["description"], ["language"]]
      }
    }
  }

  /// A task that the rules found.
  struct Item {
    var words: [Word]
    var assignee: String?
    var day: CalendarDay?
    /// The sentence that contains the task.
    var context: ArraySlice<Word>
  }

  private let instructions: Set<ActionItemInstruction>

  init(system: String) { instructions = ActionItemInstruction.all(in: system) }

  func answer(to layout: ChatLayout) -> String {
    let items = items(in: layout).map { item in
      JSONText.object([
        "description": JSONText.string(description(of: item)),
        "assignedTo": JSONText.string(item.assignee),
        "dueDate": JSONText.string(instructions.contains(.deadlines) ? item.day?.text : nil),
      ])
    }
    return JSONText.object(["actionItems": JSONText.array(items)])
  }

  private func items(in layout: ChatLayout) -> [Item] {
    if !instructions.contains(.noOrders), Injection.occurs(in: layout.message) { return [] }
    var reader = ActionItemReader(
      sender: layout.sender.id,
      recipient: layout.recipient.id,
      sent: CalendarDay(timestamp: layout.time) ?? CalendarDay(year: 1970, month: 1, day: 1),
      instructions: instructions
    )
    let own =
      instructions.contains(.onlyOpen) ? Quotation.removed(from: layout.message) : layout.message
    reader.read(own)
    if reader.items.isEmpty, let turn = layout.conversation.last, turn.from == layout.recipient.id,
      let accepted = Self.acceptance(of: layout.message)
    {
      reader.read(turn.text, acceptedFrom: accepted)
    }
    let items = bordered(reader.items, in: own, of: layout, sent: reader.sent)
    return instructions.contains(.several) ? items : Array(items.prefix(1))
  }

  /// Returns the items after the rules for borderline cases, if the system text has such rules.
  private func bordered(
    _ items: [Item],
    in message: String,
    of layout: ChatLayout,
    sent: CalendarDay
  ) -> [Item] {
    let text = Text(message)
    var items = items
    if instructions.contains(.drafts) {
      items.removeAll { ActionItemBorders.isCutOff($0, in: text) }
    }
    let borders = ActionItemBorders(
      sender: layout.sender.id,
      recipient: layout.recipient.id,
      sent: sent
    )
    if items.isEmpty, instructions.contains(.references), let turn = layout.conversation.last,
      turn.from == layout.recipient.id
    {
      let question = turn.text
      if let day = borders.promisedDay(in: message)
        ?? borders.answeredDay(in: message, to: question)
      {
        items = requests(in: question, of: layout, sent: sent, due: day)
      }
    }
    if items.isEmpty, instructions.contains(.anyLanguage) { items = borders.foreignItems(in: text) }
    return items
  }

  /// Returns the other person's requests, which the sender now promises for a day.
  private func requests(
    in question: String,
    of layout: ChatLayout,
    sent: CalendarDay,
    due day: CalendarDay
  ) -> [Item] {
    var reader = ActionItemReader(
      sender: layout.recipient.id,
      recipient: layout.sender.id,
      sent: sent,
      instructions: instructions
    )
    reader.read(question.replacing(/(?i)\bwhen (will|can) you/, with: "can you"))
    return reader.items.prefix(1).map { item in
      var item = item
      item.assignee = layout.sender.id
      item.day = day
      return item
    }
  }

  // MARK: Description

  private func description(of item: Item) -> String {
    guard instructions.contains(.shortCommands) else {
      return item.context.map { $0.before + $0.written + $0.after }.joined(separator: " ")
    }
    var words = item.words.map(\.written)
    if let first = words.first, let verb = WorkVerb.base(of: first.lowercased()) { words[0] = verb }
    let content = words.filter { !Self.fillers.contains($0.lowercased()) }
    return (content.isEmpty ? words : content).joined(separator: " ").capitalisedFirst
  }

  private static let fillers: Set<String> = [
    "the", "a", "an", "my", "your", "ur", "our", "me", "us", "please", "pls", "also", "just",
    "then", "too", "instead", "this", "that", "these", "those", "some", "again", "now", "quickly",
    "der", "die", "das", "den", "dem", "el", "la", "los", "las", "le", "les", "un", "una", "bitte",
  ]

  // MARK: Answers to an earlier turn

  /// The person whose work a short answer agrees to.
  enum Acceptance { case ownWork, theirWork }

  /// Returns true if a short answer accepts the other person's request or offer.
  private static func acceptance(of message: String) -> Acceptance? {
    let text = Text(message)
    guard text.wordCount <= 12, !refusal.occurs(in: text) else { return nil }
    if yesPlease.occurs(in: text) { return .theirWork }
    return onIt.occurs(in: text) ? .ownWork : nil
  }

  private static let refusal: PhraseList = [
    "no", "not", "can't", "won't", "done", "already", "sorry",
  ]
  private static let yesPlease: PhraseList = ["yes please", "please do", "go ahead", "ja bitte"]
  private static let onIt: PhraseList = [
    "on it", "will do", "i'll do it", "i'll do that", "i'll take it", "consider it done", "sure",
    "yes", "yep", "of course", "mach ich", "claro",
  ]
}
