@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Rates of clustered and repeated cases")
struct RateSampleTests {
  /// Returns rows for cases by cluster.
  ///
  /// Each case is a word with one letter per repeat: `p` if it passes, `f` if not.
  static func rows(_ clusters: [[String]]) -> [RateSample.Row] {
    var rows: [RateSample.Row] = []
    for (cluster, cases) in clusters.enumerated() {
      for word in cases {
        rows.append(
          RateSample.Row(
            trial: Int32(rows.count),
            cluster: Int32(cluster),
            holding: Double(word.count { $0 == "p" }) / Double(word.count),
            weight: 1,
            repeats: Int32(word.count)
          )
        )
      }
    }
    return rows
  }

  /// Returns rows for cases by cluster, with the number of passes in each cluster, and one repeat
  /// per case.
  private static func rows(passes: [Int], of sizes: [Int]) -> [RateSample.Row] {
    var rows: [RateSample.Row] = []
    rows.reserveCapacity(sizes.reduce(0, +))
    for cluster in sizes.indices {
      for place in 0..<sizes[cluster] {
        rows.append(
          RateSample.Row(
            trial: Int32(rows.count),
            cluster: Int32(cluster),
            holding: place < passes[cluster] ? 1 : 0,
            weight: 1,
            repeats: 1
          )
        )
      }
    }
    return rows
  }

  private func single(_ word: String) -> [[String]] { word.map { [String($0)] } }

  @Test("Unclustered cases without repeats have the ordinary binomial intervals")
  func plain() {
    let sample = RateSample(Self.rows(single("pppppfppff")))
    #expect(sample.estimate == Estimate(rate: 7, of: 10))
    #expect(sample.interval(0.95) == Wilson.interval(successes: 7, of: 10))
    #expect(sample.effectiveCases == 10)
    #expect(
      sample.bounds(confidence: 0.95).low == ClopperPearson.lowerBound(successes: 7, of: 10)
    )
  }

  @Test("Identical repeats count as a single one", arguments: [2, 3, 5])
  func sameRepeats(_ repeats: Int) {
    let words = single("pppppfppff").map { $0.map { String(repeating: $0, count: repeats) } }
    let sample = RateSample(Self.rows(words))
    let (found, plain) = (sample.interval(0.95), Wilson.interval(successes: 7, of: 10))
    #expect(isClose(found.low, plain.low, 1e-9))
    #expect(isClose(found.high, plain.high, 1e-9))
    #expect(sample.estimate.n == 10)
  }

  @Test("Varying repeats narrow the interval, but not the bounds of a claim")
  func waveringRepeats() {
    let words = Array(repeating: ["ppf"], count: 30)
    let sample = RateSample(Self.rows(words))
    #expect(isClose(sample.value, 2.0 / 3))
    #expect(isClose(sample.effectiveCases, 90))
    let bounds = sample.bounds(confidence: 0.95)
    #expect(isClose(bounds.low, ClopperPearson.lowerBound(successes: 20, of: 30), 1e-9))
    #expect(isClose(bounds.high, ClopperPearson.upperBound(successes: 20, of: 30), 1e-9))
  }

  @Test("A large cluster widens the interval but does not change the estimate")
  func largeCluster() {
    let large = (0..<250).map { $0 % 25 < 13 ? "p" : "f" }
    let sample = RateSample(Self.rows([large] + single(String(repeating: "pf", count: 125))))
    #expect(isClose(sample.value, (130.0 + 125) / 500))
    #expect(sample.cases == 500)
    #expect(sample.clusters == 251)
    #expect(sample.effectiveClusters < 4)
  }

  @Test("27 equal clusters of 250 cases have the standard error of their means")
  func tasks() throws {
    // Rates from 21% to 83% in steps.
    let rates = (0..<27).map { 53 + 6 * $0 }
    let sample = RateSample(
      Self.rows(rates.map { rate in (0..<250).map { $0 < rate ? "p" : "f" } })
    )
    let means = try #require(MeanEstimate(rates.map { Double($0) / 250 }))
    #expect(isClose(sample.value, means.mean))
    #expect(isClose(sample.standardError, try #require(means.standardError), 5e-4))
  }

  @Test("Clusters without variance count once each")
  func noSpread() {
    let sample = RateSample(Self.rows(Array(repeating: ["p", "p", "p"], count: 12)))
    #expect(sample.effectiveCases == 12)
    let bounds = sample.bounds(confidence: 0.95)
    #expect(isClose(bounds.low, ClopperPearson.lowerBound(successes: 12, of: 12), 1e-9))
    #expect(bounds.high == 1)
  }

  @Test("One more failure never improves a bound")
  func monotone() {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<150 {
      let repeats = Int.random(in: 1...3, using: &random)
      let share = Double.random(in: 0...0.4, using: &random)
      var clusters = (0..<Int.random(in: 2...14, using: &random)).map { _ in
        let own = Bool.random(using: &random) ? share : share / 4
        return (0..<Int.random(in: 1...9, using: &random)).map { _ in
          (0..<repeats).map { _ in Double.random(in: 0..<1, using: &random) < own ? "f" : "p" }
            .joined()
        }
      }
      func ends() -> [Interval] {
        let sample = RateSample(Self.rows(clusters))
        return [sample.bounds(confidence: 0.95), sample.interval(0.95)]
      }
      var before = ends()
      for _ in 0..<6 {
        let cluster = clusters.indices.randomElement(using: &random) ?? 0
        let place = clusters[cluster].indices.randomElement(using: &random) ?? 0
        guard let pass = clusters[cluster][place].firstIndex(of: "p") else { continue }
        clusters[cluster][place].replaceSubrange(pass...pass, with: "f")
        let after = ends()
        for (earlier, later) in zip(before, after) {
          #expect(later.low <= earlier.low + 1e-9, "\(clusters)")
          #expect(later.high <= earlier.high + 1e-9, "\(clusters)")
        }
        before = after
      }
    }
  }

  /// The numbers of cases per cluster: equal sizes, and designs with one dominant cluster.
  private static let designs: [[Int]] = [
    Array(repeating: 5, count: 8), Array(repeating: 10, count: 20), Array(repeating: 3, count: 40),
    [45] + Array(repeating: 5, count: 20), [100] + Array(repeating: 5, count: 40),
  ]

  @Test("95% intervals contain the rate at least 93% of the time", arguments: designs)
  func coverage(_ sizes: [Int]) {
    #expect(DesignEffect(sizes: sizes.map(Double.init), judged: 0).clusters == sizes.count)
    var random = SeededGenerator(seed: 7)
    for (rate, correlation) in [(0.5, 0.3), (0.8, 0.1), (0.9, 0.6), (0.7, 1)] {
      // A coverage of 88% goes undetected one time in twenty.
      let covers = RareEvent.isRare(upTo: 0.07, notFrom: 0.12, error: 0.05) {
        let clusters = sizes.map { size in
          ClusterDraw.passes(size, rate: rate, correlation: correlation, using: &random)
        }
        let interval = RateSample(Self.rows(passes: clusters, of: sizes)).interval(0.95)
        return rate < interval.low || interval.high < rate
      }
      #expect(covers, "\(rate), correlation \(correlation)")
    }
  }
}

/// Random clusters whose cases are correlated.
enum ClusterDraw {
  /// Returns the number of passes in a cluster.
  ///
  /// With the square root of the correlation as probability, a case takes the outcome that its
  /// cluster shares. Otherwise it has its own outcome (Lunn & Davies 1998).
  static func passes(
    _ size: Int,
    rate: Double,
    correlation: Double,
    using random: inout SeededGenerator
  ) -> Int {
    let shared = Double.random(in: 0..<1, using: &random) < rate
    let copies = correlation.squareRoot()
    return (0..<size).count { _ in
      Double.random(in: 0..<1, using: &random) < copies
        ? shared : Double.random(in: 0..<1, using: &random) < rate
    }
  }
}
