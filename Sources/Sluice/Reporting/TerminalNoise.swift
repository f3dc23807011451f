/// What gates do when nothing changed, for a terminal of 80 columns.
package struct TerminalNoise {
  private let reports: [NoiseReport]
  private let style: TerminalStyle
  private static let shownCases = 5

  package init(_ reports: [NoiseReport], style: TerminalStyle) {
    self.reports = reports
    self.style = style
  }

  package var text: String {
    reports.flatMap { block($0) + [""] }.map { $0 + "\n" }.joined()
  }

  private func block(_ report: NoiseReport) -> [String] {
    let detail =
      "\(report.prompt) on \(report.backend) · \(TerminalLines.count(report.caseCount, "case"))"
      + " × \(TerminalLines.count(report.answers, "answer"))"
    var lines = [
      "\(style.bold(TerminalLines.opening(report.suite)))  "
        + style.dim(TerminalText.visible(detail))
    ]
    if report.lost > 0 {
      lines += TerminalLines.wrap(
        "\(TerminalLines.count(report.lost, "trial")) lost, and left out",
        indent: 2
      ).map(style.warning)
    }
    lines.append("  against itself: \(itself(report))")
    guard let discordance = report.discordance else {
      return lines
        + TerminalLines.wrap(
          "one answer to each request tells nothing about noise; record more of them:",
          indent: 2
        ) + ["    sluice record \(ShellText.quoted(report.suite)) --repeat 5"]
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
      lines.append(
        "      passes \(share(gate.passed, report.draws)), fails \(alarm), "
          + "inconclusive \(share(gate.inconclusive, report.draws))"
      )
    }
    let interval = Wilson.interval(successes: report.anyFailed, of: max(1, report.draws))
    lines.append(
      "  false-alarm rate of the suite: \(share(report.anyFailed, report.draws)) "
        + NumberText.text(interval, .rate)
    )
    return lines
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
