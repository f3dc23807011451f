import Sluice

/// The boundary of a regression gate: for each number of harmful flips, the minimum number of
/// beneficial flips for each verdict.
///
/// The gate itself decides (`RegressionRule.judge`). More beneficial flips never make a verdict
/// worse, so a binary search finds the boundary. Exact probabilities then do not require a decision
/// on each outcome.
struct GateBoundaries {
  private let n: Int
  private let rule: RegressionRule
  /// A change that the library created, used as a template.
  ///
  /// Each decision replaces its numbers of flips.
  private var change: PairedChange
  private var passing: [Int?]
  private var notFailing: [Int?]

  init(n: Int, margin: Double, rule: RegressionRule, like change: PairedChange) {
    self.n = n
    self.rule = rule
    self.change = change
    self.change.n = n
    self.change.margin = margin
    passing = Array(repeating: nil, count: n + 1)
    notFailing = Array(repeating: nil, count: n + 1)
  }

  /// Returns the chance that the gate passes.
  mutating func pass(discordance: Double, difference: Double) -> Double {
    TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
      .probability(ofBeneficialFrom: { leastToPass($0) })
  }

  /// Returns the chance that the gate fails.
  mutating func fail(discordance: Double, difference: Double) -> Double {
    let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
    return max(0, 1 - flips.probability(ofBeneficialFrom: { leastNotToFail($0) }))
  }

  private mutating func leastToPass(_ harmful: Int) -> Int {
    if let known = passing[harmful] { return known }
    let least = Self.least(upTo: n - harmful) { verdict(harmful, $0) == .pass }
    passing[harmful] = least
    return least
  }

  private mutating func leastNotToFail(_ harmful: Int) -> Int {
    if let known = notFailing[harmful] { return known }
    let least = Self.least(upTo: n - harmful) { verdict(harmful, $0) != .fail }
    notFailing[harmful] = least
    return least
  }

  private mutating func verdict(_ harmful: Int, _ beneficial: Int) -> Verdict {
    change.basis = .flips(harmful: harmful, beneficial: beneficial)
    change.difference = Double(beneficial - harmful) / Double(n)
    change.interval = Tango.interval(harmful: harmful, beneficial: beneficial, of: n)
    return rule.judge(change).verdict
  }

  /// Returns the smallest number from 0 to `most` for which a condition holds.
  ///
  /// The condition must also hold for all larger numbers. Returns `most + 1` if the condition never
  /// holds.
  static func least(upTo most: Int, _ holds: (Int) -> Bool) -> Int {
    var (below, from) = (-1, most + 1)
    while from - below > 1 {
      let middle = below + (from - below) / 2
      if holds(middle) { from = middle } else { below = middle }
    }
    return from
  }
}
