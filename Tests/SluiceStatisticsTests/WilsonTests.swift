@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Wilson interval")
struct WilsonTests {
  @Test(
    "The interval matches the published values (Newcombe 1998, table I, method 3)",
    arguments: [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
      (1, 29, 0.0061, 0.1718),
    ]
  )
  func published(_ successes: Int, _ n: Int, _ low: Double, _ high: Double) {
    let interval = Wilson.interval(successes: successes, of: n)
    #expect(abs(interval.low - low) < 5e-5)
    #expect(abs(interval.high - high) < 5e-5)
  }

  @Test(
    "The interval covers a rate of 95% nearly as often as promised, also for small samples",
    arguments: [(20, 0.925), (30, 0.939), (100, 0.966)]
  )
  func coverage(_ n: Int, _ covered: Double) {
    let rate = 0.95
    var probability = 1.0
    for _ in 0..<n { probability *= 1 - rate }
    var sum = 0.0
    for successes in 0...n {
      let interval = Wilson.interval(successes: successes, of: n)
      if interval.low <= rate, rate <= interval.high { sum += probability }
      // From the binomial probability of k to that of k + 1.
      probability *= Double(n - successes) / Double(successes + 1) * rate / (1 - rate)
    }
    #expect(abs(sum - covered) < 5e-4)
  }

  @Test("The interval contains the rate, stays within 0 and 1, and is symmetric")
  func shape() {
    for n in [1, 2, 3, 7, 60, 1_000] {
      for successes in 0...n {
        let interval = Wilson.interval(successes: successes, of: n)
        let mirrored = Wilson.interval(successes: n - successes, of: n)
        let rate = Double(successes) / Double(n)
        #expect(interval.low <= rate && rate <= interval.high)
        #expect(interval.low >= 0 && interval.high <= 1)
        #expect(abs(interval.low - (1 - mirrored.high)) < 1e-12)
        #expect((interval.low == 0) == (successes == 0))
        #expect((interval.high == 1) == (successes == n))
      }
    }
  }

  @Test(
    "The ends are exactly as many standard errors away as the confidence requires",
    arguments: [0.5, 0.8, 0.9, 0.99, 0.9999]
  )
  func confidence(_ confidence: Double) {
    let z = -NormalDistribution.quantile((1 - confidence) / 2)
    for (successes, n) in [(1, 3), (17, 20), (300, 1_000), (999_000, 1_000_000)] {
      let interval = Wilson.interval(successes: successes, of: n, confidence: confidence)
      for end in [interval.low, interval.high] {
        let error = (end * (1 - end) / Double(n)).squareRoot()
        #expect(isClose(abs(Double(successes) / Double(n) - end) / error, z, 1e-8))
      }
    }
  }

  @Test("A rate without cases is unknown, not zero")
  func unknown() {
    let estimate = Estimate(rate: 0, of: 0)
    #expect(estimate == Estimate(unknown: "there is nothing to count"))
    #expect(estimate.value == nil)
    #expect(estimate.interval == nil)
    #expect(estimate.n == 0)
  }

  @Test("A rate has an interval and a number of cases")
  func rate() {
    let estimate = Estimate(rate: 17, of: 20)
    #expect(estimate.value == 0.85)
    #expect(estimate.interval == Wilson.interval(successes: 17, of: 20))
    #expect(estimate.n == 20)
    #expect(estimate.unknown == nil)
  }
}
