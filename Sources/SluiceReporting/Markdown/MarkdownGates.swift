import SluiceGating

/// The gates and goals of a column, for a Markdown comment.
struct MarkdownGates {
  private let gates: [Decision]
  private let goals: [Decision]
  /// The comparison with the baseline, for regression gates.
  private let comparison: RunComparison?

  init(_ column: ColumnResult) {
    self.init(column.gates, goals: column.goals, column.comparison)
  }

  init(_ gates: [Decision], goals: [Decision] = [], _ comparison: RunComparison?) {
    (self.gates, self.goals, self.comparison) = (gates, goals, comparison)
  }

  /// A table of the gates in five columns; empty if there are none.
  ///
  /// With a baseline, the columns include the values before and now, the change and the verdict.
  /// Without a baseline, they include the value, its interval and n.
  var table: String {
    if gates.isEmpty { return "" }
    let isCompared = gates.contains { before($0) != nil }
    let heads =
      isCompared
      ? ["gate", "before", "now", "change, 90% interval", "verdict"]
      : ["gate", "value", "95% interval", "n", "verdict"]
    var text = "\n| \(heads.joined(separator: " | ")) |\n"
    text += String(repeating: "| --- ", count: heads.count) + "|\n"
    for gate in gates {
      let figures = isCompared ? compared(gate) : plain(gate)
      let cells =
        [MarkdownText.code(gate.condition.text)] + figures.map(MarkdownText.figure)
        + [verdict(gate)]
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }

  private func plain(_ gate: Decision) -> [String] {
    let interval = gate.estimate.interval.map { NumberText.text($0, gate.metric.quantity) }
    return [gate.valueText, interval ?? "", gate.estimate.nText]
  }

  private func compared(_ gate: Decision) -> [String] {
    let quantity = gate.metric.quantity
    guard let change = before(gate) else { return ["", gate.valueText, ""] }
    let before = NumberText.text(change.baseline, quantity)
    let now = gate.change == nil ? gate.valueText : NumberText.text(change.candidate, quantity)
    if change.isNothing { return [before, now, "none"] }
    return [before, now, ChangeText.size(change, quantity)]
  }

  /// Returns the change in a gate's metric, or `nil` if the metric was not compared.
  ///
  /// The change is taken from the gate, from another gate on the same metric, or from the
  /// comparison, in this order.
  private func before(_ gate: Decision) -> PairedChange? {
    if let change = gate.change { return change }
    guard let comparison else { return nil }
    let others = gates + goals
    if let change = others.first(where: { $0.metric == gate.metric && $0.change != nil })?.change {
      return change
    }
    let name = String(gate.condition.text.prefix { $0 != " " })
    let named = comparison.changes.filter { $0.name == name || $0.name.hasSuffix(".\(name)") }
    return named.count == 1 ? named[0].change : nil
  }

  /// Returns the outcome of a gate with its sign.
  ///
  /// Numbers that the table shows in other cells are left out.
  private func verdict(_ gate: Decision) -> String {
    let sign = MarkdownReport.symbol(gate.verdict)
    var text = Self.words(gate)
    if let waiver = gate.waiver, gate.effect != gate.verdict {
      text += "; waived until \(waiver.until): \(waiver.reason)"
    }
    return "\(sign) \(MarkdownText.plain(text))"
  }

  private static func words(_ gate: Decision) -> String {
    if gate.metric.isAdvisory { return "\(decided(gate)), advisory" }
    return decided(gate)
  }

  private static func decided(_ gate: Decision) -> String {
    if gate.change != nil {
      // Another table shows the correction, so mention it here only if it withdrew a failure.
      return gate.correction?.takenBack == nil ? gate.explanation : gate.explanationText
    }
    let text = gate.outcomeText(isGoal: false)
    if gate.bounds != nil, text.hasPrefix("\(gate.valueText), ") {
      return String(text.dropFirst(gate.valueText.count + 2))
    }
    switch gate.verdict {
    case .pass: return "met"
    case .fail: return gate.shortfallText ?? gate.explanation
    case .inconclusive, .noVerdict, .notEvaluated: return gate.explanation
    }
  }

  // MARK: Goals

  /// Returns a line with the number of reached goals and the distances from the other goals, or
  /// `nil` if there are no goals.
  static func goals(_ goals: [Decision]) -> String? {
    if goals.isEmpty { return nil }
    let reached = goals.count { $0.verdict == .pass }
    let missed = goals.filter { $0.verdict == .fail }
    let open = goals.count - reached - missed.count
    var parts = missed.prefix(shownGoals).map { goal in
      let distance = goal.shortfallText ?? goal.outcomeText(isGoal: true)
      return "\(MarkdownText.code(goal.condition.text)) \(MarkdownText.plain(distance))"
    }
    let more = missed.count - shownGoals
    if more > 0 { parts.append("\(more) more not reached") }
    if open > 0 { parts.append("\(open) undecided") }
    let rest = parts.isEmpty ? "" : "; \(parts.joined(separator: "; "))"
    return "Goals: \(reached) of \(goals.count) reached\(rest)."
  }

  private static let shownGoals = 4
}
