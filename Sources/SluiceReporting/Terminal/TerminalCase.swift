import SluiceGating

/// A case with its question, expectation, answers and scores, for a terminal of any width.
package struct TerminalCase {
  private let style: TerminalStyle
  private let width: Int
  private let extent: Extent
  private let parts: CaseFields

  /// The extent to which a case is shown.
  package enum Extent: Sendable {
    /// A short block, for a list of many cases.
    case brief
    /// The case with its requests.
    ///
    /// `most` is the maximum number of lines of each text, or `nil` for all.
    case whole(most: Int?)
  }

  /// The minimum and the maximum width of texts in characters.
  package static let widths = 60...120
  /// The minimum width of each column if columns are placed side by side.
  private static let leastColumn = 46
  private static let gap = 3

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - style: The colors of the terminal.
  ///   - columns: The width of the terminal.
  ///   - extent: The extent to which a case is shown.
  package init(style: TerminalStyle, columns: Int, extent: Extent) {
    self.style = style
    self.extent = extent
    // Wider texts are hard to read, so only answers that are side by side use the full width.
    width = max(columns, Self.widths.lowerBound)
    parts = CaseFields(style)
  }

  private var textWidth: Int { min(width, Self.widths.upperBound) }

  /// The maximum number of lines of a text, or `nil` for all.
  private var most: Int? {
    switch extent {
    case .brief: CaseFields.briefMost
    case .whole(let most): most
    }
  }

  /// The maximum number of lines of an answer, or `nil` for all.
  private var mostOfAnswer: Int? {
    if case .brief = extent { 14 } else { most }
  }

  /// Returns the text of a case, followed by an empty line.
  package func text(_ view: CaseView) -> String {
    var lines = head(view)
    switch extent {
    case .brief:
      lines += parts.question(view.question, width: textWidth)
      lines += parts.fields("expected", view.expected, most: CaseFields.briefMost, width: textWidth)
      lines += view.columns.flatMap { column in
        (view.columns.count > 1 ? [heading(column)] : [])
          + answers(column, width: textWidth).flatMap(\.self)
      }
    case .whole: lines += whole(view)
    }
    return TerminalLines.block(lines.map(\.text))
  }

  /// Returns the heading of a suite above its cases.
  package static func title(_ suite: String, _ style: TerminalStyle) -> String {
    TerminalLines.block([style.bold(TerminalLines.opening(suite))])
  }

  /// Returns the advice and the command of a step as lines.
  package static func next(_ step: MissingAnswersStep) -> String {
    let advice = TerminalLines.wrap("Next: \(step.advice):", indent: 0).joined(separator: "\n")
    return "\(advice)\n  \(TerminalText.visible(step.command))\n"
  }

  // MARK: The case

  /// Returns a line with the id on the left and, if there is space, the case's file and line on the
  /// right.
  private func head(_ view: CaseView) -> [ScreenLine] {
    let id = TerminalText.cut(TerminalText.visible(view.id), to: textWidth - 2)
    let name = parts.mark(view.outcome) + ScreenLine(" ") + ScreenLine(id, style.bold)
    var details: [String] = []
    if case .whole = extent {
      details = [view.suite]
      if !view.tags.isEmpty { details.append(view.tags.joined(separator: ", ")) }
    }
    let about = details.isEmpty ? [] : dim(details.joined(separator: " · "), indent: 2)
    guard let place = view.place.map(TerminalText.visible) else { return [name] + about }
    let rest = textWidth - name.width - TerminalText.width(of: place)
    guard rest >= 2 else { return [name] + dim(place, indent: 2) + about }
    let left = name.padded(to: textWidth - TerminalText.width(of: place))
    return [left + ScreenLine(place, style.dim)] + about
  }

  private func dim(_ text: String, indent: Int) -> [ScreenLine] {
    let space = ScreenLine(String(repeating: " ", count: indent))
    return WrappedText.lines(text, width: textWidth - indent).lines
      .map { space + ScreenLine($0, style.dim) }
  }

  private func heading(_ column: AnswerColumn) -> ScreenLine {
    let standings = Set(column.answers.map(\.standing))
    let marks = column.answers.map(\.standing)
    let shown = standings.count == 1 ? Array(marks.prefix(1)) : Array(marks.prefix(10))
    let name = TerminalText.cut(TerminalText.visible(column.name), to: textWidth - 16)
    return shown.reduce(ScreenLine("  ") + ScreenLine(name, style.bold)) {
      $0 + ScreenLine(" ") + parts.mark($1)
    }
  }

  // MARK: Answers

  /// Returns a block for each different answer of a column, with its text and its scores.
  private func answers(_ column: AnswerColumn, width: Int) -> [[ScreenLine]] {
    var groups: [(answer: ShownAnswer, repeats: [Int])] = []
    for answer in column.answers {
      if let place = groups.firstIndex(where: { $0.answer.isAlike(answer) }) {
        groups[place].repeats.append(answer.trial.repetition)
      } else {
        groups.append((answer, [answer.trial.repetition]))
      }
    }
    return groups.flatMap { answer, repeats -> [[ScreenLine]] in
      let isRepeated = column.answers.count > 1
      let title = isRepeated ? "repeat \(Self.list(repeats))" : ""
      return [came(answer, title, width: width), scores(answer, width: width)]
    }
  }

  /// Formats numbers as ranges: `1–3, 5`.
  static func list(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { range in
      switch range.count {
      case 1: "\(range.lowerBound)"
      case 2: "\(range.lowerBound), \(range.upperBound)"
      default: "\(range.lowerBound)–\(range.upperBound)"
      }
    }.joined(separator: ", ")
  }

  private func came(_ answer: ShownAnswer, _ title: String, width: Int) -> [ScreenLine] {
    let room = width - CaseFields.label
    var lines: [ScreenLine] = []
    if !title.isEmpty { lines.append(ScreenLine(title, style.dim)) }
    if let text = answer.text {
      let (shown, left) = WrappedText.lines(
        Self.laidOut(text, width: room),
        width: room,
        most: mostOfAnswer
      )
      lines += text.isEmpty ? [ScreenLine("(empty)", style.dim)] : shown.map { ScreenLine($0) }
      lines += parts.omitted(left)
    }
    if let refusal = answer.refusal {
      let (shown, left) = WrappedText.lines("refusal: \(refusal)", width: room, most: most)
      lines += shown.map { ScreenLine($0) } + parts.omitted(left)
    }
    for call in answer.toolCalls {
      let (shown, left) = WrappedText.lines(
        "tool call: \(call.name) \(call.text)",
        width: room,
        most: most
      )
      lines += shown.map { ScreenLine($0) } + parts.omitted(left)
    }
    if lines.isEmpty || !title.isEmpty && lines.count == 1, answer.trial.isAnswered {
      lines.append(ScreenLine("(no text)", style.dim))
    }
    if case .lost(let loss) = answer.trial.outcome, answer.trial.output == nil {
      lines += WrappedText.lines(loss.message, width: room).lines.map {
        ScreenLine($0, style.warning)
      }
      lines += answer.miss.map { nearest($0, width: room) } ?? []
    }
    let figures = Self.figures(answer)
    if !figures.isEmpty {
      lines += WrappedText.lines(figures, width: room).lines.map { ScreenLine($0, style.dim) }
    }
    return parts.labelled("answer", lines)
  }

  /// Returns a text, in several lines if it is JSON that is too wide for one line.
  private static func laidOut(_ text: String, width: Int) -> String {
    guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      !text.contains("\n"), text.utf8.count > width, text.utf8.count < 100_000,
      let value = try? JSONReader.value(text)
    else { return text }
    return String(decoding: JSONWriter.pretty(value), as: UTF8.self)
  }

  private func nearest(_ miss: RecordingSummary.MissGroup, width: Int) -> [ScreenLine] {
    guard let nearest = miss.nearest, let phrase = RecordingText.nearest(miss) else { return [] }
    let lines = RecordingText.difference(nearest.difference, width: 400)
    return WrappedText.lines(phrase + ":", width: width).lines.map { ScreenLine($0) }
      + lines.flatMap { line in
        WrappedText.lines(line, width: width).lines.map { shown in
          if line.hasPrefix("  -") { return ScreenLine(shown, style.removed) }
          return line.hasPrefix("  +") ? ScreenLine(shown, style.added) : ScreenLine(shown)
        }
      }
      + (RecordingText.keeping(nearest).map {
        WrappedText.lines($0, width: width).lines.map { ScreenLine($0) }
      } ?? [])
  }

  /// Returns the known figures of an answer: the finish reason, the tokens, the time and the cost.
  private static func figures(_ answer: ShownAnswer) -> String {
    guard let output = answer.trial.output else { return "" }
    var parts: [String] = []
    switch answer.source {
    case .pending: parts.append("pending")
    case .scratch: parts.append("scratch")
    case .accepted, nil: break
    }
    if let reason = output.finishReason { parts.append(reason) }
    if let tokens = output.usage?.total {
      parts.append("\(tokens) token\(tokens == 1 ? "" : "s")")
    }
    if let time = answer.trial.latency { parts.append(NumberText.text(time, .time)) }
    if let cost = output.cost { parts.append(NumberText.text(cost, .money)) }
    if answer.source != nil {
      var provenance = output.provenance
      provenance.date = provenance.date.map { String($0.prefix(10)) }
      parts.append(provenance.phrase)
    }
    return parts.joined(separator: " · ")
  }

  // MARK: Scores

  private func scores(_ answer: ShownAnswer, width: Int) -> [ScreenLine] {
    if answer.trial.output == nil { return [] }
    let scores = answer.trial.scores.filter { $0.score.outcome != .notApplicable }
    let room = width - CaseFields.label
    var isTold: (Trial.NamedScore) -> Bool = { _ in true }
    if case .brief = extent { isTold = { $0.score.outcome != .passed } }
    var lines = scores.filter(isTold).flatMap { score($0, width: room) }
    let passed = scores.filter { !isTold($0) }.map { TerminalText.visible($0.name) }
    if !passed.isEmpty {
      let names = WrappedText.lines(passed.joined(separator: " · "), width: room - 2).lines
      lines += ScreenLine.labelled(parts.mark(.passed), names.map { ScreenLine($0) }, indent: 2)
    }
    if lines.isEmpty { lines = [ScreenLine("no scorer judges this case", style.dim)] }
    return parts.labelled("scores", lines)
  }

  private func score(_ named: Trial.NamedScore, width: Int) -> [ScreenLine] {
    let standing: CaseView.Standing =
      switch named.score.outcome {
      case .passed: .passed
      case .failed: .failed
      case .unscored: .lost
      case .notApplicable: .unjudged
      }
    let advisory = named.score.isAdvisory ? " (advisory)" : ""
    let name = TerminalText.visible(named.name) + advisory
    var reason = named.score.explanation
    if reason.isEmpty {
      reason = named.score.outcome == .passed ? "" : named.score.outcome.rawValue
    }
    let text = reason.isEmpty ? name : "\(name): \(reason)"
    let lines = WrappedText.lines(text, width: width - 2, most: most).lines
    return ScreenLine.labelled(parts.mark(standing), lines.map { ScreenLine($0) }, indent: 2)
  }

  // MARK: Whole cases

  /// Returns the requests, answers and scores.
  ///
  /// Columns are placed side by side if the terminal is wide enough.
  private func whole(_ view: CaseView) -> [ScreenLine] {
    let requests = view.columns.map(\.request)
    let isShared = Set(requests).count == 1
    var lines: [ScreenLine] = [.empty]
    if isShared, let request = requests.first.flatMap(\.self) {
      lines += sent(request, width: textWidth).flatMap(\.self) + [.empty]
    }
    lines += parts.fields("expected", view.expected, most: most, width: textWidth) + [.empty]
    let count = view.columns.count
    let room = count > 0 ? (width - (count - 1) * Self.gap) / count : width
    if count > 1, room >= Self.leastColumn {
      return lines + beside(view.columns, isShared: isShared, width: room)
    }
    for (index, column) in view.columns.enumerated() {
      if index > 0 { lines.append(.empty) }
      let (request, answers) = blocks(column, isShared: isShared, width: textWidth)
      lines += (request + answers).flatMap(\.self)
    }
    return lines
  }

  /// Returns the blocks of a column's answers and of its request.
  ///
  /// The blocks of the request are empty if all columns share one request.
  private func blocks(_ column: AnswerColumn, isShared: Bool, width: Int) -> (
    request: [[ScreenLine]], answers: [[ScreenLine]]
  ) {
    let request = isShared ? [] : column.request.map { sent($0, width: width) + [[.empty]] } ?? []
    return (
      [[heading(column)]] + request, answers(column, width: width) + past(column, width: width)
    )
  }

  /// Returns a line for each committed version of the baseline, with the outcome of the case in
  /// that version.
  private func past(_ column: AnswerColumn, width: Int) -> [[ScreenLine]] {
    if column.past.isEmpty { return [] }
    let room = width - CaseFields.label
    let promptWidth =
      column.past.map { TerminalText.width(of: TerminalText.visible($0.prompt)) }.max() ?? 0
    let lines = column.past.flatMap { past -> [ScreenLine] in
      let prompt = TerminalText.pad(TerminalText.visible(past.prompt), to: promptWidth)
      let text = "\(past.day)  \(past.commit)  \(prompt)  \(past.remark)"
      let shown =
        TerminalText.width(of: text) + 2 <= room
        ? [text] : WrappedText.lines(text, width: room - 2).lines
      return ScreenLine.labelled(parts.mark(past.standing), shown.map { ScreenLine($0) }, indent: 2)
    }
    return [parts.labelled("baselines", lines)]
  }

  private func beside(_ columns: [AnswerColumn], isShared: Bool, width: Int) -> [ScreenLine] {
    let all = columns.map { blocks($0, isShared: isShared, width: width) }
    /// Places the columns' blocks in rows, so that blocks of one row start on the same line.
    func rows(_ columns: [[[ScreenLine]]]) -> [ScreenLine] {
      (0..<(columns.map(\.count).max() ?? 0)).flatMap { row in
        ScreenLine.beside(
          columns.map { row < $0.count ? $0[row] : [] },
          width: width,
          gap: Self.gap
        )
      }
    }
    return rows(all.map(\.request)) + rows(all.map(\.answers))
  }

  /// Returns a block for each message of a request, and a block for its parameters.
  private func sent(_ request: SentRequest, width: Int) -> [[ScreenLine]] {
    let messages = request.messages.map { message in
      parts.fields(
        TerminalText.cut(TerminalText.visible(message.name), to: CaseFields.label - 3),
        [CaseView.Field("", message.text)],
        most: most,
        width: width
      )
    }
    if request.parameters.isEmpty { return messages }
    let settings = request.parameters.map { "\($0.name) \($0.text)" }.joined(separator: " · ")
    return messages
      + [parts.fields("settings", [CaseView.Field("", settings)], most: most, width: width)]
  }
}
