import SluiceGating

/// Lines for a terminal of 80 columns.
package enum TerminalLines {
  static let width = TerminalText.usualColumns

  /// A text in lines that fit the width whatever its words are.
  static func wrap(_ text: String, indent: Int) -> [String] {
    TerminalText.wrap(TerminalText.visible(text), to: width - indent).map { line in
      String(repeating: " ", count: indent) + TerminalText.cut(opening(line), to: width - indent)
    }
  }

  /// A text at the start of a line, made visible.
  static func opening(_ text: String) -> String {
    let text = TerminalText.visible(text)
    // GitHub takes "::" for a command where a line starts with it, indented or not.
    return text.hasPrefix("::") ? "\\" + text : text
  }

  /// Lines as a text, without the spaces that padding leaves at their ends.
  static func text(_ lines: [String]) -> String {
    lines.map { line in
      var line = Substring(line)
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Who answered, each once.
  static func provenance(of columns: [ColumnResult], isLive: Bool) -> [String] {
    let source = isLive ? "Answered by" : "Recorded answers of"
    return Provenance.phrases(of: columns).flatMap { wrap("\(source) \($0).", indent: 0) }
  }

  /// Which files changed, for the start of a round.
  package static func changed(_ paths: [ProjectPath]) -> String {
    let shown = 8
    var names = paths.prefix(shown).map { $0.description }.joined(separator: ", ")
    if paths.count > shown { names += " and \(paths.count - shown) more" }
    return text(wrap("Changed: \(names)", indent: 0) + [""])
  }

  /// A number of things.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

/// Gates and goals with what they came to, for a terminal.
struct TerminalDecisions {
  private let style: TerminalStyle
  private static let labelWidth = 7
  /// The longest condition that has its outcome beside it: longer ones would leave too little room to
  /// all, since outcomes begin in one column.
  private static let conditionWidth = 34

  init(_ style: TerminalStyle) { self.style = style }

  func lines(gates: [Decision], goals: [Decision]) -> [String] {
    // Outcomes begin in one column, behind the widest condition that has room for its own.
    let widths = (gates.map { ($0, false) } + goals.map { ($0, true) }).compactMap { entry in
      let (decision, isGoal) = entry
      let width = TerminalText.width(of: TerminalText.visible(decision.condition.text))
      let outcome = TerminalText.visible(decision.outcomeText(isGoal: isGoal))
      return width <= Self.conditionWidth && fits(outcome, beside: width) ? width : nil
    }
    let column = widths.max() ?? 0
    return conditions("gates", gates, isGoal: false, column: column)
      + conditions("goals", goals, isGoal: true, column: column)
  }

  /// One line each for gates and goals where nothing was answered.
  func undecided(gates: Int, goals: Int) -> [String] {
    [("gates", gates), ("goals", goals)].filter { $0.1 > 0 }.map { title, count in
      "  \(style.dim(TerminalText.pad(title, to: Self.labelWidth)))\(style.warning("?")) "
        + AbsentAnswers.undecided(count)
    }
  }

  /// Whether an outcome has room beside a condition of a width.
  private func fits(_ outcome: String, beside width: Int) -> Bool {
    Self.indent + width + 2 + TerminalText.width(of: outcome) <= TerminalLines.width
  }

  private static let indent = 2 + labelWidth + 2

  private func conditions(
    _ title: String,
    _ decisions: [Decision],
    isGoal: Bool,
    column: Int
  ) -> [String] {
    let indent = Self.indent
    let texts = decisions.map { TerminalText.visible($0.condition.text) }
    let firstDrawn = isGoal ? nil : decisions.firstIndex(where: \.isDrawn)
    return zip(decisions, texts).enumerated().flatMap { index, entry in
      let (decision, text) = entry
      let label = style.dim(TerminalText.pad(index == 0 ? title : "", to: Self.labelWidth))
      let head = "  \(label)\(mark(decision, isGoal: isGoal)) "
      let outcome = TerminalText.visible(decision.outcomeText(isGoal: isGoal))
      let drawing = drawing(
        decision,
        isGoal: isGoal,
        isExplained: index == firstDrawn,
        indent: indent + 2
      )
      guard TerminalText.width(of: text) <= column, fits(outcome, beside: column) else {
        // What does not fit beside the condition has lines of its own, where it can be read.
        let lines = TerminalLines.wrap(text, indent: indent)
        return [head + lines[0].dropFirst(indent)] + lines.dropFirst()
          + TerminalLines.wrap(outcome, indent: indent + 2) + drawing
      }
      return [head + TerminalText.pad(text, to: column) + "  " + outcome] + drawing
    }
  }

  /// The interval of a change against the margin, and what keeps the gate from deciding.
  private func drawing(_ decision: Decision, isGoal: Bool, isExplained: Bool, indent: Int)
    -> [String]
  {
    let space = String(repeating: " ", count: indent)
    var lines: [String] = []
    if let change = decision.change, !isGoal, decision.isDrawn {
      lines.append(space + style.dim(ChangeText.drawing(change)))
      if isExplained { lines.append(space + style.dim("      \(ChangeText.legend)")) }
    }
    if let waiver = decision.waiver, decision.effect != decision.verdict {
      lines += TerminalLines.wrap("waived until \(waiver.until): \(waiver.reason)", indent: indent)
        .map(style.warning)
    }
    return lines
  }

  private func mark(_ decision: Decision, isGoal: Bool) -> String {
    switch (decision.verdict, isGoal) {
    case (.pass, _): style.verdict("✓", .pass)
    case (.fail, false): style.verdict("✗", .fail)
    case (.fail, true): style.warning("○")
    case (.notEvaluated, _): style.dim("–")
    default: style.warning("?")
    }
  }
}

extension Decision {
  /// Whether there is an interval to draw against a margin.
  var isDrawn: Bool { change != nil && reason != .identical }
}
