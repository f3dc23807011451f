import SluiceGating

/// The figures of suites over time, for a terminal.
package struct TerminalHistory {
  private let history: History
  private let style: TerminalStyle
  private let reports: String?

  /// Creates the text of a history.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - style: The colors of the terminal.
  ///   - reports: The path of the folder with the written files, or `nil` if the files could not be
  ///     written.
  package init(_ history: History, style: TerminalStyle, reports: String? = nil) {
    self.history = history
    self.style = style
    self.reports = reports
  }

  package var text: String {
    var lines = history.lines.flatMap { block($0) + [""] }
    let points = history.lines.flatMap(\.points)
    var legend: [String] = []
    if points.contains(where: { !$0.missed.isEmpty }) { legend.append(Self.missedLegend) }
    if points.contains(where: { !$0.changes.isEmpty }) { legend.append(Self.legend) }
    if !legend.isEmpty {
      let text = (legend + ["Times are UTC."]).joined(separator: " ")
      lines += TerminalLines.wrap(text, indent: 0).map(style.dim)
    }
    if !history.lines.isEmpty {
      if !legend.isEmpty { lines.append("") }
      lines += TerminalLines.wrap(HTMLHistory(history).reason, indent: 0).map(style.bold)
    }
    if let reports {
      lines.append("Reports: \(TerminalText.visible(reports))/history.html, history.json")
    }
    return TerminalLines.text(lines)
  }

  private static let missedLegend = "\(HistoryText.missed) misses a gate as it is written today."
  private static let legend =
    "Letters show what changed since the point before: \(HistoryText.kinds)."

  // MARK: A line

  private func block(_ line: History.Line) -> [String] {
    let name = TerminalText.cut(TerminalLines.opening(line.suite), to: TerminalLines.width)
    // Name the prompt of the newest point, which is in the last row.
    var detail = "\(line.prompt ?? line.points.last?.prompt.name ?? "") on \(line.backend)"
    if let standing = HistoryText.standing(line) { detail += " · \(standing)" }
    if line.hasOlder { detail += " · older points are not shown" }
    detail = TerminalText.visible(detail)
    let isTight = TerminalText.width(of: "\(name)  \(detail)") > TerminalLines.width
    var lines =
      isTight
      ? [style.bold(name)] + TerminalLines.wrap(detail, indent: 2).map(style.dim)
      : ["\(style.bold(name))  \(style.dim(detail))"]
    for index in line.metrics.indices { lines += metric(index, of: line) }
    let changed = line.points.filter { !$0.changes.isEmpty }
    if !changed.isEmpty { lines.append("  changes") }
    for point in changed {
      let text = HistoryText.changes(point.changes)
      let rows = TerminalLines.wrap(text, indent: Self.indent + Self.dateWidth + 2)
      let date = String(repeating: " ", count: Self.indent) + HistoryText.date(point.date) + "  "
      lines += [date + rows[0].dropFirst(date.count)] + rows.dropFirst()
    }
    return lines
  }

  private static let indent = 4
  private static let dateWidth = 16
  private static let sourceWidth = 8
  private static let letters = 5
  /// The minimum width of a drawing in characters.
  private static let leastDrawing = 9
  private static let mostDrawing = 24

  private func metric(_ index: Int, of line: History.Line) -> [String] {
    let metric = line.metrics[index]
    let estimates = line.points.map { $0.estimates[index] }
    let values = estimates.map { estimate in
      estimate.value.map { NumberText.text($0, metric.quantity) } ?? "unknown"
    }
    let intervals = estimates.map { estimate in
      estimate.interval.map { NumberText.text($0, metric.quantity) } ?? ""
    }
    let counts = estimates.map { "n \($0.n)\($0.clusters.map { "/\($0)" } ?? "")" }
    func widest(_ texts: [String]) -> Int { texts.map { TerminalText.width(of: $0) }.max() ?? 0 }
    let (valueWidth, intervalWidth, countWidth) = (
      widest(values), widest(intervals), widest(counts)
    )
    let left = Self.indent + Self.dateWidth + 2 + Self.sourceWidth + 1 + Self.letters + 1
    let room = TerminalLines.width - left - valueWidth - 1
    let scale = HistoryText.Scale(
      estimates,
      columns: min(Self.mostDrawing, room - intervalWidth - 1 - countWidth - 2)
    )
    var lines = TerminalLines.wrap(metric.name, indent: 2)
    if !metric.gates.isEmpty {
      let noun = metric.gates.count == 1 ? "gate" : "gates"
      lines += TerminalLines.wrap(
        "\(noun): \(metric.gates.map(\.text).joined(separator: "; "))",
        indent: 4
      )
      .map(style.dim)
    }
    for (place, point) in line.points.enumerated() {
      let interval = TerminalText.pad(intervals[place], to: intervalWidth)
      let count = TerminalText.pad(counts[place], to: countWidth)
      let isMissed = !point.missed(index).isEmpty
      let mark = TerminalText.pad(isMissed ? HistoryText.missed : "", to: 2)
      var row = String(repeating: " ", count: Self.indent - 2) + style.verdict(mark, .fail)
      row += HistoryText.date(point.date) + "  "
      row +=
        TerminalText.pad(
          TerminalText.visible(HistoryText.source(point)),
          to: Self.sourceWidth
        ) + " "
      row += style.warning(
        TerminalText.pad(HistoryText.letters(point.changes), to: Self.letters)
      )
      row += " " + TerminalText.pad(values[place], to: valueWidth, right: true) + " "
      // Numbers with very many digits may not fit.
      row += style.dim(TerminalText.cut("\(interval) \(count)", to: room))
      if scale.columns >= Self.leastDrawing {
        row += "  " + scale.drawing(of: estimates[place])
      }
      lines.append(row)
    }
    return lines
  }
}
