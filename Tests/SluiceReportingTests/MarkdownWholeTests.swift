import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("report.md for a reviewer")
struct MarkdownWholeTests {
  private static func gates(margin: Int) -> String {
    """
    gates: [accuracy >= 60%, no regression in accuracy beyond \(margin) points]
    goals: [accuracy >= 99%, "mean(cost) <= $0.004"]

    """
  }

  /// Returns the report of a project whose prompt was edited after its answers became the baseline.
  ///
  /// - Parameters:
  ///   - wrong: The number of cases that the edited prompt gets wrong, or `nil` if it has no
  ///     recordings.
  ///   - margin: The margin of the regression gate, in points.
  /// - Returns: The text.
  /// - Throws: The error that kept the project from running.
  private func report(guessingWrong wrong: Int?, margin: Int = 5) async throws -> String {
    let project = try TwoRevisions(cases: 40, suite: Self.gates(margin: margin)).here
    _ = try await project.record(from: TwoRevisions.server(guessingWrong: 0))
    let plan = try project.plan()
    let column = try #require(try project.replay().suites.first?.columns.first)
    try project.files.write(
      Baseline.bytes(plan, column: plan.columns[0], trials: column.trials),
      to: Baseline.path(suite: "triage", backend: "server")
    )
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Guess what")
    if let wrong { _ = try await project.record(from: TwoRevisions.server(guessingWrong: wrong)) }
    return String(decoding: MarkdownReport(try project.replay()).bytes, as: UTF8.self)
  }

  @Test("A failing prompt shows its edit, gates with old and new values, and both answers")
  func fail() async throws {
    let text = try await report(guessingWrong: 9)
    let expected = try Snapshot.text("fail.report.md")
    #expect(text == expected)
    let open = text.replacing(#/(?s)<details>.*?<\/details>/#, with: "")
    #expect(open.split(separator: "\n", omittingEmptySubsequences: false).count < 50)
  }

  @Test("A passing prompt with a different answer shows the same")
  func changed() async throws {
    let text = try await report(guessingWrong: 1, margin: 15)
    let expected = try Snapshot.text("changed.report.md")
    #expect(text == expected)
  }

  @Test("A prompt without recordings shows its edit and the command that records answers")
  func noVerdict() async throws {
    let text = try await report(guessingWrong: nil)
    let expected = try Snapshot.text("no-verdict.report.md")
    #expect(text == expected)
  }
}
