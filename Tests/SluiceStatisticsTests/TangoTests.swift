@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Tango interval")
struct TangoTests {
  @Test(
    "The interval matches published and derived values (Fagerland: 7 and 1 of 21)",
    arguments: [
      (9, 2, 100, 0.95, -0.14589, -0.00596), (9, 2, 100, 0.9, -0.13180, -0.01759),
      (7, 1, 21, 0.95, -0.5172, -0.0260), (0, 0, 50, 0.9, -0.0513, 0.0513),
    ] as [(Int, Int, Int, Double, Double, Double)]
  )
  func published(
    _ harmful: Int,
    _ beneficial: Int,
    _ n: Int,
    _ confidence: Double,
    _ low: Double,
    _ high: Double
  ) {
    let interval = Tango.interval(
      harmful: harmful,
      beneficial: beneficial,
      of: n,
      confidence: confidence
    )
    #expect(isClose(interval, low, high, 5e-5))
  }

  @Test(
    "The 90% interval has the known values for verdicts with a margin",
    arguments: [
      (0, 0, 30, -0.0827, 0.0827), (0, 0, 55, -0.0469, 0.0469), (1, 0, 30, -0.1364, 0.0521),
      (3, 0, 30, -0.2255, -0.0090), (2, 3, 100, -0.0330, 0.0557), (15, 1, 100, -0.2097, -0.0835),
      (12, 4, 400, -0.0387, -0.0039),
    ]
  )
  func verdicts(_ harmful: Int, _ beneficial: Int, _ n: Int, _ low: Double, _ high: Double) {
    #expect(
      isClose(Tango.interval(harmful: harmful, beneficial: beneficial, of: n), low, high, 5e-5)
    )
  }

  @Test(
    "Without flips, a margin needs the known number of cases",
    arguments: [(0.02, 133), (0.03, 88), (0.05, 52), (0.10, 25)]
  )
  func noFlips(_ margin: Double, _ n: Int) {
    #expect(Tango.interval(harmful: 0, beneficial: 0, of: n).low > -margin)
    #expect(Tango.interval(harmful: 0, beneficial: 0, of: n - 1).low < -margin)
  }

  @Test("Slow cases are compared as exceedances of a budget: 11 versus 3 of 200")
  func exceedances() {
    let rise = Tango.interval(harmful: 3, beneficial: 11, of: 200)
    #expect(isClose(rise, 0.010, 0.075, 5e-4))
  }

  @Test(
    "The ends are exactly as many standard deviations away as the confidence requires",
    arguments: [1, 2, 3, 7, 20, 1_000, 1_000_000]
  )
  func ends(_ n: Int) {
    let counts = [0, 1, 2, n / 3, n / 2, n - 1, n].filter { (0...n).contains($0) }
    for harmful in counts {
      for beneficial in counts where harmful + beneficial <= n {
        for z in [0.1, 1.6448536269514722, 4] {
          let interval = Tango.interval(
            harmful: harmful,
            beneficial: beneficial,
            of: n,
            criticalValue: z
          )
          func score(_ difference: Double) -> Double {
            Tango.score(at: difference, harmful: harmful, beneficial: beneficial, of: n)
          }
          #expect(-1 <= interval.low && interval.high <= 1)
          if harmful == n {
            #expect(interval.low == -1)
          } else {
            #expect(isClose(score(interval.low), z, 1e-6), "\(harmful) \(beneficial) \(n) \(z)")
          }
          if beneficial == n {
            #expect(interval.high == 1)
          } else {
            #expect(isClose(score(interval.high), -z, 1e-6), "\(harmful) \(beneficial) \(n) \(z)")
          }
        }
      }
    }
  }

  @Test("If the score has a closed form, so does the interval")
  func closedForms() {
    let z = 1.6448536269514722
    for n in [1, 5, 50, 10_000] {
      let square = z * z
      let none = Tango.interval(harmful: 0, beneficial: 0, of: n, criticalValue: z)
      let end = square / (Double(n) + square)
      #expect(isClose(none, -end, end, 1e-14))
      let all = Tango.interval(harmful: n, beneficial: 0, of: n, criticalValue: z)
      #expect(isClose(all, -1, (square - Double(n)) / (square + Double(n)), 1e-13))
    }
  }

  @Test("It is symmetric, contains the difference, and has a decreasing score")
  func shape() {
    let n = 15
    for harmful in 0...n {
      for beneficial in 0...(n - harmful) {
        let interval = Tango.interval(harmful: harmful, beneficial: beneficial, of: n)
        let mirrored = Tango.interval(harmful: beneficial, beneficial: harmful, of: n)
        #expect(interval == Interval(low: -mirrored.high, high: -mirrored.low))
        let difference = Double(beneficial - harmful) / Double(n)
        #expect(interval.low <= difference && difference <= interval.high)
        let scores = stride(from: -0.95, through: 0.95, by: 0.1).map {
          Tango.score(at: $0, harmful: harmful, beneficial: beneficial, of: n)
        }
        #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 > $1 })
      }
    }
  }

  @Test("The restricted rates have the maximum likelihood")
  func likeliest() {
    // The variance of the score uses the rates that maximize the likelihood b · log q + c · log(q +
    // d) + rest · log(1 - 2q - d). The search narrows them down by thirds.
    for (b, c, n, d) in [
      (4.0, 9.0, 30.0, 0.2), (4, 9, 30, -0.35), (1, 0, 12, 0.1), (7, 7, 40, -0.5),
    ] {
      var (low, high) = (max(0, -d), (1 - d) / 2)
      func likelihood(_ q: Double) -> Double {
        func term(_ count: Double, _ p: Double) -> Double {
          count == 0 ? 0 : count * BinomialDensity.log(1, 0, max(p, 1e-300), 1 - max(p, 1e-300))
        }
        return term(b, q) + term(c, q + d) + term(n - b - c, 1 - 2 * q - d)
      }
      for _ in 0..<200 {
        let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
        if likelihood(left) < likelihood(right) { low = left } else { high = right }
      }
      let variance = 2 * low + d - d * d
      let expected = (c - b - n * d) / (n * variance).squareRoot()
      let found = Tango.score(at: d, harmful: Int(b), beneficial: Int(c), of: Int(n))
      #expect(isClose(found, expected, 1e-6))
    }
  }
}
