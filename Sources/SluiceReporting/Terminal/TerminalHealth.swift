import SluiceGating

/// The health of suites for a terminal.
package struct TerminalHealth {
  private let reports: [SuiteHealthReport]
  private let style: TerminalStyle
  private let isVerbose: Bool
  private let page: String?
  /// The maximum number of listed cases of each kind.
  private static let shownCases = 10

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - reports: The suites.
  ///   - style: The colors of the terminal.
  ///   - isVerbose: True to also show columns, coverage and the figures of cases.
  ///   - page: The path of the HTML page, or `nil` if none was written.
  package init(
    _ reports: [SuiteHealthReport],
    style: TerminalStyle,
    isVerbose: Bool = false,
    page: String? = nil
  ) {
    self.reports = reports
    self.style = style
    self.isVerbose = isVerbose
    self.page = page
  }

  package var text: String {
    if reports.count > 1, !isVerbose {
      let summary = HealthText.summary(reports.map(\.health))
      let skipped = reports.flatMap { report in
        self.skipped(report.health).isEmpty
          ? []
          : TerminalLines.wrap("\(report.health.suite): \(skippedCount(report.health))", indent: 0)
      }
      let lines =
        TerminalLines.wrap(summary, indent: 0).map(style.bold) + [""] + table + [""]
        + (skipped.isEmpty ? [] : skipped.map(style.warning) + [""])
      return TerminalLines.text(TerminalLines.concluded(lines, conclusion) + next)
    }
    let lines = reports.flatMap { block($0) + [""] }
    return TerminalLines.text(TerminalLines.concluded(lines, conclusion) + next)
  }

  private var conclusion: [String] {
    TerminalLines.wrap(HealthText.conclusion(reports.map(\.health)), indent: 0).map(style.bold)
  }

  /// A table with a line for each suite.
  private var table: [String] {
    ScreenTable(
      [
        .init(title: "suite"), .init(title: "state"), .init(title: "fail", isNumber: true),
        .init(title: "cases", isNumber: true), .init(title: "loss shown", isNumber: true),
        .init(title: "gain shown", isNumber: true),
        .init(title: "doubtful", isNumber: true, isDispensable: true),
        .init(title: "column", isDispensable: true),
      ],
      reports.map { report in
        let health = report.health
        let room = health.headroom
        return [
          health.suite, HealthText.Standing(health).brief,
          room.map { "\($0.cases - $0.passing)" } ?? "", "\(health.cases.count)",
          room.map { $0.visibleLoss.map(NumberText.points) ?? "none" } ?? "",
          room.map { $0.visibleGain.map(NumberText.points) ?? "none" } ?? "",
          report.suspects.isEmpty ? "" : "\(report.suspects.count)",
          health.newest.map(HealthText.title) ?? "",
        ]
      },
      style
    ).lines
  }

  private func skippedCount(_ health: SuiteHealth) -> String {
    "\(TerminalLines.count(health.skippedLogs.count, "run log")) not usable, or only in part"
  }

  /// The next command, which shows suspect labels or one suite in full.
  private var next: [String] {
    (page.map { ["Report: \(TerminalText.visible($0))"] } ?? []) + step
  }

  private var step: [String] {
    func name(_ report: SuiteHealthReport) -> String {
      ShellText.quoted(SuiteName.short(report.health.path))
    }
    func lines(_ advice: String, _ command: String) -> [String] {
      ["Next: \(advice):", "  \(TerminalText.visible(command))"]
    }
    if let labels = HealthText.labels(reports) { return lines(labels.advice, labels.command) }
    guard !isVerbose, let first = reports.first else { return [] }
    // Without recordings, the command suggests to record answers.
    if reports.count == 1, HealthText.Standing(first.health) == .nothingRecorded { return [] }
    return reports.count > 1
      ? lines("see one suite in full", "sluice health \(name(first))")
      : lines("see all figures of the suite", "sluice health \(name(first)) --verbose")
  }

  private func block(_ report: SuiteHealthReport) -> [String] {
    let health = report.health
    var lines = head(health)
    lines += TerminalLines.wrap(HealthText.sentence(health), indent: 2)
    if let headroom = health.headroom {
      for (name, estimate) in [
        ("pass on all repeats", headroom.ceiling), ("fail on all repeats", headroom.floor),
      ] {
        let figure = ColumnResult.NamedEstimate(name: name, quantity: .rate, estimate: estimate)
        lines.append(TerminalLines.metric(figure, style))
      }
    }
    if !health.columns.isEmpty {
      lines.append(row("columns disagree on", HealthText.disagreements(health)))
      lines.append(
        row("fewer than \(SuiteHealth.leastCases) cases", HealthText.small(health))
      )
      lines.append(
        row(
          "difficulty, discrimination",
          HealthText.tooFew(health) ?? health.items.map(HealthText.items) ?? ""
        )
      )
    }
    lines += suspects(report)
    lines += skipped(health)
    // A single suite leaves enough space for its disagreements.
    if isVerbose || reports.count == 1 { lines += disagreements(health) }
    if isVerbose { lines += columns(health) + coverage(health) + items(health) }
    return lines
  }

  private func row(_ name: String, _ text: String) -> String {
    TerminalLines.wrappedRow(name, text)
  }

  /// Returns an entry of a list: a name with a text.
  private func entry(_ name: String, _ text: String) -> String {
    row("  \(TerminalLines.opening(name))", text)
  }

  private func head(_ health: SuiteHealth) -> [String] {
    let standing = HealthText.Standing(health)
    let word = standing.word.uppercased()
    var detail = health.newest.map(HealthText.title) ?? health.prompt
    let (answered, all) = (health.newest?.answered ?? health.cases.count, health.cases.count)
    detail += " · \(answered < all ? "\(answered) of " : "")\(TerminalLines.count(all, "case"))"
    detail = TerminalText.visible(detail)
    let painted =
      switch standing {
      // Saturation lasts; only missing answers of a model ask for action.
      case .open, .saturated, .nearlySaturated: style.bold(word)
      case .noRealColumn, .nothingRecorded: style.warning(word)
      }
    let name = TerminalLines.opening(health.suite)
    let width = word.count + 4 + TerminalText.width(of: name) + TerminalText.width(of: detail)
    if width <= TerminalLines.width {
      return [painted + "  " + style.bold(name) + "  " + style.dim(detail)]
    }
    let indent = word.count + 2
    let names = TerminalLines.wrap(health.suite, indent: indent)
    return [painted + "  " + style.bold(String(names[0].dropFirst(indent)))]
      + names.dropFirst().map(style.bold) + TerminalLines.wrap(detail, indent: 2).map(style.dim)
  }

  private func suspects(_ report: SuiteHealthReport) -> [String] {
    if report.suspects.isEmpty { return [] }
    return [row("doubtful labels", TerminalLines.count(report.suspects.count, "label"))]
  }

  private func skipped(_ health: SuiteHealth) -> [String] {
    if health.skippedLogs.isEmpty { return [] }
    let shown = isVerbose ? health.skippedLogs[...] : health.skippedLogs.prefix(3)
    var lines = TerminalLines.wrap("\(skippedCount(health)):", indent: 2)
      .map(style.warning)
    lines += shown.flatMap { TerminalLines.wrap("\($0.name): \($0.reason)", indent: 4) }
    let more = health.skippedLogs.count - shown.count
    return more > 0 ? lines + ["    and \(more) more"] : lines
  }

  // MARK: Cases

  private func disagreements(_ health: SuiteHealth) -> [String] {
    let all = health.disagreements
    if all.isEmpty { return [] }
    let more = all.count > Self.shownCases ? ", the first \(Self.shownCases) of \(all.count)" : ""
    var lines = ["  \(style.dim("cases on which columns disagree\(more):"))"]
    for entry in all.prefix(Self.shownCases) {
      lines += TerminalLines.wrap(health.cases[entry.testCase].id, indent: 4)
      for (word, places) in [("pass", entry.passing), ("fail", entry.failing)] {
        let names = places.prefix(4).map { health.columns[$0].name }.joined(separator: ", ")
        let rest = places.count > 4 ? " and \(places.count - 4) more" : ""
        lines += TerminalLines.wrap("\(word): \(names)\(rest)", indent: 6)
      }
    }
    return lines
  }

  private func columns(_ health: SuiteHealth) -> [String] {
    if health.columns.isEmpty { return [] }
    return ["  \(style.dim("columns"))"]
      + health.columns.map { column in
        let share = column.headroom?.ceiling.value.map {
          "\(NumberText.text($0, .rate)) of \(column.answered)"
        }
        let standIns = column.standIns.map { "\($0), a stand-in" }
        let text = [
          column.origin == .live ? "live" : nil, column.day, share ?? "not judged",
          (column.models + standIns).joined(separator: ", "),
        ].compactMap(\.self).joined(separator: " · ")
        return entry(column.name, text)
      }
  }

  private func coverage(_ health: SuiteHealth) -> [String] {
    func lines(_ title: String, _ groups: [SuiteHealth.Group]) -> [String] {
      if groups.isEmpty { return [] }
      return ["  \(style.dim(title))"]
        + groups.map { group in
          var parts = [TerminalLines.count(group.cases, "case")]
          if group.answered < group.cases { parts.append("\(group.answered) answered") }
          if group.answered > 0 { parts.append("\(group.failing) failing") }
          if group.isSmall { parts.append("too few cases") }
          return entry(group.name, parts.joined(separator: ", "))
        }
    }
    return lines("classes", health.classes) + lines("tags", health.tags)
  }

  private func items(_ health: SuiteHealth) -> [String] {
    guard let items = health.items else { return [] }
    func text(_ number: Double?) -> String {
      number.map { NumberText.text($0, .number) } ?? "none"
    }
    let worst = health.cases.indices.sorted {
      (items.discrimination[$0] ?? 2, $0) < (items.discrimination[$1] ?? 2, $1)
    }.prefix(Self.shownCases).filter { items.discrimination[$0] != nil }
    var lines = ["  \(style.dim("cases that separate columns least, with discrimination"))"]
    lines += worst.map { place in
      let difficulty = items.difficulty[place].map { NumberText.text($0, .rate) } ?? "unknown"
      return entry(
        health.cases[place].id,
        "\(text(items.discrimination[place])), passed by \(difficulty) of columns"
      )
    }
    if items.redundant.isEmpty { return lines }
    lines.append("  \(style.dim("groups of redundant cases"))")
    return lines
      + items.redundant.prefix(Self.shownCases).flatMap { group in
        let names = group.prefix(Self.shownCases).map { health.cases[$0].id }
        let more = group.count > names.count ? " and \(group.count - names.count) more" : ""
        return TerminalLines.wrap(names.joined(separator: ", ") + more, indent: 4)
      }
  }

  // MARK: Suspects

  /// Returns the questions of suspect cases.
  ///
  /// Labels and answers are hidden unless `isRevealed` is true, so that they do not influence the
  /// person who reviews the cases.
  ///
  /// - Parameters:
  ///   - reports: The suites.
  ///   - style: The colors of the terminal.
  ///   - isRevealed: True to also show ids, labels and answers.
  /// - Returns: The text.
  package static func suspects(
    _ reports: [SuiteHealthReport],
    style: TerminalStyle,
    isRevealed: Bool
  ) -> String {
    let width = TerminalLines.width
    let fields = CaseFields(style)
    var lines: [ScreenLine] = []
    for report in reports {
      let count = report.suspects.count
      let name = TerminalLines.opening(report.health.suite)
      let labels = count == 0 ? "no doubtful label" : TerminalLines.count(count, "doubtful label")
      lines += [ScreenLine(name, style.bold) + ScreenLine("  \(labels)", style.dim), .empty]
      for (index, entry) in report.suspects.enumerated() {
        let id = isRevealed ? "  \(TerminalText.visible(entry.view.id))" : ""
        let title = TerminalText.cut("\(index + 1) of \(count)\(id)", to: width)
        lines.append(ScreenLine(title, style.bold))
        lines += fields.fields("question", entry.view.question, most: nil, width: width)
        if isRevealed {
          lines += fields.fields("label", entry.view.expected, most: nil, width: width)
          for (column, text) in report.answers(to: entry.suspect) {
            let who = column.origin == .ratings ? column.backend : column.name
            lines += fields.fields("answer", [CaseView.Field(who, text)], most: 40, width: width)
          }
        }
        lines.append(.empty)
      }
    }
    let hasAny = reports.contains { !$0.suspects.isEmpty }
    if hasAny, !isRevealed {
      lines.append(
        ScreenLine("Labels and answers are hidden. To see them, add --reveal.", style.dim)
      )
    }
    return TerminalLines.text(lines.map(\.text))
  }
}
