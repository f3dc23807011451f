import Foundation
@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Power")
struct PowerTests {
  @Test(
    "The smallest difference that McNemar's test detects matches the table, in points",
    arguments: [
      (20, 0.05, nil, nil), (20, 0.1, nil, nil), (20, 0.2, nil, nil), (20, 0.3, nil, 28.9),
      (30, 0.05, nil, nil), (30, 0.1, nil, nil), (30, 0.2, nil, 19.6), (30, 0.3, 26.9, 24.0),
      (50, 0.05, nil, nil), (50, 0.1, nil, nil), (50, 0.2, 17.3, 15.4), (50, 0.3, 21.2, 18.9),
      (100, 0.05, nil, nil), (100, 0.1, 8.8, 7.8), (100, 0.2, 12.4, 11.0), (100, 0.3, 15.2, 13.5),
      (200, 0.05, 4.4, 3.9), (200, 0.1, 6.2, 5.5), (200, 0.2, 8.8, 7.8), (200, 0.3, 10.8, 9.6),
      (500, 0.05, 2.8, 2.5), (500, 0.1, 4.0, 3.5), (500, 0.2, 5.6, 5.0), (500, 0.3, 6.8, 6.1),
      (1_000, 0.05, 2.0, 1.8), (1_000, 0.1, 2.8, 2.5), (1_000, 0.2, 4.0, 3.5),
      (1_000, 0.3, 4.8, 4.3),
    ] as [(Int, Double, Double?, Double?)]
  )
  func detectable(_ n: Int, _ discordance: Double, _ two: Double?, _ one: Double?) {
    func points(_ sides: Power.Sides) -> Double? {
      Power.detectableDifference(n: n, discordance: discordance, goal: .init(sides: sides))
        .map { ($0 * 1_000).rounded() / 10 }
    }
    #expect(points(.two) == two)
    #expect(points(.one) == one)
  }

  @Test("The difference that n cases can detect requires n cases")
  func inverse() throws {
    for (power, sides) in [(0.8, Power.Sides.two), (0.95, .one), (0.3, .two)] {
      let goal = Power.Goal(level: 0.05, sides: sides, power: power)
      let difference = try #require(
        Power.detectableDifference(n: 250, discordance: 0.3, goal: goal)
      )
      let cases = Power.cases(
        harmful: (0.3 + difference) / 2,
        beneficial: (0.3 - difference) / 2,
        goal: goal
      )
      #expect(isClose(cases, 250, 1e-9))
    }
  }

  @Test(
    "The exact power of the mid-p test is slightly higher",
    arguments: [(50, 0.2, 0.859), (100, 0.1, 0.865), (200, 0.1, 0.826)]
  )
  func exactPower(_ n: Int, _ discordance: Double, _ power: Double) throws {
    let difference = try #require(Power.detectableDifference(n: n, discordance: discordance))
    let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: -difference)
    var found: [Int: Bool] = [:]
    let exact = flips.probability { harmful, beneficial in
      let key = harmful * 1_000 + beneficial
      let known = found[key] ?? (McNemar.midP(harmful, beneficial) <= 0.05)
      found[key] = known
      return known
    }
    #expect(isClose(exact, power, 5e-4))
  }

  @Test("A difference of zero can never be detected")
  func nothing() {
    #expect(Power.cases(harmful: 0.1, beneficial: 0.1) == nil)
    #expect(Power.detectableDifference(n: 100, discordance: 0) == nil)
    #expect(Power.detectableDifference(n: 1, discordance: 1) == nil)
  }
}

@Suite("Claims about rates")
struct RateClaimTests {
  @Test(
    "The clean cases that a claim needs match the table, by number of false alarms",
    arguments: [
      (0.10, [29, 46, 61, 76, 89, 103]), (0.05, [59, 93, 124, 153, 181, 208]),
      (0.02, [149, 236, 313, 386, 456, 523]), (0.01, [299, 473, 628, 773, 913, 1_049]),
    ]
  )
  func needed(_ limit: Double, _ cases: [Int]) {
    for (falseAlarms, n) in cases.enumerated() {
      #expect(RateClaim.casesNeeded(falseAlarms: falseAlarms, below: limit) == n)
      #expect(ClopperPearson.upperBound(successes: falseAlarms, of: n) < limit)
      #expect(ClopperPearson.upperBound(successes: falseAlarms, of: n - 1) >= limit)
    }
  }

  @Test(
    "A plan supports the claim with 80% power, and a smaller plan does not",
    arguments: [(0.05, 0.01, 124, 2), (0.05, 0.02, 234, 6), (0.02, 0.005, 386, 3)]
  )
  func plan(_ limit: Double, _ rate: Double, _ cases: Int, _ falseAlarms: Int) throws {
    let plan = try #require(RateClaim.plan(below: limit, trueRate: rate))
    #expect(plan == RateClaim.Plan(cases: cases, falseAlarms: falseAlarms))
    #expect(Binomial.cumulative(falseAlarms, of: cases, rate) >= 0.8)
    for fewer in 0..<falseAlarms {
      let n = RateClaim.casesNeeded(falseAlarms: fewer, below: limit)
      #expect(Binomial.cumulative(fewer, of: n, rate) < 0.8)
    }
  }

  @Test("A rate at or just below the limit supports no claim")
  func hopeless() {
    #expect(RateClaim.plan(below: 0.05, trueRate: 0.05) == nil)
    #expect(RateClaim.plan(below: 0.05, trueRate: 0.2) == nil)
    #expect(RateClaim.plan(below: 0.05, trueRate: 0.04999) == nil)
    #expect(RateClaim.plan(below: 0.05, trueRate: 0) == RateClaim.Plan(cases: 59, falseAlarms: 0))
  }

  @Test("The rule of three is close to the exact bound", arguments: [20, 50, 1_000])
  func ruleOfThree(_ n: Int) {
    let exact = ClopperPearson.upperBound(successes: 0, of: n)
    #expect(RateClaim.ruleOfThree(n) > exact)
    #expect(RateClaim.ruleOfThree(n) < 1.08 * exact)
  }
}
