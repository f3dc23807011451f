import SluiceGating

/// The meaning of a run's verdict in a sentence or two: regressions, gates and goals.
struct VerdictText {
  private let result: RunResult
  private static let shownNames = 3

  init(_ result: RunResult) { self.result = result }

  /// The regressions, gates and goals in sentences.
  ///
  /// Such as "No regression. All 4 gates pass. 1 of 4 goals reached, 3 undecided."
  var meaning: String {
    if result.suites.isEmpty { return RunSummaryText(result).reason }
    if let filtered = result.filteredPhrase { return "No gate was decided: \(filtered)." }
    return [verdict, goals].compactMap(\.self).joined(separator: " ")
  }

  private typealias Gate = (suite: String, gate: Decision)

  private var gates: [Gate] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).flatMap { $0.gates.map { (suite.name, $0) } }
    }
  }

  private var verdict: String {
    let gates = gates
    if gates.isEmpty { return "No suite has gates, so nothing was decided." }
    let failed = gates.filter { $0.gate.effect == .fail }
    let open = gates.filter { [.inconclusive, .noVerdict].contains($0.gate.effect) }
    let all = TerminalLines.count(gates.count, "gate")
    var parts: [String] = []
    if !failed.isEmpty {
      parts.append(
        "\(failed.count) of \(all) \(failed.count == 1 ? "fails" : "fail")\(place(failed))"
      )
    }
    if !open.isEmpty {
      let count = failed.isEmpty ? "\(open.count) of \(all)" : "\(open.count)"
      parts.append("\(count) \(open.count == 1 ? "is" : "are") undecided\(place(open))")
    }
    if !parts.isEmpty { return parts.joined(separator: "; ") + "." }
    let hasRegressionGate = gates.contains {
      $0.gate.change != nil || $0.gate.reason == .identical
    }
    let every = gates.count == 1 ? "The only gate passes" : "All \(gates.count) gates pass"
    let waived = gates.count { $0.gate.effect != $0.gate.verdict }
    let live = gates.count { $0.gate.isLeftToLiveRuns }
    var notes: [String] = []
    if waived > 0 { notes.append("\(waived) waived") }
    if live > 0 { notes.append("\(live) decided only on live answers") }
    let rest = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
    return "\(hasRegressionGate ? "No regression. " : "")\(every)\(rest)."
  }

  /// The suites of some gates, where the run has several.
  private func place(_ gates: [Gate]) -> String {
    guard result.suites.count > 1 else { return "" }
    var names: [String] = []
    for gate in gates where !names.contains(gate.suite) { names.append(gate.suite) }
    let shown = names.prefix(Self.shownNames).joined(separator: ", ")
    let more = names.count - Self.shownNames
    return ", in \(shown)\(more > 0 ? " and \(more) more" : "")"
  }

  /// The goals that are reached, and those that nothing is known about; nil where there are none.
  private var goals: String? {
    let goals = result.suites.flatMap(\.columns).filter(\.isCandidate).flatMap(\.goals)
    if goals.isEmpty { return nil }
    let reached = goals.count { $0.verdict == .pass }
    let missed = goals.count { $0.verdict == .fail }
    let unknown = goals.count - reached - missed
    var parts = ["\(reached) of \(TerminalLines.count(goals.count, "goal")) reached"]
    if missed > 0 { parts.append("\(missed) not reached yet") }
    if unknown > 0 { parts.append("\(unknown) undecided") }
    return parts.joined(separator: ", ") + "."
  }
}
