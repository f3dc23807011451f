/// How likely a comparison is to show that nothing became worse by a margin, when nothing changed: the
/// lower end of the interval of Tango (1998) must lie above minus the margin.
public enum NonInferiority {
  /// Up to how many cases `casesNeeded` looks.
  public static let mostCases = 20_000

  /// Returns the exact chance to show it.
  ///
  /// - Parameters:
  ///   - n: How many cases there are, at least 1.
  ///   - discordance: The probability that a case flips at all, from 0 to 1.
  ///   - difference: The probability of a flip for the better minus that of one for the worse, of a
  ///     size up to the discordance; 0 where nothing changed.
  ///   - margin: How much worse the candidate may be, above 0 and at most 1.
  ///   - level: How often it may be shown wrongly, between 0 and 0.5.
  /// - Returns: The chance, from 0 to 1.
  public static func chance(
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
      // More flips for the better make it easier to show.
      var (few, enough) = (-1, n - harmful + 1)
      while enough - few > 1 {
        let middle = few + (enough - few) / 2
        let score = Tango.score(at: -margin, harmful: harmful, beneficial: middle, of: n)
        if score > z { enough = middle } else { few = middle }
      }
      return enough
    })
  }

  /// Returns how many cases give a good chance to show it when nothing changed.
  ///
  /// As flips are whole numbers, the chance rises in the shape of a saw. The number is that from which
  /// on it stays good.
  ///
  /// - Parameters:
  ///   - discordance: The probability that a case flips at all, from 0 to 1.
  ///   - margin: How much worse the candidate may be, above 0 and at most 1.
  ///   - level: How often it may be shown wrongly, between 0 and 0.5.
  ///   - chance: How likely it is to be shown, at least; between 0 and 1.
  /// - Returns: The number of cases, or nil for more than `mostCases`.
  public static func casesNeeded(
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
    // That is one tooth where the chance becomes good. A tooth is as wide as it takes to allow for one
    // more flip, and only the next ones can fall back.
    var n = min(mostCases, enough + Int((2 / margin).rounded(.up)))
    while n > 1, isGood(n - 1) { n -= 1 }
    return n
  }
}
