import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Evidence of trials")
struct EvidenceTests {
  private func column(_ project: RecordingProject) throws -> ColumnResult {
    try #require(try project.replay().suites.first?.columns.first)
  }

  private func acceptBaseline(_ project: RecordingProject) throws {
    let plan = try project.plan()
    try project.files.write(
      Baseline.bytes(plan, column: plan.columns[0], trials: try column(project).trials),
      to: Baseline.path(suite: "triage", backend: "server")
    )
  }

  @Test("A request's messages are split into the pieces of their templates")
  func messages() async throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.promptPath, replacing: "{{message}}", with: "> {{message}} <")
    _ = try await project.record()
    let column = try column(project)
    let evidence = try #require(column.evidence)
    let asked = try #require(evidence.asked(by: column.trials[1], at: 1))
    #expect(asked.testCase.input == ["message": "Please send it."])
    #expect(asked.line == 2)
    #expect(evidence.datasetPath == RecordingProject.casesPath)
    let messages = try #require(evidence.messages(asked))
    #expect(messages.map(\.role) == ["system", "user"])
    #expect(
      messages.map(\.pieces) == [
        ["Say what kind of message it is."], ["> ", "Please send it.", " <"],
      ]
    )
    // The trial is not matched with the request of another position.
    #expect(evidence.asked(by: column.trials[1], at: 0) == nil)
    #expect(evidence.asked(by: column.trials[1], at: 99) == nil)
  }

  @Test("Without a baseline, there is no earlier answer")
  func noBaseline() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let column = try column(project)
    #expect(column.evidence?.before(column.trials[0]) == nil)
  }

  @Test("An answer that equals the baseline's is marked as the same")
  func same() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try acceptBaseline(project)
    let column = try column(project)
    let before = try #require(column.evidence?.before(column.trials[0]))
    #expect(before.title == "the baseline (v1)")
    #expect(before.outcome == .passed)
    guard case .same = before.answer else { throw Wrong(answer: before.answer) }
  }

  @Test("The text of a different earlier answer comes from the recordings, if they still have it")
  func others() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try acceptBaseline(project)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    _ = try await project.record()
    var column = try column(project)
    // Pretends that the edited prompt has another answer.
    var trial = column.trials[0]
    trial.output?.digest = String(repeating: "0", count: 64)
    column.trials[0] = trial
    let before = try #require(column.evidence?.before(trial))
    guard case .text(let text) = before.answer else { throw Wrong(answer: before.answer) }
    #expect(text == #"{"kind":"question"}"#)
    let alone = Evidence(
      try project.plan(),
      stores: [:],
      baselines: [
        "server": try Baseline(
          reading: try project.files.open(Baseline.path(suite: "triage", backend: "server"))
        )
      ]
    )
    let lost = try #require(alone.before(trial))
    guard case .notKept = lost.answer else { throw Wrong(answer: lost.answer) }
  }

  private func asked(of column: ColumnResult) -> RequestChange? {
    column.evidence.flatMap { RequestChange(sinceBaselineOf: column.trials, $0) }
  }

  @Test("A changed request since the baseline is shown by one case, preferably a failed one")
  func requestChange() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try acceptBaseline(project)
    #expect(asked(of: try column(project)) == nil)
    #expect(try column(project).requestChange == nil)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    // Needs no answers to the edited prompt.
    let lost = try column(project)
    let change = try #require(asked(of: lost))
    #expect(
      change
        == RequestChange(
          count: lost.trials.count,
          total: lost.trials.count,
          caseID: lost.trials[0].caseID,
          difference: RequestDifference(parts: [
            .init(
              name: "system message",
              lines: ["- Say what kind of message it is.", "+ Tell what kind of message it is."]
            )
          ])
        )
    )
    #expect(lost.requestChange == change)
    _ = try await project.record()
    var answered = try column(project)
    #expect(answered.comparison?.isIdentical == true)
    #expect(answered.requestChange?.count == 4, "an edit that changes no answer is told as well")
    answered.trials[2].outcome = .failed
    #expect(
      asked(of: answered)?.caseID == answered.trials[2].caseID,
      "a case that failed is what a reader asks about"
    )
    answered.trials[1].outcome = .failed
    #expect(
      asked(of: answered)?.caseID == answered.trials[1].caseID,
      "of those that differ alike the first is told"
    )
    answered.evidence = Evidence(try project.plan(), stores: [:], baselines: [:])
    #expect(asked(of: answered) == nil)
  }

  @Test("Two prompts are compared by the requests of the cases that both have")
  func requestDifference() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let before = try column(project)
    try project.edit(RecordingProject.promptPath, replacing: "{{message}}", with: "> {{message}}")
    _ = try await project.record()
    var after = try column(project)
    #expect(RequestChange(from: after, to: after) == nil)
    after.trials[0].caseDigest = String(repeating: "0", count: 64)
    let change = try #require(RequestChange(from: before, to: after))
    #expect((change.count, change.total) == (after.trials.count - 1, after.trials.count - 1))
    // The case that failed.
    #expect(change.caseID == "polite")
    #expect(
      change.difference.parts == [
        .init(name: "user message", lines: ["- Could you send it?", "+ > Could you send it?"])
      ]
    )
  }

  @Test("A case that changed has no earlier answer")
  func changedCase() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try acceptBaseline(project)
    try project.edit(RecordingProject.casesPath, replacing: "Where is it?", with: "Where is he?")
    _ = try await project.record()
    let column = try column(project)
    #expect(column.evidence?.before(column.trials[0]) == nil)
    #expect(column.evidence?.before(column.trials[1]) != nil)
  }

  private struct Wrong: Error { var answer: Evidence.Before.Answer }
}
