import TestSupport
import Foundation
import Testing

@Suite("sluice baseline accept")
struct BaselineTests {
  private static let path = "reports/baselines/category.stand-in.jsonl"

  /// The demo without its baselines.
  private func fresh() throws -> ScratchProject {
    let project = try ScratchProject.ofDemo()
    try FileManager.default.removeItem(at: project.folder.appending(path: "reports/baselines"))
    return project
  }

  private func exists(_ path: String, in project: ScratchProject) -> Bool {
    FileManager.default.fileExists(atPath: project.folder.appending(path: path).path)
  }

  @Test("Accepting writes the committed baseline; accepting again changes nothing")
  func accept() async throws {
    let project = try fresh()
    let committed = try ScratchProject.ofDemo().read(Self.path)
    let first = try await project.sluice("baseline", "accept", "category")
    #expect(first.exitCode == 0)
    #expect(first.error == "")
    #expect(
      first.output.contains(#/^category: v1 on stand-in, 20 cases, accuracy \d+\.\d%\n/#)
    )
    #expect(first.output.hasSuffix("\n  wrote \(Self.path); commit it\n"))
    #expect(try project.read(Self.path) == committed)
    let again = try await project.sluice("baseline", "accept", "category")
    #expect(again.exitCode == 0)
    #expect(again.output.hasSuffix("\n  unchanged: \(Self.path)\n"))
    #expect(try project.read(Self.path) == committed)
    // Only the named suite has a baseline, and no run log was written.
    #expect(!exists("reports/baselines/tone.stand-in.jsonl", in: project))
    #expect(!exists("reports/runs", in: project))
  }

  @Test("The committed baselines equal the current answers of all suites")
  func committed() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("baseline", "accept")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.components(separatedBy: "  unchanged: ").count == 5)
  }

  @Test("Replacing a baseline prints the number of flipped cases")
  func replaced() async throws {
    let project = try ScratchProject.ofDemo()
    let old = try project.read(Self.path)
    let line = try #require(
      old.split(separator: "\n").first { $0.contains(#""outcome":"passed""#) }
    )
    try project.write(
      old.replacingOccurrences(
        of: line,
        with: line.replacing(
          #""outcome":"passed""#,
          with: #""outcome":"failed""#,
          maxReplacements: 1
        )
      ),
      to: Self.path
    )
    let outcome = try await project.sluice("baseline", "accept", "category")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.hasSuffix(
        """

          replaces the baseline (v1): 0 newly failing, 1 newly passing
          wrote \(Self.path); commit it

        """
      )
    )
    #expect(try project.read(Self.path) == old)
  }

  @Test("With a lost trial, no baseline changes, the exit code is 3, and a fix is printed")
  func lostTrials() async throws {
    let project = try ScratchProject.ofDemo()
    let before = try project.read(Self.path)
    try project.removeLines(
      of: "datasets/tone/recordings/stand-in.jsonl",
      holding: #""case":"TEST-2.10""#
    )
    try project.write("", to: Self.path)
    let outcome = try await project.sluice("baseline", "accept", "category", "tone")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output == "")
    #expect(
      outcome.error.hasSuffix(
        """
        sluice: error: tone: no baseline was written: v1 on stand-in: 1 trial was lost (of 20)
          fix: record the missing answers (this sends requests):
          sluice record tone

        """
      )
    )
    #expect(try project.read(Self.path) == "")
    #expect(before != "")
  }

  @Test("In CI, a baseline is written only with --write")
  func continuousIntegration() async throws {
    let project = try fresh()
    var sluice = project.sluice
    sluice.environment = ["CI": "true"]
    let refused = try await sluice("baseline", "accept", "category")
    #expect(refused.exitCode == 64)
    #expect(
      refused.error == """
        sluice: error: writing baselines is disabled in CI (the environment variable CI is set)
          fix: add --write if this job is meant to do that

        """
    )
    #expect(!exists(Self.path, in: project))
    #expect(try await sluice("baseline", "accept", "category", "--write").exitCode == 0)
    #expect(exists(Self.path, in: project))
  }

  @Test("A damaged baseline gives no verdict until a new one is accepted")
  func damaged() async throws {
    let project = try ScratchProject.ofDemo()
    let good = try project.read(Self.path)
    try project.write(good + "<<<<<<< HEAD\n", to: Self.path)
    let line = good.split(separator: "\n").count + 1
    let run = try await project.sluice("run", "category")
    #expect(run.exitCode == 3)
    #expect(
      run.error == """
        \(Self.path):\(line):1: error: the line is not valid JSON: expected a JSON value
          fix: restore the file from version control, or accept a new baseline: sluice baseline accept category
        1 error

        """
    )
    #expect(run.output.contains("there is no baseline to compare with"))
    let accepted = try await project.sluice("baseline", "accept", "category")
    #expect(accepted.exitCode == 0)
    #expect(try project.read(Self.path) == good)
    #expect(try await project.sluice("run", "category").exitCode == 0)
  }

  @Test("Without a baseline, a run has no verdict and suggests the command that creates one")
  func missing() async throws {
    let project = try fresh()
    let run = try await project.sluice("run", "category")
    #expect(run.exitCode == 3)
    #expect(
      run.output.hasSuffix(
        """
        Next: if you are content with the answers, accept them as the baseline:
          sluice baseline accept category

        """
      )
    )
  }

  @Test("An unknown suite is an invalid command line")
  func unknownSuite() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("baseline", "accept", "catgory")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("there is no suite 'catgory'"))
    #expect(outcome.error.contains("did you mean 'category'?"))
  }

  @Test("In a subfolder of the project, printed paths are relative to that subfolder")
  func insideOfFolder() async throws {
    let project = try fresh()
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "prompts/category")
    let outcome = try await sluice("baseline", "accept", "category")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasSuffix("\n  wrote ../../\(Self.path); commit it\n"))
  }
}
