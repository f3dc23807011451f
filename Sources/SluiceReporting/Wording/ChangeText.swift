import SluiceGating

/// The formats of changes for people.
package enum ChangeText {
  /// Formats a metric before and after, with the difference: `7.3% → 18.8%, +11.5 points [+7.1,
  /// +17.9]`.
  ///
  /// The sign is that of the metric itself, so a rise in false positives is positive.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - quantity: The metric's unit.
  ///   - other: An interval at a different confidence, which is shown after the usual interval.
  /// - Returns: The text.
  package static func difference(
    _ change: PairedChange,
    _ quantity: Quantity,
    beside other: (confidence: String, interval: Interval)? = nil
  ) -> String {
    let sides =
      "\(NumberText.text(change.baseline, quantity)) → \(NumberText.text(change.candidate, quantity))"
    let usual = interval(change.interval, change, quantity)
    let more =
      other.map { ", at \($0.confidence): \(interval($0.interval, change, quantity))" } ?? ""
    if case .exceedances(let harmful, let beneficial, let limit) = change.basis {
      let counts =
        "\(sides); over \(NumberText.text(limit, quantity)): \(harmful) newly, \(beneficial) no longer"
      return more.isEmpty ? counts : "\(counts), \(usual) points\(more)"
    }
    let sign: Double = change.prefersSmall ? -1 : 1
    let size =
      quantity == .rate
      ? points(change.difference * sign)
      : signed(change.difference * sign, quantity)
    return "\(sides), \(size) \(usual)\(more)"
  }

  /// Formats the difference with its interval: `+11.5 points [+7.1, +17.9]`.
  ///
  /// For a percentile, the text has the number of cases above the limit, before and after.
  static func size(_ change: PairedChange, _ quantity: Quantity) -> String {
    let usual = interval(change.interval, change, quantity)
    if case .exceedances(let harmful, let beneficial, let limit) = change.basis {
      return "over \(NumberText.text(limit, quantity)): \(harmful) newly, \(beneficial) no longer"
    }
    let sign: Double = change.prefersSmall ? -1 : 1
    let size =
      quantity == .rate
      ? points(change.difference * sign)
      : signed(change.difference * sign, quantity)
    return "\(size) \(usual)"
  }

  /// Formats the current and the earlier value: `77.2%, was 100.0% (-22.8 points [-26.7, -19.4])`.
  static func was(_ change: PairedChange, _ quantity: Quantity) -> String {
    let sides = [change.candidate, change.baseline].map { NumberText.text($0, quantity) }
    let whole = difference(change, quantity)
    let size = whole.split(separator: ", ", maxSplits: 1).last.map(String.init) ?? whole
    return "\(sides[0]), was \(sides[1]) (\(size))"
  }

  /// Formats an interval of a change with the signs of the metric itself: `[+7.1, +17.9]`.
  ///
  /// Intervals of rates and of shares of cases above a limit are in points.
  static func interval(_ interval: Interval, _ change: PairedChange, _ quantity: Quantity)
    -> String
  {
    let sign: Double = change.prefersSmall ? -1 : 1
    var isShare = quantity == .rate
    if case .exceedances = change.basis { isShare = true }
    let ends = [interval.low * sign, interval.high * sign].sorted()
      .map { isShare ? signed(points: $0) : signed($0, quantity) }
    return "[\(ends.joined(separator: ", "))]"
  }

  /// Returns the numbers of cases that got worse and better, or `nil` if the metric does not count
  /// cases.
  package static func flips(_ change: PairedChange) -> String? {
    switch change.basis {
    case .flips(let harmful, let beneficial), .exceedances(let harmful, let beneficial, _):
      return "\(harmful) worse, \(beneficial) better of \(change.nText)"
    case .contributions: return nil
    }
  }

  /// Formats a signed difference of shares: `+11.5 points`, `-1 point`.
  private static func points(_ share: Double) -> String {
    let text = signed(points: share)
    switch text {
    case "+1.0", "-1.0": return "\(text.dropLast(2)) point"
    default: return "\(text) points"
    }
  }

  static func signed(points share: Double) -> String {
    let text = NumberText.fixed(share * 100, decimals: 1)
    return share > 0 && text != "0.0" ? "+" + text : text
  }

  private static func signed(_ value: Double, _ quantity: Quantity) -> String {
    let text = NumberText.text(value.magnitude, quantity)
    return value < 0 ? "-" + text : value > 0 ? "+" + text : text
  }

  /// Formats a difference with the metric's own sign and unit.
  ///
  /// Rates and shares of cases are in points.
  static func amount(_ difference: Double, _ change: PairedChange, _ quantity: Quantity) -> String {
    let value = difference * (change.prefersSmall ? -1 : 1)
    if case .exceedances = change.basis { return signed(points: value) + " pt" }
    return quantity == .rate ? signed(points: value) + " pt" : signed(value, quantity)
  }

  private static let trackWidth = 46

  /// Draws the measured change (`●`), its interval, the margin and zero on a line, with worse on
  /// the left and better on the right.
  ///
  /// ```
  /// worse ····├─────●─────┤···┊·········│···· better   ┊ margin  │ no change
  /// ```
  package static func drawing(_ change: PairedChange) -> String {
    let (interval, margin) = (change.interval, -change.margin)
    let ends = [interval.low, interval.high, margin, 0, change.difference]
    let (least, most) = (ends.min() ?? 0, ends.max() ?? 0)
    let room = max((most - least) * 0.08, 1e-9)
    let scale = Double(trackWidth - 1) / (most - least + 2 * room)
    // Infinite or undefined numbers cannot be placed on a line.
    guard ends.allSatisfy(\.isFinite), scale > 0 else { return "worse ? better" }
    func place(_ value: Double) -> Int {
      Int(((value - least + room) * scale).rounded(.toNearestOrAwayFromZero))
    }
    var track = [Character](repeating: "·", count: trackWidth)
    for index in place(interval.low)...max(place(interval.low), place(interval.high)) {
      track[index] = "─"
    }
    track[place(0)] = "│"
    track[place(margin)] = "┊"
    track[place(interval.low)] = "├"
    track[place(interval.high)] = "┤"
    // If the margin is at the lower end of the interval, draw the margin.
    if place(margin) == place(interval.low) { track[place(margin)] = "┊" }
    track[place(change.difference)] = "●"
    return "worse \(String(track)) better"
  }

  /// A list of cases that changed in the same way.
  struct CaseList {
    var ids: [String]
    /// The heading of the list in reports.
    var what: String
    /// True if the cases exist in the run; false for removed cases.
    var isHere = true
  }

  /// Returns the cases that changed, by kind of change.
  ///
  /// - Parameters:
  ///   - comparison: The comparison.
  ///   - other: The name of the reference, for example another prompt; `nil` if it is an earlier
  ///     version.
  /// - Returns: The lists that are not empty.
  static func cases(_ comparison: RunComparison, against other: String? = nil) -> [CaseList] {
    func flipped(_ flip: OutcomeFlip) -> [String] {
      comparison.flips.filter { $0.flip == flip }.map(\.caseID)
    }
    return [
      CaseList(
        ids: flipped(.harmful),
        what: other.map { "failing, but passing with \($0)" } ?? "newly failing"
      ),
      CaseList(
        ids: flipped(.beneficial),
        what: other.map { "passing, but failing with \($0)" } ?? "newly passing"
      ),
      CaseList(ids: flipped(.wrongToWrong), what: "wrong in another way"),
      CaseList(ids: comparison.changedCases, what: "changed; cannot be compared"),
      CaseList(ids: comparison.removedCases, what: "removed; cannot be compared", isHere: false),
      CaseList(ids: comparison.addedCases, what: "new; cannot be compared"),
      CaseList(ids: comparison.reslicedCases, what: "with other tags or another cluster"),
    ].filter { !$0.ids.isEmpty }
  }

  /// Returns the tags with the most credible losses, with their counts.
  static func lostTags(_ comparison: RunComparison) -> [String] {
    comparison.slices.filter { $0.adjustedP <= 0.1 && $0.harmful > $0.beneficial }
      .map { "\($0.tag) (\($0.harmful) worse, \($0.beneficial) better of \($0.n))" }
  }

  /// The text in front of the names of changed advisory scorers.
  static let advisoryScorers = "advisory scorers changed; only their metrics cannot be compared"

  /// Returns a note that some answers were left out because one side has more answers per case, or
  /// `nil` if none were left out.
  static func shortened(_ comparison: RunComparison) -> String? {
    comparison.shortenedTo.map { answers in
      let what = answers == 1 ? "the first answer" : "the first \(answers) answers"
      return "only \(what) to each case could be compared, because one side has no more"
    }
  }

  /// The meaning of the signs in a drawing.
  package static let legend = "┊ margin, │ no change, ├ 90% interval ┤"
}

extension RunComparison {
  /// True if a case has answers on both sides, so that there is a change to describe.
  var hasPairs: Bool { isIdentical || !changes.isEmpty || !flips.isEmpty }
}
