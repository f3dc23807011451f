/// What a reader of `report.md` wants to know first: which gates do not pass and by how much, what
/// changed since the baseline and whether that is real, and what was not recorded.
struct MarkdownSummary {
  private let result: RunResult
  /// How many gates, and how many changes, are told one by one.
  private static let shown = 10
  private static let longestName = 100

  init(_ result: RunResult) { self.result = result }

  /// A paragraph, and a list of the gates that do not pass where there are some.
  var text: String {
    let sentences = [gates, live, changes, recordings].compactMap(\.self)
    return sentences.joined(separator: " ") + "\n" + (open.isEmpty ? "" : "\n" + list)
  }

  /// The columns that decide, with their suites.
  private var columns: [(suite: SuiteResult, column: ColumnResult)] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { (suite, $0) }
    }
  }

  // MARK: Gates

  /// The gates that were decided.
  private var decided: [Decision] {
    columns.flatMap(\.column.gates).filter { $0.verdict != .notEvaluated }
  }

  private var gates: String {
    let all = decided
    func count(_ verdict: Verdict) -> Int { all.count { $0.effect == verdict } }
    let waived = all.count { $0.effect != $0.verdict }
    let waivers = waived == 0 ? "" : ", \(waived) by a waiver"
    if all.isEmpty { return "No gate was decided." }
    if count(.pass) == all.count {
      return (all.count == 1 ? "The only gate passes" : "All \(all.count) gates pass")
        + "\(waivers)."
    }
    let parts = [
      (count(.fail), "fails", "fail"),
      (count(.inconclusive), "is inconclusive", "are inconclusive"),
      (count(.noVerdict), "has no verdict", "have no verdict"),
    ].filter { $0.0 > 0 }.enumerated().map { index, part in
      let of = index == 0 ? " of \(TerminalLines.count(all.count, "gate"))" : ""
      return "\(part.0)\(of) \(part.0 == 1 ? part.1 : part.2)"
    }
    return "**\(parts.joined(separator: ", ")).**"
      + (waived == 0 ? "" : " \(waived) \(waived == 1 ? "passes" : "pass") by a waiver.")
  }

  private var live: String? {
    let count = columns.flatMap(\.column.gates).count { $0.verdict == .notEvaluated }
    if count == 0 { return nil }
    return
      "\(TerminalLines.count(count, "gate")) on live answers \(count == 1 ? "is" : "are") not decided here."
  }

  /// The gates that do not pass, the failed ones first; of those without a verdict one for each column,
  /// since they mostly lack the same.
  private var open: [(sign: String, text: String)] {
    func lines(_ verdict: Verdict) -> [(sign: String, text: String)] {
      columns.flatMap { suite, column -> [(sign: String, text: String)] in
        let gates = column.gates.filter { $0.effect == verdict }
        let title = Self.title(suite, column)
        let sign = MarkdownReport.symbol(verdict)
        guard verdict == .noVerdict, let first = gates.first, gates.count > 1 else {
          return gates.map { gate in
            let outcome = MarkdownText.plain(gate.outcomeText(isGoal: false))
            return (sign, "\(title): \(MarkdownText.code(gate.condition.text)): \(outcome)")
          }
        }
        let outcome = MarkdownText.plain(first.explanation)
        return [
          (sign, "\(title): \(gates.count) gates have no verdict, the first because \(outcome)")
        ]
      }
    }
    return lines(.fail) + lines(.noVerdict) + lines(.inconclusive)
  }

  private var list: String {
    let all = open
    var text = all.prefix(Self.shown).map { "- \($0.sign) \($0.text)\n" }.joined()
    if all.count > Self.shown { text += "- and \(all.count - Self.shown) more\n" }
    return text
  }

  private static func title(_ suite: SuiteResult, _ column: ColumnResult) -> String {
    let name = MarkdownText.plain(Excerpt.cut(suite.name, to: longestName))
    // Two backends have gates of the same words.
    guard suite.columns.count(where: \.isCandidate) > 1 else { return name }
    return "\(name) on \(MarkdownText.plain(Excerpt.cut(column.backend, to: longestName)))"
  }

  // MARK: Changes

  private var changes: String? {
    let compared = columns.filter { $0.column.comparison != nil }
    if compared.isEmpty { return nil }
    let changed = compared.filter { $0.column.comparison?.isIdentical == false }
    let others = columns.count - compared.count
    let rest = others == 0 ? "" : " \(others) of \(columns.count) have no baseline."
    if changed.isEmpty { return "Every answer is that of the baseline.\(rest)" }
    func count(_ flip: OutcomeFlip) -> Int {
      changed.reduce(0) { $0 + ($1.column.comparison?.count(flip) ?? 0) }
    }
    let (worse, better) = (count(.harmful), count(.beneficial))
    var text = "Since the baseline "
    if worse + better == 0 {
      text += "answers changed, and no case passes or fails that did not before."
    } else {
      text += "\(TerminalLines.count(worse, "case")) \(worse == 1 ? "fails" : "fail") now and "
      text += "\(better) \(better == 1 ? "passes" : "pass") now."
    }
    // A 90% interval on one side of 0 is what gates call credible; see docs/gates.md.
    let losses = credible(changed) { $0.interval.high < 0 }
    let gains = credible(changed) { $0.interval.low > 0 }
    if !losses.isEmpty { text += " The loss is credible: \(losses)." }
    if losses.isEmpty, worse > 0 { text += " No loss is credible." }
    if !gains.isEmpty { text += " The gain is credible: \(gains)." }
    return text + rest
  }

  /// The first change of each column that a condition holds for, with its figures.
  private func credible(
    _ columns: [(suite: SuiteResult, column: ColumnResult)],
    where isMeant: (PairedChange) -> Bool
  ) -> String {
    let all = columns.compactMap { suite, column -> String? in
      let first = column.comparison?.changes.first { isMeant($0.change) }
      return first.map { named in
        let figures = ChangeText.difference(named.change, named.quantity)
        return "\(Self.title(suite, column)) \(MarkdownText.code(named.name)) "
          + MarkdownText.plain(figures)
      }
    }
    let more = all.count > Self.shown ? "; and \(all.count - Self.shown) more" : ""
    return all.prefix(Self.shown).joined(separator: "; ") + more
  }

  // MARK: Recordings

  private var recordings: String? {
    let missing = result.suites.flatMap(\.recordings.misses).reduce(0) { $0 + $1.count }
    let pending = result.suites.reduce(0) { $0 + $1.recordings.unaccepted }
    let parts = [
      missing == 0
        ? nil
        : "\(TerminalLines.count(missing, "answer")) \(missing == 1 ? "is" : "are") not recorded",
      pending == 0
        ? nil
        : "\(TerminalLines.count(pending, "answer")) \(pending == 1 ? "waits" : "wait") to be accepted",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
  }
}
