import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("sluice try", .serialized)
struct TryTests {
  /// Prepares a project whose answers are recorded and committed on main, with a branch for changes
  /// to a prompt or an answer.
  private func prepare(_ project: TriageProject) async throws {
    try await project.record()
    try project.files.makeRepository()
    try project.files.git("switch", "--quiet", "--create", "change")
  }

  private func editPrompt(_ project: TriageProject) throws {
    try project.files.edit(
      TriageProject.prompt,
      replacing: "Say what kind of message it is.",
      with: "Say what kind of message it is, in one word."
    )
  }

  @Test("An edited prompt is recorded as a pending set and compared with main")
  func edited() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try editPrompt(project)
      let committed = try project.files.read(TriageProject.recordings)
      let outcome = try await project.sluice("try", "prompts/triage")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output.hasPrefix(
          """
          triage: 4 requests, about $0.06500 at today's prices
            to server: where, send, thanks, polite
          triage: recorded 4 of 4 answers, cost $0.07700

          PASS  triage  2 configurations · 4 cases · margin
          """
        )
      )
      // The edit is shown although it changed no answer.
      #expect(
        outcome.output.contains(
          """
                The edit changed no answer. Prompts v1 here and v1 at main pass the same
                cases; v1 here uses 18% more tokens per call.

          What changed: system message, in 4 of 4 requests
            - Say what kind of message it is.
            + Say what kind of message it is, in one word.

          """
        )
      )
      let comparison = try project.files.read("reports/latest/compare.html")
      #expect(comparison.contains("<p>The edit changed no answer: all are identical.</p>"))
      #expect(outcome.output.contains("\n  A  v1 at main  the reference"))
      #expect(outcome.output.contains("\n  B  v1 here"))
      #expect(outcome.output.contains("\n  recorded in this change: 4 of 4 answers\n"))
      #expect(
        outcome.output.hasSuffix(
          """
          Next: accept the recorded answers with the change, or reject them:
            sluice recordings accept prompts/triage
            sluice recordings reject prompts/triage

          """
        )
      )
      #expect(try project.files.read(TriageProject.recordings) == committed)
      #expect(try project.exchanges(TriageProject.pending).count == 4)
      // A second try sends nothing and reports the same result.
      project.server.forget()
      let again = try await project.sluice("try", "prompts/triage")
      #expect(again.exitCode == 0)
      #expect(again.output.hasPrefix("triage: nothing to send\n\nPASS  triage  2 configurations"))
      #expect(project.server.asked == [])
      #expect(try await project.sluice("recordings", "accept", "prompts/triage").exitCode == 0)
    }
  }

  @Test("A worse prompt fails against main, and its answers can be rejected")
  func worse() async throws {
    try await TriageProject.with { project in
      try project.write(caseCount: 40)
      try project.files.edit(
        TriageProject.suite,
        replacing: "- accuracy >= 10%",
        with: "- no regression in accuracy beyond 5 points"
      )
      try await prepare(project)
      try editPrompt(project)
      project.server.answer { _, _ in #"{"kind":"other"}"# }
      let outcome = try await project.sluice("try")
      #expect(outcome.exitCode == 1)
      #expect(outcome.output.contains("\nFAIL: "))
      #expect(outcome.output.hasSuffix("  sluice recordings accept\n  sluice recordings reject\n"))
      try await project.must("recordings", "reject")
      try project.files.git("checkout", "--quiet", TriageProject.prompt)
      let back = try await project.sluice("try")
      #expect(back.exitCode == 0)
      #expect(back.output.contains("\n  in this change: 1 recorded set, 1 rejected\n"))
    }
  }

  @Test("If nothing is missing, try only compares, also in CI")
  func nothingToSend() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      let outcome = try await sluice("try")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(outcome.output.hasPrefix("triage: nothing to send\n\n"))
      #expect(outcome.output.contains("identical"))
      #expect(
        outcome.output.hasSuffix("Reports: reports/latest/compare.html, compare.md, compare.json\n")
      )
      #expect(project.server.asked == [])
    }
  }

  @Test("Without a main branch, only the gates decide, and a warning says so")
  func noMain() async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice("try")
      #expect(outcome.exitCode == 0)
      #expect(
        outcome.error
          == "sluice: warning: no main branch to compare with; only the gates decide\n"
      )
      #expect(outcome.output.contains("\nPASS: the only gate passes\n"))
      #expect(outcome.output.hasSuffix("  sluice recordings accept\n  sluice recordings reject\n"))
    }
  }

  @Test("An unknown base is refused before anything is sent")
  func unknownBase() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try editPrompt(project)
      let outcome = try await project.sluice("try", "--base", "mian")
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(outcome.error.contains("did you mean 'main'?"))
      #expect(project.server.asked == [])
      #expect(!project.exists(TriageProject.pending))
    }
  }

  @Test("--base selects another revision")
  func otherBase() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try editPrompt(project)
      let outcome = try await project.sluice("try", "--base", "change")
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.contains("\n  A  v1 at change  the reference"))
    }
  }

  @Test(
    "In CI, try sends requests only with --network, --write and --scratch",
    arguments: [[], ["--network"], ["--network", "--write"]]
  )
  func refusedInCI(_ flags: [String]) async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try editPrompt(project)
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      let outcome = try await sluice.run(["try"] + flags)
      #expect(outcome.exitCode == 64)
      #expect(
        outcome.error == """
          sluice: error: recording is disabled in CI (the environment variable CI is set)
            fix: add --network --write --scratch if this job is meant to do that

          """
      )
      #expect(project.server.asked == [])
      let allowed = try await sluice("try", "--network", "--write", "--scratch")
      #expect(allowed.exitCode == 0)
      #expect(!project.exists(TriageProject.pending))
      #expect(try project.exchanges(TriageProject.scratch).count == 4)
    }
  }

  @Test("try sends nothing if the forecast exceeds --max-cost")
  func maxCost() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try editPrompt(project)
      let outcome = try await project.sluice("try", "--max-cost", "0.01")
      #expect(outcome.exitCode == 64)
      #expect(
        outcome.error == """
          sluice: error: the answers would cost about $0.06500, more than $0.01000
            fix: raise --max-cost, or record fewer cases: --case ID, --tag TAG

          """
      )
      #expect(project.server.asked == [])
      #expect(try await project.sluice("try", "--max-cost", "0.10").exitCode == 0)
    }
  }

  @Test("If an answer fails, try gives no verdict and suggests how to continue")
  func failing() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try editPrompt(project)
      project.server.answer { _, message in
        if message == "Thanks!" { throw TriageProject.Failure() }
        return TriageProject.Server.usual(message)
      }
      let outcome = try await project.sluice("try")
      #expect(outcome.exitCode == 3)
      #expect(!outcome.output.contains("Verdict"))
      #expect(
        outcome.output.contains(
          """
          NO VERDICT: 1 request failed or could not be sent
          Next: fix the failures, then run:
            sluice try

          """
        )
      )
      #expect(
        outcome.error == """
            thanks: the server answered 500: The stand-in could not answer.
            fix: try again later

          """
      )
    }
  }
}
