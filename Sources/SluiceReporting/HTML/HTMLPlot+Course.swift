import SluiceGating

/// Plots of a series of values, which fill the available width.
///
/// Horizontal positions are percentages of the width, so that texts keep their size on phones and
/// on paper.
extension HTMLPlot {
  /// A series of repeated measurements.
  struct Course {
    /// The points, oldest first.
    var points: [Point]
    var quantity: Quantity
    /// The bounds that gates set on the values.
    var bounds: [Bound] = []
    /// The kinds of events between points.
    ///
    /// Each kind has a row above the values.
    var events: [Event] = []

    /// A value in a series.
    struct Point {
      /// The value, or `nil` if it is unknown.
      ///
      /// An unknown value leaves a gap in the plot.
      var value: Double?
      var interval: Interval?
      var shape: Shape
      /// True if the point misses a gate, which is marked with a cross.
      var missesGate = false
      /// The tooltip.
      var name: String
      /// The lines of text below the point; only the labels of the first and the last point are
      /// shown.
      var labels: [String]

      fileprivate var finite: Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    }

    enum Shape { case disc, ring, square }

    struct Bound {
      var value: Double
      var label: String
    }

    /// A kind of event, with the points before which an event of this kind occurred.
    struct Event {
      var name: String
      /// The sign that is drawn for the event.
      var sign: String
      /// The indices of the points before which an event of this kind occurred.
      var places: [Int]
    }
  }

  /// Returns a plot of a series of values with their intervals.
  ///
  /// - Parameters:
  ///   - course: The series, with its bounds and events.
  ///   - name: The text alternative of the picture.
  /// - Returns: A picture; empty if no value is known.
  static func course(_ course: Course, name: String) -> String {
    CourseDrawing(course)?.svg(name) ?? ""
  }
}

private struct CourseDrawing {
  private let course: HTMLPlot.Course
  private let scale: HTMLPlot.Scale
  private static let rowHeight = 16.0
  /// The vertical range of the values, below the rows of events.
  private let top: Double
  private let floor: Double

  init?(_ course: HTMLPlot.Course) {
    let values = course.points.flatMap { point -> [Double] in
      guard let value = point.finite else { return [] }
      return [value] + [point.interval?.low, point.interval?.high].compactMap(\.self)
    }.filter(\.isFinite)
    guard let least = values.min(), let most = values.max() else { return nil }
    // Leave out bounds that are far away, which would compress the measured values into a line.
    let reach = 3 * max(most - least, most.magnitude * 0.1)
    let near = course.bounds.map(\.value).filter { $0 >= least - reach && $0 <= most + reach }
    let limits = Interval(
      low: least < 0 ? -.infinity : 0,
      high: course.quantity == .rate && most <= 1 ? 1 : .infinity
    )
    guard let scale = HTMLPlot.Scale(values + near, width: 0, within: limits),
      (scale.high - scale.low).isFinite
    else { return nil }
    self.course = course
    self.scale = scale
    top = 14 + Double(course.events.count) * Self.rowHeight
    floor = top + 150
  }

  func svg(_ name: String) -> String {
    "<svg class=\"course\(isDense ? " dense" : "")\" width=\"100%\" height=\"\(Int(floor) + 40)\" role=\"img\" "
      + "aria-label=\"\(HTMLText.escaped(name))\">\(grid)\(bounds)\(events)\(joined)\(points)\(ends)</svg>"
  }

  /// True if points are so close that they need thin lines.
  private var isDense: Bool { course.points.count > 24 }

  // MARK: Places

  /// Returns the horizontal position of a point, as a percentage of the width.
  private func x(_ index: Int) -> String { share(Double(index) + 0.5) }

  private func share(_ points: Double) -> String {
    NumberText.fixed(points / Double(course.points.count) * 100, decimals: 2) + "%"
  }

  private func y(_ value: Double) -> Double {
    let share = (min(max(value, scale.low), scale.high) - scale.low) / (scale.high - scale.low)
    return floor - share * (floor - top)
  }

  private func line(_ kind: String, _ x1: String, _ y1: Double, _ x2: String, _ y2: Double)
    -> String
  {
    "<line class=\"\(kind)\" x1=\"\(x1)\" y1=\"\(HTMLPlot.point(y1))\" "
      + "x2=\"\(x2)\" y2=\"\(HTMLPlot.point(y2))\"/>"
  }

  private func text(_ text: String, _ x: String, _ y: Double, _ anchor: String, kind: String)
    -> String
  {
    "<text\(kind.isEmpty ? "" : " class=\"\(kind)\"") x=\"\(x)\" y=\"\(HTMLPlot.point(y))\" "
      + "text-anchor=\"\(anchor)\">\(HTMLText.escaped(text))</text>"
  }

  // MARK: Bounds

  private func isInside(_ bound: HTMLPlot.Course.Bound) -> Bool {
    bound.value >= scale.low && bound.value <= scale.high
  }

  /// The bounds that get a label.
  ///
  /// Their labels take precedence over the labels of round numbers.
  private var labelledBounds: [HTMLPlot.Course.Bound] {
    var labelled: [HTMLPlot.Course.Bound] = []
    for bound in course.bounds where isInside(bound) {
      if labelled.allSatisfy({ (y($0.value) - y(bound.value)).magnitude >= 13 }) {
        labelled.append(bound)
      }
    }
    return labelled
  }

  private var grid: String {
    let ticks = HTMLPlot.ticks(scale.low, scale.high)
    let step = ticks.count > 1 ? ticks[1] - ticks[0] : 1
    let taken = labelledBounds.map { y($0.value) }
    var (svg, last) = ("", "")
    for tick in ticks {
      svg += line("grid", "0", y(tick), "100%", y(tick))
      let label = Self.label(tick, step: step, course.quantity)
      if label == last || taken.contains(where: { ($0 - y(tick)).magnitude < 13 }) { continue }
      last = label
      svg += text(label, "-8", y(tick) + 4, "end", kind: "quiet")
    }
    return svg + line("axis", "0", floor, "100%", floor)
  }

  private static func label(_ tick: Double, step: Double, _ quantity: Quantity) -> String {
    if tick.magnitude < step / 2 { return quantity == .rate ? "0%" : "0" }
    return switch quantity {
    case .rate:
      NumberText.fixed(tick * 100, decimals: step > 0.009 ? 0 : step > 0.0009 ? 1 : 2) + "%"
    case .count: NumberText.fixed(tick, decimals: step > 0.9 ? 0 : 1)
    case .time, .money, .number: NumberText.text(tick, quantity)
    }
  }

  private var bounds: String {
    let inside = course.bounds.filter(isInside)
    var svg = inside.map { line("bound", "0", y($0.value), "100%", y($0.value)) }.joined()
    svg += labelledBounds.map { text($0.label, "-8", y($0.value) + 4, "end", kind: "") }.joined()
    let above = course.bounds.filter { $0.value > scale.high }.map(\.label)
    let below = course.bounds.filter { $0.value < scale.low }.map(\.label)
    if !above.isEmpty {
      svg += text("above: \(above.joined(separator: ", "))", "4", top + 10, "start", kind: "quiet")
    }
    if !below.isEmpty {
      svg += text("below: \(below.joined(separator: ", "))", "4", floor - 5, "start", kind: "quiet")
    }
    return svg
  }

  // MARK: Events between points

  /// The share of the width that a sign needs in a narrow and in a wide picture.
  private static let signWidths = (narrow: 0.045, wide: 0.025)

  private var events: String {
    var svg = ""
    var starts: [Int: Double] = [:]
    for (row, event) in course.events.enumerated() {
      let base = Double(row) * Self.rowHeight + 13
      svg += text(event.name, "-8", base, "end", kind: "quiet")
      // If signs would touch, draw only the first sign. The line of each event is still drawn.
      var (last, lastPlain) = (-1.0, -1.0)
      for place in event.places {
        starts[place] = base + 4
        let share = Double(place) / Double(course.points.count)
        let isTight = share - lastPlain < Self.signWidths.narrow
        if isTight, share - last < Self.signWidths.wide { continue }
        last = share
        if !isTight { lastPlain = share }
        let kind = isTight ? "letter tight" : "letter"
        svg += text(event.sign, self.share(Double(place)), base, "middle", kind: kind)
      }
    }
    return starts.sorted { $0.key < $1.key }.map { place, start in
      line("event", share(Double(place)), start, share(Double(place)), floor)
    }.joined() + svg
  }

  // MARK: Values

  private var joined: String {
    zip(course.points, course.points.dropFirst()).enumerated().map { index, pair in
      guard let before = pair.0.finite, let after = pair.1.finite else { return "" }
      return line("joined", x(index), y(before), x(index + 1), y(after))
    }.joined()
  }

  private var points: String {
    let size = course.points.count > 60 ? 2.0 : isDense ? 3.0 : 4.0
    return course.points.enumerated().map { index, point in
      let title = "<title>\(HTMLText.escaped(point.name))</title>"
      guard let value = point.finite else {
        return "<g>\(title)\(text("?", x(index), floor - 6, "middle", kind: "quiet"))</g>"
      }
      var svg = ""
      if let interval = point.interval, !interval.low.isNaN, !interval.high.isNaN {
        svg += line("interval", x(index), y(interval.high), x(index), y(interval.low))
      }
      let cross =
        point.missesGate
        ? text(HistoryText.missed, x(index), y(value) - 8, "middle", kind: "crossed") : ""
      return "<g>\(title)\(svg)\(sign(point.shape, x(index), y(value), size))\(cross)</g>"
    }.joined()
  }

  private func sign(_ shape: HTMLPlot.Course.Shape, _ x: String, _ y: Double, _ size: Double)
    -> String
  {
    func circle(_ kind: String) -> String {
      "<circle class=\"\(kind)\" cx=\"\(x)\" cy=\"\(HTMLPlot.point(y))\" r=\"\(HTMLPlot.point(size))\"/>"
    }
    switch shape {
    case .disc: return circle("front")
    case .ring: return circle("behind")
    case .square:
      let side = HTMLPlot.point(2 * size)
      return "<rect class=\"front\" x=\"\(x)\" y=\"\(HTMLPlot.point(y - size))\" width=\"\(side)\" "
        + "height=\"\(side)\" transform=\"translate(\(HTMLPlot.point(-size)))\"/>"
    }
  }

  /// The labels below the first and the last point.
  private var ends: String {
    let last = course.points.count - 1
    // If there are few points, they are far enough from the edges to center their labels.
    let anchors = last < 3 ? ("middle", "middle") : ("start", "end")
    var svg = ""
    for (index, anchor) in last > 0 ? [(0, anchors.0), (last, anchors.1)] : [(0, anchors.0)] {
      svg += line("axis", x(index), floor, x(index), floor + 4)
      for (row, label) in course.points[index].labels.enumerated() {
        svg += text(label, x(index), floor + 18 + Double(row) * 15, anchor, kind: "quiet")
      }
    }
    return svg
  }
}
