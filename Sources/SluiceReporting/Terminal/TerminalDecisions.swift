import SluiceGating

/// The gates and goals with their outcomes, for a terminal.
struct TerminalDecisions {
  private let style: TerminalStyle
  private let isVerbose: Bool
  /// The maximum length of a condition that has its outcome on the same line.
  private static let conditionWidth = 44
  private static let indent = 4

  init(_ style: TerminalStyle, isVerbose: Bool = false) {
    (self.style, self.isVerbose) = (style, isVerbose)
  }

  /// Returns a section for the gates and one for the goals, with a line for each condition.
  func sections(gates: [Decision], goals: [Decision]) -> [[String]] {
    let column = column(gates.map { ($0, false) } + goals.map { ($0, true) })
    var sections: [[String]] = []
    if !gates.isEmpty {
      sections.append([style.bold("Gates")] + conditions(gates, isGoal: false, column: column))
    }
    if !goals.isEmpty {
      // The title already says "Goals", so remove the word from the counts.
      let counts =
        VerdictText.goals(goals).map { text in
          let brief = text.replacing("the only goal ", with: "").replacing(" goals ", with: " ")
          return "  " + style.dim(brief)
        } ?? ""
      sections.append(
        [style.bold("Goals") + counts] + conditions(goals, isGoal: true, column: column)
      )
    }
    return sections
  }

  /// Returns a line for each goal, without a heading.
  func goals(_ goals: [Decision]) -> [String] {
    conditions(goals, isGoal: true, column: column(goals.map { ($0, true) }))
  }

  /// Returns the width of the conditions' column, so that the outcomes next to them are aligned.
  private func column(_ decisions: [(Decision, isGoal: Bool)]) -> Int {
    var column = 0
    let widths = decisions.map { decision, isGoal in
      (
        text: TerminalText.width(of: TerminalText.visible(decision.condition.text)),
        outcome: TerminalText.width(of: TerminalText.visible(outcome(decision, isGoal: isGoal)))
      )
    }
    for (text, outcome) in widths.sorted(by: { $0.text < $1.text })
    where text <= Self.conditionWidth && fits(outcome, beside: text) {
      column = text
    }
    return column
  }

  /// Returns true if an outcome fits on the line of its condition, given the width of both.
  private func fits(_ outcome: Int, beside condition: Int) -> Bool {
    Self.indent + condition + 2 + outcome <= TerminalLines.width
  }

  private func outcome(_ decision: Decision, isGoal: Bool) -> String {
    isVerbose ? decision.outcomeText(isGoal: isGoal) : decision.briefOutcome(isGoal: isGoal)
  }

  private func conditions(_ decisions: [Decision], isGoal: Bool, column: Int) -> [String] {
    let firstDrawn = isGoal ? nil : decisions.firstIndex(where: isDrawn)
    return decisions.enumerated().flatMap { index, decision in
      let text = TerminalText.visible(decision.condition.text)
      let head = "  \(mark(decision, isGoal: isGoal)) "
      let outcome = TerminalText.visible(outcome(decision, isGoal: isGoal))
      let drawing = drawing(decision, isGoal: isGoal, isExplained: index == firstDrawn)
      guard TerminalText.width(of: text) <= column,
        fits(TerminalText.width(of: outcome), beside: column)
      else {
        // If the outcome does not fit on the condition's line, put it on the lines below.
        let lines = TerminalLines.wrap(text, indent: Self.indent)
        return [head + lines[0].dropFirst(Self.indent)] + lines.dropFirst()
          + TerminalLines.wrap(outcome, indent: Self.indent + 2) + drawing
      }
      return [head + TerminalText.pad(text, to: column) + "  " + outcome] + drawing
    }
  }

  /// Returns true if the interval is drawn.
  ///
  /// A passed gate needs no drawing.
  private func isDrawn(_ decision: Decision) -> Bool {
    decision.isDrawn && (isVerbose || decision.verdict != .pass)
  }

  /// Returns the drawing of a change's interval with the margin, and the waiver if the gate has
  /// one.
  private func drawing(_ decision: Decision, isGoal: Bool, isExplained: Bool) -> [String] {
    let indent = Self.indent + 2
    let space = String(repeating: " ", count: indent)
    var lines: [String] = []
    if let change = decision.change, !isGoal, isDrawn(decision) {
      let drawing = ChangeText.drawing(change)
      if indent + TerminalText.width(of: drawing) <= TerminalLines.width {
        lines.append(space + style.dim(drawing))
        if isExplained { lines.append(space + style.dim("      \(ChangeText.legend)")) }
      }
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
    case (.fail, true): style.dim("–")
    case (.notEvaluated, _): style.dim("–")
    case (_, true): style.dim("?")
    default: style.warning("?")
    }
  }
}

extension Decision {
  /// True if the decision has an interval that can be drawn with its margin.
  var isDrawn: Bool { change != nil && reason != .identical }

  /// Returns the outcome in a few words.
  ///
  /// The mark before the condition shows the verdict. For a gate, the drawing below shows the
  /// interval.
  func briefOutcome(isGoal: Bool) -> String {
    let brief = briefText(isGoal: isGoal)
    return brief.map { metric.isAdvisory ? "\($0), advisory" : $0 } ?? outcomeText(isGoal: isGoal)
  }

  private func briefText(isGoal: Bool) -> String? {
    if isLeftToLiveRuns { return "live answers only" }
    if reason == .identical { return "identical to the baseline" }
    if let change {
      switch reason {
      case .improved, .withinMargin, .credibleRegression:
        return ChangeText.difference(change, metric.quantity)
      default: return nil
      }
    }
    // The report says once, below all suites, why figures are unknown.
    if estimate.value == nil { return reason == .unknown && isGoal ? "unknown" : nil }
    if let boundText, [.pass, .fail].contains(verdict) {
      return "\(valueText), \(boundText)"
    }
    guard verdict == .fail, [.met, .notMet].contains(reason) else { return nil }
    return shortfallText.map { "\(valueText), \($0)" }
  }
}

extension Condition {
  /// The name of the metric in the condition, such as `false-positive-rate` or `p95(latency)`.
  var metricText: String {
    let name = [reference.scorer, reference.name].compactMap(\.self).joined(separator: ".")
    switch reference.aggregate {
    case .mean: return "mean(\(name))"
    case .max: return "max(\(name))"
    case .min: return "min(\(name))"
    case .sum: return "sum(\(name))"
    case .percentile(let percent): return "p\(NumberText.fixed(percent, decimals: 0))(\(name))"
    case nil:
      switch reference.selector {
      case .tag(let part): return "\(name)[tag=\(part)]"
      case .classLabel(let part): return "\(name)[class=\(part)]"
      case .named(let part): return "\(name)[\(part)]"
      case nil: return name
      }
    }
  }
}
