import TestSupport
import Foundation
import Sluice
import Testing

/// The budget of live runs, and the messages when it is exhausted.
@Suite("sluice run --live: budgets", .serialized)
struct BudgetTests {
  /// Requests one answer at a time, so that a limit always stops at the same one.
  private func prepare(_ project: TriageProject, _ budget: String = "") throws {
    try project.files.edit("sluice.yaml", replacing: "max-in-flight: 2", with: "max-in-flight: 1")
    try project.files.edit(TriageProject.suite, replacing: ">= 10%", with: ">= 75%")
    if !budget.isEmpty {
      let text = try project.files.read("sluice.yaml")
      try project.files.write(text + "budget: \(budget)\n", to: "sluice.yaml")
    }
  }

  @Test("A run within its budget prints its requests, answers and cost")
  func within() async throws {
    try await TriageProject.with { project in
      try prepare(project, "{cost: 100, requests: 4, tokens: 1000000, time: 600}")
      let outcome = try await project.sluice("run", "--live")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(outcome.output.contains("\n4 requests for 4 answers; $0."))
      #expect(project.server.asked.count == 4)
    }
  }

  @Test(
    "Cases that the budget leaves unasked are lost, not wrong, and the report says how to resume",
    arguments: [
      ("{requests: 2}", [], "the budget of 2 requests is used up"),
      ("{tokens: 1}", [], "the budget of 1 token is used up"),
      ("{cost: 0.001}", [], "the budget of $0.001 is used up"),
      ("{requests: 1000}", ["--max-requests", "3"], "the budget of 3 requests is used up"),
      ("", ["--max-requests", "0"], "the budget of 0 requests is used up"),
      ("{cost: 100}", ["--max-cost", "0.01"], "the budget of $0.01 is used up"),
    ]
  )
  func spent(budget: String, options: [String], reason: String) async throws {
    try await TriageProject.with { project in
      try prepare(project, budget)
      let outcome = try await project.sluice.run(["run", "--live"] + options)
      let asked = project.server.asked.count
      #expect(asked < 4)
      // The first three answers are right, so the last one could not change the verdict.
      #expect(outcome.exitCode == (asked == 3 ? 0 : 3))
      #expect(outcome.error == "")
      #expect(outcome.output.contains("\nNo answers for \(4 - asked) of 4 cases\n"))
      #expect(outcome.output.contains("\n  not sent, because \(reason)\n"))
      #expect(outcome.output.contains(": \(4 - asked) not sent"))
      #expect(
        outcome.output.hasSuffix(
          """
          Next: raise the budget, and request the missing answers:
            sluice run triage --live --resume

          """
        )
      )
      let markdown = try project.files.read("reports/latest/report.md")
      #expect(markdown.contains("not sent, because \(reason)"))
      #expect(markdown.contains("sluice run triage --live --resume"))
      // With a larger budget, only missing answers are requested.
      if !budget.isEmpty {
        try project.files.edit("sluice.yaml", replacing: "budget: \(budget)", with: "")
      }
      project.server.forget()
      let resumed = try await project.sluice("run", "--live", "--resume")
      #expect(resumed.exitCode == 0)
      #expect(project.server.asked.count == 4 - asked)
    }
  }

  @Test("If no price is known, the report suggests adding one instead of raising the budget")
  func unpriced() async throws {
    try await TriageProject.with { project in
      try prepare(project, "{cost: 100}")
      try project.files.write("{}\n", to: "prices.json")
      let outcome = try await project.sluice("run", "--live")
      #expect(outcome.exitCode == 3)
      #expect(outcome.error == "")
      #expect(
        outcome.output.contains("\n1 request for 1 answer: 3 not sent; cost unknown; ")
      )
      #expect(
        outcome.output.hasSuffix(
          """
          Next: add a price for the model to prices.json, or run without a cost budget,
          and request the missing answers:
            sluice run triage --live --resume

          """
        )
      )
      try project.files.edit("sluice.yaml", replacing: "prices: prices.json\n", with: "")
      let unnamed = try await project.sluice("run", "--live")
      #expect(
        unnamed.output.contains(
          """

          Next: add a price for the model to a price file that is named under 'prices' in
          sluice.yaml, or run without a cost budget, and request the missing answers:

          """
        )
      )
    }
  }

  @Test("All suites of a command share one budget")
  func shared() async throws {
    try await TriageProject.with { project in
      try prepare(project, "{requests: 5}")
      try project.files.write(
        try project.files.read(TriageProject.suite).replacing(
          "suite: triage",
          with: "suite: second"
        ),
        to: "prompts/second/suite.yaml"
      )
      try project.files.write(
        try project.files.read(TriageProject.prompt),
        to: "prompts/second/v1.yaml"
      )
      let outcome = try await project.sluice("run", "--live")
      #expect(outcome.exitCode == 3)
      #expect(project.server.asked.count == 5)
      #expect(outcome.output.contains("5 requests for 5 answers: 3 not sent"))
    }
  }

  @Test("record also respects the budget")
  func recording() async throws {
    try await TriageProject.with { project in
      try prepare(project, "{requests: 3}")
      let outcome = try await project.sluice("record")
      #expect(outcome.exitCode == 3)
      #expect(outcome.error == "  1 not sent: the budget in sluice.yaml is used up\n")
      #expect(project.server.asked.count == 3)
    }
  }

  @Test("--resume and the budget options require --live")
  func needsLive() async throws {
    try await TriageProject.with { project in
      for options in [["--resume"], ["--max-cost", "1"], ["--max-requests", "1"]] {
        let outcome = try await project.sluice.run(["run"] + options)
        #expect(outcome.exitCode == 64)
        #expect(
          outcome.error.hasPrefix(
            "Error: --resume, --max-cost and --max-requests need --live.\n"
          )
        )
      }
    }
  }
}
