@testable import SluiceStatistics
import Testing

@Suite("Inference for means")
struct MeanInferenceTests {
  private func uniform(_ random: inout SeededGenerator) -> Double {
    Double.random(in: 0..<1, using: &random)
  }

  @Test("Varied values without bounds have Student's t interval")
  func student() throws {
    // The specification's example: sign-flip differences with their t interval.
    let values = [-0.30, 0.10, 0, -0.20, -0.05, 0.05, -0.40, -0.10, 0, -0.15, 0.05, -0.25]
    let inference = try #require(MeanInference(values, bounds: nil))
    let interval = inference.interval(0.95)
    #expect(abs(interval.low - -0.2041) < 5e-5)
    #expect(abs(interval.high - -0.0042) < 5e-5)
    // Two-sided p = .04252.
    #expect(abs(2 * inference.pAtLeast(0) - 0.04252) < 5e-6)
  }

  @Test("The p value is the level at which a bound leaves the interval")
  func duality() throws {
    let inference = try #require(MeanInference([0.2, 0.9, 0.4, 0.7, 0.3], bounds: 0...1))
    for confidence in [0.5, 0.8, 0.9, 0.95] {
      let interval = inference.interval(confidence)
      #expect(abs(inference.pAtLeast(interval.high) - (1 - confidence) / 2) < 1e-9)
      #expect(abs(inference.pAtLeast(interval.low) - (1 + confidence) / 2) < 1e-9)
    }
  }

  @Test("Bounded values get added values at the bounds if they are few or mostly tied")
  func added() throws {
    let zeros = try #require(
      MeanInference(Array(repeating: 0, count: 30), bounds: -1...1, added: 1)
    )
    // Thirty zeros with -1 and 1: mean 0, variance 2 / 31.
    let half = StudentT.quantile(0.95, degreesOfFreedom: 31) * (2.0 / 31 / 32).squareRoot()
    let interval = zeros.interval(0.9)
    #expect(abs(interval.low - -half) < 1e-12)
    #expect(abs(interval.high - half) < 1e-12)
    // At fifty varied values nothing is added; at 49 it is.
    let varied = (0..<50).map { Double($0) / 49 }
    for (values, isAdded) in [(varied, false), (Array(varied.dropLast()), true)] {
      let with = try #require(MeanInference(values, bounds: 0...1)).interval(0.9)
      let without = try #require(MeanInference(values, bounds: nil)).interval(0.9)
      #expect((with != without) == isAdded)
    }
    // If more than half of the values are equal, even a large sample gets added values.
    let tied = Array(repeating: 1.0, count: 51) + (0..<49).map { Double($0) / 49 }
    #expect(
      try #require(MeanInference(tied, bounds: 0...1)).interval(0.9)
        != #require(MeanInference(tied, bounds: nil)).interval(0.9)
    )
  }

  @Test("Constant values without bounds have a point as their interval")
  func constant() throws {
    let inference = try #require(MeanInference([5, 5, 5], bounds: nil))
    #expect(inference.interval(0.9) == Interval(low: 5, high: 5))
    #expect(inference.pAtLeast(5) == 0.5)
    #expect(inference.pAtLeast(6) == 0)
    #expect(!inference.hasSpread)
    #expect(try #require(MeanInference([5, 6], bounds: nil)).hasSpread)
    // With added values at the bounds, there is variance.
    #expect(try #require(MeanInference([1, 1], bounds: 0...1)).hasSpread)
  }

  @Test("An empty sample has no inference, and neither has a single value without bounds")
  func nothing() {
    #expect(MeanInference([], bounds: 0...1) == nil)
    #expect(MeanInference([], bounds: nil) == nil)
    #expect(MeanInference([1], bounds: nil) == nil)
    #expect(MeanInference([1], bounds: 0...1) != nil)
  }

  private static let samples: [(name: String, n: Int, mean: Double, least: Double)] = [
    ("uniform", 8, 0.5, 0.93), ("uniform", 60, 0.5, 0.88), ("rare", 20, 0.05, 0.9),
    ("rare", 100, 0.05, 0.9), ("half", 30, 0.5, 0.88), ("skewed", 30, 1.0 / 3, 0.89),
    ("skewed", 100, 1.0 / 3, 0.88),
  ]

  @Test("A 90% interval contains the true mean as often as promised", arguments: samples)
  func coverage(name: String, n: Int, mean: Double, least: Double) throws {
    var random = SeededGenerator(seed: 11)
    var held = 0
    let draws = 2_000
    for _ in 0..<draws {
      let values = (0..<n).map { _ -> Double in
        let value = uniform(&random)
        return switch name {
        case "rare": value < 0.05 ? 1 : 0
        case "half": value < 0.5 ? 1 : 0
        case "skewed": value * value
        default: value
        }
      }
      let interval = try #require(MeanInference(values, bounds: 0...1)).interval(0.9)
      if interval.low <= mean, mean <= interval.high { held += 1 }
    }
    #expect(Double(held) / Double(draws) >= least)
  }

  @Test("Mostly zero differences are called a loss at most one time in twenty")
  func falseAlarms() throws {
    var random = SeededGenerator(seed: 23)
    for n in [20, 50, 100] {
      var alarms = 0
      for _ in 0..<2_000 {
        let values = (0..<n).map { _ -> Double in
          let value = uniform(&random)
          return value < 0.05 ? -1 : value < 0.1 ? 1 : 0
        }
        let inference = try #require(MeanInference(values, bounds: -1...1, added: 1))
        if inference.interval(0.9).high < 0 { alarms += 1 }
      }
      #expect(Double(alarms) / 2_000 <= 0.06, "\(n)")
    }
  }
}
