@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("pass@k and pass^k")
struct PassAtKTests {
  @Test(
    "The probabilities that any or all of k runs pass have the known values",
    arguments: [
      (10, 8, 3, 1.0, 0.4667), (4, 1, 2, 0.5, 0), (6, 4, 2, 14.0 / 15, 0.4), (5, 5, 5, 1, 1),
      (5, 0, 1, 0, 0), (5, 2, 0, 0, 1), (50, 48, 5, 1, 0.8081632653061225),
    ] as [(Int, Int, Int, Double, Double)]
  )
  func draws(_ n: Int, _ passes: Int, _ k: Int, _ any: Double, _ all: Double) {
    let tolerance = all == 0.4667 ? 5e-5 : 1e-14
    #expect(isClose(PassAtK.any(k, passes: passes, of: n), any, tolerance))
    #expect(isClose(PassAtK.all(k, passes: passes, of: n), all, tolerance))
  }

  @Test("The probabilities match an enumeration of all draws")
  func counting() {
    for n in 0...9 {
      for passes in 0...n {
        for k in 0...n {
          let draws = (0..<1 << n).filter { $0.nonzeroBitCount == k }
          let passing = draws.count { $0 < 1 << passes }
          let expected = Double(passing) / Double(draws.count)
          #expect(isClose(PassAtK.all(k, passes: passes, of: n), expected, 1e-14))
        }
      }
    }
  }

  @Test("More draws than runs are impossible")
  func tooMany() {
    #expect(PassAtK.any(6, passes: 2, of: 5) == nil)
    #expect(PassAtK.all(6, passes: 2, of: 5) == nil)
  }

  @Test(
    "The probability that two runs of a case disagree has the known value",
    arguments: [(5, 0.0), (4, 0.4), (3, 0.6), (2, 0.6), (0, 0)]
  )
  func flips(_ passes: Int, _ rate: Double) {
    #expect(isClose(PassAtK.flipRate(passes: passes, of: 5), rate, 1e-15))
    #expect(PassAtK.flipRate(passes: 1, of: 1) == nil)
  }
}

@Suite("Variance of repeats")
struct RepeatVarianceTests {
  private let passes = [5, 5, 4, 3, 2, 0, 5, 5]

  @Test("The variance is divided into parts between cases and between repeats")
  func parts() throws {
    let variance = try #require(RepeatVariance(passes: passes, repeats: 5))
    #expect(isClose(variance.mean, 0.725))
    #expect(isClose(variance.betweenMeanSquare, 0.68214, 5e-6))
    #expect(isClose(variance.withinMeanSquare, 0.1))
    #expect(isClose(variance.betweenVariance, 0.11643, 5e-6))
    #expect(isClose(variance.withinVariance, 0.1))
    #expect(isClose(variance.intraclassCorrelation, 0.538, 5e-4))
    #expect(isClose(variance.standardError, 0.13059, 5e-6))
    #expect(isClose(variance.standardError(repeats: 1), 0.1645, 5e-5))
    #expect(isClose(variance.standardError(repeats: .infinity), 0.1206, 5e-5))
    #expect(isClose(variance.standardError(repeats: 5), variance.standardError ?? 0))
    // If all values were independent, the error would look smaller.
    let naive = MeanEstimate(scores.flatMap(\.self))?.standardError
    #expect(isClose(naive, 0.0715, 5e-5))
  }

  private var scores: [[Double]] {
    passes.map { count in (0..<5).map { $0 < count ? 1 : 0 } }
  }

  @Test("Counts of passes and scores of 0 and 1 give the same result")
  func scored() throws {
    let one = try #require(RepeatVariance(passes: passes, repeats: 5))
    let other = try #require(RepeatVariance(scores))
    #expect(isClose(one.mean, other.mean))
    #expect(isClose(one.withinMeanSquare, try #require(other.withinMeanSquare)))
    #expect(isClose(one.betweenMeanSquare, try #require(other.betweenMeanSquare)))
  }

  @Test("The suite has a disagreement of .20, a pass^3 of .5625 and a pass^5 of .5")
  func suite() throws {
    func mean(_ value: (Int) -> Double?) -> Double {
      passes.reduce(0) { $0 + (value($1) ?? 0) } / Double(passes.count)
    }
    #expect(isClose(mean { PassAtK.flipRate(passes: $0, of: 5) }, 0.20))
    #expect(isClose(mean { PassAtK.all(3, passes: $0, of: 5) }, 0.5625))
    #expect(isClose(mean { PassAtK.all(5, passes: $0, of: 5) }, 0.5))
  }

  @Test("For the same number of calls, more cases are better than more repeats")
  func budget() throws {
    let variance = try #require(RepeatVariance(passes: passes, repeats: 5))
    let errors = try [1.0, 2, 4, 8].map { repeats in
      // The error decreases with the square root of the number of cases.
      try #require(variance.standardError(repeats: repeats)) * repeats.squareRoot()
    }
    #expect(errors == errors.sorted())
  }

  @Test("One case has no variance between cases, and one repeat none between repeats")
  func degenerate() throws {
    let one = try #require(RepeatVariance(passes: [2], repeats: 3))
    #expect(one.standardError == nil)
    #expect(one.betweenVariance == nil)
    #expect(one.intraclassCorrelation == nil)
    let once = try #require(RepeatVariance(passes: [1, 0, 1], repeats: 1))
    #expect(once.withinVariance == nil)
    #expect(once.standardError != nil)
    #expect(once.standardError(repeats: 2) == nil)
    let same = try #require(RepeatVariance(passes: [3, 3], repeats: 3))
    #expect(same.standardError == 0)
    #expect(same.intraclassCorrelation == nil)
    #expect(RepeatVariance(passes: [], repeats: 3) == nil)
    #expect(RepeatVariance([]) == nil)
  }
}
