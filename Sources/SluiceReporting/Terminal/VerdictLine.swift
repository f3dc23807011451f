import SluiceGating

/// Verdicts in a line of the terminal, with what they mean.
enum VerdictLine {
  private static let shownNames = 3

  /// The verdict of a run with its meaning: `PASS: no regression; 3 of 4 goals not reached yet`.
  ///
  /// - Parameter result: The run.
  /// - Returns: The sentence, without a full stop.
  static func sentence(_ result: RunResult) -> String {
    if let filtered = result.filteredPhrase { return "NO VERDICT: \(filtered)" }
    return "\(result.verdict.word.uppercased()): \(meaning(result))"
  }

  private static func meaning(_ result: RunResult) -> String {
    let candidates = result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { (suite: suite, column: $0) }
    }
    if result.suites.isEmpty {
      return result.selection.map(SelectionText.nothing) ?? "no suite ran"
    }
    let gates = candidates.flatMap(\.column.gates)
    let waived = gates.count { $0.effect != $0.verdict }
    let waivers = waived == 0 ? "" : "; \(TerminalLines.count(waived, "gate")) waived"
    func suites(_ isMeant: (ColumnResult) -> Bool) -> String {
      " (" + names(candidates.filter { isMeant($0.column) }.map(\.suite.name)) + ")"
    }
    switch result.verdict {
    case .fail:
      let failed = gates.count { $0.effect == .fail }
      return part(failed, gates.count, "gate") + (failed == 1 ? " fails" : " fail")
        + suites { $0.gates.contains { $0.effect == .fail } } + waivers
    case .inconclusive:
      let open = gates.count { [.inconclusive, .noVerdict].contains($0.effect) }
      return part(open, gates.count, "gate") + " undecided"
        + suites { $0.verdict == .inconclusive } + waivers
    case .noVerdict, .notEvaluated:
      let absent = candidates.compactMap { suite, column in
        column.verdict == .noVerdict ? AbsentAnswers(suite, column)?.text : nil
      }
      let open = gates.count { $0.effect == .noVerdict }
      let reason =
        absent.first
        ?? (gates.isEmpty ? "no gates" : part(open, gates.count, "gate") + " undecided")
      return reason + suites { $0.verdict == .noVerdict } + waivers
    case .pass:
      let goals = goals(candidates.flatMap(\.column.goals)).map { "; \($0)" } ?? ""
      return holding(gates) + waivers + goals
    }
  }

  /// The gates of a pass: `no regression, all 4 gates hold`.
  static func holding(_ gates: [Decision]) -> String {
    let live = gates.count(where: \.isLeftToLiveRuns)
    let held = gates.count - live
    var parts: [String] = []
    if gates.contains(where: { $0.change != nil || $0.reason == .identical }) {
      parts.append("no regression")
    }
    switch held {
    case 0: if gates.isEmpty { parts.append("no gates") }
    case 1: parts.append("the one gate holds")
    default: parts.append("all \(held) gates hold")
    }
    if live > 0 { parts.append("\(TerminalLines.count(live, "gate")) for live answers only") }
    return parts.joined(separator: ", ")
  }

  /// The goals in a phrase: `all 4 goals reached`, `1 of 4 goals not reached yet, 2 undecided`; nil
  /// where there are none.
  static func goals(_ goals: [Decision]) -> String? {
    if goals.isEmpty { return nil }
    let reached = goals.count { $0.verdict == .pass }
    let missed = goals.count { $0.verdict == .fail }
    if reached == goals.count {
      return goals.count == 1 ? "the one goal reached" : "all \(goals.count) goals reached"
    }
    let open = goals.count - reached - missed
    let undecided = open == 0 ? "" : ", \(open) undecided"
    return missed > 0
      ? part(missed, goals.count, "goal") + " not reached yet\(undecided)"
      : part(reached, goals.count, "goal") + " reached\(undecided)"
  }

  /// The number of suites by verdict: `19 suites: 1 fails, 18 pass`.
  static func counts(_ result: RunResult) -> String {
    let parts = [Verdict.fail, .noVerdict, .inconclusive, .pass].compactMap { verdict -> String? in
      let count = result.suites.count { $0.verdict == verdict }
      if count == 0 { return nil }
      switch verdict {
      case .fail: return "\(count) \(count == 1 ? "fails" : "fail")"
      case .pass: return "\(count) \(count == 1 ? "passes" : "pass")"
      case .inconclusive, .noVerdict, .notEvaluated: return "\(count) \(verdict.word)"
      }
    }
    let suites = TerminalLines.count(result.suites.count, "suite")
    return parts.count == 1 ? suites : "\(suites): \(parts.joined(separator: ", "))"
  }

  /// Some of several things: `2 of 3 gates`, `the one gate`.
  private static func part(_ part: Int, _ all: Int, _ noun: String) -> String {
    part == 1 && all == 1 ? "the one \(noun)" : "\(part) of \(TerminalLines.count(all, noun))"
  }

  private static func names(_ all: [String]) -> String {
    let names = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let more = names.count - shownNames
    return names.prefix(shownNames).map { Excerpt.cut($0) }.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }
}
