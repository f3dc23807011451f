/// `report.md`: the verdict as a comment on a pull request.
package struct MarkdownReport {
  /// Marks the comment, so that a later run can update it in place.
  package static let marker = "<!-- sluice-report -->"
  private static let shownTrials = 50
  private static let excerptLimit = 600
  /// GitHub takes comments of 65,536 characters; this leaves room for what a workflow adds.
  static let longestComment = 60_000
  private let result: RunResult
  private let trying: Trying

  package init(_ result: RunResult, trying: Trying = Trying()) {
    self.result = result
    self.trying = trying
  }

  package var bytes: [UInt8] {
    let head =
      "\(Self.marker)\n## \(Self.symbol(result.verdict)) Sluice: \(result.verdict.word)\n\n"
    let columns = result.suites.flatMap { suite in suite.columns.map { (suite, $0) } }
    let sections = columns.map { section($0.0, $0.1) + misses($0.0.recordings, $0.1) }
    let mixes = result.mixes.map(section).joined()
    let fixed = [head, overview, mixes, next] + sections
    var room = fixed.reduce(Self.longestComment) { $0 - $1.utf16.count }
    var text = head + overview + mixes
    for (section, (suite, column)) in zip(sections, columns) {
      let noun = suite.repetitions > 1 ? "trial" : "case"
      text += section
      var log = suite.log.map { RunLogReader($0) }
      func first(_ isShown: (Trial) -> Bool) -> [Trial] {
        column.trials.lazy.filter(isShown).prefix(Self.shownTrials).map { log?.whole($0) ?? $0 }
      }
      text += trials("lost \(noun)", column.lost, first(\.isLost), &room)
      text += trials("failed \(noun)", column.failed, first { $0.outcome == .failed }, &room)
    }
    return Array((text + next).utf8)
  }

  /// Why requests have no recording, with the nearest one that there is.
  private func misses(_ summary: RecordingSummary, _ column: ColumnResult) -> String {
    let groups = summary.misses.filter {
      $0.prompt == column.prompt && $0.backend == column.backend
    }
    return groups.prefix(3).map { group in
      var text = "\n\(group.count) × \(MarkdownText.plain(group.reason))"
      guard let nearest = group.nearest, let phrase = RecordingText.nearest(group) else {
        return text + "\n"
      }
      text += "; \(MarkdownText.plain(phrase)):\n\n"
      // Indented lines are code whatever stands in them.
      for line in RecordingText.difference(nearest) {
        text += "    \(TerminalText.visible(line))\n"
      }
      return text
    }.joined()
  }

  private var next: String {
    guard let next = result.remedy(trying) else { return "" }
    return "\nNext, \(next.advice):\n\n```sh\n\(TerminalText.visible(next.command))\n```\n"
  }

  /// The sign of a verdict.
  static func symbol(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "✅"
    case .fail: "❌"
    case .inconclusive: "❔"
    case .noVerdict: "⚠️"
    case .notEvaluated: "➖"
    }
  }

  private var overview: String {
    var text = "| suite | prompt | backend | verdict | accuracy | failed | lost | n |\n"
    text += "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    for suite in result.suites {
      for column in suite.columns {
        let accuracy = column.metrics.first { $0.name == "accuracy" }
        text += "| \(MarkdownText.plain(suite.name)) | \(MarkdownText.plain(column.prompt)) "
        text += "| \(MarkdownText.plain(column.backend)) "
        text += "| \(Self.symbol(column.verdict)) \(column.verdict.word) "
        text += "| \(accuracy.map { NumberText.text($0.estimate, $0.quantity) } ?? "unknown") "
        text += "| \(column.failed) | \(column.lost) | \(accuracy?.estimate.n ?? 0) |\n"
      }
    }
    var sources: [String] = []
    for provenance in result.suites.flatMap(\.columns).flatMap(\.provenances) {
      let phrase = MarkdownText.code(provenance.phrase)
      if !sources.contains(phrase) { sources.append(phrase) }
    }
    for suite in result.suites {
      for note in RecordingText.notes(suite.recordings) {
        text += "\n⚠️ \(MarkdownText.plain("\(suite.name): \(note)")).\n"
      }
    }
    for suite in result.suites {
      for judge in suite.judges {
        text +=
          "\nJudge of \(MarkdownText.plain(suite.name)): \(MarkdownText.code(JudgeText.line(judge))).\n"
      }
    }
    let priced = result.suites.filter { $0.columns.contains { $0.costs.priced > 0 } }
    for file in Set(priced.compactMap(\.prices)).sorted() {
      text += "\nCosts at the prices of \(MarkdownText.code(file)).\n"
    }
    if result.suites.flatMap(\.columns).contains(where: { $0.costs.reported > 0 }) {
      text += "\nCosts of models without a price are those that the servers say.\n"
    }
    if !sources.isEmpty {
      let how =
        result.suites.contains { $0.source == .live } ? "Answered" : "Recorded answers, given"
      text += "\n\(how) by \(sources.joined(separator: "; ")).\n"
    }
    return text
  }

  private static let conditionsHead =
    "| | condition | value | 95% interval | n | |\n| --- | --- | --- | --- | --- | --- |\n"

  private func section(_ result: MixResult) -> String {
    let title = result.mix.name + (result.backend.map { " on \($0)" } ?? "")
    var text = "\n### Mix: \(MarkdownText.plain(title))\n\n"
    text += "\(MarkdownText.plain(result.mix.callsText))\n\n\(Self.conditionsHead)"
    for figure in result.figures {
      let (estimate, quantity) = (figure.estimate, figure.quantity)
      text += "| | \(MarkdownText.code(figure.name)) "
      text += "| \(estimate.value.map { NumberText.text($0, quantity) } ?? "unknown") "
      text += "| \(estimate.interval.map { NumberText.text($0, quantity) } ?? "") "
      text += "| \(estimate.n) | \(estimate.unknown.map(MarkdownText.plain) ?? "") |\n"
    }
    for goal in result.goals { text += row("goal", goal) }
    return text
  }

  private func section(_ suite: SuiteResult, _ column: ColumnResult) -> String {
    let title = "\(suite.name): \(column.prompt) on \(column.backend)"
    var text = "\n### \(Self.symbol(column.verdict)) \(MarkdownText.plain(title))\n\n"
    if !column.gates.isEmpty || !column.goals.isEmpty {
      text += Self.conditionsHead
      for gate in column.gates { text += row("gate", gate) }
      for goal in column.goals {
        text += row(goal.metric.isAdvisory ? "goal, advisory" : "goal", goal)
      }
    }
    text += drawings(column)
    text += comparison(column)
    text += cases(column)
    if let splits = column.splits {
      for warning in SplitText.warnings(splits) { text += "\n⚠️ \(MarkdownText.plain(warning))\n" }
      text += details("Figures by split", SplitText.markdown(splits))
    }
    for matrix in column.confusions where !matrix.isEmpty {
      let name = MarkdownText.plain(matrix.scorer)
      text += details("Labels of \(name), expected and given", ConfusionText.markdown(matrix))
    }
    return text + details("All figures", metrics(column))
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
    var text = "\nAgainst \(reference):\n\n"
    for change in comparison.changes {
      let flips = ChangeText.flips(change.change).map { " (\($0))" } ?? ""
      text += "- \(MarkdownText.code(change.name)): "
      text += "\(ChangeText.difference(change.change, change.quantity))\(flips)\n"
    }
    func flipped(_ flip: OutcomeFlip) -> [String] {
      comparison.flips.filter { $0.flip == flip }.map(\.caseID)
    }
    text += list(flipped(.harmful), "fail now")
    text += list(flipped(.beneficial), "pass now")
    text += list(flipped(.wrongToWrong), "wrong in another way")
    text += list(comparison.changedCases, "changed, not compared")
    text += list(comparison.removedCases, "gone, not compared")
    text += list(comparison.addedCases, "new, not compared")
    text += list(comparison.reslicedCases, "with other tags or another cluster")
    text += list(comparison.changedScorers, "changed, not compared", noun: "scorer")
    if let shortened = ChangeText.shortened(comparison) { text += "- \(shortened)\n" }
    let worse = comparison.slices.filter { $0.adjustedP <= 0.1 && $0.harmful > $0.beneficial }
    text += list(
      worse.map { "\($0.tag) (\($0.harmful) worse, \($0.beneficial) better of \($0.n))" },
      "lost, as a hint",
      noun: "tag"
    )
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
      + "| \(interval) | \(decision.estimate.n) | \(outcome) |\n"
  }

  /// How far a plain comparison is from being met.
  private func plainDistance(_ decision: Decision) -> String? {
    decision.bounds == nil ? decision.distanceText : nil
  }

  private func metrics(_ column: ColumnResult) -> String {
    var text = "| metric | value | n |\n| --- | --- | --- |\n"
    for metric in column.metrics {
      text += "| \(MarkdownText.code(metric.name))\(metric.isAdvisory ? ", advisory" : "") "
      text += "| \(NumberText.text(metric.estimate, metric.quantity)) | \(metric.estimate.n) |\n"
    }
    return text
  }

  /// The first trials of a kind, as many as there is room for.
  private func trials(_ noun: String, _ count: Int, _ first: [Trial], _ room: inout Int) -> String {
    if count == 0 { return "" }
    var text = ""
    var shown = 0
    for trial in first {
      let entry = entry(trial)
      room -= entry.utf16.count
      if room < 0 { break }
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
      let excerpt = Excerpt.cut(output.excerpt, to: Self.excerptLimit)
      text += "  - answer: \(MarkdownText.code(excerpt))\n"
    }
    return text
  }

  private func details(_ summary: String, _ body: String) -> String {
    "\n<details><summary>\(summary)</summary>\n\n\(body)\n</details>\n"
  }
}

/// Text made fit for Markdown as GitHub and GitLab read it, whatever a model wrote.
package enum MarkdownText {
  /// The text with every character that could mean something escaped; for short names of our own.
  package static func plain(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.visible(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // A mention or a reference would reach people and issues.
      // The forges look for them after escapes and entities are resolved, so only a character
      // between the sign and the name helps; this one has no width.
      case "@", "#": result += String(scalar) + "&#8203;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "!", "$": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text as a code span, in which nothing has a meaning; for all that a model wrote.
  package static func code(_ text: String) -> String {
    // In a table a bar ends the cell, even inside a code span, unless it is escaped; outside of one
    // the backslash would show. A look-alike reads the same in both.
    let line = String(
      String.UnicodeScalarView(
        TerminalText.visible(text).unicodeScalars.map { $0 == "|" ? "\u{2502}" : $0 }
      )
    )
    var longest = 0
    var run = 0
    for scalar in line.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // Spaces keep a backtick at either end apart from the fence; one of each is taken off again.
    // They are taken off a text between spaces, too.
    let isSpaced = line.hasPrefix(" ") && line.hasSuffix(" ")
    let pad = line.hasPrefix("`") || line.hasSuffix("`") || line.isEmpty || isSpaced ? " " : ""
    return fence + pad + line + pad + fence
  }
}
