import TestSupport
import Foundation
import Sluice
import StandInModel
import Testing

@Suite("sluice record and run --live")
struct RecordTests {
  /// Runs a test on a copy of the demo without recordings.
  ///
  /// Its backend is a stand-in in this process.
  private func withStandIn(
    _ body: (ScratchProject) async throws -> Void
  ) async throws {
    let server = try StandInServer(port: 0)
    let port = try await server.start()
    let project = try ScratchProject.ofDemo()
    for feature in ["action-items", "category", "clarity", "tone"] {
      try FileManager.default.removeItem(
        at: project.folder.appending(path: "datasets/\(feature)/recordings")
      )
    }
    try project.edit("sluice.yaml", replacing: "127.0.0.1:8089", with: "127.0.0.1:\(port)")
    do {
      try await body(project)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("Missing answers are recorded once and then replayed without the server")
  func recordThenRun() async throws {
    var kept: ScratchProject?
    try await withStandIn { project in
      let first = try await project.sluice("record", "category")
      #expect(first.exitCode == 0)
      #expect(
        first.output == """
          category: recorded 20 of 20 answers
          PENDING: 20 recordings, until you accept or reject the whole set
          Next: read and judge them:
            sluice recordings review category
            sluice run category
          Then accept or reject the set:
            sluice recordings accept category
            sluice recordings reject category

          """
      )
      let again = try await project.sluice("record", "category")
      #expect(again.exitCode == 0)
      #expect(again.output == "category: no answer is missing\n")
      kept = project
    }
    let project = try #require(kept)
    let run = try await project.sluice("run", "category")
    #expect(run.exitCode == 0)
    #expect(run.output.contains("stand-in-1, a stand-in (not a model)"))
  }

  @Test("A live run judges answers and records nothing")
  func live() async throws {
    try await withStandIn { project in
      let outcome = try await project.sluice("run", "category", "--live")
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.contains("Answered by stand-in-1, a stand-in (not a model)"))
      #expect(!outcome.output.contains("(recorded)"))
      let recordings = project.folder.appending(path: "datasets/category/recordings")
      #expect(!FileManager.default.fileExists(atPath: recordings.path))
      let logs = try FileManager.default.contentsOfDirectory(
        atPath: project.folder.appending(path: "reports/runs").path
      )
      #expect(logs.count == 1)
      let log = try project.read("reports/runs/\(try #require(logs.first))")
      #expect(log.split(separator: "\n").count == 1 + 20 + 1)
    }
  }

  @Test(
    "In CI, nothing is sent or recorded unless options allow it",
    arguments: [["record", "tone"], ["run", "tone", "--live"]]
  )
  func continuousIntegration(arguments: [String]) async throws {
    let project = try ScratchProject.ofDemo()
    var sluice = project.sluice
    sluice.environment = ["CI": "true"]
    let outcome =
      arguments.count == 2
      ? try await sluice(arguments[0], arguments[1])
      : try await sluice(arguments[0], arguments[1], arguments[2])
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error.contains(
        "is disabled in CI (the environment variable CI is set)\n  fix: add --network"
      )
    )
  }

  @Test("Without a server, nothing is recorded, each failure has its reason, and the code is 3")
  func noServer() async throws {
    let project = try ScratchProject.ofDemo()
    // Port 1 of the loopback interface is closed.
    try project.edit("sluice.yaml", replacing: "127.0.0.1:8089", with: "127.0.0.1:1")
    try project.edit(
      "sluice.yaml",
      replacing: "model: stand-in-1}",
      with: "model: stand-in-1, retries: 0}"
    )
    let path = "datasets/tone/recordings/stand-in.jsonl"
    try project.removeLines(of: path, holding: #""case":"TEST-2.10""#)
    let before = try project.read(path)
    let outcome = try await project.sluice("record", "tone")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.output == """
        tone: recorded 0 of 1 answer
        Next: fix the failures, then run:
          sluice record tone

        """
    )
    #expect(
      outcome.error == """
          TEST-2.10: no connection to http://127.0.0.1:1
          fix: check the address in sluice.yaml, and check that the server is running

        """
    )
    #expect(try project.read(path) == before)
  }

  @Test("A missing key is reported before anything is sent")
  func missingKey() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("run", "tone", "--live", "--backend", "gpt-4o-mini")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("OPENAI_API_KEY, which is not set"))
  }
}
