import SluiceGating

/// The summary at the top of `report.md`.
///
/// It has the gates that do not pass, the credible changes since the baseline, and pending answers.
struct MarkdownSummary {
  private let result: RunResult
  private let overrides: CommandLineOverrides
  /// The maximum number of gates in the list.
  private static let shown = 10

  /// True if a section with a table of the gates follows, so that the summary need not list them.
  private let hasSections: Bool

  init(
    _ result: RunResult,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    hasSections: Bool = false
  ) {
    self.result = result
    self.overrides = overrides
    self.hasSections = hasSections
  }

  /// A paragraph, the next step if there is one, and the list of the gates that do not pass.
  var text: String {
    let changes = RunSummaryText(result, MarkdownText.plain, MarkdownText.code).change
    let text = VerdictText(result)
    let meaning = result.isFiltered ? "No verdict: \(text.meaning)." : text.sentence
    let sentences = ["**\(MarkdownText.plain(meaning))**", changes, recordings].compactMap(\.self)
    let list = hasSections ? "" : list
    return sentences.joined(separator: " ") + "\n\(next)" + (list.isEmpty ? "" : "\n" + list)
  }

  /// The candidates' columns, which determine the verdict, with their suites.
  private var columns: [(suite: SuiteResult, column: ColumnResult)] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { (suite, $0) }
    }
  }

  // MARK: Gates

  /// The gates that do not pass, the failed ones first.
  ///
  /// If several gates of a column have no verdict, they become one entry, since all of them usually
  /// lack the same data.
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
          (
            sign,
            "\(title): \(gates.count) gates have no verdict; the reason for the first: \(outcome)"
          )
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

  /// The next step: a command that records missing answers or shows why a gate does not pass.
  private var next: String {
    guard let next = result.reportedStep(overrides) else { return "" }
    return "\nNext, \(next.advice):\n\n```sh\n\(TerminalText.visible(next.command))\n```\n"
  }

  private var recordings: String? {
    let pending = result.suites.reduce(0) { $0 + $1.recordings.unaccepted }
    if pending == 0 { return nil }
    let verb = pending == 1 ? "waits" : "wait"
    return "\(TerminalLines.count(pending, "answer")) \(verb) to be accepted."
  }
}
