/// Decides claims: that a metric lies beyond a value, at a confidence.
///
/// A claim passes when the one-sided bound clears the value, fails when the opposite bound excludes
/// it, and is inconclusive between. Rates are bounded by Clopper and Pearson (1934), percentiles by
/// order statistics, means and ratios by Student's t.
struct ClaimRule {
  let comparison: Condition.Comparison
  let value: Double
  let confidence: Double

  func judge(_ bounds: Interval) -> (verdict: Verdict, reason: Reason) {
    let (clearing, opposite) =
      comparison.wantsSmall ? (bounds.high, bounds.low) : (bounds.low, bounds.high)
    if comparison.holds(clearing, value) { return (.pass, .claimed) }
    return comparison.holds(opposite, value)
      ? (.inconclusive, .unclaimed) : (.fail, .claimExcluded)
  }

  /// The one-sided bounds of a rate.
  func bounds(_ successes: Int, of n: Int) -> Interval {
    Interval(
      low: ClopperPearson.lowerBound(successes: successes, of: n, confidence: confidence),
      high: ClopperPearson.upperBound(successes: successes, of: n, confidence: confidence)
    )
  }

  /// Whether that many cases could pass if every one of them spoke for the claim.
  func canPass(n: Int) -> Bool {
    n > 0 && judge(bounds(comparison.wantsSmall ? 0 : n, of: n)).verdict == .pass
  }

  /// How many of so many cases may speak against the claim for it to pass; nil where none may be there.
  func mostAgainst(n: Int) -> Int? {
    guard canPass(n: n) else { return nil }
    var (passes, fails) = (0, n + 1)
    while fails - passes > 1 {
      let middle = (passes + fails) / 2
      let holding = comparison.wantsSmall ? middle : n - middle
      if judge(bounds(holding, of: n)).verdict == .pass { passes = middle } else { fails = middle }
    }
    return passes
  }

  /// How many cases it takes if every one of them speaks for the claim; nil where none do.
  func leastCases() -> Int? { leastCases(against: 0) }

  /// How many cases it takes if so many speak against the claim; nil where a million do not.
  func leastCases(against: Int) -> Int? {
    func passes(_ n: Int) -> Bool {
      n > against
        && judge(bounds(comparison.wantsSmall ? against : n - against, of: n)).verdict == .pass
    }
    var high = max(1, against + 1)
    while !passes(high) {
      if high > 1_000_000 { return nil }
      high *= 2
    }
    var low = high / 2
    while high - low > 1 {
      let middle = (low + high) / 2
      if passes(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// How many cases would decide, if those to come were like those that are there; nil where twenty
  /// times as many would not.
  func casesNeeded(_ successes: Int, of n: Int) -> Int? {
    RegressionRule.first(above: n) { larger in
      let scaled = Int((Double(successes) * Double(larger) / Double(n)).rounded())
      return judge(bounds(min(scaled, larger), of: larger)).verdict != .inconclusive
    }
  }
}
