import SluiceGating

/// `report.md`: the verdict, as a comment for a pull request.
///
/// The comment shows the suites that changed or failed. For a suite that passes with the answers of
/// its baseline, it shows only the name. The figures of such a suite are in `report.html` and
/// `report.json`.
package struct MarkdownReport {
  /// A marker that a later run looks for, to update the comment instead of adding another.
  package static let marker = "<!-- sluice-report -->"
  /// The maximum length of the comment.
  ///
  /// GitHub accepts 65,536 characters. The difference leaves space for text that a workflow adds.
  static let longestComment = 60_000
  /// The maximum number of names in a list of suites.
  static let shownSuites = 50
  private let result: RunResult
  private let overrides: CommandLineOverrides

  package init(_ result: RunResult, overrides: CommandLineOverrides = CommandLineOverrides()) {
    self.result = result
    self.overrides = overrides
  }

  package var bytes: [UInt8] {
    let (head, foot) = (head, foot)
    var text = ""
    for extent in Extent.allCases {
      let sections = sections(extent)
      var room = Self.longestComment - head.utf16.count - foot.utf16.count
      guard extent == .first || sections.reduce(room, { $0 - $1.length }) >= 0 else { continue }
      if extent == .first {
        text = head + first(sections, within: room) + foot
      } else {
        room = sections.reduce(room) { $0 - $1.length }
        text = head + cases(sections, &room) + foot
      }
      break
    }
    return Array(text.utf8)
  }

  /// The verdict, its meaning, the next step, and the notes that qualify the verdict.
  private var head: String {
    let outputs = OutputsText.markdown(result.suites.flatMap(\.columns))
    let title = "## \(Self.symbol(result.verdict)) Sluice: \(result.verdict.word)"
    let summary = MarkdownSummary(result, overrides: overrides, hasSections: loud.count == 1).text
    return "\(Self.marker)\n\(outputs)\(title)\n\n\(summary)\(notes)"
  }

  /// The unchanged suites, the mixes, the models that answered, and the command that creates the
  /// report again.
  private var foot: String {
    unchanged + choice + result.mixes.map(line).joined() + saturated + alarms + sources + command
  }

  // MARK: Sections

  /// The amount of detail in sections, the largest first.
  ///
  /// If the comment is too long, it is written again with less detail.
  private enum Extent: CaseIterable { case figures, conditions, first }

  /// The section of a column.
  ///
  /// Cases are added until the comment is full.
  private struct Section {
    var suite: SuiteResult
    var column: ColumnResult
    var text: String
    /// The figures that follow the cases.
    var figures: String
    /// The length of the section if it gives only the numbers of cases and shows no case.
    var length: Int
  }

  private func sections(_ extent: Extent) -> [Section] {
    loud.flatMap { suite in
      suite.columns.filter { !$0.isQuiet || suite.columns.count == 1 }.map { column in
        let text = section(suite, column)
        let hasFigures = extent == .figures && !column.hasOnlyUndecided
        let figures = hasFigures ? self.figures(column) : ""
        var section = Section(suite: suite, column: column, text: text, figures: figures, length: 0)
        var none = 0
        section.length = cases([section], &none).utf16.count
        return section
      }
    }
  }

  /// Returns sections, with as many cases as fit into `room` characters.
  private func cases(_ sections: [Section], _ room: inout Int) -> String {
    var text = ""
    for section in sections {
      text += section.text + MarkdownCases(section.suite, section.column).text(&room)
      text += section.figures
    }
    return text
  }

  /// Returns as many of the first sections as fit, without their cases.
  ///
  /// This is used if not all sections fit.
  private func first(_ sections: [Section], within limit: Int) -> String {
    // Leave space for the line that counts the omitted sections.
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

  /// The suites that failed or changed, which have sections.
  private var loud: [SuiteResult] {
    // The figures of a single suite without a baseline are new, so show them.
    if result.suites.count == 1, !result.suites[0].isCompared { return result.suites }
    return result.suites.filter { !$0.isQuiet }
  }

  /// A line with the suites that are unchanged, and a line with those that pass without a baseline.
  private var unchanged: String {
    let loud = Set(loud.map(\.name))
    let quiet = result.suites.filter { !loud.contains($0.name) }
    func line(_ suites: [SuiteResult], _ what: String) -> String {
      if suites.isEmpty { return "" }
      let names = suites.prefix(Self.shownSuites).map { MarkdownText.plain($0.name) }
      let more =
        suites.count > Self.shownSuites ? " and \(suites.count - Self.shownSuites) more" : ""
      let count = TerminalLines.count(suites.count, "suite")
      let verb = suites.count == 1 ? "passes" : "pass"
      return "\n✅ \(count) \(verb) \(what): \(names.joined(separator: ", "))\(more).\n"
    }
    return line(quiet.filter(\.isCompared), "unchanged")
      + line(quiet.filter { !$0.isCompared }, "without a baseline to compare with")
  }

  /// The suites that `--affected` chose, with the reasons, and the suites that it skipped.
  private var choice: String {
    guard let selection = result.selection else { return "" }
    let words = SelectionText(selection, MarkdownText.plain, MarkdownText.code)
    let others = [words.skipped, words.removed].compactMap(\.self).map { "\n\($0).\n" }.joined()
    let chosen = words.chosen.map { "- \($0)\n" }.joined()
    let title = words.title + (chosen.isEmpty ? "." : ":")
    return "\n\(title)\n\(chosen.isEmpty ? "" : "\n" + chosen)\(others)"
  }

  /// Returns the sign of a verdict.
  static func symbol(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "✅"
    case .fail: "❌"
    case .inconclusive: "❔"
    case .noVerdict: "⚠️"
    case .notEvaluated: "➖"
    }
  }

  // MARK: Notes

  /// The problems of judges, recordings and prices that a reader must know before trusting a
  /// figure.
  private var notes: String {
    let notes = result.suites.flatMap { suite in
      (JudgeText.notes(suite) + RecordingText.notes(suite.recordings))
        .map { "\(suite.name): \($0)" }
    }
    return (notes + PriceText.notes(result.suites))
      .map { "\n⚠️ \(MarkdownText.plain($0)).\n" }.joined()
  }

  /// Returns a line about a mix: the calls, the figures and the goals.
  private func line(_ mix: MixResult) -> String {
    let name = mix.mix.name + (mix.backend.map { " on \($0)" } ?? "")
    let figures = mix.figures.map { figure in
      let value = MarkdownText.figure(NumberText.text(figure.estimate, figure.quantity))
      return "\(MarkdownText.code(figure.name)) \(value)"
    }
    var text = "\nMix \(MarkdownText.plain(name)) (\(MarkdownText.plain(mix.mix.callsText))): "
    text += figures.joined(separator: ", ") + "."
    if let goals = MarkdownGates.goals(mix.goals) { text += " \(goals)" }
    return text + "\n"
  }

  /// A sentence on the saturated suites, which cannot show a gain anymore.
  private var saturated: String {
    HealthText.saturated(result.suites).map { "\n\(MarkdownText.plain($0))\n" } ?? ""
  }

  /// A sentence on the chance of a false alarm in several suites.
  private var alarms: String {
    CorrectionText.falseAlarms(result.falseAlarms).map { "\n\(MarkdownText.plain($0))\n" } ?? ""
  }

  /// The models that answered, the judges, and the sources of the costs.
  private var sources: String {
    var text = ""
    for suite in result.suites {
      for judge in suite.judges {
        let line = MarkdownText.code(JudgeText.line(judge))
        text += "\nJudge of \(MarkdownText.plain(suite.name)): \(line).\n"
      }
    }
    let priced = result.suites.filter { $0.columns.contains { $0.costs.priced > 0 } }
    for file in Set(priced.flatMap(\.prices)).sorted() {
      text += "\nCosts at the prices of \(MarkdownText.code(file)).\n"
    }
    if result.suites.flatMap(\.columns).contains(where: { $0.costs.reported > 0 }) {
      text += "\nThe costs of models without a price are the costs that the servers report.\n"
    }
    let phrases = Provenance.phrases(of: result.suites.flatMap(\.columns)).map(MarkdownText.code)
    if !phrases.isEmpty {
      let how =
        result.suites.contains { $0.source == .live } ? "Answered" : "Recorded answers, given"
      text += "\n\(how) by \(phrases.joined(separator: "; ")).\n"
    }
    return text
  }

  /// The command that creates the report again.
  private var command: String {
    if result.suites.isEmpty { return "" }
    let loud = loud
    let suites = loud.isEmpty && result.suites.count == 1 ? result.suites : loud
    // The names of very many suites would be too long for a command.
    let names = suites.count > 10 || suites.isEmpty ? "" : " \(suites.words)"
    let live = result.suites.contains { $0.source == .live } ? " --live" : ""
    return "\nReproduce: \(MarkdownText.code("sluice run\(names)\(overrides.options)\(live)"))\n"
  }
}

extension SuiteResult {
  /// True if the suite passes without a waiver, no trial was lost, and no note is needed.
  ///
  /// If there is a baseline, the cases and answers also equal those of the baseline.
  fileprivate var isQuiet: Bool {
    verdict == .pass && RecordingText.notes(recordings).isEmpty && unreadableVerdicts.isEmpty
      && columns.allSatisfy(\.isQuiet)
  }

  /// True if the suite was compared with a baseline.
  fileprivate var isCompared: Bool { columns.contains { $0.comparison != nil } }
}

extension ColumnResult {
  /// True if the column passes without a waiver and no trial was lost.
  ///
  /// If there is a baseline, the requests and answers also equal those of the baseline.
  fileprivate var isQuiet: Bool {
    (!isCandidate || verdict == .pass) && lost == 0
      && comparison.map(\.isUnchanged) ?? true && requestChange == nil
      && gates.allSatisfy { $0.effect == $0.verdict }
  }
}

extension RunComparison {
  /// True if the cases and their answers are identical.
  fileprivate var isUnchanged: Bool {
    isIdentical && addedCases.isEmpty && removedCases.isEmpty && changedCases.isEmpty
  }
}
