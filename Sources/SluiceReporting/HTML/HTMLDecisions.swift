import SluiceGating

/// Gates and goals with their intervals drawn against what is demanded.
enum HTMLDecisions {
  static func list(_ decisions: [Decision], isGoal: Bool) -> String {
    if decisions.isEmpty { return "" }
    return "<ul class=\"gates\">\n\(decisions.map { item($0, isGoal: isGoal) }.joined())</ul>\n"
      + (isGoal ? "" : correction(decisions))
  }

  /// The gates that are corrected together, folded.
  private static func correction(_ gates: [Decision]) -> String {
    guard let title = CorrectionText.title(gates) else { return "" }
    let rows = CorrectionText.rows(gates).map { row in
      "<tr><td><code>\(HTMLText.escaped(row.gate))</code></td>"
        + row.cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    let heads = CorrectionText.heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
    return """
      <details><summary>\(HTMLText.escaped(title))</summary>
      <div class="scroll"><table>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(rows.joined())</tbody></table></div>
      </details>

      """
  }

  private static func item(_ decision: Decision, isGoal: Bool) -> String {
    let (kind, sign) = look(decision, isGoal: isGoal)
    var outcome = HTMLText.escaped(decision.outcomeText(isGoal: isGoal))
    if let flips = decision.change.flatMap(ChangeText.flips), decision.reason != .identical {
      outcome += "<br><span class=\"quiet small\">\(HTMLText.escaped(flips))</span>"
    }
    if let waiver = decision.waiver, decision.effect != decision.verdict {
      let text = HTMLText.escaped("waived until \(waiver.until): \(waiver.reason)")
      outcome += "<br><strong>\(text)</strong>"
    }
    return """
      <li><span class="sign \(kind)" role="img" aria-label="\(word(decision, isGoal: isGoal))">\(sign)</span>
      <code>\(HTMLText.escaped(decision.condition.text))</code>
      <span>\(HTMLPlot.decision(decision))</span>
      <span class="outcome">\(outcome)</span></li>

      """
  }

  private static func look(_ decision: Decision, isGoal: Bool) -> (kind: String, sign: String) {
    switch (decision.verdict, isGoal) {
    case (.fail, true): ("goal-open", "○")
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
