import SluiceCore

/// Decides whether a candidate is worse than its baseline: three ways, with a reason.
///
/// With the two-sided 90% interval of the difference, positive being better, a candidate passes when
/// the whole interval lies above the margin, and fails when it lies below; between the two the data do
/// not say. A loss that is credible and at least as large as the margin fails as well, unless the
/// suite wants to be warned only.
package struct RegressionRule: Hashable, Sendable {
  /// What a loss does that is credible, at least as large as the margin, but perhaps smaller in truth.
  package enum CredibleRegressionPolicy: String, Hashable, Sendable, CaseIterable {
    case fail, warn
  }

  package var policy: CredibleRegressionPolicy

  package init(policy: CredibleRegressionPolicy = .fail) { self.policy = policy }

  /// Decides on a change.
  package func judge(_ change: PairedChange) -> (verdict: Verdict, reason: Reason) {
    let isWorse = change.interval.high < 0
    if change.interval.low > -change.margin {
      if change.interval.low > 0 { return (.pass, .improved) }
      return (.pass, isWorse ? .smallCredibleRegression : .withinMargin)
    }
    if change.interval.high < -change.margin { return (.fail, .credibleRegression) }
    if isWorse {
      return (
        isBeyondMargin(change) && policy == .fail ? .fail : .inconclusive,
        .credibleRegressionSizeUnknown
      )
    }
    return (.inconclusive, Self.canPass(change) ? .underpowered : .marginTooTight)
  }

  /// The probability of what makes the candidate fail, had nothing got worse, for ``Holm``.
  func p(_ change: PairedChange) -> Double {
    isBeyondMargin(change) && policy == .fail ? change.pWorse : change.pBeyondMargin
  }

  private func isBeyondMargin(_ change: PairedChange) -> Bool {
    // Twentieths are no binary fractions: 1 of 20 is beyond a margin of 5 points.
    change.difference <= -change.margin + 1e-12
  }

  /// Whether a change of nothing at all would pass.
  private static func canPass(_ change: PairedChange) -> Bool {
    switch change.basis {
    case .flips, .exceedances: canPass(margin: change.margin, n: change.clusters ?? change.n)
    case .contributions: change.margin > 0
    }
  }

  /// Returns whether that many cases, or clusters of cases, could pass a margin if none of them changed.
  package static func canPass(margin: Double, n: Int) -> Bool {
    n > 0 && margin > 0 && Tango.interval(harmful: 0, beneficial: 0, of: n).low > -margin
  }

  /// How many cases it takes to pass a margin if none of them changes.
  package static func leastCases(margin: Double) -> Int? {
    guard margin > 0 else { return nil }
    // Without a flip the lower end is -z² / (n + z²).
    let z = NormalDistribution.quantile(0.95)
    let start = max(1, (z * z * (1 - margin) / margin).rounded(.down))
    // More cases than that are none that anybody has.
    guard start < 1e9 else { return nil }
    return (Int(start)...Int(start) + 2).first { canPass(margin: margin, n: $0) }
  }

  /// How many cases would decide, if those to come changed at the rate of those that are there; nil
  /// where twenty times as many would not.
  func casesNeeded(_ change: PairedChange) -> Int? {
    let flips: (harmful: Int, beneficial: Int)
    switch change.basis {
    case .flips(let harmful, let beneficial): flips = (harmful, beneficial)
    case .exceedances(let harmful, let beneficial, _): flips = (harmful, beneficial)
    case .contributions: return contributionsNeeded(change)
    }
    if let sample = change.sample {
      return Self.first(above: change.n) { n in
        var larger = change
        larger.interval = sample.interval(scaledBy: Double(n) / Double(change.n), confidence: 0.9)
        return judge(larger).verdict != .inconclusive
      }
    }
    func decides(_ n: Int) -> Bool {
      func scaled(_ count: Int) -> Int {
        Int((Double(count) * Double(n) / Double(change.n)).rounded())
      }
      var larger = change
      larger.difference = Double(scaled(flips.beneficial) - scaled(flips.harmful)) / Double(n)
      larger.interval = Tango.interval(
        harmful: scaled(flips.harmful),
        beneficial: scaled(flips.beneficial),
        of: n
      )
      return judge(larger).verdict != .inconclusive
    }
    return Self.first(above: change.n, decides)
  }

  private func contributionsNeeded(_ change: PairedChange) -> Int? {
    func decides(_ n: Int) -> Bool {
      let shrunk = (Double(change.n) / Double(n)).squareRoot()
      var larger = change
      larger.interval = Interval(
        low: change.difference - (change.difference - change.interval.low) * shrunk,
        high: change.difference + (change.interval.high - change.difference) * shrunk
      )
      return judge(larger).verdict != .inconclusive
    }
    return Self.first(above: change.n, decides)
  }

  /// The first number above another at which something holds, looked for in steps of a fiftieth.
  static func first(above n: Int, _ holds: (Int) -> Bool) -> Int? {
    var low = n
    var high = n + max(1, n / 50)
    while !holds(high) {
      if high > 20 * max(n, 10) { return nil }
      low = high
      high += max(1, high / 50)
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}
