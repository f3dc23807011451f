import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Measure scorer")
struct MeasureScorerTests {
  private func trials(_ scorer: BoundScorer, _ answers: [[String]]) -> [Trial] {
    answers.enumerated().flatMap { index, texts in
      texts.enumerated().map { repetition, text in
        let testCase = TestCase(id: "c\(index)", input: [:], expected: [:])
        let score = scorer.score(Answer(ModelResponse(text: text)), for: testCase)
        return StatisticsTrials.trial(
          "c\(index)",
          repetition: repetition + 1,
          scores: [.init(name: scorer.name, score: score)]
        )
      }
    }
  }

  @Test("Mean, median, sum and share over the limit are computed from the measured numbers")
  func figures() throws {
    let scorer = try #require(ScoringFixture("- measure: {path: total, limit: 3}").scorers.first)
    let trials = trials(scorer, [1, 2, 3, 4, 10].map { [#"{"total":\#($0)}"#] })
    let evaluator = MetricEvaluator(trials)
    func estimate(_ name: String) throws -> Estimate {
      let definition = try #require(scorer.traits.metrics.first { $0.name == name })
      return evaluator.estimate(Metric(.scorer("measure", definition.formula)))
    }
    let mean = try estimate("mean")
    #expect(mean.value == 4)
    // The standard deviation is the root of 12.5.
    #expect(abs((mean.standardError ?? 0) - (12.5 / 5).squareRoot()) < 1e-12)
    #expect(try estimate("median").value == 3)
    #expect(try estimate("sum").value == 20)
    #expect(abs((try estimate("sum").standardError ?? 0) - 5 * (12.5 / 5).squareRoot()) < 1e-12)
    #expect(try estimate("share-over").value == 0.4)
  }

  @Test("The repeats of a case count as one case, by their mean")
  func repeats() throws {
    let scorer = try #require(ScoringFixture("- measure: {expression: len(text)}").scorers.first)
    let evaluator = MetricEvaluator(trials(scorer, [["a", "abc"], ["abcd", "abcd"]]))
    #expect(
      evaluator.estimate(Metric(.scorer("measure", .mean(of: "value", in: .number)))).value == 3
    )
    #expect(evaluator.estimate(Metric(.scorer("measure", .sum(of: "value")))).value == 6)
    #expect(evaluator.estimate(Metric(.scorer("measure", .sum(of: "value")))).n == 2)
  }

  @Test(
    "An answer without a number is unusable",
    arguments: [
      ("{path: total}", "{}", "the answer has no 'total'"),
      ("{path: total}", #"{"total":"x"}"#, #"expected a number, got "x""#),
      ("{expression: answer.total + 1}", "{}", "answer.total is null, not a number"),
    ]
  )
  func unusable(_ arguments: String, _ text: String, _ reason: String) {
    let score = ScoringFixture("- measure: \(arguments)").score(text)
    #expect(score?.isUnusable == true)
    #expect(score?.explanation == reason)
  }

  @Test("A correlation has a Fisher interval, which is wider for clusters and absent for few cases")
  func correlations() throws {
    let x = (0..<20).map(Double.init)
    let y = x.map { $0 + ($0.truncatingRemainder(dividingBy: 3) - 1) * 6 }
    let r = try #require(Correlation.pearson(x, y))
    let interval = try #require(Correlation.interval(r, kind: .pearson, x, y))
    // Computed independently: tanh(atanh(r) ± 1.96/√17), and with (1 + r²/2)/17 for ranks.
    #expect(abs(interval.low - 0.5091043095697362) < 1e-12)
    #expect(abs(interval.high - 0.907336136441203) < 1e-12)
    let rank = try #require(Correlation.spearman(x, y))
    let ranked = try #require(Correlation.interval(rank, kind: .spearman, x, y))
    #expect(abs(ranked.low - 0.43162940476345263) < 1e-12)
    #expect(abs(ranked.high - 0.9124515617600164) < 1e-12)
    let clustered = try #require(
      Correlation.interval(r, kind: .pearson, x, y, clusters: (0..<20).map { Int32($0 / 4) })
    )
    #expect(clustered.high - clustered.low >= interval.high - interval.low)
    #expect(Correlation.interval(0.5, kind: .pearson, [1, 2, 3, 4], [1, 3, 2, 4]) == nil)
    #expect(Correlation.interval(1, kind: .pearson, x, x) == nil)
  }
}
