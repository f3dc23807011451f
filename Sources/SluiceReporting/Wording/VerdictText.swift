import SluiceGating

/// A verdict with its meaning, in the wording that all reports use.
///
/// An example is `PASS: no regression, all 4 gates pass; 3 of 4 goals not reached yet`.
struct VerdictText {
  private let result: RunResult
  private static let shownNames = 3

  init(_ result: RunResult) { self.result = result }

  /// One line with the verdict and its meaning, without a period.
  var line: String {
    let verdict: Verdict = result.isFiltered ? .noVerdict : result.verdict
    return "\(verdict.word.uppercased()): \(meaning)"
  }

  /// The meaning as a sentence, such as "No regression, all 4 gates pass".
  var sentence: String { Self.sentence(meaning) }

  /// A phrase about regressions, gates, goals and missing answers.
  var meaning: String {
    if let filtered = result.filteredPhrase { return filtered }
    if result.suites.isEmpty {
      return result.selection.map(SelectionText.nothing) ?? "no suite ran"
    }
    let waived = gates.count { $0.effect != $0.verdict }
    let waivers = waived == 0 ? nil : "\(TerminalLines.count(waived, "gate")) waived"
    let parts =
      result.verdict == .pass
      ? [Self.passing(gates), waivers, Self.goals(candidates.flatMap(\.column.goals))]
      : [failing] + absences + [undecided, ungated, waivers]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// Returns a phrase as a sentence, with a capital at the start.
  static func sentence(_ phrase: String) -> String {
    phrase.prefix(1).uppercased() + phrase.dropFirst() + "."
  }

  // MARK: Parts

  private typealias Candidate = (suite: SuiteResult, column: ColumnResult)

  private var candidates: [Candidate] {
    result.suites.flatMap { suite in suite.columns.filter(\.isCandidate).map { (suite, $0) } }
  }

  private var gates: [Decision] { candidates.flatMap(\.column.gates) }

  private var failing: String? {
    let failed = gates.count { $0.effect == .fail }
    if failed == 0 { return nil }
    return Self.part(failed, gates.count, "gate") + (failed == 1 ? " fails" : " fail")
      + suites { $0.gates.contains { $0.effect == .fail } }
  }

  /// Phrases for missing answers: `no recorded answers for 2 of 4 cases (triage): new case`.
  private var absences: [String] {
    struct Absence: Hashable {
      var text: String
      var reason: String?
    }
    var all: [(absence: Absence, suite: String)] = []
    for (suite, column) in candidates where column.hasMisses || column.verdict == .noVerdict {
      guard let absent = AbsentAnswers(suite, column) else { continue }
      all.append((Absence(text: absent.text, reason: absent.explanation), suite.name))
    }
    // Suites for which the same answers are missing share one phrase.
    let kinds = all.reduce(into: [Absence]()) {
      if !$0.contains($1.absence) { $0.append($1.absence) }
    }
    let shown = kinds.prefix(Self.shownNames)
    let texts = shown.map { kind in
      let names = Self.names(all.filter { $0.absence == kind }.map(\.suite))
      return kind.text + names + (kind.reason.map { ": \($0)" } ?? "")
    }
    let rest = all.filter { !shown.contains($0.absence) }.map(\.suite)
    return rest.isEmpty ? texts : texts + ["answers are missing\(Self.names(rest))"]
  }

  /// A phrase for the gates that are undecided for reasons other than missing answers.
  private var undecided: String? {
    func isOpen(_ gate: Decision, _ candidate: Candidate) -> Bool {
      gate.effect == .inconclusive
        || gate.effect == .noVerdict && AbsentAnswers(candidate.suite, candidate.column) == nil
    }
    let open = candidates.flatMap { candidate in
      candidate.column.gates.filter { isOpen($0, candidate) }.map { _ in candidate.suite.name }
    }
    if open.isEmpty { return nil }
    let hasCount = gates.contains { $0.effect == .fail }
    let count = hasCount ? "\(open.count)" : Self.part(open.count, gates.count, "gate")
    let verb = !hasCount && gates.count == 1 ? " is" : ""
    return "\(count)\(verb) undecided\(Self.names(open))"
  }

  /// A phrase for the suites that have no verdict because they have no gates.
  private var ungated: String? {
    let names = candidates.filter { $0.column.verdict == .noVerdict && $0.column.gates.isEmpty }
      .map(\.suite.name)
    return names.isEmpty ? nil : "no gates\(Self.names(names))"
  }

  private func suites(_ isMeant: (ColumnResult) -> Bool) -> String {
    Self.names(candidates.filter { isMeant($0.column) }.map(\.suite.name))
  }

  // MARK: Words

  /// Returns a phrase for gates that pass: `no regression, all 4 gates pass`.
  static func passing(_ gates: [Decision]) -> String {
    let live = gates.count(where: \.isLeftToLiveRuns)
    let decided = gates.count - live
    var parts: [String] = []
    if gates.contains(where: { $0.change != nil || $0.reason == .identical }) {
      parts.append("no regression")
    }
    switch decided {
    case 0: if gates.isEmpty { parts.append("no gates") }
    case 1: parts.append("the only gate passes")
    default: parts.append("all \(decided) gates pass")
    }
    if live > 0 { parts.append("\(TerminalLines.count(live, "gate")) for live answers only") }
    return parts.joined(separator: ", ")
  }

  /// Returns a phrase for goals, or `nil` if there are none.
  ///
  /// Examples are `all 4 goals reached` and `1 of 4 goals not reached yet, 2 undecided`.
  static func goals(_ goals: [Decision]) -> String? {
    if goals.isEmpty { return nil }
    let reached = goals.count { $0.verdict == .pass }
    let missed = goals.count { $0.verdict == .fail }
    if reached == goals.count {
      return goals.count == 1 ? "the only goal reached" : "all \(goals.count) goals reached"
    }
    let open = goals.count - reached - missed
    let undecided = open == 0 ? "" : ", \(open) undecided"
    return missed > 0
      ? part(missed, goals.count, "goal") + " not reached yet\(undecided)"
      : part(reached, goals.count, "goal") + " reached\(undecided)"
  }

  /// Returns the number of suites by verdict: `19 suites: 1 fails, 18 pass`.
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

  /// Returns a phrase for a part of a total: `2 of 3 gates`, `the only gate`.
  static func part(_ part: Int, _ all: Int, _ noun: String) -> String {
    part == 1 && all == 1 ? "the only \(noun)" : "\(part) of \(TerminalLines.count(all, noun))"
  }

  /// Returns names in parentheses, preceded by a space: ` (triage, inbox and 2 more)`.
  ///
  /// Only the first names are shown.
  static func names(_ all: [String]) -> String {
    let names = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    if names.isEmpty { return "" }
    let more = names.count - shownNames
    let shown = names.prefix(shownNames).map { Excerpt.cut($0) }.joined(separator: ", ")
    return " (\(shown)\(more > 0 ? " and \(more) more" : ""))"
  }
}
