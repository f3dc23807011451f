/// The number of clean cases needed to claim that a false-positive rate lies below a limit.
///
/// The claim holds if the one-sided bound of Clopper and Pearson (1934) lies below the limit.
package enum RateClaim {
  /// A number of cases, and the number of false alarms among them that still allows the claim.
  package struct Plan: Hashable, Sendable {
    /// The number of clean, independent cases needed.
    package var cases: Int
    /// The largest number of false alarms with which the claim still holds.
    package var falseAlarms: Int

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - cases: The number of clean, independent cases needed.
    ///   - falseAlarms: The largest number of false alarms with which the claim still holds.
    package init(cases: Int, falseAlarms: Int) {
      self.cases = cases
      self.falseAlarms = falseAlarms
    }
  }

  /// Returns the number of clean cases that a claim needs if a given number of false alarms occurs.
  ///
  /// - Parameters:
  ///   - falseAlarms: The number of false alarms, at least 0.
  ///   - limit: The claimed upper limit of the true rate, between 0 and 1.
  ///   - confidence: The minimum confidence level of the claim, between 0 and 1.
  /// - Returns: The least number of cases.
  package static func casesNeeded(
    falseAlarms: Int,
    below limit: Double,
    confidence: Double = 0.95
  ) -> Int {
    precondition(falseAlarms >= 0, "counts are not negative")
    precondition(limit > 0 && limit < 1, "the limit lies between 0 and 1")
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    // The bound lies below the limit exactly if this number of false alarms, or fewer, would be
    // improbable at the limit.
    func isEnough(_ n: Int) -> Bool {
      Binomial.cumulative(falseAlarms, of: n, limit) < 1 - confidence
    }
    var (few, enough) = (falseAlarms, falseAlarms + 1)
    while !isEnough(enough) { (few, enough) = (enough, 2 * enough) }
    while enough - few > 1 {
      let middle = few + (enough - few) / 2
      if isEnough(middle) { enough = middle } else { few = middle }
    }
    return enough
  }

  /// Returns the smallest plan whose claim is likely to succeed.
  ///
  /// - Parameters:
  ///   - limit: The limit to claim for the true rate, between 0 and 1.
  ///   - trueRate: The true rate, from 0 to below the limit.
  ///   - confidence: The minimum confidence level of the claim, between 0 and 1.
  ///   - chance: The minimum probability that the claim succeeds, between 0 and 1.
  /// - Returns: The plan, or nil if the true rate is not below the limit, or so close to it that
  ///   more than ten million cases would be needed.
  package static func plan(
    below limit: Double,
    trueRate: Double,
    confidence: Double = 0.95,
    chance: Double = 0.8
  ) -> Plan? {
    precondition(trueRate >= 0 && trueRate <= 1, "a rate lies between 0 and 1")
    precondition(chance > 0 && chance < 1, "a chance lies between 0 and 1")
    guard trueRate < limit else { return nil }
    func plan(_ falseAlarms: Int) -> Plan {
      let cases = casesNeeded(falseAlarms: falseAlarms, below: limit, confidence: confidence)
      return Plan(cases: cases, falseAlarms: falseAlarms)
    }
    func isLikely(_ plan: Plan) -> Bool {
      Binomial.cumulative(plan.falseAlarms, of: plan.cases, trueRate) >= chance
    }
    // The chance increases with the number of false alarms that the plan allows.
    var (few, enough) = (-1, plan(0))
    while !isLikely(enough) {
      guard enough.cases < 10_000_000 else { return nil }
      few = enough.falseAlarms
      enough = plan(2 * few + 1)
    }
    while enough.falseAlarms - few > 1 {
      let middle = plan(few + (enough.falseAlarms - few) / 2)
      if isLikely(middle) { enough = middle } else { few = middle.falseAlarms }
    }
    return enough
  }

  /// Returns the upper bound for the rate of an event that was not observed, by the rule of three
  /// (Hanley & Lippman-Hand 1983).
  ///
  /// - Parameter n: The number of cases, at least 1.
  /// - Returns: 3 / n, close to the one-sided 95% bound. It is not clipped, so it exceeds 1 for one
  ///   or two cases.
  package static func ruleOfThree(_ n: Int) -> Double {
    precondition(n > 0, "a rate needs at least one case")
    return 3 / Double(n)
  }
}
