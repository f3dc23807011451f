import SluiceGating

/// Pictures of conditions.
///
/// Rates have a scale from 0 to 100%. The scale of other figures has labels at its ends.
extension HTMLPlot {
  /// The horizontal scale of a condition's picture, with space for labels at its ends.
  private struct Track {
    static let width = 360.0
    static let height = 50.0
    static let line = 24.0
    static let start = 48.0
    static let end = width - start

    let low: Double
    let high: Double
    /// The labels of the two ends.
    let ends: (low: String, high: String)

    func place(_ value: Double) -> Double {
      let share = (min(max(value, low), high) - low) / (high - low)
      return Self.start + share * (Self.end - Self.start)
    }

    /// A scale from 0 to 100%.
    static let rates = Track(low: 0, high: 1, ends: ("0", "100%"))

    /// Creates a scale that contains all values.
    ///
    /// The scale starts at 0 if no value is negative.
    init?(_ values: [Double], _ quantity: Quantity) {
      guard values.allSatisfy(\.isFinite), let least = values.min(), let most = values.max() else {
        return nil
      }
      let room = most > least ? (most - least) * 0.1 : max(most.magnitude * 0.2, 1e-3)
      self.init(
        low: least < 0 ? least - room : 0,
        high: most + room,
        quantity: quantity
      )
    }

    private init(low: Double, high: Double, quantity: Quantity) {
      self.low = low
      self.high = high
      let first = low == 0 ? "0" : NumberText.text(low, quantity)
      ends = (first, NumberText.text(high, quantity))
    }

    init(low: Double, high: Double, ends: (low: String, high: String)) {
      self.low = low
      self.high = high
      self.ends = ends
    }
  }

  /// The values to mark in a picture, in units of its scale.
  private struct Marks {
    var value: Double
    var label: String
    var interval: Interval?
    /// The value of the baseline, which is drawn as a ring.
    var ghost: Double?
    var bound: Double
    var boundLabel: String
    var refusesAbove: Bool
  }

  /// Returns a picture of a condition: the value with its interval, and the required bound.
  ///
  /// Values that do not meet the condition are hatched.
  ///
  /// - Parameters:
  ///   - decision: The decided condition.
  ///   - baseline: The value of the same metric in the baseline, or `nil` if there is none.
  /// - Returns: A picture with a text alternative; empty if there is nothing to draw.
  static func decision(_ decision: Decision, baseline: Double? = nil) -> String {
    if let change = decision.change { return regression(decision, change) }
    guard let value = decision.estimate.value, value.isFinite,
      case .comparison(let comparison, let bound, _) = decision.condition.demand
    else { return "" }
    let quantity = decision.metric.quantity
    let interval = (decision.bounds ?? decision.estimate.interval).flatMap {
      $0.low.isFinite && $0.high.isFinite ? $0 : nil
    }
    let values = [value, bound] + [baseline].compactMap(\.self)
    let track =
      quantity == .rate
      ? Track.rates : Track(values + (interval.map { [$0.low, $0.high] } ?? []), quantity)
    guard let track else { return "" }
    var name = NumberText.text(value, quantity)
    if let interval { name += ", interval \(NumberText.text(interval, quantity))" }
    if let baseline { name += ", baseline \(NumberText.text(baseline, quantity))" }
    let wanted = comparison.wantsSmall ? "at most" : "at least"
    name += "; required: \(wanted) \(NumberText.text(bound, quantity))"
    let marks = Marks(
      value: value,
      label: decision.valueText,
      interval: interval,
      ghost: baseline,
      bound: bound,
      boundLabel: "\(comparison.sign) \(NumberText.text(bound, quantity))",
      refusesAbove: comparison.wantsSmall
    )
    return picture(marks, on: track, name: name)
  }

  /// Returns a picture of a change and its margin.
  ///
  /// A rate is drawn on a scale from 0 to 100%, with the baseline as a ring. Any other figure is
  /// drawn as a difference; worse is on the left.
  private static func regression(_ decision: Decision, _ change: PairedChange) -> String {
    let quantity = decision.metric.quantity
    let name = "change with its 90% interval: \(ChangeText.difference(change, quantity))"
    let ends = [change.interval.low, change.interval.high]
    let numbers = ends + [-change.margin, change.difference, change.baseline, change.candidate]
    guard numbers.allSatisfy(\.isFinite) else { return "" }
    guard quantity == .rate else { return difference(change, quantity, name: name) }
    let sign: Double = change.prefersSmall ? -1 : 1
    let sides = ends.map { change.baseline + $0 * sign }.sorted()
    let bound = change.baseline - change.margin * sign
    let marks = Marks(
      value: change.candidate,
      label: NumberText.text(change.candidate, quantity),
      interval: decision.reason == .identical ? nil : Interval(low: sides[0], high: sides[1]),
      ghost: change.baseline,
      bound: bound,
      boundLabel: "limit \(NumberText.text(min(max(bound, 0), 1), quantity))",
      refusesAbove: change.prefersSmall
    )
    return picture(marks, on: .rates, name: name)
  }

  private static func difference(_ change: PairedChange, _ quantity: Quantity, name: String)
    -> String
  {
    let values = [change.interval.low, change.interval.high, -change.margin, 0, change.difference]
    guard let least = values.min(), let most = values.max(), most > least else { return "" }
    let room = (most - least) * 0.1
    let (low, high) = (least - room, most + room)
    let track = Track(
      low: low,
      high: high,
      ends: (
        ChangeText.amount(low, change, quantity), ChangeText.amount(high, change, quantity)
      )
    )
    let marks = Marks(
      value: change.difference,
      label: ChangeText.amount(change.difference, change, quantity),
      interval: change.interval,
      ghost: 0,
      bound: -change.margin,
      boundLabel: "margin",
      refusesAbove: false
    )
    return picture(marks, on: track, name: name)
  }

  private static func picture(_ marks: Marks, on track: Track, name: String) -> String {
    let (line, start, end) = (Track.line, Track.start, Track.end)
    let bound = track.place(marks.bound)
    let refused = marks.refusesAbove ? (bound, end) : (start, bound)
    var svg = open(Track.width, Track.height, name)
    svg += rectangle("refused", refused.0, line - 8, refused.1 - refused.0, 16)
    svg += horizontal("axis", start, end, line)
    svg += vertical("axis", start, line - 4, line + 4) + vertical("axis", end, line - 4, line + 4)
    svg += text("quiet", track.ends.low, start - 10, line + 4, anchor: "end")
    svg += text("quiet", track.ends.high, end + 10, line + 4, anchor: "start")
    svg += vertical("bound", bound, line - 12, line + 12)
    if let ghost = marks.ghost { svg += circle("ghost", track.place(ghost), line, 5) }
    if let interval = marks.interval {
      svg += whiskers(track.place(interval.low), track.place(interval.high), line)
    }
    svg += circle("value", track.place(marks.value), line, 4.5)
    svg += label(marks.label, track.place(marks.value), 10, within: Track.width, kind: "strong")
    svg += label(marks.boundLabel, bound, Track.height - 3, within: Track.width, kind: "limit")
    return svg + "</svg>"
  }

  /// Returns a picture of a share with its interval on a line from 0 to 1, and the baseline as a
  /// ring.
  static func share(_ estimate: Estimate, baseline: Double? = nil) -> String {
    guard let value = estimate.value else { return "" }
    let width = 160.0
    func place(_ value: Double) -> Double { 6 + min(max(value, 0), 1) * (width - 12) }
    var name = NumberText.text(estimate, .rate)
    if let baseline { name += ", baseline \(NumberText.text(baseline, .rate))" }
    var svg = open(width, 18, name)
    svg += horizontal("axis", 6, width - 6, 9)
    svg += vertical("axis", 6, 5, 13) + vertical("axis", width - 6, 5, 13)
    if let baseline, baseline.isFinite { svg += circle("ghost", place(baseline), 9, 4.5) }
    if let interval = estimate.interval {
      svg += whiskers(place(interval.low), place(interval.high), 9)
    }
    return svg + circle("value", place(value), 9, 4) + "</svg>"
  }

  private static func circle(_ kind: String, _ x: Double, _ y: Double, _ radius: Double) -> String {
    "<circle class=\"\(kind)\" cx=\"\(point(x))\" cy=\"\(point(y))\" r=\"\(point(radius))\"/>"
  }

  private static func text(
    _ kind: String,
    _ text: String,
    _ x: Double,
    _ y: Double,
    anchor: String
  ) -> String {
    "<text class=\"\(kind)\" x=\"\(point(x))\" y=\"\(point(y))\" text-anchor=\"\(anchor)\">"
      + "\(HTMLText.escaped(text))</text>"
  }
}
