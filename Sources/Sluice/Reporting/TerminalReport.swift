/// The verdict for a terminal of 80 columns.
package struct TerminalReport {
  private let result: RunResult
  private let style: TerminalStyle
  private let trying: Trying
  private static let width = 80
  private static let labelWidth = 7
  private static let nameWidth = 34
  /// The longest condition beside which its outcome still has room.
  private static let conditionWidth = 43
  private static let shownCases = 3

  /// Whether the call also wrote files, which the text then names.
  private let writesReports: Bool

  package init(
    _ result: RunResult,
    style: TerminalStyle,
    trying: Trying = Trying(),
    writesReports: Bool = true
  ) {
    self.result = result
    self.style = style
    self.trying = trying
    self.writesReports = writesReports
  }

  package var text: String {
    var lines: [String] = []
    for suite in result.suites {
      for column in suite.columns { lines += block(suite, column) + [""] }
    }
    lines += provenance
    lines += verdict
    return lines.map { line in
      // Nothing but spaces would be left of a padded end.
      var line = Substring(line)
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  // MARK: A column

  private func block(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    var lines = head(suite, column)
    lines += shownMetrics(suite, column)
    // Gates and goals stand in one column.
    let widths = (column.gates + column.goals)
      .map { TerminalText.width(of: TerminalText.visible($0.condition.text)) }
    let widest = widths.filter { $0 <= Self.conditionWidth }.max() ?? 0
    lines += conditions("gates", column.gates, isGoal: false, widest: widest)
    lines += conditions("goals", column.goals, isGoal: true, widest: widest)
    lines += faults(column, suite.repetitions > 1 ? "trial" : "case")
    return lines
  }

  /// The names on the left and the verdict on the right; names that leave no room for that have lines
  /// of their own.
  private func head(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    let names = TerminalText.visible("\(column.prompt) on \(column.backend)")
    let detail =
      "\(names) · \(suite.caseCount) cases"
      + (suite.repetitions > 1 ? " × \(suite.repetitions)" : "")
      + (column.isCandidate ? "" : " · not the candidate")
    let word = column.verdict.word.uppercased()
    let room = Self.width - word.count - 1
    let name = TerminalText.cut(Self.opening(suite.name), to: room)
    let isTight = TerminalText.width(of: "\(name)  \(detail)") > room
    let left = style.bold(name) + (isTight ? "" : "  " + style.dim(detail))
    let used = TerminalText.width(of: isTight ? name : "\(name)  \(detail)")
    let space = String(repeating: " ", count: Self.width - word.count - used)
    return [left + space + style.verdict(word, column.verdict)]
      + (isTight ? Self.wrap(detail, indent: 2).map(style.dim) : [])
  }

  /// A text in lines that fit the width whatever its words are.
  private static func wrap(_ text: String, indent: Int) -> [String] {
    TerminalText.wrap(TerminalText.visible(text), to: width - indent).map { line in
      String(repeating: " ", count: indent) + TerminalText.cut(opening(line), to: width - indent)
    }
  }

  /// A text at the start of a line, made visible.
  private static func opening(_ text: String) -> String {
    let text = TerminalText.visible(text)
    // GitHub takes "::" for a command where a line starts with it, indented or not.
    return text.hasPrefix("::") ? "\\" + text : text
  }

  /// A line with a name and what follows it; after a long name that has a line to itself.
  private static func row(_ name: String, _ rest: String) -> String {
    let name = TerminalText.cut(opening(name), to: width - 2)
    guard TerminalText.width(of: name) >= nameWidth else {
      return "  \(TerminalText.pad(name, to: nameWidth))\(rest)"
    }
    return "  \(name)\n\(String(repeating: " ", count: nameWidth + 2))\(rest)"
  }

  private func shownMetrics(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    // Classes and pass rates of single scorers stand in the files.
    let rates = column.metrics.filter {
      $0.quantity == .rate && !$0.name.contains("[") && !$0.name.hasSuffix(".pass-rate")
    }
    var lines = rates.map { metric in
      guard let value = metric.estimate.value else {
        let lines = Self.wrap(
          "unknown: \(metric.estimate.unknown ?? "")",
          indent: Self.nameWidth + 2
        )
        return Self.row(metric.name, style.dim(lines.joined(separator: "\n").trimmed))
      }
      let number = TerminalText.pad(NumberText.text(value, .rate), to: 7, right: true)
      let interval = TerminalText.pad(
        metric.estimate.interval.map { NumberText.text($0, .rate) } ?? "",
        to: 17
      )
      return Self.row(metric.name, "\(number)  \(style.dim("\(interval) n \(metric.estimate.n)"))")
    }
    func value(_ name: String) -> String? {
      guard let metric = column.metrics.first(where: { $0.name == name }) else { return nil }
      return metric.estimate.value.map { NumberText.text($0, metric.quantity) }
    }
    let recorded = suite.source == .recorded ? " (recorded)" : ""
    if let median = value("p50(latency)"), let high = value("p95(latency)") {
      lines.append(Self.row("latency", "p50 \(median) · p95 \(high)\(style.dim(recorded))"))
    }
    let tokens = value("mean(tokens)").map { "\($0) tokens a call" } ?? "tokens unknown"
    let cost = value("sum(cost)").map { "\($0) in all" } ?? "cost unknown"
    lines.append(Self.row("usage", "\(tokens) · \(cost)"))
    if column.lost > 0 {
      let lost = "\(column.lost) of \(column.trials.count) trials"
      lines.append(Self.row("lost", style.warning(lost)))
    }
    return lines
  }

  private func conditions(
    _ title: String,
    _ decisions: [Decision],
    isGoal: Bool,
    widest: Int
  ) -> [String] {
    let indent = 2 + Self.labelWidth + 2
    let texts = decisions.map { TerminalText.visible($0.condition.text) }
    return zip(decisions, texts).enumerated().flatMap { index, entry in
      let (decision, text) = entry
      let label = style.dim(TerminalText.pad(index == 0 ? title : "", to: Self.labelWidth))
      let head = "  \(label)\(mark(decision, isGoal: isGoal)) "
      let outcome = outcome(decision, isGoal: isGoal)
      guard TerminalText.width(of: text) <= Self.conditionWidth else {
        let lines = Self.wrap(text, indent: indent)
        return [head + lines[0].dropFirst(indent)] + lines.dropFirst()
          + Self.wrap(outcome, indent: indent + 2)
      }
      let lines = Self.wrap(outcome, indent: indent + widest + 2)
      return [head + TerminalText.pad(text, to: widest) + lines[0].dropFirst(indent + widest)]
        + lines.dropFirst()
    }
  }

  private func mark(_ decision: Decision, isGoal: Bool) -> String {
    switch (decision.verdict, isGoal) {
    case (.pass, _): style.verdict("✓", .pass)
    case (.fail, false): style.verdict("✗", .fail)
    case (.fail, true): style.warning("○")
    default: style.warning("?")
    }
  }

  private func outcome(_ decision: Decision, isGoal: Bool) -> String {
    guard decision.estimate.value != nil else { return decision.explanation }
    let value = decision.valueText
    guard let distance = decision.distanceText else { return value }
    switch (decision.verdict, isGoal) {
    case (.pass, false): return value
    case (.pass, true): return "\(value), \(distance) to spare"
    case (.fail, true): return "\(value), \(distance) short"
    case (.fail, false): return "\(value), missed by \(distance)"
    case (.noVerdict, _), (.inconclusive, _): return "\(value), \(decision.explanation)"
    }
  }

  // MARK: Cases

  private func faults(_ column: ColumnResult, _ noun: String) -> [String] {
    lostTrials(column.trials.filter(\.isLost), noun)
      + failedTrials(column.trials.filter { $0.outcome == .failed }, noun)
  }

  /// Lost trials by reason: one change of a prompt loses them all, for the same reason.
  private func lostTrials(_ trials: [Trial], _ noun: String) -> [String] {
    if trials.isEmpty { return [] }
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for trial in trials {
      guard case .lost(let loss) = trial.outcome else { continue }
      if names[loss.message] == nil { reasons.append(loss.message) }
      names[loss.message, default: []].append(name(trial))
    }
    var lines = ["  \(style.dim("\(Self.count(trials.count, "lost \(noun)")):"))"]
    for reason in reasons {
      let all = names[reason] ?? []
      var text = all.prefix(Self.shownCases).joined(separator: ", ")
      if all.count > Self.shownCases { text += " and \(all.count - Self.shownCases) more" }
      lines.append(TerminalText.cut("    \(Self.opening(reason))", to: Self.width))
      lines += Self.wrap(text, indent: 6)
    }
    return lines
  }

  private func failedTrials(_ trials: [Trial], _ noun: String) -> [String] {
    if trials.isEmpty { return [] }
    let shown = trials.prefix(Self.shownCases)
    let more = trials.count > shown.count ? ", the first \(shown.count)" : ""
    var lines = ["  \(style.dim("\(Self.count(trials.count, "failed \(noun)"))\(more):"))"]
    for trial in shown {
      lines.append(TerminalText.cut("    \(name(trial))", to: Self.width))
      for fault in trial.faults {
        let text = Self.opening("\(fault.scorer): \(fault.explanation)")
        lines.append(TerminalText.cut("      " + text, to: Self.width))
      }
    }
    return lines
  }

  private func name(_ trial: Trial) -> String {
    let name = Self.opening(trial.caseID)
    return trial.repetition > 1 ? "\(name) (repeat \(trial.repetition))" : name
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: The whole

  private var provenance: [String] {
    var seen: [String] = []
    for provenance in result.suites.flatMap(\.columns).flatMap(\.provenances) {
      let phrase = TerminalText.visible(provenance.phrase)
      if !seen.contains(phrase) { seen.append(phrase) }
    }
    let source =
      result.suites.contains { $0.source == .live } ? "Answered by" : "Recorded answers of"
    return seen.flatMap { Self.wrap("\(source) \($0).", indent: 0) }.map(style.dim)
  }

  private var verdict: [String] {
    var counts: [String] = []
    for verdict in [Verdict.fail, .noVerdict, .inconclusive, .pass] {
      let count = result.suites.count { $0.verdict == verdict }
      if count > 0 { counts.append("\(count) \(verdict.word)") }
    }
    let suites = result.suites.count == 1 ? "1 suite" : "\(result.suites.count) suites"
    var lines = [
      style.verdict("Verdict: \(result.verdict.word)", result.verdict)
        + " (\(suites): \(counts.joined(separator: ", ")))"
    ]
    guard writesReports else { return lines }
    let folder = TerminalText.visible(trying.path(ReportWriter.folder))
    lines.append("Reports: \(folder)/report.md, report.json, junit.xml")
    if let next = result.nextStep(trying) {
      lines.append("Next: \(next.advice):")
      // A command is to be copied, so it is the one line that is never broken.
      lines.append("  \(TerminalText.visible(next.command))")
    }
    return lines
  }
}

/// Colours for a terminal, or none.
package struct TerminalStyle: Sendable {
  private let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package func bold(_ text: String) -> String { wrapped(text, "1") }
  package func dim(_ text: String) -> String { wrapped(text, "2") }
  package func warning(_ text: String) -> String { wrapped(text, "33") }
  package func error(_ text: String) -> String { wrapped(text, "1;31") }

  func verdict(_ text: String, _ verdict: Verdict) -> String {
    switch verdict {
    case .pass: wrapped(text, "1;32")
    case .fail: wrapped(text, "1;31")
    case .inconclusive, .noVerdict: wrapped(text, "1;33")
    }
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
