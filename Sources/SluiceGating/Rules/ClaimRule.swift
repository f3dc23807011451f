import SluiceCore

/// Decides claims, which state at a confidence that a metric lies beyond a value.
///
/// A claim passes when the one-sided bound clears the value, and fails when the opposite bound
/// excludes it. Otherwise it is inconclusive. Rates are bounded by Clopper and Pearson (1934),
/// percentiles by order statistics, means and ratios by Student's t.
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

  /// Returns the one-sided bounds of a rate.
  func bounds(_ successes: Int, of n: Int) -> Interval {
    Interval(
      low: ClopperPearson.lowerBound(successes: successes, of: n, confidence: confidence),
      high: ClopperPearson.upperBound(successes: successes, of: n, confidence: confidence)
    )
  }

  /// Returns true if `n` cases can pass when all of them support the claim.
  func canPass(n: Int) -> Bool {
    n > 0 && judge(bounds(comparison.wantsSmall ? 0 : n, of: n)).verdict == .pass
  }

  /// Returns the largest number of `n` cases that may contradict the claim for it to pass.
  ///
  /// Returns `nil` if not even zero such cases let it pass.
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

  /// Returns the least number of cases for the claim to pass when `against` of them contradict it.
  ///
  /// Returns `nil` for claims of all or of none, which no number of cases can support.
  func leastCases(against: Int = 0) -> Int? {
    guard let limit else { return nil }
    return RateClaim.casesNeeded(falseAlarms: against, below: limit, confidence: confidence)
  }

  /// The number of cases that gives an 80% chance to pass the claim.
  ///
  /// It assumes that the true rate of cases against the claim is half of the allowed rate.
  var plan: RateClaim.Plan? {
    limit.flatMap { RateClaim.plan(below: $0, trueRate: $0 / 2, confidence: confidence) }
  }

  /// The limit that the rate of cases against the claim must stay below.
  private var limit: Double? {
    let limit = comparison.wantsSmall ? value : 1 - value
    // Closer to 0, it would take more cases than any real suite has.
    return limit > 1e-6 && limit < 1 ? limit : nil
  }

  /// Returns the number of cases needed to decide, if further cases are like the present ones.
  ///
  /// Returns `nil` if 20 times as many cases would still be inconclusive.
  func casesNeeded(_ successes: Int, of n: Int) -> Int? {
    RegressionRule.first(above: n) { larger in
      let scaled = Int((Double(successes) * Double(larger) / Double(n)).rounded())
      return judge(bounds(min(scaled, larger), of: larger)).verdict != .inconclusive
    }
  }

  /// Returns the number of cases needed to decide, accounting for clusters and repeats.
  ///
  /// Further cases are assumed to be like the present ones. Returns `nil` if 20 times as many cases
  /// would still be inconclusive.
  func casesNeeded(_ rate: RateSample) -> Int? {
    if rate.effectiveCases == Double(rate.cases) {
      return casesNeeded(Int(rate.holding), of: rate.cases)
    }
    return RegressionRule.first(above: rate.cases) { larger in
      let factor = Double(larger) / Double(rate.cases)
      return judge(rate.bounds(confidence: confidence, scaledBy: factor)).verdict != .inconclusive
    }
  }
}
