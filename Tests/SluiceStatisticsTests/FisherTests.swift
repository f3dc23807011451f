@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Fisher's exact test")
struct FisherTests {
  @Test(
    "Repeats distinguish a regression from a flaky case only if most of them fail",
    arguments: [
      (5, 5, 1, 5, 0.0238), (5, 5, 2, 5, 0.0833), (3, 3, 0, 3, 0.05), (10, 10, 6, 10, 0.0433),
    ]
  )
  func regressed(_ before: Int, _ runsBefore: Int, _ now: Int, _ runsNow: Int, _ p: Double) {
    let table = Fisher.Table(before, runsBefore - before, now, runsNow - now)
    #expect(isClose(Fisher.greater(table), p, 5e-5))
  }

  @Test("The p values match the lady tasting tea (Fisher 1935)")
  func tea() {
    let table = Fisher.Table(3, 1, 1, 3)
    #expect(isClose(Fisher.greater(table), 17.0 / 70))
    #expect(isClose(Fisher.less(table), 69.0 / 70))
    #expect(isClose(Fisher.twoSided(table), 34.0 / 70))
    #expect(isClose(Fisher.greater(Fisher.Table(4, 0, 0, 4)), 1.0 / 70))
  }

  @Test("The p values match an enumeration of all tables with the same sums")
  func enumeration() {
    func choose(_ n: Int, _ k: Int) -> Double {
      k < 0 || k > n ? 0 : (0..<k).reduce(1) { $0 * Double(n - $1) / Double($1 + 1) }
    }
    for a in 0...6 {
      for b in 0...4 {
        for c in 0...5 {
          let d = 3
          let weights = (0...(a + b)).map { choose(a + b, $0) * choose(c + d, a + c - $0) }
          let all = weights.reduce(0, +)
          let table = Fisher.Table(a, b, c, d)
          #expect(isClose(Fisher.less(table), weights[...a].reduce(0, +) / all, 1e-13))
          #expect(isClose(Fisher.greater(table), weights[a...].reduce(0, +) / all, 1e-13))
          let rare = weights.filter { $0 <= weights[a] * (1 + 1e-9) }.reduce(0, +)
          #expect(isClose(Fisher.twoSided(table), rare / all, 1e-13))
        }
      }
    }
  }

  @Test("If no other table has the same sums, the p value is 1")
  func degenerate() {
    for table in [Fisher.Table(0, 0, 0, 0), Fisher.Table(0, 5, 0, 9), Fisher.Table(3, 4, 0, 0)] {
      #expect(Fisher.twoSided(table) == 1)
      #expect(Fisher.less(table) == 1)
      #expect(Fisher.greater(table) == 1)
    }
  }

  @Test("A million cases per group are computed accurately")
  func large() {
    let table = Fisher.Table(500_000, 500_000, 499_000, 501_000)
    #expect(isClose(Fisher.twoSided(table), 0.157714505, 1e-9))
    #expect(isClose(Fisher.greater(table), 0.078857252, 1e-9))
  }
}
