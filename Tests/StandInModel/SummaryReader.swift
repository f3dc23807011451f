/// A reader of a thread, which selects the sentences that a summary needs most.
struct SummaryReader {
  private enum Kind { case point, decision, task, question }

  private struct Unit {
    let turn: Int
    let from: String
    let day: CalendarDay?
    let words: ArraySlice<Word>
    let stems: Set<String>
    /// True if the sentence is in a code block or a log.
    let isCode: Bool
    /// True if the sentence is part of a long pasted text.
    let isPasted: Bool
    let isQuestion: Bool
    let putsOff: Bool
    let accepts: Bool
    let changes: Bool
    let isDone: Bool
    var kind = Kind.point
    var weight = 0.0
    var items: [ActionItemRules.Item] = []

    init(
      _ words: ArraySlice<Word>,
      of turn: ThreadLayout.Turn,
      at index: Int,
      isCode: Bool,
      isPasted: Bool
    ) {
      self.turn = index
      from = turn.from
      day = turn.day
      self.words = words
      stems = ContentWords.stems(of: words)
      self.isCode = isCode
      self.isPasted = isPasted
      isQuestion = words.last?.after.contains { "?？؟".contains($0) } ?? false
      putsOff = DecisionWords.puttingOff.occurs(in: words)
      accepts = DecisionWords.accepting.occurs(in: words)
      changes = SummaryWords.changing.occurs(in: words)
      isDone = SummaryWords.done.occurs(in: words)
    }

    func has(_ phrases: PhraseList) -> Bool { phrases.occurs(in: words) }
  }

  /// The maximum number of later sentences that can change, complete or answer a sentence.
  private static let reach = 40

  private let instructions: Set<SummaryRules.SummaryInstruction>
  private let participants: [String]
  private var units: [Unit] = []

  init(
    turns: [ThreadLayout.Turn],
    participants: [String],
    instructions: Set<SummaryRules.SummaryInstruction>
  ) {
    self.participants = participants
    self.instructions = instructions
    for (index, turn) in turns.enumerated() {
      for part in Self.parts(of: turn.text) {
        let sentences = Text(part.text).sentences
        for (place, sentence) in sentences.enumerated() {
          units.append(
            Unit(
              sentence.words,
              of: turn,
              at: index,
              isCode: part.isCode,
              isPasted: turn.text.utf8.count > 1_000 && place > 1 && place < sentences.count - 2
            )
          )
        }
      }
    }
    for index in units.indices { weigh(index) }
  }

  /// Splits a message at its code blocks.
  private static func parts(of message: String) -> [(text: String, isCode: Bool)] {
    message.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .map { (String($1), $0.isMultiple(of: 2) == false) }
  }

  // MARK: Weights

  private mutating func weigh(_ index: Int) {
    let unit = units[index]
    guard !unit.stems.isEmpty else { return units[index].weight = -10 }
    var weight = details(of: unit) + 0.8 * Double(index) / Double(units.count)
    var kind = Kind.point
    // Gives a low weight to points that the prompt does not ask for, whatever else they say.
    func weigh(_ asked: SummaryRules.SummaryInstruction, _ worth: Double, as new: Kind = .point) {
      if instructions.contains(asked) {
        weight += worth
        kind = new
      } else {
        weight -= 10
      }
    }
    if unit.has(SummaryWords.findings) { weigh(.findings, 1.6) }
    if unit.has(DecisionWords.conditions) {
      weight += instructions.contains(.conditions) ? 1.2 : 0
    }
    if isDecision(index) {
      weigh(.decisions, 2, as: .decision)
      if instructions.contains(.reversals), isChangedLater(index) { weight -= 4 }
    }
    let items = items(in: unit)
    if !items.isEmpty || unit.has(SummaryWords.promises), !isDoneLater(index) {
      units[index].items = items
      weigh(.commitments, 2, as: .task)
    }
    if isOpen(index), kind == .point || !instructions.contains(.questions) {
      weigh(.questions, 1.8, as: unit.isQuestion ? .question : .point)
    }
    if unit.isQuestion, kind != .question { weight -= 1.5 }
    if isSmallTalk(unit) { weight += instructions.contains(.smallTalk) ? -3 : 4 }
    if unit.isCode { weight -= instructions.contains(.logs) ? 10 : 1 }
    if unit.isPasted { weight -= 2 }
    if !instructions.contains(.language), isForeign(unit) { weight *= 0.5 }
    units[index].kind = kind
    units[index].weight = weight
  }

  /// Returns the weight that figures, days and names add to a sentence.
  private func details(of unit: Unit) -> Double {
    var weight = 0.0
    if instructions.contains(.numbers) {
      weight += 0.9 * Double(min(3, unit.words.count(where: SummaryWords.isFigure)))
    }
    let names = unit.words.count { $0.isName && !participants.contains($0.text) }
    weight += (instructions.contains(.names) ? 1 : 0.4) * Double(min(2, names))
    return weight
  }

  private func isDecision(_ index: Int) -> Bool {
    let unit = units[index]
    guard !unit.isQuestion, unit.stems.count >= 2 else { return false }
    if unit.has(DecisionWords.settling) || unit.has(SummaryWords.duties) { return true }
    let proposes = unit.has(DecisionWords.proposing)
    if proposes, !instructions.contains(.proposals) { return true }
    return (proposes || unit.accepts) && isAccepted(index)
  }

  /// Returns true if another person agrees in the next message.
  private func isAccepted(_ index: Int) -> Bool {
    guard let next = units[index...].first(where: { $0.turn > units[index].turn }) else {
      return false
    }
    return next.from != units[index].from && next.accepts
  }

  private func later(than index: Int) -> ArraySlice<Unit> {
    units[(index + 1)...].prefix(Self.reach)
  }

  private func isChangedLater(_ index: Int) -> Bool {
    later(than: index).contains { unit in
      unit.changes
        && ContentWords.likeness(unit.stems, units[index].stems) >= 0.25
    }
  }

  private func isDoneLater(_ index: Int) -> Bool {
    later(than: index).contains { unit in
      unit.from == units[index].from && unit.isDone
        && !unit.stems.isDisjoint(with: units[index].stems)
    }
  }

  /// Returns true if a question has no answer, or a sentence postpones something.
  private func isOpen(_ index: Int) -> Bool {
    let unit = units[index]
    guard unit.isQuestion else { return unit.putsOff }
    let answers = later(than: index).filter { $0.turn > unit.turn && $0.turn <= unit.turn + 2 }
    return answers.isEmpty || answers.contains { $0.putsOff }
  }

  private func isSmallTalk(_ unit: Unit) -> Bool {
    unit.has(SummaryWords.smallTalk) || unit.stems.count <= 1
      || unit.stems.count <= 4 && unit.words.contains { $0.written.contains(where: \.isEmoji) }
  }

  /// Returns true if a sentence is not in English, judged by its letters and function words.
  private func isForeign(_ unit: Unit) -> Bool {
    unit.words.count { word in
      SummaryWords.foreign.contains(word.text) || word.text.contains { !$0.isASCII && $0.isLetter }
    } * 5 >= unit.words.count
  }

  private func items(in unit: Unit) -> [ActionItemRules.Item] {
    let others = participants.filter { $0 != unit.from }
    var reader = ActionItemReader(
      sender: unit.from,
      recipient: others.count == 1 ? others[0] : "",
      sent: unit.day ?? CalendarDay(year: 1970, month: 1, day: 1),
      instructions: Set(ActionItemRules.ActionItemInstruction.allCases)
    )
    reader.read(Sentence(words: unit.words))
    return reader.items
  }

  // MARK: The summary

  /// Returns the most important sentences that fit into a number of characters, in the order of the
  /// thread.
  func summary(ofLength limit: Int) -> Summary {
    let candidates = units.filter { $0.weight > 0 }
      .map { (unit: $0, text: text(of: $0)) }
      .enumerated()
    let order = candidates.map { place, candidate in
      (place: place, worth: candidate.unit.weight / Double(30 + candidate.text.count))
    }
    .sorted { $0.worth == $1.worth ? $0.place < $1.place : $0.worth > $1.worth }
    var left = limit
    var chosen: Set<Int> = []
    let all = candidates.map(\.element)
    for (place, _) in order {
      let cost = cost(of: all[place].unit, text: all[place].text)
      guard cost <= left else { continue }
      left -= cost
      chosen.insert(place)
    }
    return all.indices.reduce(into: Summary()) { summary, place in
      if chosen.contains(place) { add(all[place].unit, text: all[place].text, to: &summary) }
    }
  }

  private func cost(of unit: Unit, text: String) -> Int {
    guard unit.kind == .task else { return text.count + 1 }
    let owner = (unit.items.first?.assignee ?? unit.from).count + 1
    let day = unit.items.first?.day == nil ? 1 : 11
    return (instructions.contains(.once) ? 1 : 2) * (text.count + 1) + owner + day
  }

  private func add(_ unit: Unit, text: String, to summary: inout Summary) {
    switch unit.kind {
    case .point: summary.keyPoints.append(text)
    case .question: summary.questions.append(text)
    case .decision: summary.decisions.append(text)
    case .task:
      let item = unit.items.first
      let day = instructions.contains(.numbers) ? item?.day?.text : nil
      let assignee = item == nil ? unit.from : item?.assignee
      summary.tasks.append(Summary.Task(description: text, assignee: assignee, day: day))
      if !instructions.contains(.once) { summary.decisions.append(text) }
    }
  }

  /// Returns a sentence in the wording of the summary.
  private func text(of unit: Unit) -> String {
    var words = Array(unit.words)
    if !instructions.contains(.numbers) { words.removeAll(where: SummaryWords.isFigure) }
    if !instructions.contains(.conditions) { words = SummaryWords.withoutCondition(words) }
    words.removeAll { SummaryWords.fillers.contains($0.text) }
    if instructions.contains(.phrases) {
      words.removeAll { SummaryWords.littleWords.contains($0.text) }
    }
    words.removeAll { !$0.text.contains { $0.isLetter || $0.isNumber } }
    let text = words.map { $0.before + $0.written + $0.after }.joined(separator: " ")
    return text.isEmpty ? "–" : text.capitalisedFirst
  }
}
