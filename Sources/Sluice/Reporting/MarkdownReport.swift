/// `report.md`: the verdict as a comment on a pull request.
package struct MarkdownReport {
  /// Marks the comment, so that a later run can update it in place.
  package static let marker = "<!-- sluice-report -->"
  private static let shownCases = 50
  private static let excerptLimit = 600
  private let result: RunResult
  private let prompt: String?

  package init(_ result: RunResult, prompt: String? = nil) {
    self.result = result
    self.prompt = prompt
  }

  package var bytes: [UInt8] {
    var text = "\(Self.marker)\n## \(symbol(result.verdict)) Sluice: \(result.verdict.word)\n\n"
    text += overview
    for suite in result.suites {
      for column in suite.columns { text += section(suite, column) }
    }
    if let next = result.nextStep(prompt: prompt), !result.suites.allSatisfy(\.misses.isEmpty) {
      text += "\nNext, \(next.advice):\n\n```sh\n\(next.command)\n```\n"
    }
    return Array(text.utf8)
  }

  private func symbol(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "✅"
    case .fail: "❌"
    case .inconclusive: "❔"
    case .noVerdict: "⚠️"
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
        text += "| \(symbol(column.verdict)) \(column.verdict.word) "
        text += "| \(accuracy.map { estimate($0.estimate, $0.quantity) } ?? "unknown") "
        text += "| \(column.failed) | \(column.lost) | \(accuracy?.estimate.n ?? 0) |\n"
      }
    }
    var sources: [String] = []
    for provenance in result.suites.flatMap(\.columns).flatMap(\.provenances) {
      let phrase = MarkdownText.code(provenance.phrase)
      if !sources.contains(phrase) { sources.append(phrase) }
    }
    if !sources.isEmpty {
      let how =
        result.suites.contains { $0.source == .live } ? "Answered" : "Recorded answers, given"
      text += "\n\(how) by \(sources.joined(separator: "; ")).\n"
    }
    return text
  }

  private func estimate(_ estimate: Estimate, _ quantity: Quantity) -> String {
    guard let value = estimate.value else { return "unknown" }
    let interval = estimate.interval.map { " \(NumberText.text($0, quantity))" } ?? ""
    return NumberText.text(value, quantity) + interval
  }

  private func section(_ suite: SuiteResult, _ column: ColumnResult) -> String {
    let title = "\(suite.name): \(column.prompt) on \(column.backend)"
    var text = "\n### \(symbol(column.verdict)) \(MarkdownText.plain(title))\n\n"
    if !column.gates.isEmpty || !column.goals.isEmpty {
      text +=
        "| | condition | value | 95% interval | n | |\n| --- | --- | --- | --- | --- | --- |\n"
      for gate in column.gates { text += row("gate", gate) }
      for goal in column.goals { text += row("goal", goal) }
    }
    text += details("All figures", metrics(column))
    text += cases("lost", column.trials.filter(\.isLost))
    text += cases("failed", column.trials.filter { $0.outcome == .failed })
    return text
  }

  private func row(_ kind: String, _ decision: Decision) -> String {
    let interval =
      decision.estimate.interval.map { NumberText.text($0, decision.metric.quantity) } ?? ""
    let outcome: String
    switch (decision.verdict, kind) {
    case (.pass, _): outcome = kind == "gate" ? "✅ met" : "reached"
    case (.fail, "gate"): outcome = "❌ missed by \(decision.distanceText ?? "")"
    case (.fail, _): outcome = "\(decision.distanceText ?? "") short"
    case (.inconclusive, _): outcome = "❔ \(MarkdownText.plain(decision.explanation))"
    case (.noVerdict, _):
      outcome = "\(kind == "gate" ? "⚠️ " : "")\(MarkdownText.plain(decision.explanation))"
    }
    return "| \(kind) | \(MarkdownText.code(decision.condition.text)) | \(decision.valueText) "
      + "| \(interval) | \(decision.estimate.n) | \(outcome) |\n"
  }

  private func metrics(_ column: ColumnResult) -> String {
    var text = "| metric | value | n |\n| --- | --- | --- |\n"
    for metric in column.metrics {
      text += "| \(MarkdownText.code(metric.name)) "
      text += "| \(estimate(metric.estimate, metric.quantity)) | \(metric.estimate.n) |\n"
    }
    return text
  }

  private func cases(_ title: String, _ trials: [Trial]) -> String {
    if trials.isEmpty { return "" }
    let shown = trials.prefix(Self.shownCases)
    var text = ""
    for trial in shown {
      let repetition = trial.repetition > 1 ? " (repeat \(trial.repetition))" : ""
      text += "- **\(MarkdownText.plain(trial.caseID))**\(repetition)"
      text +=
        trial.tags.isEmpty ? "\n" : " \(MarkdownText.plain(trial.tags.joined(separator: ", ")))\n"
      for fault in trial.faults {
        let scorer = fault.scorer == "lost" ? "" : "\(MarkdownText.plain(fault.scorer)): "
        text += "  - \(scorer)\(MarkdownText.code(fault.explanation))\n"
      }
      if let output = trial.output {
        let excerpt = Excerpt.cut(output.excerpt, to: Self.excerptLimit)
        text += "  - answer: \(MarkdownText.code(excerpt))\n"
      }
    }
    if trials.count > shown.count {
      text += "\nand \(trials.count - shown.count) more, in report.json\n"
    }
    let noun = trials.count == 1 ? "case" : "cases"
    return details("\(trials.count) \(title) \(noun)", text)
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
      case "@", "#": result += "&#\(scalar.value);"
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
    let pad = line.hasPrefix("`") || line.hasSuffix("`") || line.isEmpty ? " " : ""
    return fence + pad + line + pad + fence
  }
}
