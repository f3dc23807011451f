import Sluice

/// Gates that teams write first, on the cases that became worse and better.
enum NaiveGates {
  /// Red when any case that passed fails now.
  static func anyCaseBroke(harmful: Int, beneficial: Int) -> Bool { harmful > 0 }

  /// Red when fewer cases pass than before.
  static func meanFell(harmful: Int, beneficial: Int) -> Bool { harmful > beneficial }

  /// Red when at least 5 points fewer pass than before.
  static func fivePointDrop(harmful: Int, beneficial: Int, of n: Int) -> Bool {
    20 * (harmful - beneficial) >= n
  }
}

/// The gate that passes when the lower end of a 90% percentile bootstrap interval lies above minus the
/// margin, in the limit of infinitely many resamples.
///
/// A resample draws as many cases with replacement, so the number of its flips is trinomial too, and the
/// end of the interval is a quantile of that: nothing is drawn.
struct PercentileBootstrapGate {
  private let n: Int
  private let margin: Double
  private var passing: [Int?]

  init(n: Int, margin: Double) {
    self.n = n
    self.margin = margin
    passing = Array(repeating: nil, count: n + 1)
  }

  /// The chance that the gate passes.
  mutating func pass(discordance: Double, difference: Double) -> Double {
    TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
      .probability(ofBeneficialFrom: { leastToPass($0) })
  }

  private mutating func leastToPass(_ harmful: Int) -> Int {
    if let known = passing[harmful] { return known }
    let least = GateBoundaries.least(upTo: n - harmful) { passes(harmful, $0) }
    passing[harmful] = least
    return least
  }

  /// Returns true if fewer than 5% of resamples lose as much as the margin, so that the 5% quantile
  /// lies above it.
  private func passes(_ harmful: Int, _ beneficial: Int) -> Bool {
    let resamples = TrinomialEnumeration(
      n: n,
      harmful: Double(harmful) / Double(n),
      beneficial: Double(beneficial) / Double(n)
    )
    // Tiny, because twentieths are not binary fractions: 1 of 20 is a loss of 5 points.
    let lost = Int((Double(n) * margin - 1e-9).rounded(.up))
    return 1 - resamples.probability(ofBeneficialFrom: { $0 - lost + 1 }) < 0.05
  }
}
