import TestSupport
import Foundation
import Testing

@Suite("sluice plan")
struct PlanTests {
  @Test("plan shows what would run, what is recorded and what gates can decide, and writes nothing")
  func plan() async throws {
    let project = try ScratchProject.ofDemo()
    try project.removeLines(
      of: "datasets/tone/recordings/stand-in.jsonl",
      holding: #""case":"TEST-2.10""#
    )
    let outcome = try await project.sluice("plan", "tone")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        20 requests, 1 to record (cost unknown); cost of a whole live run unknown

        tone  20 cases × 1 prompt × 1 backend × 1 repetition = 20 requests
          v1 on stand-in: 19 recorded, 1 to record
            cost unknown: no price for the model
          gates
            accuracy >= 80%
              20 cases: at the threshold the 95% interval is ±16.8 points

        """
      )
    )
    #expect(
      outcome.output.hasSuffix(
        """
        Next: record the missing answers (this sends requests):
          sluice record tone

        """
      )
    )
    for folder in ["reports/runs", "reports/latest"] {
      let path = project.folder.appending(path: folder).path
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("plan prices recorded usage at today's prices")
  func priced() async throws {
    let project = try ScratchProject.ofDemo()
    try project.write(
      #"{"stand-in-1": {"input_cost_per_token": 0.000001, "output_cost_per_token": 0.000002}}"#,
      to: "prices/openai.json"
    )
    let outcome = try await project.sluice("plan", "category", "--repeat", "3")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """

        category  20 cases × 1 prompt × 1 backend × 3 repetitions = 60 requests
          v1 on stand-in: 20 recorded, 40 to record
            $0.000
        """
      )
    )
    #expect(outcome.output.contains(" to record the missing answers, "))
    #expect(!outcome.output.contains("unknown"))
  }

  @Test("plan covers all suites, and a prompt that --prompt adds")
  func all() async throws {
    let project = try ScratchProject.ofDemo()
    let all = try await project.sluice("plan", "--verbose")
    #expect(all.exitCode == 0)
    #expect(all.output.ranges(of: " × 1 prompt × ").count == 4)
    let tried = try await project.sluice(
      "plan",
      "clarity",
      "--prompt",
      "prompts/clarity/without-conversation.yaml"
    )
    #expect(
      tried.output.contains("\n  without-conversation on stand-in: 24 recorded, 0 to record\n")
    )
  }

  @Test("A suite is found by name even from a folder that contains a folder of that name")
  func subfolder() async throws {
    let project = try ScratchProject.ofDemo()
    for folder in ["datasets", "prompts", "prompts/tone", "datasets/tone"] {
      var sluice = project.sluice
      sluice.folder = project.folder.appending(path: folder)
      let outcome = try await sluice("plan", "tone")
      #expect(outcome.exitCode == 0, "\(folder): \(outcome.error)")
      #expect(outcome.output.contains("\ntone  20 cases"))
    }
    // Paths of folders and files are relative to the current folder.
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "prompts/tone")
    for name in [".", "suite.yaml", "../category", "../../prompts/clarity/suite.yaml"] {
      #expect(try await sluice("plan", name).exitCode == 0, "\(name)")
    }
  }

  @Test(
    "Invalid options and files are an invalid command line",
    arguments: [
      ["nosuch"], ["--repeat", "0"], ["tone", "--prompt", "nosuch.yaml"], ["--backend", "nosuch"],
    ]
  )
  func wrong(arguments: [String]) async throws {
    let outcome = try await ScratchProject.ofDemo().sluice.run(["plan"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(outcome.error != "")
  }
}
