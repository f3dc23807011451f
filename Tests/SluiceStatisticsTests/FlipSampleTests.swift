@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Flips of clustered and repeated cases")
struct FlipSampleTests {
  private func sample(
    _ clusters: [(cases: Int, harmful: Double, beneficial: Double)],
    repeats: Int = 1
  ) -> FlipSample {
    FlipSample(
      clusters.map {
        FlipSample.Cluster(
          cases: Double($0.cases),
          harmful: $0.harmful,
          beneficial: $0.beneficial
        )
      },
      judged: Double(clusters.reduce(0) { $0 + $1.cases } * repeats),
      repeats: repeats
    )
  }

  @Test(
    "Identical repeats give the same interval as a single run",
    arguments: [(9, 2, 100), (0, 0, 60), (3, 0, 30), (7, 1, 21), (15, 1, 100)]
  )
  func sameRepeats(_ harmful: Int, _ beneficial: Int, _ n: Int) {
    let clusters = (0..<n).map { place in
      (
        cases: 1, harmful: place < harmful ? 1.0 : 0,
        beneficial: place >= n - beneficial ? 1.0 : 0
      )
    }
    let found = sample(clusters, repeats: 3)
    let plain = Tango.interval(harmful: harmful, beneficial: beneficial, of: n)
    #expect(isClose(found.interval(confidence: 0.9).low, plain.low, 1e-6))
    #expect(isClose(found.interval(confidence: 0.9).high, plain.high, 1e-6))
    let score = Tango.score(at: 0, harmful: harmful, beneficial: beneficial, of: n)
    #expect(isClose(found.p(at: 0), NormalDistribution.cumulative(score), 1e-9))
  }

  @Test("Repeats average out noise, so the interval becomes narrower")
  func waveringRepeats() {
    // Each case passes two of three times on both sides.
    let clusters = (0..<156).map { place in
      place < 60 ? (cases: 1, harmful: 2.0 / 9, beneficial: 2.0 / 9) : (1, 0, 0)
    }
    let found = sample(clusters, repeats: 3)
    #expect(isClose(found.effective.n, 468))
    #expect(found.interval(confidence: 0.9).low > -0.05)
    #expect(isClose(found.difference, 0))
  }

  @Test("Without flips, each cluster counts as one case")
  func noFlip() {
    let found = sample(Array(repeating: (cases: 10, harmful: 0, beneficial: 0), count: 40))
    let low = found.interval(confidence: 0.9).low
    #expect(low <= Tango.interval(harmful: 0, beneficial: 0, of: 40).low + 1e-9)
    #expect(found.effective.n == 40)
  }

  @Test("The p value is below a level exactly if the interval excludes that difference")
  func agreement() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let clusters = (0..<Int.random(in: 8...30, using: &random)).map { _ in
        let cases = Int.random(in: 1...6, using: &random)
        let harmful = Int.random(in: 0...cases, using: &random) / 2
        let beneficial = Int.random(in: 0...(cases - harmful), using: &random) / 3
        return (cases: cases, harmful: Double(harmful), beneficial: Double(beneficial))
      }
      let found = sample(clusters)
      for supposed in [0.0, -0.05] {
        let isExcluded = found.interval(confidence: 0.9).high < supposed
        let p = found.p(at: supposed)
        if (p - 0.05).magnitude > 1e-6 { #expect((p < 0.05) == isExcluded, "\(clusters)") }
      }
    }
  }

  @Test("One more harmful flip never raises the lower bound")
  func monotone() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var clusters = (0..<Int.random(in: 2...20, using: &random)).map { _ in
        let cases = Int.random(in: 1...8, using: &random)
        let beneficial = Double.random(in: 0..<1, using: &random) < 0.3 ? 1.0 : 0
        return (cases: cases, harmful: 0.0, beneficial: min(beneficial, Double(cases)))
      }
      var low = sample(clusters).interval(confidence: 0.9).low
      for _ in 0..<10 {
        let place = clusters.indices.randomElement(using: &random) ?? 0
        let (cases, harmful, beneficial) = clusters[place]
        guard harmful + beneficial < Double(cases) else { continue }
        clusters[place].harmful += 1
        let next = sample(clusters).interval(confidence: 0.9).low
        #expect(next <= low + 1e-9, "\(clusters)")
        low = next
      }
    }
  }
}
