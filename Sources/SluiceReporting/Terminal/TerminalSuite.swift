import SluiceGating

/// The full output for one suite of a run, for a terminal.
struct TerminalSuite {
  private let suite: SuiteResult
  private let style: TerminalStyle
  private let overrides: CommandLineOverrides
  private let isVerbose: Bool
  /// True if the output names the command that records missing answers.
  private let namesRemedy: Bool
  private static let shownCases = 3
  /// The maximum number of figures that are shown without `--verbose`.
  private static let shownFigures = 7
  private static let shownGroups = 12
  /// The indent of the lines below `PASS` or `FAIL`.
  private static let headIndent = 6

  init(
    _ suite: SuiteResult,
    style: TerminalStyle,
    overrides: CommandLineOverrides,
    isVerbose: Bool,
    namesRemedy: Bool
  ) {
    self.suite = suite
    self.style = style
    self.overrides = overrides
    self.isVerbose = isVerbose
    self.namesRemedy = namesRemedy
  }

  /// Returns the output for a column: the verdict with the deciding figure, the changes, gates,
  /// goals, figures and failed cases.
  func lines(_ column: ColumnResult) -> [String] {
    let standsInTheWay = column.verdict == .noVerdict
    let absence =
      AbsentAnswers(suite, column).map {
        self.absence($0, column, isRemedied: standsInTheWay)
      } ?? []
    var sections: [[String]] = [head(column)]
    // If missing answers prevent a verdict, the user must know that first.
    if standsInTheWay { sections.append(absence) }
    let isOpen = column.hasOnlyUndecided
    if !isOpen {
      sections.append(change(column))
      // Goals are about all cases, so leave them out if only some were run.
      sections += TerminalDecisions(style, isVerbose: isVerbose).sections(
        gates: column.gates,
        goals: suite.filtered == nil ? column.goals : []
      )
      sections.append(figures(column))
    }
    if !isOpen { sections.append(comparison(column)) }
    let oddities = exemptions(column) + flaky(column)
    if !oddities.isEmpty { sections.append([style.bold("Cases")] + oddities) }
    if !standsInTheWay { sections.append(absence) }
    if !overrides.showsCases, !isOpen {
      sections.append(TerminalFailures(suite, style: style).lines(column))
    }
    return sections.filter { !$0.isEmpty }.reduce(into: []) { lines, section in
      lines += (lines.isEmpty ? [] : [""]) + section
    }
  }

  // MARK: The head

  /// Returns the first lines: the verdict, the suite and the deciding figure.
  private func head(_ column: ColumnResult) -> [String] {
    let word = word(column)
    let names = "\(column.prompt) on \(column.backend)"
    let detail =
      "\(names) · \(suite.filtered.map { "\($0.count) of " } ?? "")"
      + TerminalLines.count(suite.filtered?.total ?? suite.caseCount, "case")
      + (suite.repetitions > 1 ? " × \(suite.repetitions)" : "")
      + (column.isCandidate ? "" : " · not the candidate")
    let indent = Self.headIndent
    let (name, shown) = (TerminalLines.opening(suite.name), TerminalText.visible(detail))
    let mark = style.verdict(word, verdict(column)) + "  "
    let below = TerminalLines.wrap(parts: headline(column), indent: indent)
    let width = word.count + 4 + TerminalText.width(of: name) + TerminalText.width(of: shown)
    if width <= TerminalLines.width {
      return [mark + style.bold(name) + "  " + style.dim(shown)] + below
    }
    let lines = TerminalLines.wrap(suite.name, indent: word.count + 2)
    return [mark + style.bold(String(lines[0].dropFirst(word.count + 2)))]
      + lines.dropFirst().map(style.bold)
      + TerminalLines.wrap(detail, indent: indent).map(style.dim) + below
  }

  /// Returns the verdict, or the number of passed cases if only some cases were run.
  private func word(_ column: ColumnResult) -> String {
    if suite.filtered == nil { return column.verdict.word.uppercased() }
    if column.lost == column.trials.count { return column.lost == 1 ? "NO ANSWER" : "NO ANSWERS" }
    return "\(column.passed) OF \(column.trials.count) PASSED"
  }

  private func verdict(_ column: ColumnResult) -> Verdict {
    if suite.filtered == nil { return column.verdict }
    if column.failed > 0 { return .fail }
    return column.passed == column.trials.count ? .pass : .noVerdict
  }

  /// Returns the accuracy with its change and the number of flips.
  ///
  /// If the deciding gate is about a metric other than accuracy, that metric's figure follows.
  private func headline(_ column: ColumnResult) -> [String] {
    var parts: [String] = []
    let deciding = column.gates.first { $0.effect == column.verdict && $0.effect != .pass }
    if let gate = deciding, gate.estimate.value != nil, gate.condition.metricText != "accuracy" {
      let was = gate.change.map { ", was \(NumberText.text($0.baseline, gate.metric.quantity))" }
      parts.append("\(gate.condition.metricText) \(gate.valueText)\(was ?? "")")
    }
    let accuracy = column.metrics.first { $0.name == "accuracy" }?.estimate
    let change = column.comparison?.changes.first { $0.name == "accuracy" }?.change
    if let change, column.comparison?.isIdentical == false {
      parts.append("accuracy \(ChangeText.was(change, .rate))")
    } else if let accuracy, accuracy.value != nil, suite.filtered == nil {
      parts.append("accuracy \(NumberText.text(accuracy, .rate))")
    }
    guard let comparison = column.comparison else { return parts }
    if comparison.isIdentical {
      parts.append("identical to \(comparison.reference)")
    } else if !comparison.flips.isEmpty || change != nil {
      parts.append(
        "\(comparison.count(.harmful)) newly failing, \(comparison.count(.beneficial)) newly passing"
      )
    }
    return parts
  }

  // MARK: Changes

  /// Returns the edit of the requests, which is the likely cause of changes in answers and figures.
  private func change(_ column: ColumnResult) -> [String] {
    column.requestChange.map { TerminalRequestChange($0, style).lines } ?? []
  }

  /// Returns the cases and scorers that could not be compared, and the tags with losses.
  private func comparison(_ column: ColumnResult) -> [String] {
    guard let comparison = column.comparison else { return [] }
    var lines: [String] = []
    let apart = comparison.flips.filter { $0.flip == .wrongToWrong }.map(\.caseID)
    let better = comparison.flips.filter { $0.flip == .beneficial }.map(\.caseID)
    lines += cases(better, "newly passing")
    lines += cases(apart, "wrong in another way")
    if let shortened = ChangeText.shortened(comparison) {
      lines += TerminalLines.wrap(shortened, indent: 2)
    }
    if !comparison.hasPairs { lines.append("  no answers can be compared") }
    lines += cases(comparison.changedCases, "changed; cannot be compared")
    lines += cases(comparison.removedCases, "removed; cannot be compared")
    lines += cases(comparison.addedCases, "new; cannot be compared")
    lines += cases(comparison.reslicedCases, "with other tags or another cluster")
    if !comparison.changedScorers.isEmpty {
      let names = comparison.changedScorers.joined(separator: ", ")
      lines += TerminalLines.wrap(
        "scorers changed; their metrics cannot be compared: \(names)",
        indent: 2
      )
    }
    if !comparison.changedAdvisoryScorers.isEmpty {
      let names = comparison.changedAdvisoryScorers.joined(separator: ", ")
      lines += TerminalLines.wrap("\(ChangeText.advisoryScorers): \(names)", indent: 2)
    }
    let tags = ChangeText.lostTags(comparison).prefix(Self.shownCases)
    if !tags.isEmpty {
      lines += TerminalLines.wrap(
        "tags with the most losses: \(tags.joined(separator: ", "))",
        indent: 2
      )
    }
    if lines.isEmpty { return [] }
    let title = "Against \(TerminalText.visible(comparison.reference))"
    return TerminalLines.wrap(title, indent: 0).map(style.bold) + lines
  }

  private func cases(_ ids: [String], _ what: String) -> [String] {
    if ids.isEmpty { return [] }
    var text = ids.prefix(Self.shownCases).joined(separator: ", ")
    if ids.count > Self.shownCases { text += " and \(ids.count - Self.shownCases) more" }
    return TerminalLines.wrap("\(ids.count) \(what): \(text)", indent: 2)
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

  // MARK: Figures

  /// Returns the figures that the first lines, gates and goals do not show; with `--verbose`, all
  /// figures.
  private func figures(_ column: ColumnResult) -> [String] {
    let isPart = suite.filtered != nil
    if isPart && overrides.showsCases { return [] }
    let rates = column.metrics.filter {
      [.rate, .number].contains($0.quantity) && !$0.isDetail && !$0.name.contains("[")
        && (isVerbose || !$0.name.hasSuffix(".pass-rate"))
        && !(column.isUnjudged && $0.estimate.value == nil)
        && (isVerbose || !isShown($0.name, column))
    }
    let others = times(column) + usage(column)
    // Leave out the number of lost trials, which is shown above with the reasons.
    let room = isVerbose ? rates.count : max(0, Self.shownFigures - others.count)
    var lines = rates.prefix(room).map { TerminalLines.metric($0, style) } + others
    let clusters = ClusterText.counts(column)
    if let (cases, clusters) = clusters, !lines.isEmpty {
      let text =
        "\(TerminalLines.count(cases, "case")) in \(TerminalLines.count(clusters, "cluster"))"
      lines.append(TerminalLines.wrappedRow("n", text))
    }
    if !isPart { lines += parts(column) }
    if isVerbose, let saturated = HealthText.saturated(column) {
      lines += TerminalLines.wrap(saturated, indent: 2).map(style.dim)
    }
    if rates.count > room {
      lines.append("  " + style.dim("and \(rates.count - room) more: --verbose"))
    }
    return lines.isEmpty ? [] : [style.bold("Figures")] + lines
  }

  /// Returns true if the first lines, a gate or a goal already shows the value of a metric.
  private func isShown(_ name: String, _ column: ColumnResult) -> Bool {
    if name == "accuracy" { return suite.filtered == nil }
    let decisions = column.gates + (suite.filtered == nil ? column.goals : [])
    return decisions.contains { decision in
      let shown = decision.condition.metricText
      return decision.estimate.value != nil && (name == shown || name.hasSuffix(".\(shown)"))
    }
  }

  private func value(_ name: String, _ column: ColumnResult) -> String? {
    guard let metric = column.metrics.first(where: { $0.name == name }) else { return nil }
    return metric.estimate.value.map { NumberText.text($0, metric.quantity) }
  }

  private func times(_ column: ColumnResult) -> [String] {
    let recorded = suite.source == .recorded ? " (recorded)" : ""
    return [
      ("latency", "latency"), ("user-latency", "latency including retries"),
      ("first-text", "first text"), ("longest-gap", "longest gap"),
    ].compactMap { name, title in
      guard let median = value("p50(\(name))", column), let high = value("p95(\(name))", column)
      else { return nil }
      return TerminalLines.row(title, "p50 \(median) · p95 \(high)\(style.dim(recorded))")
    }
  }

  private func usage(_ column: ColumnResult) -> [String] {
    let tokens = value("mean(tokens)", column).map { "\($0) tokens per call" }
    let cost = value("sum(cost)", column).map { "\($0) in total\(Self.basis(column))" }
    var lines: [String] = []
    let usage = [tokens, cost].compactMap(\.self).joined(separator: " · ")
    if !usage.isEmpty { lines.append(TerminalLines.wrappedRow("usage", usage)) }
    if column.costs.priced > 0, let reported = value("sum(reported-cost)", column) {
      lines.append(TerminalLines.row("cost reported by the servers", "\(reported) in total"))
    }
    return lines
  }

  /// Returns the figures by split and by group, with warnings about gaps between splits.
  private func parts(_ column: ColumnResult) -> [String] {
    var lines: [String] = []
    if let splits = column.splits {
      if isVerbose {
        lines.append(TerminalLines.wrappedRow("accuracy by split", SplitText.accuracy(splits)))
      }
      lines += SplitText.warnings(splits).flatMap {
        TerminalLines.wrap($0, indent: 2).map(style.warning)
      }
    }
    guard isVerbose else { return lines }
    return lines
      + column.groups.flatMap { GroupText.terminal($0, limit: Self.shownGroups, style) }
  }

  /// Returns a note on the costs that servers reported; empty if there are none.
  private static func basis(_ column: ColumnResult) -> String {
    switch column.costs {
    case (0, _): ""
    case (_, 0): ", reported by the servers"
    case (let reported, let priced): ", \(reported) of \(reported + priced) reported by the servers"
    }
  }

  // MARK: Absent answers

  /// Returns the missing answers by reason, and the command that records them.
  ///
  /// The answers are grouped by reason, since one edit of a prompt makes all answers missing for
  /// one reason.
  private func absence(
    _ absent: AbsentAnswers,
    _ column: ColumnResult,
    isRemedied: Bool
  ) -> [String] {
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for trial in column.trials where trial.isLost {
      guard case .lost(let loss) = trial.outcome else { continue }
      if names[loss.message] == nil { reasons.append(loss.message) }
      names[loss.message, default: []].append(TerminalFailures.name(trial))
    }
    let title = absent.text.prefix(1).uppercased() + absent.text.dropFirst()
    var lines = TerminalLines.wrap(title, indent: 0).map {
      isRemedied ? style.warning($0) : style.bold($0)
    }
    for reason in reasons {
      let all = names[reason] ?? []
      var text = all.prefix(Self.shownCases).joined(separator: ", ")
      if all.count > Self.shownCases { text += " and \(all.count - Self.shownCases) more" }
      lines += TerminalLines.wrap(reason, indent: 2) + TerminalLines.wrap(text, indent: 4)
      let group = suite.recordings.misses(of: column).first { $0.reason == reason }
      if let group { lines += TerminalMiss.nearest(group, style) }
    }
    guard isRemedied, namesRemedy, let remedy = RunResult(suites: [suite]).remedy(overrides) else {
      return lines
    }
    return lines + TerminalLines.wrap("Next, \(remedy.advice):", indent: 2)
      + ["    \(TerminalText.visible(remedy.command))"]
  }
}
