import SluiceGating

/// Small pictures of values over time. All pictures have the same axes.
extension HTMLPlot {
  struct Panel {
    var points: [Point]
    var quantity: Quantity
    /// The value that a gate requires; `nil` if no gate compares the metric with a value.
    var bound: Double?

    struct Point {
      /// The time of the measurement, in seconds.
      var seconds: Int
      var value: Double?
      var interval: Interval?
      var shape: Course.Shape
      /// The letters for the kinds of changes since the previous point.
      var letters: String
      /// True if the point misses a gate, which is marked with a cross.
      var missesGate = false
      /// The tooltip.
      var name: String

      fileprivate var finite: Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    }
  }

  /// Returns a small picture with the newest value at its end.
  static func panel(_ panel: Panel, _ axes: HTMLHistoryPanel.Axes, name: String) -> String {
    PanelDrawing(panel, axes).svg(name)
  }
}

private struct PanelDrawing {
  private let panel: HTMLPlot.Panel
  private let range: (low: Double, high: Double)
  private let places: [Double]
  private static let size = (width: 300.0, height: 108.0)
  private static let (left, right) = (40.0, 244.0)
  private static let (top, floor) = (18.0, 88.0)
  private let ends: (first: String, last: String)

  init(_ panel: HTMLPlot.Panel, _ axes: HTMLHistoryPanel.Axes) {
    self.panel = panel
    if panel.quantity == .rate, let rates = axes.rates {
      range = rates
    } else {
      let values = panel.points.flatMap {
        [$0.finite, $0.interval?.low, $0.interval?.high]
      }.compactMap(\.self).filter(\.isFinite)
      let (low, high) = (values.min() ?? 0, values.max() ?? 1)
      range =
        high > low
        ? (low, high)
        : (low - max(low.magnitude * 0.1, 1e-3), high + max(low.magnitude * 0.1, 1e-3))
    }
    let span = Double(max(axes.times.last - axes.times.first, 1))
    let times = panel.points.map { point in
      Self.left + 6
        + Double(point.seconds - axes.times.first) / span * (Self.right - Self.left - 12)
    }
    places = Self.apart(times)
    let (first, last) = (axes.times.first, axes.times.last)
    let texts = [first, last].map { HistoryText.date(Timestamp(seconds: $0)).dropFirst(5) }
    // If all points are from one day, label them with the time of day.
    let isOneDay = texts[0].prefix(5) == texts[1].prefix(5)
    ends =
      isOneDay
      ? (String(texts[0]), first == last ? String(texts[0]) : String(texts[1].dropFirst(6)))
      : (String(texts[0].prefix(5)), String(texts[1].prefix(5)))
  }

  /// Returns positions that are at least a minimum distance apart, without exceeding the right
  /// edge.
  private static func apart(_ times: [Double]) -> [Double] {
    guard times.count > 1 else { return times }
    let gap = min(11, (right - left - 12) / Double(times.count - 1))
    var places = times
    for index in places.indices.dropFirst() {
      places[index] = max(places[index], places[index - 1] + gap)
    }
    var limit = right - 6
    for index in places.indices.reversed() {
      places[index] = min(places[index], limit)
      limit = places[index] - gap
    }
    return places
  }

  private func y(_ value: Double) -> Double {
    let share = (min(max(value, range.low), range.high) - range.low) / (range.high - range.low)
    return Self.floor - share * (Self.floor - Self.top)
  }

  func svg(_ name: String) -> String {
    HTMLPlot.open(Self.size.width, Self.size.height, name, kind: "small-multiple") + grid + bound
      + changes + joined + points + end + "</svg>"
  }

  // MARK: Axes

  private var grid: String {
    var svg = ""
    let middle = (range.low + range.high) / 2
    for value in [range.low, middle, range.high] {
      svg += HTMLPlot.horizontal("grid", Self.left, Self.right, y(value))
      if value == middle, !isRound(middle) { continue }
      let text = HTMLPlot.tickText(value, panel.quantity, step: range.high - range.low)
      // A longer number would extend beyond the picture.
      if text.count > 5 { continue }
      svg += HTMLPlot.text(text, Self.left - 4, y(value) + 4, "end", kind: "quiet")
    }
    svg += HTMLPlot.text(ends.first, Self.left, Self.size.height - 4, "start", kind: "quiet")
    if ends.first != ends.last {
      svg += HTMLPlot.text(ends.last, Self.right, Self.size.height - 4, "end", kind: "quiet")
    }
    return svg
  }

  private func isRound(_ value: Double) -> Bool {
    (value * 100 - (value * 100).rounded()).magnitude < 1e-6
  }

  private var bound: String {
    guard let bound = panel.bound, bound >= range.low, bound <= range.high else { return "" }
    return HTMLPlot.horizontal("bound", Self.left, Self.right, y(bound))
  }

  // MARK: Changes

  private var changes: String {
    var svg = ""
    var last = -100.0
    for (point, place) in zip(panel.points, places) where !point.letters.isEmpty {
      svg += HTMLPlot.vertical("event", place, Self.top - 3, Self.floor)
      // If letters would touch, draw only the first ones; the tooltip names all changes.
      let half = Double(point.letters.count) * 4.5
      guard place - half > last + 2 else { continue }
      last = place + half
      svg += HTMLPlot.text(point.letters, place, Self.top - 6, "middle", kind: "letter")
    }
    return svg
  }

  // MARK: Values

  private var joined: String {
    zip(zip(panel.points, places), zip(panel.points, places).dropFirst()).map { before, after in
      guard let first = before.0.finite, let second = after.0.finite else { return "" }
      return "<path class=\"joined\" d=\"M\(HTMLPlot.point(before.1)) \(HTMLPlot.point(y(first)))"
        + "L\(HTMLPlot.point(after.1)) \(HTMLPlot.point(y(second)))\"/>"
    }.joined()
  }

  private var points: String {
    let size = panel.points.count > 18 ? 2.5 : 3.5
    return zip(panel.points, places).map { point, place in
      let title = "<title>\(HTMLText.escaped(point.name))</title>"
      guard let value = point.finite else {
        let mark = HTMLPlot.text("?", place, Self.floor - 3, "middle", kind: "quiet")
        return "<g>\(title)\(mark)</g>"
      }
      var svg = ""
      if let interval = point.interval, interval.low.isFinite, interval.high.isFinite {
        svg += HTMLPlot.vertical("thin", place, y(interval.high), y(interval.low))
      }
      let cross = point.missesGate ? Self.cross(place, y(value)) : ""
      return "<g>\(title)\(svg)\(mark(point.shape, place, y(value), size))\(cross)</g>"
    }.joined()
  }

  /// Returns a cross over a point.
  private static func cross(_ x: Double, _ y: Double) -> String {
    let (left, right) = (HTMLPlot.point(x - 5), HTMLPlot.point(x + 5))
    let (top, bottom) = (HTMLPlot.point(y - 5), HTMLPlot.point(y + 5))
    return "<path class=\"missed\" d=\"M\(left) \(top)L\(right) \(bottom)"
      + "M\(left) \(bottom)L\(right) \(top)\"/>"
  }

  private func mark(_ shape: HTMLPlot.Course.Shape, _ x: Double, _ y: Double, _ size: Double)
    -> String
  {
    switch shape {
    case .disc, .ring:
      let kind = shape == .disc ? "front" : "behind"
      return "<circle class=\"\(kind)\" cx=\"\(HTMLPlot.point(x))\" cy=\"\(HTMLPlot.point(y))\" "
        + "r=\"\(HTMLPlot.point(size))\"/>"
    case .square:
      return HTMLPlot.rectangle("front", x - size, y - size, 2 * size, 2 * size)
    }
  }

  /// The label with the newest value, at the end of the line.
  private var end: String {
    guard let point = panel.points.last, let place = places.last else { return "" }
    let text = point.finite.map { NumberText.text($0, panel.quantity) } ?? "unknown"
    let height = point.finite.map(y) ?? Self.floor
    return HTMLPlot.text(text, place + 8, height + 4, "start", kind: "strong")
  }
}
