import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("sluice show", .serialized)
struct ShowCommandTests {
  @Test("A case is shown with its request, its answer and the reason for its failure")
  func recorded() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let outcome = try await project.sluice("show", "polite")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output.hasPrefix(
          """
          ✗ polite                                            datasets/triage/cases.yaml:4
            triage

            system    Say what kind of message it is.
            user      Could you send it?
            settings  model stand-in-1 · temperature 0 · max_tokens 20

            expected  kind: request

            v1 on server ✗
            answer    {"kind":"question"}
                      stop · 
          """
        )
      )
      #expect(
        outcome.output.hasSuffix(
          "\n  scores    ✗ classification: expected request, got question\n\n"
        )
      )
      #expect(!project.exists("reports/runs"))
    }
  }

  @Test("A pending answer is marked as pending; a missing one gets the command that records it")
  func missing() async throws {
    try await TriageProject.with { project in
      let none = try await project.sluice("show", "where")
      #expect(none.exitCode == 3)
      #expect(none.output.contains("\n  answer    no recording: new case\n"))
      #expect(
        none.output.hasSuffix(
          """
          Next: record the missing answers (this sends requests):
            sluice record triage --case where

          """
        )
      )
      try await project.must("record", "--case", "where")
      let pending = try await project.sluice("show", "where")
      #expect(pending.exitCode == 0)
      #expect(pending.output.contains("\n            pending · stop · "))
      let repeated = try await project.sluice("show", "where", "--repeat", "2")
      #expect(repeated.exitCode == 0)
      #expect(
        repeated.output.contains(
          "\n  answer    repeat 2\n            no recording: too few repeats"
        )
      )
      #expect(repeated.output.hasSuffix("  sluice record triage --repeat 2 --case where\n"))
    }
  }

  @Test("--prompt shows other prompts instead of the suite's own, even if one has no answer")
  func prompts() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let text = try project.files.read(TriageProject.prompt)
      try project.files.write(
        text.replacing("it is.", with: "it may be."),
        to: "prompts/triage/v2.yaml"
      )
      let outcome = try await project.sluice(
        "show",
        "send",
        "--prompt",
        TriageProject.prompt,
        "--prompt",
        "prompts/triage/v2.yaml"
      )
      #expect(outcome.exitCode == 0)
      let sent = "  system    Say what kind of message it"
      #expect(outcome.output.contains("\n  v1 on server ✓\n\(sent) is.\n"))
      #expect(outcome.output.contains("\n  v2 on server ?\n\(sent) may be.\n"))
      #expect(
        outcome.output.hasSuffix(
          "  sluice record triage --prompt \(TriageProject.prompt) --prompt prompts/triage/v2.yaml"
            + " --case send\n"
        )
      )
    }
  }

  @Test("A case of several suites is shown for each, or for the one that --suite names")
  func severalSuites() async throws {
    try await TriageProject.with { project in
      let suite = try project.files.read(TriageProject.suite)
      try project.files.write(
        suite.replacing("suite: triage", with: "suite: again"),
        to: "prompts/again/suite.yaml"
      )
      try project.files.write(
        try project.files.read(TriageProject.prompt),
        to: "prompts/again/v1.yaml"
      )
      try await project.record()
      let both = try await project.sluice("show", "send")
      #expect(both.exitCode == 0)
      #expect(both.output.contains("\n  again · action\n"))
      #expect(both.output.contains("\n  triage · action\n"))
      let one = try await project.sluice("show", "send", "--suite", "triage")
      #expect(!one.output.contains("\n  again · action\n"))
      let unclear = try await project.sluice("show", "send", "--prompt", TriageProject.prompt)
      #expect(unclear.exitCode == 64)
      #expect(
        unclear.error == """
          sluice: error: 2 suites have a case 'send', but --prompt applies to one suite: again, triage
            fix: name the suite: --suite again

          """
      )
    }
  }

  @Test(
    "An unknown name gets the nearest known name as its fix",
    arguments: [
      (["show", "polit"], "no case 'polit' in the selected suites\n  fix: did you mean 'polite'?"),
      (
        ["show", "polit", "--prompt", TriageProject.prompt],
        "no case 'polit' in the selected suites\n  fix: did you mean 'polite'?"
      ),
      (
        ["show", "send", "--suite", "triag"],
        "there is no suite 'triag'\n  fix: did you mean 'triage'?"
      ),
      (
        ["show", "send", "--backend", "serve"],
        "there is no backend 'serve' in sluice.yaml\n  fix: did you mean 'server'?"
      ),
    ]
  )
  func wrongNames(_ arguments: [String], _ error: String) async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice.run(arguments)
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(outcome.error.contains(error), "\(outcome.error)")
    }
  }

  @Test("The case is shown in the committed versions of the suite's baseline")
  func past() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try await project.must("baseline", "accept", "triage")
      try project.files.makeRepository()
      try project.files.edit(
        TriageProject.cases,
        replacing: "Please send it.",
        with: "Send it now."
      )
      try await project.must("record")
      try await project.must("recordings", "accept")
      try await project.must("baseline", "accept", "triage")
      try project.files.commit()
      let days = try project.files.git("log", "--format=%cs %H").split(separator: "\n").map {
        line in
        (day: line.prefix(10), commit: line.dropFirst(11).prefix(7))
      }
      let outcome = try await project.sluice("show", "send")
      #expect(outcome.exitCode == 0)
      #expect(
        outcome.output.hasSuffix(
          """
            baselines ✓ \(days[1].day)  \(days[1].commit)  v1  another case then
                      ✓ \(days[0].day)  \(days[0].commit)  v1  same answer, today's baseline


          """
        )
      )
      let other = try await project.sluice("show", "where")
      #expect(other.output.contains("  v1  same answer\n"))
      let form = try await project.sluice("show", "send", "--output", "json")
      let json = try JSONReader.value(Array(form.output.utf8))
      let past = json.value(at: "suites.0.columns.0.baselines")?.array ?? []
      #expect(past.map { $0["other-case"] } == [true, false])
      #expect(past.map { $0["current"] } == [false, true])
      #expect(past.map { $0["outcome"] } == ["passed", "passed"])
    }
  }

  @Test("The JSON output contains the whole answer, or the reason why it is missing")
  func json() async throws {
    try await TriageProject.with { project in
      try await project.must("record", "--case", "where")
      let outcome = try await project.sluice("show", "where", "--output", "json")
      #expect(outcome.exitCode == 0)
      let json = try JSONReader.value(Array(outcome.output.utf8))
      let answer = json["suites"]?.array?.first?["columns"]?.array?.first?["answers"]?.array?.first
      #expect(answer?["outcome"]?.string == "passed")
      #expect(answer?["recordings"]?.string == "pending")
      let none = try await project.sluice("show", "send", "--output", "json")
      #expect(none.exitCode == 3)
      #expect(none.output.contains("\"reason\": \"no recording: new case\""))
    }
  }
}
