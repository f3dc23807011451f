@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Enumeration of flips")
struct TrinomialEnumerationTests {
  @Test("The probabilities add up to 1 and have the correct means", arguments: [0, 1, 7, 400])
  func sums(_ n: Int) {
    for (harmful, beneficial) in [(0.1, 0.05), (0, 0), (0, 1), (1, 0), (0.5, 0.5), (0.3, 0)] {
      var (sum, worse, better) = (0.0, 0.0, 0.0)
      TrinomialEnumeration(n: n, harmful: harmful, beneficial: beneficial).forEach {
        #expect($0 >= 0 && $1 >= 0 && $0 + $1 <= n)
        sum += $2
        worse += Double($0) * $2
        better += Double($1) * $2
      }
      #expect(isClose(sum, 1, 1e-12))
      #expect(isClose(worse, harmful * Double(n), 1e-9))
      #expect(isClose(better, beneficial * Double(n), 1e-9))
    }
  }

  @Test("Each outcome has its multinomial probability")
  func outcomes() {
    func factorial(_ n: Int) -> Double { n < 2 ? 1 : (2...n).reduce(1) { $0 * Double($1) } }
    func power(_ base: Double, _ exponent: Int) -> Double {
      (0..<exponent).reduce(1) { result, _ in result * base }
    }
    TrinomialEnumeration(n: 12, harmful: 0.2, beneficial: 0.35).forEach {
      harmful,
      beneficial,
      probability in
      let rest = 12 - harmful - beneficial
      let ways = factorial(12) / factorial(harmful) / factorial(beneficial) / factorial(rest)
      let expected = ways * power(0.2, harmful) * power(0.35, beneficial) * power(0.45, rest)
      #expect(isClose(probability / expected, 1, 1e-12))
    }
  }

  @Test("An event with a minimum number of benefits can be summed faster, with the same result")
  func thresholds() {
    for n in [1, 25, 120] {
      let flips = TrinomialEnumeration(n: n, discordance: 0.4, difference: 0.1)
      let slow = flips.probability { $1 >= $0 / 2 + 3 }
      #expect(isClose(flips.probability(ofBeneficialFrom: { $0 / 2 + 3 }), slow, 1e-12))
      #expect(isClose(flips.probability(ofBeneficialFrom: { _ in 0 }), 1, 1e-12))
    }
  }
}

@Suite("Verdicts with a margin")
struct NonInferiorityTests {
  /// The rates of verdicts, and of failures of naive gates.
  private struct Rates {
    var pass = 0.0
    var strictFail = 0.0
    var fail = 0.0
    var meanFell = 0.0
    var droppedByMargin = 0.0
    var anyBroke = 0.0
  }

  private func rates(_ n: Int, _ difference: Double, _ discordance: Double) -> Rates {
    let (margin, z) = (0.05, 1.6448536269514722)
    var rates = Rates()
    let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
    flips.forEach { harmful, beneficial, probability in
      func score(_ difference: Double) -> Double {
        Tango.score(at: difference, harmful: harmful, beneficial: beneficial, of: n)
      }
      let drop = Double(harmful - beneficial)
      let isBeyondMargin = score(-margin) < -z
      if score(-margin) > z { rates.pass += probability }
      if isBeyondMargin { rates.strictFail += probability }
      let isLarge = drop >= margin * Double(n) - 1e-9
      if isBeyondMargin || isLarge && score(0) < -z { rates.fail += probability }
      if drop > 0 { rates.meanFell += probability }
      if drop > margin * Double(n) + 1e-9 { rates.droppedByMargin += probability }
      if harmful > 0 { rates.anyBroke += probability }
    }
    return rates
  }

  @Test(
    "The rates of verdicts with a margin of 5 points, and of naive gates, have known values",
    arguments: [
      (30, 0, 0.10, [0.12, 0.004, 0.046, 0.38, 0.18, 0.79]),
      (50, 0, 0.10, [0.24, 0.004, 0.050, 0.41, 0.13, 0.92]),
      (100, 0, 0.10, [0.44, 0.001, 0.050, 0.44, 0.04, 0.99]),
      (200, 0, 0.10, [0.70, 0.000, 0.017, 0.46, 0.01, 1.0]),
      (50, -0.10, 0.12, [0.00, 0.32, 0.73, 0.98, 0.86, 1.0]),
      (100, -0.10, 0.12, [0.00, 0.51, 0.95, 1.0, 0.92, 1.0]),
      (30, -0.20, 0.22, [0.00, 0.69, 0.86, 1.0, 0.98, 1.0]),
      (50, -0.20, 0.22, [0.00, 0.86, 0.98, 1.0, 1.0, 1.0]),
    ] as [(Int, Double, Double, [Double])]
  )
  func operating(_ n: Int, _ difference: Double, _ discordance: Double, _ expected: [Double]) {
    let rates = rates(n, difference, discordance)
    let found = [
      rates.pass, rates.strictFail, rates.fail, rates.meanFell, rates.droppedByMargin,
      rates.anyBroke,
    ]
    for (index, (found, expected)) in zip(found, expected).enumerated() {
      let isRare = difference == 0 && (index == 1 || index == 2)
      #expect(isClose(found, expected, isRare ? 6e-4 : 6e-3), "\(index)")
    }
  }

  @Test("Rerunning until a pass reduces a detection rate of 72.5% to 38%")
  func rerun() {
    let caught = rates(50, -0.10, 0.12).fail
    #expect(isClose(caught, 0.725, 5e-4))
    #expect(isClose(caught * caught * caught, 0.38, 5e-3))
  }

  @Test(
    "The number of cases for 80% power without a change has the known value",
    arguments: [
      (0.05, 0.05, 158, 160), (0.05, 0.10, 269, 270), (0.05, 0.20, 501, 510), (0.10, 0.05, 49, 50),
      (0.10, 0.10, 77, 80), (0.10, 0.20, 130, 130),
    ]
  )
  func cases(_ margin: Double, _ discordance: Double, _ cases: Int, _ inTens: Int) throws {
    let needed = NonInferiority.casesNeeded(discordance: discordance, margin: margin)
    #expect(needed == cases)
    #expect((cases + 9) / 10 * 10 == inTens)
    func chance(_ n: Int) -> Double {
      NonInferiority.chance(n: n, discordance: discordance, margin: margin)
    }
    #expect(chance(cases - 1) < 0.8)
    #expect((cases...cases + 12).allSatisfy { chance($0) >= 0.8 })
  }

  @Test("The chance to pass is the sum of the probabilities of all passing flips")
  func chance() {
    for (n, discordance, difference, margin) in [
      (1, 0.5, 0, 0.9), (40, 0.2, 0, 0.1), (60, 0.3, -0.1, 0.05), (90, 0, 0, 0.03),
      (25, 1, 0.4, 0.2),
    ] {
      let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
      let expected = flips.probability {
        Tango.interval(harmful: $0, beneficial: $1, of: n).low > -margin
      }
      let found = NonInferiority.chance(
        n: n,
        discordance: discordance,
        difference: difference,
        margin: margin
      )
      #expect(isClose(found, expected, 1e-12))
    }
  }

  @Test("Without flips, the needed cases follow from the interval; a tiny margin needs too many")
  func extremes() {
    #expect(NonInferiority.casesNeeded(discordance: 0, margin: 0.05) == 52)
    #expect(NonInferiority.casesNeeded(discordance: 0.2, margin: 0.002) == nil)
  }

  @Test("A drop equal to the margin passes about as often as the level allows")
  func level() {
    for n in [20, 50, 100, 200] {
      for discordance in [0.05, 0.1, 0.3] {
        let chance = NonInferiority.chance(
          n: n,
          discordance: discordance,
          difference: -0.05,
          margin: 0.05
        )
        #expect(chance < 0.056)
      }
    }
  }
}
