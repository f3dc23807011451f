import SluiceGating

/// Comparisons for a terminal.
package struct TerminalComparison {
  private let result: ComparisonResult
  private let style: TerminalStyle
  private let overrides: CommandLineOverrides
  /// True if the option `--verbose` is set, so that everything is shown.
  private let isVerbose: Bool
  private let writesReports: Bool
  private let next: ComparisonResult.NextStep?
  private static let shownCases = 7
  private static let shownChanges = 7
  private static let headIndent = 6
  /// The minimum width for a case's id next to its marks.
  ///
  /// With less space, the id is on a separate line.
  private static let leastCaseWidth = 20
  private static let nameWidth = 28
  private static let unknown = "unknown"

  package init(
    _ result: ComparisonResult,
    style: TerminalStyle,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    isVerbose: Bool = false,
    writesReports: Bool = true,
    next: ComparisonResult.NextStep? = nil
  ) {
    self.result = result
    self.style = style
    self.overrides = overrides
    self.isVerbose = isVerbose
    self.writesReports = writesReports
    self.next = result.next ?? next
  }

  package var text: String {
    var lines = OutputsText.terminal(result.columns, style)
    let isSingle = result.comparisons.count < 2
    if !isSingle { lines += opening + [""] }
    let quiet = isVerbose || isSingle ? [] : result.comparisons.filter(\.isQuiet)
    // Comparisons that block the verdict come first.
    for comparison in result.inOrder where quiet.isEmpty || !comparison.isQuiet {
      lines += block(comparison) + [""]
    }
    if !quiet.isEmpty {
      let names = quiet.map(\.suite).joined(separator: ", ")
      lines += TerminalLines.wrap("Identical on both sides: \(names)", indent: 0)
      lines += UnchangedAnswers.sentence(quiet).map { TerminalLines.wrap($0, indent: 0) } ?? []
      lines.append("")
    }
    let notes = result.notes.flatMap { TerminalLines.wrap($0, indent: 0) } + provenance
    if !notes.isEmpty, !result.comparisons.isEmpty { lines += notes + [""] } else { lines += notes }
    return TerminalLines.text(lines + verdict)
  }

  /// The line with the overall verdict of several comparisons.
  private var opening: [String] {
    let suites = Set(result.comparisons.map(\.suite)).count
    let cases = result.comparisons.reduce(0) { $0 + $1.caseCount }
    let detail = "\(TerminalLines.count(suites, "suite")) · \(cases.withThousands) cases compared"
    guard let verdict = result.verdict else {
      return [style.bold("COMPARED") + "  " + style.dim(detail)]
    }
    return [style.verdict(verdict.word.uppercased(), verdict) + "  " + style.dim(detail)]
  }

  /// Returns the text of a comparison: the result, then the changes, gates, figures and cases.
  private func block(_ comparison: ConfigurationComparison) -> [String] {
    let sections = [
      head(comparison) + sentences(comparison), change(comparison), edits(comparison),
      TerminalDecisions(style, isVerbose: isVerbose).sections(gates: comparison.gates, goals: [])
        .flatMap(\.self),
      [style.bold("Figures")] + names(comparison) + table(comparison) + convention(comparison)
        + comparison.pairs.flatMap { self.pair($0, comparison) }
        + GroupText.compared(comparison).flatMap { $0.terminal(style) }
        + recorded(comparison),
      disagreements(comparison),
    ]
    return sections.filter { !$0.isEmpty }.reduce(into: []) { lines, section in
      lines += (lines.isEmpty ? [] : [""]) + section
    }
  }

  // MARK: The configurations

  private func head(_ comparison: ConfigurationComparison) -> [String] {
    let (word, verdict) = word(comparison)
    let repetitions = comparison.repetitions > 1 ? " × \(comparison.repetitions)" : ""
    let margin = NumberText.margin(comparison.margin)
    let detail =
      "\(comparison.configurations.count) configurations · "
      + TerminalLines.count(comparison.caseCount, "case") + "\(repetitions) · margin \(margin)"
    let name = TerminalLines.opening(comparison.suite)
    let mark = (verdict.map { style.verdict(word, $0) } ?? style.bold(word)) + "  "
    let width = word.count + 4 + TerminalText.width(of: name) + TerminalText.width(of: detail)
    if width <= TerminalLines.width { return [mark + style.bold(name) + "  " + style.dim(detail)] }
    let indent = word.count + 2
    let lines = TerminalLines.wrap(comparison.suite, indent: indent)
    return [mark + style.bold(String(lines[0].dropFirst(indent)))]
      + lines.dropFirst().map(style.bold)
      + TerminalLines.wrap(detail, indent: Self.headIndent).map(style.dim)
  }

  /// Returns the verdict of the gates, or the result of the comparison in a word if no gate
  /// decides.
  private func word(_ comparison: ConfigurationComparison) -> (String, Verdict?) {
    if let verdict = comparison.verdict { return (verdict.word.uppercased(), verdict) }
    guard comparison.pairs.count == 1, let pair = comparison.pairs.first else {
      return ("COMPARED", nil)
    }
    if pair.comparison.isIdentical { return ("IDENTICAL", nil) }
    switch pair.changes.first(where: { $0.name == "accuracy" })?.standing {
    case .worse: return ("WORSE", .fail)
    case .better: return ("BETTER", .pass)
    case .asGood: return ("NOT WORSE", .pass)
    case .same: return ("SAME", nil)
    case .undecided: return ("UNDECIDED", .inconclusive)
    case nil: return ("NOT COMPARED", .noVerdict)
    }
  }

  private func sentences(_ comparison: ConfigurationComparison) -> [String] {
    TerminalLines.wrap(TradeoffText(comparison).answer, indent: Self.headIndent)
  }

  /// Returns the edit of the requests, which is the likely cause of changes in answers and figures.
  ///
  /// If there are several pairs, this is the edit of the first pair whose requests differ.
  private func change(_ comparison: ConfigurationComparison) -> [String] {
    let different = comparison.pairs.filter { !$0.comparison.isIdentical }
    // Prefer pairs with answers, since only these show the effect of the edit.
    let identical = comparison.pairs.filter(\.comparison.isIdentical)
    for pair in different.filter(\.comparison.hasPairs) + different + identical {
      let sides = [pair.reference, pair.configuration].map { comparison.configurations[$0].column }
      guard let change = RequestChange(from: sides[0], to: sides[1]) else { continue }
      let title = comparison.pairs.count > 1 ? comparison.title(pair) : nil
      return TerminalRequestChange(change, style, title: title).lines
    }
    return []
  }

  /// Returns the edits of gates, labels, cases and scorers.
  ///
  /// These edits come first, since they change how to read the numbers.
  private func edits(_ comparison: ConfigurationComparison) -> [String] {
    if comparison.edits.isEmpty { return [] }
    return [style.warning("Also edited here; the comparison uses the old gates and labels")]
      + comparison.edits.flatMap { edit in
        TerminalLines.wrap(TerminalText.cut(edit.text, to: 300), indent: 2)
      }
  }

  /// Returns a note on the recordings that the change added.
  ///
  /// Only the author of the change has checked their answers.
  private func recorded(_ comparison: ConfigurationComparison) -> [String] {
    (comparison.recorded.map(RecordingText.notes) ?? []).flatMap { note in
      TerminalLines.wrap(note, indent: 2).map(style.dim)
    }
  }

  private func convention(_ comparison: ConfigurationComparison) -> [String] {
    guard comparison.pairs.contains(where: { !$0.comparison.isIdentical && !$0.changes.isEmpty })
    else { return [] }
    return TerminalLines.wrap(comparison.convention, indent: 2).map(style.dim)
  }

  private func names(_ comparison: ConfigurationComparison) -> [String] {
    comparison.configurations.enumerated().map { index, configuration -> [String] in
      var marks: [String] = []
      if let models = comparison.models(of: configuration) {
        marks.append("model \(TerminalText.visible(models))")
      }
      if index == 0 { marks.append("the reference") }
      if configuration.isOnFront == true { marks.append("no better alternative at this cost") }
      let best = configuration.column.metrics.first { $0.name == BestOf.metric }?.estimate.value
      if let best { marks.append("best on \(NumberText.text(best, .rate)) of cases") }
      let mark = marks.isEmpty ? "" : "  \(marks.joined(separator: ", "))"
      let letter = TerminalText.pad(ConfigurationComparison.letter(index), to: 3)
      let name = TerminalText.visible(configuration.name)
      let width = 5 + TerminalText.width(of: name) + TerminalText.width(of: mark)
      if width <= TerminalLines.width {
        return ["  \(style.bold(letter))\(name)\(style.dim(mark))"]
      }
      let lines = TerminalLines.wrap(configuration.name, indent: 5)
      return ["  \(style.bold(letter))" + lines[0].dropFirst(5)] + lines.dropFirst()
        + (marks.isEmpty ? [] : TerminalLines.wrap(marks.joined(separator: ", "), indent: 5))
        .map(style.dim)
    }.flatMap(\.self)
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
    let costs = comparison.configurations.map {
      comparison.estimate("mean(cost)", of: $0)?.value ?? $0.costPerRightAnswer.value
    }
    let isPriced = costs.contains { $0 != nil }
    if isPriced {
      lines.append(
        style.dim(
          TerminalText.pad("", to: 5) + "cost per call, per right answer, per million calls"
        )
      )
    }
    for (index, configuration) in comparison.configurations.enumerated() {
      let call = number("mean(cost)", .money, comparison, configuration)
      let right =
        configuration.costPerRightAnswer.value.map { NumberText.text($0, .money) } ?? Self.unknown
      let letter = TerminalText.pad(ConfigurationComparison.letter(index), to: 3)
      let lost =
        configuration.column.lost > 0
        ? style.warning("\(TerminalLines.count(configuration.column.lost, "trial")) lost") : nil
      let million =
        comparison.estimate("mean(cost)", of: configuration)?.value
        .flatMap { NumberText.millionCalls(Estimate($0, n: 1)) } ?? Self.unknown
      let figures = costs[index] == nil ? Self.unknown : "\(call), \(right), \(million)"
      // If no cost is known at all, a single line below says so.
      let parts = [isPriced ? figures : nil, lost].compactMap(\.self)
      if !parts.isEmpty { lines.append("  \(letter)\(parts.joined(separator: "  "))") }
      lines += loss(configuration)
    }
    if !isPriced { lines.append(style.dim(TerminalText.pad("", to: 5) + "costs unknown")) }
    return lines
      + comparison.remarks.flatMap { TerminalLines.wrap($0, indent: 5).map(style.dim) }
  }

  /// Returns the reason for the first lost trial, not counting trials that lack a recording.
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
      lines.append("    identical")
    } else if pair.changes.isEmpty {
      lines.append("    no case has an answer on both sides")
    } else if pair.changes.allSatisfy(\.change.isNothing) {
      lines.append("    no measured figure differs")
    }
    let different = pair.changes.filter { !$0.change.isNothing }
    // All pairs together show about as many figures as a single one.
    let most = max(1, Self.shownChanges / max(1, comparison.pairs.count))
    let shown = different.prefix(isVerbose ? different.count : most)
    let phrases = shown.map { StandingText($0, margin: comparison.margin).phrase }
    let phraseWidth = 2 + (phrases.map { TerminalText.width(of: $0) }.max() ?? 0)
    for judged in shown {
      lines += change(judged, comparison.margin, phraseWidth: phraseWidth)
    }
    if different.count > shown.count {
      lines.append("    " + style.dim("and \(different.count - shown.count) more: --verbose"))
    }
    lines += mismatches(pair.comparison)
    return lines
  }

  private func change(
    _ judged: ConfigurationComparison.Judged,
    _ margin: Double,
    phraseWidth: Int
  ) -> [String] {
    let name = TerminalLines.opening(judged.name)
    let difference = ChangeText.difference(judged.change, judged.quantity)
    let text = StandingText(judged, margin: margin)
    let word = TerminalText.pad("\(text.sign) \(text.phrase)", to: phraseWidth)
    let styled: String =
      switch judged.standing {
      case .worse: style.verdict(word, .fail)
      case .better: style.verdict(word, .pass)
      case .undecided: style.warning(word)
      case .asGood, .same: word
      }
    let p = "p \(NumberText.p(judged.adjustedP))"
    let isLong = TerminalText.width(of: name) > Self.nameWidth
    let heads = isLong ? TerminalLines.wrap(judged.name, indent: 4) : []
    let left = "    \(TerminalText.pad(isLong ? "" : name, to: Self.nameWidth))  "
    let line = left + styled + "  " + TerminalText.pad(p, to: 9)
    let width = 4 + Self.nameWidth + 2 + phraseWidth + 2 + 9
    if width + 2 + TerminalText.width(of: difference) <= TerminalLines.width {
      return heads + [line + "  " + difference]
    }
    return heads + [left + styled + "  " + p] + TerminalLines.wrap(difference, indent: 6)
  }

  private func mismatches(_ comparison: RunComparison) -> [String] {
    let shortened = ChangeText.shortened(comparison).map { TerminalLines.wrap($0, indent: 4) } ?? []
    return shortened
      + [
        (comparison.changedCases, "changed; cannot be compared"),
        (comparison.removedCases, "removed; cannot be compared"),
        (comparison.addedCases, "new; cannot be compared"),
        (comparison.changedScorers, "scorers changed; their metrics cannot be compared"),
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
    let count = TerminalFailures.count(all.count, "case", shown: shown.count)
    var lines = [style.bold("Different outcomes, \(count)")]
    for entry in shown {
      let marks = zip(letters, entry.outcomes).map { letter, outcome in
        switch outcome {
        case .passed: "\(letter) ✓"
        case .failed: "\(letter) ✗"
        case .unjudged, .lost, nil: "\(letter) ?"
        }
      }.joined(separator: "  ")
      let room = TerminalLines.width - 6 - TerminalText.width(of: marks)
      let name = TerminalLines.opening(entry.caseID)
      if room < max(Self.leastCaseWidth, TerminalText.width(of: name)) {
        lines += TerminalLines.wrap(entry.caseID, indent: 2) + TerminalLines.wrap(marks, indent: 4)
        continue
      }
      lines.append("  \(marks)  \(name)")
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
    if let alarms = result.falseAlarms.flatMap(CorrectionText.falseAlarms) {
      lines += TerminalLines.wrap(alarms, indent: 0).map(style.dim)
    }
    if let filtered = result.filteredPhrase {
      lines += TerminalLines.wrap("NO VERDICT: \(filtered)", indent: 0).map(style.warning)
    } else if let verdict = result.verdict {
      let reason = ComparisonHeadline(result).verdict
      let text = verdict.word.uppercased() + (reason.map { ": \($0)" } ?? "")
      lines += TerminalLines.wrap(text, indent: 0).map { style.verdict($0, verdict) }
    } else if result.comparisons.count == 1, let comparison = result.comparisons.first {
      let sentence = TradeoffText(comparison).answer
      lines += TerminalLines.wrap("\(word(comparison).0): \(sentence)", indent: 0).map(style.bold)
    }
    if writesReports {
      let folder = TerminalText.visible(overrides.path(ReportWriter.folder(of: result)))
      lines += TerminalLines.wrap(
        "Reports: \(folder)/compare.html, compare.md, compare.json",
        indent: 0
      )
    }
    if let next {
      lines += TerminalLines.wrap("Next: \(next.advice):", indent: 0)
      lines.append("  \(TerminalText.visible(next.command))")
    }
    return lines
  }
}
