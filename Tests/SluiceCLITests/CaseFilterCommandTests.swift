import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

/// Runs of selected cases: `--case`, `--tag`, `--failed`, `--first`, `--show`.
@Suite("Filters on the command line", .serialized)
struct CaseFilterCommandTests {
  private func logs(_ project: TriageProject, _ folder: String = "reports/runs") -> [String] {
    let path = project.files.folder.appending(path: folder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { $0.hasSuffix(".jsonl") }.sorted()
  }

  // MARK: run

  @Test("A filtered run shows its cases without a verdict and changes no full reports or logs")
  func run() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try await project.must("run")
      let before = try project.files.read("reports/latest/report.json")
      let whole = logs(project)
      let outcome = try await project.sluice("run", "--case", "where", "--case", "polite", "--show")
      #expect(outcome.exitCode == 3)
      #expect(outcome.error == "")
      #expect(
        outcome.output.hasPrefix(
          """
          ✓ where                                             datasets/triage/cases.yaml:1
            question  Where is it?
            expected  kind: question
            answer    {"kind":"question"}

          """
        )
      )
      #expect(
        outcome.output.contains(
          """
            scores    ✗ classification: expected request, got question

          1 OF 2 PASSED  triage  v1 on server · 2 of 4 cases

          Gates
            – accuracy >= 10%  50.0%, n 2: undecided

          """
        )
      )
      #expect(
        outcome.output.hasSuffix(
          """
          NO VERDICT: 2 of 4 cases were run (--case where --case polite)
          Reports: reports/filtered/report.html, .md, .json, .csv; junit.xml
          Next: run all cases for a verdict:
            sluice run triage

          """
        )
      )
      #expect(try project.files.read("reports/latest/report.json") == before)
      #expect(logs(project) == whole)
      #expect(logs(project, "reports/filtered/runs").count == 1)
    }
  }

  @Test("--failed selects the failed cases of the last full run, even after filtered runs")
  func failed() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let early = try await project.sluice("run", "--failed")
      #expect(early.exitCode == 64)
      #expect(
        early.error == """
          sluice: error: there is no finished run of triage in reports/runs/, so the failed cases are unknown
            fix: run all cases first: sluice run triage

          """
      )
      try await project.must("run")
      #expect(try await project.sluice("run", "--case", "where").exitCode == 3)
      for _ in 0..<2 {
        let outcome = try await project.sluice("run", "--failed")
        #expect(outcome.exitCode == 3)
        #expect(outcome.error.contains("triage: 1 case failed in the run of "))
        #expect(outcome.output.contains("NO VERDICT: 1 of 4 cases was run (--failed)\n"))
      }
    }
  }

  @Test("If no case failed in the last run, --failed runs nothing")
  func nothingFailed() async throws {
    try await TriageProject.with { project in
      try project.files.edit(
        TriageProject.cases,
        replacing: "it?\"}, expected: {kind: request}",
        with: "it?\"}, expected: {kind: question}"
      )
      try await project.record()
      try await project.must("run")
      let outcome = try await project.sluice("run", "--failed")
      #expect(outcome.exitCode == 3)
      #expect(outcome.output == "")
      #expect(outcome.error.contains("triage: no case failed in the run of "))
      #expect(
        outcome.error.hasSuffix(
          "NO VERDICT: no case failed in the last run, so there is nothing to run again.\n"
        )
      )
    }
  }

  @Test("If failed cases have no answers, the suggested command records them by name")
  func failedAndMissing() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try await project.must("run")
      try project.files.edit(TriageProject.prompt, replacing: "it is.", with: "it may be.")
      let outcome = try await project.sluice("run", "--failed")
      #expect(outcome.exitCode == 3)
      #expect(outcome.output.hasSuffix("  sluice record triage --case polite\n"))
    }
  }

  @Test("An interrupted filtered live run resumes only with the same filter")
  func resume() async throws {
    try await TriageProject.with { project in
      project.server.answer { _, message in
        if message == "Thanks!" { throw TriageProject.Failure() }
        return TriageProject.Server.usual(message)
      }
      let part = ["--live", "--case", "thanks", "--case", "send"]
      #expect(try await project.sluice.run(["run"] + part).exitCode == 3)
      project.server.answer { _, message in TriageProject.Server.usual(message) }
      project.server.forget()
      let other = try await project.sluice("run", "--live", "--resume")
      #expect(other.exitCode == 64)
      #expect(project.server.asked == [])
      let resumed = try await project.sluice.run(["run"] + part + ["--resume"])
      #expect(resumed.exitCode == 3)
      #expect(project.server.asked == ["Thanks!"])
      #expect(resumed.output.contains("2 OF 2 PASSED"))
    }
  }

  @Test("run --watch keeps its filter")
  func watch() async throws {
    let project = try ScratchProject.ofDemo()
    let command = try project.sluice.start(["run", "tone", "--first", "2", "--show", "--watch"])
    try await wait("the first round") { try command.errorSoFar.contains("; press Ctrl-C to stop") }
    let output = try command.outputSoFar
    #expect(output.contains("2 of 20 cases"))
    #expect(output.contains("\n  question  "))
    command.interrupt()
    #expect(try await command.outcome().exitCode == 130)
  }

  // MARK: Others

  @Test("A comparison of selected cases has no verdict")
  func compare() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      let base = try await project.sluice("compare", "--base", "main", "--tag", "short")
      #expect(base.exitCode == 3)
      #expect(base.error == "")
      #expect(base.output.contains("triage  2 configurations · 1 case ·"))
      #expect(base.output.contains("– accuracy >= 10%  100.0%, n 1: undecided"))
      #expect(base.output.contains("\nNO VERDICT: 1 of 4 cases was run (--tag short)\n"))
      #expect(base.output.contains("Reports: reports/filtered/compare.html"))
      #expect(!project.exists("reports/latest/compare.json"))
      let prompt = try project.files.read(TriageProject.prompt)
      try project.files.write(prompt, to: "prompts/triage/v2.yaml")
      let prompts = try await project.sluice(
        "compare",
        "--prompt",
        "prompts/triage/v2.yaml",
        "--first",
        "2"
      )
      #expect(prompts.exitCode == 3)
      #expect(prompts.output.contains("NO VERDICT: 2 of 4 cases were run (--first 2)\n"))
    }
  }

  @Test("A filtered try records only its cases and gives no verdict")
  func tries() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      try project.files.edit(TriageProject.prompt, replacing: "it is.", with: "it may be.")
      let outcome = try await project.sluice("try", "--first", "1")
      #expect(outcome.exitCode == 3)
      #expect(project.server.asked == ["Where is it?"])
      #expect(outcome.output.contains("\nNO VERDICT: 1 of 4 cases was run (--first 1)\n"))
      #expect(try project.exchanges(TriageProject.pending).count == 1)
    }
  }

  @Test("After recording selected cases, the suggested command runs the same cases")
  func record() async throws {
    try await TriageProject.with { project in
      let output = try await project.must("record", "--tag", "short", "--first", "1")
      #expect(project.server.asked == ["Where is it?"])
      #expect(output.contains("\n  sluice run --tag short --first 1 --show\n"))
    }
  }

  /// An invalid command line, with the expected message.
  struct Refusal: CustomTestStringConvertible {
    var arguments: [String]
    var error: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(
    "Filters that select by result or match nothing are refused with the reason",
    arguments: [
      Refusal(
        arguments: ["record", "--failed"],
        error: "--failed works only with 'sluice run': recording or comparing only failed cases"
      ),
      Refusal(arguments: ["compare", "--failed"], error: "--failed works only with 'sluice run'"),
      Refusal(arguments: ["try", "--failed"], error: "--failed works only with 'sluice run'"),
      Refusal(
        arguments: ["baseline", "accept", "--case", "where"],
        error: "Unknown option '--case': a baseline contains every case of a suite.\n"
          + "  fix: leave it out\n"
      ),
      Refusal(arguments: ["run", "--first", "0"], error: "--first must be 1 or more."),
      Refusal(
        arguments: ["run", "--case", "wher", "--tag", "shrt"],
        error: "sluice: error: no case 'wher' in the selected suites\n"
          + "  fix: did you mean 'where'?\n"
          + "sluice: error: no tag 'shrt' in the selected suites\n  fix: did you mean 'short'?\n"
      ),
      Refusal(
        arguments: ["run", "--case", "thanks", "--tag", "short"],
        error: "sluice: error: no case matches all of these filters: --case thanks --tag short\n"
          + "  fix: leave out one of the filters\n"
      ),
      Refusal(
        arguments: ["record", "--case", "thanks", "--tag", "short"],
        error: "sluice: error: no case matches all of these filters: --case thanks --tag short\n"
      ),
      Refusal(
        arguments: ["compare", "a.jsonl", "b.jsonl", "--case", "where"],
        error:
          "--prompt, --backend, --repeat, --live and case filters cannot be used with run logs."
      ),
    ]
  )
  func refused(_ refusal: Refusal) async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice.run(refusal.arguments)
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(outcome.error.contains(refusal.error), "\(outcome.error)")
      #expect(project.server.asked == [])
    }
  }
}
