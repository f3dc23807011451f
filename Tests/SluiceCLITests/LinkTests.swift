import TestSupport
import Foundation
import Testing

/// Tests of links that lead outside the project: recordings and reports are neither read nor
/// written through them.
@Suite("sluice: links that lead outside the project", .serialized)
struct LinkTests {
  private static let places = [
    "datasets/triage/recordings", "datasets/triage/recordings/pending",
    "datasets/triage/recordings/ledger", TriageProject.recordings, TriageProject.ledger, "reports",
    "reports/runs", "reports/latest", "reports/baselines", "reports/latest/report.md",
  ]

  /// Moves a file, and leaves a link to it.
  private func move(_ path: String, of project: TriageProject, to target: URL) throws {
    let manager = FileManager.default
    let url = project.files.folder.appending(path: path)
    try manager.createDirectory(
      at: target.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    if manager.fileExists(atPath: url.path) {
      try manager.moveItem(at: url, to: target)
    } else {
      try manager.createDirectory(at: target, withIntermediateDirectories: true)
    }
    try manager.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try manager.createSymbolicLink(atPath: url.path, withDestinationPath: target.path)
  }

  @Test(
    "A link that leads outside is refused before anything is read, written or sent",
    arguments: places
  )
  func refused(_ path: String) async throws {
    try await TriageProject.with { project in
      try await project.record()
      try await project.must("run")
      let outside = try ScratchProject()
      let target = outside.folder.appending(path: "moved")
      try move(path, of: project, to: target)
      let error = """
        \(path): error: is a symbolic link that leads outside the project, to \(target.path)
          fix: replace the link with a file or folder in the project; Sluice neither reads nor writes recordings and reports outside the project
        1 error

        """
      for command in [["run"], ["record", "--all"], ["run", "--live"], ["recordings", "verify"]] {
        let outcome = try await project.sluice.run(command)
        #expect(outcome.exitCode == 64)
        #expect(outcome.output == "")
        #expect(outcome.error == error)
      }
      #expect(project.server.asked == [])
    }
  }

  @Test("A link to a missing target outside is also refused, because writing would create it")
  func dangling() async throws {
    try await TriageProject.with { project in
      let outside = try ScratchProject()
      let target = outside.folder.appending(path: "none.jsonl").path
      let folder = project.files.folder.appending(path: "datasets/triage/recordings/pending")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "server.jsonl").path,
        withDestinationPath: target
      )
      let outcome = try await project.sluice("record")
      #expect(outcome.exitCode == 64)
      #expect(outcome.error.hasPrefix("\(TriageProject.pending): error: is a symbolic link"))
      #expect(project.server.asked == [])
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }

  @Test(
    "A link that stays inside the project is followed",
    arguments: ["datasets/triage/recordings", TriageProject.recordings, "reports"]
  )
  func inside(_ path: String) async throws {
    try await TriageProject.with { project in
      try await project.record()
      try await project.must("run")
      try move(path, of: project, to: project.files.folder.appending(path: "kept/moved"))
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
    }
  }
}
