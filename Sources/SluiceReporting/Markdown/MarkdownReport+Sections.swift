import SluiceGating

/// The parts of `report.md` that are about one suite or mix.
extension MarkdownReport {
  /// How many trials, and how many names of a list, are shown.
  static let shownTrials = 50
  private static let excerptLimit = 600
  private static let conditionsHead =
    "| | condition | value | 95% interval | n | |\n| --- | --- | --- | --- | --- | --- |\n"

  func section(_ result: MixResult) -> String {
    let title = result.mix.name + (result.backend.map { " on \($0)" } ?? "")
    var text = "\n### Mix: \(MarkdownText.plain(title))\n\n"
    text += "\(MarkdownText.plain(result.mix.callsText))\n\n\(Self.conditionsHead)"
    for figure in result.figures {
      let (estimate, quantity) = (figure.estimate, figure.quantity)
      text += "| | \(MarkdownText.code(figure.name)) "
      text += "| \(estimate.value.map { NumberText.text($0, quantity) } ?? "unknown") "
      text += "| \(estimate.interval.map { NumberText.text($0, quantity) } ?? "") "
      text += "| \(estimate.nText) | \(estimate.unknown.map(MarkdownText.plain) ?? "") |\n"
    }
    for goal in result.goals { text += row("goal", goal) }
    return text
  }

  func section(_ suite: SuiteResult, _ column: ColumnResult, hasFigures: Bool) -> String {
    let title = "\(suite.name): \(column.prompt) on \(column.backend)"
    var text = "\n### \(Self.symbol(column.verdict)) \(MarkdownText.plain(title))\n\n"
    if let absent = AbsentAnswers(suite, column) {
      text += "\(MarkdownText.plain(Self.sentence(absent.text)))\n"
      text += misses(suite.recordings, column) + "\n"
    }
    if column.hasOnlyUndecided {
      let hasPairs = column.comparison?.hasPairs ?? false
      return text + undecided(column) + (hasPairs ? comparison(column) : "") + cases(column)
    }
    if !column.gates.isEmpty || !column.goals.isEmpty {
      text += Self.conditionsHead
      for gate in column.gates { text += row("gate", gate) }
      for goal in column.goals {
        text += row(goal.metric.isAdvisory ? "goal, advisory" : "goal", goal)
      }
    }
    if let line = HealthText.saturated(column) { text += "\n\(Self.sentence(line))\n" }
    if let sentence = ClusterText.sentence(column) { text += "\n\(sentence)\n" }
    text += drawings(column)
    text += comparison(column)
    text += cases(column)
    if let splits = column.splits {
      for warning in SplitText.warnings(splits) { text += "\n⚠️ \(MarkdownText.plain(warning))\n" }
      if hasFigures { text += details("Figures by split", SplitText.markdown(splits)) }
    }
    if !hasFigures { return text }
    for table in column.groups {
      text += details(MarkdownText.plain(GroupText.title(table)), GroupText.table(table).markdown)
    }
    if let title = CorrectionText.title(column.gates) {
      text += details(title, Self.correction(column.gates))
    }
    for matrix in column.confusions where !matrix.isEmpty {
      let name = MarkdownText.plain(matrix.scorer)
      text += details("Labels of \(name), expected and given", ConfusionText.markdown(matrix))
    }
    return text + details("All figures", metrics(column))
  }

  /// The conditions of a column without any answer, of which there is nothing to tell one by one.
  private func undecided(_ column: ColumnResult) -> String {
    [("gates", column.gates), ("goals", column.goals)].filter { !$0.1.isEmpty }
      .map { title, decisions in
        let names = decisions.map { MarkdownText.code($0.condition.text) }.joined(separator: ", ")
        return "- \(title): \(AbsentAnswers.undecided(decisions.count)): \(names)\n"
      }.joined()
  }

  /// A table of the gates that are corrected together.
  static func correction(_ gates: [Decision]) -> String {
    let heads = CorrectionText.heads
    var text = "| \(heads.joined(separator: " | ")) |\n"
    text += String(repeating: "| --- ", count: heads.count) + "|\n"
    for row in CorrectionText.rows(gates) {
      let cells = [MarkdownText.code(row.gate)] + row.cells.map(MarkdownText.plain)
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// The changes that gates were decided on, against their margins.
  private func drawings(_ column: ColumnResult) -> String {
    let decided = column.gates.filter(\.isDrawn)
    if decided.isEmpty { return "" }
    let lines = decided.compactMap { gate in
      gate.change.map { "\(ChangeText.drawing($0))  \(TerminalText.visible(gate.condition.text))" }
    }
    return "\n```text\n\(lines.joined(separator: "\n"))\n\(ChangeText.legend)\n```\n"
  }

  private func comparison(_ column: ColumnResult) -> String {
    guard let comparison = column.comparison else { return "" }
    let reference = MarkdownText.plain(comparison.reference)
    if comparison.isIdentical {
      let added = list(comparison.addedCases, "new, not compared")
      return "\nEvery answer is that of \(reference).\n" + (added.isEmpty ? "" : "\n\(added)")
    }
    let nothing = comparison.hasPairs ? "" : " no answer can be compared"
    var text = "\nAgainst \(reference):\(nothing)\n\n"
    for change in comparison.changes {
      let flips = ChangeText.flips(change.change).map { " (\($0))" } ?? ""
      text += "- \(MarkdownText.code(change.name)): "
      text += "\(ChangeText.difference(change.change, change.quantity))\(flips)\n"
    }
    for cases in ChangeText.cases(comparison) { text += list(cases.ids, cases.what) }
    text += list(comparison.changedScorers, "changed, not compared", noun: "scorer")
    text += list(comparison.changedAdvisoryScorers, ChangeText.advisoryScorers)
    if let shortened = ChangeText.shortened(comparison) { text += "- \(shortened)\n" }
    text += list(ChangeText.lostTags(comparison), "lost, as a hint", noun: "tag")
    if let asked = column.requestChange.map(RequestChangeText.init) {
      text += details(MarkdownText.plain(asked.title), asked.markdown)
    }
    return text
  }

  /// The cases that do not decide and those that are flaky, with or without a comparison.
  private func cases(_ column: ColumnResult) -> String {
    let quarantine = column.quarantine.sorted { $0.key < $1.key }
      .map { "\($0.key) until \($0.value.until), \($0.value.reason)" }
    let flaky = column.flakyCases.map { "\($0.caseID) (\($0.passed) of \($0.of) passed)" }
    let text = list(quarantine, "in quarantine") + list(flaky, "flaky")
    return text.isEmpty ? "" : "\n\(text)"
  }

  private func list(_ texts: [String], _ what: String, noun: String? = nil) -> String {
    if texts.isEmpty { return "" }
    let shown = texts.prefix(Self.shownTrials).map(MarkdownText.plain).joined(separator: ", ")
    let more = texts.count > Self.shownTrials ? " and \(texts.count - Self.shownTrials) more" : ""
    let noun = noun.map { " \($0)\(texts.count == 1 ? "" : "s")" } ?? ""
    return "- \(texts.count)\(noun) \(what): \(shown)\(more)\n"
  }

  private func row(_ kind: String, _ decision: Decision) -> String {
    let interval =
      decision.estimate.interval.map { NumberText.text($0, decision.metric.quantity) } ?? ""
    let isGate = kind == "gate"
    // The value has a column of its own.
    let isPlain = decision.change == nil && decision.bounds == nil
    var outcome = MarkdownText.plain(
      isPlain ? decision.explanation : decision.outcomeText(isGoal: !isGate)
    )
    switch (decision.verdict, isGate) {
    case (.pass, true): outcome = "✅ " + (decision.change == nil ? "met" : outcome)
    case (.pass, false): outcome = decision.change == nil ? "reached" : outcome
    case (.fail, true):
      outcome = "❌ " + (plainDistance(decision).map { "missed by \($0)" } ?? outcome)
    case (.fail, false): outcome = plainDistance(decision).map { "\($0) short" } ?? outcome
    case (.inconclusive, _): outcome = "❔ " + outcome
    case (.noVerdict, true): outcome = "⚠️ " + outcome
    case (.noVerdict, false), (.notEvaluated, _): break
    }
    if let waiver = decision.waiver, decision.effect != decision.verdict {
      outcome += "; " + MarkdownText.plain("waived until \(waiver.until): \(waiver.reason)")
    }
    return "| \(kind) | \(MarkdownText.code(decision.condition.text)) | \(decision.valueText) "
      + "| \(interval) | \(decision.estimate.nText) | \(outcome) |\n"
  }

  /// How far a plain comparison is from being met.
  private func plainDistance(_ decision: Decision) -> String? {
    decision.bounds == nil ? decision.distanceText : nil
  }

  private func metrics(_ column: ColumnResult) -> String {
    var text = "| metric | value | n |\n| --- | --- | --- |\n"
    for metric in column.metrics {
      text += "| \(MarkdownText.code(metric.name))\(metric.isAdvisory ? ", advisory" : "") "
      text +=
        "| \(NumberText.text(metric.estimate, metric.quantity)) | \(metric.estimate.nText) |\n"
    }
    return text
  }

  /// The first trials of a kind, as many as there is room for.
  func trials(_ noun: String, _ count: Int, _ first: [Trial], _ room: inout Int) -> String {
    if count == 0 { return "" }
    var text = ""
    var shown = 0
    for trial in first {
      let entry = entry(trial)
      guard entry.utf16.count <= room else { break }
      room -= entry.utf16.count
      text += entry
      shown += 1
    }
    if shown < count { text += "\nand \(count - shown) more, in report.json\n" }
    return details("\(count) \(noun)\(count == 1 ? "" : "s")", text)
  }

  private func entry(_ trial: Trial) -> String {
    let repetition = trial.repetition > 1 ? " (repeat \(trial.repetition))" : ""
    let tags =
      trial.tags.isEmpty ? "" : " " + MarkdownText.plain(trial.tags.joined(separator: ", "))
    var text = "- **\(MarkdownText.plain(trial.caseID))**\(repetition)\(tags)\n"
    for fault in trial.faults {
      let scorer = fault.scorer == "lost" ? "" : "\(MarkdownText.plain(fault.scorer)): "
      let explanation = Excerpt.cut(fault.explanation, to: Self.excerptLimit)
      text += "  - \(scorer)\(MarkdownText.code(explanation))\n"
    }
    if let output = trial.output {
      if output.refusal == nil || !output.excerpt.isEmpty {
        let excerpt = Excerpt.cut(output.excerpt, to: Self.excerptLimit)
        text += "  - answer: \(MarkdownText.code(excerpt))\n"
      }
      if let refusal = output.refusal {
        let excerpt = Excerpt.cut(refusal, to: Self.excerptLimit)
        text += "  - refusal: \(MarkdownText.code(excerpt))\n"
      }
    }
    return text
  }

  func details(_ summary: String, _ body: String) -> String {
    "\n<details><summary>\(summary)</summary>\n\n\(body)\n</details>\n"
  }
}
