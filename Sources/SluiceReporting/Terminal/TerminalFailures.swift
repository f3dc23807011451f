import SluiceGating

/// The failed cases of a column, for a terminal.
///
/// Each case has the start of its answer and the reasons why it failed.
struct TerminalFailures {
  private let suite: SuiteResult
  private let style: TerminalStyle
  private static let shownCases = 3
  /// The maximum number of answers to show if no answer is judged.
  private static let shownAnswers = 10
  private static let longestLabel = 20
  /// The maximum number of lines of an explanation.
  private static let explanationLines = 4
  private static let labelIndent = 4

  init(_ suite: SuiteResult, style: TerminalStyle) {
    (self.suite, self.style) = (suite, style)
  }

  func lines(_ column: ColumnResult) -> [String] { failed(column) + unjudged(column) }

  static func name(_ trial: Trial) -> String {
    trial.repetition > 1 ? "\(trial.caseID) (repeat \(trial.repetition))" : trial.caseID
  }

  /// Returns the failed cases, the newly failing ones first.
  private func failed(_ column: ColumnResult) -> [String] {
    if column.failed == 0 { return [] }
    let noun = suite.repetitions > 1 ? "trial" : "case"
    let new = column.newlyFailing
    let isNew = !new.isEmpty
    var seen: Set<ExactString> = []
    var (trials, others): ([Trial], Set<ExactString>) = ([], [])
    for trial in column.trials where trial.outcome == .failed {
      let id = ExactString(trial.caseID)
      if !isNew {
        trials.append(trial)
      } else if !new.contains(id) {
        others.insert(id)
      } else if seen.insert(id).inserted {
        // For a flipped case, show only one of its repeats.
        trials.append(trial)
      }
    }
    let total = isNew ? new.count : column.failed
    var log = suite.log.map { RunLogReader($0) }
    let shown = trials.prefix(Self.shownCases).map { log?.whole($0) ?? $0 }
    let count = Self.count(total, isNew ? "case" : noun, shown: shown.count)
    let rest = others.isEmpty ? "" : style.dim("; \(others.count) more failed before, too")
    return [style.bold(isNew ? "Newly failing, \(count)" : "Failed, \(count)") + rest]
      + shown.flatMap(failure)
  }

  /// Returns a failed case with the start of its answer and its reasons.
  func failure(_ trial: Trial) -> [String] {
    let faults = trial.faults
    let labels = ["answer"] + faults.map { TerminalText.visible($0.scorer) }
    let widths = labels.map { TerminalText.width(of: $0) }.filter { $0 <= Self.longestLabel }
    let indent = Self.labelIndent + (widths.max() ?? 0) + 2
    var lines = TerminalLines.wrap(Self.name(trial), indent: 2)
    if let answer = Self.answer(trial) {
      let text = TerminalText.cut(
        TerminalText.visible(Excerpt.line(answer, to: TerminalLines.width)),
        to: TerminalLines.width - indent
      )
      lines += labelled("answer", [text], indent)
    }
    for fault in faults {
      let text = TerminalLines.wrap(fault.explanation, indent: 0 + indent)
      var shown = text.prefix(Self.explanationLines).map { String($0.dropFirst(indent)) }
      if text.count > shown.count { shown[shown.count - 1] = shown[shown.count - 1] + " …" }
      lines += labelled(fault.scorer, shown, indent)
    }
    return lines
  }

  /// Returns the start of a trial's answer, or `nil` if it has no answer.
  private static func answer(_ trial: Trial) -> String? {
    guard let output = trial.output else { return nil }
    if let refusal = trial.refusal { return "refusal: \(refusal)" }
    return output.excerpt.isEmpty ? "(empty)" : output.excerpt
  }

  /// Returns lines with a label in front of the first one, or above it if the label is long.
  private func labelled(_ label: String, _ lines: [String], _ indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    let margin = String(repeating: " ", count: Self.labelIndent)
    let visible = TerminalLines.opening(label)
    let fitted = lines.map { TerminalText.cut($0, to: TerminalLines.width - indent) }
    guard Self.labelIndent + TerminalText.width(of: visible) < indent, let first = fitted.first
    else {
      return TerminalLines.wrap(label, indent: Self.labelIndent).map(style.dim)
        + fitted.map { space + $0 }
    }
    let head = margin + style.dim(visible)
    let gap = String(
      repeating: " ",
      count: indent - Self.labelIndent - TerminalText.width(of: visible)
    )
    return [head + gap + first] + fitted.dropFirst().map { space + $0 }
  }

  /// Returns a phrase such as `1 case` or `10 cases, 3 shown`.
  static func count(_ total: Int, _ noun: String, shown: Int) -> String {
    TerminalLines.count(total, noun) + (total > shown ? ", \(shown) shown" : "")
  }

  /// Returns the answers that no scorer judged.
  ///
  /// More answers are shown if no answer of the column is judged.
  private func unjudged(_ column: ColumnResult) -> [String] {
    if column.unjudged == 0 { return [] }
    let room = column.isUnjudged ? Self.shownAnswers : Self.shownCases
    var log = suite.log.map { RunLogReader($0) }
    let shown = column.trials.lazy.filter { $0.outcome == .unjudged }.prefix(room)
      .map { log?.whole($0) ?? $0 }
    let count = Self.count(column.unjudged, "answer", shown: shown.count)
    return [style.bold("Not judged, \(count)")]
      + shown.flatMap { trial in
        let text = Excerpt.line(Self.answer(trial) ?? "(empty)", to: 300)
        return TerminalLines.wrap("\(Self.name(trial)): \(text)", indent: 2)
      }
  }
}

extension ColumnResult {
  /// The cases that fail now but did not fail in the baseline.
  var newlyFailing: Set<ExactString> {
    Set((comparison?.flips ?? []).filter { $0.flip == .harmful }.map { ExactString($0.caseID) })
  }
}
