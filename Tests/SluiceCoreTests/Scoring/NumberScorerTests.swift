import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Number scorer")
struct NumberScorerTests {
  private let score = ScoringFixture(
    "- number: {path: found, expected: score, tolerance: 5, range: [0, 100]}"
  )

  private func measured(_ wanted: Double, _ given: Double) -> JSONObject {
    [
      "wanted": .number(wanted), "given": .number(given), "error": .number(given - wanted),
      "absolute-error": .number((given - wanted).magnitude),
    ]
  }

  @Test(
    "A number within the tolerance, including the bounds, passes",
    arguments: [(70, true), (75, true), (65, true), (75.5, false), (64, false), (0, false)]
  )
  func tolerance(_ given: Double, _ passes: Bool) {
    let text = JSONWriter.number(given)
    #expect(
      score.score("{\"found\":\(text)}", expecting: ["score": 70])
        == Score(
          passes ? .passed : .failed,
          explanation: "expected 70 within 5, got \(text)",
          measurements: measured(70, given)
        )
    )
  }

  @Test("A tolerance of 0 is allowed, and decimals are compared exactly as written")
  func exact() {
    let exact = ScoringFixture("- number: {path: found, expected: score, tolerance: 0}")
    #expect(
      exact.score(#"{"found":3}"#, expecting: ["score": 4])
        == Score(.failed, explanation: "expected 4, got 3", measurements: measured(4, 3))
    )
    #expect(exact.score(#"{"found":0.30}"#, expecting: ["score": 0.3])?.outcome == .passed)
    let tenth = ScoringFixture("- number: {path: found, expected: score, tolerance: 0.1}")
    #expect(tenth.score(#"{"found":0.3}"#, expecting: ["score": 0.2])?.outcome == .passed)
    #expect(tenth.score(#"{"found":0.31}"#, expecting: ["score": 0.2])?.outcome == .failed)
  }

  @Test(
    "A value that is not a number or is out of range is unusable and has no error",
    arguments: [
      ("\"70\"", "expected 70, got \"70\", which is not a number"),
      ("null", "expected 70, got null, which is not a number"),
      ("true", "expected 70, got true, which is not a number"),
      ("101", "expected 70, got 101, which is outside the range 0 to 100"),
      ("-1", "expected 70, got -1, which is outside the range 0 to 100"),
    ]
  )
  func unusable(_ value: String, _ reason: String) {
    #expect(
      score.score("{\"found\":\(value)}", expecting: ["score": 70])
        == Score(.failed, isUnusable: true, explanation: reason)
    )
  }

  @Test(
    "An unusable answer has no error",
    arguments: ScoringUnusableAnswer.withoutFound
  )
  func unusableAnswer(_ unusable: ScoringUnusableAnswer) {
    #expect(
      score.score(unusable.response, expecting: ["score": 70])
        == Score(.failed, isUnusable: true, explanation: unusable.reason)
    )
  }

  @Test("Every error in arguments and cases is reported")
  func faults() throws {
    #expect(
      ScoringFixture("- number: {path: a, expected: b, tolerance: -1, range: [5, 5]}").said == """
        suite.yaml:1:45: error: 'tolerance' must not be negative
          1 | - number: {path: a, expected: b, tolerance: -1, range: [5, 5]}
            |                                             ^
        suite.yaml:1:56: error: 'range' must be two numbers, with the lower one first
          1 | - number: {path: a, expected: b, tolerance: -1, range: [5, 5]}
            |                                                        ^
          fix: write 'range: [0, 100]'

        """
    )
    #expect(
      ScoringFixture("- number: {path: a, expected: b}").said == """
        suite.yaml:1:11: error: the scorer 'number' needs 'tolerance'
          1 | - number: {path: a, expected: b}
            |           ^
          fix: add 'tolerance: …'

        """
    )
    #expect(
      try score.complaints(about: "{score: 101}") == """
        cases.yaml:3:21: error: 101 is outside the range of the suite, 0 to 100
          3 |   expected: {score: 101}
            |                     ^

        """
    )
    #expect(
      try score.complaints(about: "{score: high}") == """
        cases.yaml:3:21: error: 'expected.score' must be a number, not a text
          3 |   expected: {score: high}
            |                     ^

        """
    )
  }

  @Test("Errors and correlations are computed from the answers that have a number")
  func metrics() throws {
    let scorer = try #require(score.scorers.first).scorer
    let pairs: [(Double, String)] = [(10, "12"), (50, "40"), (90, "95"), (30, "\"x\"")]
    let trials = StatisticsTrials.scored(
      pairs.map { wanted, given in
        [score.score("{\"found\":\(given)}", expecting: ["score": .number(wanted)])?.measurements]
      }
    )
    let evaluator = MetricEvaluator(trials)
    let values = scorer.traits.metrics.map {
      evaluator.estimate(Metric(.scorer("s", $0.formula))).value
    }
    for (value, wanted) in zip(values, [17.0 / 3, -1, 0.9828164685639627, 1, 1]) {
      #expect(abs(try #require(value) - wanted) < 1e-12)
    }
    #expect(
      scorer.traits.metrics.map(\.name) == [
        "mean-absolute-error", "bias", "pearson", "spearman", "kendall",
      ]
    )
    let units = scorer.traits.metrics.map { Metric(.scorer("s", $0.formula)).quantity }
    #expect(units == [.number, .number, .number, .number, .number])
  }

  @Test("The correlation of constant numbers is unknown")
  func constant() {
    let trials = StatisticsTrials.scored([
      [["given": 1, "wanted": 2]], [["given": 1, "wanted": 3]],
    ])
    let metric = Metric(.scorer("s", .correlation(.spearman, of: "given", with: "wanted")))
    #expect(
      MetricEvaluator(trials).estimate(metric)
        == Estimate(unknown: "all expected numbers, or all given numbers, are the same", n: 2)
    )
  }
}
