import SluiceGating

/// `health.html`: the health of suites for people, in one file; and its part of `report.html`.
package struct HTMLHealth {
  private let reports: [SuiteHealthReport]

  package init(_ reports: [SuiteHealthReport]) { self.reports = reports }

  package func write(to sink: inout FileSink) throws(FileError) {
    try HTMLPage(
      title: "Sluice: health",
      head: HTMLPage.head(
        "Health",
        reason: "\(HealthText.summary(reports.map(\.health))).",
        notes: [Self.note],
        warnings: []
      ),
      sections: sections
    ).write(to: &sink)
  }

  private static let note =
    "A suite is saturated when no case of its own prompt fails in the newest answers of a model, and "
    + "nearly saturated when more than \(NumberText.text(Headroom.nearly, .rate)) of the cases pass. "
    + "Visible changes are found four times of five (one-sided 5%) if all cases that flip do so in "
    + "one direction."

  /// Returns the part of a run's page; empty if no model answered.
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
    let suites = reports.enumerated().map { index, report in
      HTMLPage.Section(
        id: Self.id(index),
        title: "\(report.health.suite): \(HealthText.Standing(report.health).word)",
        body: Self.body(report)
      )
    }
    if suites.count < 2 { return suites }
    return [HTMLPage.Section(id: "overview", title: "Overview", body: overview)] + suites
  }

  private static func id(_ index: Int) -> String { "suite-\(index + 1)" }

  private var overview: String {
    let rows = reports.enumerated().map { index, report in
      let health = report.health
      func points(_ change: Double?) -> String { change.map(NumberText.points) ?? "none" }
      let cells =
        health.headroom.map { headroom in
          [
            NumberText.text(headroom.ceiling, .rate), "\(headroom.cases)",
            points(headroom.visibleLoss), points(headroom.visibleGain),
          ]
        } ?? ["unknown", "0", "unknown", "unknown"]
      return "<tr><th scope=\"row\"><a href=\"#\(Self.id(index))\">"
        + "\(HTMLText.escaped(health.suite))</a></th>"
        + "<td>\(HealthText.Standing(health).word)</td>"
        + cells.map { "<td class=\"num\">\(HTMLText.escaped($0))</td>" }.joined() + "</tr>"
    }
    let heads = ["Pass on all repeats", "n", "Visible loss", "Visible gain"]
    return "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Suite</th>"
      + "<th scope=\"col\">Standing</th>"
      + heads.map { "<th scope=\"col\" class=\"num\">\($0)</th>" }.joined()
      + "</tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
  }

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
        "<p>\(count) may be wrong. Judge without seeing the labels: "
        + "<code>\(HTMLText.escaped("sluice health \(name) --suspects"))</code></p>\n"
    }
    let logs = health.skippedLogs.map { "\($0.name): \($0.reason)" }
    if logs.isEmpty { return text }
    return text
      + details(
        "Run logs not comparable, or only in part",
        "\(logs.count)",
        "<ul>\(logs.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>\n"
      )
  }

  /// Returns the ceiling, the floor, visible changes and coverage, which a single run also shows.
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
          ["Name", "Cases", "Answered", "Failing", ""],
          groups.map {
            [
              $0.name, "\($0.cases)", "\($0.answered)", "\($0.failing)",
              $0.isSmall ? "too few to show anything" : "",
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
          "Cases that say the same",
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
        + row.enumerated().map { place, cell in
          place == 0
            ? "<th scope=\"row\">\(HTMLText.escaped(cell))</th>"
            : "<td>\(HTMLText.escaped(cell))</td>"
        }.joined() + "</tr>"
    }.joined()
    return "<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead>"
      + "<tbody>\(body)</tbody></table></div>\n"
  }
}
