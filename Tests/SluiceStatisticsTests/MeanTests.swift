@testable import SluiceStatistics
import Testing
import TestSupport

/// Answers to 12 questions, before and after a change.
private let baseline: [Double] = [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1]
private let candidate: [Double] = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0]

/// Differences of scores with known statistics.
private let differences = [
  -0.30, 0.10, 0, -0.20, -0.05, 0.05, -0.40, -0.10, 0, -0.15, 0.05, -0.25,
]

@Suite("Means")
struct MeanEstimateTests {
  @Test("A paired comparison has a smaller standard error than two groups")
  func paired() throws {
    let before = try #require(MeanEstimate(baseline))
    let after = try #require(MeanEstimate(candidate))
    #expect(isClose(before.mean, 0.6667, 5e-5))
    #expect(isClose(after.mean, 0.5, 5e-5))
    #expect(isClose(before.standardError, 0.14213, 5e-6))
    #expect(isClose(after.standardError, 0.15076, 5e-6))
    let unpaired = ((before.variance ?? 0) / 12 + (after.variance ?? 0) / 12).squareRoot()
    #expect(isClose(unpaired, 0.20719, 5e-6))
    let change = try #require(MeanEstimate(baseline: baseline, candidate: candidate))
    #expect(isClose(change.mean, -1.0 / 6))
    #expect(isClose(change.standardError, 0.11237, 5e-6))
  }

  @Test("Student's t gives the interval and the p value of a mean")
  func interval() throws {
    let estimate = try #require(MeanEstimate(differences))
    #expect(isClose(estimate.mean, -0.10417, 5e-6))
    #expect(isClose(estimate.interval(), -0.2041, -0.0042, 5e-5))
    #expect(isClose(estimate.twoSidedP(), 0.04252, 5e-6))
    #expect(isClose(estimate.oneSidedP(), 0.02126, 5e-6))
    // At an end of the interval, the p value is 1 minus the confidence.
    let low = try #require(estimate.interval(confidence: 0.9)).low
    #expect(isClose(estimate.twoSidedP(against: low), 0.1, 1e-10))
    #expect(isClose(estimate.oneSidedP(ofAtLeast: low), 0.95, 1e-10))
  }

  @Test("A single value has no standard error, and equal values have no p value")
  func degenerate() throws {
    #expect(MeanEstimate([]) == nil)
    let single = try #require(MeanEstimate([3]))
    #expect(single.mean == 3)
    #expect(single.standardError == nil)
    #expect(single.interval() == nil)
    #expect(single.twoSidedP() == nil)
    // The sum of many tenths is not exact.
    let equal = try #require(MeanEstimate(Array(repeating: 0.1, count: 1_000)))
    #expect(equal.standardError == 0)
    #expect(equal.interval() == Interval(low: 0.1, high: 0.1))
    #expect(equal.twoSidedP() == nil)
    #expect(equal.oneSidedP() == nil)
  }
}

@Suite("Sign-flip permutation")
struct SignFlipTests {
  @Test("All sign combinations are counted, including ties with the observed one")
  func exact() throws {
    let test = try #require(SignFlip(differences))
    #expect(test.isExact)
    #expect(isClose(test.twoSided, 0.05469, 5e-6))
    #expect(isClose(test.less, 0.02734, 5e-6))
  }

  @Test(
    "The test matches an explicit enumeration",
    arguments: [
      [0.2, -0.1, 0.3, 0.05, 0.15, -0.05], [1], [-1, 1], [0, 0, 0],
      [0.1, 0.1, 0.1, 0.1, -0.1, 0, 0.3], [5, -3, 2, -2, 0.5, 7, 1, -1, 4],
    ] as [[Double]]
  )
  func enumeration(_ differences: [Double]) throws {
    let test = try #require(SignFlip(differences))
    let observed = differences.reduce(0, +)
    var (below, above) = (0, 0)
    let all = 1 << differences.count
    for signs in 0..<all {
      let sum = differences.enumerated().reduce(0) {
        $0 + (signs >> $1.offset & 1 == 0 ? $1.element : -$1.element)
      }
      if sum <= observed + 1e-9 { below += 1 }
      if sum >= observed - 1e-9 { above += 1 }
    }
    #expect(test.less == Double(below) / Double(all))
    #expect(test.greater == Double(above) / Double(all))
    #expect(test.twoSided == min(1, 2 * min(test.less, test.greater)))
  }

  @Test("If there are too many combinations, a sample is drawn, identical for the same seed")
  func drawn() throws {
    // 30 differences of ±1 of which 20 are positive: the sign test is exact.
    let many = (0..<30).map { $0 % 3 == 0 ? -1.0 : 1.0 }
    let test = try #require(SignFlip(many, seed: 4))
    #expect(!test.isExact)
    #expect(isClose(test.twoSided, McNemar.exact(20, 10), 0.012))
    #expect(test == SignFlip(many, seed: 4))
    #expect(test != SignFlip(many, seed: 5))
    let clear = try #require(SignFlip(Array(repeating: 1, count: 200)))
    #expect(clear.greater == 1.0 / 10_001)
    #expect(
      SignFlip(Array(repeating: 1, count: 20) + Array(repeating: 0, count: 50))?.isExact == true
    )
  }

  @Test("Without differences, there is no test")
  func empty() {
    #expect(SignFlip([]) == nil)
  }

  @Test("If nothing changed, false alarms are no more frequent than the level")
  func falseAlarms() {
    var generator = SeededGenerator(seed: 12)
    let rounds = 1_000
    let alarms = (0..<rounds).count { _ in
      let noise = (0..<8).map { _ in generator.uniform() - generator.uniform() }
      return (SignFlip(noise)?.twoSided ?? 1) <= 0.05
    }
    #expect(isClose(Double(alarms) / Double(rounds), 0.046875, 0.015))
  }
}
