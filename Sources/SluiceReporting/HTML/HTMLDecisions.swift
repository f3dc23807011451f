import SluiceGating

/// The gates and goals as markup, each with a picture of its interval and the required value.
enum HTMLDecisions {
  /// Returns the decisions as a list; those that need attention come first.
  ///
  /// - Parameters:
  ///   - decisions: The gates or the goals of a column.
  ///   - isGoal: True for goals.
  ///   - baseline: A closure that returns the baseline's value of a decision's metric, or `nil` if
  ///     there is none.
  /// - Returns: The markup; empty if there are no decisions.
  static func list(
    _ decisions: [Decision],
    isGoal: Bool,
    baseline: (Decision) -> Double? = { _ in nil }
  ) -> String {
    if decisions.isEmpty { return "" }
    let ordered = decisions.enumerated()
      .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
    let items = ordered.map { item($0.element, isGoal: isGoal, baseline($0.element)) }
    return "<ul class=\"gates\">\n\(items.joined())</ul>\n" + (isGoal ? "" : correction(decisions))
  }

  /// Returns a heading with a note next to it.
  static func head(_ title: String, _ note: String) -> String {
    "<div class=\"gates-head\"><h3>\(title)</h3>\(note)</div>\n"
  }

  /// Returns the legend of the pictures; empty if no decision has a picture.
  static func legend(_ decisions: [Decision]) -> String {
    guard decisions.contains(where: { $0.estimate.value != nil }) else { return "" }
    return """
      <p class="legend small quiet"><span>● now</span><span>○ baseline</span><span>├─┤ interval<span \
      class="aside">: 95%, or 90% for a change</span></span><span>┆ limit</span><span>▨ fails</span></p>
      """
  }

  private static func rank(_ decision: Decision) -> Int {
    switch decision.effect {
    case .fail: 0
    case .noVerdict, .inconclusive: 1
    case .pass: 2
    case .notEvaluated: 3
    }
  }

  /// Returns a collapsed section with the gates that Holm's correction covers together.
  private static func correction(_ gates: [Decision]) -> String {
    guard let title = CorrectionText.title(gates) else { return "" }
    let rows = CorrectionText.rows(gates).map { row in
      "<tr><td><code>\(HTMLText.escaped(row.gate))</code></td>"
        + row.cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    let heads = CorrectionText.heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
    return """
      <details><summary>\(HTMLText.escaped(title))</summary><div class="body">
      <p class="small quiet">\(HTMLText.escaped(CorrectionText.meaning))</p>
      <div class="scroll"><table>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(rows.joined())</tbody></table></div>
      </div></details>

      """
  }

  private static func item(_ decision: Decision, isGoal: Bool, _ baseline: Double?) -> String {
    let (kind, sign) = look(decision, isGoal: isGoal)
    let (figure, why) = outcome(decision, isGoal: isGoal)
    let parts = [
      figure.isEmpty ? "" : "<strong>\(HTMLText.escaped(figure))</strong>",
      why.isEmpty ? "" : "<span class=\"quiet small\">\(HTMLText.escaped(why))</span>",
    ]
    var outcome = parts.filter { !$0.isEmpty }.joined(separator: "<br>")
    if let waiver = decision.waiver, decision.effect != decision.verdict {
      let text = HTMLText.escaped("waived until \(waiver.until): \(waiver.reason)")
      outcome += "<br><strong>\(text)</strong>"
    }
    return """
      <li><span class="sign \(kind)" role="img" aria-label="\(word(decision, isGoal: isGoal))">\(sign)</span>
      <code>\(HTMLText.escaped(decision.condition.text))</code>
      <span class="drawn">\(HTMLPlot.decision(decision, baseline: baseline))</span>
      <span class="outcome">\(outcome)</span></li>

      """
  }

  /// Returns the figure that decided a condition, and the explanation that follows it.
  private static func outcome(_ decision: Decision, isGoal: Bool) -> (figure: String, why: String) {
    guard let change = decision.change, decision.reason != .filtered,
      ![.notEvaluated, .noVerdict].contains(decision.verdict)
    else {
      let text = decision.outcomeText(isGoal: isGoal)
      guard decision.estimate.value != nil, let colon = text.firstRange(of: ": ") else {
        return decision.estimate.value == nil ? ("", text) : (text, "")
      }
      return (String(text[..<colon.lowerBound]), String(text[colon.upperBound...]))
    }
    if decision.reason == .identical {
      return (NumberText.text(change.candidate, decision.metric.quantity), decision.explanation)
    }
    let why = [decision.explanationText, ChangeText.flips(change)].compactMap(\.self)
    let figure = ChangeText.difference(change, decision.metric.quantity)
    let quantity = decision.metric.quantity
    let margin =
      quantity == .rate
      ? NumberText.margin(change.margin)
      : NumberText.text(change.margin, quantity)
    let words = why.joined(separator: "; ").replacing("the margin", with: margin)
    return (figure, words)
  }

  private static func look(_ decision: Decision, isGoal: Bool) -> (kind: String, sign: String) {
    switch (decision.verdict, isGoal) {
    case (.fail, true): ("goal-open", "–")
    // As in the terminal, an undecided goal is not amber, since it never requires action.
    case (.inconclusive, true), (.noVerdict, true): ("goal-open", HTMLText.sign(decision.verdict))
    default: (decision.verdict.rawValue, HTMLText.sign(decision.verdict))
    }
  }

  private static func word(_ decision: Decision, isGoal: Bool) -> String {
    switch (decision.verdict, isGoal) {
    case (.pass, true): "reached"
    case (.fail, true): "not reached"
    default: decision.verdict.word
    }
  }
}
