import Foundation
import Testing
import TestSupport

/// Tests of `sluice run --watch`, which runs once, and again when files change.
@Suite("sluice run --watch", .serialized)
struct WatchTests {
  private func rounds(_ command: ChildProcess) throws -> Int {
    try command.errorSoFar.components(separatedBy: "; press Ctrl-C to stop").count - 1
  }

  @Test("Saving a prompt starts a second round that reports the changes; Ctrl-C ends it")
  func edited() async throws {
    let project = try ScratchProject.ofDemo()
    let command = try project.sluice.start(["run", "clarity", "tone", "--watch"])
    try await wait("the first round") { try rounds(command) == 1 }
    let first = try command.outputSoFar
    #expect(first.contains("PASS  clarity  v1 on stand-in"))
    #expect(first.contains("PASS  tone  "))
    #expect(!first.contains("Since the previous round"))
    try project.dropInstruction()
    try await wait("the second round") { try rounds(command) == 2 }
    let second = try command.outputSoFar.dropFirst(first.count)
    #expect(second.hasPrefix("Changed: prompts/clarity/v1.yaml\n\n"))
    #expect(second.contains("Since the previous round:\n  clarity\n"))
    #expect(second.contains("PASS  tone  "))
    // The suite whose files did not change was not run again.
    let logs = try FileManager.default.contentsOfDirectory(
      atPath: project.folder.appending(path: "reports/runs").path
    ).filter { $0.hasSuffix(".jsonl") }
    #expect(logs.count { $0.hasPrefix("clarity-") } == 2)
    #expect(logs.count { $0.hasPrefix("tone-") } == 1)
    command.interrupt()
    #expect(try await command.outcome().exitCode == 130)
  }

  @Test("An error is shown, and correcting it starts the next round")
  func fault() async throws {
    let project = try ScratchProject.ofDemo()
    let suite = "prompts/tone/suite.yaml"
    let text = try project.read(suite)
    let command = try project.sluice.start(["run", "tone", "--watch"])
    try await wait("the first round") { try rounds(command) == 1 }
    try project.write(text + "gatez: []\n", to: suite)
    try await wait("the round with the fault") { try rounds(command) == 2 }
    #expect(try command.errorSoFar.contains("prompts/tone/suite.yaml:"))
    try project.write(text, to: suite)
    try await wait("the round without it") { try rounds(command) == 3 }
    #expect(
      try command.outputSoFar.hasSuffix("Since the previous round no case and no gate changed.\n")
    )
    command.interrupt()
    let outcome = try await command.outcome()
    #expect(outcome.exitCode == 130)
    // The error itself caused no further rounds.
    #expect(outcome.error.components(separatedBy: "unknown key 'gatez'").count == 2)
  }

  private static let refusals: [([String], String)] = [
    (
      ["--watch", "--live"],
      "Error: --watch works on recordings: with --live every saved file would send requests and "
        + "cost money. Leave out one of the two. To record once what a change needs, use 'sluice "
        + "try'."
    ),
    (
      ["--watch", "--inconclusive", "pass"],
      "Error: --inconclusive sets the exit code of a run, but --watch runs until you stop it; "
        + "leave out one of the two."
    ),
  ]

  @Test(
    "Options that would cost money on each save, or make no sense, are refused",
    arguments: refusals
  )
  func refused(options: [String], message: String) async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice.run(["run"] + options)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.hasPrefix(message + "\n"))
  }
}
