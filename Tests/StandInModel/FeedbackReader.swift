/// A reader of several people's feedback on a design, which selects the points that remain valid.
struct FeedbackReader {
  /// A person's request for the design.
  struct Point {
    let text: String
    var names: [String]
    fileprivate let place: Int
    fileprivate let words: ArraySlice<Word>
    fileprivate let stems: Set<String>
    fileprivate let weight: Double
  }

  private let instructions: Set<FeedbackRules.FeedbackInstruction>
  private var candidates: [Point] = []
  /// The points in which two people want opposite things and neither gives in.
  private var quarrels: [String] = []

  init(_ layout: FeedbackLayout, instructions: Set<FeedbackRules.FeedbackInstruction>) {
    self.instructions = instructions
    for conversation in layout.conversations {
      let turns = conversation.turns.map { Text($0.text) }
      for (index, turn) in turns.enumerated()
      where conversation.turns[index].from == conversation.with
        && !Injection.occursInThread(turn.raw)
      {
        let next = index + 1 < turns.count ? turns[index + 1] : nil
        let after = index + 2 < turns.count ? turns[index + 2] : nil
        for sentence in turn.sentences {
          add(sentence.words, by: conversation.with, answer: next, after: after)
        }
        let others = layout.conversations.map(\.with).filter { $0 != conversation.with }
        if let next, let after, !FeedbackWords.givingWay.occurs(in: after),
          let other = next.words.first(where: { others.contains($0.text) })?.text
        {
          quarrels.append("\(conversation.with): \(turn.raw) – \(other): \(next.raw)")
        }
      }
    }
  }

  // MARK: Weights

  private mutating func add(
    _ words: ArraySlice<Word>,
    by name: String,
    answer: Text?,
    after: Text?
  ) {
    let stems = ContentWords.stems(of: words)
    let weight = weight(of: words, stems: stems, answer: answer, after: after)
    guard weight > (instructions.contains(.length) ? 0 : -4) else { return }
    candidates.append(
      Point(
        text: text(of: words),
        names: [name],
        place: candidates.count,
        words: words,
        stems: stems,
        weight: weight
      )
    )
  }

  private func weight(
    of words: ArraySlice<Word>,
    stems: Set<String>,
    answer: Text?,
    after: Text?
  ) -> Double {
    func has(_ phrases: PhraseList) -> Bool { phrases.occurs(in: words) }
    guard stems.count >= 2 else { return 0 }
    var weight = 0.0
    /// Gives a low weight to points that the prompt does not ask for, whatever else they say.
    func weigh(_ asked: FeedbackRules.FeedbackInstruction, _ worth: Double) {
      weight += instructions.contains(asked) ? worth : -10
    }
    let isQuestion = words.last?.after.contains { "?？".contains($0) } ?? false
    if isQuestion, !has(FeedbackWords.wishes), !has(FeedbackWords.keeping) {
      if let answer, !FeedbackWords.ignorance.occurs(in: answer) { return 0 }
      weigh(.questions, 2)
    }
    let figures = words.count(where: SummaryWords.isFigure)
    if has(FeedbackWords.limits) || figures > 0 && has(FeedbackWords.units) { weigh(.limits, 2) }
    if has(FeedbackWords.keeping) { weigh(.keep, 2) }
    if figures > 0, has(FeedbackWords.observing) { weigh(.evidence, 1.5) }
    if has(FeedbackWords.wishes) || has(FeedbackWords.faults) { weigh(.problems, 2) }
    weight += 0.4 * Double(min(3, figures))
    let quotes = words.count { $0.before.contains("\"") || $0.isName }
    weight += (instructions.contains(.names) ? 0.5 : 0.2) * Double(min(2, quotes))
    let isOver =
      has(FeedbackWords.withdrawing)
      || (answer.map { FeedbackWords.changed.occurs(in: $0) } ?? false
        && after.map { FeedbackWords.content.occurs(in: $0) } ?? true)
    if isOver { weight += instructions.contains(.settled) ? -10 : 1 }
    if has(FeedbackWords.later) { weight += instructions.contains(.putOff) ? -10 : 1 }
    if has(FeedbackWords.indifferent) { weight += instructions.contains(.taste) ? -10 : 1 }
    if has(SummaryWords.smallTalk) || has(FeedbackWords.praise) {
      weight += instructions.contains(.smallTalk) ? -2 : 3
    }
    return weight
  }

  private func text(of words: ArraySlice<Word>) -> String {
    var words = words.filter { !SummaryWords.fillers.contains($0.text) }
    // Figures appear only in limits, so they are removed if limits are not requested.
    if !instructions.contains(.limits) { words.removeAll(where: SummaryWords.isFigure) }
    if instructions.contains(.phrases) {
      words.removeAll { SummaryWords.littleWords.contains($0.text) }
    }
    return words.map { $0.before + $0.written + $0.after }.joined(separator: " ").capitalisedFirst
  }

  // MARK: The answer

  /// Returns the most important points that fit into a number of characters, in the order of the
  /// conversations.
  func points(ofLength limit: Int) -> [Point] {
    var left = limit
    var chosen: [Point] = []
    let order = candidates.sorted { first, second in
      let (one, two) = (worth(first), worth(second))
      return one == two ? first.place < second.place : one > two
    }
    for point in order {
      if instructions.contains(.samePoint),
        let same = chosen.firstIndex(where: { isSame($0, point) })
      {
        if !chosen[same].names.contains(point.names[0]) { chosen[same].names += point.names }
        continue
      }
      guard point.text.count + point.names[0].count <= left else { continue }
      left -= point.text.count + point.names[0].count
      chosen.append(point)
    }
    return chosen.sorted { $0.place < $1.place }
  }

  private func worth(_ point: Point) -> Double { point.weight / Double(30 + point.text.count) }

  /// Returns true if two people say nearly the same.
  private func isSame(_ first: Point, _ second: Point) -> Bool {
    first.names != second.names && ContentWords.likeness(first.stems, second.stems) >= 0.4
      && isAgainst(first) == isAgainst(second)
  }

  /// Returns two people's opposite requests for the same part.
  func contradictions(among points: [Point]) -> [String] {
    if !quarrels.isEmpty { return Array(quarrels.prefix(2)) }
    for (index, first) in points.enumerated() {
      for second in points[(index + 1)...] where first.names != second.names {
        let isOpposite =
          isAgainst(first) != isAgainst(second) && (isFor(first) || isFor(second))
        guard !first.stems.isDisjoint(with: second.stems),
          isOpposite || !instructions.contains(.neitherGaveWay)
        else { continue }
        return ["\(first.names[0]): \(first.text) – \(second.names[0]): \(second.text)"]
      }
    }
    return []
  }

  private func isAgainst(_ point: Point) -> Bool {
    FeedbackWords.removing.occurs(in: point.words)
  }

  private func isFor(_ point: Point) -> Bool { FeedbackWords.keeping.occurs(in: point.words) }
}
