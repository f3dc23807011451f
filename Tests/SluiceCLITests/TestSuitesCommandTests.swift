import SampleProjects
import TestSupport
import Testing

/// Tests of commands in a project with a suite that only a test can run.
@Suite("Suites with Swift scorers on the command line")
struct TestSuitesCommandTests {
  private static let note = """
    note: 'reply' is left out: its scorer 'kind-words' is written in Swift, so only a test can run it

    """

  /// Adds a suite with a Swift scorer next to the suite of the project.
  private func addSuite(to project: TriageProject) throws {
    try project.files.write(
      """
      suite: reply
      prompt: v1.yaml
      dataset: triage
      backend: server
      scorers:
        - swift: {name: kind-words, version: 1}
      """,
      to: "prompts/reply/suite.yaml"
    )
    try project.files.write(
      "messages: [{user: \"Reply kindly: {{message}}\"}]\n",
      to: "prompts/reply/v1.yaml"
    )
  }

  @Test(
    "A command for all suites leaves such a suite out, and says so",
    arguments: [
      ["run"], ["validate"], ["plan"], ["explain"], ["history"], ["recordings", "verify"],
    ]
  )
  func leftOut(arguments: [String]) async throws {
    try await TriageProject.with { project in
      try await project.record()
      try addSuite(to: project)
      let outcome = try await project.sluice.run(arguments)
      #expect(outcome.exitCode != 64, "\(outcome.error)")
      #expect(arguments.first == "recordings" || outcome.error.contains(Self.note))
    }
  }

  @Test("A command that names such a suite refuses to run")
  func named() async throws {
    try await TriageProject.with { project in
      try addSuite(to: project)
      let outcome = try await project.sluice("run", "reply")
      #expect(outcome.exitCode == 64)
      #expect(outcome.error.contains("the scorer 'kind-words' is written in Swift"))
    }
  }

  @Test("Recordings that only such a suite needs count as in use, and prune keeps them")
  func recordings() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try addSuite(to: project)
      let status = try await project.sluice("recordings", "status")
      #expect(status.output.contains("4 recordings · 4 in use\n  4 stale\n"))
      // Answers of the suite come from a copy without the scorer.
      try project.files.edit(
        "prompts/reply/suite.yaml",
        replacing: "swift: {name: kind-words, version: 1}",
        with: "contains: question"
      )
      try await project.must("record", "reply")
      try await project.must("recordings", "accept")
      try addSuite(to: project)
      let now = try await project.sluice("recordings", "status")
      #expect(now.output.contains("8 recordings · 8 in use\n"))
      let pruned = try await project.sluice("recordings", "prune")
      #expect(pruned.exitCode == 0)
      #expect(try project.exchanges(TriageProject.recordings).count == 8)
    }
  }
}
