import SluiceGating

/// The output of `sluice noise`, for a terminal: the decisions of gates when nothing changed.
package struct TerminalNoise {
  private let reports: [NoiseReport]
  private let style: TerminalStyle
  private let overrides: CommandLineOverrides
  private static let shownCases = 5

  private let isVerbose: Bool

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - reports: The reports, one for each prompt and backend of a suite.
  ///   - style: The colors of the terminal.
  ///   - overrides: The command line's overrides, which suggested commands repeat.
  ///   - isVerbose: True to show every suite in full.
  package init(
    _ reports: [NoiseReport],
    style: TerminalStyle,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    isVerbose: Bool = false
  ) {
    self.reports = reports
    self.style = style
    self.overrides = overrides
    self.isVerbose = isVerbose
  }

  package var text: String {
    var lines: [String] = []
    if reports.count > 1, !isVerbose {
      lines += TerminalLines.wrap(summary, indent: 0).map(style.bold) + [""] + table + [""]
      lines += lost
    } else {
      for report in reports { lines += block(report) + [""] }
    }
    return TerminalLines.text(TerminalLines.concluded(lines, conclusion) + next)
  }

  /// The first line again, below the figures.
  private var conclusion: [String] {
    guard reports.count == 1, let report = reports.first else {
      return TerminalLines.wrap(summary, indent: 0).map(style.bold)
    }
    let alarms =
      report.discordance == nil
      ? "" : ", \(share(report.anyFailed, report.draws)) false alarms"
    return [style.bold("\(Self.word(report))\(alarms)")]
  }

  private static func word(_ report: NoiseReport) -> String {
    report.discordance.map { "NOISE \(NumberText.text($0, .rate))" } ?? "NOISE UNKNOWN"
  }

  // MARK: Several suites

  /// The reports with enough answers to measure noise.
  private var measured: [NoiseReport] { reports.filter { $0.discordance != nil } }

  private var summary: String {
    let suites = TerminalLines.count(reports.count, "suite")
    if measured.isEmpty { return "Noise unknown: no request of \(suites) has more than one answer" }
    let worst = measured.max { ($0.discordance ?? 0) < ($1.discordance ?? 0) }
    let most = worst.map {
      "at most \(NumberText.text($0.discordance ?? 0, .rate)) of the cases of a suite get another "
        + "outcome when asked again (\($0.suite))"
    }
    return "\(measured.count) of \(suites) have several answers to a request; \(most ?? "")"
  }

  private var table: [String] {
    ScreenTable(
      [
        .init(title: "suite"), .init(title: "cases", isNumber: true, isDispensable: true),
        .init(title: "answers", isNumber: true), .init(title: "other outcome", isNumber: true),
        .init(title: "flaky", isNumber: true), .init(title: "false alarms", isNumber: true),
        .init(title: "prompt on backend", isDispensable: true),
      ],
      reports.map { report in
        let isKnown = report.discordance != nil
        return [
          report.suite, "\(report.caseCount)", "\(report.answers)",
          report.discordance.map { NumberText.text($0, .rate) } ?? "unknown",
          isKnown ? "\(report.flaky.count)" : "",
          isKnown ? share(report.anyFailed, report.draws) : "",
          "\(report.prompt) on \(report.backend)",
        ]
      },
      style
    ).lines
  }

  private var lost: [String] {
    let all = reports.filter { $0.lost > 0 }
    if all.isEmpty { return [] }
    return all.flatMap {
      TerminalLines.wrap(
        "\($0.suite): \(TerminalLines.count($0.lost, "trial")) lost and not counted",
        indent: 0
      )
    }.map(style.warning) + [""]
  }

  /// The next command, which records more answers or shows a flaky case.
  private var next: [String] {
    func step(_ advice: String, _ command: String) -> [String] {
      ["Next: \(advice):", "  \(command)"]
    }
    // Show a case of the suite with the most flaky cases.
    if let report = measured.max(by: { $0.flaky.count < $1.flaky.count }),
      let flaky = report.flaky.max(by: { ($0.doubt, $1.caseID) < ($1.doubt, $0.caseID) }),
      !flaky.caseID.hasPrefix("-")
    {
      let options = CommandLineOverrides(
        prompts: overrides.prompts,
        backends: overrides.backends,
        repetitions: report.answers
      ).options
      let command =
        "sluice show \(ShellText.quoted(flaky.caseID)) --suite \(ShellText.quoted(report.suite))\(options)"
      return step("read the answers to a flaky case", TerminalText.visible(command))
    }
    if let report = reports.first(where: { $0.discordance == nil }) {
      return step("record several answers to each request (this sends requests)", recording(report))
    }
    return []
  }

  // MARK: One suite

  /// Returns the text of a report: first the noise and the false alarms, then the gates.
  private func block(_ report: NoiseReport) -> [String] {
    let detail =
      "\(report.prompt) on \(report.backend) · \(TerminalLines.count(report.caseCount, "case"))"
      + " × \(TerminalLines.count(report.answers, "answer"))"
    let word = Self.word(report)
    let name = TerminalLines.opening(report.suite)
    let width =
      word.count + 4 + TerminalText.width(of: name)
      + TerminalText.width(of: TerminalText.visible(detail))
    let indent = word.count + 2
    let names = TerminalLines.wrap(report.suite, indent: indent)
    var lines =
      width <= TerminalLines.width
      ? ["\(style.bold(word))  \(style.bold(name))  \(style.dim(TerminalText.visible(detail)))"]
      : [style.bold(word) + "  " + style.bold(String(names[0].dropFirst(indent)))]
        + names.dropFirst().map(style.bold) + TerminalLines.wrap(detail, indent: 2).map(style.dim)
    if report.lost > 0 {
      lines += TerminalLines.wrap(
        "\(TerminalLines.count(report.lost, "trial")) lost and not counted",
        indent: 2
      ).map(style.warning)
    }
    lines += TerminalLines.wrap("against itself: \(itself(report))", indent: 2)
    guard let discordance = report.discordance else {
      return lines
        + TerminalLines.wrap("noise cannot be measured with one answer per request", indent: 2)
    }
    lines += TerminalLines.wrap(
      "two answers to the same request have different outcomes for "
        + "\(NumberText.text(discordance, .rate)) of the cases",
      indent: 2
    )
    if let all = report.allPass, let any = report.anyPasses {
      lines += TerminalLines.wrap(
        "all \(report.answers) answers pass for \(NumberText.text(all, .rate)) of the cases, at "
          + "least one for \(NumberText.text(any, .rate))",
        indent: 2
      )
    }
    if let variance = report.variance, let error = variance.standardError,
      let one = variance.standardError(repeats: 1)
    {
      lines += TerminalLines.wrap(
        "accuracy \(NumberText.text(variance.mean, .rate)), standard error "
          + "\(NumberText.points(error)); with one answer per case \(NumberText.points(one))",
        indent: 2
      )
    }
    let flaky = report.flaky.sorted { ($0.doubt, $1.caseID) > ($1.doubt, $0.caseID) }
    if !flaky.isEmpty {
      var text = flaky.prefix(Self.shownCases)
        .map { "\($0.caseID) (\($0.passed) of \($0.of) passed)" }.joined(separator: ", ")
      if flaky.count > Self.shownCases { text += " and \(flaky.count - Self.shownCases) more" }
      lines += TerminalLines.wrap(
        "\(TerminalLines.count(flaky.count, "flaky case")): \(text)",
        indent: 2
      )
    }
    lines += TerminalLines.wrap(
      "in \(report.draws) pairs of runs drawn from these answers:",
      indent: 2
    ).map(style.dim)
    for gate in report.gates {
      let alarm = share(gate.failed, report.draws)
      lines += TerminalLines.wrap(gate.condition.text, indent: 4)
      if gate.condition.isLive {
        lines.append("      decided only on live answers")
        continue
      }
      lines.append(
        "      passes \(share(gate.passed, report.draws)), fails \(alarm), "
          + "inconclusive \(share(gate.inconclusive, report.draws))"
      )
    }
    guard report.itself.contains(where: { $0.change != nil }) else { return lines }
    let interval = Wilson.interval(successes: report.anyFailed, of: max(1, report.draws))
    return lines
      + TerminalLines.wrap(
        "false-alarm rate of all regression gates together: "
          + "\(share(report.anyFailed, report.draws)) \(NumberText.text(interval, .rate))",
        indent: 2
      )
  }

  /// Returns the command that records enough answers to compare pairs of runs.
  private func recording(_ report: NoiseReport) -> String {
    let options = CommandLineOverrides(
      prompts: overrides.prompts,
      backends: overrides.backends,
      repetitions: max(5, 2 * report.repetitions)
    ).options
    return "sluice record \(ShellText.quoted(report.suite))\(TerminalText.visible(options))"
  }

  private func itself(_ report: NoiseReport) -> String {
    let compared = report.itself.filter { $0.change != nil }
    if compared.isEmpty { return "no gate compares with the baseline" }
    let odd = compared.filter { $0.reason != .identical }
    return odd.isEmpty
      ? "all runs are identical, so every regression gate passes"
      : odd.map { "\($0.condition.text): \($0.verdict.word)" }.joined(separator: ", ")
  }

  private func share(_ count: Int, _ total: Int) -> String {
    NumberText.text(Double(count) / Double(max(1, total)), .rate)
  }
}

extension ColumnResult.FlakyCase {
  /// A measure of how flaky the case is: highest if it passes as often as it fails.
  fileprivate var doubt: Double {
    let share = Double(passed) / Double(of)
    return share * (1 - share)
  }
}
