import Foundation
import Sluice
import Testing
import TestSupport

/// Tests of reports on lines lost from a ledger, so that nobody can hide unwanted results.
@Suite("sluice recordings: lost or changed ledgers", .serialized, .enabled(if: Git.isInstalled))
struct LedgerGuardTests {
  private static let ledger = TriageProject.ledger

  /// Prepares a repository whose ledger has an accepted and a rejected set, and returns the line
  /// number of the rejected one.
  private func prepare(_ project: TriageProject) async throws -> Int {
    try await project.record()
    try await project.must("record", "--all")
    try await project.must("recordings", "reject")
    try project.files.makeRepository()
    let lines = try project.files.read(Self.ledger).split(separator: "\n")
    return try #require(lines.firstIndex { $0.contains("rejected") }) + 1
  }

  private func dateless(_ text: String) -> String {
    text.timeless.replacing(/T\d\d:\d\d:\d\dZ/, with: "")
  }

  private func lost(_ line: Int, at revision: String) -> String {
    """
    \(revision):\(Self.ledger):\(line):1: error: the ledger in the working copy no longer lists this set: rejected, started \
    DAY, 4 answers
      fix: git checkout \(revision) -- \(Self.ledger)
    1 error

    """
  }

  @Test("The lost line of a rejected set is reported, and the suggested command restores it")
  func lostLine() async throws {
    try await TriageProject.with { project in
      let line = try await prepare(project)
      let whole = try project.files.read(Self.ledger)
      try project.files.removeLines(of: Self.ledger, holding: "rejected")
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 64)
      #expect(dateless(verify.error) == lost(line, at: "HEAD"))
      let compare = try await project.sluice("compare", "--base", "main")
      #expect(compare.exitCode == 3)
      #expect(dateless(compare.error) == lost(line, at: "main"))
      #expect(
        compare.output.contains(
          """
          \(Self.ledger): the ledger is damaged, or lacks
          recording sets that it lists at main.

          """
        )
      )
      try project.files.git("checkout", "main", "--", Self.ledger)
      #expect(try project.files.read(Self.ledger) == whole)
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
      #expect(try await project.sluice("compare", "--base", "main").exitCode == 0)
    }
  }

  @Test("With --base, a committed ledger is compared with the given revision")
  func lostInACommit() async throws {
    try await TriageProject.with { project in
      let line = try await prepare(project)
      try project.files.git("checkout", "--quiet", "-b", "change")
      try project.files.removeLines(of: Self.ledger, holding: "rejected")
      try project.files.commit()
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
      let verify = try await project.sluice("recordings", "verify", "--base", "main")
      #expect(verify.exitCode == 64)
      #expect(dateless(verify.error) == lost(line, at: "main"))
      let unknown = try await project.sluice("recordings", "verify", "--base", "mian")
      #expect(unknown.exitCode == 64)
      #expect(unknown.error.hasPrefix("sluice: error: "))
    }
  }

  @Test("If sets were added since, the fix restores only the lost line")
  func lostBesideAnother() async throws {
    try await TriageProject.with { project in
      let line = try await prepare(project)
      try await project.must("record", "--all", "--case", "thanks")
      try await project.must("recordings", "accept")
      try project.files.removeLines(of: Self.ledger, holding: "rejected")
      let fix = "git show 'main:./\(Self.ledger)' | sed -n \(line)p >> \(Self.ledger)"
      let compare = try await project.sluice("compare", "--base", "main")
      #expect(compare.exitCode == 3)
      #expect(compare.error.contains("  fix: \(fix)\n"))
    }
  }

  @Test("A deleted ledger is reported with the sets that it contained")
  func deleted() async throws {
    try await TriageProject.with { project in
      _ = try await prepare(project)
      try FileManager.default.removeItem(at: project.files.folder.appending(path: Self.ledger))
      func error(_ revision: String) -> String {
        """
        \(Self.ledger): error: the ledger is missing; at \(revision) it lists 2 sets, 1 rejected
          fix: git checkout \(revision) -- \(Self.ledger)
        1 error

        """
      }
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 64)
      #expect(verify.error == error("HEAD"))
      let compare = try await project.sluice("compare", "--base", "main")
      #expect(compare.exitCode == 3)
      #expect(compare.error == error("main"))
    }
  }

  @Test("verify and compare report a changed line")
  func changed() async throws {
    try await TriageProject.with { project in
      let line = try await prepare(project)
      try project.files.edit(Self.ledger, replacing: #""rejected""#, with: #""accepted""#)
      let error = """
        \(Self.ledger):\(line):1: error: the line was changed after it was written: its digest does not match
          fix: restore the line from version control, for example: git checkout -- \(Self.ledger)
        1 error

        """
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 64)
      #expect(verify.error == error)
      let compare = try await project.sluice("compare", "--base", "main")
      #expect(compare.exitCode == 3)
      #expect(compare.error == error)
    }
  }

  @Test("A rewritten line with a valid digest is reported if it differs from the revision")
  func forged() async throws {
    try await TriageProject.with { project in
      let line = try await prepare(project)
      try project.rewriteLine(of: Self.ledger, holding: #""rejected""#) { line in
        TriageProject.sealed(line.replacing(#""rejected""#, with: #""accepted""#))
      }
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 64)
      #expect(
        dateless(verify.error) == """
          HEAD:\(Self.ledger):\(line):1: error: the ledger in the working copy describes this set differently: rejected, \
          started DAY, 4 answers
            fix: git checkout HEAD -- \(Self.ledger)
          1 error

          """
      )
    }
  }

  @Test("Without git, answers whose set is not in the ledger and a missing ledger are reported")
  func uncovered() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let ledger = try project.files.read(Self.ledger)
      try project.rewriteLine(of: Self.ledger, holding: #""accepted""#) { line in
        TriageProject.sealed(line.replacing(#""accepted""#, with: #""rejected""#))
      }
      let number = try #require(
        try project.files.read(TriageProject.recordings).split(separator: "\n")
          .firstIndex { $0.contains(#""key""#) }
      )
      let forgotten = try await project.sluice("recordings", "verify")
      #expect(forgotten.exitCode == 64)
      #expect(
        forgotten.error == """
          \(TriageProject.recordings):\(number + 1):1: error: 4 recorded answers, from this one on, do not belong to any accepted set of the ledger
            fix: restore \(Self.ledger) from version control, or delete the lines and record the answers again
          1 error

          """
      )
      try FileManager.default.removeItem(at: project.files.folder.appending(path: Self.ledger))
      let missing = try await project.sluice("recordings", "verify")
      #expect(missing.exitCode == 64)
      #expect(
        missing.error == """
          \(Self.ledger): error: the ledger is missing, but 4 recorded answers came from one of its sets
            fix: restore the file from version control, for example: git checkout -- \(Self.ledger)
          1 error

          """
      )
      try project.files.write(ledger, to: Self.ledger)
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
    }
  }

  /// Changes an answer and computes the digests of its line and of its set again.
  private func forge(_ project: TriageProject) throws {
    let files = try #require(DiskFileSystem(root: project.files.folder.path))
    let path = ProjectPath(TriageProject.recordings)
    let before = RecordingFile(
      reading: path,
      from: InMemoryFileSystem([
        TriageProject.recordings: try project.files.read(TriageProject.recordings)
      ])
    )
    try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"polite""#) { line in
      TriageProject.sealed(line.replacing(#"\"question\""#, with: #"\"request\""#))
    }
    var ledger = RecordingLedger(reading: ProjectPath(Self.ledger), from: files)
    ledger.addLines(of: before, rewrittenAs: RecordingFile(reading: path, from: files))
    try project.files.write(String(decoding: ledger.bytes, as: UTF8.self), to: Self.ledger)
  }

  @Test("A forged answer is reported, even with digests that were computed again")
  func forgedAnswer() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      let id = try #require(try project.sets().first?["set"]?.string)
      try forge(project)
      let lines = try project.files.read(TriageProject.recordings).split(separator: "\n")
      let number = try #require(lines.firstIndex { $0.contains(#""case":"polite""#) }) + 1
      for (revision, arguments) in [("HEAD", []), ("main", ["--base", "main"])] {
        let verify = try await project.sluice.run(["recordings", "verify"] + arguments)
        #expect(verify.exitCode == 64)
        #expect(
          verify.error == """
            \(TriageProject.recordings):\(number):1: error: changed since \(revision) (response), and in no later set: 1 answer of the set \(id)
              fix: restore the recordings and their ledger from version control, or record the answers again
            1 error

            """
        )
      }
    }
  }

  @Test("With --base, verify lists what later sets replaced and what was pruned")
  func listed() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      let first = try #require(try project.sets().first?["set"]?.string)
      project.server.answer { _, _ in #"{"kind":"other"}"# }
      try await project.must("record", "--all", "--case", "where")
      try await project.must("recordings", "accept")
      try project.files.edit(TriageProject.cases, replacing: "Thanks!", with: "Thank you!")
      try await project.must("recordings", "prune", "--dry-run")
      let pruned = try await project.must("recordings", "prune")
      #expect(pruned.contains("kept 1 recording that only the branch main needs") == false)
      let sets = try project.sets()
      let second = try #require(sets.first { $0["exchanges"] == 1 && $0["state"] == "accepted" })
      let pruning = try #require(sets.first { $0["state"] == "pruned" })
      let verify = try await project.sluice("recordings", "verify", "--base", "main")
      #expect(verify.error == "")
      #expect(
        verify.output.replacing(/127.0.0.1:\d+/, with: "HOST").timeless == """
          \(TriageProject.recordings) since main:
            accepted the set \(second["set"]?.string ?? ""): 1 answer of stand-in-1, a stand-in (not a model) at http://HOST; replaces or removes 1 of the set \(first)
            pruned the set \(pruning["set"]?.string ?? ""): 1 answer; replaces or removes 1 of the set \(first)
          3 recordings in 1 file: no secrets, no damage

          """
      )
      #expect(verify.exitCode == 0)
      #expect(
        try await project.sluice("recordings", "verify").output
          == "3 recordings in 1 file: no secrets, no damage\n"
      )
    }
  }

  @Test("An unknown revision is an error that says how CI can fetch it")
  func unknownRevision() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      let id = String(repeating: "0123456789", count: 4)
      let verify = try await project.sluice("recordings", "verify", "--base", id)
      #expect(verify.exitCode == 64)
      #expect(
        verify.error == """
          sluice: error: the repository has no commit '\(id)'
            fix: check its name; in CI, fetch all commits (fetch-depth: 0, GIT_DEPTH: 0)

          """
      )
    }
  }

  @Test("Two branches that replace different answers of a set merge, and migrate on one side")
  func merged() async throws {
    try await TriageProject.with { project in
      try project.write(caseCount: 12)
      try await project.record()
      try project.writeOldLedger()
      try project.files.write(
        "datasets/**/*.jsonl merge=union\n",
        to: ".gitattributes"
      )
      try project.files.makeRepository()
      // Git cannot merge changes to lines that are next to each other.
      let cases = try project.exchanges(TriageProject.recordings).compactMap {
        $0.value(at: "hints.case")?.string
      }
      for (branch, name) in [("first", cases[0]), ("second", cases[11])] {
        try project.files.git("switch", "--quiet", "--create", branch, "main")
        if branch == "second" { try await project.must("recordings", "migrate") }
        try await project.must("record", "--all", "--case", name)
        try await project.must("recordings", "accept")
        try project.files.commit()
      }
      try project.files.git("merge", "--quiet", "--no-edit", "first")
      for base in ["main", "first", "second"] {
        let verify = try await project.sluice("recordings", "verify", "--base", base)
        #expect(verify.error == "")
        #expect(verify.exitCode == 0)
      }
    }
  }

  @Test("This project's recordings pass recordings verify")
  func ownProject() async throws {
    let project = try ScratchProject.ofOwnProject()
    let verify = try await project.sluice("recordings", "verify")
    #expect(verify.exitCode == 0)
    #expect(verify.error == "")
  }
}
