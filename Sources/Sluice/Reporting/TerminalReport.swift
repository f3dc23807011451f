/// The verdict for a terminal of 80 columns.
package struct TerminalReport {
  private let result: RunResult
  private let style: TerminalStyle
  /// The prompt that was tried in place of the suites' own, as it was given.
  private let prompt: String?
  private static let width = 80
  private static let labelWidth = 7
  private static let nameWidth = 34
  private static let shownCases = 5

  /// Whether the call also wrote files, which the text then names.
  private let writesReports: Bool

  package init(
    _ result: RunResult,
    style: TerminalStyle,
    prompt: String? = nil,
    writesReports: Bool = true
  ) {
    self.result = result
    self.style = style
    self.prompt = prompt
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
    let name = TerminalText.visible(suite.name)
    let detail =
      "\(column.prompt) on \(column.backend) · \(suite.caseCount) cases"
      + (suite.repetitions > 1 ? " × \(suite.repetitions)" : "")
      + (column.isCandidate ? "" : " · not the candidate")
    let word = column.verdict.word.uppercased()
    let left = "\(name)  \(detail)"
    let space = max(1, Self.width - TerminalText.width(of: left) - word.count)
    var lines = [
      style.bold(name) + "  " + style.dim(detail) + String(repeating: " ", count: space)
        + style.verdict(word, column.verdict)
    ]
    lines += shownMetrics(suite, column)
    lines += conditions("gates", column.gates, isGoal: false)
    lines += conditions("goals", column.goals, isGoal: true)
    lines += faults(column)
    return lines
  }

  private func shownMetrics(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    // Classes and pass rates of single scorers stand in the files.
    let rates = column.metrics.filter {
      $0.quantity == .rate && !$0.name.contains("[") && !$0.name.hasSuffix(".pass-rate")
    }
    var lines = rates.map { metric in
      let name = TerminalText.pad(metric.name, to: Self.nameWidth)
      guard let value = metric.estimate.value else {
        return "  \(name)\(style.dim("unknown: \(metric.estimate.unknown ?? "")"))"
      }
      let number = TerminalText.pad(NumberText.text(value, .rate), to: 7, right: true)
      let interval = TerminalText.pad(
        metric.estimate.interval.map { NumberText.text($0, .rate) } ?? "",
        to: 17
      )
      return "  \(name)\(number)  \(style.dim("\(interval) n \(metric.estimate.n)"))"
    }
    func value(_ name: String) -> String? {
      guard let metric = column.metrics.first(where: { $0.name == name }) else { return nil }
      return metric.estimate.value.map { NumberText.text($0, metric.quantity) }
    }
    let recorded = suite.source == .recorded ? " (recorded)" : ""
    if let median = value("p50(latency)"), let high = value("p95(latency)") {
      lines.append(
        "  \(TerminalText.pad("latency", to: Self.nameWidth))p50 \(median) · p95 \(high)\(style.dim(recorded))"
      )
    }
    let tokens = value("mean(tokens)").map { "\($0) tokens a call" } ?? "tokens unknown"
    let cost = value("sum(cost)").map { "\($0) in all" } ?? "cost unknown"
    lines.append("  \(TerminalText.pad("usage", to: Self.nameWidth))\(tokens) · \(cost)")
    if column.lost > 0 {
      let lost = "\(column.lost) of \(column.trials.count) trials"
      lines.append("  \(TerminalText.pad("lost", to: Self.nameWidth))\(style.warning(lost))")
    }
    return lines
  }

  private func conditions(_ title: String, _ decisions: [Decision], isGoal: Bool) -> [String] {
    let texts = decisions.map { TerminalText.visible($0.condition.text) }
    let widest = texts.map(TerminalText.width(of:)).max() ?? 0
    return zip(decisions, texts).enumerated().map { index, entry in
      let (decision, text) = entry
      let label = style.dim(TerminalText.pad(index == 0 ? title : "", to: Self.labelWidth))
      let left =
        "  \(label)\(mark(decision, isGoal: isGoal)) \(TerminalText.pad(text, to: widest))  "
      let indent = 2 + Self.labelWidth + 2 + widest + 2
      let lines = TerminalText.wrap(
        outcome(decision, isGoal: isGoal),
        to: max(Self.width - indent, 24)
      )
      return left + lines.joined(separator: "\n" + String(repeating: " ", count: indent))
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

  private func faults(_ column: ColumnResult) -> [String] {
    lostCases(column.trials.filter(\.isLost))
      + failedCases(column.trials.filter { $0.outcome == .failed })
  }

  /// Lost trials by reason: one change of a prompt loses them all, for the same reason.
  private func lostCases(_ trials: [Trial]) -> [String] {
    if trials.isEmpty { return [] }
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for trial in trials {
      guard case .lost(let loss) = trial.outcome else { continue }
      if names[loss.message] == nil { reasons.append(loss.message) }
      names[loss.message, default: []].append(name(trial))
    }
    var lines = ["  \(style.dim("\(Self.count(trials.count, "lost")):"))"]
    for reason in reasons {
      let all = names[reason] ?? []
      var text = all.prefix(Self.shownCases).joined(separator: ", ")
      if all.count > Self.shownCases { text += " and \(all.count - Self.shownCases) more" }
      lines.append(TerminalText.cut("    \(TerminalText.visible(reason))", to: Self.width))
      lines += TerminalText.wrap(text, to: Self.width - 6).map { "      \($0)" }
    }
    return lines
  }

  private func failedCases(_ trials: [Trial]) -> [String] {
    if trials.isEmpty { return [] }
    let shown = trials.prefix(Self.shownCases)
    let more = trials.count > shown.count ? ", the first \(shown.count)" : ""
    var lines = ["  \(style.dim("\(Self.count(trials.count, "failed"))\(more):"))"]
    for trial in shown {
      lines.append("    \(name(trial))")
      for fault in trial.faults {
        let text = TerminalText.visible("\(fault.scorer): \(fault.explanation)")
        lines.append(TerminalText.cut("      " + text, to: Self.width))
      }
    }
    return lines
  }

  private func name(_ trial: Trial) -> String {
    trial.repetition > 1 ? "\(trial.caseID) (repeat \(trial.repetition))" : trial.caseID
  }

  private static func count(_ number: Int, _ outcome: String) -> String {
    "\(number) \(outcome) \(number == 1 ? "case" : "cases")"
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
    return seen.map { style.dim("\(source) \($0).") }
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
    lines.append("Reports: \(ReportWriter.folder)/report.md, report.json, junit.xml")
    if let next = result.nextStep(prompt: prompt) {
      lines.append("Next: \(next.advice):")
      lines.append("  \(next.command)")
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
