@testable import SluiceStatistics
import Testing

@Suite("Rank intervals")
struct RankIntervalTests {
  @Test(
    "The ranks around a percentile have the known values",
    arguments: [
      (95.0, 100, 90, 100), (95, 200, 184, 197), (95, 500, 465, 485), (95, 1_000, 936, 964),
      (50, 50, 18, 33),
    ]
  )
  func ranks(_ percent: Double, _ n: Int, _ low: Int, _ high: Int) {
    let found = RankInterval.ranks(of: percent, n: n)
    #expect(found == RankInterval.Ranks(low: low, high: high))
  }

  @Test(
    "A finite one-sided bound needs the known minimum number of values",
    arguments: [(90.0, 29), (95, 59), (99, 299)]
  )
  func least(_ percent: Double, _ n: Int) {
    #expect(RankInterval.upperBoundRank(of: percent, n: n) == n)
    #expect(RankInterval.upperBoundRank(of: percent, n: n - 1) == nil)
    #expect(RankInterval.lowerBoundRank(of: 100 - percent, n: n) == 1)
    #expect(RankInterval.lowerBoundRank(of: 100 - percent, n: n - 1) == nil)
  }

  @Test("The ranks contain the percentile as often as promised, and narrower ranks would not")
  func coverage() {
    for percent in [10.0, 50, 95] {
      for n in [5, 40, 73, 200] {
        for confidence in [0.8, 0.95, 0.99] {
          let ranks = RankInterval.ranks(of: percent, n: n, confidence: confidence)
          let (share, tail) = (percent / 100, (1 - confidence) / 2 + 1e-12)
          if let low = ranks.low {
            #expect(Binomial.cumulative(low - 1, of: n, share) <= tail)
            #expect(Binomial.cumulative(low, of: n, share) > tail)
          } else {
            #expect(Binomial.cumulative(0, of: n, share) > tail)
          }
          if let high = ranks.high {
            #expect(Binomial.atLeast(high, of: n, share) <= tail)
            #expect(Binomial.atLeast(high - 1, of: n, share) > tail)
          } else {
            #expect(Binomial.atLeast(n, of: n, share) > tail)
          }
        }
      }
    }
  }

  @Test("A probability equal to the level is rare enough")
  func tie() {
    // Five values all lie above the median with probability 1/32.
    let ranks = RankInterval.ranks(of: 50, n: 5, confidence: 1 - 2.0 / 32)
    #expect(ranks == RankInterval.Ranks(low: 1, high: 5))
  }

  @Test("The ends of the interval are values of the sample")
  func sample() {
    let values = (1...100).map(Double.init).reversed()
    #expect(RankInterval.of(95, in: Array(values)) == Interval(low: 90, high: 100))
    #expect(RankInterval.of(95, in: [1, 2, 3]) == nil)
    #expect(RankInterval.of(50, in: []) == nil)
    #expect(RankInterval.ranks(of: 50, n: 0) == RankInterval.Ranks(low: nil, high: nil))
  }

  @Test("Dependent values widen the interval")
  func units() {
    // Each of 50 cases gives its value four times, so the ends are those of 50 values.
    let values = (1...50).flatMap { Array(repeating: Double($0), count: 4) }
    #expect(RankInterval.of(50, in: values, units: 50) == Interval(low: 18, high: 33))
    #expect(RankInterval.of(50, in: values) == Interval(low: 22, high: 29))
    #expect(RankInterval.of(95, in: values, units: 50) == nil)
  }
}
