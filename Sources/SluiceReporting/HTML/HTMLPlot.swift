import SluiceGating

/// Plots as SVG.
///
/// Shapes and words are enough to read the plots without color.
enum HTMLPlot {
  /// The space in pixels for the labels at each end of an axis.
  static let margin = 24.0

  /// Formats a number as a coordinate.
  static func point(_ value: Double) -> String { NumberText.fixed(value, decimals: 1) }

  /// The definition of the hatching for rejected values, which a page includes once.
  static let patterns = """
    <svg width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" \
    patternUnits="userSpaceOnUse"><path class="hatch" d="M0 6 6 0"/></pattern></defs></svg>

    """

  /// A scale from values to positions on a line.
  struct Scale {
    let low: Double
    let high: Double
    let width: Double

    /// Creates a scale that contains all values, or returns `nil` if they cannot be placed on a
    /// line.
    init?(_ values: [Double], width: Double, within limits: Interval? = nil) {
      let finite = values.filter(\.isFinite)
      guard let least = finite.min(), let most = finite.max() else { return nil }
      let spread = most - least
      // If all values are equal, the scale still needs some width.
      let room = spread > 0 ? spread * 0.15 : max(most.magnitude * 0.1, 1e-3)
      low = max(least - room, limits?.low ?? -.infinity)
      high = min(most + room, limits?.high ?? .infinity)
      self.width = width
      if !(high > low) { return nil }
    }

    func place(_ value: Double) -> Double {
      let share = (min(max(value, low), high) - low) / (high - low)
      return HTMLPlot.margin + share * (width - 2 * HTMLPlot.margin)
    }
  }

  // MARK: Distributions

  private static let binCount = 24

  /// Returns a histogram of times, with the median and the 95th percentile marked.
  ///
  /// - Parameters:
  ///   - times: The times in milliseconds.
  ///   - name: The name of the measurement.
  /// - Returns: A figure; empty without times.
  static func times(_ times: [Double], name: String) -> String {
    let sorted = times.filter(\.isFinite).sorted()
    guard let median = Percentile.of(50, sorted: sorted),
      let high = Percentile.of(95, sorted: sorted),
      let least = sorted.first, let most = sorted.last
    else { return "" }
    // A few very long times must not compress all others into one column.
    let (low, top) = (least, max(min(most, high * 2), least + 1))
    var bins = [Int](repeating: 0, count: binCount)
    for time in sorted {
      let share = (min(time, top) - low) / (top - low)
      bins[min(binCount - 1, Int(share * Double(binCount)))] += 1
    }
    let (width, height, floor) = (320.0, 120.0, 96.0)
    let step = (width - 2 * margin) / Double(binCount)
    let tallest = Double(bins.max() ?? 1)
    func place(_ time: Double) -> Double {
      margin + (min(max(time, low), top) - low) / (top - low) * (width - 2 * margin)
    }
    let texts = (NumberText.text(median, .time), NumberText.text(high, .time))
    var svg = open(width, height, "\(name): \(sorted.count) times, p50 \(texts.0), p95 \(texts.1)")
    for (index, count) in bins.enumerated() where count > 0 {
      let tall = max(1.5, Double(count) / tallest * 64)
      svg += rectangle("column", margin + Double(index) * step, floor - tall, step - 1, tall)
    }
    svg += horizontal("axis", margin, width - margin, floor)
    svg += vertical("bound", place(median), 14, floor) + vertical("bound", place(high), 28, floor)
    // The labels are on different lines, so that they do not overlap if the percentiles are close.
    svg += label("p50 \(texts.0)", place(median), 10, within: width)
    svg += label("p95 \(texts.1)", place(high), 24, within: width)
    svg += label(NumberText.text(low, .time), margin, 113, within: width)
    let end = most > top ? "over \(NumberText.text(top, .time))" : NumberText.text(top, .time)
    svg += label(end, width - margin, 113, within: width)
    return svg + "</svg>"
  }

  // MARK: Quality against cost

  /// A configuration in a plot of quality against cost.
  struct Candidate {
    var name: String
    var quality: Double
    var interval: Interval?
    /// The cost of a call in dollars, or in tokens if prices are unknown.
    var cost: Double

    fileprivate var point: QualityAtCost { QualityAtCost(quality: quality, cost: cost) }
  }

  /// Returns a plot of quality against cost.
  ///
  /// Pareto-optimal configurations are filled dots, all others are rings.
  ///
  /// - Parameters:
  ///   - candidates: The configurations.
  ///   - quantity: The unit of the configurations' costs.
  /// - Returns: A picture; empty for fewer than two configurations.
  static func front(_ candidates: [Candidate], cost quantity: Quantity) -> String {
    let (width, height) = (560.0, 280.0)
    let (left, right, top, floor) = (64.0, 540.0, 16.0, 232.0)
    guard candidates.count > 1 else { return "" }
    let ends = candidates.flatMap { [$0.quality] + ($0.interval.map { [$0.low, $0.high] } ?? []) }
    let (least, most) = (max(0, (ends.min() ?? 0) - 0.02), min(1, (ends.max() ?? 1) + 0.02))
    let dearest = (candidates.map(\.cost).max() ?? 0) * 1.15
    guard most > least, dearest > 0 else { return "" }
    func x(_ cost: Double) -> Double { left + cost / dearest * (right - left) }
    func y(_ quality: Double) -> Double {
      floor - (quality - least) / (most - least) * (floor - top)
    }
    func isBest(_ one: Candidate) -> Bool { one.point.isOnFront(of: candidates.map(\.point)) }
    let unit = quantity == .money ? "cost per call" : "tokens per call"
    var svg = open(
      width,
      height,
      "Accuracy against \(unit): "
        + candidates.enumerated().map { index, one in
          "\(ConfigurationComparison.letter(index)) \(one.name) "
            + "\(NumberText.text(one.quality, .rate)) for "
            + "\(NumberText.text(one.cost, quantity))\(isBest(one) ? ", on the front" : "")"
        }.joined(separator: "; ")
    )
    svg += horizontal("axis", left, right, floor) + vertical("axis", left, top, floor)
    for quality in ticks(least, most) {
      svg += horizontal("grid", left, right, y(quality))
      svg +=
        "<text class=\"quiet\" x=\"\(point(left - 6))\" y=\"\(point(y(quality) + 4))\" "
        + "text-anchor=\"end\">\(NumberText.fixed(quality * 100, decimals: 0))%</text>"
    }
    for cost in ticks(0, dearest) {
      let text = cost == 0 ? "0" : NumberText.text(cost, quantity)
      svg += label(text, x(cost), floor + 18, within: width)
    }
    svg += label(unit, (left + right) / 2, floor + 40, within: width)
    for (index, one) in candidates.enumerated() {
      if let interval = one.interval {
        svg += vertical("interval", x(one.cost), y(interval.high), y(interval.low))
      }
      svg +=
        "<circle class=\"\(isBest(one) ? "front" : "behind")\" cx=\"\(point(x(one.cost)))\" "
        + "cy=\"\(point(y(one.quality)))\" r=\"6\"/>"
      svg +=
        "<text x=\"\(point(x(one.cost) + 10))\" y=\"\(point(y(one.quality) - 8))\">"
        + "\(ConfigurationComparison.letter(index))</text>"
    }
    return svg + "</svg>"
  }

  /// Returns about five round numbers between two numbers.
  static func ticks(_ low: Double, _ high: Double) -> [Double] {
    var (step, index) = (1e-9, 0)
    // 1, 2, 5, 10, 20, 50, …
    let factors = [2, 2.5, 2]
    while (high - low) / step > 6 {
      step *= factors[index % 3]
      index += 1
    }
    return stride(from: (low / step).rounded(.up) * step, through: high, by: step).map { $0 }
  }

  // MARK: Shapes

  static func open(_ width: Double, _ height: Double, _ name: String) -> String {
    let size = "width=\"\(Int(width))\" height=\"\(Int(height))\""
    return "<svg viewBox=\"0 0 \(Int(width)) \(Int(height))\" \(size) role=\"img\" "
      + "aria-label=\"\(HTMLText.escaped(name))\">"
  }

  static func rectangle(
    _ kind: String,
    _ x: Double,
    _ y: Double,
    _ width: Double,
    _ height: Double
  ) -> String {
    guard width > 0 else { return "" }
    return "<rect class=\"\(kind)\" x=\"\(point(x))\" y=\"\(point(y))\" "
      + "width=\"\(point(width))\" height=\"\(point(height))\"/>"
  }

  static func horizontal(_ kind: String, _ from: Double, _ to: Double, _ y: Double)
    -> String
  {
    "<path class=\"\(kind)\" d=\"M\(point(from)) \(point(y))H\(point(to))\"/>"
  }

  static func vertical(_ kind: String, _ x: Double, _ from: Double, _ to: Double) -> String {
    "<path class=\"\(kind)\" d=\"M\(point(x)) \(point(from))V\(point(to))\"/>"
  }

  /// Returns the markup of an interval: a line with a bar at each end.
  static func whiskers(_ low: Double, _ high: Double, _ y: Double) -> String {
    "<path class=\"interval\" d=\"M\(point(low)) \(point(y - 6))v12M\(point(low)) \(point(y))"
      + "H\(point(high))M\(point(high)) \(point(y - 6))v12\"/>"
  }

  /// Returns a label that stays inside the picture.
  static func label(
    _ text: String,
    _ x: Double,
    _ y: Double,
    within width: Double,
    kind: String = ""
  ) -> String {
    let half = Double(text.count) * 3.9
    let place = min(max(x, half), width - half)
    let name = kind.isEmpty ? "" : " class=\"\(kind)\""
    return "<text\(name) x=\"\(point(place))\" y=\"\(point(y))\" text-anchor=\"middle\">"
      + "\(HTMLText.escaped(text))</text>"
  }
}
