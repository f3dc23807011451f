import SampleProjects
@testable import Sluice
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Accepting baselines")
struct BaselineAcceptanceTests {
  private let path = ProjectPath("reports/baselines/triage.server.jsonl")

  private func drafts(_ project: RecordingProject) throws -> [BaselineAcceptance.Draft] {
    let suite = try project.suite()
    let result = Evaluation(suite, surroundings: project.surroundings, keepsLog: false)
      .replay(concurrency: 1).result
    return try BaselineAcceptance(suite, surroundings: project.surroundings).drafts(result)
  }

  @Test("A draft is new, unchanged, or replaces the existing baseline")
  func states() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let first = try #require(try drafts(project).first)
    #expect(first.state == .new)
    #expect(first.suite == "triage")
    #expect(first.path == path)
    #expect(project.files.kind(of: path) == .missing)
    try project.files.write(first.bytes, to: path)
    #expect(try drafts(project).map(\.state) == [.unchanged])
    try project.edit(RecordingProject.casesPath, replacing: "kind: request", with: "kind: other")
    #expect(try drafts(project).map(\.state) == [.replaced])
  }

  @Test("Lost trials prevent a baseline, and missing recordings are the reason to record")
  func refusal() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    do throws(BaselineAcceptance.Refusal) {
      let suite: ResolvedSuite
      let result: SuiteResult
      do {
        suite = try project.suite()
        result =
          Evaluation(suite, surroundings: project.surroundings, keepsLog: false)
          .replay(concurrency: 1).result
      } catch {
        Issue.record(error)
        return
      }
      _ = try BaselineAcceptance(suite, surroundings: project.surroundings).drafts(result)
      Issue.record("a baseline with a hole was drafted")
    } catch {
      #expect(error.suite == "triage")
      #expect(error.message == "v1 on server: 1 trial was lost (of 4)")
      #expect(error.needsRecording)
    }
  }

  @Test("A run is compared with its baseline, and changed cases are listed")
  func compared() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "- accuracy >= 60%",
      with: "- no regression in accuracy beyond 5 points"
    )
    let draft = try #require(try drafts(project).first)
    try project.files.write(draft.bytes, to: path)
    let same = try project.replay()
    #expect(same.verdict == .pass)
    #expect(same.suites[0].columns[0].gates[0].reason == .identical)
    try project.edit(
      RecordingProject.casesPath,
      replacing: "expected: {kind: other}",
      with: "expected: {kind: request}"
    )
    let changed = try project.replay()
    // Three cases could not pass the gate, whatever the outcome of the fourth.
    #expect(changed.suites[0].columns[0].gates[0].reason == .marginTooTight)
    #expect(changed.suites[0].columns[0].gates[0].change?.n == 3)
    #expect(changed.suites[0].columns[0].comparison?.changedCases == ["thanks"])
  }

  @Test("A damaged baseline is reported by line, and its gates have no verdict")
  func damaged() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "- accuracy >= 60%",
      with: "- accuracy >= 60%\n  - no regression in accuracy beyond 5 points"
    )
    let draft = try #require(try drafts(project).first)
    try project.files.write(draft.bytes + Array("<<<<<<< HEAD\n".utf8), to: path)
    let outcome = Evaluation(
      try project.suite(),
      surroundings: project.surroundings,
      keepsLog: false
    ).replay(concurrency: 1)
    #expect(
      outcome.diagnostics.map(\.description).joined() == """
        reports/baselines/triage.server.jsonl:6:1: error: the line is not valid JSON: expected a JSON value
          fix: restore the file from version control, or accept a new baseline: sluice baseline accept triage

        """
    )
    #expect(
      outcome.result.columns[0].gates.map { "\($0.verdict.rawValue), \($0.reason)" }
        == ["pass, met", "no-verdict, no-baseline"]
    )
    #expect(outcome.result.verdict == .noVerdict)
    // Accepting a new baseline repairs the file.
    let repaired = try #require(try drafts(project).first)
    #expect(repaired.state == .replaced)
    #expect(repaired.bytes == draft.bytes)
  }
}
