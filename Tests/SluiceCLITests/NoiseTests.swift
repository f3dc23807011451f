import TestSupport
import Foundation
import Testing

@Suite("sluice noise")
struct NoiseTests {
  @Test("With one answer per request, the noise is unknown, and noise suggests recording more")
  func oneAnswer() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("noise", "category")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        NOISE UNKNOWN  category  v1 on stand-in · 20 cases × 1 answer
          against itself: all runs are identical, so every regression gate passes
          noise cannot be measured with one answer per request

        Next: record several answers to each request (this sends requests):
          sluice record category --repeat 5

        """
    )
    for folder in ["reports/runs", "reports/latest"] {
      let path = project.folder.appending(path: folder).path
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("Every suite of the demo is identical to itself")
  func all() async throws {
    let outcome = try await ScratchProject.ofDemo().sluice("noise", "--verbose")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.ranges(
        of: "  against itself: all runs are identical, so every regression gate passes\n"
      ).count
        == 4
    )
  }

  @Test("With repeated answers, noise is measured, and run --repeat uses the same recordings")
  func repeats() async throws {
    try await ScratchProject.withStandIn { project in
      let recorded = try await project.sluice("record", "category", "--repeat", "3")
      #expect(recorded.output.hasPrefix("category: recorded 40 of 40 answers\n"))
      let outcome = try await project.sluice("noise", "category", "--draws", "20", "--seed", "7")
      #expect(outcome.exitCode == 0)
      // The stand-in always answers a request in the same way.
      #expect(
        outcome.output == """
          NOISE 0.0%  category  v1 on stand-in · 20 cases × 3 answers
            against itself: all runs are identical, so every regression gate passes
            two answers to the same request have different outcomes for 0.0% of the cases
            all 3 answers pass for 85.0% of the cases, at least one for 85.0%
            accuracy 85.0%, standard error 8.2 points; with one answer per case 8.2 points
            in 20 pairs of runs drawn from these answers:
              accuracy >= 80%
                passes 100.0%, fails 0.0%, inconclusive 0.0%
              invalid-label-rate <= 5%
                passes 100.0%, fails 0.0%, inconclusive 0.0%
              no regression in accuracy beyond 20 points
                passes 100.0%, fails 0.0%, inconclusive 0.0%
            false-alarm rate of all regression gates together: 0.0% [0.0%, 16.1%]

          """
      )
      let fewer = try await project.sluice("noise", "category", "--repeat", "2", "--draws", "2")
      #expect(
        fewer.output.hasPrefix("NOISE 0.0%  category  v1 on stand-in · 20 cases × 2 answers\n")
      )
      let run = try await project.sluice("run", "category", "--repeat", "3")
      #expect(run.exitCode == 0)
      #expect(run.output.contains("20 cases × 3"))
      let more = try await project.sluice("run", "category", "--repeat", "4")
      #expect(more.exitCode == 3)
      #expect(more.output.hasSuffix("\n  sluice record category --repeat 4\n"))
    }
  }

  @Test("A missing answer exits with 3")
  func lost() async throws {
    let project = try ScratchProject.ofDemo()
    try project.removeLines(
      of: "datasets/tone/recordings/stand-in.jsonl",
      holding: #""case":"TEST-2.10""#
    )
    let outcome = try await project.sluice("noise", "tone")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("\n  1 trial lost and not counted\n"))
  }

  @Test("The suggested record command names the prompt that was tried")
  func tried() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice(
      "noise",
      "clarity",
      "--prompt",
      "prompts/clarity/without-conversation.yaml"
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        "\n  sluice record clarity --prompt prompts/clarity/without-conversation.yaml --repeat 5\n"
      )
    )
  }

  @Test("--draws must be within its bounds", arguments: ["0", "1000001", "x"])
  func draws(draws: String) async throws {
    let outcome = try await ScratchProject.ofDemo().sluice("noise", "--draws", draws)
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
  }

  @Test("aa, the earlier name of the command, does the same")
  func earlierName() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("aa", "category", "--draws", "20")
    #expect(
      outcome.output == (try await project.sluice("noise", "category", "--draws", "20")).output
    )
    #expect(outcome.exitCode == 0)
  }
}
