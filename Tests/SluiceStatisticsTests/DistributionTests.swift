import Foundation
@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Normal distribution")
struct NormalDistributionTests {
  @Test(
    "Quantiles match the tables to the last digits",
    arguments: [
      (0.975, 1.959963984540054), (0.95, 1.6448536269514722), (0.8, 0.8416212335729143),
      (0.5, 0), (1e-12, -7.034483825301132), (1e-300, -37.0471),
    ]
  )
  func quantiles(_ p: Double, _ z: Double) {
    #expect(isClose(NormalDistribution.quantile(p), z, p == 1e-300 ? 5e-5 : 1e-14))
  }

  @Test("The quantile is the inverse of the cumulative probability, also in far tails")
  func inverse() {
    for exponent in stride(from: -300.0, through: -0.31, by: 1.7) {
      let p = pow(10, exponent)
      let back = NormalDistribution.cumulative(NormalDistribution.quantile(p))
      #expect(abs(back / p - 1) < 1e-11, "\(p)")
      #expect(NormalDistribution.quantile(1 - p) == -NormalDistribution.quantile(1 - (1 - p)))
    }
  }

  @Test("The extreme quantiles are infinite")
  func ends() {
    #expect(NormalDistribution.quantile(0) == -.infinity)
    #expect(NormalDistribution.quantile(1) == .infinity)
    #expect(NormalDistribution.cumulative(-.infinity) == 0)
    #expect(NormalDistribution.cumulative(.infinity) == 1)
  }
}

@Suite("Beta distribution")
struct BetaDistributionTests {
  @Test("The beta distribution has its closed forms if a shape is 1 or both are one half")
  func powers() {
    for x in [0.0, 1e-9, 0.1, 0.5, 0.93, 1] {
      #expect(isClose(BetaDistribution.cumulative(x, 1, 1), x, 1e-15))
      #expect(isClose(BetaDistribution.cumulative(x, 3.5, 1), pow(x, 3.5), 1e-15))
      #expect(isClose(BetaDistribution.cumulative(x, 1, 40), 1 - pow(1 - x, 40), 1e-14))
      // If both shapes are one half, it is the arcsine distribution.
      #expect(
        isClose(BetaDistribution.cumulative(x, 0.5, 0.5), 2 / .pi * asin(x.squareRoot()), 1e-14)
      )
    }
  }

  @Test("Swapping the shapes mirrors the distribution")
  func mirror() {
    for (a, b) in [(0.3, 7.0), (20, 31), (1_000, 3), (500_000, 499_000)] {
      for p in [1e-12, 0.025, 0.5, 0.9] {
        let x = BetaDistribution.quantile(p, a, b)
        #expect(isClose(BetaDistribution.cumulative(x, a, b), p, 1e-11))
        let tails = BetaDistribution.tails(x, 1 - x, a, b)
        let mirrored = BetaDistribution.tails(1 - x, x, b, a)
        #expect(abs(tails.lower / mirrored.upper - 1) < 1e-10)
      }
    }
  }

  @Test("The quantiles of 0 and 1 are the ends")
  func ends() {
    #expect(BetaDistribution.quantile(0, 2, 3) == 0)
    #expect(BetaDistribution.quantile(1, 2, 3) == 1)
    #expect(BetaDistribution.cumulative(0, 2, 3) == 0)
    #expect(BetaDistribution.cumulative(1, 2, 3) == 1)
  }
}

@Suite("Binomial distribution")
struct BinomialTests {
  @Test("Probabilities of small counts match Pascal's triangle")
  func triangle() {
    var row = [1.0]
    for n in 0...60 {
      let all = row.reduce(0, +)
      for k in 0...n {
        #expect(isClose(Binomial.probability(of: k, in: n, 0.5), row[k] / all, 1e-15))
        let below = row[...k].reduce(0, +) / all
        #expect(isClose(Binomial.cumulative(k, of: n, 0.5), below, 1e-14))
        #expect(isClose(Binomial.atLeast(k, of: n, 0.5), 1 - below + row[k] / all, 1e-14))
      }
      row = zip([0] + row, row + [0]).map { $0 + $1 }
    }
  }

  @Test(
    "Probabilities add up for a million trials, and for rates near 0 and 1",
    arguments: [
      (1_000_000, 0.37), (1_000_000, 1e-6), (1_000_000, 1 - 3e-6), (1_000_000, 1e-12),
      (1_000, 1 - 1e-12), (54_321, 0.002),
    ]
  )
  func sums(_ n: Int, _ p: Double) {
    let mean = Double(n) * p
    let spread = (mean * (1 - p)).squareRoot()
    let low = max(0, Int(mean - 9 * spread) - 40)
    let high = min(n, Int(mean + 9 * spread) + 40)
    var sum = 0.0
    for k in low...high {
      sum += Binomial.probability(of: k, in: n, p)
      if k % 97 == 0 || k < 5 {
        #expect(isClose(Binomial.cumulative(k, of: n, p), sum, 1e-11))
        #expect(isClose(Binomial.atLeast(k + 1, of: n, p), 1 - sum, 1e-11))
      }
    }
    #expect(isClose(sum, 1, 1e-11))
  }

  @Test("Small tail probabilities keep their precision")
  func tails() {
    // The probability of no success in 1000 trials is (1 - p)^1000, and that of all successes
    // p^1000.
    #expect(abs(Binomial.cumulative(0, of: 1_000, 0.2) / pow(0.8, 1_000) - 1) < 1e-11)
    #expect(abs(Binomial.atLeast(40, of: 40, 1e-5) / 1e-200 - 1) < 1e-12)
    #expect(abs(Binomial.atLeast(1, of: 1_000, 1e-12) / 1e-9 - 1) < 1e-8)
  }

  @Test("Impossible counts have the probability 0")
  func impossible() {
    #expect(Binomial.probability(of: -1, in: 3, 0.5) == 0)
    #expect(Binomial.probability(of: 4, in: 3, 0.5) == 0)
    #expect(Binomial.cumulative(-1, of: 3, 0.5) == 0)
    #expect(Binomial.cumulative(3, of: 3, 0.5) == 1)
    #expect(Binomial.atLeast(0, of: 3, 0.5) == 1)
    #expect(Binomial.atLeast(4, of: 3, 0.5) == 0)
    #expect(Binomial.probability(of: 0, in: 0, 0.3) == 1)
    #expect(Binomial.probability(of: 0, in: 9, 0) == 1)
    #expect(Binomial.probability(of: 9, in: 9, 1) == 1)
    #expect(Binomial.cumulative(8, of: 9, 1) == 0)
  }
}

@Suite("Student's t distribution")
struct StudentTTests {
  @Test("One and two degrees of freedom match their closed forms")
  func closedForms() {
    for t in [-40.0, -2, -0.3, 0, 1e-8, 0.7, 3, 500] {
      let cauchy = 0.5 + atan(t) / .pi
      #expect(isClose(StudentT.cumulative(t, degreesOfFreedom: 1), cauchy, 1e-14))
      let two = 0.5 + t / (2 * (2 + t * t).squareRoot())
      #expect(isClose(StudentT.cumulative(t, degreesOfFreedom: 2), two, 1e-14))
    }
  }

  @Test(
    "Quantiles match the tables (Fisher & Yates 1938)",
    arguments: [
      (0.975, 1, 12.706), (0.975, 9, 2.262), (0.975, 30, 2.042), (0.95, 19, 1.729),
      (0.995, 2.0, 9.925),
    ]
  )
  func quantiles(_ p: Double, _ df: Double, _ t: Double) {
    #expect(isClose(StudentT.quantile(p, degreesOfFreedom: df), t, 6e-4))
    #expect(isClose(StudentT.quantile(1 - p, degreesOfFreedom: df), -t, 6e-4))
  }

  @Test("The quantile is the inverse of the probability, also for fractional degrees of freedom")
  func inverse() {
    for df in [0.4, 1, 2.5, 17, 1e3, 1e6] {
      for p in [1e-9, 0.02, 0.4999, 0.5, 0.77, 0.999] {
        let t = StudentT.quantile(p, degreesOfFreedom: df)
        #expect(isClose(StudentT.cumulative(t, degreesOfFreedom: df), p, 1e-13), "\(df) \(p)")
      }
    }
    #expect(StudentT.quantile(1, degreesOfFreedom: 3) == .infinity)
    #expect(StudentT.twoSidedP(.infinity, degreesOfFreedom: 3) == 0)
  }

  @Test("With many degrees of freedom, t approaches the normal distribution")
  func normal() {
    for t in [-6.0, -1, 0, 2.3] {
      let found = StudentT.cumulative(t, degreesOfFreedom: 1e12)
      #expect(isClose(found, NormalDistribution.cumulative(t), 1e-11))
    }
  }
}
