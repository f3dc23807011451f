import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Comparing run logs")
struct RunLogComparisonTests {
  private static let gates = """
    gates:
      - accuracy >= 60%
      - no regression in accuracy beyond 5 points
      - p95(latency) < 1 s (live)
    """

  /// The log of a suite with given answers.
  private func log(
    _ name: String,
    of suite: GatedSuite,
    mode: RunLog.Mode = .replay,
    _ answer: (Int, Int) -> GatedSuite.Answer?
  ) throws -> RunLogComparison.Log {
    let trials = suite.trials(answer).map { JudgedTrial(trial: $0, variables: [:], text: nil) }
    let log = RunLog(suite.suite.plan, start: RecordingProject.date, mode: mode)
    return RunLogComparison.Log(
      name: name,
      run: try LoggedRun(reading: log.bytes(trials), kind: RunLog.kind)
    )
  }

  private func said(_ comparison: ConfigurationComparison) -> [String] {
    comparison.gates.map { "\($0.verdict.rawValue), \($0.reason)" }
  }

  @Test("The suite's gates decide on two logs, with the first as the reference")
  func two() throws {
    let suite = try GatedSuite(cases: 100, gates: Self.gates)
    let logs = [
      try log("old.jsonl", of: suite) { _, _ in .right },
      try log("new.jsonl", of: suite) { testCase, _ in testCase < 12 ? .wrong : .right },
    ]
    let comparison = try RunLogComparison(logs, suite: suite.suite).compare(.init())
    #expect(
      comparison.configurations.map(\.name) == [
        "v1 on server in old.jsonl", "v1 on server in new.jsonl",
      ]
    )
    #expect(
      said(comparison) == ["pass, met", "fail, credible-regression", "not-evaluated, live-only"]
    )
    #expect(comparison.verdict == .fail)
    #expect(comparison.source == .recorded)
    #expect(comparison.disagreements.count == 12)
    let turned = try RunLogComparison(logs, suite: suite.suite)
      .compare(.init(reference: "v1 on server in new.jsonl"))
    #expect(said(turned).prefix(2) == ["pass, met", "pass, improved"])
    #expect(turned.verdict == .pass)
  }

  @Test("If a log is truncated or lacks recordings, there is no verdict")
  func incomplete() throws {
    let suite = try GatedSuite(cases: 100, gates: "gates:\n  - accuracy >= 60%")
    let whole = try log("old.jsonl", of: suite) { _, _ in .right }
    var cut = try log("new.jsonl", of: suite) { _, _ in .right }
    cut.run.trials.removeLast(80)
    cut.run.isComplete = false
    let missing = try log("new.jsonl", of: suite) { testCase, _ in testCase == 0 ? nil : .right }
    for other in [cut, missing] {
      let comparison = try RunLogComparison([whole, other], suite: suite.suite).compare(.init())
      #expect(said(comparison) == ["pass, met"])
      #expect(comparison.verdict == .noVerdict)
    }
    #expect(
      try RunLogComparison([whole, whole], suite: suite.suite).compare(.init()).verdict == .pass
    )
  }

  @Test(
    "Live conditions are decided only if all logs are live",
    arguments: [
      ([RunLog.Mode.live, .live], "pass, met"), ([.live, .replay], "not-evaluated, live-only"),
      ([.replay, .live], "not-evaluated, live-only"),
    ]
  )
  func live(modes: [RunLog.Mode], said expected: String) throws {
    let suite = try GatedSuite(cases: 100, gates: Self.gates)
    let logs = try modes.enumerated().map { index, mode in
      try log("\(index).jsonl", of: suite, mode: mode) { _, _ in .right }
    }
    let comparison = try RunLogComparison(logs, suite: suite.suite).compare(.init())
    #expect(said(comparison).last == expected)
    #expect(comparison.verdict == .pass)
    #expect(comparison.source == (modes == [.live, .live] ? .live : .recorded))
  }

  @Test("A single log with several columns is compared column by column")
  func columns() async throws {
    let project = try TwoRevisions(cases: 30, suite: Self.gates).here
    try project.files.write(
      Array(
        try project.text(of: RecordingProject.promptPath).replacing("Say what", with: "Guess what")
          .utf8
      ),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]"
    )
    _ = try await project.record(from: TwoRevisions.server(guessingWrong: 20))
    let plan = try project.plan()
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    let bytes = RunLog(plan, start: RecordingProject.date, mode: .replay).bytes(trials)
    let run = try LoggedRun(reading: bytes, kind: RunLog.kind)
    let logs = [RunLogComparison.Log(name: "a.jsonl", run: run)]
    let comparison = try RunLogComparison(logs, suite: try project.suite()).compare(.init())
    #expect(
      comparison.configurations.map(\.name) == [
        "v1 on server in a.jsonl", "v2 on server in a.jsonl",
      ]
    )
    #expect(said(comparison).prefix(2) == ["fail, not-met", "fail, credible-regression"])
    // With more than two configurations, there is no single candidate.
    let several = try RunLogComparison(logs + logs, suite: try project.suite()).compare(.init())
    #expect(several.configurations.count == 4)
    #expect(several.gates == [])
    #expect(several.verdict == nil)
  }

  @Test("The logs of an unknown suite are compared without gates")
  func unknownSuite() throws {
    let suite = try GatedSuite(cases: 100, gates: Self.gates)
    let logs = [
      try log("old.jsonl", of: suite) { _, _ in .right },
      try log("new.jsonl", of: suite) { testCase, _ in testCase < 12 ? .wrong : .right },
    ]
    let comparison = try RunLogComparison(logs, suite: nil).compare(.init())
    #expect(comparison.suite == "triage")
    #expect(comparison.gates == [])
    #expect(comparison.verdict == nil)
    #expect(comparison.margin == 0.05)
    #expect(comparison.pairs[0].changes.first?.standing == .worse)
  }

  @Test("If a scorer changed between the logs, its gates have no verdict")
  func changedScorers() throws {
    let old = try GatedSuite(cases: 100, gates: Self.gates)
    let new = try GatedSuite(
      cases: 100,
      gates: Self.gates,
      scorer: "- classification: {path: kind, expected: kind, labels: [question, other, request]}"
    )
    let logs = [
      try log("old.jsonl", of: old) { _, _ in .right },
      try log("new.jsonl", of: new) { _, _ in .right },
    ]
    let comparison = try RunLogComparison(logs, suite: new.suite).compare(.init())
    #expect(comparison.pairs[0].comparison.changedScorers == ["classification"])
    #expect(said(comparison).prefix(2) == ["pass, met", "no-verdict, mismatch"])
    #expect(comparison.verdict == .noVerdict)
  }

  @Test("Lost trials in a log leave no verdict if they could change it")
  func lost() throws {
    let suite = try GatedSuite(cases: 60, gates: Self.gates)
    let logs = [
      try log("old.jsonl", of: suite) { _, _ in .right },
      try log("new.jsonl", of: suite) { testCase, _ in testCase < 3 ? nil : .right },
    ]
    let comparison = try RunLogComparison(logs, suite: suite.suite).compare(.init())
    #expect(said(comparison).prefix(2) == ["pass, met", "no-verdict, lost-trials"])
    #expect(comparison.verdict == .noVerdict)
  }

  @Test("A lost trial of a quarantined case does not affect the verdict")
  func quarantine() throws {
    let suite = try GatedSuite(
      cases: 60,
      gates: Self.gates
        + "\nquarantine: [{case: case-7, reason: disputed, until: 2026-12-31}]"
    )
    let logs = try ["old.jsonl", "new.jsonl"].map { name in
      try log(name, of: suite) { testCase, _ in testCase == 7 ? nil : .right }
    }
    let comparison = try RunLogComparison(logs, suite: suite.suite).compare(.init())
    #expect(said(comparison).prefix(2) == ["pass, met", "pass, identical"])
    #expect(!ComparisonResult([comparison]).hasLosses)
    let unknown = try RunLogComparison(logs, suite: nil).compare(.init())
    #expect(ComparisonResult([unknown]).hasLosses)
  }

  @Test("A single column, or none, is not enough to compare", arguments: [true, false])
  func alone(isEmpty: Bool) throws {
    let suite = try GatedSuite(cases: 3, gates: Self.gates)
    var log = try log("a.jsonl", of: suite) { _, _ in .right }
    if isEmpty { log.run.trials = [] }
    let name = isEmpty ? "none" : "v1 on server in a.jsonl"
    #expect(
      throws: SuiteComparison.Problem(
        message: "a comparison needs two configurations; the logs contain: \(name)",
        fix: "name two logs"
      )
    ) {
      try RunLogComparison([log], suite: suite.suite).compare(.init())
    }
  }

  @Test("A suite with only live gates has no verdict on recorded answers")
  func onlyLive() throws {
    let suite = try GatedSuite(cases: 3, gates: "gates: [p95(latency) < 1 s (live)]")
    let logs = try ["a", "b"].map { name in try log(name, of: suite) { _, _ in .right } }
    #expect(try RunLogComparison(logs, suite: suite.suite).compare(.init()).verdict == .noVerdict)
  }
}
