@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Sums of means")
struct SumOfMeansTests {
  private func term(_ factor: Double, _ values: [Double]) throws -> SumOfMeans.Term {
    let mean = try #require(MeanEstimate(values))
    return SumOfMeans.Term(
      factor: factor,
      mean: mean.mean,
      standardError: mean.standardError,
      n: mean.n
    )
  }

  @Test("Variances are added, each multiplied by its squared factor")
  func byHand() throws {
    // The means are 2 and 12, and s² is 1 and 8: 9 × 1/3 + 1 × 8/2 = 7, of which 3 has 2 degrees of
    // freedom and 4 has 1.
    let sum = SumOfMeans([try term(3, [1, 2, 3]), try term(1, [10, 14])])
    #expect(sum.value == 18)
    #expect(isClose(sum.standardError, 7.0.squareRoot()))
    #expect(isClose(sum.degreesOfFreedom, 49 / (9.0 / 2 + 16.0 / 1)))
    #expect(isClose(sum.interval(), 8.224286, 27.775714, 1e-6))
  }

  @Test("A single mean has its own interval")
  func single() throws {
    let values = [0.5, 0.25, 1, 0.75, 0.1]
    let own = try #require(MeanEstimate(values)?.interval())
    #expect(isClose(SumOfMeans([try term(1, values)]).interval(), own.low, own.high, 1e-10))
  }

  @Test("A mean without variance adds to the sum but not to its error")
  func equalValues() throws {
    let own = try #require(MeanEstimate([1, 2, 3])?.interval())
    let sum = SumOfMeans([try term(1, [1, 2, 3]), try term(2, [5, 5])])
    #expect(sum.value == 12)
    #expect(isClose(sum.interval(), own.low + 10, own.high + 10, 1e-10))
  }

  @Test("A single value leaves the error unknown, and without any variance there is no interval")
  func degenerate() throws {
    let single = SumOfMeans([try term(1, [1, 2, 3]), try term(1, [4])])
    #expect(single.value == 6)
    #expect(single.standardError == nil)
    #expect(single.interval() == nil)
    #expect(SumOfMeans([try term(2, [5, 5])]).interval() == nil)
    #expect(SumOfMeans([]).value == 0)
  }
}
