import SluiceGating

/// What gates do when nothing changed, for a terminal of 80 columns.
package struct TerminalNoise {
  private let reports: [NoiseReport]
  private let style: TerminalStyle
  private let trying: CommandLineOverrides
  private static let shownCases = 5
  private static let suiteWidth = 30

  package init(
    _ reports: [NoiseReport],
    style: TerminalStyle,
    trying: CommandLineOverrides = CommandLineOverrides()
  ) {
    self.reports = reports
    self.style = style
    self.trying = trying
  }

  package var text: String {
    reports.flatMap { block($0) + [""] }.map { $0 + "\n" }.joined()
  }

  private func block(_ report: NoiseReport) -> [String] {
    let size =
      " · \(TerminalLines.count(report.caseCount, "case"))"
      + " × \(TerminalLines.count(report.answers, "answer"))"
    let suite = TerminalText.cut(TerminalLines.opening(report.suite), to: Self.suiteWidth)
    let room =
      TerminalLines.width - 2 - TerminalText.width(of: suite) - TerminalText.width(of: size)
    let column = TerminalText.visible("\(report.prompt) on \(report.backend)")
    var lines = [
      "\(style.bold(suite))  " + style.dim(TerminalText.cut(column, to: room) + size)
    ]
    if report.lost > 0 {
      lines += TerminalLines.wrap(
        "\(TerminalLines.count(report.lost, "trial")) lost, and left out",
        indent: 2
      ).map(style.warning)
    }
    lines += TerminalLines.wrap("against itself: \(itself(report))", indent: 2)
    guard let discordance = report.discordance else {
      return lines
        + TerminalLines.wrap(
          "one answer to each request tells nothing about noise; record more of them:",
          indent: 2
        ) + ["    \(recording(report))"]
    }
    lines.append(
      "  two answers to one request end differently for "
        + "\(NumberText.text(discordance, .rate)) of the cases"
    )
    if let all = report.allPass, let any = report.anyPasses {
      lines.append(
        "  all \(report.answers) answers pass for \(NumberText.text(all, .rate)) of them, "
          + "at least one for \(NumberText.text(any, .rate))"
      )
    }
    if let variance = report.variance, let error = variance.standardError,
      let one = variance.standardError(repeats: 1)
    {
      lines.append(
        "  accuracy \(NumberText.text(variance.mean, .rate)), standard error "
          + "\(NumberText.points(error)); with one answer a case \(NumberText.points(one))"
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
      "of \(report.draws) pairs of runs drawn from these answers:",
      indent: 2
    ).map(style.dim)
    for gate in report.gates {
      let alarm = share(gate.failed, report.draws)
      lines += TerminalLines.wrap(gate.condition.text, indent: 4)
      if gate.condition.isLive {
        lines.append("      decided on live answers alone")
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
        "false-alarm rate of the gates that compare, together: "
          + "\(share(report.anyFailed, report.draws)) \(NumberText.text(interval, .rate))",
        indent: 2
      )
  }

  /// The command that records enough answers for pairs of runs.
  private func recording(_ report: NoiseReport) -> String {
    let options = CommandLineOverrides(
      prompts: trying.prompts,
      backends: trying.backends,
      repetitions: max(5, 2 * report.repetitions)
    ).options
    return "sluice record \(ShellText.quoted(report.suite))\(TerminalText.visible(options))"
  }

  private func itself(_ report: NoiseReport) -> String {
    let compared = report.itself.filter { $0.change != nil }
    if compared.isEmpty { return "no gate compares with the baseline" }
    let odd = compared.filter { $0.reason != .identical }
    return odd.isEmpty
      ? "identical, every regression gate passes"
      : odd.map { "\($0.condition.text): \($0.verdict.word)" }.joined(separator: ", ")
  }

  private func share(_ count: Int, _ total: Int) -> String {
    NumberText.text(Double(count) / Double(max(1, total)), .rate)
  }
}

extension ColumnResult.FlakyCase {
  /// How far the case is from ending alike: most for as many passes as failures.
  fileprivate var doubt: Double {
    let share = Double(passed) / Double(of)
    return share * (1 - share)
  }
}
