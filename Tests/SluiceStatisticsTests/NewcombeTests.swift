@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Newcombe intervals")
struct NewcombeTests {
  @Test(
    "Paired intervals match published and derived values (Fagerland: 7 and 1 of 21)",
    arguments: [(80, 9, 2, 9, -0.14282, -0.00234), (1, 7, 1, 12, -0.5069, -0.0256)]
  )
  func paired(
    _ both: Int,
    _ harmful: Int,
    _ beneficial: Int,
    _ neither: Int,
    _ low: Double,
    _ high: Double
  ) {
    let interval = Newcombe.paired(
      both: both,
      harmful: harmful,
      beneficial: beneficial,
      neither: neither
    )
    #expect(isClose(interval, low, high, 5e-5))
  }

  @Test(
    "Independent intervals match the published values (Newcombe 1998, table II, method 10)",
    arguments: [
      (56, 70, 48, 80, 0.0524, 0.3339), (9, 10, 3, 10, 0.1705, 0.8090),
      (6, 7, 2, 7, 0.0582, 0.8062), (5, 56, 0, 29, -0.0381, 0.1926),
      (0, 10, 0, 20, -0.1611, 0.2775),
      (10, 10, 0, 20, 0.6791, 1), (10, 10, 0, 10, 0.6075, 1),
    ]
  )
  func independent(_ k1: Int, _ n1: Int, _ k2: Int, _ n2: Int, _ low: Double, _ high: Double) {
    #expect(isClose(Newcombe.independent((k1, n1), minus: (k2, n2)), low, high, 5e-5))
  }

  @Test("Paired intervals are symmetric in harm and benefit, and stay within -1 and 1")
  func shape() throws {
    for counts in [[0, 0, 0, 4], [3, 0, 0, 0], [0, 5, 0, 0], [0, 3, 3, 0], [2, 5, 1, 9]] {
      let interval = try #require(
        Newcombe.paired(
          both: counts[0],
          harmful: counts[1],
          beneficial: counts[2],
          neither: counts[3]
        )
      )
      let mirrored = try #require(
        Newcombe.paired(
          both: counts[0],
          harmful: counts[2],
          beneficial: counts[1],
          neither: counts[3]
        )
      )
      #expect(isClose(interval, -mirrored.high, -mirrored.low))
      #expect(-1 <= interval.low && interval.low <= interval.high && interval.high <= 1)
    }
  }

  @Test("Without cases, there is no interval")
  func empty() {
    #expect(Newcombe.paired(both: 0, harmful: 0, beneficial: 0, neither: 0) == nil)
  }
}
