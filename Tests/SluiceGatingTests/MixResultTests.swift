import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing
import TestSupport

@Suite("Mix results")
struct MixResultTests {
  /// Returns a suite with the given costs of its cases; `nil` means an unknown cost.
  private func suite(
    _ name: String,
    _ costs: [Double?],
    backend: String = "fast",
    isCandidate: Bool = true
  ) -> SuiteResult {
    suite(name, [column(costs, backend: backend, isCandidate: isCandidate)])
  }

  private func suite(_ name: String, _ columns: [ColumnResult]) -> SuiteResult {
    SuiteResult(
      name: name,
      path: "prompts/\(name)/suite.yaml",
      source: .recorded,
      caseCount: 3,
      repetitions: 1,
      columns: columns
    )
  }

  private func column(
    _ costs: [Double?],
    backend: String = "fast",
    isCandidate: Bool = true,
    lost: Int = 0,
    quarantine: [String: Exemption] = [:]
  ) -> ColumnResult {
    let answered = costs.enumerated().map { index, cost in
      let response = ModelResponse(text: "", usage: TokenUsage(input: 90, output: 10 + index))
      return StatisticsTrials.trial(
        "case-\(index)",
        output: Trial.Output(response, cost: cost)
      )
    }
    return ColumnResult(
      prompt: "v1",
      promptPath: "prompts/v1.yaml",
      backend: backend,
      isCandidate: isCandidate,
      trials: answered
        + (0..<lost).map { StatisticsTrials.trial("lost-\($0)", StatisticsTrials.loss) },
      metrics: [],
      gates: [],
      goals: [],
      quarantine: quarantine
    )
  }

  private func mix(_ calls: [(String, Int)], goals: [String] = []) throws -> Mix {
    Mix(
      name: "day",
      calls: calls.map { Mix.Call(suite: $0.0, count: $0.1) },
      goals: try goals.map { goal in
        try ConditionParser.parse(goal) { Mix.Figure(rawValue: $0.name)?.quantity }
      }
    )
  }

  private func only(_ mix: Mix, _ suites: [SuiteResult]) throws -> MixResult {
    let all = MixResult.all([mix], of: suites)
    try #require(all.count == 1)
    return all[0]
  }

  @Test("A mix's cost is the sum of calls times mean cost, with an interval")
  func cost() throws {
    let result = try only(
      mix([("a", 10), ("b", 5)], goals: ["cost <= $0.40", "tokens < 1500", "requests <= 20"]),
      [suite("a", [0.001, 0.003]), suite("b", [0.01, 0.02, 0.03])]
    )
    // The means are $0.002 and $0.02. The parts of the variance are 100 × 2e-6/2 and 25 × 1e-4/3.
    let cost = try #require(result.figures.first)
    #expect(cost.name == "cost")
    #expect(cost.quantity == .money)
    #expect(isClose(cost.estimate.value, 0.12))
    #expect(isClose(cost.estimate.interval, 0.0087988, 0.2312012, 1e-6))
    #expect(cost.estimate.n == 5)
    // 100.5 and 101 tokens per call.
    #expect(isClose(result.figures.last?.estimate.value, 1_510))
    #expect(
      result.goals.map { $0.outcomeText(isGoal: true) } == [
        "$0.12000, $0.28000 to spare", "1510, 10 over", "15, 5 to spare",
      ]
    )
    #expect(result.goals.map(\.verdict) == [.pass, .fail, .pass])
    #expect(result.backend == nil)
  }

  @Test("If a suite's value is unknown, so is the mix's, with the reason and the suite")
  func unknown() throws {
    let result = try only(
      mix([("a", 1), ("b", 1), ("c", 2), ("d", 3)], goals: ["cost <= $1", "tokens <= 1000"]),
      [
        suite("a", [0.1, nil]), suite("b", [nil, nil]), suite("c", [column([], lost: 2)]),
        suite("d", [0.1, 0.2]),
      ]
    )
    let reason = "no price for the model (a, b); there are no answers (c)"
    #expect(result.figures.first?.estimate.value == nil)
    #expect(result.figures.first?.estimate.unknown == reason)
    #expect(result.figures.last?.estimate.unknown == "there are no answers (c)")
    #expect(result.goals.first?.explanation == "unknown: \(reason)")
    #expect(result.goals.map(\.verdict) == [.noVerdict, .noVerdict])
    #expect(result.goals.map(\.reason) == [.unknown, .unknown])
  }

  @Test("A suite without answers has unknown values")
  func noAnswers() throws {
    let result = try only(mix([("a", 1)]), [suite("a", [column([], lost: 2)])])
    #expect(result.figures.first?.estimate.unknown == "there are no answers (a)")
  }

  @Test("Lost trials leave a mix's goal without a verdict, but its value is shown")
  func lost() throws {
    let result = try only(
      mix([("a", 10)], goals: ["cost <= $0.40", "requests <= 10"]),
      [suite("a", [column([0.001, 0.003], lost: 2)])]
    )
    #expect(isClose(result.figures.first?.estimate.value, 0.02))
    #expect(result.goals.first?.reason == .lostTrials)
    #expect(
      result.goals.map { $0.outcomeText(isGoal: true) } == [
        "$0.02000, 2 lost trials could change the outcome", "10, 0 to spare",
      ]
    )
  }

  @Test("Quarantined cases do not count")
  func quarantine() throws {
    let exemption = ["case-1": Exemption(reason: "x", until: "2026-12-31")]
    let columns = [column([0.001, 0.5, 0.003], quarantine: exemption)]
    let result = try only(mix([("a", 10)]), [suite("a", columns)])
    #expect(isClose(result.figures.first?.estimate.value, 0.02))
  }

  @Test("Only candidates count, and each backend gets a separate result")
  func backends() throws {
    let many = suite(
      "a",
      [
        column([9, 9], backend: "fast", isCandidate: false), column([1, 1], backend: "fast"),
        column([2, 2], backend: "strong"),
      ]
    )
    let results = MixResult.all(
      [try mix([("a", 1), ("b", 1)])],
      of: [many, suite("b", [10, 10])]
    )
    #expect(results.map(\.backend) == ["fast", "strong"])
    #expect(results.map { $0.figures.first?.estimate.value } == [11, 12])
    let other = suite("c", [column([1, 1], backend: "slow"), column([1, 1], backend: "fast")])
    let mixed = MixResult.all([try mix([("a", 1), ("c", 1)])], of: [many, other])
    #expect(mixed.map(\.backend) == ["fast", "strong", "slow"])
    #expect(
      mixed.map { $0.figures.first?.estimate.unknown } == [
        nil, "not run on strong (c)", "not run on slow (a)",
      ]
    )
  }

  @Test("A mix is not shown unless all its suites ran")
  func otherSuites() throws {
    #expect(MixResult.all([try mix([("a", 1), ("b", 1)])], of: [suite("b", [1])]).isEmpty)
  }
}
