import Foundation
import Sluice
import Testing
import TestSupport

/// Tests of reports on damaged and missing recordings, and of fixes that never pay again for
/// answers that are in git.
@Suite("sluice run: damaged and missing recordings", .serialized, .enabled(if: Git.isInstalled))
struct DamagedRecordingsTests {
  private static let recordings = TriageProject.recordings

  /// The number of the line that contains a text.
  private func number(_ project: TriageProject, _ text: String) throws -> Int {
    let lines = try project.files.read(Self.recordings).split(separator: "\n")
    return try #require(lines.firstIndex { $0.contains(text) }) + 1
  }

  /// The part of a run's output about missing answers.
  private func absence(_ output: String) throws -> String {
    let start = try #require(output.range(of: "No recorded answers"))
    let end = try #require(output[start.lowerBound...].firstRange(of: "\n\n"))
    return String(output[start.lowerBound..<end.lowerBound]) + "\n"
  }

  @Test(
    "A flipped byte in a case's line is reported as damage, with the line and a fix",
    arguments: [
      // Damage in the answer, in the key, in the repeat and in the name of a member.
      (#"stand-in-1"#, #"stand-in-2"#), (#""key":""#, #""kex":""#),
      (#""repeat":1"#, #""repeat":3"#),
      (#""hints""#, #""hintz""#),
    ]
  )
  func flipped(_ old: String, _ new: String) async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      let line = try number(project, #""case":"thanks""#)
      try project.rewriteLine(of: Self.recordings, holding: #""case":"thanks""#) {
        $0.replacing(old, with: new, maxReplacements: 1)
      }
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 3)
      #expect(outcome.error.hasPrefix("\(Self.recordings):\(line):1: error: "))
      #expect(
        try absence(outcome.output) == """
          No recorded answers for 1 of 4 cases
            damaged recording: \(Self.recordings):\(line)
              thanks

          """
      )
      #expect(
        outcome.output.hasSuffix(
          "\nNext: restore the recordings from git:\n  git checkout -- \(Self.recordings)\n"
        )
      )
      try project.files.git("checkout", "--", Self.recordings)
      #expect(try await project.sluice("run").exitCode == 0)
    }
  }

  @Test("A wrong digit in a line's key is reported as damage")
  func flippedKey() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let line = try number(project, #""case":"thanks""#)
      try project.rewriteLine(of: Self.recordings, holding: #""case":"thanks""#) { text in
        let start = text.index(text.startIndex, offsetBy: #"{"schema":3,"key":""#.count + 40)
        let next = text.index(after: start)
        return text.replacingCharacters(in: start..<next, with: text[start] == "0" ? "1" : "0")
      }
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 3)
      // Git has no copy of these recordings.
      #expect(
        try absence(outcome.output) == """
          No recorded answers for 1 of 4 cases
            damaged recording: \(Self.recordings):\(line)
              thanks

          """
      )
      #expect(
        outcome.output.hasSuffix(
          """

          Next: delete line \(line) of \(Self.recordings), then record its
          answer again (this sends requests):
            sluice record triage

          """
        )
      )
    }
  }

  @Test("A deleted file is reported as missing, and the fix restores it from git")
  func deletedWithGit() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      for gone in [Self.recordings, "datasets/triage/recordings"] {
        try FileManager.default.removeItem(at: project.files.folder.appending(path: gone))
        let outcome = try await project.sluice("run")
        #expect(outcome.exitCode == 3)
        #expect(
          outcome.output.hasSuffix(
            "Next: restore the recordings from git:\n  git checkout -- \(Self.recordings)\n"
          )
        )
        #expect(outcome.output.contains("no recording: \(Self.recordings) is missing"))
        try project.files.git("checkout", "--", "datasets")
        #expect(try await project.sluice("run").exitCode == 0)
      }
    }
  }

  @Test("Without git, the fix for a deleted file records its answers again")
  func deletedWithoutGit() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try FileManager.default.removeItem(at: project.files.folder.appending(path: Self.recordings))
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 3)
      #expect(outcome.output.contains("no recording: \(Self.recordings) is missing"))
      #expect(
        outcome.output.hasSuffix(
          """
          Next: record the answers of \(Self.recordings) again (this
          sends requests):
            sluice record triage

          """
        )
      )
    }
  }

  @Test("A case that was never recorded is new, and no file is reported as missing")
  func neverRecorded() async throws {
    try await TriageProject.with { project in
      try project.files.makeRepository()
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 3)
      #expect(outcome.output.contains("no recording: new case"))
      #expect(!outcome.output.contains("jsonl is missing"))
    }
  }

  @Test(
    "A recording answers nothing if a text of its request is damaged or missing",
    arguments: [true, false]
  )
  func part(isDamaged: Bool) async throws {
    try await TriageProject.with { project in
      // Long enough to be stored as a separate part.
      let system =
        "Say what kind of message it is, and think of everything that people may mean by it."
      try project.files.edit(
        TriageProject.prompt,
        replacing: "Say what kind of message it is.",
        with: system
      )
      try await project.record()
      try project.files.makeRepository()
      let line = try number(project, #""value":"\#(system)""#)
      if isDamaged {
        try project.files.edit(Self.recordings, replacing: system, with: system.uppercased())
      } else {
        try project.files.removeLines(of: Self.recordings, holding: #""value":"\#(system)""#)
      }
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.error
          == (isDamaged
            ? """
            \(Self.recordings):\(line):1: error: the part was changed after it was recorded: its digest does not match
              fix: restore the line from version control, or delete it and record the answer again
            1 error

            """ : "")
      )
      let part = try #require(outcome.output.firstMatch(of: /the part line [0-9a-f]{16}/)).output
      #expect(
        outcome.output.contains(
          """
            unusable recording: \(part) that the recording refers
            to is missing
              where, send, thanks and 1 more

          """
        )
      )
      #expect(
        outcome.output.hasSuffix(
          "Next: restore the recordings from git:\n  git checkout -- \(Self.recordings)\n"
        )
      )
      try project.files.git("checkout", "--", Self.recordings)
      #expect(try await project.sluice("run").exitCode == 0)
    }
  }
}
