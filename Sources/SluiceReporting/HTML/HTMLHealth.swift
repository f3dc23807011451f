import SluiceGating

/// `health.html`: the health of suites for people, as an HTML page.
///
/// This type also makes the section on health in `report.html`.
package struct HTMLHealth {
  private let reports: [SuiteHealthReport]

  package init(_ reports: [SuiteHealthReport]) { self.reports = reports }

  package func write(to sink: inout FileSink) throws(FileError) {
    try HTMLPage(
      title: "Sluice: health",
      head: HTMLPage.head(
        title,
        reason: reason,
        facts: facts,
        next: HealthText.labels(reports),
        notes: [],
        warnings: []
      ),
      sections: sections
    ).write(to: &sink)
  }

  private var standings: [HealthText.Standing] {
    reports.map { HealthText.Standing($0.health) }
  }

  /// The title: the number of saturated suites, which cannot show a gain anymore, with a sign.
  private var title: String {
    let full = standings.count { $0 == .saturated }
    let text: String
    if reports.count == 1, let only = reports.first {
      text = "\(only.health.suite): \(standings[0].word)"
    } else if full == 0 {
      text = reports.isEmpty ? "No suite" : "No suite is saturated"
    } else {
      text =
        "\(full) of \(TerminalLines.count(reports.count, "suite")) \(full == 1 ? "is" : "are") saturated"
    }
    let looks = standings.map(Self.look)
    let look: Verdict =
      full > 0
      ? .notEvaluated : [.inconclusive, .notEvaluated].first(where: looks.contains) ?? .pass
    return HTMLText.verdict(look, text: text)
  }

  /// A sentence or two that explain the title.
  private var reason: String {
    if reports.count == 1, let only = reports.first {
      return VerdictText.sentence(HealthText.sentence(only.health))
    }
    let kinds: [(HealthText.Standing, String)] = [
      (.saturated, "all cases pass, so they can show losses but no gains"),
      (.nearlySaturated, "nearly saturated"),
      (
        .noRealColumn,
        "without judged answers from a model"
      ),
      (.nothingRecorded, "without recorded answers"),
      (
        .open,
        "not saturated"
      ),
    ]
    let parts = kinds.compactMap { standing, words -> String? in
      let count = standings.count { $0 == standing }
      if count == 0 { return nil }
      return standing == .saturated
        ? "In \(TerminalLines.count(count, "suite")), \(words)"
        : "\(count) \(words)"
    }
    if parts.isEmpty { return "" }
    let gains = reports.count { $0.health.headroom?.visibleGain != nil }
    let shown = gains == 0 ? "No suite" : TerminalLines.count(gains, "suite")
    return parts.joined(separator: "; ") + ". \(shown) can show a gain."
  }

  private var facts: [String] {
    let cases = reports.reduce(0) { $0 + $1.health.cases.count }
    let days = reports.compactMap { $0.health.newest?.day }.sorted()
    let range = days.last.map { days.first == $0 ? $0 : "\(days[0]) to \($0)" }
    return [
      TerminalLines.count(reports.count, "suite"), "\(cases.withThousands) cases",
      range.map { "newest answers of \($0)" },
    ].compactMap(\.self)
  }

  private static let note =
    "A suite is saturated if all cases of its own prompt pass in the newest answers of a model. "
    + "It is nearly saturated if more than \(NumberText.text(Headroom.nearly, .rate)) of the "
    + "cases pass. The losses and gains shown here are found four times out of five (one-sided "
    + "5%) if all cases that flip do so in one direction."

  /// Returns the section for a run's page; empty if no model answered.
  static func sections(of suites: [SuiteResult]) -> [HTMLPage.Section] {
    let measured = suites.filter { suite in suite.columns.contains { $0.headroom != nil } }
    if measured.isEmpty { return [] }
    let blocks = measured.map { suite in
      let health = SuiteHealth(suite)
      return details(health.suite, HealthText.Standing(health).word, room(health))
    }
    return [
      HTMLPage.Section(
        id: "health",
        title: "What the cases can still show",
        body: "<p class=\"quiet small\">\(HTMLText.escaped(note))</p>\n\(blocks.joined())"
      )
    ]
  }

  private var sections: [HTMLPage.Section] {
    if reports.isEmpty { return [] }
    return [
      HTMLPage.Section(
        id: "suites",
        title: "What the cases can still show",
        place: "Suites",
        body: rows + Self.legend
      ),
      HTMLPage.Section(
        id: "notes",
        title: "Notes",
        body: "<ul class=\"notes\"><li>\(HTMLText.escaped(Self.note))</li></ul>\n"
      ),
    ]
  }

  /// A collapsible block for each suite, the most saturated first.
  ///
  /// The block of a single suite is open.
  private var rows: String {
    let order: [HealthText.Standing] = [
      .saturated, .nearlySaturated, .noRealColumn, .nothingRecorded, .open,
    ]
    let standings = standings
    let places = reports.indices.sorted { first, second in
      let ranks = [first, second].map { order.firstIndex(of: standings[$0]) ?? order.count }
      return (ranks[0], first) < (ranks[1], second)
    }
    return places.map { row(reports[$0], isOpen: reports.count == 1) }.joined()
  }

  /// The look of a standing.
  ///
  /// Saturation lasts, so it is gray; only missing answers of a model ask for action.
  private static func look(_ standing: HealthText.Standing) -> Verdict {
    switch standing {
    case .open: .pass
    case .saturated, .nearlySaturated: .notEvaluated
    case .noRealColumn, .nothingRecorded: .inconclusive
    }
  }

  private func row(_ report: SuiteHealthReport, isOpen: Bool) -> String {
    let health = report.health
    let standing = HealthText.Standing(health)
    let ceiling = health.headroom?.ceiling
    var facts: [String] = []
    if let room = health.headroom {
      facts.append(room.visibleLoss.map { "loss from \(NumberText.points($0))" } ?? "no loss")
      facts.append(room.visibleGain.map { "gain from \(NumberText.points($0))" } ?? "no gain")
    }
    if !report.suspects.isEmpty {
      facts.append(TerminalLines.count(report.suspects.count, "doubtful label"))
    }
    let value = ceiling.map { HTMLText.escaped(NumberText.text($0, .rate)) } ?? ""
    return """
      <details class="suite health"\(isOpen ? " open" : "")><summary>\
      <span>\(HTMLText.verdict(Self.look(standing), text: standing.brief))</span>\
      <span class="name">\(HTMLText.escaped(health.suite))</span>\
      <span class="quiet">\(HTMLText.escaped(health.newest.map(HealthText.title) ?? ""))</span>\
      <span>\(ceiling.map { HTMLPlot.share($0) } ?? "")</span>\
      <span class="num">\(value)</span>\
      <span class="num quiet facts-line">\(HTMLText.escaped(facts.joined(separator: " · ")))</span></summary>
      <div class="body">
      \(Self.body(report))</div></details>

      """
  }

  /// The legend of the pictures.
  private static let legend = """
    <p class="legend small quiet"><span>● cases that pass on all repeats, from 0 to 100%</span>\
    <span>├─┤ 95% interval</span></p>

    """

  // MARK: A suite

  private static func body(_ report: SuiteHealthReport) -> String {
    let health = report.health
    var text = room(health)
    if !health.columns.isEmpty {
      text += details("Columns", "\(health.columns.count)", columns(health))
    }
    let disagreements = health.disagreements
    if !disagreements.isEmpty {
      text += details(
        "Cases on which columns disagree",
        HealthText.disagreements(health),
        table(
          ["Case", "Pass", "Fail"],
          disagreements.map { entry in
            [health.cases[entry.testCase].id]
              + [entry.passing, entry.failing].map { places in
                places.map { health.columns[$0].name }.joined(separator: ", ")
              }
          }
        )
      )
    }
    text += items(health)
    if !report.suspects.isEmpty {
      let count = TerminalLines.count(report.suspects.count, "label")
      let name = ShellText.quoted(SuiteName.short(health.path))
      text +=
        "<p>\(count) may be wrong. To review with labels and answers hidden: "
        + "<code>\(HTMLText.escaped("sluice health \(name) --suspects"))</code></p>\n"
    }
    let logs = health.skippedLogs.map { "\($0.name): \($0.reason)" }
    if logs.isEmpty { return text }
    return text
      + details(
        "Run logs that cannot be used, or only in part",
        "\(logs.count)",
        "<ul>\(logs.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>\n"
      )
  }

  /// Returns the figures that the page of a run also shows: ceiling, floor, visible changes and
  /// coverage.
  private static func room(_ health: SuiteHealth) -> String {
    let sentence = HealthText.sentence(health)
    var text =
      "<p>\(HTMLText.escaped(sentence.prefix(1).uppercased() + sentence.dropFirst())).</p>\n"
    if let column = health.newest, let headroom = column.headroom {
      text += "<p class=\"quiet small\">\(HTMLText.escaped(HealthText.title(column)))</p>\n"
      text += HTMLFigures.table([
        .init(name: "pass on all repeats", quantity: .rate, estimate: headroom.ceiling),
        .init(name: "fail on all repeats", quantity: .rate, estimate: headroom.floor),
      ])
    }
    for (title, groups) in [("Classes", health.classes), ("Tags", health.tags)]
    where !groups.isEmpty {
      let small = groups.count(where: \.isSmall)
      text += details(
        title,
        "\(groups.count), \(small) with fewer than \(SuiteHealth.leastCases) cases",
        table(
          ["Name", "Cases", "Answered", "Failing", "Note"],
          groups.map {
            [
              $0.name, "\($0.cases)", "\($0.answered)", "\($0.failing)",
              $0.isSmall ? "too few cases" : "",
            ]
          }
        )
      )
    }
    return text
  }

  private static func columns(_ health: SuiteHealth) -> String {
    table(
      ["Column", "Answered by", "Day", "Pass on all repeats", "n"],
      health.columns.map { column in
        [
          column.name + (column.origin == .live ? ", live" : ""),
          (column.models + column.standIns.map { "\($0), a stand-in" }).joined(separator: ", "),
          column.day ?? "unknown",
          column.headroom.map { NumberText.text($0.ceiling, .rate) } ?? "not judged",
          "\(column.answered)",
        ]
      }
    )
  }

  private static func items(_ health: SuiteHealth) -> String {
    guard let items = health.items else {
      let why = HealthText.tooFew(health) ?? ""
      return "<p class=\"quiet small\">Difficulty, discrimination and redundancy: "
        + "\(HTMLText.escaped(why)).</p>\n"
    }
    let redundant = items.redundant.map { group in
      group.map { health.cases[$0].id }.joined(separator: ", ")
    }
    return details(
      "Difficulty and discrimination",
      HealthText.items(items),
      table(
        ["Case", "Columns that pass", "Item-rest correlation"],
        health.cases.indices.map { place in
          [
            health.cases[place].id,
            items.difficulty[place].map { NumberText.text($0, .rate) } ?? "unknown",
            items.discrimination[place].map { NumberText.text($0, .number) } ?? "none",
          ]
        }
      )
    )
      + (redundant.isEmpty
        ? ""
        : details(
          "Groups of redundant cases",
          TerminalLines.count(redundant.count, "group"),
          "<ul>\(redundant.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>\n"
        ))
  }

  // MARK: Markup

  private static func details(_ title: String, _ facts: String, _ body: String) -> String {
    "<details><summary><span class=\"name\">\(HTMLText.escaped(title))</span>"
      + "<span class=\"quiet\">\(HTMLText.escaped(facts))</span></summary>"
      + "<div class=\"body\">\(body)</div></details>\n"
  }

  private static func table(_ heads: [String], _ rows: [[String]]) -> String {
    let head = heads.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
    let body = rows.map { row in
      "<tr>"
        + zip(heads, row).enumerated().map { place, cell in
          place == 0
            ? "<th scope=\"row\">\(HTMLText.escaped(cell.1))</th>"
            : "<td data-label=\"\(HTMLText.escaped(cell.0))\">\(HTMLText.escaped(cell.1))</td>"
        }.joined() + "</tr>"
    }.joined()
    return "<div class=\"scroll\"><table class=\"stack\"><thead><tr>\(head)</tr></thead>"
      + "<tbody>\(body)</tbody></table></div>\n"
  }
}
