import SluiceCore
import SluiceGating
import SluiceStatistics

/// The figures by group, in the wording that all reports use.
enum GroupText {
  static func title(_ table: GroupTable) -> String { "Figures by \(table.grouping.name)" }

  /// Returns the indices of the metrics for which at least one group has a value.
  private static func shown(_ table: GroupTable) -> [Int] {
    (table.groups.first?.metrics.indices).map(Array.init)?.filter { place in
      table.groups.contains { $0.metrics[place].estimate.value != nil }
    } ?? []
  }

  /// Returns a table with the number of cases and the figures of each group.
  static func table(_ table: GroupTable) -> FigureTable {
    let places = shown(table)
    return FigureTable(
      head: [table.grouping.name, "cases"] + places.map { table.groups[0].metrics[$0].name },
      rows: table.groups.map { group in
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

  static func html(_ table: GroupTable) -> String {
    "<details class=\"more\"><summary>\(HTMLText.escaped(title(table)))</summary>\n"
      + "\(self.table(table).html)</details>\n"
  }

  /// Returns lines with the accuracy of each group, for a terminal.
  static func terminal(_ table: GroupTable, limit: Int, _ style: TerminalStyle) -> [String] {
    if table.groups.isEmpty { return [] }
    var lines = ["  \(style.dim("accuracy by \(TerminalText.visible(table.grouping.name)):"))"]
    for group in table.groups.prefix(limit) {
      let visible = TerminalText.visible(group.name)
      let isLong = TerminalText.width(of: visible) > 24
      if isLong { lines += TerminalLines.wrap(group.name, indent: 4) }
      let name = isLong ? "" : visible
      let estimate = group.metrics.first { $0.name == "accuracy" }?.estimate
      let value = estimate.map { NumberText.text($0, .rate) } ?? "unknown"
      let n = style.dim("n \(estimate.map(\.nText) ?? "0")")
      lines.append(
        "    \(TerminalText.pad(name, to: 26))\(TerminalText.pad(value + "  ", to: 25))\(n)"
      )
    }
    if table.groups.count > limit {
      lines.append("    " + style.dim("and \(table.groups.count - limit) more, in the report"))
    }
    return lines
  }

  /// Returns a table with the accuracy of each group in each configuration.
  private static func compared(_ tables: [(letter: String, table: GroupTable)]) -> FigureTable {
    var names: [String] = []
    var known: Set<ExactString> = []
    for group in tables.flatMap(\.table.groups) where known.insert(ExactString(group.name)).inserted
    {
      names.append(group.name)
    }
    let estimates = tables.map { table in
      Dictionary(
        table.table.groups.map { group in
          (ExactString(group.name), group.metrics.first { $0.name == "accuracy" }?.estimate)
        }
      ) { first, _ in first }
    }
    let word = tables.first?.table.grouping.name ?? ""
    return FigureTable(
      head: ["accuracy by \(word)", "n"] + tables.map(\.letter),
      rows: names.map { name in row(name, estimates.map { $0[ExactString(name)] ?? nil }, .rate) }
    )
  }

  /// Returns a row with a name and the figure of each configuration.
  private static func row(_ name: String, _ cells: [Estimate?], _ quantity: Quantity) -> [String] {
    let n = cells.compactMap { $0?.n }.max() ?? 0
    return [name, "\(n)"] + cells.map { $0.map { NumberText.text($0, quantity) } ?? "–" }
  }

  /// Returns a table of the figures that cannot be compared case by case, such as correlations.
  private static func uncompared(_ comparison: ConfigurationComparison) -> FigureTable? {
    let compared = Set(comparison.pairs.flatMap(\.changes).map(\.name))
    if compared.isEmpty { return nil }
    let columns = comparison.configurations.map(\.column.metrics)
    let metrics = (columns.first ?? []).filter {
      $0.quantity == .number && !$0.isDetail && !$0.isAdvisory && !compared.contains($0.name)
    }
    let rows = metrics.compactMap { metric -> [String]? in
      let cells = columns.map { $0.first { $0.name == metric.name }?.estimate }
      guard cells.contains(where: { $0?.value != nil }) else { return nil }
      return row(metric.name, cells, .number)
    }
    let letters = comparison.configurations.indices.map(ConfigurationComparison.letter)
    return rows.isEmpty
      ? nil : FigureTable(head: ["not compared by case", "n"] + letters, rows: rows)
  }

  /// Returns a table for each grouping, with a column for each configuration of a comparison.
  ///
  /// The first table has the figures that cannot be compared case by case.
  static func compared(_ comparison: ConfigurationComparison) -> [FigureTable] {
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
  /// The object for `report.json`.
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
