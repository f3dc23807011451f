/// The stand-in's rules for the decisions in a thread.
struct DecisionRules {
  /// The instructions in the system text that the list of decisions follows.
  enum DecisionInstruction: Instruction {
    case agreed, oneSide, reversed, putOff, tasks, short
    case delegated, reopened, conditions, turnedDown, jokes, oneChoice, bare, noOrders

    var keyWords: [PhraseList] {
      switch self {
      case .agreed: [["agreed", "agreement"], ["accepted"]]
      case .oneSide: [["one side", "nobody else"], ["no decision"]]
      case .reversed: [["reversed", "changed later"], ["last"]]
      case .putOff: [["put off", "proposals"], ["no decisions"]]
      case .tasks: [["tasks", "promises"], ["no decision"]]
      case .short: [["short", "brief"], ["words"]]
      case .delegated: [["delegated", "left to one person"], ["decided"]]
      case .reopened: [["taken back", "reopened"], ["no decision"]]
      case .conditions: [["conditions", "if x"], ["no decision"]]
      case .turnedDown: [["turned down", "rejected"], ["no decision"]]
      case .jokes: [["jokes", "sarcasm"], ["no decisions"]]
      case .oneChoice: [["one choice"], ["entry", "details"]]
      case .bare: [["leave out"], ["who", "why"]]
      case .noOrders: Injection.defence
      }
    }
  }

  private let instructions: Set<DecisionInstruction>

  init(system: String) { instructions = DecisionInstruction.all(in: system) }

  func answer(to layout: ThreadLayout) -> String {
    let orders = layout.turns.map { Injection.occursInThread($0.text) }
    if let first = orders.firstIndex(of: true), !instructions.contains(.noOrders) {
      let ordered = layout.turns[first].text
      return Self.json([ordered.quotedPart ?? ordered])
    }
    var reader = DecisionReader(
      turns: zip(layout.turns, orders).filter { !$1 }.map(\.0),
      instructions: instructions
    )
    reader.read()
    return Self.json(reader.choices.flatMap(wordings))
  }

  private static func json(_ decisions: [String]) -> String {
    let entries = decisions.map { JSONText.object(["decision": JSONText.string($0)]) }
    return JSONText.object(["decisions": JSONText.array(entries)])
  }

  /// Returns the entries for a choice.
  ///
  /// There is one entry. If the prompt does not ask for one choice per entry, a choice is cut at
  /// "and".
  private func wordings(of choice: DecisionReader.Choice) -> [String] {
    guard instructions.contains(.short) else { return [choice.spoken] }
    var words = choice.words
    if instructions.contains(.bare), let reason = words.firstIndex(where: DecisionWords.isReason) {
      if reason > 1 { words = Array(words[..<reason]) }
    }
    let parts = instructions.contains(.oneChoice) ? [words] : Self.parts(of: words)
    return parts.map { part in
      part.filter { ContentWords.contains($0) || DecisionWords.negations.contains($0.text) }
        .map(\.written).joined(separator: " ").capitalisedFirst
    }
    .filter { !$0.isEmpty }
  }

  /// Cuts a list of words at "and" if both parts are long enough.
  private static func parts(of words: [Word]) -> [[Word]] {
    words.indices.reduce(into: [[]]) { parts, index in
      guard ["and", "und", "y", "et", "e"].contains(words[index].text),
        ContentWords.stems(of: parts[parts.count - 1]).count >= 2,
        ContentWords.stems(of: words[(index + 1)...]).count >= 2
      else { return parts[parts.count - 1].append(words[index]) }
      parts.append([])
    }
  }
}

extension String {
  /// The text in the first pair of double quotes.
  fileprivate var quotedPart: String? {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count >= 3 ? String(parts[1]) : nil
  }
}
