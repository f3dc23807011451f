@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Correlations")
struct CorrelationTests {
  @Test("Pearson's correlation has the known value for one of Anscombe's samples (1973)")
  func pearson() {
    let x = [10.0, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    #expect(isClose(Correlation.pearson(x, y), 0.81642, 5e-6))
    #expect(isClose(Correlation.pearson(x.map { $0 * 1e200 }, y), 0.81642, 5e-6))
    #expect(isClose(Correlation.pearson(x, x.map { 3 - 2 * $0 }), -1))
  }

  @Test("Spearman's correlation has the known value, and tied ranks are averaged")
  func spearman() {
    // Hours of television and intelligence, the textbook example without ties: -29/165.
    let x = [106.0, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    let y = [7.0, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    #expect(isClose(Correlation.spearman(x, y), -29.0 / 165))
    #expect(Correlation.ranks([3, 1, 3, 2, 3]) == [4, 1, 4, 2, 4])
    #expect(Correlation.ranks([]) == [])
  }

  @Test("Kendall's tau matches a comparison of all pairs", arguments: [2, 3, 10, 33, 64, 100])
  func kendall(_ n: Int) {
    var generator = SeededGenerator(seed: UInt64(n))
    let x = (0..<n).map { $0 < 2 ? Double($0) : Double(generator.uniform(below: 5)) }
    let y = (0..<n).map { $0 < 2 ? Double(1 - $0) : Double(generator.uniform(below: 8)) + x[$0] }
    var (balance, untiedX, untiedY) = (0, 0, 0)
    for i in 0..<n {
      for j in 0..<i {
        let signs = ((x[i] - x[j]).sign(), (y[i] - y[j]).sign())
        balance += signs.0 * signs.1
        untiedX += signs.0 * signs.0
        untiedY += signs.1 * signs.1
      }
    }
    let expected = Double(balance) / (Double(untiedX) * Double(untiedY)).squareRoot()
    #expect(isClose(Correlation.kendallTauB(x, y), expected))
  }

  @Test("If one side is constant, there is no correlation")
  func constant() {
    for correlation in [Correlation.pearson, Correlation.spearman, Correlation.kendallTauB] {
      #expect(correlation([0.1, 0.1, 0.1], [1, 2, 3]) == nil)
      #expect(correlation([1, 2, 3], [7, 7, 7]) == nil)
      #expect(correlation([], []) == nil)
      #expect(correlation([1], [2]) == nil)
      #expect(isClose(correlation([1, 2], [5, 4]), -1))
    }
  }
}

extension Double {
  fileprivate func sign() -> Int { self > 0 ? 1 : self < 0 ? -1 : 0 }
}

@Suite("Scores and outcomes")
struct ScoreOutcomeTests {
  @Test("Brier's score is the mean squared distance from the outcomes")
  func brier() {
    let score = Brier.score(probabilities: [0.7, 0.2, 1, 0], outcomes: [true, true, true, false])
    #expect(isClose(score, (0.09 + 0.64) / 4))
    #expect(Brier.score(probabilities: [], outcomes: []) == nil)
  }
}
