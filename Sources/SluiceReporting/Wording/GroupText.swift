import SluiceGating

/// Figures by group, in the form that all reports share.
enum GroupText {
  static func title(_ table: GroupTable) -> String { "Figures by \(table.grouping.name)" }

  /// The names of the metrics that some group has a value of.
  private static func shown(_ table: GroupTable) -> [Int] {
    (table.groups.first?.metrics.indices).map(Array.init)?.filter { place in
      table.groups.contains { $0.metrics[place].estimate.value != nil }
    } ?? []
  }

  /// The head and the rows of a table: the group, its cases, and each metric.
  static func rows(_ table: GroupTable) -> (head: [String], rows: [[String]]) {
    let places = shown(table)
    let names = places.map { table.groups[0].metrics[$0].name }
    return (
      [table.grouping.name, "cases"] + names,
      table.groups.map { group in
        [group.name, "\(group.caseCount)"]
          + places.map { place in
            let metric = group.metrics[place]
            let value = NumberText.text(metric.estimate, metric.quantity)
            let n = metric.estimate.n
            return metric.estimate.value != nil && n != group.caseCount ? "\(value) of \(n)" : value
          }
      }
    )
  }

  static func markdown(_ table: GroupTable) -> String {
    let (head, rows) = rows(table)
    var text = "| \(head.map(MarkdownText.plain).joined(separator: " | ")) |\n"
    text += "|\(String(repeating: " --- |", count: head.count))\n"
    for row in rows { text += "| \(row.map(MarkdownText.plain).joined(separator: " | ")) |\n" }
    return text
  }

  static func html(_ table: GroupTable) -> String {
    let (head, rows) = rows(table)
    let heads = head.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
    let lines = rows.map { row in
      "<tr><th scope=\"row\">\(HTMLText.escaped(row[0]))</th>"
        + row.dropFirst().map { "<td class=\"num\">\(HTMLText.escaped($0))</td>" }.joined()
        + "</tr>"
    }
    return
      "<details class=\"more\"><summary>\(HTMLText.escaped(title(table)))</summary>\n"
      + "<div class=\"scroll\"><table><thead><tr>\(heads)</tr></thead>"
      + "<tbody>\(lines.joined())</tbody></table></div></details>\n"
  }

  /// The accuracy of each group in lines of a terminal.
  static func terminal(_ table: GroupTable, limit: Int, _ style: TerminalStyle) -> [String] {
    if table.groups.isEmpty { return [] }
    let room = 24
    var lines = ["  \(style.dim("accuracy by \(TerminalText.visible(table.grouping.name)):"))"]
    for group in table.groups.prefix(limit) {
      let name = TerminalText.cut(TerminalText.visible(group.name), to: room)
      let space = String(repeating: " ", count: room + 2 - TerminalText.width(of: name))
      let estimate = group.metrics.first { $0.name == "accuracy" }?.estimate
      let value = estimate.map { NumberText.text($0, .rate) } ?? "unknown"
      let n = estimate.map(\.nText) ?? "0"
      let gap = String(repeating: " ", count: max(2, 25 - TerminalText.width(of: value)))
      lines.append("    \(name)\(space)\(value)\(gap)\(style.dim("n \(n)"))")
    }
    if table.groups.count > limit {
      lines.append("    " + style.dim("and \(table.groups.count - limit) more, in the report"))
    }
    return lines
  }

  /// The accuracy of each group in each configuration: the head and the rows of a table.
  static func compared(_ tables: [(letter: String, table: GroupTable)]) -> (
    head: [String], rows: [[String]]
  ) {
    var names: [String] = []
    for group in tables.flatMap(\.table.groups) where !names.contains(group.name) {
      names.append(group.name)
    }
    let word = tables.first?.table.grouping.name ?? ""
    return (
      ["accuracy by \(word)", "n"] + tables.map(\.letter),
      names.map { name in
        let cells = tables.map { table in
          table.table.groups.first { $0.name == name }?.metrics
            .first { $0.name == "accuracy" }?.estimate
        }
        let n = cells.compactMap { $0?.n }.max() ?? 0
        return [name, "\(n)"] + cells.map { $0.map { NumberText.text($0, .rate) } ?? "–" }
      }
    )
  }

  /// The figures of each configuration that no pair of cases can be compared by, such as correlations.
  private static func uncompared(_ comparison: ConfigurationComparison) -> (
    head: [String], rows: [[String]]
  )? {
    let compared = Set(comparison.pairs.flatMap(\.changes).map(\.name))
    if compared.isEmpty { return nil }
    let columns = comparison.configurations.map(\.column.metrics)
    let metrics = (columns.first ?? []).filter {
      $0.quantity == .number && !$0.isDetail && !$0.isAdvisory && !compared.contains($0.name)
    }
    let rows = metrics.compactMap { metric -> [String]? in
      let cells = columns.map { $0.first { $0.name == metric.name }?.estimate }
      guard cells.contains(where: { $0?.value != nil }) else { return nil }
      let n = cells.compactMap { $0?.n }.max() ?? 0
      return [metric.name, "\(n)"] + cells.map { $0.map { NumberText.text($0, .number) } ?? "–" }
    }
    let letters = comparison.configurations.indices.map(ConfigurationComparison.letter)
    return rows.isEmpty ? nil : (["not compared by case", "n"] + letters, rows)
  }

  /// The tables of each grouping over the configurations of a comparison, behind one of the figures
  /// that pairs do not show.
  static func compared(_ comparison: ConfigurationComparison) -> [(
    head: [String], rows: [[String]]
  )] {
    let groupings = comparison.configurations.first?.column.groups.map(\.grouping) ?? []
    let others = uncompared(comparison).map { [$0] } ?? []
    return others
      + groupings.map { grouping in
        compared(
          comparison.configurations.enumerated().compactMap { place, configuration in
            configuration.column.groups.first { $0.grouping == grouping }
              .map { (ConfigurationComparison.letter(place), $0) }
          }
        )
      }
  }
}

extension GroupTable {
  /// The members that `report.json` has of it.
  var json: JSONValue {
    [
      "by": .string(grouping.name),
      "groups": .array(
        groups.map { group in
          [
            "name": .string(group.name), "cases": .number(Double(group.caseCount)),
            "metrics": .array(group.metrics.map(JSONReport.metric)),
          ]
        }
      ),
    ]
  }
}
