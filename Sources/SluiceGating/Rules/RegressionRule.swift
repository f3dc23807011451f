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
    Self.first(above: change.n) { judge(change.enlarged(to: $0)).verdict != .inconclusive }
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
