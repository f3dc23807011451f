import SluiceCore

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

  /// How many cases it takes where so many of them speak against the claim; nil for claims of all or
  /// of none, which no number of cases carries.
  func leastCases(against: Int = 0) -> Int? {
    guard let limit else { return nil }
    return RateClaim.casesNeeded(falseAlarms: against, below: limit, confidence: confidence)
  }

  /// How many cases give a chance of four in five to earn the claim, where the true rate of cases
  /// against it is half of what it allows.
  var plan: RateClaim.Plan? {
    limit.flatMap { RateClaim.plan(below: $0, trueRate: $0 / 2, confidence: confidence) }
  }

  /// Below which rate cases against the claim must be.
  private var limit: Double? {
    let limit = comparison.wantsSmall ? value : 1 - value
    // Nearer to 0 it would take more cases than anybody has.
    return limit > 1e-6 && limit < 1 ? limit : nil
  }

  /// How many cases would decide, if those to come were like those that are there; nil where twenty
  /// times as many would not.
  func casesNeeded(_ successes: Int, of n: Int) -> Int? {
    RegressionRule.first(above: n) { larger in
      let scaled = Int((Double(successes) * Double(larger) / Double(n)).rounded())
      return judge(bounds(min(scaled, larger), of: larger)).verdict != .inconclusive
    }
  }

  /// The number of cases that would decide, if those to come were like those that are there, clusters
  /// and repeats included; nil where twenty times as many would not.
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
