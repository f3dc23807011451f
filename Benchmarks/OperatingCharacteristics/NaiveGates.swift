import Sluice

/// Simple gates that teams often write first, based on the numbers of harmful and beneficial flips.
enum NaiveGates {
  /// Fails if any case that passed before fails now.
  static func anyCaseBroke(harmful: Int, beneficial: Int) -> Bool { harmful > 0 }

  /// Fails if fewer cases pass than before.
  static func meanFell(harmful: Int, beneficial: Int) -> Bool { harmful > beneficial }

  /// Fails if the pass rate fell by at least 5 points.
  static func fivePointDrop(harmful: Int, beneficial: Int, of n: Int) -> Bool {
    20 * (harmful - beneficial) >= n
  }
}

/// A gate that passes if a 90% percentile bootstrap interval rules out a loss larger than the
/// margin.
///
/// It computes the limit of infinitely many resamples exactly, without drawing any. The flips in a
/// resample have a trinomial distribution, and the end of the interval is a quantile of it.
struct PercentileBootstrapGate {
  private let n: Int
  private let margin: Double
  private var passing: [Int?]

  init(n: Int, margin: Double) {
    self.n = n
    self.margin = margin
    passing = Array(repeating: nil, count: n + 1)
  }

  /// Returns the chance that the gate passes.
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

  /// Returns true if fewer than 5% of resamples have a loss of at least the margin.
  private func passes(_ harmful: Int, _ beneficial: Int) -> Bool {
    let resamples = TrinomialEnumeration(
      n: n,
      harmful: Double(harmful) / Double(n),
      beneficial: Double(beneficial) / Double(n)
    )
    // The small number is for rounding errors: 1 of 20 cases must count as a loss of 5 points.
    let lost = Int((Double(n) * margin - 1e-9).rounded(.up))
    return 1 - resamples.probability(ofBeneficialFrom: { $0 - lost + 1 }) < 0.05
  }
}
