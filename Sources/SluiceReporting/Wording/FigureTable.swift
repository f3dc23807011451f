import SluiceCore

/// A table of figures as texts.
///
/// Each row has a name, a count and figures. Each report formats the table in its own way.
struct FigureTable {
  var head: [String]
  var rows: [[String]]

  var markdown: String {
    let lines =
      [head.map(MarkdownText.plain), head.map { _ in "---" }]
      + rows.map { $0.map(MarkdownText.plain) }
    return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  var html: String {
    let heads = head.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
    let lines = rows.map { row in
      "<tr><th scope=\"row\">\(HTMLText.escaped(row[0]))</th>"
        + row.dropFirst().map { "<td class=\"num\">\(HTMLText.escaped($0))</td>" }.joined()
        + "</tr>"
    }
    return "<div class=\"scroll\"><table><thead><tr>\(heads)</tr></thead>"
      + "<tbody>\(lines.joined())</tbody></table></div>\n"
  }

  /// Returns the lines for a terminal.
  ///
  /// A long name is on separate lines.
  func terminal(_ style: TerminalStyle) -> [String] {
    func lines(_ cells: [String]) -> [String] {
      let name = TerminalLines.opening(cells[0])
      let isLong = TerminalText.width(of: name) > Self.nameWidth
      let rest = cells.dropFirst().enumerated().map { place, cell in
        TerminalText.pad(cell + " ", to: place == 0 ? Self.countWidth : Self.figureWidth)
      }
      let line = "  " + TerminalText.pad(isLong ? "" : name, to: Self.nameWidth + 2) + rest.joined()
      return (isLong ? TerminalLines.wrap(cells[0], indent: 2) : [])
        + [String(line.reversed().drop { $0 == " " }.reversed())]
    }
    return lines(head).map(style.dim) + rows.flatMap(lines)
  }

  private static let nameWidth = 24
  private static let countWidth = 5
  private static let figureWidth = 23
}
