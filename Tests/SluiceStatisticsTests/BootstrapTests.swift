@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Bootstrap")
struct BootstrapTests {
  /// The distribution of the sum of a resample of differences of ±1 and 0, for infinitely many
  /// resamples.
  private struct Limit {
    let harmful: Int
    let beneficial: Int
    let n: Int
    private var shares: [Double]

    init(harmful: Int, beneficial: Int, n: Int) {
      (self.harmful, self.beneficial, self.n) = (harmful, beneficial, n)
      var shares = Array(repeating: 0.0, count: 2 * n + 1)
      TrinomialEnumeration(
        n: n,
        harmful: Double(harmful) / Double(n),
        beneficial: Double(beneficial) / Double(n)
      ).forEach { shares[n + $1 - $0] += $2 }
      self.shares = shares
    }

    /// The smallest mean that is exceeded with at most the remaining probability.
    func quantile(_ level: Double) -> Double {
      var sum = 0.0
      let place = shares.firstIndex {
        sum += $0
        return sum >= level - 1e-12
      }
      return Double((place ?? 2 * n) - n) / Double(n)
    }

    /// Returns the level after the corrections for bias and skewness.
    func corrected(_ level: Double) -> Double {
      let observed = n + beneficial - harmful
      let share = shares[..<observed].reduce(0, +) + shares[observed] / 2
      let mean = Double(beneficial - harmful) / Double(n)
      var (squares, cubes) = (0.0, 0.0)
      for (value, count) in [(-1.0, harmful), (1, beneficial), (0, n - harmful - beneficial)] {
        let distance = value - mean
        squares += Double(count) * distance * distance
        cubes += Double(count) * distance * distance * distance
      }
      guard squares > 0 else { return level }
      let bias = NormalDistribution.quantile(share)
      let acceleration = cubes / (6 * squares * squares.squareRoot())
      let sum = bias + NormalDistribution.quantile(level)
      return NormalDistribution.cumulative(bias + sum / (1 - acceleration * sum))
    }
  }

  // All figures are exact. Those of the corrected intervals are for infinitely many resamples. With
  // few resamples, outcomes whose level is close to a step of the distribution fall on either side
  // of it.
  @Test(
    "With every interval except Tango's, a suite at the margin passes too often",
    arguments: [
      (20, 0.05, 0.358, 0.358, 0.358, 0.000), (30, 0.05, 0.215, 0.215, 0.215, 0.000),
      (30, 0.10, 0.107, 0.107, 0.107, 0.020), (50, 0.10, 0.088, 0.088, 0.106, 0.034),
      (100, 0.10, 0.069, 0.047, 0.047, 0.045),
    ] as [(Int, Double, Double, Double, Double, Double)]
  )
  func margin(
    _ n: Int,
    _ discordance: Double,
    _ wald: Double,
    _ percentile: Double,
    _ corrected: Double,
    _ tango: Double
  ) {
    let margin = 0.05
    let z = NormalDistribution.quantile(0.95)
    var passes = (wald: 0.0, percentile: 0.0, corrected: 0.0, tango: 0.0)
    TrinomialEnumeration(n: n, discordance: discordance, difference: -margin).forEach {
      harmful,
      beneficial,
      probability in
      guard probability > 1e-6 else { return }
      let mean = Double(beneficial - harmful) / Double(n)
      let variance =
        (Double(harmful + beneficial) / Double(n) - mean * mean) * Double(n) / Double(n - 1)
      func pass(_ low: Double) -> Double { low > -margin + 1e-9 ? probability : 0 }
      let limit = Limit(harmful: harmful, beneficial: beneficial, n: n)
      passes.wald += pass(mean - z * (variance / Double(n)).squareRoot())
      passes.percentile += pass(limit.quantile(0.05))
      passes.corrected += pass(limit.quantile(limit.corrected(0.05)))
      passes.tango += pass(Tango.interval(harmful: harmful, beneficial: beneficial, of: n).low)
    }
    #expect(isClose(passes.wald, wald, 6e-4))
    #expect(isClose(passes.percentile, percentile, 6e-4))
    #expect(isClose(passes.corrected, corrected, 6e-4))
    #expect(isClose(passes.tango, tango, 6e-4))
  }

  @Test(
    "Many resamples approach the limit of infinitely many",
    arguments: [(5, 1, 40), (2, 9, 60), (0, 4, 30)]
  )
  func limits(_ harmful: Int, _ beneficial: Int, _ n: Int) throws {
    let values =
      Array(repeating: -1.0, count: harmful) + Array(repeating: 1, count: beneficial)
      + Array(repeating: 0, count: n - harmful - beneficial)
    let bootstrap = try #require(Bootstrap(values, seed: 6))
    let limit = Limit(harmful: harmful, beneficial: beneficial, n: n)
    let step = 1.01 / Double(n)
    #expect(
      isClose(
        bootstrap.percentileInterval(confidence: 0.9),
        limit.quantile(0.05),
        limit.quantile(0.95),
        step
      )
    )
    #expect(
      isClose(
        bootstrap.correctedInterval(confidence: 0.9),
        limit.quantile(limit.corrected(0.05)),
        limit.quantile(limit.corrected(0.95)),
        step
      )
    )
  }

  @Test("The same seed gives the same interval, and another seed a different one")
  func seeded() {
    let values = [0.3, 1.2, 0.7, 0.1, 2.9, 0.4, 0.9, 1.7]
    let interval = Bootstrap(values, seed: 1)?.correctedInterval()
    #expect(interval == Bootstrap(values, seed: 1)?.correctedInterval())
    #expect(interval != Bootstrap(values, seed: 2)?.correctedInterval())
  }

  @Test("A long right tail moves the corrected interval to the right")
  func skewed() throws {
    let values = (0..<25).map { Double($0 * $0 * $0) }
    let bootstrap = try #require(Bootstrap(values))
    let (plain, corrected) = (
      bootstrap.percentileInterval(), try #require(bootstrap.correctedInterval())
    )
    #expect(corrected.low > plain.low && corrected.high > plain.high)
    #expect(plain.low < bootstrap.mean && bootstrap.mean < plain.high)
  }

  @Test("Equal values have no corrected interval, and no values have no bootstrap")
  func degenerate() throws {
    let equal = try #require(Bootstrap(Array(repeating: 0.1, count: 7), resamples: 100))
    #expect(isClose(equal.percentileInterval(), 0.1, 0.1))
    #expect(equal.correctedInterval() == nil)
    #expect(Bootstrap([]) == nil)
  }
}
