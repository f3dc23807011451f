import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Runs with extraction")
struct ExtractionRunTests {
  /// A project with recorded answers in plain text.
  private func project(_ answer: String) async throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing:
        "  - classification: {path: kind, expected: kind, labels: [question, request, other]}\n",
      with: """
          - classification: {expected: kind, labels: [question, request, other]}
          - {contains: fine, extract: {line: first}}
        extract: [{line: last}, {after: "kind:"}, trim, lower]

        """
    )
    try project.edit(
      RecordingProject.casesPath,
      replacing: "expected: {kind: question}}",
      with: "expected: {kind: question}, assert: [{exact: kind}, {contains: fine, extract: trim}]}"
    )
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      RecordingProject.completion(text: answer)
    }
    _ = try await project.record(from: client)
    return project
  }

  @Test("Scorers and assertions without their own extract judge what the suite extracts")
  func suite() async throws {
    let project = try await project("That is fine.\nKind: Question")
    let trials = try project.replay().suites[0].columns[0].trials
    #expect(trials.map { $0.outcome == .passed } == [false, false, false, false])
    let named = try await self.project("That is fine.\nkind: Question ")
    let run = Runner(try named.plan()).replay(try named.recordings(), concurrency: 1).map(\.trial)
    #expect(run.map { $0.outcome == .passed } == [true, false, false, false])
    #expect(
      run[0].scores.map { "\($0.name): \($0.score.explanation)" } == [
        "classification: question as expected",
        #"contains: expected the answer to contain "fine": it does"#,
        #"assert.exact: expected the answer to equal "question": it does"#,
        #"assert.contains: expected the answer to contain "fine": it does"#,
      ]
    )
    // The log contains the original answer.
    #expect(run[0].output?.excerpt == "That is fine.\nkind: Question ")
  }

  @Test("If a step of extract finds nothing, the answer is unusable and the trial fails")
  func nothing() async throws {
    let project = try await project("fine")
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
      .map(\.trial)
    #expect(trials.allSatisfy { $0.isUnusable && $0.outcome == .failed })
    #expect(
      trials[1].scores[0].score.explanation
        == #"step 2 of 'extract': "kind:" is not in "fine""#
    )
  }

  @Test("An error in the suite's extract is reported once, with any number of scorers")
  func faults() throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "  - contains: x\nextract: [trim, nubmer]\ngates:"
    )
    let said = ProjectLoader.load(from: project.files).diagnostics.map(\.description).joined()
    #expect(
      said == """
        prompts/triage/suite.yaml:8:17: error: unknown step 'nubmer' of 'extract'
          8 | extract: [trim, nubmer]
            |                 ^
          fix: did you mean 'number'?

        """
    )
  }
}
