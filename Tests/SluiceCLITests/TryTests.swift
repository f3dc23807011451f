import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("sluice try", .serialized)
struct TryTests {
  /// A project with everything recorded and committed on main, and a branch on which a prompt or an
  /// answer may be changed.
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
      // Once more sends nothing and says the same of the answers.
      project.server.forget()
      let again = try await project.sluice("try", "prompts/triage")
      #expect(again.exitCode == 0)
      #expect(again.output.hasPrefix("triage: nothing to send\n\nPASS  triage  2 configurations"))
      #expect(project.server.asked == [])
      #expect(try await project.sluice("recordings", "accept", "prompts/triage").exitCode == 0)
    }
  }

  @Test("A worse prompt is told from main by its exit code, and its answers can be thrown away")
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

  @Test("With nothing to send it only compares, in CI too")
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

  @Test("Without a main the gates alone decide, which is said")
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

  @Test("A base that cannot be compared with is refused before anything is sent")
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

  @Test("--base names another revision")
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
    "In CI it sends only with all three flags: a pending set would be refused there",
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

  @Test("--max-cost is kept: what would cost more is not sent")
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

  @Test("Where an answer does not come nothing is judged, and the command to go on is given")
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
          "Next: fix the failures, then run:\n  sluice record\n"
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
