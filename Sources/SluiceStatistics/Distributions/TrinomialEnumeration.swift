/// All possible outcomes of paired cases that may flip, each with its exact probability.
///
/// Each of n cases independently becomes worse with one probability, and better with another.
/// Otherwise the case does not change.
package struct TrinomialEnumeration: Sendable {
  private let n: Int
  private let harmful: Double
  private let beneficial: Double
  /// The probability below which an outcome is skipped.
  ///
  /// The skipped outcomes together have a probability below 1e-15.
  private static let negligible = 1e-19

  /// Creates the enumeration.
  ///
  /// - Parameters:
  ///   - n: The number of cases, at least 0.
  ///   - harmful: The probability that a case becomes worse, from 0.
  ///   - beneficial: The probability that a case becomes better, from 0. The sum of both
  ///     probabilities is at most 1.
  package init(n: Int, harmful: Double, beneficial: Double) {
    precondition(n >= 0, "the number of cases must not be negative")
    precondition(
      harmful >= 0 && beneficial >= 0 && harmful + beneficial <= 1 + 1e-12,
      "probabilities must not be negative, and must add up to at most 1"
    )
    self.n = n
    self.harmful = min(harmful, 1)
    self.beneficial = min(beneficial, 1 - self.harmful)
  }

  /// Creates the enumeration from a discordance and a difference.
  ///
  /// - Parameters:
  ///   - n: The number of cases, at least 0.
  ///   - discordance: The probability that a case flips at all, from 0 to 1.
  ///   - difference: The probability of a flip for the better minus that of a flip for the worse.
  ///     The absolute value of the difference is at most the discordance.
  package init(n: Int, discordance: Double, difference: Double) {
    // Rounding must not make the smaller part negative.
    self.init(
      n: n,
      harmful: max(0, (discordance - difference) / 2),
      beneficial: max(0, (discordance + difference) / 2)
    )
  }

  /// Returns the probability of an event.
  ///
  /// - Parameter event: Returns true if the event occurs, given the numbers of cases that became
  ///   worse and better.
  /// - Returns: The probability, from 0 to 1.
  package func probability(_ event: (_ harmful: Int, _ beneficial: Int) -> Bool) -> Double {
    var sum = 0.0
    forEach { harmful, beneficial, probability in
      if event(harmful, beneficial) { sum += probability }
    }
    return min(1, sum)
  }

  /// Returns the probability that enough cases become better.
  ///
  /// The required number depends on how many cases become worse.
  ///
  /// - Parameter least: Takes the number of cases that became worse. Returns the minimum number of
  ///   cases that must become better; 0 or less if none must.
  /// - Returns: The probability, from 0 to 1.
  package func probability(ofBeneficialFrom least: (_ harmful: Int) -> Int) -> Double {
    var sum = 0.0
    Self.binomial(n, harmful, from: Self.negligible) { worse, probability in
      sum += probability * Binomial.atLeast(least(worse), of: n - worse, beneficialOfRest)
    }
    return min(1, sum)
  }

  /// Calls a function with every outcome that is not negligible.
  ///
  /// - Parameter body: Takes the number of cases that became worse, the number that became better,
  ///   and the probability of that outcome.
  package func forEach(_ body: (_ harmful: Int, _ beneficial: Int, _ probability: Double) -> Void) {
    Self.binomial(n, harmful, from: Self.negligible) { worse, row in
      let negligible = Self.negligible / row
      Self.binomial(n - worse, beneficialOfRest, from: negligible) { better, probability in
        body(worse, better, row * probability)
      }
    }
  }

  /// The conditional probability that a case becomes better, given that it does not become worse.
  private var beneficialOfRest: Double {
    harmful < 1 ? min(1, beneficial / (1 - harmful)) : 0
  }

  /// Calls a function with each number of a binomial distribution and its probability, from the
  /// mode outward, until the probabilities are negligible.
  private static func binomial(
    _ n: Int,
    _ p: Double,
    from negligible: Double,
    _ body: (Int, Double) -> Void
  ) {
    let mode = min(n, Int(Double(n + 1) * p))
    let top = Binomial.probability(of: mode, in: n, p)
    guard top >= negligible else { return }
    body(mode, top)
    let odds = p < 1 ? p / (1 - p) : 0
    var probability = top
    for k in stride(from: mode + 1, through: n, by: 1) {
      probability *= odds * Double(n - k + 1) / Double(k)
      if probability < negligible { break }
      body(k, probability)
    }
    guard odds > 0 else { return }
    probability = top
    for k in stride(from: mode - 1, through: 0, by: -1) {
      probability *= Double(k + 1) / (odds * Double(n - k))
      if probability < negligible { break }
      body(k, probability)
    }
  }
}
