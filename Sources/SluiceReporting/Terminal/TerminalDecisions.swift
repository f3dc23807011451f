import SluiceGating

/// Gates and goals with their outcomes, for a terminal.
struct TerminalDecisions {
  private let style: TerminalStyle
  private let isVerbose: Bool
  /// The longest condition that has its outcome beside it.
  private static let conditionWidth = 44
  private static let indent = 4

  init(_ style: TerminalStyle, isVerbose: Bool = false) {
    (self.style, self.isVerbose) = (style, isVerbose)
  }

  /// A section each for gates and goals, with a line for each condition.
  func sections(gates: [Decision], goals: [Decision]) -> [[String]] {
    let column = column(gates.map { ($0, false) } + goals.map { ($0, true) })
    var sections: [[String]] = []
    if !gates.isEmpty {
      sections.append([style.bold("Gates")] + conditions(gates, isGoal: false, column: column))
    }
    if !goals.isEmpty {
      // The title has the noun already.
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

  /// A line for each goal, without a heading.
  func goals(_ goals: [Decision]) -> [String] {
    conditions(goals, isGoal: true, column: column(goals.map { ($0, true) }))
  }

  /// The width of the conditions that have their outcomes beside them, all in one column.
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

  /// True when an outcome of a width has room beside a condition of another.
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
        // An outcome that does not fit beside its condition is on the lines below.
        let lines = TerminalLines.wrap(text, indent: Self.indent)
        return [head + lines[0].dropFirst(Self.indent)] + lines.dropFirst()
          + TerminalLines.wrap(outcome, indent: Self.indent + 2) + drawing
      }
      return [head + TerminalText.pad(text, to: column) + "  " + outcome] + drawing
    }
  }

  /// A Boolean value that indicates whether the interval is drawn: a pass needs no picture.
  private func isDrawn(_ decision: Decision) -> Bool {
    decision.isDrawn && (isVerbose || decision.verdict != .pass)
  }

  /// The interval of a change against the margin, and the waiver that keeps the gate from deciding.
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
    case (.fail, true): style.warning("○")
    case (.notEvaluated, _): style.dim("–")
    case (_, true): style.dim("?")
    default: style.warning("?")
    }
  }
}

extension Decision {
  /// A Boolean value that indicates whether there is an interval to draw against a margin.
  var isDrawn: Bool { change != nil && reason != .identical }

  /// The outcome in few words, where the mark and the picture say the rest.
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
    // Why a figure is unknown is said once, below all suites.
    if estimate.value == nil { return reason == .unknown && isGoal ? "unknown" : nil }
    if let boundText, [.pass, .fail].contains(verdict) {
      return "\(valueText), \(boundText)"
    }
    guard verdict == .fail, [.met, .notMet].contains(reason) else { return nil }
    return shortfallText.map { "\(valueText), \($0)" }
  }
}

extension Condition {
  /// The metric as the condition names it: `false-positive-rate`, `p95(latency)`.
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
