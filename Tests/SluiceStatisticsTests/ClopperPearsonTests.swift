import Foundation
@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Clopper-Pearson interval")
struct ClopperPearsonTests {
  @Test(
    "The interval matches the published values (Newcombe 1998, table I, method 5)",
    arguments: [
      (81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0, 0.1684),
      (1, 29, 0.0009, 0.1776),
    ]
  )
  func published(_ successes: Int, _ n: Int, _ low: Double, _ high: Double) {
    #expect(isClose(ClopperPearson.interval(successes: successes, of: n), low, high, 5e-5))
  }

  @Test(
    "The interval covers a rate of 95% often enough, and the normal interval does not",
    arguments: [(20, 0.984, 0.639), (30, 0.984, 0.782), (100, 0.983, 0.877)]
  )
  func coverage(_ n: Int, _ exact: Double, _ normal: Double) {
    let rate = 0.95
    func covered(_ interval: (Int) -> Interval) -> Double {
      (0...n).reduce(0) { sum, successes in
        let interval = interval(successes)
        let holds = interval.low <= rate && rate <= interval.high
        return sum + (holds ? Binomial.probability(of: successes, in: n, rate) : 0)
      }
    }
    #expect(isClose(covered { ClopperPearson.interval(successes: $0, of: n) }, exact, 5e-4))
    let wald = covered {
      let observed = Double($0) / Double(n)
      let half = 1.959964 * (observed * (1 - observed) / Double(n)).squareRoot()
      return Interval(low: observed - half, high: observed + half)
    }
    #expect(isClose(wald, normal, 5e-4))
  }

  @Test(
    "The upper bound of a false-positive rate has the known value",
    arguments: [(0, 50, 0.0582), (1, 100, 0.0466), (2, 100, 0.0616), (3, 300, 0.0256)]
  )
  func upperBounds(_ falseAlarms: Int, _ n: Int, _ bound: Double) {
    #expect(isClose(ClopperPearson.upperBound(successes: falseAlarms, of: n), bound, 5e-5))
  }

  @Test(
    "A few runs without a failure leave a high upper bound on its probability",
    arguments: [(3, 0.63), (5, 0.45), (10, 0.26), (20, 0.14), (59, 0.05)]
  )
  func cleanRuns(_ runs: Int, _ bound: Double) {
    let found = ClopperPearson.upperBound(successes: 0, of: runs)
    #expect(isClose(found, bound, 0.005))
    #expect(isClose(found, 1 - pow(0.05, 1 / Double(runs)), 1e-14))
  }

  @Test(
    "At its ends, the observed count is exactly as rare as the confidence requires",
    arguments: [(1, 7), (17, 20), (333, 1_000), (1, 1_000_000), (654_321, 1_000_000)]
  )
  func ends(_ successes: Int, _ n: Int) {
    for confidence in [0.5, 0.9, 0.95, 0.999] {
      let tail = (1 - confidence) / 2
      let both = ClopperPearson.interval(successes: successes, of: n, confidence: confidence)
      #expect(isClose(Binomial.atLeast(successes, of: n, both.low), tail, 1e-10))
      #expect(isClose(Binomial.cumulative(successes, of: n, both.high), tail, 1e-10))
      let high = ClopperPearson.upperBound(successes: successes, of: n, confidence: confidence)
      #expect(isClose(Binomial.cumulative(successes, of: n, high), 2 * tail, 1e-10))
      let low = ClopperPearson.lowerBound(successes: successes, of: n, confidence: confidence)
      #expect(isClose(1 - low, mirrored(successes, n, confidence), 1e-12))
    }
  }

  private func mirrored(_ successes: Int, _ n: Int, _ confidence: Double) -> Double {
    ClopperPearson.upperBound(successes: n - successes, of: n, confidence: confidence)
  }

  @Test("The interval starts at 0 without successes and ends at 1 without failures")
  func extremes() {
    #expect(ClopperPearson.interval(successes: 0, of: 9).low == 0)
    #expect(ClopperPearson.interval(successes: 9, of: 9).high == 1)
    #expect(ClopperPearson.lowerBound(successes: 0, of: 9) == 0)
    #expect(ClopperPearson.upperBound(successes: 9, of: 9) == 1)
  }
}
