@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Agreement")
struct AgreementTests {
  /// Returns the pass or fail ratings of two raters, from the count of each pair.
  private func ratings(_ both: Int, _ first: Int, _ second: Int, _ neither: Int) -> (
    [String], [String]
  ) {
    let pairs =
      Array(repeating: ("pass", "pass"), count: both)
      + Array(repeating: ("pass", "fail"), count: first)
      + Array(repeating: ("fail", "pass"), count: second)
      + Array(repeating: ("fail", "fail"), count: neither)
    return (pairs.map(\.0), pairs.map(\.1))
  }

  @Test("Cohen's kappa of a judge and people has the known value and is symmetric")
  func judge() throws {
    let (human, judge) = ratings(36, 4, 2, 8)
    let kappa = try #require(CohenKappa(human, judge))
    #expect(isClose(kappa.value, 0.6512, 5e-5))
    let swapped = try #require(CohenKappa(judge, human))
    #expect(isClose(swapped.value, kappa.value))
    #expect(isClose(swapped.standardError, kappa.standardError))
  }

  @Test("The standard error of kappa matches a simulation")
  func standardError() throws {
    let (first, second) = ratings(40, 12, 8, 40)
    let kappa = try #require(CohenKappa(first, second))
    var generator = SeededGenerator(seed: 2)
    let values = (0..<800).compactMap { _ -> Double? in
      let draws = (0..<100).map { _ in generator.uniform(below: 100) }
      return CohenKappa(draws.map { first[$0] }, draws.map { second[$0] })?.value
    }
    let spread = try #require(MeanEstimate(values)?.variance).squareRoot()
    #expect(isClose(spread / kappa.standardError, 1, 0.07))
    let interval = kappa.interval(confidence: 0.9)
    #expect(isClose((interval.high - interval.low) / kappa.standardError, 2 * 1.644854, 1e-5))
  }

  @Test("Kappa is 1 for perfect agreement, 0 for chance agreement, and unknown for one label")
  func extremes() throws {
    let perfect = try #require(CohenKappa(["a", "b", "c"], ["a", "b", "c"]))
    #expect(perfect.value == 1)
    #expect(perfect.standardError == 0)
    let constant = try #require(CohenKappa(["p", "p", "p", "p"], ["p", "q", "p", "q"]))
    #expect(constant.value == 0)
    #expect(constant.standardError == 0)
    #expect(CohenKappa(["p", "p"], ["p", "p"]) == nil)
    #expect(CohenKappa([Int](), []) == nil)
  }

  @Test("Weights change nothing on a two-point scale; on a longer one, near misses count less")
  func weighted() throws {
    let (first, second) = ratings(36, 4, 2, 8)
    let plain = try #require(CohenKappa(first, second))
    for weights in [CohenKappa.Weights.linear, .quadratic] {
      let found = CohenKappa.weighted(first, second, scale: ["fail", "pass"], weights: weights)
      #expect(isClose(found, plain.value))
    }
    let (one, other) = ([1, 2, 3, 4, 5, 3], [2, 2, 3, 5, 5, 4])
    let linear = CohenKappa.weighted(one, other, scale: [1, 2, 3, 4, 5], weights: .linear)
    let quadratic = CohenKappa.weighted(one, other, scale: [1, 2, 3, 4, 5], weights: .quadratic)
    // Steps of disagreement: observed 3 (squared 3) of 6, expected 54 (126) of 36.
    #expect(isClose(linear, 1 - 3.0 / 6 / (54.0 / 36)))
    #expect(isClose(quadratic, 1 - 3.0 / 6 / (126.0 / 36)))
    #expect(CohenKappa.weighted([3, 3], [3, 3], scale: [1, 2, 3], weights: .linear) == nil)
    #expect(CohenKappa.weighted([], [], scale: [1, 2, 3], weights: .linear) == nil)
  }

  @Test("Fleiss' kappa of 14 raters, 10 items and 5 categories has the known value")
  func fleiss() {
    let counts = [
      [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]
    #expect(isClose(FleissKappa.value(counts), 0.210, 5e-4))
    #expect(isClose(FleissKappa.value([[3, 0], [0, 3]]), 1))
    #expect(FleissKappa.value([[3, 0], [3, 0]]) == nil)
    #expect(FleissKappa.value([[1, 0], [0, 1]]) == nil)
    #expect(FleissKappa.value([]) == nil)
  }

  @Test(
    "Krippendorff's alpha of three coders with missing ratings has the known value",
    arguments: [
      (KrippendorffAlpha.Level.nominal, 0.691), (.interval, 0.811), (.ordinal, 0.807),
    ]
  )
  func krippendorff(_ level: KrippendorffAlpha.Level, _ alpha: Double) {
    let coders: [[Double?]] = [
      [nil, nil, nil, nil, nil, 3, 4, 1, 2, 1, 1, 3, 3, nil, 3],
      [1, nil, 2, 1, 3, 3, 4, 3, nil, nil, nil, nil, nil, nil, nil],
      [nil, nil, 2, 1, 3, 4, 4, nil, 2, 1, 1, 3, 3, nil, 4],
    ]
    #expect(isClose(KrippendorffAlpha.value(coders, level: level), alpha, 5e-4))
    #expect(KrippendorffAlpha.value([[1, 1], [1, 1]], level: level) == nil)
    #expect(KrippendorffAlpha.value([[1, nil], [nil, 2]], level: level) == nil)
    #expect(KrippendorffAlpha.value([], level: level) == nil)
    #expect(KrippendorffAlpha.value([[1, 2, 5], [1, 2, 5]], level: level) == 1)
  }
}

@Suite("Correction for a judge's errors")
struct RoganGladenTests {
  @Test("The corrected rate has the known value (people passed 40 of 50, the judge 378 of 450)")
  func corrected() throws {
    let corrected = try #require(
      RoganGladen(judged: (378, 450), positives: (36, 40), negatives: (8, 10))
    )
    #expect(isClose(corrected.estimate, 0.9143, 5e-5))
    #expect(isClose(corrected.standardError, 0.0685, 5e-5))
    let interval = corrected.interval()
    #expect(isClose(interval, 0.9143 - 1.96 * 0.0685, 0.9143 + 1.96 * 0.0685, 2e-4))
    // The judge passed 90% of the cases that people passed, and failed 80% of those that they
    // failed.
    let sensitivity = ClopperPearson.interval(successes: 36, of: 40)
    let specificity = ClopperPearson.interval(successes: 8, of: 10)
    #expect(isClose(sensitivity, 0.763, 0.972, 5e-4))
    #expect(isClose(specificity, 0.444, 0.975, 5e-4))
  }

  @Test("A perfect judge needs no correction, and a random judge allows none")
  func extremes() {
    #expect(RoganGladen.rate(observed: 0.3, sensitivity: 1, specificity: 1) == 0.3)
    for sensitivity in [0.1, 0.5, 0.7, 1] {
      let rate = RoganGladen.rate(
        observed: 0.3,
        sensitivity: sensitivity,
        specificity: 1 - sensitivity
      )
      #expect(rate == nil)
    }
    #expect(RoganGladen(judged: (1, 2), positives: (1, 2), negatives: (1, 2)) == nil)
    #expect(RoganGladen(judged: (0, 0), positives: (1, 1), negatives: (1, 1)) == nil)
    #expect(RoganGladen(judged: (1, 2), positives: (0, 0), negatives: (1, 1)) == nil)
  }
}
