import SampleProjects
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Regression rule")
struct RegressionRuleTests {
  private struct Vector: Sendable, CustomTestStringConvertible {
    var harmful: Int
    var beneficial: Int
    var n: Int
    var low: Double
    var high: Double
    var verdict: Verdict
    var reason: Reason
    /// The verdict with `on-credible-regression: warn`.
    var warned: Verdict

    var testDescription: String { "(\(harmful), \(beneficial), \(n))" }
  }

  private static let vectors = [
    Vector(
      harmful: 0,
      beneficial: 0,
      n: 30,
      low: -0.0827,
      high: 0.0827,
      verdict: .inconclusive,
      reason: .marginTooTight,
      warned: .inconclusive
    ),
    Vector(
      harmful: 0,
      beneficial: 0,
      n: 55,
      low: -0.0469,
      high: 0.0469,
      verdict: .pass,
      reason: .withinMargin,
      warned: .pass
    ),
    Vector(
      harmful: 1,
      beneficial: 0,
      n: 30,
      low: -0.1364,
      high: 0.0521,
      verdict: .inconclusive,
      reason: .marginTooTight,
      warned: .inconclusive
    ),
    Vector(
      harmful: 3,
      beneficial: 0,
      n: 30,
      low: -0.2255,
      high: -0.0090,
      verdict: .fail,
      reason: .credibleRegressionSizeUnknown,
      warned: .inconclusive
    ),
    Vector(
      harmful: 2,
      beneficial: 3,
      n: 100,
      low: -0.0330,
      high: 0.0557,
      verdict: .pass,
      reason: .withinMargin,
      warned: .pass
    ),
    Vector(
      harmful: 9,
      beneficial: 2,
      n: 100,
      low: -0.1318,
      high: -0.0176,
      verdict: .fail,
      reason: .credibleRegressionSizeUnknown,
      warned: .inconclusive
    ),
    Vector(
      harmful: 15,
      beneficial: 1,
      n: 100,
      low: -0.2097,
      high: -0.0835,
      verdict: .fail,
      reason: .credibleRegression,
      warned: .fail
    ),
    Vector(
      harmful: 12,
      beneficial: 4,
      n: 400,
      low: -0.0387,
      high: -0.0039,
      verdict: .pass,
      reason: .smallCredibleRegression,
      warned: .pass
    ),
    // Not in the specification: a gain, and too few cases to pass.
    Vector(
      harmful: 1,
      beneficial: 9,
      n: 100,
      low: 0.0331,
      high: 0.1402,
      verdict: .pass,
      reason: .improved,
      warned: .pass
    ),
    Vector(
      harmful: 3,
      beneficial: 3,
      n: 60,
      low: -0.0774,
      high: 0.0774,
      verdict: .inconclusive,
      reason: .underpowered,
      warned: .inconclusive
    ),
  ]

  @Test(
    "A change passes, fails or is inconclusive as in the specification's examples",
    arguments: vectors
  )
  private func verdicts(_ vector: Vector) {
    let change = PairedChange.fixture(vector.harmful, vector.beneficial, vector.n)
    #expect(abs(change.interval.low - vector.low) < 6e-4)
    #expect(abs(change.interval.high - vector.high) < 6e-4)
    #expect(RegressionRule().judge(change) == (vector.verdict, vector.reason))
    #expect(RegressionRule(policy: .warn).judge(change) == (vector.warned, vector.reason))
  }

  @Test("A loss as large as the margin reaches it despite rounding errors")
  func atTheMargin() {
    // Exactly 5 points of 60 and of 100 cases, and credible.
    for (harmful, n) in [(3, 60), (5, 100)] {
      let change = PairedChange.fixture(harmful, 0, n)
      #expect(change.interval.high < 0)
      #expect(RegressionRule().judge(change) == (.fail, .credibleRegressionSizeUnknown))
    }
    // With one case less, the loss is credible but does not reach the margin.
    let smaller = PairedChange.fixture(4, 0, 100)
    #expect(RegressionRule().judge(smaller) == (.inconclusive, .credibleRegressionSizeUnknown))
  }

  @Test(
    "Without a flip, each margin needs its least number of cases",
    arguments: [(0.02, 133), (0.03, 88), (0.05, 52), (0.1, 25), (1, 1), (2, 1)]
  )
  func leastCases(_ margin: Double, _ cases: Int) {
    #expect(RegressionRule.leastCases(margin: margin) == cases)
    #expect(RegressionRule.canPass(margin: margin, n: cases))
    if cases > 1 { #expect(!RegressionRule.canPass(margin: margin, n: cases - 1)) }
    #expect(
      RegressionRule().judge(PairedChange.fixture(0, 0, cases, margin: margin))
        == (.pass, .withinMargin)
    )
  }

  @Test("No number of cases passes a margin of zero or nearly zero")
  func noMargin() {
    #expect(RegressionRule.leastCases(margin: 0) == nil)
    #expect(RegressionRule.leastCases(margin: 1e-30) == nil)
    #expect(RegressionRule.leastCases(margin: .leastNonzeroMagnitude) == nil)
    #expect(!RegressionRule.canPass(margin: 0, n: 1_000_000))
    #expect(!RegressionRule.canPass(margin: 0.5, n: 0))
    let unchanged = PairedChange.fixture(0, 0, 500, margin: 0)
    #expect(RegressionRule().judge(unchanged) == (.inconclusive, .marginTooTight))
    #expect(RegressionRule().casesNeeded(unchanged) == nil)
    // A gain passes even with a margin of zero.
    #expect(RegressionRule().judge(PairedChange.fixture(0, 9, 50, margin: 0)) == (.pass, .improved))
  }

  @Test("The estimated number of cases decides, and one case less does not")
  func casesNeeded() throws {
    for (harmful, beneficial, n) in [(0, 0, 30), (1, 0, 30), (3, 3, 60), (2, 1, 40), (4, 0, 100)] {
      let change = PairedChange.fixture(harmful, beneficial, n)
      let needed = try #require(RegressionRule().casesNeeded(change))
      func verdict(_ larger: Int) -> Verdict {
        func scaled(_ count: Int) -> Int {
          Int((Double(count * larger) / Double(n)).rounded())
        }
        return RegressionRule()
          .judge(PairedChange.fixture(scaled(harmful), scaled(beneficial), larger)).verdict
      }
      #expect(needed > n)
      #expect(verdict(needed) != .inconclusive)
      #expect(verdict(needed - 1) == .inconclusive)
    }
    #expect(RegressionRule().casesNeeded(PairedChange.fixture(0, 0, 30)) == 52)
    // A loss exactly at the margin is never decided.
    #expect(
      RegressionRule(policy: .warn).casesNeeded(PairedChange.fixture(5, 0, 100)) == nil
    )
  }

  // MARK: Operating characteristics

  private struct Cell: Sendable, CustomTestStringConvertible {
    var n: Int
    /// The true shares of cases that flip.
    var harmful: Double
    var beneficial: Double
    var pass: Double
    var strictFail: Double
    var fail: Double

    var testDescription: String { "n \(n), \(harmful) worse, \(beneficial) better" }
  }

  private static let cells = [
    Cell(n: 30, harmful: 0.05, beneficial: 0.05, pass: 0.12, strictFail: 0.004, fail: 0.046),
    Cell(n: 50, harmful: 0.05, beneficial: 0.05, pass: 0.24, strictFail: 0.004, fail: 0.050),
    Cell(n: 100, harmful: 0.05, beneficial: 0.05, pass: 0.44, strictFail: 0.001, fail: 0.050),
    Cell(n: 50, harmful: 0.11, beneficial: 0.01, pass: 0, strictFail: 0.32, fail: 0.73),
    Cell(n: 100, harmful: 0.11, beneficial: 0.01, pass: 0, strictFail: 0.51, fail: 0.95),
    Cell(n: 30, harmful: 0.21, beneficial: 0.01, pass: 0, strictFail: 0.69, fail: 0.86),
    Cell(n: 50, harmful: 0.21, beneficial: 0.01, pass: 0, strictFail: 0.86, fail: 0.98),
  ]

  /// Returns the probability of each verdict of a rule, summed over all numbers of flips.
  private func shares(_ cell: Cell, _ rule: RegressionRule) -> [Verdict: Double] {
    var shares: [Verdict: Double] = [:]
    // The probability of b harmful flips times that of c beneficial ones among the remaining cases.
    func binomial(_ n: Int, _ p: Double) -> [Double] {
      var densities: [Double] = []
      var density = (0..<n).reduce(1.0) { product, _ in product * (1 - p) }
      for count in 0...n {
        densities.append(density)
        density *= Double(n - count) / Double(count + 1) * p / (1 - p)
      }
      return densities
    }
    let harmful = binomial(cell.n, cell.harmful)
    for b in 0...cell.n where harmful[b] > 1e-7 {
      let beneficial = binomial(cell.n - b, cell.beneficial / (1 - cell.harmful))
      for c in 0...(cell.n - b) where harmful[b] * beneficial[c] > 1e-7 {
        let verdict = rule.judge(PairedChange.fixture(b, c, cell.n)).verdict
        shares[verdict, default: 0] += harmful[b] * beneficial[c]
      }
    }
    return shares
  }

  @Test("The rule passes and fails as often as the specification's table says", arguments: cells)
  private func operatingCharacteristics(_ cell: Cell) {
    let shares = shares(cell, RegressionRule())
    let strict = self.shares(cell, RegressionRule(policy: .warn))
    #expect(abs(shares[.pass, default: 0] - cell.pass) < 0.0055)
    #expect(abs(shares[.fail, default: 0] - cell.fail) < 0.0055)
    #expect(abs(strict[.fail, default: 0] - cell.strictFail) < 0.0055)
    #expect(abs(strict[.pass, default: 0] - cell.pass) < 0.0055)
  }
}
