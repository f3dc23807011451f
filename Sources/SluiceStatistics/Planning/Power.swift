/// The number of cases needed to detect a difference, and the difference that a number of cases can
/// detect.
///
/// Numbers of cases are not rounded; round them up to the next whole number.
package enum Power {
  /// The number of sides of a test.
  package enum Sides: Sendable {
    /// One-sided.
    case one
    /// Two-sided, with half of the level for each side.
    case two
  }

  /// The error rates that a test must meet.
  package struct Goal: Hashable, Sendable {
    /// The significance level: the probability of a false positive, between 0 and 1.
    package var level: Double
    /// The number of sides of the test.
    package var sides: Sides
    /// The power: the probability of finding a true difference, between 0 and 1.
    package var power: Double

    /// Creates a goal.
    ///
    /// - Parameters:
    ///   - level: The significance level: the probability of a false positive, between 0 and 1.
    ///   - sides: The number of sides of the test.
    ///   - power: The power: the probability of finding a true difference, between 0 and 1.
    package init(level: Double = 0.05, sides: Sides = .two, power: Double = 0.8) {
      precondition(level > 0 && level < 1, "a level lies between 0 and 1")
      precondition(power > 0 && power < 1, "a power lies between 0 and 1")
      self.level = level
      self.sides = sides
      self.power = power
    }

    /// The level of one tail.
    fileprivate var tail: Double { sides == .two ? level / 2 : level }
    /// The normal quantile beyond which the test finds a difference.
    fileprivate var zLevel: Double { -NormalDistribution.quantile(tail) }
    /// The normal quantile of the power.
    fileprivate var zPower: Double { NormalDistribution.quantile(power) }
  }

  /// Returns the number of cases that McNemar's test needs (Connor 1987, "Sample size for testing
  /// differences in proportions for the paired-sample design").
  ///
  /// - Parameters:
  ///   - harmful: The probability that a case becomes worse, from 0.
  ///   - beneficial: The probability that a case becomes better, from 0. The sum of both
  ///     probabilities is at most 1.
  ///   - goal: The required error rates.
  /// - Returns: The number, or nil if there is no difference to detect.
  package static func cases(
    harmful: Double,
    beneficial: Double,
    goal: Goal = Goal()
  ) -> Double? {
    let (discordance, difference) = (harmful + beneficial, harmful - beneficial)
    precondition(
      min(harmful, beneficial) >= 0 && discordance <= 1 + 1e-12,
      "probabilities must not be negative, and must add up to at most 1"
    )
    guard difference != 0 else { return nil }
    let spread = max(0, discordance - difference * difference).squareRoot()
    let root = goal.zLevel * discordance.squareRoot() + goal.zPower * spread
    return root > 0 ? root / difference * (root / difference) : 0
  }

  /// Returns the smallest difference that McNemar's test detects with a number of cases, by solving
  /// Connor's formula (1987).
  ///
  /// - Parameters:
  ///   - n: The number of cases, at least 1.
  ///   - discordance: The probability that a case flips at all, from 0 to 1.
  ///   - goal: The required error rates.
  /// - Returns: The difference, above 0, or nil if the test would detect no difference even if all
  ///   flips went in one direction.
  package static func detectableDifference(
    n: Int,
    discordance: Double,
    goal: Goal = Goal()
  ) -> Double? {
    precondition(n > 0, "a comparison needs at least one case")
    precondition(discordance >= 0 && discordance <= 1, "a probability lies between 0 and 1")
    let (n, level, power) = (Double(n), goal.zLevel, goal.zPower)
    let square = n + power * power - level * level
    guard square >= 0 else { return nil }
    let difference =
      discordance.squareRoot() * (level * n.squareRoot() + power * square.squareRoot())
      / (n + power * power)
    return difference > 0 && difference <= discordance ? difference : nil
  }

  /// Returns the smallest change that McNemar's test detects if all flips go in one direction.
  ///
  /// Uses Connor's formula (1987) with a discordance equal to the difference. Flips in both
  /// directions hide a change, so no smaller change can be detected.
  ///
  /// - Parameters:
  ///   - n: The number of cases, at least 1.
  ///   - goal: The required error rates.
  /// - Returns: The change, from 0 to 1, or nil if no change is large enough.
  package static func detectableOneWayChange(n: Int, goal: Goal = Goal()) -> Double? {
    precondition(n > 0, "a comparison needs at least one case")
    func lack(_ change: Double) -> Double {
      goal.zLevel + goal.zPower * (1 - change).squareRoot() - (Double(n) * change).squareRoot()
    }
    return lack(1) > 0 ? nil : FallingRoot.between(0, 1, lack)
  }
}
