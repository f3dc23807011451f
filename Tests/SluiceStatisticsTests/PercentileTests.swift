import SluiceStatistics
import Testing

@Suite("Percentiles")
struct PercentileTests {
  @Test(
    "Percentiles are interpolated between two values (type 7, Hyndman and Fan 1996)",
    arguments: [
      (50, [1, 2, 3], 2), (50, [1, 2], 1.5), (25, [1, 2, 3, 4], 1.75), (95, [10, 20], 19.5),
      (90, [4, 1, 3, 2, 5], 4.6), (0, [3, 1, 2], 1), (100, [3, 1, 2], 3), (50, [7], 7),
      (99, [7, 7, 7], 7), (50, [-1, 1], 0),
    ] as [(Double, [Double], Double)]
  )
  func interpolated(_ percent: Double, _ values: [Double], _ expected: Double) throws {
    let found = try #require(Percentile.of(percent, in: values))
    #expect(abs(found - expected) < 1e-12)
  }

  @Test("A percentage out of range gives the minimum or the maximum")
  func outOfRange() {
    #expect(Percentile.of(-5, in: [1, 2]) == 1)
    #expect(Percentile.of(500, in: [1, 2]) == 2)
  }

  @Test("An empty sample has no percentiles")
  func empty() {
    #expect(Percentile.of(50, in: []) == nil)
  }

  @Test(
    "A finite bound needs the known minimum number of values",
    arguments: [(5, 1), (50, 5), (90, 29), (95, 59), (99, 299), (99.9, 2_995)]
  )
  func leastSample(_ percent: Double, _ count: Int) {
    #expect(Percentile.leastSample(bounding: percent) == count)
  }

  @Test("With one value less, the maximum is below the percentile too often")
  func leastSampleIsLeast() {
    for percent in stride(from: 1.0, through: 99, by: 0.5) {
      let count = Percentile.leastSample(bounding: percent)
      func allBelow(_ n: Int) -> Double { (0..<n).reduce(1) { all, _ in all * percent / 100 } }
      #expect(allBelow(count) <= 0.05 + 1e-12)
      #expect(count == 1 || allBelow(count - 1) > 0.05)
    }
  }

  @Test("A percentile that rounds to 100 would need more values than possible")
  func extremes() {
    #expect(Percentile.leastSample(bounding: 100 - 1e-300) == .max)
    #expect(Percentile.leastSample(bounding: 1e-300) == 1)
  }
}
