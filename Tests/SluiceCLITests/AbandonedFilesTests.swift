import Foundation
import Testing
import TestSupport

/// Tests of files left behind by a killed program, which the next command that writes to the folder
/// removes.
@Suite("sluice: files left behind by killed programs", .serialized)
struct AbandonedFilesTests {
  private static let folder = "datasets/triage/recordings"

  private func temporary(_ project: TriageProject) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: project.files.folder.appending(path: Self.folder).path
    ).filter { $0.hasSuffix(".tmp") }.sorted()
  }

  @Test("A killed program's partly written file is ignored by git and deleted by the next command")
  func killed() async throws {
    try await TriageProject.with { project in
      try project.write(caseCount: 20)
      try await project.must("record")
      var sluice = project.sluice
      // The system kills a process that writes a larger file.
      sluice.launcher = ["sh", "-c", "ulimit -c 0; ulimit -f 8; exec \"$@\"", "sh"]
      let killed = try await sluice("recordings", "accept")
      #expect(killed.exitCode == SIGXFSZ)
      let left = try temporary(project)
      #expect(left.count == 1)
      #expect(left.first?.wholeMatch(of: /server\.jsonl\.\d+\.tmp/) != nil)
      if Git.isInstalled {
        try project.files.write(
          try TemplateFolder.text("project/.gitignore"),
          to: ".gitignore"
        )
        try project.files.git("init", "--quiet", ".")
        let status = try project.files.git("status", "--porcelain", "--untracked-files=all")
        #expect(!status.contains(".tmp"))
        #expect(status.contains(TriageProject.pending))
      }
      // Files that belong to a running program or to other programs.
      let others = ["server.jsonl.1.tmp", "notes.4194303.tmp", "server.jsonl.tmp"]
      for name in others { try project.files.write("", to: "\(Self.folder)/\(name)") }
      try await project.must("recordings", "accept")
      #expect(try temporary(project) == others.sorted())
      #expect(try project.exchanges(TriageProject.recordings).count == 20)
    }
  }
}
