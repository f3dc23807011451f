import SluiceGating

/// `history.html`: the figures of suites over time for people, as an HTML page.
///
/// Each suite has a small picture of its first metric. All pictures have the same axes, and suites
/// that need attention come first. Each picture expands to all metrics, prompts and backends of its
/// suite.
package struct HTMLHistory {
  private let history: History

  package init(_ history: History) { self.history = history }

  package func write(to sink: inout FileSink) throws(FileError) {
    try HTMLPage(
      title: "Sluice: history",
      head: HTMLPage.head("History", reason: reason, facts: facts, notes: [], warnings: []),
      sections: sections
    ).write(to: &sink)
  }

  private static let nothing =
    "There are no finished runs in reports/runs/ and no committed baselines yet."

  /// The suites, those that need attention first.
  private var panels: [HTMLHistoryPanel] {
    var suites: [String] = []
    var lines: [String: [History.Line]] = [:]
    for line in history.lines {
      if lines[line.suite] == nil { suites.append(line.suite) }
      lines[line.suite, default: []].append(line)
    }
    return suites.compactMap { lines[$0].flatMap(HTMLHistoryPanel.init) }.enumerated()
      .sorted { first, second in
        let (one, other) = (first.element.urgency, second.element.urgency)
        return (one.rank, other.loss, first.offset) < (other.rank, one.loss, second.offset)
      }.map(\.element)
  }

  /// The number of suites that need attention, in a sentence.
  var reason: String {
    let panels = panels
    if panels.isEmpty || dates == nil { return Self.nothing }
    let all = TerminalLines.count(panels.count, "suite")
    func count(_ rank: HTMLHistoryPanel.Rank) -> Int { panels.count { $0.urgency.rank == rank } }
    let (missing, unknown, lower) = (count(.missesGate), count(.unknown), count(.fell))
    let parts = [
      (missing, missing == 1 ? "misses a gate" : "miss a gate"),
      (unknown, "\(unknown == 1 ? "has" : "have") no value at the newest point"),
      (lower, "fell by more than chance explains"),
    ].filter { $0.0 > 0 }.enumerated().map { index, part in
      index == 0 ? "\(part.0) of \(all) \(part.1)" : "\(part.0) \(part.1)"
    }
    if parts.isEmpty {
      return panels.count == 1
        ? "At its newest point the suite misses no gate."
        : "At their newest points none of the \(all) misses a gate."
    }
    return parts.joined(separator: "; ") + "."
  }

  private var dates: (first: Timestamp, last: Timestamp)? {
    let dates = history.lines.flatMap { line in line.points.flatMap { [$0.date, $0.lastDate] } }
    guard let first = dates.min(), let last = dates.max() else { return nil }
    return (first, last)
  }

  private var facts: [String] {
    guard let dates else { return [] }
    let points = history.lines.reduce(0) { $0 + $1.points.count }
    let (first, last) = (HistoryText.date(dates.first), HistoryText.date(dates.last))
    return [
      TerminalLines.count(points, "point"),
      first == last ? "\(first) UTC" : "\(first) to \(last) UTC",
    ]
  }

  private var sections: [HTMLPage.Section] {
    guard dates != nil else {
      let body =
        "<p>\(Self.nothing)</p>\n<p>Next: run <code>sluice run</code>, which writes a log of each "
        + "run, or <code>sluice baseline accept</code>, which writes a baseline to commit.</p>"
      return [HTMLPage.Section(id: "nothing", title: "Nothing yet", body: body)]
    }
    let panels = panels
    let axes = HTMLHistoryPanel.axes(panels)
    let body =
      "<div "
      + "class=\"multiples\">\n\(panels.map { $0.markup(axes, isOpen: panels.count == 1) }.joined())</div>\n"
    let title =
      panels.count == 1 ? "Accuracy" : "Accuracy by suite; suites that need attention come first"
    return [
      HTMLPage.Section(id: "suites", title: title, place: "Suites", body: body),
      HTMLPage.Section(
        id: "reading",
        title: "How to read the charts",
        place: "Legend",
        body: legend
      ),
    ]
  }

  /// A list of the signs and their meanings.
  private var legend: String {
    let items = [
      "● run on recordings, ○ live run, ■ committed baseline, ? unknown. The number at the end "
        + "is the newest value; the bar through each point is its 95% interval.",
      "Letters over a dotted line show what changed since the point before. \(HistoryText.kinds).",
      "The dashed line is the limit of a gate. \(HistoryText.missed) means that the point misses "
        + "a gate as it is written today.",
      "All small charts share both axes. Points within one hour are moved apart. Times are UTC.",
      "Open a chart to see all metrics, prompts and backends of its suite; there, the points "
        + "are evenly spaced.",
    ]
    return "<ul class=\"notes\">\(items.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>\n"
  }
}
