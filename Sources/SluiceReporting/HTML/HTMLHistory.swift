import SluiceGating

/// `history.html`: how figures went over time, for people, in one file.
package struct HTMLHistory {
  private let history: History

  package init(_ history: History) { self.history = history }

  package func write(to sink: inout FileSink) throws(FileError) {
    try HTMLPage(
      title: "Sluice: history",
      head: HTMLPage.head("History", reason: reason, notes: notes, warnings: []),
      sections: sections
    ).write(to: &sink)
  }

  private static let nothing =
    "There is no finished run in reports/runs/ and no committed baseline yet."

  /// How much there is, in a sentence.
  private var reason: String {
    let dates = history.lines.flatMap { line in line.points.flatMap { [$0.date, $0.lastDate] } }
    guard let first = dates.min(), let last = dates.max() else { return Self.nothing }
    let suites = Set(history.lines.map(\.suite)).count
    let points = history.lines.reduce(0) { $0 + $1.points.count }
    let span =
      first == last
      ? "at \(HistoryText.date(first))"
      : "from \(HistoryText.date(first)) to \(HistoryText.date(last))"
    return "\(TerminalLines.count(points, "point")) of \(TerminalLines.count(suites, "suite")), "
      + "\(span) UTC."
  }

  /// How pictures are read.
  private var notes: [String] {
    if history.lines.isEmpty { return [] }
    return [
      "● run on recordings, ○ live run, ■ committed baseline, ? unknown. The line through each is its "
        + "95% interval, the dashed line across what a gate demands. Points stand at equal distances, "
        + "whatever time lies between them.",
      "Letters over a dotted line say what changed since the point before: \(HistoryText.kinds). "
        + "Times are UTC.",
    ]
  }

  private var sections: [HTMLPage.Section] {
    if history.lines.isEmpty {
      let body =
        "<p>\(Self.nothing)</p>\n<p>Next: <code>sluice run</code> keeps a log of each run, "
        + "<code>sluice baseline accept</code> makes one a baseline to be committed.</p>"
      return [HTMLPage.Section(id: "nothing", title: "Nothing yet", body: body)]
    }
    let lines = history.lines.enumerated().map { index, line in
      HTMLPage.Section(
        id: Self.id(index),
        title: HTMLHistoryLine.title(line),
        body: HTMLHistoryLine(line).body
      )
    }
    if lines.count < 2 { return lines }
    return [HTMLPage.Section(id: "overview", title: "Overview", body: overview)] + lines
  }

  private static func id(_ index: Int) -> String { "line-\(index + 1)" }

  // MARK: Overview

  private var overview: String {
    let rows = history.lines.enumerated().map { index, line in
      let title = HTMLText.escaped(HTMLHistoryLine.title(line))
      return "<tr><th scope=\"row\"><a href=\"#\(Self.id(index))\">\(title)</a></th>"
        + "\(figures(line))<td class=\"num\">\(line.points.count)</td>"
        + "<td class=\"words\">\(HTMLText.escaped(Self.lastChange(line)))</td></tr>"
    }
    return
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Of</th><th scope=\"col\">Newest, 95% interval</th>"
      + "<th scope=\"col\" class=\"num\">Oldest</th><th scope=\"col\" class=\"num\">Points</th>"
      + "<th scope=\"col\">Last change</th></tr></thead><tbody>\(rows.joined())</tbody></table></div>"
  }

  /// The newest and the oldest value of the first metric.
  private func figures(_ line: History.Line) -> String {
    guard let metric = line.metrics.first, let newest = line.points.last?.estimates.first,
      let oldest = line.points.first?.estimates.first
    else { return "<td></td><td></td>" }
    let now = NumberText.text(newest, metric.quantity)
    let before = oldest.value.map { NumberText.text($0, metric.quantity) } ?? "unknown"
    return
      "<td><code>\(HTMLText.escaped(metric.name))</code> <span class=\"figure\">\(HTMLText.escaped(now))</span>"
      + "\(Self.misses(line))</td>"
      + "<td class=\"num\">\(HTMLText.escaped(before))</td>"
  }

  /// The gates that the newest point misses, about whatever metric.
  private static func misses(_ line: History.Line) -> String {
    let gates = line.points.last?.missed.joined().map(\.text) ?? []
    if gates.isEmpty { return "" }
    let text = HTMLText.escaped("\(HistoryText.missed) misses \(gates.joined(separator: ", "))")
    return "<br><span class=\"fail small\">\(text)</span>"
  }

  private static func lastChange(_ line: History.Line) -> String {
    guard let point = line.points.last(where: { !$0.changes.isEmpty }) else { return "none" }
    return "\(HistoryText.date(point.date)) \(HistoryText.changes(point.changes))"
  }
}
