import SluiceCore

/// The rule that decides if a candidate is worse than its baseline.
///
/// The rule uses the two-sided 90% interval of the difference; a positive difference is a gain. A
/// candidate passes if the interval rules out a loss larger than the margin. It fails if the whole
/// interval is a loss larger than the margin. It also fails if a loss is credible and the measured
/// loss reaches the margin, unless the suite asks only for a warning. In all other cases, the
/// result is inconclusive.
package struct RegressionRule: Hashable, Sendable {
  /// The effect of a credible loss if the measured loss reaches the margin, but the interval does
  /// not rule out a smaller loss.
  ///
  /// The gate fails (`fail`), or is inconclusive (`warn`).
  package enum CredibleRegressionPolicy: String, Hashable, Sendable, CaseIterable {
    case fail, warn
  }

  package var policy: CredibleRegressionPolicy

  package init(policy: CredibleRegressionPolicy = .fail) { self.policy = policy }

  /// Returns the verdict on a change, with its reason.
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

  /// Returns the p value that ``Holm`` corrects: the chance that noise alone gives a loss that is
  /// at least this credible.
  func p(_ change: PairedChange) -> Double {
    isBeyondMargin(change) && policy == .fail ? change.pWorse : change.pBeyondMargin
  }

  private func isBeyondMargin(_ change: PairedChange) -> Bool {
    // The tolerance is for rounding errors: 1 of 20 cases must reach a margin of 5 points.
    change.difference <= -change.margin + 1e-12
  }

  /// Returns true if the gate would pass without any changed case.
  private static func canPass(_ change: PairedChange) -> Bool {
    switch change.basis {
    case .flips, .exceedances: canPass(margin: change.margin, n: change.clusters ?? change.n)
    case .contributions: change.margin > 0
    }
  }

  /// Returns true if a gate with a margin passes when none of `n` independent cases or clusters
  /// changes.
  package static func canPass(margin: Double, n: Int) -> Bool {
    n > 0 && margin > 0 && Tango.interval(harmful: 0, beneficial: 0, of: n).low > -margin
  }

  /// Returns the minimum number of cases with which a gate with a margin passes if no case changes.
  package static func leastCases(margin: Double) -> Int? {
    guard margin > 0 else { return nil }
    // Without any flip, the lower end of the interval is -z² / (n + z²).
    let z = NormalDistribution.quantile(0.95)
    let start = max(1, (z * z * (1 - margin) / margin).rounded(.down))
    // No real suite has more cases than this.
    guard start < 1e9 else { return nil }
    return (Int(start)...Int(start) + 2).first { canPass(margin: margin, n: $0) }
  }

  /// Returns the number of cases needed to decide, if further cases change at the same rate.
  ///
  /// Returns `nil` if 20 times as many cases would still be inconclusive.
  func casesNeeded(_ change: PairedChange) -> Int? {
    Self.first(above: change.n) { judge(change.enlarged(to: $0)).verdict != .inconclusive }
  }

  /// Returns the first number above `n` for which a condition holds, found in steps of 2%.
  ///
  /// Returns `nil` if the condition still does not hold at 20 times `n`.
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
