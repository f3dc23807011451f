import SluiceGating

/// Plots of quality against cost.
///
/// Each configuration is a dot with its interval and its name.
extension HTMLPlot {
  /// A configuration in a picture.
  struct Dot {
    var letter: String
    var name: String
    var quality: Double
    var interval: Interval?
    /// The cost of a call in the measure of the picture; `nil` if the picture shows only quality.
    var amount: Double?
    /// The amount in words.
    var amountText = ""
    /// True if the configuration is Pareto-optimal, so that its dot is filled.
    var isBest = false
  }

  /// The widths in pixels of the two versions of a picture.
  ///
  /// A page shows the version that fits.
  static let pictureWidths = (wide: 780.0, narrow: 340.0)

  /// Returns a plot of configurations, with cost from left to right and quality upwards.
  ///
  /// - Parameters:
  ///   - dots: The configurations.
  ///   - measure: The measure of cost, such as dollars or tokens.
  /// - Returns: Two versions of the picture, of which the page shows the one that fits; empty if
  ///   fewer than two configurations have values.
  static func tradeoff(_ dots: [Dot], _ measure: TradeoffText.Measure) -> String {
    guard dots.count > 1 else { return "" }
    let name =
      "Accuracy against \(measure.axis): "
      + dots.map { dot in
        "\(dot.letter) \(dot.name) \(NumberText.text(dot.quality, .rate))"
          + (dot.interval.map { ", interval \(NumberText.text($0, .rate))" } ?? "")
          + " for \(dot.amountText)" + (dot.isBest ? ", best for its price" : "")
      }.joined(separator: "; ")
    let pictures = [("wide", pictureWidths.wide, 340.0), ("narrow", pictureWidths.narrow, 330.0)]
      .compactMap { kind, width, height in
        TradeoffDrawing(dots, measure, width: width, height: height)?.svg(kind, name)
      }
    return pictures.joined()
  }

  /// Returns a plot of configurations in rows, with their values and intervals on one scale.
  ///
  /// - Parameter dots: The configurations.
  /// - Returns: Two versions of the picture; empty if no value is known.
  static func qualities(_ dots: [Dot]) -> String {
    if dots.isEmpty { return "" }
    let name =
      "Accuracy: "
      + dots.map { dot in
        "\(dot.letter) \(dot.name) \(NumberText.text(dot.quality, .rate))"
          + (dot.interval.map { ", interval \(NumberText.text($0, .rate))" } ?? "")
      }.joined(separator: "; ")
    let rows = dots.map { dot in
      Row(
        title: "\(dot.letter) \(dot.name)",
        low: dot.interval?.low ?? dot.quality,
        value: dot.quality,
        high: dot.interval?.high ?? dot.quality,
        text: NumberText.text(dot.quality, .rate)
      )
    }
    return pictures(rows, .rate, name: name, hasEnds: true)
  }

  /// Returns a plot of the median and the 95th percentile of each configuration's times, on one
  /// scale from 0.
  static func percentiles(_ rows: [(title: String, median: Double, high: Double)]) -> String {
    if rows.isEmpty { return "" }
    let texts = rows.map { row in
      "p50 \(NumberText.text(row.median, .time)), p95 \(NumberText.text(row.high, .time))"
    }
    let name = "Times: " + zip(rows, texts).map { "\($0.title) \($1)" }.joined(separator: "; ")
    let drawn = zip(rows, texts).map { row, text in
      Row(title: row.title, low: 0, value: row.median, high: row.high, text: text)
    }
    return pictures(drawn, .time, name: name, hasEnds: false)
  }

  // MARK: Changes

  /// Returns a scale that fits several changes of rates; worse is on the left, better on the right.
  static func changeScale(_ changes: [PairedChange], width: Double = 220) -> Scale? {
    Scale(
      changes.flatMap { [$0.interval.low, $0.interval.high, -$0.margin, 0, $0.difference] },
      width: width
    )
  }

  /// Returns a picture of a rate's change, with marks at zero and at the margin.
  static func change(_ change: PairedChange, _ quantity: Quantity, on scale: Scale) -> String {
    let ends = [change.interval.low, change.interval.high, change.difference]
    guard ends.allSatisfy(\.isFinite) else { return "" }
    var svg = open(scale.width, 22, "change (left is worse): \(ChangeText.size(change, quantity))")
    svg += horizontal("grid", scale.place(scale.low), scale.place(scale.high), 11)
    svg += vertical("axis", scale.place(0), 1, 21)
    if change.margin > 0 { svg += vertical("bound", scale.place(-change.margin), 1, 21) }
    svg += whiskers(scale.place(change.interval.low), scale.place(change.interval.high), 11)
    let place = point(scale.place(change.difference))
    return svg + "<circle class=\"value\" cx=\"\(place)\" cy=\"11\" r=\"4\"/></svg>"
  }

  // MARK: Rows

  private struct Row {
    var title: String
    var low: Double
    var value: Double
    var high: Double
    var text: String
  }

  private static let rowHeight = 44.0

  /// Returns a wide and a narrow version of a picture with rows; titles are above their rows.
  ///
  /// If `hasEnds` is true, each row has a line with ends from its low to its high value. Otherwise,
  /// a line joins the value to a dot at the high value.
  private static func pictures(
    _ rows: [Row],
    _ quantity: Quantity,
    name: String,
    hasEnds: Bool
  ) -> String {
    [("wide", pictureWidths.wide), ("narrow", pictureWidths.narrow)].compactMap { kind, width in
      rowsPicture(rows, quantity, kind, width, name: name, hasEnds: hasEnds)
    }.joined()
  }

  private static func rowsPicture(
    _ rows: [Row],
    _ quantity: Quantity,
    _ kind: String,
    _ width: Double,
    name: String,
    hasEnds: Bool
  ) -> String? {
    let ends = rows.flatMap { [$0.low, $0.value, $0.high] }
    let limits = Interval(low: 0, high: quantity == .rate ? 1 : .infinity)
    guard let scale = Scale(ends, width: width, within: limits) else { return nil }
    let floor = Double(rows.count) * rowHeight + 4
    var svg = open(width, floor + 22, name, kind: kind)
    for tick in ticks(scale.low, scale.high) {
      svg += vertical("grid", scale.place(tick), 2, floor)
      svg += label(
        tickText(tick, quantity, step: scale.high - scale.low),
        scale.place(tick),
        floor + 16,
        within: width,
        kind: "quiet"
      )
    }
    for (index, row) in rows.enumerated() {
      let y = Double(index) * rowHeight + 32
      let title = Lettering.fitted(
        row.title,
        to: width - 2 * margin - Lettering.width(row.text) - 16
      )
      svg += text(title, margin, y - 14, "start", kind: "strong")
      svg += text(row.text, width - margin, y - 14, "end", kind: "")
      if hasEnds {
        svg += whiskers(scale.place(row.low), scale.place(row.high), y)
      } else {
        svg += horizontal("joined", scale.place(row.value), scale.place(row.high), y)
        svg +=
          "<circle class=\"behind\" cx=\"\(point(scale.place(row.high)))\" cy=\"\(point(y))\" r=\"4.5\"/>"
      }
      svg +=
        "<circle class=\"value\" cx=\"\(point(scale.place(row.value)))\" cy=\"\(point(y))\" r=\"5\"/>"
    }
    return svg + "</svg>"
  }

  // MARK: Pieces

  static func open(_ width: Double, _ height: Double, _ name: String, kind: String) -> String {
    open(width, height, name).replacing(
      "<svg ",
      with: "<svg class=\"\(kind)\" ",
      maxReplacements: 1
    )
  }

  static func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String, kind: String)
    -> String
  {
    let name = kind.isEmpty ? "" : " class=\"\(kind)\""
    return "<text\(name) x=\"\(point(x))\" y=\"\(point(y))\" text-anchor=\"\(anchor)\">"
      + "\(HTMLText.escaped(text))</text>"
  }

  /// Returns the label of a round number on an axis, with as many decimals as the range needs.
  static func tickText(_ tick: Double, _ quantity: Quantity, step range: Double) -> String {
    if tick.magnitude < range * 1e-6 { return quantity == .rate ? "0%" : "0" }
    return switch quantity {
    case .rate: NumberText.fixed(tick * 100, decimals: range < 0.04 ? 1 : 0) + "%"
    case .count: NumberText.fixed(tick, decimals: range < 4 ? 1 : 0)
    case .time, .money, .number: NumberText.text(tick, quantity)
    }
  }

  /// The estimated widths of texts in a picture, since no browser is available to measure them.
  enum Lettering {
    /// Returns an upper estimate of the width of a text at a size of 12 pixels.
    static func width(_ text: String) -> Double { Double(TerminalText.width(of: text)) * 7.2 }

    /// Returns a name if it fits into a width, or its first word if it does not fit.
    ///
    /// The first word is the configuration's letter in the table.
    static func fitted(_ text: String, to width: Double) -> String {
      if Self.width(TerminalText.visible(text)) <= width { return text }
      return String(text.prefix { $0 != " " })
    }
  }
}

/// The positions of dots and labels in a plot of quality against cost.
private struct TradeoffDrawing {
  private let dots: [HTMLPlot.Dot]
  private let measure: TradeoffText.Measure
  private let width: Double
  private let height: Double
  private let left = 46.0
  private let top = 12.0
  private var right: Double { width - 12 }
  private var floor: Double { height - 46 }
  private let quality: (low: Double, high: Double)
  private let amount: (low: Double, high: Double)
  /// True if amounts differ so much that the scale is logarithmic.
  private let isLogarithmic: Bool
  private var places: [(x: Double, y: Double)] = []

  private struct Box {
    var (left, top, right, bottom): (Double, Double, Double, Double)

    func contains(_ place: (x: Double, y: Double)) -> Bool {
      place.x > left - 3 && place.x < right + 3 && place.y > top - 2 && place.y < bottom + 2
    }

    func overlap(_ other: Box) -> Double {
      let wide = min(right, other.right) - max(left, other.left)
      let tall = min(bottom, other.bottom) - max(top, other.top)
      return wide > 0 && tall > 0 ? wide * tall : 0
    }
  }

  init?(_ dots: [HTMLPlot.Dot], _ measure: TradeoffText.Measure, width: Double, height: Double) {
    let amounts = dots.compactMap(\.amount).filter { $0.isFinite && $0 > 0 }
    guard amounts.count == dots.count, let least = amounts.min(), let most = amounts.max() else {
      return nil
    }
    let ends = dots.flatMap { [$0.quality, $0.interval?.low, $0.interval?.high] }.compactMap(\.self)
    guard ends.allSatisfy(\.isFinite), let lowest = ends.min(), let highest = ends.max() else {
      return nil
    }
    let room = max((highest - lowest) * 0.12, 0.01)
    quality = (max(0, lowest - room), min(1, highest + room))
    isLogarithmic = most / least > 30
    amount = isLogarithmic ? (least / 1.6, most * 1.6) : (0, most * 1.15)
    (self.dots, self.measure, self.width, self.height) = (dots, measure, width, height)
    guard quality.high > quality.low, amount.high.isFinite, amount.high > amount.low else {
      return nil
    }
    places = Self.apart(dots.map { (x($0.amount ?? 0), y($0.quality)) })
  }

  /// Moves overlapping dots apart, so that each interval is visible.
  private static func apart(_ places: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    var places = places
    let order = places.indices.sorted { (places[$0].x, $0) < (places[$1].x, $1) }
    for (before, after) in zip(order, order.dropFirst()) {
      places[after].x = max(places[after].x, places[before].x + 14)
    }
    return places
  }

  private func x(_ amount: Double) -> Double {
    let share =
      isLogarithmic
      ? Logarithm.ratio(amount, self.amount)
      : (amount - self.amount.low) / (self.amount.high - self.amount.low)
    return left + share * (right - left)
  }

  private func y(_ quality: Double) -> Double {
    floor - (quality - self.quality.low) / (self.quality.high - self.quality.low) * (floor - top)
  }

  func svg(_ kind: String, _ name: String) -> String {
    HTMLPlot.open(width, height, name, kind: kind) + axes + front + labels + marks + "</svg>"
  }

  // MARK: Axes

  private var axes: String {
    var svg = ""
    for tick in HTMLPlot.ticks(quality.low, quality.high) {
      svg += HTMLPlot.horizontal("grid", left, right, y(tick))
      let text = HTMLPlot.tickText(tick, .rate, step: quality.high - quality.low)
      svg += HTMLPlot.text(text, left - 8, y(tick) + 4, "end", kind: "quiet")
    }
    svg += HTMLPlot.horizontal("axis", left, right, floor)
    var last = -Double.infinity
    for tick in amounts {
      let text = HTMLPlot.tickText(tick, measure.quantity, step: amount.high - amount.low)
      let half = HTMLPlot.Lettering.width(text) / 2
      guard x(tick) - half > last + 6 else { continue }
      last = x(tick) + half
      svg += HTMLPlot.vertical("axis", x(tick), floor, floor + 4)
      svg += HTMLPlot.label(text, x(tick), floor + 18, within: width, kind: "quiet")
    }
    let axis = measure.axis + (isLogarithmic ? " (ratio scale)" : "")
    return svg
      + HTMLPlot.label("\(axis) →", (left + right) / 2, height - 6, within: width, kind: "quiet")
  }

  private var amounts: [Double] {
    isLogarithmic
      ? Logarithm.ticks(amount.low, amount.high) : HTMLPlot.ticks(amount.low, amount.high)
  }

  /// The line through the Pareto-optimal configurations.
  private var front: String {
    if frontPlaces.count < 2 { return "" }
    let points = frontPlaces.map { "\(HTMLPlot.point($0.x)) \(HTMLPlot.point($0.y))" }
    return "<path class=\"joined frontier\" d=\"M\(points.joined(separator: "L"))\"/>"
  }

  private var frontPlaces: [(x: Double, y: Double)] {
    dots.indices.filter { dots[$0].isBest }.map { places[$0] }.sorted { $0.x < $1.x }
  }

  /// Points along ``front``, so close to each other that no label fits between two neighbors.
  private var alongFront: [(x: Double, y: Double)] {
    zip(frontPlaces, frontPlaces.dropFirst()).flatMap { from, to in
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let steps = max(1, Int((max(dx.magnitude, dy.magnitude) / 5).rounded(.up)))
      return (0...steps).map { step in
        let share = Double(step) / Double(steps)
        return (from.x + dx * share, from.y + dy * share)
      }
    }
  }

  // MARK: Dots

  private var marks: String {
    zip(dots, places).map { dot, place in
      var svg = ""
      if let interval = dot.interval {
        let (high, low) = (HTMLPlot.point(y(interval.high)), HTMLPlot.point(y(interval.low)))
        let x = HTMLPlot.point(place.x)
        svg +=
          "<path class=\"interval\" d=\"M\(HTMLPlot.point(place.x - 5)) \(high)h10M\(x) "
          + "\(high)V\(low)M\(HTMLPlot.point(place.x - 5)) \(low)h10\"/>"
      }
      return svg
        + "<circle class=\"\(dot.isBest ? "front" : "behind")\" cx=\"\(HTMLPlot.point(place.x))\" "
        + "cy=\"\(HTMLPlot.point(place.y))\" r=\"6\"/>"
    }.joined()
  }

  /// The names of the dots.
  ///
  /// Each name is placed where it covers nothing else.
  private var labels: String {
    let marks = zip(dots, places).map { dot, place in
      Box(
        left: place.x - 8,
        top: dot.interval.map { y($0.high) } ?? place.y - 8,
        right: place.x + 8,
        bottom: dot.interval.map { y($0.low) } ?? place.y + 8
      )
    }
    var taken: [Box] = []
    var svg = ""
    let line = alongFront
    for (dot, place) in zip(dots, places) {
      let title = HTMLPlot.Lettering.fitted("\(dot.letter) \(dot.name)", to: width * 0.6)
      let figures = "\(NumberText.text(dot.quality, .rate)) · \(dot.amountText)"
      let wide = max(HTMLPlot.Lettering.width(title), HTMLPlot.Lettering.width(figures))
      let box = box(wide, beside: place, avoiding: taken, marks, line)
      taken.append(box)
      let isLeft = box.right < place.x
      let (x, anchor) = isLeft ? (box.right, "end") : (box.left, "start")
      if (box.top + 15 - place.y).magnitude > 24 {
        svg +=
          "<path class=\"grid\" d=\"M\(HTMLPlot.point(place.x)) \(HTMLPlot.point(place.y))"
          + "L\(HTMLPlot.point(x)) \(HTMLPlot.point(box.top + 15))\"/>"
      }
      svg += HTMLPlot.text(title, x, box.top + 12, anchor, kind: "strong")
      svg += HTMLPlot.text(figures, x, box.top + 27, anchor, kind: "quiet")
    }
    return svg
  }

  private func box(
    _ wide: Double,
    beside place: (x: Double, y: Double),
    avoiding taken: [Box],
    _ marks: [Box],
    _ line: [(x: Double, y: Double)]
  ) -> Box {
    var best: (box: Box, cost: Double)?
    for offset in [0.0, -18, 18, -36, 36, -54, 54, -72, 72, -96, 96, -120, 120] {
      for isRight in [true, false] {
        let start = isRight ? place.x + 13 : place.x - 13 - wide
        let top = place.y - 15 + offset
        let box = Box(left: start, top: top, right: start + wide, bottom: top + 31)
        let outside =
          max(0, left - box.left) + max(0, box.right - width) + max(0, -box.top)
          + max(0, box.bottom - floor)
        let cost =
          outside * 1_000 + taken.reduce(0) { $0 + $1.overlap(box) } * 20
          + marks.reduce(0) { $0 + $1.overlap(box) } + offset.magnitude * 0.5
          + Double(line.count { box.contains($0) }) * 60
        if cost < best?.cost ?? .infinity { best = (box, cost) }
      }
    }
    return best?.box
      ?? Box(left: place.x + 13, top: place.y, right: place.x + 13 + wide, bottom: place.y + 31)
  }
}

/// Positions on a logarithmic scale.
private enum Logarithm {
  /// Returns the position of a value on a logarithmic scale: 0 at the low end, 1 at the high end.
  static func ratio(_ value: Double, _ ends: (low: Double, high: Double)) -> Double {
    doublings(value / ends.low) / doublings(ends.high / ends.low)
  }

  /// Returns the binary logarithm, computed bit by bit through repeated squaring.
  ///
  /// The system's logarithm may differ in the last bit, but pages must have the same bytes on all
  /// systems.
  private static func doublings(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    var result = Double(value.exponent)
    var (rest, share) = (value.significand, 0.5)
    for _ in 0..<20 {
      rest *= rest
      if rest >= 2 {
        rest /= 2
        result += share
      }
      share /= 2
    }
    return result
  }

  /// Returns the numbers 1, 2, 5, 10, … between two values.
  static func ticks(_ low: Double, _ high: Double) -> [Double] {
    var (tick, index) = (1e-9, 0)
    var ticks: [Double] = []
    while tick <= high, index < 100 {
      if tick >= low { ticks.append(tick) }
      tick *= [2, 2.5, 2][index % 3]
      index += 1
    }
    return ticks
  }
}
