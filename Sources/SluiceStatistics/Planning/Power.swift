import SluiceSystem

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
    /// The size, in standard errors, of the smallest difference that the test detects.
    ///
    /// Ignores the other side of a two-sided test. Nil if the sum of ``zLevel`` and ``zPower`` is
    /// not above 0.
    fileprivate var standardErrors: Double? {
      let sum = zLevel + zPower
      return sum > 0 ? sum : nil
    }
  }

  // MARK: Paired outcomes

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

  // MARK: Paired numbers

  /// Returns the number of cases that a comparison of paired means needs, by the normal
  /// approximation.
  ///
  /// - Parameters:
  ///   - standardDeviation: The standard deviation of the differences, at least 0.
  ///   - effect: The mean difference to detect, of either sign.
  ///   - goal: The required error rates.
  /// - Returns: The number, or nil if there is no difference to detect.
  package static func cases(
    standardDeviation: Double,
    effect: Double,
    goal: Goal = Goal()
  ) -> Double? {
    precondition(standardDeviation >= 0, "a standard deviation is not negative")
    guard effect != 0 else { return nil }
    let root = (goal.standardErrors ?? 0) * standardDeviation / effect
    return root * root
  }

  /// Returns the smallest mean difference that a number of paired cases detects, by the normal
  /// approximation.
  ///
  /// - Parameters:
  ///   - n: The number of cases, at least 1.
  ///   - standardDeviation: The standard deviation of the differences, at least 0.
  ///   - goal: The required error rates.
  /// - Returns: The difference.
  package static func detectableMean(
    n: Int,
    standardDeviation: Double,
    goal: Goal = Goal()
  ) -> Double {
    precondition(n > 0, "a comparison needs at least one case")
    precondition(standardDeviation >= 0, "a standard deviation is not negative")
    return (goal.standardErrors ?? 0) * standardDeviation / Double(n).squareRoot()
  }

  /// Returns the number of cases that a comparison of paired means with repetitions needs (Miller
  /// 2024, "Adding error bars to evals").
  ///
  /// - Parameters:
  ///   - betweenVariance: The variance of the true differences of the cases.
  ///   - withinVariances: The variances of the repetitions of a case, one for each side.
  ///   - repeats: The number of repetitions of each case, for each side; infinity for the limit.
  ///   - effect: The mean difference to detect, of either sign.
  ///   - goal: The required error rates.
  /// - Returns: The number, or nil if there is no difference to detect.
  package static func cases(
    betweenVariance: Double,
    withinVariances: (Double, Double),
    repeats: (Double, Double),
    effect: Double,
    goal: Goal = Goal()
  ) -> Double? {
    precondition(
      min(betweenVariance, withinVariances.0, withinVariances.1) >= 0,
      "variances are not negative"
    )
    precondition(min(repeats.0, repeats.1) > 0, "a case is run at least once")
    guard effect != 0 else { return nil }
    let variance = betweenVariance + withinVariances.0 / repeats.0 + withinVariances.1 / repeats.1
    let errors = goal.standardErrors ?? 0
    return errors * errors * variance / (effect * effect)
  }

  /// Returns the power of the paired t test.
  ///
  /// - Parameters:
  ///   - n: The number of cases, above 1, possibly fractional.
  ///   - standardizedEffect: The mean difference over the standard deviation of the differences;
  ///     positive on the tested side of a one-sided test.
  ///   - level: The significance level: the probability of a false positive, between 0 and 1.
  ///   - sides: The number of sides of the test.
  /// - Returns: The power, from 0 to 1, by the noncentral t distribution.
  package static func ofPairedT(
    n: Double,
    standardizedEffect: Double,
    level: Double = 0.05,
    sides: Sides = .two
  ) -> Double {
    precondition(n > 1, "a t test needs more than one case")
    let (df, shift) = (n - 1, standardizedEffect * n.squareRoot())
    let goal = Goal(level: level, sides: sides)
    let critical = -StudentT.quantile(goal.tail, degreesOfFreedom: df)
    let upper = NoncentralT.above(critical, degreesOfFreedom: df, shift: shift)
    guard sides == .two else { return upper }
    return min(1, upper + NoncentralT.below(-critical, degreesOfFreedom: df, shift: shift))
  }

  /// Returns the number of cases that a comparison of paired means needs, by the t distribution.
  ///
  /// - Parameters:
  ///   - standardDeviation: The standard deviation of the differences, at least 0.
  ///   - effect: The mean difference to detect, of either sign.
  ///   - goal: The required error rates.
  /// - Returns: The number, at least 2, or nil if there is no difference to detect.
  package static func casesByT(
    standardDeviation: Double,
    effect: Double,
    goal: Goal = Goal()
  ) -> Double? {
    precondition(standardDeviation >= 0, "a standard deviation is not negative")
    let size = abs(effect) / standardDeviation
    guard size > 0 else { return nil }
    func lack(_ n: Double) -> Double {
      goal.power
        - ofPairedT(n: n, standardizedEffect: size, level: goal.level, sides: goal.sides)
    }
    return leastRoot(from: 2, lack)
  }

  // MARK: Two groups

  /// Returns the number of cases per group that a comparison of two rates needs, by the normal
  /// approximation with the variances of both rates.
  ///
  /// - Parameters:
  ///   - first: The rate of one group, from 0 to 1.
  ///   - second: The rate of the other group, from 0 to 1.
  ///   - goal: The required error rates.
  /// - Returns: The number, or nil if there is no difference to detect.
  package static func casesPerGroup(
    _ first: Double,
    _ second: Double,
    goal: Goal = Goal()
  ) -> Double? {
    check(first, second)
    guard first != second else { return nil }
    let variance = first * (1 - first) + second * (1 - second)
    let errors = goal.standardErrors ?? 0
    return errors * errors * variance / ((first - second) * (first - second))
  }

  /// Returns the number of cases per group that a comparison of two rates needs, by the arcsine
  /// transformation (Cohen 1988, "Statistical power analysis", chapter 6).
  ///
  /// - Parameters:
  ///   - first: The rate of one group, from 0 to 1.
  ///   - second: The rate of the other group, from 0 to 1.
  ///   - goal: The required error rates; a two-sided test finds a difference in both directions.
  /// - Returns: The number, or nil if there is no difference to detect.
  package static func casesPerGroupByArcsine(
    _ first: Double,
    _ second: Double,
    goal: Goal = Goal()
  ) -> Double? {
    check(first, second)
    guard first != second else { return nil }
    let size = 2 * (asin(first.squareRoot()) - asin(second.squareRoot()))
    let critical = goal.zLevel
    let errors = leastRoot(from: 0) { errors in
      goal.power - NormalDistribution.cumulative(errors - critical)
        - (goal.sides == .two ? NormalDistribution.cumulative(-errors - critical) : 0)
    }
    return errors.map { 2 * ($0 / size) * ($0 / size) }
  }

  private static func check(_ first: Double, _ second: Double) {
    precondition(
      min(first, second) >= 0 && max(first, second) <= 1,
      "a rate lies between 0 and 1"
    )
  }

  /// Returns the smallest number, at least `start`, at which a decreasing function is not positive.
  private static func leastRoot(from start: Double, _ function: (Double) -> Double) -> Double? {
    if function(start) <= 0 { return start }
    var (low, high) = (start, 2 * start + 1)
    while function(high) > 0 {
      guard high < 1e15 else { return nil }
      (low, high) = (high, 2 * high)
    }
    return FallingRoot.between(low, high, function)
  }
}
