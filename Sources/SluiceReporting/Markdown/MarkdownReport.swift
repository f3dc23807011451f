import SluiceGating

/// `report.md`: the verdict as a comment on a pull request.
package struct MarkdownReport {
  /// Marks the comment, so that a later run can update it in place.
  package static let marker = "<!-- sluice-report -->"
  /// GitHub takes comments of 65,536 characters; this leaves room for what a workflow adds.
  static let longestComment = 60_000
  /// How many suites a table has.
  private static let shownSuites = 100
  private let result: RunResult
  private let trying: CommandLineOverrides

  package init(_ result: RunResult, trying: CommandLineOverrides = CommandLineOverrides()) {
    self.result = result
    self.trying = trying
  }

  package var bytes: [UInt8] {
    let title = "## \(Self.symbol(result.verdict)) Sluice: \(result.verdict.word)"
    let outputs = OutputsText.markdown(result.suites.flatMap(\.columns))
    let lead =
      "\(Self.marker)\n\(outputs)\(title)\n\n\(MarkdownSummary(result, trying: trying).text)\(alarms)\(notes)\(saturated)"
    let mixes = result.mixes.map(section).joined()
    var text = ""
    for detail in Detail.allCases {
      let told = sections(loud, detail.loud)
      let folded = sections(quiet, detail.quiet)
      let start = lead + table(loud) + sources + mixes
      let (open, close) = fold(quiet)
      let frame = [start, open, close].reduce(Self.longestComment) { $0 - $1.utf16.count }
      var room = (told + folded).reduce(frame) { $0 - $1.length }
      if room >= 0 {
        text = start + cases(told, &room) + open + cases(folded, &room) + close
        break
      }
      guard detail == .least else { continue }
      text = start + first(told, within: frame) + open + close
    }
    return Array(text.utf8)
  }

  // MARK: What there is room for

  /// How much is told, the most first: a comment has its bounds, and what did not change matters least.
  private enum Detail: CaseIterable {
    case all, fewerFigures, changedSuites, least

    /// What is told of suites that fail or changed.
    var loud: Extent { self == .least ? .conditions : .figures }
    /// What is told of suites that pass and did not change.
    var quiet: Extent {
      switch self {
      case .all: .figures
      case .fewerFigures: .conditions
      case .changedSuites, .least: .nothing
      }
    }
  }

  private enum Extent { case figures, conditions, nothing }

  /// The section of a column, to which its cases are added as far as there is room.
  private struct Section {
    var suite: SuiteResult
    var column: ColumnResult
    var text: String
    /// How long it is without any of its cases, which then are counted.
    var length: Int
  }

  private func sections(_ suites: [SuiteResult], _ extent: Extent) -> [Section] {
    if extent == .nothing { return [] }
    return suites.flatMap { suite in
      suite.columns.map { column in
        let text = section(suite, column, hasFigures: extent == .figures)
        var section = Section(suite: suite, column: column, text: text, length: 0)
        var none = 0
        section.length = cases([section], &none).utf16.count
        return section
      }
    }
  }

  /// Sections with as many of their cases as there is room for.
  private func cases(_ sections: [Section], _ room: inout Int) -> String {
    var text = ""
    for section in sections {
      text += section.text
      let (suite, column) = (section.suite, section.column)
      let noun = suite.repetitions > 1 ? "trial" : "case"
      var log = suite.log.map { RunLogReader($0) }
      func first(_ isShown: (Trial) -> Bool) -> [Trial] {
        if room == 0 { return [] }
        return column.trials.lazy.filter(isShown).prefix(Self.shownTrials)
          .map { log?.whole($0) ?? $0 }
      }
      text += trials("lost \(noun)", column.lost, first(\.isLost), &room)
      text += trials("failed \(noun)", column.failed, first { $0.outcome == .failed }, &room)
      text += trials("unjudged answer", column.unjudged, first { $0.outcome == .unjudged }, &room)
    }
    return text
  }

  /// The first sections, where there is not even room for all of them without their cases.
  private func first(_ sections: [Section], within limit: Int) -> String {
    // What is left for saying how many more there are.
    var room = limit - 100
    let fitting = sections.prefix { section in
      room -= section.length
      return room >= 0
    }
    var none = 0
    let more = TerminalLines.count(sections.count - fitting.count, "section")
    return cases(Array(fitting), &none) + "\nand \(more) more, in report.json\n"
  }

  // MARK: Suites that did not change

  /// The suites that a reader has to look at.
  private var loud: [SuiteResult] {
    result.suites.count == 1 ? result.suites : result.suites.filter { !$0.isQuiet }
  }

  /// The suites that pass and did not change: one line of them is enough.
  private var quiet: [SuiteResult] {
    result.suites.count == 1 ? [] : result.suites.filter(\.isQuiet)
  }

  /// What stands before and behind the sections of suites that did not change.
  private func fold(_ suites: [SuiteResult]) -> (open: String, close: String) {
    if suites.isEmpty { return ("", "") }
    func line(_ suites: [SuiteResult], _ what: String) -> String {
      if suites.isEmpty { return "" }
      let names = suites.prefix(Self.shownTrials).map { MarkdownText.plain($0.name) }
      let more =
        suites.count > Self.shownTrials ? " and \(suites.count - Self.shownTrials) more" : ""
      let pass =
        "\(TerminalLines.count(suites.count, "suite")) \(suites.count == 1 ? "passes" : "pass")"
      return "\n✅ \(pass), \(what): \(names.joined(separator: ", "))\(more)\n"
    }
    let lines =
      line(suites.filter(\.isCompared), "with every answer that of the baseline")
      + line(suites.filter { !$0.isCompared }, "without a baseline to compare with")
    let summary = TerminalLines.count(suites.count, "suite") + " without a change"
    return (
      "\(lines)\n<details><summary>\(summary)</summary>\n\(table(suites))", "\n</details>\n"
    )
  }

  /// Why requests have no recording, with the nearest one that there is.
  func misses(_ summary: RecordingSummary, _ column: ColumnResult) -> String {
    summary.misses(of: column).prefix(3).map { group in
      var text = "\n\(group.count) × \(MarkdownText.plain(group.reason))"
      guard let nearest = group.nearest, let phrase = RecordingText.nearest(group) else {
        return text + "\n"
      }
      text += "; \(MarkdownText.plain(phrase)):\n\n"
      return text + RequestChangeText.markdown(nearest.difference, most: 8)
    }.joined()
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

  /// What is to be known of recordings before anything is trusted.
  private var notes: String {
    let notes = result.suites.flatMap { suite in
      (JudgeText.notes(suite) + RecordingText.notes(suite.recordings))
        .map { "\(suite.name): \($0)" }
    }
    return (notes + PriceText.notes(result.suites))
      .map { "\n⚠️ \(MarkdownText.plain($0)).\n" }.joined()
  }

  /// The suites that can show no gain any more.
  private var saturated: String {
    HealthText.saturated(result.suites).map { "\n\(MarkdownText.plain($0))\n" } ?? ""
  }

  /// The chance of a false alarm over several suites.
  private var alarms: String {
    CorrectionText.falseAlarms(result.falseAlarms).map { "\n\(MarkdownText.plain($0))\n" } ?? ""
  }

  private func table(_ suites: [SuiteResult]) -> String {
    if suites.isEmpty { return "" }
    let shown = suites.prefix(Self.shownSuites)
    var text = "\n| suite | prompt | backend | verdict | accuracy | failed | lost | n |\n"
    text += "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    for suite in shown {
      for column in suite.columns {
        let accuracy = column.metrics.first { $0.name == "accuracy" }
        text += "| \(MarkdownText.plain(suite.name)) | \(MarkdownText.plain(column.prompt)) "
        text += "| \(MarkdownText.plain(column.backend)) "
        text += "| \(Self.symbol(column.verdict)) \(column.verdict.word) "
        text += "| \(accuracy.map { NumberText.text($0.estimate, $0.quantity) } ?? "unknown") "
        text += "| \(column.failed) | \(column.lost) | \(accuracy?.estimate.nText ?? "0") |\n"
      }
    }
    if shown.count < suites.count {
      let more = TerminalLines.count(suites.count - shown.count, "suite")
      text += "\nand \(more) more, in report.json\n"
    }
    return text
  }

  /// Who answered, who judged, and what costs were made by.
  private var sources: String {
    var text = ""
    for suite in result.suites {
      for judge in suite.judges {
        text +=
          "\nJudge of \(MarkdownText.plain(suite.name)): \(MarkdownText.code(JudgeText.line(judge))).\n"
      }
    }
    let priced = result.suites.filter { $0.columns.contains { $0.costs.priced > 0 } }
    for file in Set(priced.flatMap(\.prices)).sorted() {
      text += "\nCosts at the prices of \(MarkdownText.code(file)).\n"
    }
    if result.suites.flatMap(\.columns).contains(where: { $0.costs.reported > 0 }) {
      text += "\nCosts of models without a price are those that the servers say.\n"
    }
    let phrases = Provenance.phrases(of: result.suites.flatMap(\.columns)).map(MarkdownText.code)
    if !phrases.isEmpty {
      let how =
        result.suites.contains { $0.source == .live } ? "Answered" : "Recorded answers, given"
      text += "\n\(how) by \(phrases.joined(separator: "; ")).\n"
    }
    return text
  }
}

extension SuiteResult {
  /// Whether it passes without a waiver, nothing was lost, and every case and answer is that of the
  /// baseline where there is one.
  fileprivate var isQuiet: Bool {
    verdict == .pass && RecordingText.notes(recordings).isEmpty && unreadableVerdicts.isEmpty
      && columns.allSatisfy { column in
        column.lost == 0 && column.comparison.map(\.isUnchanged) ?? true
          && column.gates.allSatisfy { $0.effect == $0.verdict }
      }
  }

  /// Whether it has a baseline.
  fileprivate var isCompared: Bool { columns.contains { $0.comparison != nil } }
}

extension RunComparison {
  /// Whether the cases and their answers are the same.
  fileprivate var isUnchanged: Bool {
    isIdentical && addedCases.isEmpty && removedCases.isEmpty && changedCases.isEmpty
  }
}
