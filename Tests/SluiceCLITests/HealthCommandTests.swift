import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("sluice health")
struct HealthCommandTests {
  private func project() throws -> ScratchProject {
    let project = try ScratchProject()
    for (path, text) in OutputsProject.texts { try project.write(text, to: path) }
    return project
  }

  @Test("health shows which changes the suite can still detect, writes nothing and exits with 0")
  func text() async throws {
    let project = try project()
    let outcome = try await project.sluice("health")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        NOT SATURATED  triage  v1 on given · 4 cases
          1 of 4 cases fails; the suite can show neither a loss nor a gain
          pass on all repeats                 75.0%  [30.1%, 95.4%]    n 4
          fail on all repeats                 25.0%  [4.6%, 69.9%]     n 4
          columns disagree on               unknown: only one column of models
          fewer than 5 cases                no tags or classes
          difficulty, discrimination        too few columns or models: 1 of 20 needed, 1
                                            of 3 models needed

        Next: see all figures of the suite:
          sluice health triage --verbose

        """
    )
    let reports = project.folder.appending(path: "reports").path
    #expect(!FileManager.default.fileExists(atPath: reports))
  }

  @Test("A stand-in is not a model, so no suite is called saturated")
  func standIn() async throws {
    let outcome = try await ScratchProject.ofDemo().sluice("health", "tone")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains("  all answers are from stand-ins (stand-in-1), not from a model\n")
    )
    #expect(!outcome.output.contains("SATURATED"))
  }

  @Test("For several suites, the first line counts the saturated ones")
  func summary() async throws {
    let outcome = try await ScratchProject.ofDemo().sluice("health")
    #expect(outcome.output.hasPrefix("4 suites: 0 saturated, 0 nearly saturated\n\n"))
  }

  @Test("Without recorded answers, the exit code is 3 and the fix records them")
  func nothing() async throws {
    let project = try project()
    try project.edit(OutputsProject.suitePath, replacing: "backend: given", with: "backend: server")
    let outcome = try await project.sluice("health", "triage")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.error == """
        sluice: error: no answers are recorded
          fix: record answers: sluice record triage

        """
    )
    #expect(outcome.output.contains("NOTHING RECORDED"))
  }

  @Test("JSON and the HTML page agree, and only the page is written to a file")
  func files() async throws {
    let project = try project()
    let outcome = try await project.sluice("health", "--json")
    #expect(outcome.exitCode == 0)
    let json = try JSONReader.value(Array(outcome.output.utf8))
    #expect(json["suites"]?.array?.first?["headroom"]?["passing"] == 3)
    let written = try await project.sluice("health", "--html")
    #expect(written.output.contains("\nReport: reports/latest/health.html\n"))
    #expect(try project.read("reports/latest/health.html").contains("1 of 4 cases fails"))
  }

  @Test(
    "An invalid command line or file exits with 64 and a message",
    arguments: [
      (["nope"], "there is no suite 'nope'"),
      (["--reveal"], "--reveal needs --suspects or --json."),
      (["--suspects", "--json"], "--json includes the suspects: leave out --suspects."),
      (
        ["--ratings", "sheet.csv"],
        "--ratings needs one suite: name the suite whose cases people rated."
      ),
      (["--log", "none.jsonl"], "none.jsonl: error: cannot be read: "),
      (["--log", "outputs.jsonl"], "the first line is not the header of a run log"),
      (["triage", "--ratings", "none.csv"], "none.csv: error: "),
    ]
  )
  func wrong(_ arguments: [String], _ message: String) async throws {
    let outcome = try await project().sluice.run(["health"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains(message))
    #expect(outcome.output == "")
  }

  @Test("Damaged recordings of one suite exit with 64, and the other suites are still shown")
  func damaged() async throws {
    let project = try ScratchProject.ofDemo()
    let path = "datasets/tone/recordings/stand-in.jsonl"
    try project.write(try project.read(path) + "{\n", to: path)
    let outcome = try await project.sluice("health")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("\(path):"))
    for suite in ["action-items", "category", "clarity"] {
      #expect(outcome.output.contains("\n\(suite)  "))
    }
  }

  @Test("A log of another suite exits with 64; a log of this suite adds its live columns")
  func logs() async throws {
    let project = try ScratchProject.ofDemo()
    #expect(try await project.sluice("run", "tone").exitCode == 0)
    let folder = project.folder.appending(path: "reports/runs").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let log = "reports/runs/\(try #require(names.first { $0.hasSuffix(".jsonl") }))"
    let other = try await project.sluice("health", "clarity", "--log", log)
    #expect(other.exitCode == 64)
    #expect(
      other.error.contains(":1:1: error: the log is of the suite 'tone', which is not selected")
    )
    let own = try await project.sluice("health", "tone", "--log", log)
    #expect(own.exitCode == 0)
    #expect(own.output.contains("it is the log of a run on\n    recordings, not of a live run"))
  }

  @Test("Suspect labels are hidden unless --reveal is set")
  func suspects() async throws {
    let project = try project()
    try project.write("id,text\npolite,question\n", to: "people.csv")
    let blind = try await project.sluice(
      "health",
      "triage",
      "--ratings",
      "people.csv",
      "--suspects"
    )
    #expect(blind.exitCode == 0)
    #expect(
      blind.output == """
        triage  1 doubtful label

        1 of 1
          question  message: Could you send it?

        Labels and answers are hidden. To see them, add --reveal.

        """
    )
    let open = try await project.sluice(
      "health",
      "triage",
      "--ratings",
      "people.csv",
      "--suspects",
      "--reveal"
    )
    #expect(open.output.contains("1 of 1  polite\n"))
    #expect(open.output.contains("  label     kind: request\n"))
    let none = try await project.sluice("health", "--suspects")
    #expect(none.output == "triage  no doubtful label\n")
  }
}
