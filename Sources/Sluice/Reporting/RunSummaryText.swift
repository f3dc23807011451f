/// What a run came to in a sentence or two, for whoever reads no further.
enum RunSummaryText {
  private static let shownGates = 3

  /// Why the verdict is what it is.
  static func reason(_ result: RunResult) -> String {
    let columns = result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { (suite: suite.name, column: $0) }
    }
    let gates = columns.flatMap { entry in entry.column.gates.map { (entry.suite, $0) } }
    let suites = TerminalLines.count(result.suites.count, "suite")
    if result.suites.isEmpty { return "No suite ran." }
    let failed = gates.filter { $0.1.effect == .fail }
    let open = gates.filter { [.inconclusive, .noVerdict].contains($0.1.effect) }
    let misses = result.suites.reduce(0) { $0 + $1.misses.count }
    var parts: [String] = []
    if !failed.isEmpty {
      let verb = failed.count == 1 ? "fails" : "fail"
      parts.append(
        "\(failed.count) of \(TerminalLines.count(gates.count, "gate")) \(verb): \(list(failed))."
      )
    }
    if misses > 0 {
      let verb = misses == 1 ? "has" : "have"
      parts.append("\(TerminalLines.count(misses, "request")) \(verb) no recording.")
    }
    if !open.isEmpty {
      let verb = open.count == 1 ? "is" : "are"
      parts.append("\(TerminalLines.count(open.count, "gate")) \(verb) not decided: \(list(open)).")
    }
    if !parts.isEmpty { return parts.joined(separator: " ") }
    if gates.isEmpty { return "There are no gates in \(suites)." }
    let all = gates.count == 1 ? "The one gate holds" : "All \(gates.count) gates hold"
    let waived = gates.count { $0.1.effect != $0.1.verdict }
    let live = gates.count { $0.1.verdict == .notEvaluated }
    var notes: [String] = []
    if waived > 0 { notes.append("\(waived) of them waived") }
    if live > 0 { notes.append("\(live) of them on live answers alone, not decided here") }
    return "\(all) in \(suites)\(notes.isEmpty ? "" : ", " + notes.joined(separator: ", "))."
  }

  private static func list(_ gates: [(String, Decision)]) -> String {
    let shown = gates.prefix(shownGates).map { suite, gate in
      "\(suite) \(gate.condition.text) (\(figure(gate)))"
    }
    let more = gates.count > shownGates ? " and \(gates.count - shownGates) more" : ""
    return shown.joined(separator: "; ") + more
  }

  /// The number that a gate was decided on; its reason where there is none.
  private static func figure(_ gate: Decision) -> String {
    if let change = gate.change {
      let quantity = gate.metric.quantity
      let sides = [change.baseline, change.candidate].map { NumberText.text($0, quantity) }
      return sides.joined(separator: " → ")
    }
    return gate.estimate.value == nil ? gate.explanation : gate.valueText
  }

  /// What changed since the baselines, and whether that is real; nil where there are none.
  static func change(_ result: RunResult) -> String? {
    let compared = result.suites.flatMap { suite in
      suite.columns.compactMap { column in
        column.comparison.map { (suite: suite.name, column: column, comparison: $0) }
      }
    }
    if compared.isEmpty { return nil }
    let changed = compared.filter { !$0.comparison.isIdentical }
    if changed.isEmpty { return "Since the baseline every answer is the same." }
    let worse = changed.reduce(0) { $0 + $1.comparison.count(.harmful) }
    let better = changed.reduce(0) { $0 + $1.comparison.count(.beneficial) }
    var names: [String] = []
    for entry in changed where !names.contains(entry.suite) { names.append(entry.suite) }
    var text = "Since the baseline answers changed in \(names.prefix(4).joined(separator: ", "))"
    if names.count > 4 { text += " and \(names.count - 4) more" }
    text += ": \(TerminalLines.count(worse, "case")) that passed fail now, "
    text += "\(TerminalLines.count(better, "case")) that failed pass now."
    let real = changed.flatMap { entry in
      entry.column.gates.filter { $0.reason.isCredibleLoss }.map { gate in
        "\(entry.suite) \(gate.condition.reference)"
      }
    }
    if !real.isEmpty {
      let more = real.count > shownGates ? " and \(real.count - shownGates) more" : ""
      text += " The loss in \(real.prefix(shownGates).joined(separator: ", "))\(more) is more than "
      text += "chance explains."
    } else if worse > 0 {
      text += " No gate finds a loss that chance does not explain."
    }
    return text
  }
}
