import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("--family")
struct GateFamilyCommandTests {
  /// Two suites of 100 cases each with a baseline.
  ///
  /// The prompt of one suite changed since the commit: 6 cases got worse and one got better, p =
  /// .029.
  private static func withChange(
    _ body: (TriageProject) async throws -> Void
  ) async throws {
    try await TriageProject.with { project in
      let files = project.files
      try project.write(caseCount: 100)
      try files.edit(
        TriageProject.suite,
        replacing: "accuracy >= 10%",
        with: "no regression in accuracy beyond 5 points"
      )
      let other = try files.read(TriageProject.suite).replacing("triage", with: "sorting")
      try files.write(other, to: "prompts/sorting/suite.yaml")
      try files.write(files.read(TriageProject.prompt), to: "prompts/sorting/v1.yaml")
      try files.write(files.read(TriageProject.cases), to: "datasets/sorting/cases.yaml")
      project.server.answer { system, message in
        let number = Int(message.filter(\.isNumber)) ?? 0
        let isWrong = system.hasPrefix("Guess") ? number < 6 : number == 99
        return #"{"kind":"\#(isWrong ? "other" : "question")"}"#
      }
      try await project.record()
      try await project.must("baseline", "accept")
      try files.makeRepository()
      try files.edit(TriageProject.prompt, replacing: "Say what", with: "Guess what")
      try await project.record()
      try await body(project)
    }
  }

  @Test("Other suites in the call do not change a suite's verdict, unless --family call is set")
  func run() async throws {
    try await Self.withChange { project in
      let alone = try await project.sluice("run", "triage")
      #expect(alone.exitCode == 1)
      let together = try await project.sluice("run")
      #expect(together.exitCode == 1)
      #expect(try await project.sluice("run", "--family", "suite").output == together.output)
      let call = try await project.sluice("run", "--family", "call")
      #expect(call.exitCode == 2)
      #expect(!together.output.contains("--family"))
      #expect(
        call.output.contains(
          """
                99.0% → 94.0%, -5.0 points [-10.3, -0.8], at 95%: [-11.6, +0.2]: fails
                alone (p 0.029); not when corrected for the 2 gates of the run (p 0.059)

          """
        )
      )
      #expect(
        call.output.contains(
          """
          --family call: the regression gates of all suites are corrected together. If
          nothing got worse, any of them fails in at most 5% of such runs.

          INCONCLUSIVE: 1 of 2 gates undecided (triage)

          """
        )
      )
      #expect(try await project.sluice("run", "triage", "--family", "call").exitCode == 1)
      let json = try JSONReader.value(
        Array(try project.files.read("reports/latest/report.json").utf8)
      )
      #expect(json.value(at: "false-alarms.family") == "call")
    }
  }

  @Test("compare --base and try also support --family call")
  func compare() async throws {
    try await Self.withChange { project in
      let suites = try await project.sluice("compare", "--base", "HEAD")
      #expect(suites.exitCode == 1)
      let call = try await project.sluice("compare", "--base", "HEAD", "--family", "call")
      #expect(call.exitCode == 2)
      #expect(
        call.output.contains(
          """
          --family call: the regression gates of all suites are corrected together. If
          nothing got worse, any of them fails in at most 5% of such runs.
          INCONCLUSIVE: 1 of 2 gates undecided (triage)

          """
        )
      )
      #expect(try project.files.read("reports/latest/compare.md").contains("\n--family call: "))
      let json = try JSONReader.value(
        Array(try project.files.read("reports/latest/compare.json").utf8)
      )
      #expect(try ReportSchema.compare.violations(of: json) == [])
      #expect(json.value(at: "false-alarms.family") == "call")
      #expect(try await project.sluice("try", "--base", "HEAD").exitCode == 1)
      #expect(try await project.sluice("try", "--base", "HEAD", "--family", "call").exitCode == 2)
    }
  }

  @Test(
    "An unknown family, or one without gates to decide, is an invalid command line",
    arguments: [
      (
        ["run", "--family", "all"],
        "Error: The value 'all' is invalid for '--family <family>'. Please provide one of 'suite' "
          + "and 'call'.\n"
      ),
      (
        ["compare", "--family", "call"],
        "Error: --family needs --base: without --base no gates decide across suites.\n"
      ),
    ]
  )
  func wrong(arguments: [String], message: String) async throws {
    let outcome = try await ScratchProject.ofDemo().sluice.run(arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.hasPrefix(message), "\(outcome.error)")
  }
}
