import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Comparing the configurations of a suite")
struct SuiteComparisonTests {
  /// Two prompts on two backends with two repeats each.
  ///
  /// The second prompt gets some cases wrong.
  private static func project(
    _ suite: String = TwoRevisions.gates,
    wrong: Int = 3
  ) async throws -> RecordingProject {
    let project = try TwoRevisions(cases: 20, suite: suite).here
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacing("Say what", with: "Guess what").utf8),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]\nrepeat: 2"
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backends: [server, second]"
    )
    try project.edit(
      "sluice.yaml",
      replacing: "backends:",
      with: "backends:\n"
        + "  second: {type: openai, base-url: \"https://models.test/v1\", model: sorter-1}"
    )
    _ = try await project.record(from: TwoRevisions.server(guessingWrong: wrong))
    return project
  }

  private func compare(
    _ project: RecordingProject,
    _ request: SuiteComparison.Request = SuiteComparison.Request()
  ) throws -> ConfigurationComparison {
    let suite = try project.suite()
    let result = try #require(project.replay().suites.first)
    return try SuiteComparison.compare(result, of: suite, request)
  }

  @Test("Every prompt on every backend is a configuration with all its repeats")
  func all() async throws {
    let comparison = try compare(try await Self.project())
    #expect(
      comparison.configurations.map(\.name) == [
        "v1 on server", "v1 on second", "v2 on server", "v2 on second",
      ]
    )
    #expect(comparison.configurations.map(\.column.trials.count) == [40, 40, 40, 40])
    #expect(comparison.configurations.map(\.column.passed) == [40, 40, 34, 34])
    #expect(comparison.repetitions == 2)
    #expect(comparison.caseCount == 20)
    #expect(comparison.source == .recorded)
    #expect(comparison.pairs.map(\.configuration) == [1, 2, 3])
    #expect(
      comparison.pairs.map(\.comparison.reference) == Array(repeating: "v1 on server", count: 3)
    )
    #expect(comparison.pairs.map(\.comparison.isIdentical) == [true, false, false])
    #expect(comparison.pairs.map { $0.comparison.count(.harmful) } == [0, 3, 3])
    #expect(comparison.disagreements.map(\.caseID) == ["case-0", "case-1", "case-2"])
    #expect(
      comparison.disagreements.map(\.outcomes)
        == Array(repeating: [.passed, .passed, .failed, .failed], count: 3)
    )
    // The comparison only shows figures and has no verdict.
    #expect(comparison.gates == [])
    #expect(comparison.verdict == nil)
    #expect(comparison.edits == [])
  }

  @Test("The cost per right answer includes the cost of wrong answers")
  func cost() async throws {
    let comparison = try compare(try await Self.project())
    // 100 tokens in and 10 out cost $0.0003, whatever the answer.
    let costs = comparison.configurations.compactMap(\.costPerRightAnswer.value)
    #expect(close(costs[0], 0.000_3))
    #expect(close(costs[2], 0.000_3 * 40 / 34))
    #expect(comparison.configurations.map(\.isOnFront) == [true, true, false, false])
  }

  private func close(_ value: Double, _ expected: Double) -> Bool {
    (value - expected).magnitude < 1e-12
  }

  @Test("A quarantined case does not count in the cost per right answer")
  func quarantine() async throws {
    let comparison = try compare(
      try await Self.project(
        TwoRevisions.gates
          + "quarantine: [{case: case-19, reason: disputed, until: 2099-12-31}]\n"
      )
    )
    let costs = comparison.configurations.compactMap(\.costPerRightAnswer.value)
    #expect(close(costs[0], 0.000_3))
    #expect(close(costs[2], 0.000_3 * 38 / 32))
    #expect(comparison.configurations[0].costPerRightAnswer.n == 38)
    #expect(comparison.pairs[0].changes[0].change.n == 19)
  }

  @Test(
    "The reference is a configuration, or the first one of a prompt or backend",
    arguments: [
      (nil, ["v1 on server", "v1 on second", "v2 on server", "v2 on second"]),
      ("v2 on second", ["v2 on second", "v1 on server", "v1 on second", "v2 on server"]),
      ("v2", ["v2 on server", "v1 on server", "v1 on second", "v2 on second"]),
      ("second", ["v1 on second", "v1 on server", "v2 on server", "v2 on second"]),
    ] as [(String?, [String])]
  )
  func reference(name: String?, order: [String]) async throws {
    let comparison = try compare(try await Self.project(), .init(reference: name))
    #expect(comparison.configurations.map(\.name) == order)
    #expect(comparison.pairs.map(\.comparison.reference) == Array(repeating: order[0], count: 3))
  }

  @Test(
    "An unknown reference is an error with the nearest name",
    arguments: [
      ("v2 on sever", "did you mean 'v2 on server'?"), ("secnd", "did you mean 'second'?"),
      (
        "a quite different thing",
        "name one of: v1 on server, v1 on second, v2 on server, v2 on second"
      ),
    ]
  )
  func unknownReference(name: String, fix: String) async throws {
    let project = try await Self.project()
    #expect(
      throws: SuiteComparison.Problem(message: "no configuration is named '\(name)'", fix: fix)
    ) {
      try compare(project, .init(reference: name))
    }
  }

  @Test("A single configuration is not enough to compare")
  func alone() async throws {
    let project = try TwoRevisions(cases: 3).here
    #expect(
      throws: SuiteComparison.Problem(
        message: "the suite 'triage' has only one configuration, v1 on server",
        fix: "add a prompt or a backend: sluice compare triage --prompt FILE"
      )
    ) {
      try compare(project)
    }
  }

  @Test(
    "The margin comes from the gate on accuracy, else from another gate, else it is 5 points",
    arguments: [
      (["no regression in accuracy beyond 3 points"], 0.03),
      (
        [
          "no regression in invalid-label-rate beyond 2 points",
          "no regression in accuracy beyond 7 points",
        ], 0.07
      ),
      (["no regression in invalid-label-rate beyond 2 points"], 0.02),
      (["no regression in accuracy beyond 10%"], 0.05), (["accuracy >= 80%"], 0.05),
    ]
  )
  func margin(gates: [String], expected: Double) throws {
    let suite = "gates:\n" + gates.map { "  - \($0)\n" }.joined()
    let project = try TwoRevisions(cases: 3, suite: suite).here
    #expect(SuiteComparison.margin(of: try project.suite().conditions) == expected)
  }

  @Test("A given margin replaces the gate's margin")
  func askedMargin() async throws {
    let comparison = try compare(try await Self.project(), .init(margin: 0.3))
    #expect(comparison.margin == 0.3)
    let accuracy = comparison.pairs.map { $0.changes[0] }
    #expect(accuracy.map(\.change.margin) == [0.3, 0.3, 0.3])
    // Three of twenty cases got worse in two of three pairs, which may be chance.
    #expect(accuracy.map(\.standing) == [.same, .undecided, .undecided])
  }

  @Test("Missing answers leave only their own configuration unknown")
  func missing() async throws {
    let project = try await Self.project()
    try project.files.remove(ProjectPath("datasets/triage/recordings/second.jsonl"))
    let comparison = try compare(project)
    #expect(comparison.configurations.map(\.column.lost) == [0, 40, 0, 40])
    #expect(comparison.configurations.map(\.isOnFront) == [true, nil, false, nil])
    #expect(comparison.pairs[0].changes == [])
    #expect(comparison.pairs[1].changes.isEmpty == false)
    let outcomes = try #require(comparison.disagreements.first?.outcomes)
    #expect(outcomes.map { $0.map(\.isLost) } == [false, true, false, true])
  }
}

extension Trial.Outcome {
  fileprivate var isLost: Bool { if case .lost = self { true } else { false } }
}
