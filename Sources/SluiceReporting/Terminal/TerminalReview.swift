import SluiceGating

/// Pending answers, each with the accepted answer that it would replace, for a terminal.
package struct TerminalReview {
  private let reviews: [RecordingReview]
  private let judged: [[JudgedAnswer]]
  private let limit: Int?
  private let isDrift: Bool
  private let style: TerminalStyle
  private let width: Int
  private let parts: CaseFields
  private static let shownScores = 3

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - reviews: The sets of pending answers, compared with the accepted answers.
  ///   - judged: The judged answers of each review; empty if answers are only compared.
  ///   - limit: The maximum number of answers to show in full for each set, or `nil` for all.
  ///   - isDrift: True if the answers were requested again only to detect drift.
  ///   - style: The colors of the terminal.
  ///   - columns: The width of the terminal in characters.
  package init(
    _ reviews: [RecordingReview],
    judged: [[JudgedAnswer]] = [],
    limit: Int?,
    isDrift: Bool = false,
    style: TerminalStyle,
    columns: Int = TerminalText.usualColumns
  ) {
    self.reviews = reviews
    self.judged = judged
    self.limit = limit
    self.isDrift = isDrift
    self.style = style
    width = min(max(columns, TerminalCase.widths.lowerBound), TerminalCase.widths.upperBound)
    parts = CaseFields(style)
  }

  /// A pending answer, with its scores if a suite judged it.
  private struct Item {
    var entry: RecordingReview.Entry
    var judged: JudgedAnswer?

    var isSame: Bool { entry.comparison.difference?.isSame == true }
    var turn: JudgedAnswer.Turn { judged?.turn ?? .none }

    /// The position in the display order.
    ///
    /// Newly failing answers come first, then newly passing answers, then all other answers. In
    /// each of these groups, answers to known requests come before answers to new requests. For
    /// both kinds of requests, failing answers come before passing ones.
    var rank: Int {
      let isNew = entry.comparison.difference == nil
      return turn.rawValue * 4 + (isNew ? 2 : 0) + (judged?.now?.isPassed == true ? 1 : 0)
    }
  }

  /// The answers of each review with their scores.
  private var items: [[Item]] {
    reviews.enumerated().map { place, review in
      let judged = place < self.judged.count ? self.judged[place] : []
      return review.entries.enumerated().map { index, entry in
        Item(entry: entry, judged: index < judged.count ? judged[index] : nil)
      }
    }
  }

  /// A line with the number of pending answers and their outcomes, for the end of the screen.
  package var conclusion: String {
    let items = items.flatMap(\.self)
    let outcomes = outcomes(items)
    return "\(style.bold("PENDING")): \(TerminalLines.count(items.count, "answer"))"
      + (outcomes.isEmpty ? "" : " · \(outcomes)")
  }

  package var text: String {
    if reviews.isEmpty { return "Nothing was compared.\n" }
    return zip(reviews, items).map { review, items in
      (head(review, items) + TerminalRecordings.origins(review.origins) + body(items)).map {
        $0 + "\n"
      }.joined()
    }.joined(separator: "\n")
  }

  private func head(_ review: RecordingReview, _ items: [Item]) -> [String] {
    let same = items.count(where: \.isSame)
    let unmatched = items.count { $0.entry.comparison.difference == nil }
    let edited = items.count {
      if case .anotherQuestion = $0.entry.comparison { true } else { false }
    }
    let changed = items.count - same - unmatched
    let place = "\(review.dataset.folder.name) on \(review.backend)"
    let word = isDrift ? "ASKED AGAIN" : "PENDING"
    var counts: [String] = []
    if unmatched > edited { counts.append("\(unmatched - edited) new") }
    if edited > 0 { counts.append("\(edited) to another question") }
    if changed > 0 { counts.append("\(changed) with another answer") }
    if same > 0 { counts.append("\(same) with the same answer") }
    let head =
      style.bold("\(items.count) \(word)") + "  " + style.bold(TerminalText.visible(place))
      + (counts.isEmpty ? "" : "  " + counts.joined(separator: " · "))
    let outcomes = outcomes(items)
    return [head] + (outcomes.isEmpty ? [] : ["  " + outcomes])
  }

  /// Returns the numbers of passing and failing answers and of changed outcomes; empty if the
  /// answers were not judged.
  private func outcomes(_ items: [Item]) -> String {
    let trials = items.compactMap { $0.judged?.now }
    if trials.isEmpty { return "" }
    let passed = trials.count { $0.isPassed == true }
    var counts = ["\(passed) of \(trials.count) \(passed == 1 ? "passes" : "pass")"]
    let failing = items.count { $0.turn == .failing }
    let passing = items.count { $0.turn == .passing }
    if failing > 0 { counts.append(style.removed("\(failing) newly failing")) }
    if passing > 0 { counts.append(style.added("\(passing) newly passing")) }
    let unasked = items.count { $0.judged != nil && $0.judged?.now == nil }
    if unasked > 0 { counts.append("\(unasked) not judged") }
    return counts.joined(separator: " · ")
  }

  private func body(_ items: [Item]) -> [String] {
    let shown = items.filter { !$0.isSame || $0.turn != .none }.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element)
    var lines: [String] = []
    for item in shown.prefix(limit ?? shown.count) {
      lines += [""] + title(item) + about(item) + detail(item.entry) + scores(item)
    }
    if let limit, shown.count > limit {
      lines += ["", "and \(shown.count - limit) more: --limit 0 shows all"]
    }
    return lines
  }

  // MARK: An answer

  private func title(_ item: Item) -> [String] {
    let entry = item.entry
    var text = "\(entry.testCase)  \(entry.prompt)"
    if entry.repetition > 1 { text += ", repeat \(entry.repetition)" }
    switch entry.comparison {
    case .replaces: break
    case .follows(_, let parts): text += "  (changed: \(parts.joined(separator: ", ")))"
    case .anotherQuestion(let parts):
      text += "  (another question; changed: \(parts.joined(separator: ", ")))"
    case .new: text += "  (new)"
    }
    guard let judged = item.judged else { return [TerminalText.visible(text)] }
    let marks = [judged.before, judged.now].compactMap { trial in
      trial.map { parts.mark(CaseView.Standing($0.outcome)).text }
    }
    let sign = marks.isEmpty ? "" : marks.joined(separator: " → ") + " "
    let phrase =
      switch item.turn {
      case .failing: style.removed("  newly failing")
      case .passing: style.added("  newly passing")
      case .none: judged.now == nil ? style.dim("  not judged: no suite uses this request now") : ""
      }
    return [sign + style.bold(TerminalText.visible(text)) + phrase]
  }

  /// Returns the question and the expectation of an answer.
  private func about(_ item: Item) -> [String] {
    guard let judged = item.judged else { return [] }
    var lines = judged.question.isEmpty ? [] : parts.question(judged.question, width: width)
    if let expected = judged.expected {
      lines += parts.fields("expected", expected, most: CaseFields.briefMost, width: width)
    }
    return lines.map(\.text)
  }

  /// Returns the reasons why a pending answer fails.
  private func scores(_ item: Item) -> [String] {
    guard let now = item.judged?.now, now.isPassed != true else { return [] }
    let faults = now.faults.prefix(Self.shownScores).map { "\($0.scorer): \($0.explanation)" }
    let lines = faults.flatMap { fault in
      ScreenLine.labelled(
        parts.mark(CaseView.Standing(now.outcome)),
        WrappedText.lines(fault, width: width - CaseFields.label - 2, most: CaseFields.briefMost)
          .lines.map { ScreenLine($0) },
        indent: 2
      )
    }
    return lines.isEmpty ? [] : parts.labelled("scores", lines).map(\.text)
  }

  private func detail(_ entry: RecordingReview.Entry) -> [String] {
    guard let difference = entry.comparison.difference else {
      var lines = (entry.text ?? "").split(separator: "\n").map { "+ \($0)" }
      if let refusal = entry.refusal { lines.append("+ refusal: \(refusal)") }
      return DifferenceLines(style).shown(lines.isEmpty ? ["+ no text"] : lines)
    }
    var lines = DifferenceLines(style).shown(difference.lines)
    if !difference.figures.isEmpty {
      lines.append("    " + TerminalText.visible(difference.figures.joined(separator: " · ")))
    }
    return lines
  }
}
