/// A table for a terminal, with one line per row.
struct ScreenTable {
  /// A column of the table.
  struct Column {
    var title: String
    var isNumber = false
    /// True for a column that a narrow terminal leaves out.
    var isDispensable = false
  }

  private let columns: [Column]
  private let rows: [[String]]
  private let style: TerminalStyle
  private static let gap = 2

  init(_ columns: [Column], _ rows: [[String]], _ style: TerminalStyle) {
    self.columns = columns
    self.rows = rows.map { $0.map(TerminalLines.opening) }
    self.style = style
  }

  /// The head and the rows.
  ///
  /// If the table is wider than the terminal, each row becomes a list.
  var lines: [String] {
    let widths = columns.indices.map { place in
      ([columns[place].title] + rows.map { $0[place] }).map(TerminalText.width).max() ?? 0
    }
    var shown = columns.indices.filter { place in rows.contains { !$0[place].isEmpty } }
    func total() -> Int { shown.reduce(0) { $0 + widths[$1] + Self.gap } - Self.gap }
    for place in columns.indices.reversed() where columns[place].isDispensable {
      if total() <= TerminalLines.width { break }
      shown.removeAll { $0 == place }
    }
    if total() > TerminalLines.width { return rows.flatMap(list) }
    let space = String(repeating: " ", count: Self.gap)
    func line(_ cells: [String]) -> String {
      shown.map { TerminalText.pad(cells[$0], to: widths[$0], right: columns[$0].isNumber) }
        .joined(separator: space)
    }
    return [style.dim(line(columns.map(\.title)))] + rows.map(line)
  }

  /// Returns a row as a list, for a table that does not fit.
  private func list(_ row: [String]) -> [String] {
    let parts = zip(columns, row).dropFirst().filter { !$1.isEmpty }.map { "\($0.title) \($1)" }
    return TerminalLines.wrap(row[0], indent: 0) + TerminalLines.wrap(parts: parts, indent: 2)
  }
}
