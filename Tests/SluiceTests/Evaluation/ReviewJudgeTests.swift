import SampleProjects
import Sluice
import Testing

/// Tests of reviews of pending answers by their scores, not only by their differences.
@Suite("Judging pending answers")
struct ReviewJudgeTests {
  private let project = RecordingProject()

  private func judged() async throws -> [String: JudgedAnswer] {
    let diagnostics = DiagnosticCollector()
    let review = project.pending().review(diagnostics)
    #expect(diagnostics.diagnostics.isEmpty)
    let judge = ReviewJudge([try project.suite()], surroundings: project.surroundings)
    let judged = await judge.judged(review)
    #expect(judged.count == review.entries.count)
    return Dictionary(
      zip(review.entries.map(\.testCase), judged),
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// A server that gets the last case right and the third one wrong.
  private var other: RecordingHTTPClient {
    RecordingHTTPClient { request throws(HTTPError) in
      guard let body = try? JSONReader.value(request.body),
        let message = body["messages"]?.array?.last?["content"]?.string
      else { throw HTTPError(.broken, detail: "no message was sent") }
      let kind =
        switch message {
        case "Where is it?": "question"
        case "Thanks!": "question"
        default: "request"
        }
      return RecordingProject.completion(text: "{\"kind\":\"\(kind)\"}")
    }
  }

  @Test("An answer to the same request is compared with the accepted one")
  func again() async throws {
    _ = try await project.record()
    _ = try await project.recordPending(RecordingRequest.Selection(scope: .all), from: other)
    let judged = try await judged()
    #expect(judged["thanks"]?.turn == .failing)
    #expect(judged["polite"]?.turn == .passing)
    #expect(judged["where"]?.turn == JudgedAnswer.Turn.none)
    #expect(judged["where"]?.now?.isPassed == true)
    #expect(judged["polite"]?.question == [CaseView.Field("", "Could you send it?")])
    #expect(judged["polite"]?.expected == [CaseView.Field("kind", "request")])
  }

  @Test("After a prompt edit, the accepted answer to the old prompt is judged, too")
  func follows() async throws {
    _ = try await project.record()
    try project.edit(
      RecordingProject.promptPath,
      replacing: "it is.",
      with: "it is, in one word."
    )
    _ = try await project.recordPending(from: other)
    let judged = try await judged()
    #expect(judged["thanks"]?.turn == .failing)
    #expect(judged["polite"]?.turn == .passing)
  }

  @Test("After an edit of a case its old answer is not judged, so that it cannot flip")
  func editedCase() async throws {
    _ = try await project.record()
    try project.edit(
      RecordingProject.casesPath,
      replacing: "Could you send it?",
      with: "Could you send it, please?"
    )
    _ = try await project.recordPending(from: other)
    let judged = try await judged()
    #expect(judged["polite"]?.before == nil)
    #expect(judged["polite"]?.turn == JudgedAnswer.Turn.none)
    #expect(judged["polite"]?.now?.isPassed == true)
  }

  @Test("An answer of a case without an accepted one is judged alone")
  func new() async throws {
    _ = try await project.recordPending(from: other)
    let judged = try await judged()
    #expect(judged["thanks"]?.before == nil)
    #expect(judged["thanks"]?.now?.isPassed == false)
  }

  @Test("An answer that no suite requests any more is not judged, and is shown with its question")
  func stale() async throws {
    _ = try await project.recordPending(from: other)
    try project.edit(RecordingProject.promptPath, replacing: "it is.", with: "it is, please.")
    let judged = try await judged()
    #expect(judged["where"]?.now == nil)
    #expect(judged["where"]?.expected == nil)
    #expect(judged["where"]?.question == [CaseView.Field("", "Where is it?")])
  }

  @Test("An answer to another prompt that was tried is judged with that prompt")
  func tried() async throws {
    let text = try project.text(of: RecordingProject.promptPath)
    let path = "prompts/triage/v2.yaml"
    try project.files.write(
      Array(text.replacing("it is.", with: "it may be.").utf8),
      to: ProjectPath(path)
    )
    try project.edit(RecordingProject.suitePath, replacing: "v1.yaml", with: "v2.yaml")
    _ = try await project.recordPending(from: other)
    try project.edit(RecordingProject.suitePath, replacing: "v2.yaml", with: "v1.yaml")
    let judged = try await judged()
    #expect(judged["thanks"]?.now?.prompt == "v2")
    #expect(judged["thanks"]?.now?.isPassed == false)
    #expect(judged["where"]?.now?.isPassed == true)
  }
}
