import SluiceGating

/// Comparisons for a terminal of 80 columns.
package struct TerminalComparison {
  private let result: ComparisonResult
  private let style: TerminalStyle
  private let trying: CommandLineOverrides
  private let writesReports: Bool
  private static let shownCases = 8
  /// With less room than that beside its marks a case has a line of its own.
  private static let leastCaseWidth = 20
  private static let nameWidth = 28
  private static let unknown = "unknown"

  package init(
    _ result: ComparisonResult,
    style: TerminalStyle,
    trying: CommandLineOverrides = CommandLineOverrides(),
    writesReports: Bool = true
  ) {
    self.result = result
    self.style = style
    self.trying = trying
    self.writesReports = writesReports
  }

  package var text: String {
    var lines = OutputsText.terminal(result.columns, style)
    for comparison in result.comparisons { lines += block(comparison) + [""] }
    lines += result.notes.flatMap { TerminalLines.wrap($0, indent: 0) }
    lines += provenance + verdict
    return TerminalLines.text(lines)
  }

  private func block(_ comparison: ConfigurationComparison) -> [String] {
    var lines = [head(comparison)] + edits(comparison) + recorded(comparison)
    lines += names(comparison) + table(comparison)
    if comparison.pairs.contains(where: { !$0.comparison.isIdentical && !$0.changes.isEmpty }) {
      lines += TerminalLines.wrap(comparison.convention, indent: 2).map(style.dim)
    }
    for pair in comparison.pairs { lines += self.pair(pair, comparison) }
    lines += TerminalDecisions(style).lines(gates: comparison.gates, goals: [])
    return lines + GroupText.compared(comparison).flatMap { $0.terminal(style) }
      + disagreements(comparison)
  }

  // MARK: What is compared

  private func head(_ comparison: ConfigurationComparison) -> String {
    let repetitions = comparison.repetitions > 1 ? " × \(comparison.repetitions)" : ""
    let margin = NumberText.fixed(comparison.margin * 100, decimals: 1)
    let detail =
      "\(comparison.configurations.count) configurations · "
      + TerminalLines.count(comparison.caseCount, "case")
      + "\(repetitions) · margin \(margin) points"
    let word = comparison.verdict.map { $0.word.uppercased() } ?? ""
    let room = TerminalLines.width - TerminalText.width(of: detail) - word.count - 3
    let name = TerminalText.cut(TerminalLines.opening(comparison.suite), to: max(8, room))
    let left = "\(name)  \(detail)"
    let space = max(1, TerminalLines.width - TerminalText.width(of: left) - word.count)
    let verdict = comparison.verdict.map { style.verdict(word, $0) } ?? ""
    return style.bold(name) + "  " + style.dim(detail) + String(repeating: " ", count: space)
      + verdict
  }

  /// What was edited of the yardstick comes first: it changes how the numbers read.
  private func edits(_ comparison: ConfigurationComparison) -> [String] {
    if comparison.edits.isEmpty { return [] }
    return ["  \(style.warning("edited here; gates and labels are the old ones:"))"]
      + comparison.edits.flatMap { edit in
        TerminalLines.wrap(TerminalText.cut(edit.text, to: 300), indent: 4)
      }
  }

  /// What a change records itself is no evidence that anyone else has seen.
  private func recorded(_ comparison: ConfigurationComparison) -> [String] {
    (comparison.recorded.map(RecordingText.notes) ?? []).flatMap { note in
      TerminalLines.wrap(note, indent: 2).map(style.dim)
    }
  }

  private func names(_ comparison: ConfigurationComparison) -> [String] {
    comparison.configurations.enumerated().map { index, configuration in
      var marks: [String] = []
      if index == 0 { marks.append("the reference") }
      if configuration.isOnFront == true { marks.append("on the front of accuracy and cost") }
      let best = configuration.column.metrics.first { $0.name == BestOf.metric }?.estimate.value
      if let best { marks.append("best on \(NumberText.text(best, .rate)) of cases") }
      let mark = marks.isEmpty ? "" : "  \(marks.joined(separator: ", "))"
      let name = TerminalText.cut(
        TerminalText.visible(configuration.name),
        to: TerminalLines.width - 5 - mark.count
      )
      return "  \(style.bold(ConfigurationComparison.letter(index)))  \(name)\(style.dim(mark))"
    }
  }

  private func table(_ comparison: ConfigurationComparison) -> [String] {
    let flags = comparison.falsePositives
    var head = TerminalText.pad("", to: 5) + TerminalText.pad("accuracy", to: 23)
    if flags != nil { head += TerminalText.pad("false positives", to: 22) }
    head += TerminalText.pad("p50/p95", to: 15) + "tokens"
    var lines = [style.dim(head)]
    for (index, configuration) in comparison.configurations.enumerated() {
      var line = "  \(TerminalText.pad(ConfigurationComparison.letter(index), to: 3))"
      line += TerminalText.pad(rate("accuracy", comparison, configuration), to: 23)
      if let flags { line += TerminalText.pad(rate(flags, comparison, configuration), to: 22) }
      let times = ["p50(latency)", "p95(latency)"].map { name in
        number(name, .time, comparison, configuration)
      }
      let isKnown = !times.contains(Self.unknown)
      line += TerminalText.pad(isKnown ? times.joined(separator: "/") : Self.unknown, to: 14) + " "
      lines.append(line + number("mean(tokens)", .count, comparison, configuration))
    }
    lines.append(style.dim(TerminalText.pad("", to: 5) + "cost a call, cost a right answer"))
    for (index, configuration) in comparison.configurations.enumerated() {
      let call = number("mean(cost)", .money, comparison, configuration)
      let right =
        configuration.costPerRightAnswer.value.map { NumberText.text($0, .money) } ?? Self.unknown
      let letter = TerminalText.pad(ConfigurationComparison.letter(index), to: 3)
      let lost =
        configuration.column.lost > 0
        ? style.warning("  \(TerminalLines.count(configuration.column.lost, "trial")) lost") : ""
      lines.append("  \(letter)\(call), \(right)\(lost)")
      lines += loss(configuration)
    }
    return lines
      + comparison.remarks.flatMap { TerminalLines.wrap($0, indent: 5).map(style.dim) }
  }

  /// Why trials were lost, where recording them would not help or was not meant.
  private func loss(_ configuration: ConfigurationComparison.Configuration) -> [String] {
    for trial in configuration.column.trials where !trial.isMiss {
      guard case .lost(let loss) = trial.outcome else { continue }
      return TerminalLines.wrap("\(trial.caseID): \(loss.message)", indent: 5).map(style.warning)
    }
    return []
  }

  private func rate(
    _ name: String,
    _ comparison: ConfigurationComparison,
    _ configuration: ConfigurationComparison.Configuration
  ) -> String {
    guard let estimate = comparison.estimate(name, of: configuration), let value = estimate.value
    else { return Self.unknown }
    let ends = estimate.interval.map { interval in
      " ["
        + [interval.low, interval.high].map { NumberText.fixed($0 * 100, decimals: 1) }
        .joined(separator: ", ") + "]"
    }
    return NumberText.text(value, .rate) + (ends ?? "")
  }

  private func number(
    _ name: String,
    _ quantity: Quantity,
    _ comparison: ConfigurationComparison,
    _ configuration: ConfigurationComparison.Configuration
  ) -> String {
    comparison.estimate(name, of: configuration)?.value.map { NumberText.text($0, quantity) }
      ?? Self.unknown
  }

  // MARK: Pairs

  private func pair(_ pair: ConfigurationComparison.Pair, _ comparison: ConfigurationComparison)
    -> [String]
  {
    var lines = ["  \(style.bold(comparison.title(pair)))"]
    if pair.comparison.isIdentical {
      lines.append("    every answer is the same")
    } else if pair.changes.isEmpty {
      lines.append("    nothing that both answered can be compared")
    } else if pair.changes.allSatisfy(\.change.isNothing) {
      lines.append("    nothing differs in what is measured")
    }
    for judged in pair.changes where !judged.change.isNothing { lines += change(judged) }
    lines += mismatches(pair.comparison)
    return lines
  }

  private func change(_ judged: ConfigurationComparison.Judged) -> [String] {
    let name = TerminalText.cut(TerminalLines.opening(judged.name), to: Self.nameWidth)
    let difference = ChangeText.difference(judged.change, judged.quantity)
    let word = TerminalText.pad(judged.standing.phrase, to: 12)
    let styled: String =
      switch judged.standing {
      case .worse: style.verdict(word, .fail)
      case .better: style.verdict(word, .pass)
      case .undecided: style.warning(word)
      case .asGood, .same: word
      }
    let left = "    \(TerminalText.pad(name, to: Self.nameWidth))  "
    let p = "p \(NumberText.p(judged.adjustedP))"
    return [left + styled + p] + TerminalLines.wrap(difference, indent: 6)
  }

  private func mismatches(_ comparison: RunComparison) -> [String] {
    let shortened = ChangeText.shortened(comparison).map { TerminalLines.wrap($0, indent: 4) } ?? []
    return shortened
      + [
        (comparison.changedCases, "changed, not compared"),
        (comparison.removedCases, "gone, not compared"),
        (comparison.addedCases, "new, not compared"),
        (comparison.changedScorers, "scorers changed, their metrics not compared"),
        (comparison.changedAdvisoryScorers, ChangeText.advisoryScorers),
      ].flatMap { names, what in
        if names.isEmpty { return [String]() }
        var text = names.prefix(3).joined(separator: ", ")
        if names.count > 3 { text += " and \(names.count - 3) more" }
        return TerminalLines.wrap("\(names.count) \(what): \(text)", indent: 4)
      }
  }

  // MARK: Cases

  private func disagreements(_ comparison: ConfigurationComparison) -> [String] {
    let all = comparison.disagreements
    if all.isEmpty { return [] }
    let letters = comparison.configurations.indices.map(ConfigurationComparison.letter)
    let shown = all.prefix(Self.shownCases)
    let more = all.count > shown.count ? ", the first \(shown.count)" : ""
    var lines = [
      "  \(style.dim("\(TerminalLines.count(all.count, "case")) decided differently\(more):"))"
    ]
    for entry in shown {
      let marks = zip(letters, entry.outcomes).map { letter, outcome in
        switch outcome {
        case .passed: "\(letter) ✓"
        case .failed: "\(letter) ✗"
        case .unjudged, .lost, nil: "\(letter) ?"
        }
      }.joined(separator: "  ")
      let room = TerminalLines.width - 6 - TerminalText.width(of: marks)
      if room < Self.leastCaseWidth {
        lines += TerminalLines.wrap(entry.caseID, indent: 4) + TerminalLines.wrap(marks, indent: 6)
        continue
      }
      lines.append(
        "    \(marks)  \(TerminalText.cut(TerminalLines.opening(entry.caseID), to: room))"
      )
    }
    return lines
  }

  // MARK: The whole

  private var provenance: [String] {
    TerminalLines.provenance(
      of: result.comparisons.flatMap(\.configurations).map(\.column),
      isLive: result.comparisons.contains { $0.source == .live }
    ).map(style.dim)
  }

  private var verdict: [String] {
    var lines: [String] = []
    // Of several suites the one that stands in the way may be far above.
    if result.comparisons.count > 1 {
      lines += TerminalLines.wrap(ComparisonSummaryText(result).reason, indent: 0)
    }
    if let alarms = result.falseAlarms.flatMap(CorrectionText.falseAlarms) {
      lines += TerminalLines.wrap(alarms, indent: 0).map(style.dim)
    }
    if let filtered = result.filteredPhrase {
      lines += TerminalLines.wrap("No verdict: \(filtered)", indent: 0).map(style.warning)
    } else if let verdict = result.verdict {
      lines.append(style.verdict("Verdict: \(verdict.word)", verdict))
    }
    if writesReports {
      let folder = TerminalText.visible(trying.path(ReportWriter.folder(of: result)))
      lines.append("Reports: \(folder)/compare.html, compare.md, compare.json")
    }
    if let next = result.next {
      lines.append("Next: \(next.advice):")
      lines.append("  \(TerminalText.visible(next.command))")
    }
    return lines
  }
}
