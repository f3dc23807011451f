/// The power to show that a candidate is not worse by more than a margin.
///
/// Non-inferiority is shown if the lower end of the interval of Tango (1998) lies above minus the
/// margin.
package enum NonInferiority {
  /// The largest number of cases that `casesNeeded` considers.
  package static let mostCases = 20_000

  /// Returns the exact probability of showing non-inferiority.
  ///
  /// - Parameters:
  ///   - n: The number of cases, at least 1.
  ///   - discordance: The probability that a case flips at all, from 0 to 1.
  ///   - difference: The probability of a flip for the better minus that of a flip for the worse.
  ///     The absolute value of the difference is at most the discordance; 0 means no change.
  ///   - margin: The tolerated loss, above 0 and at most 1.
  ///   - level: The probability of wrongly showing non-inferiority, between 0 and 0.5.
  /// - Returns: The probability, from 0 to 1.
  package static func chance(
    n: Int,
    discordance: Double,
    difference: Double = 0,
    margin: Double,
    level: Double = 0.05
  ) -> Double {
    precondition(n > 0, "a comparison needs at least one case")
    precondition(margin > 0 && margin <= 1, "a margin lies between 0 and 1")
    precondition(level > 0 && level < 0.5, "a level lies between 0 and 0.5")
    let z = -NormalDistribution.quantile(level)
    let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
    return flips.probability(ofBeneficialFrom: { harmful in
      // More flips for the better make it easier to show non-inferiority.
      var (few, enough) = (-1, n - harmful + 1)
      while enough - few > 1 {
        let middle = few + (enough - few) / 2
        let score = Tango.score(at: -margin, harmful: harmful, beneficial: middle, of: n)
        if score > z { enough = middle } else { few = middle }
      }
      return enough
    })
  }

  /// Returns the number of cases at which non-inferiority is likely to be shown if nothing changed.
  ///
  /// Flips are whole numbers, so the chance rises in a sawtooth. The chance is sufficient for the
  /// result and for every larger number of cases.
  ///
  /// - Parameters:
  ///   - discordance: The probability that a case flips at all, from 0 to 1.
  ///   - margin: The tolerated loss, above 0 and at most 1.
  ///   - level: The probability of wrongly showing non-inferiority, between 0 and 0.5.
  ///   - chance: The required probability of showing non-inferiority, between 0 and 1.
  /// - Returns: The number of cases, or nil if it exceeds `mostCases`.
  package static func casesNeeded(
    discordance: Double,
    margin: Double,
    level: Double = 0.05,
    chance: Double = 0.8
  ) -> Int? {
    precondition(chance > 0 && chance < 1, "a chance lies between 0 and 1")
    func isGood(_ n: Int) -> Bool {
      Self.chance(n: n, discordance: discordance, margin: margin, level: level) >= chance
    }
    var (few, enough) = (0, 1)
    while !isGood(enough) {
      guard enough < mostCases else { return nil }
      (few, enough) = (enough, min(2 * enough, mostCases))
    }
    while enough - few > 1 {
      let middle = few + (enough - few) / 2
      if isGood(middle) { enough = middle } else { few = middle }
    }
    // Start one tooth past the first sufficient number. A tooth is as wide as the number of cases
    // that allows one more flip. Only within this tooth can the chance become insufficient again.
    var n = min(mostCases, enough + Int((2 / margin).rounded(.up)))
    while n > 1, isGood(n - 1) { n -= 1 }
    return n
  }
}
