import SluiceCore

/// The rule for claims, such as `accuracy >= 85% at 95% confidence`.
///
/// A claim passes if the whole range between the two one-sided confidence bounds satisfies it, and
/// fails if no value in the range does. Otherwise it is inconclusive. The bounds come from Clopper
/// and Pearson (1934) for rates, from order statistics for percentiles, and from Student's t for
/// means and ratios.
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

  /// Returns the lower and the upper one-sided bound of a rate.
  func bounds(_ successes: Int, of n: Int) -> Interval {
    Interval(
      low: ClopperPearson.lowerBound(successes: successes, of: n, confidence: confidence),
      high: ClopperPearson.upperBound(successes: successes, of: n, confidence: confidence)
    )
  }

  /// Returns true if the claim passes when all of `n` cases support it.
  func canPass(n: Int) -> Bool {
    n > 0 && judge(bounds(comparison.wantsSmall ? 0 : n, of: n)).verdict == .pass
  }

  /// Returns the largest number of contradicting cases, out of `n` cases, with which the claim
  /// passes.
  ///
  /// Returns `nil` if the claim does not pass even without contradicting cases.
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

  /// Returns the minimum number of cases with which the claim passes if `against` of them
  /// contradict it.
  ///
  /// Returns `nil` for a claim about 100% or 0%, which no number of cases can prove.
  func leastCases(against: Int = 0) -> Int? {
    guard let limit else { return nil }
    return RateClaim.casesNeeded(falseAlarms: against, below: limit, confidence: confidence)
  }

  /// The number of cases with which the claim passes with a chance of 80%.
  ///
  /// The true rate of contradicting cases is assumed to be half of the rate that the claim allows.
  var plan: RateClaim.Plan? {
    limit.flatMap { RateClaim.plan(below: $0, trueRate: $0 / 2, confidence: confidence) }
  }

  /// The maximum rate of cases that contradict the claim, or `nil` if no real suite can prove the
  /// claim.
  private var limit: Double? {
    let limit = comparison.wantsSmall ? value : 1 - value
    // A limit closer to 0 needs more cases than any real suite has.
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
