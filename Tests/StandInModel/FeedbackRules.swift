/// The stand-in's rules for collecting feedback on a design.
struct FeedbackRules {
  /// The instructions in the system text that the collection follows.
  enum FeedbackInstruction: Instruction {
    case problems, limits, evidence, keep, questions, contradictions, settled, smallTalk, length
    case neitherGaveWay, putOff, taste, samePoint, names, phrases, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .problems: [["problems"], ["change", "changes"]]
      case .limits: [["limits"], ["obey", "laws"]]
      case .evidence: [["evidence"], ["tests"]]
      case .keep: [["keep"], ["as it is"]]
      case .questions: [["open questions"], ["not answered"]]
      case .contradictions: [["contradictions"], ["opposite"]]
      case .settled: [["settled"], ["withdrawn"]]
      case .smallTalk: [["small talk"], ["leave"]]
      case .length: [["length"], ["under"]]
      case .neitherGaveWay: [["neither gave way"]]
      case .putOff: [["put off"], ["later"]]
      case .taste: [["taste"], ["ignore"]]
      case .samePoint: [["same point", "several people"], ["one point"]]
      case .names: [["names"], ["copy"]]
      case .phrases: [["phrases"], ["full sentences"]]
      case .noOrders: Injection.defence
      }
    }
  }

  private let instructions: Set<FeedbackInstruction>

  init(system: String) { instructions = FeedbackInstruction.all(in: system) }

  func answer(to layout: FeedbackLayout) -> String {
    for conversation in layout.conversations where !instructions.contains(.noOrders) {
      if let ordered = conversation.turns.first(where: { Injection.occursInThread($0.text) }) {
        return json([(ordered.text, [conversation.with])], contradictions: [])
      }
    }
    let reader = FeedbackReader(layout, instructions: instructions)
    let length = layout.conversations.flatMap(\.turns).reduce(0) { $0 + $1.text.count }
    // The fewer kinds of points are requested, the shorter the answer is.
    let kinds: Set<FeedbackInstruction> = [
      .problems, .limits, .evidence, .keep, .questions, .contradictions,
    ]
    let asked = Double(instructions.intersection(kinds).count) / Double(kinds.count)
    let share = instructions.contains(.length) ? 0.34 * asked : 1
    let points = reader.points(ofLength: Int(share * Double(length)))
    return json(
      points.map { ($0.text, $0.names) },
      contradictions: instructions.contains(.contradictions)
        ? reader.contradictions(among: points) : []
    )
  }

  private func json(
    _ points: [(text: String, names: [String])],
    contradictions: [String]
  ) -> String {
    JSONText.object([
      "points": JSONText.array(
        points.map { point in
          JSONText.object([
            "point": JSONText.string(point.text),
            "raisedBy": JSONText.array(point.names.map { JSONText.string($0) }),
          ])
        }
      ),
      "contradictions": JSONText.array(contradictions.map { JSONText.string($0) }),
    ])
  }
}
