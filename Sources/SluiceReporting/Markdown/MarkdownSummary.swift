import SluiceGating

/// What a reader of `report.md` wants to know first: which gates do not pass and by how much, what
/// changed since the baseline and whether that is real, and what was not recorded.
struct MarkdownSummary {
  private let result: RunResult
  private let trying: CommandLineOverrides
  /// How many gates are told one by one.
  private static let shown = 10

  init(_ result: RunResult, trying: CommandLineOverrides = CommandLineOverrides()) {
    self.result = result
    self.trying = trying
  }

  /// A paragraph, what brings answers that are missing, and a list of the gates that do not pass,
  /// each where there is some.
  var text: String {
    let changes = RunSummaryText(result, MarkdownText.plain, MarkdownText.code).change
    let filtered = result.filteredPhrase.map { "**No verdict: \(MarkdownText.plain($0)).**" }
    let sentences = [filtered, missing, filtered == nil ? gates : nil, live, changes, recordings]
      .compactMap(\.self)
    return sentences.joined(separator: " ") + "\n\(next)" + (open.isEmpty ? "" : "\n" + list)
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
    let text = "\(parts.joined(separator: ", "))."
    // Where answers are missing that is the news, unless a gate fails all the same.
    return (missing == nil || count(.fail) > 0 ? "**\(text)**" : text)
      + (waived == 0 ? "" : " \(waived) \(waived == 1 ? "passes" : "pass") by a waiver.")
  }

  private var live: String? {
    let count = columns.flatMap(\.column.gates).count(where: \.isLeftToLiveRuns)
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
        let title = RunSummaryText.title(suite, column, MarkdownText.plain)
        let sign = MarkdownReport.symbol(verdict)
        guard verdict == .noVerdict, let first = gates.first, gates.count > 1 else {
          return gates.map { gate in
            let outcome = MarkdownText.plain(gate.outcomeText(isGoal: false))
            return (sign, "\(title): \(MarkdownText.code(gate.condition.text)): \(outcome)")
          }
        }
        if column.hasOnlyUndecided {
          return [(sign, "\(title): \(gates.count) gates cannot be decided without answers")]
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

  // MARK: Recordings

  /// For which cases no answers are recorded, which is why there is no verdict.
  private var missing: String? {
    RunSummaryText(result, MarkdownText.plain, MarkdownText.code).missing.map { "**\($0)**" }
  }

  /// What brings answers or verdicts that are missing, with a command to copy.
  private var next: String {
    guard let next = result.remedy(trying) else { return "" }
    return "\nNext, \(next.advice):\n\n```sh\n\(TerminalText.visible(next.command))\n```\n"
  }

  private var recordings: String? {
    let pending = result.suites.reduce(0) { $0 + $1.recordings.unaccepted }
    if pending == 0 { return nil }
    let verb = pending == 1 ? "waits" : "wait"
    return "\(TerminalLines.count(pending, "answer")) \(verb) to be accepted."
  }
}
