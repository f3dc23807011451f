import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("sluice compare of run logs")
struct CompareLogsTests {
  private static let otherPrompt = "prompts/clarity/without-conversation.yaml"

  /// Returns the paths of the logs of runs, by command.
  private func logs(_ project: ScratchProject, _ runs: [[String]]) async throws -> [String] {
    var logs: [String] = []
    for (index, run) in runs.enumerated() {
      _ = try await project.sluice.run(["run"] + run)
      let folder = project.folder.appending(path: "reports/runs")
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
      try FileManager.default.moveItem(
        at: folder.appending(path: name),
        to: project.folder.appending(path: "\(index).jsonl")
      )
      logs.append("\(index).jsonl")
    }
    return logs
  }

  @Test("Two run logs are compared by the suite's gates")
  func logs() async throws {
    let project = try ScratchProject.ofDemo()
    let logs = try await logs(project, [["clarity"], ["clarity", "--prompt", Self.otherPrompt]])
    let outcome = try await project.sluice.run(["compare"] + logs)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.hasPrefix(
        """
        FAIL  clarity  2 configurations · 24 cases · margin 20 points
              Prompt without-conversation on stand-in in 1.jsonl is worse than v1 on
              stand-in in 0.jsonl by 29.2 points (95% interval [11.3, 49.2]) and uses 4%
              fewer tokens per call.

        """
      )
    )
    let turned = try await project.sluice.run(["compare"] + logs.reversed())
    #expect(turned.exitCode == 0)
    // Paths of logs and reports are relative to the working directory, here a subfolder.
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "prompts/tone")
    let elsewhere = try await sluice.run(["compare"] + logs.map { "../../\($0)" })
    #expect(elsewhere.exitCode == 1)
    let reports = "Reports: ../../reports/latest/compare.html, compare.md, compare.json\n"
    #expect(elsewhere.output.hasSuffix(reports))
  }

  @Test("Logs with the same file name are distinguished by their paths")
  func namesakes() async throws {
    let project = try ScratchProject.ofDemo()
    let log = try project.read(try #require(try await logs(project, [["category"]]).first))
    for folder in ["old", "new"] { try project.write(log, to: "\(folder)/run.jsonl") }
    let outcome = try await project.sluice(
      "compare",
      "old/run.jsonl",
      "new/run.jsonl",
      "--reference",
      "v1 on stand-in in new/run.jsonl"
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """
          A  v1 on stand-in in new/run.jsonl  the reference
          B  v1 on stand-in in old/run.jsonl

        """
      )
    )
  }

  @Test("Logs of different suites, and a log with a suite, are not compared")
  func differentSuites() async throws {
    let project = try ScratchProject.ofDemo()
    let logs = try await logs(project, [["clarity"], ["tone"]])
    let outcome = try await project.sluice.run(["compare"] + logs)
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: the logs are of different suites: clarity, tone
          fix: name logs of one suite

        """
    )
    let mixed = try await project.sluice("compare", logs[0], "clarity")
    #expect(mixed.exitCode == 64)
    #expect(
      mixed.error.contains(
        "Run logs and suites cannot be compared with each other; name only one kind."
      )
    )
    let alone = try await project.sluice("compare", logs[0])
    #expect(alone.exitCode == 64)
    #expect(
      alone.error == """
        sluice: error: a comparison needs two configurations; the logs contain: v1 on stand-in in 0.jsonl
          fix: name two logs

        """
    )
  }

  @Test("Damaged, empty and missing logs are each reported")
  func damagedLogs() async throws {
    let project = try ScratchProject.ofDemo()
    let log = try #require(try await logs(project, [["category"]]).first)
    let text = try project.read(log)
    try project.write(text + "<<<<<<< HEAD\n", to: "damaged.jsonl")
    try project.write("", to: "empty.jsonl")
    try project.write("{\"kind\":\"baseline\"}\n", to: "baseline.jsonl")
    let outcome = try await project.sluice(
      "compare",
      log,
      "damaged.jsonl",
      "empty.jsonl",
      "baseline.jsonl",
      "absent.jsonl"
    )
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        damaged.jsonl:23:1: error: the line is not valid JSON: expected a JSON value
        empty.jsonl:1:1: error: the file is empty, so it is not a run log
        baseline.jsonl:1:1: error: the first line is not the header of a run log
        absent.jsonl: error: cannot be read: no such file
        4 errors

        """
    )
  }

  @Test("A truncated log is compared up to its end, with a warning and no verdict")
  func cutOff() async throws {
    let project = try ScratchProject.ofDemo()
    let log = try #require(try await logs(project, [["category"]]).first)
    let lines = try project.read(log).split(separator: "\n", omittingEmptySubsequences: false)
    try project.write(lines.prefix(12).joined(separator: "\n"), to: "cut.jsonl")
    let outcome = try await project.sluice("compare", log, "cut.jsonl")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.error == """
        cut.jsonl: warning: the run did not finish, so only the trials in the log are compared
          fix: for a verdict, name the log of a finished run
        1 warning

        """
    )
    // The header and the truncated line at the end are not trials.
    #expect(outcome.output.contains("    10 removed; cannot be compared: "))
  }
}
