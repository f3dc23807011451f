import SluiceGating

/// The verdict for a terminal of 80 columns.
package struct TerminalReport {
  private let result: RunResult
  private let style: TerminalStyle
  private let trying: CommandLineOverrides
  private static let shownCases = 3
  /// The number of answers to show where nothing is judged, and how much of each.
  private static let shownAnswers = 10
  private static let shownCharacters = 300
  /// The number of groups of a table.
  private static let shownGroups = 12

  /// Whether the call also wrote files, which the text then names.
  private let writesReports: Bool
  private let formats: Set<ReportFormat>
  /// What the call sent; nil where it sent nothing.
  private let sending: SendingTally.Count?

  package init(
    _ result: RunResult,
    style: TerminalStyle,
    trying: CommandLineOverrides = CommandLineOverrides(),
    writesReports: Bool = true,
    formats: Set<ReportFormat> = .all,
    sending: SendingTally.Count? = nil
  ) {
    self.result = result
    self.style = style
    self.trying = trying
    self.writesReports = writesReports
    self.formats = formats
    self.sending = sending
  }

  package var text: String {
    var lines = OutputsText.terminal(result.suites.flatMap(\.columns), style)
    for suite in result.suites {
      for column in suite.columns { lines += block(suite, column) + [""] }
      let judges = suite.judges.flatMap {
        TerminalLines.wrap(TerminalText.visible(JudgeText.line($0)), indent: 2)
      }
      if !judges.isEmpty {
        lines += ["  \(TerminalLines.opening(suite.name)), judges:"] + unreadable(suite) + judges
        lines.append("")
      }
      let notes = RecordingText.notes(suite.recordings).flatMap {
        TerminalLines.wrap($0, indent: 2).map(style.warning)
      }
      if !notes.isEmpty {
        lines += ["  \(TerminalLines.opening(suite.name)), recordings:"] + notes + [""]
      }
    }
    lines += result.mixes.flatMap { mix($0) + [""] }
    lines += PriceText.notes(result.suites).flatMap {
      TerminalLines.wrap("note: \($0)", indent: 0).map(style.warning)
    }
    lines += provenance
    if let sending { lines += TerminalLines.wrap(SendingText.text(sending), indent: 0) }
    lines += verdict
    return TerminalLines.text(lines)
  }

  /// The judges whose replies cannot be read, with what mends it.
  private func unreadable(_ suite: SuiteResult) -> [String] {
    let verdicts = suite.unreadableVerdicts
    if verdicts.isEmpty { return [] }
    let (advice, command) = JudgeText.fix(suite)
    return verdicts.flatMap { verdicts in
      TerminalLines.wrap(
        TerminalText.visible("warning: \(JudgeText.warning(verdicts))"),
        indent: 2
      ).map(style.warning)
    } + TerminalLines.wrap("fix: \(advice)", indent: 4) + ["      \(TerminalText.visible(command))"]
  }

  // MARK: A column

  private func block(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    let absent = AbsentAnswers(suite, column)
    let standsInTheWay = column.verdict == .noVerdict
    let absence = absent.map { self.absence($0, suite, column, isRemedied: standsInTheWay) } ?? []
    // Where there is no verdict for want of answers, that is what a reader has to know first.
    var lines = head(suite, column) + (standsInTheWay ? absence : [])
    if column.hasOnlyUndecided {
      let decisions = TerminalDecisions(style)
      return lines
        + decisions.undecided(
          gates: column.gates.count,
          goals: suite.filtered == nil ? column.goals.count : 0
        )
        + (column.comparison?.hasPairs == false ? [] : comparison(column)) + exemptions(column)
    }
    let isPart = suite.filtered != nil
    let showsCases = trying.showsCases
    if !(isPart && showsCases) { lines += shownMetrics(suite, column) }
    if !isPart {
      lines += splits(column)
      lines += column.groups.flatMap { GroupText.terminal($0, limit: Self.shownGroups, style) }
    }
    lines += (HealthText.saturated(column).map { TerminalLines.wrap($0, indent: 2) } ?? [])
      .map(style.warning)
    // Goals of a part are no distance to anything.
    lines += TerminalDecisions(style).lines(gates: column.gates, goals: isPart ? [] : column.goals)
    lines += comparison(column)
    lines += exemptions(column)
    lines += flaky(column)
    if !standsInTheWay { lines += absence }
    if !showsCases { lines += faults(suite, column) }
    return lines
  }

  /// The names on the left and the verdict on the right; names that leave no room for that have lines
  /// of their own.
  private func head(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    let names = TerminalText.visible("\(column.prompt) on \(column.backend)")
    let detail =
      "\(names) · \(suite.filtered.map { "\($0.count) of " } ?? "")"
      + TerminalLines.count(suite.filtered?.total ?? suite.caseCount, "case")
      + (suite.repetitions > 1 ? " × \(suite.repetitions)" : "")
      + (column.isCandidate ? "" : " · not the candidate")
    let word = head(word: suite, column)
    let room = TerminalLines.width - word.count - 1
    let name = TerminalText.cut(TerminalLines.opening(suite.name), to: room)
    let isTight = TerminalText.width(of: "\(name)  \(detail)") > room
    let left = style.bold(name) + (isTight ? "" : "  " + style.dim(detail))
    let used = TerminalText.width(of: isTight ? name : "\(name)  \(detail)")
    let space = String(repeating: " ", count: TerminalLines.width - word.count - used)
    return [left + space + style.verdict(word, headVerdict(suite, column))]
      + (isTight ? TerminalLines.wrap(detail, indent: 2).map(style.dim) : [])
  }

  /// The verdict; of a part of the cases the number that passed.
  private func head(word suite: SuiteResult, _ column: ColumnResult) -> String {
    if suite.filtered == nil { return column.verdict.word.uppercased() }
    if column.lost == column.trials.count { return column.lost == 1 ? "NO ANSWER" : "NO ANSWERS" }
    return "\(column.passed) OF \(column.trials.count) PASSED"
  }

  /// The calls of a mix, what they come to, and its goals.
  private func mix(_ result: MixResult) -> [String] {
    let kind = "mix" + (result.backend.map { " on \(TerminalText.visible($0))" } ?? "")
    let room = TerminalLines.width - 2
    let name = TerminalText.cut(TerminalLines.opening(result.mix.name), to: room)
    let rest = TerminalText.cut(kind, to: max(0, room - TerminalText.width(of: name)))
    return ["\(style.bold(name))  \(style.dim(rest))"]
      + TerminalLines.wrap(result.mix.callsText, indent: 2).map(style.dim)
      + result.figures.map { TerminalLines.metric($0, style) }
      + TerminalDecisions(style).lines(gates: [], goals: result.goals)
  }

  private func shownMetrics(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    // Classes and pass rates of single scorers stand in the files.
    let rates = column.metrics.filter {
      [.rate, .number].contains($0.quantity) && !$0.isDetail && !$0.name.contains("[")
        && !$0.name.hasSuffix(".pass-rate")
        && !(column.isUnjudged && $0.estimate.value == nil)
    }
    var lines = rates.map { TerminalLines.metric($0, style) }
    func value(_ name: String) -> String? {
      guard let metric = column.metrics.first(where: { $0.name == name }) else { return nil }
      return metric.estimate.value.map { NumberText.text($0, metric.quantity) }
    }
    let recorded = suite.source == .recorded ? " (recorded)" : ""
    if let median = value("p50(latency)"), let high = value("p95(latency)") {
      lines.append(
        TerminalLines.row("latency", "p50 \(median) · p95 \(high)\(style.dim(recorded))")
      )
    } else if let why = column.unmeasuredTimes {
      lines.append(TerminalLines.wrappedRow("latency", "unknown: \(why)"))
    }
    for (name, title) in [
      ("user-latency", "latency with what failed"), ("first-text", "first text"),
      ("longest-gap", "longest gap"),
    ] {
      if let median = value("p50(\(name))"), let high = value("p95(\(name))") {
        lines.append(TerminalLines.row(title, "p50 \(median) · p95 \(high)\(style.dim(recorded))"))
      }
    }
    let tokens = value("mean(tokens)").map { "\($0) tokens a call" } ?? "tokens unknown"
    let why = column.metrics.first { $0.name == "sum(cost)" }?.estimate.unknown
    let cost =
      value("sum(cost)").map { "\($0) in all\(Self.basis(column))" }
      ?? "cost unknown\(why.map { ": \($0)" } ?? "")"
    lines.append(TerminalLines.wrappedRow("usage", "\(tokens) · \(cost)"))
    if column.costs.priced > 0, let reported = value("sum(reported-cost)") {
      lines.append(TerminalLines.row("cost as the servers say", "\(reported) in all"))
    }
    if let (cases, clusters) = ClusterText.counts(column) {
      let text =
        "\(TerminalLines.count(cases, "case")) in \(TerminalLines.count(clusters, "cluster"))"
      lines.append(TerminalLines.wrappedRow("n", text))
    }
    if column.lost > 0 {
      let lost = "\(column.lost) of \(TerminalLines.count(column.trials.count, "trial"))"
      lines.append(TerminalLines.row("lost", style.warning(lost)))
    }
    return lines
  }

  /// How the parts of the dataset came off.
  private func splits(_ column: ColumnResult) -> [String] {
    guard let splits = column.splits else { return [] }
    return [TerminalLines.wrappedRow("accuracy by split", SplitText.accuracy(splits))]
      + SplitText.warnings(splits).flatMap {
        TerminalLines.wrap($0, indent: 2).map(style.warning)
      }
  }

  /// What a cost rests on, where that is not the price file.
  private static func basis(_ column: ColumnResult) -> String {
    switch column.costs {
    case (0, _): ""
    case (_, 0): ", as the servers say"
    case (let reported, let priced): ", \(reported) of \(reported + priced) as the servers say"
    }
  }

  // MARK: Changes

  private func comparison(_ column: ColumnResult) -> [String] {
    guard let comparison = column.comparison else { return [] }
    var lines = ["  \(style.dim("against \(TerminalText.visible(comparison.reference)):"))"]
    if comparison.isIdentical {
      lines.append("    every answer is the same")
    } else {
      for change in comparison.changes.prefix(1) {
        let text = ChangeText.difference(change.change, change.quantity)
        let cases =
          change.change.clusters == nil
          ? TerminalLines.count(change.change.n, "case") : "n \(change.change.nText)"
        lines += TerminalLines.wrap("\(change.name): \(text), \(cases)", indent: 4)
      }
      for (flip, what) in [
        (OutcomeFlip.harmful, "newly failing"), (.beneficial, "newly passing"),
        (.wrongToWrong, "wrong in another way"),
      ] {
        let ids = comparison.flips.filter { $0.flip == flip }.map(\.caseID)
        lines += cases(ids, what)
      }
      lines += slices(comparison)
    }
    if let shortened = ChangeText.shortened(comparison) {
      lines += TerminalLines.wrap(shortened, indent: 4)
    }
    if lines.count == 1 { lines.append("    nothing can be compared") }
    lines += cases(comparison.changedCases, "changed, not compared")
    lines += cases(comparison.removedCases, "gone, not compared")
    lines += cases(comparison.addedCases, "new, not compared")
    lines += cases(comparison.reslicedCases, "with other tags or another cluster")
    if !comparison.changedScorers.isEmpty {
      let names = comparison.changedScorers.joined(separator: ", ")
      lines += TerminalLines.wrap(
        "scorers changed, their metrics not compared: \(names)",
        indent: 4
      )
    }
    if !comparison.changedAdvisoryScorers.isEmpty {
      let names = comparison.changedAdvisoryScorers.joined(separator: ", ")
      lines += TerminalLines.wrap("\(ChangeText.advisoryScorers): \(names)", indent: 4)
    }
    return lines
  }

  private func cases(_ ids: [String], _ what: String) -> [String] {
    if ids.isEmpty { return [] }
    var text = ids.prefix(Self.shownCases).joined(separator: ", ")
    if ids.count > Self.shownCases { text += " and \(ids.count - Self.shownCases) more" }
    return TerminalLines.wrap("\(ids.count) \(what): \(text)", indent: 4)
  }

  /// The tags that lost most; advice, so the least credible are left out.
  private func slices(_ comparison: RunComparison) -> [String] {
    let texts = ChangeText.lostTags(comparison).prefix(Self.shownCases)
    if texts.isEmpty { return [] }
    return TerminalLines.wrap(
      "tags that lost, as a hint: \(texts.joined(separator: ", "))",
      indent: 4
    )
  }

  private func exemptions(_ column: ColumnResult) -> [String] {
    column.quarantine.sorted { $0.key < $1.key }.flatMap { id, exemption in
      let outcomes = column.trials.filter { $0.caseID == id }.map(\.outcome)
      let state =
        outcomes.contains(.failed)
        ? "fails"
        : outcomes.contains(.unjudged)
          ? "not judged" : outcomes.allSatisfy { $0 == .passed } ? "passes" : "lost"
      return TerminalLines.wrap(
        "in quarantine until \(exemption.until), \(state): \(id), \(exemption.reason)",
        indent: 2
      )
    }
  }

  private func flaky(_ column: ColumnResult) -> [String] {
    let flaky = column.flakyCases
    if flaky.isEmpty { return [] }
    var text = flaky.prefix(Self.shownCases)
      .map { "\($0.caseID) (\($0.passed) of \($0.of) passed)" }.joined(separator: ", ")
    if flaky.count > Self.shownCases { text += " and \(flaky.count - Self.shownCases) more" }
    return TerminalLines.wrap(
      "\(TerminalLines.count(flaky.count, "flaky case")): \(text)",
      indent: 2
    )
  }

  // MARK: Cases

  private func faults(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    let noun = suite.repetitions > 1 ? "trial" : "case"
    var lines: [String] = []
    if column.failed > 0 {
      var log = suite.log.map { RunLogReader($0) }
      let shown = column.trials.lazy.filter { $0.outcome == .failed }.prefix(Self.shownCases)
        .map { log?.whole($0) ?? $0 }
      lines += failedTrials(Array(shown), of: column.failed, noun)
    }
    return lines + unjudged(suite, column)
  }

  /// The answers that no scorer judged: several where there is nothing else to show.
  private func unjudged(_ suite: SuiteResult, _ column: ColumnResult) -> [String] {
    if column.unjudged == 0 { return [] }
    let room = column.isUnjudged ? Self.shownAnswers : Self.shownCases
    var log = suite.log.map { RunLogReader($0) }
    let shown = column.trials.lazy.filter { $0.outcome == .unjudged }.prefix(room)
      .map { log?.whole($0) ?? $0 }
    let more = column.unjudged > shown.count ? ", the first \(shown.count)" : ""
    let count = TerminalLines.count(column.unjudged, "answer")
    return ["  \(style.dim("\(count) not judged\(more):"))"]
      + shown.flatMap { trial in
        let text = trial.output?.excerpt ?? ""
        let words = trial.refusal.map { "refusal: \($0)" } ?? (text.isEmpty ? "(empty)" : text)
        let line = TerminalText.visible(Excerpt.line(words, to: Self.shownCharacters))
        return TerminalLines.wrap("\(name(trial)): \(line)", indent: 4)
      }
  }

  /// Which answers are not there and why, by reason: one change of a prompt loses them all, for the
  /// same reason; and what brings them.
  private func absence(
    _ absent: AbsentAnswers,
    _ suite: SuiteResult,
    _ column: ColumnResult,
    isRemedied: Bool
  ) -> [String] {
    let trials = column.trials.filter(\.isLost)
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    // These name a file, of which nothing may be cut off.
    var faults: Set<String> = []
    for trial in trials {
      guard case .lost(let loss) = trial.outcome else { continue }
      if case .noRecording(let miss) = loss, miss.isFault { faults.insert(loss.message) }
      if names[loss.message] == nil { reasons.append(loss.message) }
      names[loss.message, default: []].append(name(trial))
    }
    let heading = TerminalLines.wrap(absent.text + ":", indent: 2)
    var lines = heading.map { isRemedied ? style.warning($0) : style.dim($0) }
    for reason in reasons {
      let all = names[reason] ?? []
      var text = all.prefix(Self.shownCases).joined(separator: ", ")
      if all.count > Self.shownCases { text += " and \(all.count - Self.shownCases) more" }
      lines +=
        faults.contains(reason)
        ? TerminalLines.wrap(reason, indent: 4)
        : [TerminalText.cut("    \(TerminalLines.opening(reason))", to: TerminalLines.width)]
      lines += TerminalLines.wrap(text, indent: 6)
      let group = suite.recordings.misses(of: column).first { $0.reason == reason }
      if let group { lines += nearest(group) }
    }
    // Where nothing more is told of one suite, the command is the last line anyway.
    guard isRemedied, writesReports, result.suites.count > 1 || !column.hasOnlyUndecided,
      let remedy = RunResult(suites: [suite]).remedy(trying)
    else { return lines }
    return lines + TerminalLines.wrap("Next, \(remedy.advice):", indent: 4)
      + ["      \(TerminalText.visible(remedy.command))"]
  }

  /// The recording that a request differs least from, and how.
  private func nearest(_ group: RecordingSummary.MissGroup) -> [String] {
    guard let nearest = group.nearest, let phrase = RecordingText.nearest(group) else { return [] }
    return TerminalLines.wrap(phrase + ":", indent: 6)
      + RecordingText.difference(nearest.difference, width: TerminalLines.width - 12).map { line in
        let text = TerminalText.cut(
          "        " + TerminalText.visible(line),
          to: TerminalLines.width
        )
        if line.hasPrefix("  -") { return style.removed(text) }
        return line.hasPrefix("  +") ? style.added(text) : text
      }
  }

  private func failedTrials(_ shown: [Trial], of count: Int, _ noun: String) -> [String] {
    let more = count > shown.count ? ", the first \(shown.count)" : ""
    var lines = ["  \(style.dim("\(TerminalLines.count(count, "failed \(noun)"))\(more):"))"]
    for trial in shown {
      lines.append(TerminalText.cut("    \(name(trial))", to: TerminalLines.width))
      for fault in trial.faults {
        let text = TerminalLines.opening("\(fault.scorer): \(fault.explanation)")
        lines.append(TerminalText.cut("      " + text, to: TerminalLines.width))
      }
    }
    return lines
  }

  private func name(_ trial: Trial) -> String {
    let name = TerminalLines.opening(trial.caseID)
    return trial.repetition > 1 ? "\(name) (repeat \(trial.repetition))" : name
  }

  // MARK: The whole

  private var provenance: [String] {
    TerminalLines.provenance(
      of: result.suites.flatMap(\.columns),
      isLive: result.suites.contains { $0.source == .live }
    ).map(style.dim)
  }

  /// The color of the head.
  private func headVerdict(_ suite: SuiteResult, _ column: ColumnResult) -> Verdict {
    if suite.filtered == nil { return column.verdict }
    if column.failed > 0 { return .fail }
    return column.passed == column.trials.count ? .pass : .noVerdict
  }

  private var verdict: [String] {
    var counts: [String] = []
    for verdict in [Verdict.fail, .noVerdict, .inconclusive, .pass] {
      let count = result.suites.count { $0.verdict == verdict }
      if count > 0 { counts.append("\(count) \(verdict.word)") }
    }
    let suites = result.suites.count == 1 ? "1 suite" : "\(result.suites.count) suites"
    let waived = result.suites.flatMap(\.columns).filter(\.isCandidate).flatMap(\.gates)
      .count { $0.effect != $0.verdict }
    let waivers = waived == 0 ? "" : "; \(TerminalLines.count(waived, "gate")) waived"
    var lines: [String] = []
    // Of several suites the one that stands in the way may be far above.
    let filtered = result.filteredPhrase
    if result.suites.count > 1, result.verdict != .pass, filtered == nil {
      lines += TerminalLines.wrap(RunSummaryText(result).reason, indent: 0)
    }
    if let alarms = CorrectionText.falseAlarms(result.falseAlarms) {
      lines += TerminalLines.wrap(alarms, indent: 0).map(style.dim)
    }
    if let filtered {
      lines += TerminalLines.wrap("No verdict: \(filtered)", indent: 0).map(style.warning)
    } else {
      lines += [
        style.verdict("Verdict: \(result.verdict.word)", result.verdict)
          + " (\(suites): \(counts.joined(separator: ", "))\(waivers))"
      ]
    }
    guard writesReports else { return lines }
    let folder = TerminalText.visible(trying.path(ReportWriter.folder(of: result)))
    lines.append("Reports: \(folder)/\(formats.fileNames)")
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

  func removed(_ text: String) -> String { wrapped(text, "31") }
  func added(_ text: String) -> String { wrapped(text, "32") }

  func verdict(_ text: String, _ verdict: Verdict) -> String {
    switch verdict {
    case .pass: wrapped(text, "1;32")
    case .fail: wrapped(text, "1;31")
    case .inconclusive, .noVerdict, .notEvaluated: wrapped(text, "1;33")
    }
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
