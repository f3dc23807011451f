/// The stand-in's rules for summaries, which select sentences by their cues up to the allowed
/// length.
struct SummaryRules {
  /// The instructions in the system text that the summary follows.
  enum SummaryInstruction: Instruction {
    case decisions, commitments, numbers, questions, findings, smallTalk, length
    case reversals, proposals, conditions, onlyNew, logs, once, phrases, names, language, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .decisions: [["decision", "decisions"], ["value"]]
      case .commitments: [["commitments", "took on"], ["action item", "action items"]]
      case .numbers: [["dates", "deadlines"], ["numbers", "prices"]]
      case .questions: [["open questions", "not answered"], ["asked"]]
      case .findings: [["findings", "cause"], ["result"]]
      case .smallTalk: [["small talk", "jokes"], ["leave"]]
      case .length: [["length"], ["under"]]
      case .reversals: [["reversals", "changed later"], ["last form"]]
      case .proposals: [["proposal"], ["no decision"]]
      case .conditions: [["conditions"], ["whole"]]
      case .onlyNew: [["only new", "earlier messages"], ["known", "do not summarise"]]
      case .logs: [["log lines"]]
      case .once: [["one place"]]
      case .phrases: [["phrases"], ["full sentences"]]
      case .names: [["names"], ["people"], ["keep"]]
      case .language: [["language"], ["most"], ["messages"]]
      case .noOrders: Injection.defence
      }
    }
  }

  private let instructions: Set<SummaryInstruction>

  init(system: String) { instructions = SummaryInstruction.all(in: system) }

  func answer(to layout: ThreadLayout) -> String {
    let turns = instructions.contains(.onlyNew) ? layout.turns : layout.earlier + layout.turns
    let orders = turns.map { Injection.occursInThread($0.text) }
    if let first = orders.firstIndex(of: true), !instructions.contains(.noOrders) {
      return json(Summary(keyPoints: [turns[first].text]), of: turns)
    }
    let reader = SummaryReader(
      turns: zip(turns, orders).filter { !$1 }.map(\.0),
      participants: layout.participants,
      instructions: instructions
    )
    // The fewer kinds of facts are requested, the shorter the summary is.
    let kinds: Set<SummaryInstruction> = [
      .decisions, .commitments, .numbers, .questions, .findings,
    ]
    let asked = Double(instructions.intersection(kinds).count) / Double(kinds.count)
    let share = instructions.contains(.length) ? 0.27 * asked : 0.5
    let length = layout.turns.reduce(0) { $0 + $1.text.count }
    return json(reader.summary(ofLength: Int(share * Double(length))), of: turns)
  }

  private func json(_ summary: Summary, of turns: [ThreadLayout.Turn]) -> String {
    JSONText.object([
      "keyPoints": JSONText.array(summary.keyPoints.map { JSONText.string($0) }),
      "decisions": JSONText.array(summary.decisions.map { JSONText.string($0) }),
      "actionItems": JSONText.array(
        summary.tasks.map { task in
          JSONText.object([
            "description": JSONText.string(task.description),
            "assignedTo": JSONText.string(task.assignee),
            "dueDate": JSONText.string(task.day),
          ])
        }
      ),
      "openQuestions": JSONText.array(summary.questions.map { JSONText.string($0) }),
      "covers": JSONText.object([
        "first": "\(turns.first?.number ?? 0)", "last": "\(turns.last?.number ?? 0)",
      ]),
    ])
  }
}

/// The contents of a summary, by the lists of the answer.
struct Summary {
  struct Task {
    var description: String
    var assignee: String?
    var day: String?
  }

  var keyPoints: [String] = []
  var decisions: [String] = []
  var tasks: [Task] = []
  var questions: [String] = []
}
