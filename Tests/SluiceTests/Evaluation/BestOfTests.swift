import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Best of several columns")
struct BestOfTests {
  private func column(_ scores: [Double?]) -> [Trial] {
    scores.enumerated().map { index, score in
      StatisticsTrials.trial(
        "c\(index)",
        score == nil ? StatisticsTrials.loss : .passed,
        scores: [
          .init(
            name: "rouge-l",
            score: Score(.passed, explanation: "", measurements: ["score": .number(score ?? 0)])
          )
        ]
      )
    }
  }

  private func rates(_ rule: String, _ columns: [[Double?]]) throws -> [Double?] {
    let fixture = ScoringFixture("- rouge-l: {value: a}\n")
    let spec = try #require(ruleSpec(rule))
    let read = BestOfRule(spec, scorers: fixture.scorers, DiagnosticCollector())
    return BestOf(try #require(read)).estimates(columns.map(column)).map(\.estimate.value)
  }

  private func ruleSpec(_ yaml: String) -> ScorerSpec? {
    let file = SourceFile(path: "suite.yaml", bytes: Array(yaml.utf8))
    return YAMLReader.read(file.bytes).root.flatMap {
      ScorerSpec.read($0, file: file, diagnostics: DiagnosticCollector())
    }
  }

  @Test("The best score wins a case, ties are shared, and cases with lost trials do not count")
  func shares() throws {
    let columns: [[Double?]] = [[0.9, 0.5, 0.7, 0.1, nil], [0.1, 0.5, 0.8, 0.0, 1]]
    #expect(try rates("best-of", columns) == [2.5 / 4, 1.5 / 4])
    #expect(try rates("best-of: {by: rouge-l, lowest: true}", columns) == [1.5 / 4, 2.5 / 4])
  }

  @Test("A measure's value counts only if the rule names it")
  func measures() throws {
    let columns = [[100.0, 4], [2.0, 3]].map { values in
      values.enumerated().map { index, value in
        StatisticsTrials.trial(
          "c\(index)",
          scores: [
            .init(
              name: "measure",
              score: Score(.passed, explanation: "", measurements: ["value": .number(value)])
            )
          ]
        )
      }
    }
    let scorers = ScoringFixture("- measure: {path: a}").scorers
    func rates(_ rule: String) throws -> [Double?] {
      let read = BestOfRule(try #require(ruleSpec(rule)), scorers: scorers, DiagnosticCollector())
      return BestOf(try #require(read)).estimates(columns).map(\.estimate.value)
    }
    #expect(try rates("best-of") == [0.5, 0.5])
    #expect(try rates("best-of: {by: measure}") == [1, 0])
    #expect(try rates("best-of: {by: measure, lowest: true}") == [0, 1])
  }

  @Test("Medians, sums and correlations are not compared case by case")
  func compared() {
    let scorers = ScoringFixture(
      "- measure: {path: a}\n- number: {path: a, expected: n, tolerance: 1}"
    ).scorers
    let names = SuiteMetrics(scorers).compared.map(\.name)
    #expect(names.contains("measure.mean"))
    #expect(names.contains("number.mean-absolute-error"))
    #expect(!names.contains { $0.hasSuffix("median") || $0.hasSuffix("spearman") })
  }

  @Test("If no case was judged in every column, no column is best")
  func nothing() throws {
    #expect(try rates("best-of", [[nil], [1]]) == [nil, nil])
  }
}
