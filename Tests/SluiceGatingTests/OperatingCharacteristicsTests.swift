import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

/// The figures of docs/operating-characteristics.md that are quick to compute.
///
/// The page has all of them.
@Suite("Operating characteristics")
struct OperatingCharacteristicsTests {
  /// A number of cases and a true change, with the probability of each verdict.
  struct Row: Sendable, CustomStringConvertible {
    var n: Int
    var difference: Double
    var discordance: Double
    var pass: Double
    var strictFail: Double
    var fail: Double

    var description: String { "n \(n), difference \(difference), flips \(discordance)" }
  }

  @Test(
    "With a margin of 5 points, the gate passes and fails as often as specified",
    arguments: [
      Row(n: 30, difference: 0, discordance: 0.1, pass: 0.12, strictFail: 0.004, fail: 0.046),
      Row(n: 50, difference: 0, discordance: 0.1, pass: 0.24, strictFail: 0.004, fail: 0.050),
      Row(n: 100, difference: 0, discordance: 0.1, pass: 0.44, strictFail: 0.001, fail: 0.050),
      Row(n: 50, difference: -0.1, discordance: 0.12, pass: 0, strictFail: 0.32, fail: 0.73),
      Row(n: 100, difference: -0.1, discordance: 0.12, pass: 0, strictFail: 0.51, fail: 0.95),
      Row(n: 30, difference: -0.2, discordance: 0.22, pass: 0, strictFail: 0.69, fail: 0.86),
      Row(n: 50, difference: -0.2, discordance: 0.22, pass: 0, strictFail: 0.86, fail: 0.98),
    ]
  )
  func specified(_ row: Row) {
    let odds = RegressionRule().odds(
      n: row.n,
      discordance: row.discordance,
      difference: row.difference,
      margin: 0.05
    )
    #expect(abs(odds.pass - row.pass) <= 0.005)
    #expect(abs(odds.strictFail - row.strictFail) <= 0.005)
    #expect(abs(odds.fail - row.fail) <= 0.005)
    #expect(abs(odds.pass + odds.fail + odds.inconclusive - 1) < 1e-9)
  }

  @Test("With 'warn', a suite fails only if a loss beyond the margin is credible")
  func warned() {
    func odds(_ policy: RegressionRule.CredibleRegressionPolicy) -> RegressionRule.Odds {
      RegressionRule(policy: policy).odds(n: 50, discordance: 0.12, difference: -0.1, margin: 0.05)
    }
    #expect(odds(.warn).fail == odds(.fail).strictFail)
    #expect(odds(.warn).pass == odds(.fail).pass)
  }

  @Test(
    "If the loss equals the margin, the gate passes at most 7.5% of the time",
    arguments: [
      // The worst of all numbers of cases from 10 to 400.
      (36, 0.07, 0.07), (30, 0.03, 0.03), (50, 0.02, 0.3), (20, 0.05, 0.05), (10, 0.1, 0.3),
      (100, 0.1, 0.1),
    ]
  )
  func falsePass(n: Int, margin: Double, discordance: Double) {
    let odds = RegressionRule().odds(
      n: n,
      discordance: discordance,
      difference: -margin,
      margin: margin
    )
    #expect(odds.pass <= 0.075)
    if n == 36 { #expect(odds.pass > 0.07) }
  }

  @Test(
    "If nothing changed, the gate fails at most 5.5% of the time",
    arguments: [
      // The worst of all numbers of cases from 10 to 400.
      (33, 0.02, 0.3), (10, 0.05, 0.3), (50, 0.05, 0.1), (50, 0.1, 0.3), (100, 0.03, 0.1),
    ]
  )
  func falseFail(n: Int, margin: Double, discordance: Double) {
    let odds = RegressionRule().odds(
      n: n,
      discordance: discordance,
      difference: 0,
      margin: margin
    )
    #expect(odds.fail <= 0.055)
    if n == 33 { #expect(odds.fail > 0.052) }
  }

  @Test(
    "If nothing changed, some gate in a family of up to 26 fails at most 5.5% of the time",
    arguments: [(50, [0.1, 0.2, 0.5]), (100, [0.1, 0.24, 0.42]), (200, [0.1])]
  )
  func manyGates(n: Int, discordances: [Double]) throws {
    let family = try Family(n: n)
    let counts = [1, 2, 3, 5, 10, 26]
    for discordance in discordances {
      var one = counts.map { _ in 0.0 }
      TrinomialEnumeration(n: n, discordance: discordance, difference: 0)
        .forEach { harmful, beneficial, chance in
          // The skipped outcomes together are less likely than a thousandth of a point.
          guard chance > 1e-10, harmful > beneficial else { return }
          let change = PairedChange.fixture(harmful, beneficial, n, margin: 0.01)
          for (index, count) in counts.enumerated() where family.fails(change, among: count) {
            one[index] += chance
          }
        }
      for (count, one) in zip(counts, one) {
        let any = 1 - (0..<count).reduce(1) { rest, _ in rest * (1 - one) }
        #expect(any <= 0.055, "\(count) gates, \(discordance) flip: \(any)")
        if count == 1 { #expect(any > 0.04) }
      }
    }
  }

  /// A family of gates, of which all but one see no change.
  private struct Family {
    private let rule = RegressionRule()
    private let still: Decision

    init(n: Int) throws {
      let change = PairedChange.fixture(0, 0, n, margin: 0.01)
      let (verdict, reason) = rule.judge(change)
      still = Decision(
        condition: try ConditionParser.parse("no regression in accuracy beyond 1 points"),
        metric: Metric(.accuracy),
        estimate: Estimate(unknown: ""),
        verdict: verdict,
        reason: reason,
        explanation: "",
        change: change
      )
    }

    /// Returns true if a change fails its gate as the worst of a number of gates.
    func fails(_ change: PairedChange, among count: Int) -> Bool {
      let (verdict, reason) = rule.judge(change)
      guard verdict == .fail else { return false }
      var gates = (0..<count).map { index in
        var gate = still
        gate.metric = Metric(.passRate(scorer: "scorer \(index)"))
        return gate
      }
      (gates[0].verdict, gates[0].reason, gates[0].change) = (verdict, reason, change)
      var columns = [
        ColumnResult(
          prompt: "",
          promptPath: "",
          backend: "",
          isCandidate: true,
          trials: [],
          metrics: [],
          gates: gates,
          goals: []
        )
      ]
      Holm.adjust(&columns, rule: rule)
      return columns[0].gates[0].verdict == .fail
    }
  }

  @Test("Two runs of the same prompt fail each other at most 6.5% of the time")
  func noisyRuns() throws {
    let pairs = 300
    let condition = try ConditionParser.parse("no regression in accuracy beyond 5 points")
    var random = SeededGenerator(seed: 3)
    // Each case passes with its own probability, so that about 16% of the cases flip.
    func run() -> [Trial] {
      (0..<60).map { number in
        let chance = number % 5 == 0 ? 0.5 : number % 5 == 1 ? 0.9 : 0.98
        return StatisticsTrials.trial(
          "case-\(number)",
          random.uniform() < chance ? .passed : .failed
        )
      }
    }
    let failed = (0..<pairs).count { _ in
      let (before, after) = (run(), run())
      let pairing = Pairing(
        baseline: Pairing.Side(trials: before, scorers: [:]),
        candidate: Pairing.Side(trials: after, scorers: [:])
      )
      return Decider(after, against: pairing).decide(condition, on: Metric(.accuracy)).verdict
        == .fail
    }
    #expect(failed > 0)
    #expect(Binomial.atLeast(failed, of: pairs, 0.065) > 0.05)
  }
}
