import SluiceGating

/// The result of a run for a terminal.
///
/// Suites that need attention come first. The last lines are the verdict and the next command.
package struct TerminalReport {
  private let result: RunResult
  private let style: TerminalStyle
  private let overrides: CommandLineOverrides
  /// True if every suite is shown in full, with all of its figures.
  private let isVerbose: Bool
  /// True if report files were written; the text then names these files.
  private let writesReports: Bool
  private let formats: Set<ReportFormat>
  /// The requests that the command sent; `nil` if it sent none.
  private let sending: SendingTally.Count?

  package init(
    _ result: RunResult,
    style: TerminalStyle,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    isVerbose: Bool = false,
    writesReports: Bool = true,
    formats: Set<ReportFormat> = .all,
    sending: SendingTally.Count? = nil
  ) {
    self.result = result
    self.style = style
    self.overrides = overrides
    self.isVerbose = isVerbose
    self.writesReports = writesReports
    self.formats = formats
    self.sending = sending
  }

  package var text: String {
    var lines = OutputsText.terminal(result.suites.flatMap(\.columns), style)
    let isSingle = result.suites.count < 2
    if result.suites.count > 1 { lines += opening + [""] }
    let inFull = isVerbose || isSingle ? result.suites : attention
    for suite in inFull { lines += self.suite(suite) }
    let others = isVerbose || isSingle ? [] : result.suites.filter { !needsAttention($0) }
    if !others.isEmpty {
      lines += SuiteTable(others, style).lines + [""]
      if writesReports, others.count > 1 {
        let name = [others[0]].words
        let hint =
          "To see one suite in full: sluice run \(name)\(overrides.options); all suites: --verbose"
        lines += TerminalLines.wrap(hint, indent: 0).map(style.dim) + [""]
      }
      let notes = others.flatMap { recordings($0, "\($0.name): ") }
      if !notes.isEmpty { lines += notes + [""] }
    }
    for mix in result.mixes { lines += self.mix(mix) + [""] }
    let notes = notes
    return TerminalLines.text(lines + (notes.isEmpty ? [] : notes + [""]) + ending)
  }

  // MARK: Suites

  /// The line with the overall verdict of several suites.
  private var opening: [String] {
    if result.isFiltered {
      let suites = TerminalLines.count(result.suites.count, "suite")
      return [style.bold("NO VERDICT") + style.dim("  \(suites), only some of the cases")]
    }
    let word = result.verdict.word.uppercased()
    let cases = result.suites.reduce(0) { $0 + $1.caseCount }
    let detail = "\(VerdictText.counts(result)) · \(cases.withThousands) cases"
    return [style.verdict(word, result.verdict) + "  " + style.dim(detail)]
  }

  /// The suites to show in full if there are several suites; failed suites come first.
  private var attention: [SuiteResult] {
    let order: [Verdict] = [.fail, .noVerdict, .inconclusive]
    let ranked = result.suites.filter(needsAttention).enumerated().map { place, suite in
      (rank: order.firstIndex(of: suite.verdict) ?? order.count, place: place, suite: suite)
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.suite)
  }

  private func needsAttention(_ suite: SuiteResult) -> Bool {
    if suite.filtered != nil { return suite.columns.contains { $0.passed < $0.trials.count } }
    return suite.verdict != .pass || !suite.unreadableVerdicts.isEmpty
      || suite.columns.contains { $0.lost > 0 }
  }

  private func suite(_ suite: SuiteResult) -> [String] {
    let screen = TerminalSuite(
      suite,
      style: style,
      overrides: overrides,
      isVerbose: isVerbose,
      namesRemedy: writesReports && result.suites.count > 1
    )
    var lines = suite.columns.flatMap { screen.lines($0) + [""] }
    let judges = suite.judges.flatMap {
      TerminalLines.wrap(JudgeText.line($0), indent: 2)
    }
    if !judges.isEmpty { lines += [style.bold("Judges")] + unreadable(suite) + judges + [""] }
    let notes = recordings(suite)
    if !notes.isEmpty { lines += [style.bold("Recordings")] + notes + [""] }
    return lines
  }

  private func recordings(_ suite: SuiteResult, _ prefix: String = "") -> [String] {
    RecordingText.notes(suite.recordings).flatMap {
      TerminalLines.wrap(prefix + $0, indent: prefix.isEmpty ? 2 : 0).map(style.warning)
    }
  }

  /// Returns warnings about judges whose replies could not be read, with the fix.
  private func unreadable(_ suite: SuiteResult) -> [String] {
    let verdicts = suite.unreadableVerdicts
    if verdicts.isEmpty { return [] }
    let (advice, command) = JudgeText.fix(suite)
    return verdicts.flatMap { verdicts in
      TerminalLines.wrap("warning: \(JudgeText.warning(verdicts))", indent: 2).map(style.warning)
    } + TerminalLines.wrap("fix: \(advice)", indent: 4) + ["      \(TerminalText.visible(command))"]
  }

  // MARK: The whole

  /// Returns the calls of a mix, its known figures and its goals.
  private func mix(_ result: MixResult) -> [String] {
    let backend = result.backend.map { " on \($0)" } ?? ""
    let title = "Mix \(result.mix.name)\(backend): \(result.mix.callsText)"
    let figures = result.figures.filter { figure in
      figure.estimate.value != nil
        && (isVerbose || !result.goals.contains { $0.condition.metricText == figure.name })
    }
    return TerminalLines.wrap(title, indent: 0)
      + figures.map { TerminalLines.metric($0, style) }
      + TerminalDecisions(style, isVerbose: isVerbose).goals(result.goals)
  }

  /// Notes on the models that answered, the unknown figures and the requests that were sent.
  private var notes: [String] {
    let prices = PriceText.notes(result.suites).flatMap {
      TerminalLines.wrap("note: \($0)", indent: 0).map(style.warning)
    }
    let origin = TerminalLines.provenance(
      of: result.suites.flatMap(\.columns),
      isLive: result.suites.contains { $0.source == .live }
    )
    let unknown = UnmeasuredText.notes(result.suites).flatMap {
      TerminalLines.wrap("\($0).", indent: 0)
    }
    var alarms: [String] = []
    if isVerbose || result.family == .call || result.verdict != .pass {
      alarms =
        CorrectionText.falseAlarms(result.falseAlarms).map {
          TerminalLines.wrap($0, indent: 0)
        } ?? []
    }
    let sent = sending.map { TerminalLines.wrap(SendingText.text($0), indent: 0) } ?? []
    return prices + choice + (origin + unknown + alarms).map(style.dim) + sent
  }

  /// The suites that `--affected` chose, with the reasons, and the suites that it skipped.
  private var choice: [String] {
    guard let selection = result.selection else { return [] }
    let words = SelectionText(selection)
    let lines =
      TerminalLines.wrap(words.title, indent: 0)
      + words.chosen.flatMap { TerminalLines.wrap($0, indent: 2) }
    let others = [words.skipped, words.removed].compactMap(\.self)
    return lines + others.flatMap { TerminalLines.wrap($0, indent: 2) }.map(style.dim)
  }

  private var ending: [String] {
    let sentence = TerminalLines.wrap(VerdictText(result).line, indent: 0)
    let verdict = result.isFiltered ? .noVerdict : result.verdict
    var lines = sentence.map { style.verdict($0, verdict) }
    guard writesReports else { return lines }
    let folder = TerminalText.visible(overrides.path(ReportWriter.folder(of: result)))
    lines += TerminalLines.wrap("Reports: \(folder)/\(formats.fileNames)", indent: 0)
    if let next = result.nextStep(overrides) {
      lines += TerminalLines.wrap("Next: \(next.advice):", indent: 0)
      // The line is not wrapped, since users copy the command.
      lines.append("  \(TerminalText.visible(next.command))")
    }
    return lines
  }
}
