import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
@testable import SluiceSupport

extension ConfigurationComparison {
  /// A worse prompt compared with its earlier revision, with many kinds of edits of the suite.
  static func worseRevision() async throws -> ConfigurationComparison {
    let suite = """
      gates:
        - accuracy >= 80%
        - no regression in accuracy beyond 5 points
        - p95(latency) < 1 s (live)
      goals:
        - accuracy >= 99%

      """
    let revisions = try TwoRevisions(cases: 100, suite: suite)
    try revisions.makeWorse()
    let path = RecordingProject.casesPath
    for (old, new) in [
      ("Number 50?\"}, expected: {kind: question}", "Number 50?\"}, expected: {kind: other}"),
      ("Number 60?", "Number 600?"),
      ("- {id: case-70, input: {message: \"Number 70?\"}, expected: {kind: question}}\n", ""),
      ("{id: case-80,", "{id: case-80, tags: [hard],"),
    ] {
      try revisions.here.edit(path, replacing: old, with: new)
    }
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "- accuracy >= 80%",
      with: "- accuracy >= 10%"
    )
    try revisions.here.edit("prices.json", replacing: "0.00001", with: "0.00003")
    try await revisions.record(guessingWrong: 12)
    let comparisons = try revisions.compare().comparisons
    guard let comparison = comparisons.first else {
      throw FileError(path: ProjectPath("triage"), reason: "nothing was compared")
    }
    return comparison
  }

  /// Two prompts on two backends, one of which has no recordings.
  static func fourConfigurations() async throws -> ConfigurationComparison {
    let project = try TwoRevisions(cases: 40).here
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacing("Say what", with: "Guess what").utf8),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    for (path, old, new) in [
      (RecordingProject.suitePath, "prompt: v1.yaml", "prompts: [v1.yaml, v2.yaml]"),
      (RecordingProject.suitePath, "backend: server", "backends: [server, second]"),
      (
        "sluice.yaml", "backends:",
        "backends:\n"
          + "  second: {type: openai, base-url: \"https://models.test/v1\", model: sorter-1}"
      ),
    ] {
      try project.edit(path, replacing: old, with: new)
    }
    _ = try await project.record(from: TwoRevisions.server(guessingWrong: 9))
    try project.files.remove(ProjectPath("datasets/triage/recordings/second.jsonl"))
    guard let result = try project.replay().suites.first else {
      throw FileError(path: ProjectPath("triage"), reason: "nothing ran")
    }
    return try SuiteComparison.compare(result, of: try project.suite(), .init())
  }

  /// Returns configurations with a text everywhere that a file, a server or a model could put it.
  static func everywhere(_ text: String, configurations count: Int = 2) -> ConfigurationComparison {
    let sides = (0..<count).map { index in
      let trials: [Trial] = [
        .fixture(text, index == 0 ? .passed : .failed), .fixture("plain", .passed),
        .fixture("lost", .lost(.stated(text))),
      ]
      return ConfigurationComparer.Side(
        name: text,
        column: ColumnResult(
          prompt: text,
          promptPath: text,
          backend: text,
          isCandidate: true,
          trials: trials,
          metrics: [
            .init(name: "accuracy", quantity: .rate, estimate: Estimate(rate: 1, of: 2)),
            .init(
              name: "\(text)\(ConfigurationComparison.falsePositiveSuffix)",
              quantity: .rate,
              estimate: Estimate(rate: 1, of: 2)
            ),
            .init(name: "p50(latency)", quantity: .time, estimate: Estimate(123_456, n: 2)),
            .init(name: "p95(latency)", quantity: .time, estimate: Estimate(234_567, n: 2)),
            .init(name: "mean(tokens)", quantity: .count, estimate: Estimate(512, n: 2)),
          ],
          gates: [],
          goals: []
        ),
        counted: Pairing.Side(trials: trials, scorers: [text: "\(index)"])
      )
    }
    var comparison = SuiteComparison.compare(
      sides,
      suite: text,
      source: .recorded,
      repetitions: 1_000,
      metrics: SuiteMetrics([]),
      margin: 0.05
    )
    comparison.edits = [
      YardstickEdit(.gate, text), YardstickEdit(.label, String(repeating: text + " ", count: 400)),
    ]
    comparison.gates = [
      .fixture(text, .fail, Estimate(rate: 1, of: 2)),
      .fixture(text, .noVerdict, Estimate(unknown: text)),
    ]
    comparison.verdict = .inconclusive
    for index in comparison.pairs.indices {
      comparison.pairs[index].comparison.changedCases = [text]
      comparison.pairs[index].comparison.addedCases = Array(repeating: text, count: 5)
      comparison.pairs[index].changes = [
        Judged(
          name: text,
          quantity: .rate,
          change: .fixture(7, 2, 100),
          standing: .worse,
          adjustedP: 0.04
        )
      ]
    }
    return comparison
  }

  /// Returns a prompt on backends that each pass a number of 200 cases, with optional costs and
  /// tokens.
  static func tradeoff(
    _ sides: [(backend: String, passed: Int, cost: Double?, tokens: Double?)]
  ) -> ConfigurationComparison {
    let made = sides.map { side in
      let trials = (0..<200).map { index -> Trial in
        // Cases differ in both directions.
        var trial = Trial.fixture("x", (index * 7) % 200 < side.passed ? .passed : .failed)
        trial.caseID = "case-\(index)"
        trial.tags = []
        trial.prompt = "v1"
        trial.backend = side.backend
        trial.output?.excerpt = String(repeating: "x", count: 40 + side.backend.count)
        return trial
      }
      func estimate(_ value: Double?) -> Estimate {
        value.map { Estimate($0, n: 200) } ?? Estimate(unknown: "no price")
      }
      return ConfigurationComparer.Side(
        name: "v1 on \(side.backend)",
        column: ColumnResult(
          prompt: "v1",
          promptPath: "prompts/v1.yaml",
          backend: side.backend,
          isCandidate: true,
          trials: trials,
          metrics: [
            .init(
              name: "accuracy",
              quantity: .rate,
              estimate: Estimate(rate: side.passed, of: 200)
            ),
            .init(name: "mean(cost)", quantity: .money, estimate: estimate(side.cost)),
            .init(name: "mean(tokens)", quantity: .count, estimate: estimate(side.tokens)),
            .init(name: "p50(latency)", quantity: .time, estimate: Estimate(420, n: 200)),
            .init(name: "p95(latency)", quantity: .time, estimate: Estimate(431, n: 200)),
          ],
          gates: [],
          goals: []
        ),
        counted: Pairing.Side(trials: trials, scorers: [:])
      )
    }
    return SuiteComparison.compare(
      made,
      suite: "reply",
      source: .recorded,
      repetitions: 1,
      metrics: SuiteMetrics([]),
      margin: 0.05
    )
  }
}
