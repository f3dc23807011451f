import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Requesting recorded answers again")
struct RecordedComparisonTests {
  private func project() async throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, max-in-flight: 1"
    )
    _ = try await project.record()
    return project
  }

  private func compare(
    _ project: RecordingProject,
    _ client: any HTTPClient,
    limit: Double? = nil,
    progress: Locked<[Int]> = Locked([])
  ) async throws -> RecordedComparison.Outcome {
    let plan = try project.plan()
    let stores = try project.recordings()
    return await RecordedComparison(plan, stores: stores).compare(
      plan.recordingRequests(RecordingRequest.Selection(scope: .all), in: stores),
      backends: try project.backends(client, limit: limit),
      onProgress: { now in progress.withLock { $0.append(now.done) } }
    )
  }

  @Test("Identical answers have no difference, and nothing is written")
  func same() async throws {
    let project = try await project()
    let before = try project.text(of: RecordingProject.recordingsPath.description)
    let progress = Locked<[Int]>([])
    let outcome = try await compare(project, RecordingProject.server, progress: progress)
    #expect(outcome.reviews.map(\.backend) == ["server"])
    #expect(outcome.reviews[0].entries.map(\.testCase) == ["where", "send", "thanks", "polite"])
    #expect(outcome.reviews[0].entries.allSatisfy { $0.comparison.difference?.isSame == true })
    #expect(outcome.failures.isEmpty)
    #expect(outcome.unsent == 0)
    #expect(NumberText.fixed((outcome.cost ?? 0) * 1e6, decimals: 1) == "1200.0")
    #expect(progress.withLock { $0 } == [1, 2, 3, 4])
    #expect(try project.text(of: RecordingProject.recordingsPath.description) == before)
    #expect(!project.pending().exists)
  }

  @Test(
    "Different answers are shown with the recorded ones; requests without recordings are not sent"
  )
  func drift() async throws {
    let project = try await project()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    let client = RecordingHTTPClient(RecordingProject.completion(text: #"{"kind":"question"}"#))
    let outcome = try await compare(project, client)
    #expect(client.requests.count == 3)
    #expect(
      outcome.reviews[0].entries.map { "\($0.testCase) \($0.comparison.difference?.lines ?? [])" }
        == [
          "where []", #"send ["- kind: \"request\"", "+ kind: \"question\""]"#, "polite []",
        ]
    )
  }

  @Test("A failed request is reported and is not a difference")
  func failures() async throws {
    let project = try await project()
    let client = RecordingHTTPClient { request throws(HTTPError) in
      if String(decoding: request.body, as: UTF8.self).contains("Thanks") {
        throw HTTPError(.timedOut, detail: "")
      }
      return try RecordingProject.answer(to: request)
    }
    let outcome = try await compare(project, client)
    #expect(outcome.failures.map(\.request.hints.testCase) == ["thanks"])
    #expect(outcome.failures.map(\.error.kind) == [.timedOut])
    #expect(outcome.reviews[0].entries.count == 3)
  }

  @Test("Requests that the cost limit prevents are counted, not treated as unchanged")
  func limit() async throws {
    let project = try await project()
    let outcome = try await compare(project, RecordingProject.server, limit: 0.0005)
    #expect(outcome.unsent == 2)
    #expect(outcome.reviews[0].entries.count == 2)
    let none = try await compare(project, RecordingProject.server, limit: 0)
    #expect(none.unsent == 4)
    #expect(none.reviews.isEmpty)
  }
}
