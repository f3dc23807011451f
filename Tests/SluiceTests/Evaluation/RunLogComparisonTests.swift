import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Run logs beside each other")
struct RunLogComparisonTests {
  private static let gates = """
    gates:
      - accuracy >= 60%
      - no regression in accuracy beyond 5 points
      - p95(latency) < 1 s (live)
    """

  /// The log of answers to a suite.
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

  @Test("Two logs are decided by the gates of the suite, the first being what is compared with")
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

  @Test("A log that was cut off, or misses recordings, has no verdict, whatever the rest says")
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
    "Conditions on live answers are decided where all logs are live",
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

  @Test("One log of several columns is compared with itself, column by column")
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
    // With more than two logs, there is no single candidate.
    let several = try RunLogComparison(logs + logs, suite: try project.suite()).compare(.init())
    #expect(several.configurations.count == 4)
    #expect(several.gates == [])
    #expect(several.verdict == nil)
  }

  @Test("A suite that the project does not have is compared without gates")
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

  @Test("Scorers that changed between the logs leave their gates without a verdict")
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

  @Test("Trials that were lost in a log leave no verdict where they could change one")
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

  @Test("A trial in quarantine that was lost takes nothing away")
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

  @Test("One column alone, or none, is nothing to compare", arguments: [true, false])
  func alone(isEmpty: Bool) throws {
    let suite = try GatedSuite(cases: 3, gates: Self.gates)
    var log = try log("a.jsonl", of: suite) { _, _ in .right }
    if isEmpty { log.run.trials = [] }
    let name = isEmpty ? "none" : "v1 on server in a.jsonl"
    #expect(
      throws: SuiteComparison.Problem(
        message: "the logs contain only one configuration, \(name)",
        fix: "name two logs"
      )
    ) {
      try RunLogComparison([log], suite: suite.suite).compare(.init())
    }
  }

  @Test("A suite whose gates are all about live answers has no verdict on recorded ones")
  func onlyLive() throws {
    let suite = try GatedSuite(cases: 3, gates: "gates: [p95(latency) < 1 s (live)]")
    let logs = try ["a", "b"].map { name in try log(name, of: suite) { _, _ in .right } }
    #expect(try RunLogComparison(logs, suite: suite.suite).compare(.init()).verdict == .noVerdict)
  }
}
