/// A reader of a thread, which collects the choices that close a matter.
struct DecisionReader {
  /// A choice that was made.
  struct Choice {
    var words: [Word]
    /// The message that closed the matter, as written.
    let spoken: String
    let turn: Int
    var stems: Set<String> { ContentWords.stems(of: words) }
  }

  private struct Statement {
    let words: ArraySlice<Word>
    let isQuestion: Bool
    let stems: Set<String>

    init(_ sentence: Sentence) {
      words = sentence.words
      isQuestion = words.last?.after.contains { "?？؟".contains($0) } ?? false
      stems = ContentWords.stems(of: words)
    }
  }

  private struct Turn {
    let from: String
    let text: Text
    let statements: [Statement]
    let stems: Set<String>

    init(_ turn: ThreadLayout.Turn) {
      from = turn.from
      text = Text(turn.text)
      statements = text.sentences.map { Statement($0) }
      stems = ContentWords.stems(of: text.words)
    }

    func has(_ phrases: PhraseList) -> Bool { phrases.occurs(in: text) }
  }

  /// The maximum number of messages between an answer and its question.
  private static let reach = 4

  private let turns: [Turn]
  private let instructions: Set<DecisionRules.DecisionInstruction>
  private(set) var choices: [Choice] = []
  /// The messages whose statements a choice has already used.
  private var used: Set<Int> = []

  init(turns: [ThreadLayout.Turn], instructions: Set<DecisionRules.DecisionInstruction>) {
    self.turns = turns.map { Turn($0) }
    self.instructions = instructions
  }

  mutating func read() {
    for index in turns.indices {
      if instructions.contains(.reopened), turns[index].has(DecisionWords.takingBack) {
        choices.removeAll { index - $0.turn <= Self.reach }
      }
      if isIdle(index) { continue }
      if let choice = closing(at: index) { add(choice) }
    }
  }

  /// Returns true if the words of a message cannot close anything.
  private func isIdle(_ index: Int) -> Bool {
    let turn = turns[index]
    if instructions.contains(.putOff), turn.has(DecisionWords.puttingOff) { return true }
    if instructions.contains(.jokes), isJoke(index) { return true }
    if instructions.contains(.conditions), turn.has(DecisionWords.conditions) { return true }
    if instructions.contains(.turnedDown), isRefusal(turn) { return true }
    return false
  }

  /// Returns true if somebody laughs in a message or close to it.
  private func isJoke(_ index: Int) -> Bool {
    (max(0, index - 1)...min(turns.count - 1, index + 1)).contains {
      turns[$0].has(DecisionWords.laughing)
    }
  }

  private func closing(at index: Int) -> Choice? {
    let turn = turns[index]
    let isRefusal = isRefusal(turn)
    if isRefusal, !instructions.contains(.turnedDown) { return accepted(at: index) }
    // In "Sure. Blue it is.", the yes also applies to the next sentence.
    var accepts = false
    for statement in turn.statements where !statement.isQuestion {
      accepts = !isRefusal && (accepts || DecisionWords.accepting.occurs(in: statement.words))
      if let words = chosen(in: statement, at: index, accepts: accepts) {
        return Choice(words: words, spoken: turn.text.raw, turn: index)
      }
    }
    return accepts && instructions.contains(.agreed) ? accepted(at: index) : nil
  }

  /// Returns the matter that a statement closes, in the words of the statement and of the matter.
  private func chosen(in statement: Statement, at index: Int, accepts: Bool) -> [Word]? {
    if instructions.contains(.delegated), DecisionWords.reporting.occurs(in: statement.words) {
      return Array(statement.words)
    }
    if instructions.contains(.tasks), DecisionWords.promises.occurs(in: statement.words) {
      return nil
    }
    let own = DecisionWords.withoutAcceptance(statement.words)
    let stems = ContentWords.stems(of: own)
    guard !stems.isEmpty else { return nil }
    let others = earlier(than: index)
    let isEcho = others.contains { !stems.isDisjoint(with: turns[$0].stems) }
    let settles = DecisionWords.settling.occurs(in: statement.words)
    let isTheirs =
      instructions.contains(.delegated)
      && others.contains { turns[$0].has(DecisionWords.delegating) }
    let isAgreed =
      accepts && (isEcho || stems.count >= 2) || settles && (isEcho || isAcceptedLater(index))
    if isAgreed && instructions.contains(.agreed) || settles && isTheirs
      || settles && !instructions.contains(.oneSide)
    {
      return completed(own, at: index)
    }
    return nil
  }

  /// Returns the messages of other people within reach before a message, starting with the nearest.
  private func earlier(than index: Int) -> [Int] {
    (max(0, index - Self.reach)..<index).reversed().filter { turns[$0].from != turns[index].from }
  }

  private func isRefusal(_ turn: Turn) -> Bool {
    guard let first = turn.text.words.first else { return true }
    return DecisionWords.refusals.contains(first.text) || turn.has(DecisionWords.turningDown)
  }

  /// Returns true if one of the next two messages of other people accepts this message.
  ///
  /// It returns false if the first of the two refuses.
  private func isAcceptedLater(_ index: Int) -> Bool {
    let next = turns[(index + 1)...].prefix(2).filter { $0.from != turns[index].from }
    guard let first = next.first, !isRefusal(first) else { return false }
    return next.contains { $0.has(DecisionWords.accepting) }
  }

  /// Returns the proposal that a bare yes accepts, from the previous message of another person.
  private func accepted(at index: Int) -> Choice? {
    guard let other = earlier(than: index).first, !used.contains(other), !isIdle(other) else {
      return nil
    }
    let proposal = turns[other].statements.last { statement in
      !statement.stems.isEmpty && DecisionWords.proposing.occurs(in: statement.words)
        && !DecisionWords.choosing.occurs(in: statement.words)
    }
    guard let proposal else { return nil }
    let own = DecisionWords.withoutAcceptance(proposal.words)
    return Choice(words: completed(own, at: other), spoken: turns[other].text.raw, turn: index)
  }

  /// Returns a few words together with those of the sentence that opened the matter.
  private func completed(_ words: [Word], at index: Int) -> [Word] {
    let stems = ContentWords.stems(of: words)
    guard stems.count < 3 else { return words }
    for turn in turns[max(0, index - 10)..<index] {
      for (place, statement) in turn.statements.enumerated()
      where !statement.stems.isDisjoint(with: stems) && statement.stems.count < 12 {
        var opening = DecisionWords.withoutOtherOptions(statement.words, than: stems)
        if opening.count < 4, place > 0 { opening = turn.statements[place - 1].words + opening }
        return words + opening.filter { !stems.contains(ContentWords.stem($0.text)) }
      }
    }
    return words
  }

  private mutating func add(_ choice: Choice) {
    used.insert(choice.turn)
    let stems = choice.stems
    let replaces = turns[choice.turn].has(DecisionWords.changing)
    if instructions.contains(.reversed) {
      choices.removeAll { old in
        let shared = old.stems.intersection(stems)
        return replaces && !shared.isEmpty || ContentWords.likeness(old.stems, stems) >= 0.5
      }
    } else if choices.contains(where: { $0.stems == stems }) {
      return
    }
    choices.append(choice)
  }
}
