import SluiceGating

/// A suite on the page of a history: a small picture of its first metric, which expands to all
/// lines.
struct HTMLHistoryPanel {
  /// The suite's lines; each is a prompt on a backend.
  private let lines: [History.Line]
  /// The line that the small picture shows.
  ///
  /// Among the lines of the suite's own prompt, this line has the newest point.
  private let line: History.Line
  let urgency: (rank: Rank, loss: Double)

  /// The reasons to look at a suite, the most urgent first.
  enum Rank: Int, Comparable {
    case missesGate, unknown, fell, changed, steady

    static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
  }

  /// Creates a panel for a suite, or returns `nil` if none of its lines has a point.
  init?(_ lines: [History.Line]) {
    let own = lines.filter { $0.prompt == nil && !$0.points.isEmpty }
    let candidates = own.isEmpty ? lines.filter { !$0.points.isEmpty } : own
    guard var newest = candidates.first else { return nil }
    for line in candidates.dropFirst()
    where line.points.last?.lastDate ?? line.points[0].date
      > newest.points.last?.lastDate ?? newest.points[0].date
    {
      newest = line
    }
    (self.lines, line) = (lines, newest)
    urgency = Self.urgency(newest)
  }

  private static func urgency(_ line: History.Line) -> (Rank, Double) {
    guard let last = line.points.last else { return (.steady, 0) }
    let loss = loss(line)
    if last.missed.contains(where: { !$0.isEmpty }) { return (.missesGate, loss) }
    guard let value = last.estimates.first?.value, value.isFinite else { return (.unknown, 0) }
    if let low = reference(line)?.estimates.first?.interval?.low, value < low {
      return (.fell, loss)
    }
    return (last.changes.isEmpty ? .steady : .changed, loss)
  }

  /// Returns the point to compare the newest point with: the last committed baseline, or the
  /// previous point if there is none.
  private static func reference(_ line: History.Line) -> History.Point? {
    let earlier = line.points.dropLast()
    return earlier.last { point in
      if case .baseline = point.source { true } else { false }
    } ?? earlier.last
  }

  /// Returns the loss in the first metric at the newest point; negative for a gain.
  private static func loss(_ line: History.Line) -> Double {
    guard let value = line.points.last?.estimates.first?.value,
      let before = reference(line)?.estimates.first?.value,
      value.isFinite, before.isFinite
    else { return 0 }
    return before - value
  }

  // MARK: Axes

  /// The axes of the small pictures, which are the same for all pictures.
  struct Axes {
    var times: (first: Int, last: Int)
    /// The range of rates, or `nil` if no picture shows one.
    var rates: (low: Double, high: Double)?
  }

  static func axes(_ panels: [HTMLHistoryPanel]) -> Axes {
    let times = panels.flatMap { $0.line.points.map(\.date.seconds) }
    let rates = panels.filter { $0.line.metrics.first?.quantity == .rate }
      .flatMap { $0.line.points.compactMap(\.estimates.first) }
      .flatMap { [$0.value, $0.interval?.low] }.compactMap(\.self).filter(\.isFinite)
    // Round to tens of points, so that there are few grid lines.
    let low = rates.min().map { max(0, ($0 * 10).rounded(.down) / 10) }
    return Axes(times: (times.min() ?? 0, times.max() ?? 0), rates: low.map { (min($0, 0.9), 1) })
  }

  // MARK: Markup

  func markup(_ axes: Axes, isOpen: Bool) -> String {
    let picture = HTMLPlot.panel(panel, axes, name: name)
    let bodies = lines.filter { !$0.points.isEmpty }.map { line in
      let title = HTMLText.escaped(HTMLHistoryLine.title(line))
      return "<h3 class=\"line\">\(title)</h3>\n\(HTMLHistoryLine(line).body)"
    }
    let (text, kind) = attention
    return """
      <details class="panel"\(isOpen ? " open" : "")><summary>\
      <span class="name">\(HTMLText.escaped(line.suite))</span>\
      <span class="quiet small">\(HTMLText.escaped(setting))</span>\
      \(picture)<span class="small \(kind)">\(HTMLText.escaped(text))</span></summary>
      <div class="body">
      \(bodies.joined())</div></details>

      """
  }

  /// The prompt and the backend, such as `v2 on fast`, and the metric if it is not accuracy.
  private var setting: String {
    let prompt = line.prompt ?? line.points.last?.prompt.name
    let source = "\(prompt.map { "\($0) on " } ?? "")\(line.backend)"
    guard let metric = line.metrics.first?.name, metric != "accuracy" else { return source }
    return "\(source), \(metric)"
  }

  /// A phrase for the reason to look at the suite, with the CSS class that colors it.
  private var attention: (text: String, kind: String) {
    guard let last = line.points.last else { return ("", "quiet") }
    let gates = last.missed.joined().map(\.text)
    if !gates.isEmpty {
      return ("\(HistoryText.missed) misses \(gates.joined(separator: ", "))", "fail")
    }
    let change = HistoryText.changes(last.changes)
    let reference = Self.reference(line)
    switch urgency.rank {
    case .unknown: return ("? \(last.estimates.first?.unknown ?? "unknown")", "quiet")
    case .fell:
      let size = difference(urgency.loss)
      let date = reference.map { String($0.date.day.dropFirst(5)) } ?? ""
      return ("▼ \(size) below \(date)\(change.isEmpty ? "" : "; \(change)")", "fail")
    case .missesGate, .changed, .steady:
      guard let changed = line.points.last(where: { !$0.changes.isEmpty }) else {
        return ("", "quiet")
      }
      return ("\(changed.date.day.dropFirst(5)) \(HistoryText.changes(changed.changes))", "quiet")
    }
  }

  private func difference(_ value: Double) -> String {
    let quantity = line.metrics.first?.quantity ?? .number
    return quantity == .rate ? NumberText.points(value) : NumberText.text(value, quantity)
  }

  /// The text alternative of the small picture.
  private var name: String {
    let metric = line.metrics.first
    let known = line.points.compactMap { $0.estimates.first?.value }.filter(\.isFinite)
    func text(_ value: Double) -> String { NumberText.text(value, metric?.quantity ?? .number) }
    var parts = [
      "\(line.suite), \(metric?.name ?? "")", TerminalLines.count(line.points.count, "point"),
    ]
    if let first = known.first, let last = known.last {
      parts.append(known.count > 1 ? "from \(text(first)) to \(text(last))" : text(first))
    }
    if known.count < line.points.count {
      parts.append("\(line.points.count - known.count) unknown")
    }
    let changes = line.points.filter { !$0.changes.isEmpty }.suffix(3).map {
      "\($0.date.day) \(HistoryText.changes($0.changes))"
    }
    if !changes.isEmpty { parts.append("last changes: \(changes.joined(separator: "; "))") }
    if !attention.text.isEmpty { parts.append(attention.text) }
    return parts.joined(separator: ", ")
  }

  private var panel: HTMLPlot.Panel {
    let quantity = line.metrics.first?.quantity ?? .number
    let gate = line.metrics.first?.gates.compactMap { gate -> Double? in
      guard case .comparison(_, let value, _) = gate.demand else { return nil }
      return value
    }.first
    return HTMLPlot.Panel(
      points: line.points.map { point in
        let estimate = point.estimates.first
        let value = estimate.map { NumberText.text($0, quantity) } ?? "unknown"
        let changes = HistoryText.changes(point.changes)
        return HTMLPlot.Panel.Point(
          seconds: point.date.seconds,
          value: estimate?.value,
          interval: estimate?.interval,
          shape: HTMLHistoryLine.shape(point.source),
          letters: HistoryText.letters(point.changes),
          missesGate: !point.missed(0).isEmpty,
          name: "\(HistoryText.date(point.date)), \(HistoryText.source(point)): \(value)"
            + (changes.isEmpty ? "" : "; \(changes)")
        )
      },
      quantity: quantity,
      bound: gate
    )
  }
}
