@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Claim rule")
struct ClaimRuleTests {
  private func rule(
    _ comparison: Condition.Comparison,
    _ value: Double,
    confidence: Double = 0.95
  ) -> ClaimRule {
    ClaimRule(comparison: comparison, value: value, confidence: confidence)
  }

  @Test(
    "The number of clean cases that a claim needs grows with the number of false alarms",
    arguments: [
      (0.10, [29, 46, 61, 76, 89, 103]), (0.05, [59, 93, 124, 153, 181, 208]),
      (0.02, [149, 236, 313, 386, 456, 523]), (0.01, [299, 473, 628, 773, 913, 1049]),
    ]
  )
  func table(_ limit: Double, _ cases: [Int]) {
    for (alarms, needed) in cases.enumerated() {
      let rule = rule(.below, limit)
      #expect(rule.leastCases(against: alarms) == needed)
      #expect(rule.judge(rule.bounds(alarms, of: needed)) == (.pass, .claimed))
      #expect(rule.judge(rule.bounds(alarms, of: needed - 1)).verdict == .inconclusive)
    }
    #expect(rule(.below, limit).leastCases() == cases[0])
    // The mirror image, for cases that are right.
    #expect(rule(.above, 1 - limit).leastCases() == cases[0])
  }

  @Test(
    "The bounds are one-sided Clopper–Pearson bounds",
    arguments: [(0, 50, 0.0582), (1, 100, 0.0466), (2, 100, 0.0616), (3, 300, 0.0256)]
  )
  func bounds(_ alarms: Int, _ n: Int, _ high: Double) {
    let rule = rule(.below, 0.05)
    #expect(abs(rule.bounds(alarms, of: n).high - high) < 5e-5)
    let mirrored = self.rule(.above, 0.95).bounds(n - alarms, of: n)
    #expect(abs(mirrored.low - (1 - high)) < 5e-5)
  }

  @Test("A claim passes if its bound clears the value, and fails if the other bound excludes it")
  func verdicts() {
    let bounds = Interval(low: 0.7, high: 0.9)
    for (comparison, value, verdict) in [
      (.atLeast, 0.7, .pass), (.above, 0.7, .inconclusive), (.above, 0.69, .pass),
      (.atLeast, 0.9, .inconclusive), (.above, 0.9, .fail), (.atLeast, 0.91, .fail),
      (.atMost, 0.9, .pass), (.below, 0.9, .inconclusive), (.below, 0.91, .pass),
      (.atMost, 0.7, .inconclusive), (.below, 0.7, .fail), (.atMost, 0.69, .fail),
    ] as [(Condition.Comparison, Double, Verdict)] {
      #expect(rule(comparison, value).judge(bounds).verdict == verdict, "\(comparison) \(value)")
    }
  }

  @Test("An infinite bound proves and excludes nothing")
  func infinite() {
    let bounds = Interval(low: -.infinity, high: .infinity)
    for comparison in Condition.Comparison.allCases {
      #expect(rule(comparison, 5).judge(bounds) == (.inconclusive, .unclaimed))
    }
  }

  @Test("A claim that no number of cases can prove has no least number of cases")
  func impossible() {
    #expect(rule(.atLeast, 1).leastCases() == nil)
    #expect(rule(.above, 1).leastCases() == nil)
    #expect(rule(.atMost, 0).leastCases() == nil)
    #expect(!rule(.atLeast, 0.5).canPass(n: 0))
    #expect(rule(.below, 1e-30).leastCases() == nil)
    // A claim that is always true needs no cases.
    #expect(rule(.atLeast, 0).leastCases() == nil)
  }

  @Test("A false claim passes no more often than its confidence allows", arguments: [20, 60])
  func errors(_ n: Int) {
    for value in [0.05, 0.1, 0.5, 0.9] {
      let rule = rule(.below, value, confidence: 0.9)
      // If the true rate equals the value, the claim is just false. Sum the probabilities of all
      // counts for which it passes nevertheless.
      let wrong = (0...n).reduce(0.0) { sum, count in
        guard rule.judge(rule.bounds(count, of: n)).verdict == .pass else { return sum }
        return sum + Binomial.cumulative(count, of: n, value)
          - (count > 0 ? Binomial.cumulative(count - 1, of: n, value) : 0)
      }
      #expect(wrong <= 0.1 + 1e-12)
    }
  }

  @Test("The number of further cases like these that would decide is estimated")
  func casesNeeded() throws {
    // Without a false alarm, the estimate equals the minimum number of cases.
    #expect(rule(.below, 0.05).casesNeeded(0, of: 40) == 59)
    let needed = try #require(rule(.atLeast, 0.8).casesNeeded(34, of: 40))
    #expect(needed > 40)
    // A rate exactly at the value never decides.
    #expect(rule(.atLeast, 0.85).casesNeeded(34, of: 40) == nil)
  }
}
