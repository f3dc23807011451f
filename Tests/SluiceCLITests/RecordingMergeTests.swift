import TestSupport
import Foundation
import Sluice
import Testing

/// Tests of merges of recordings from two git branches, which must not conflict.
@Suite("Merging recordings of two branches", .serialized)
struct RecordingMergeTests {
  /// Prepares a project with recordings on main and with this project's own merge rules.
  private func prepare(_ project: TriageProject) async throws {
    let rules = try String(
      contentsOf: ScratchProject.repository.appending(path: ".gitattributes"),
      encoding: .utf8
    )
    try project.files.write(rules, to: ".gitattributes")
    try project.write(caseCount: 20)
    try await project.record()
    try project.files.makeRepository()
  }

  private func recordAndCommit(_ project: TriageProject, on branch: String) async throws {
    try await project.must("record")
    try await project.must("recordings", "accept")
    try project.files.commit()
    #expect(try await project.sluice("run").exitCode == 0, "\(branch)")
  }

  @Test("Two branches that add recordings merge without a conflict, and the run passes")
  func bothAdd() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try project.files.git("switch", "--quiet", "--create", "first")
      let cases = try project.files.read(TriageProject.cases)
      // Different numbers of cases, because git would merge equal lines of the ledger into one.
      func added(_ name: String, _ count: Int) -> String {
        (0..<count).map { number in
          "- {id: \(name)-\(number), input: {message: \"\(name) \(number)?\"}, "
            + "expected: {kind: question}}\n"
        }.joined()
      }
      try project.files.write(added("first", 5) + cases, to: TriageProject.cases)
      try await recordAndCommit(project, on: "first")
      try project.files.git("switch", "--quiet", "--create", "second", "main")
      try project.files.write(cases + added("second", 4), to: TriageProject.cases)
      try await recordAndCommit(project, on: "second")
      try project.files.git("switch", "--quiet", "main")
      try project.files.git("merge", "--quiet", "--no-edit", "first")
      try project.files.git("merge", "--quiet", "--no-edit", "second")
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 0)
      #expect(verify.error == "")
      #expect(verify.output == "29 recordings in 1 file: no secrets, no damage\n")
      project.server.forget()
      let run = try await project.sluice("run")
      #expect(run.exitCode == 0)
      #expect(run.error == "")
      #expect(
        try project.lines(TriageProject.ledger).map { $0["state"]?.string }
          == ["accepted", "accepted", "accepted"]
      )
      let record = try await project.sluice("record")
      #expect(record.output == "triage: no answer is missing\n")
      #expect(project.server.asked == [])
    }
  }

  @Test("After two branches add a prompt and cases, the merge has both sides' recordings")
  func promptAndCases() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      try project.files.git("switch", "--quiet", "--create", "prompt")
      try project.files.write(
        try project.files.read(TriageProject.prompt).replacing("Say what", with: "Tell what"),
        to: "prompts/triage/v2.yaml"
      )
      try await project.must("record", "--prompt", "prompts/triage/v2.yaml")
      try await project.must("recordings", "accept")
      try project.files.commit()
      try project.files.git("switch", "--quiet", "--create", "cases", "main")
      try project.append(
        #"- {id: new, input: {message: "New?"}, expected: {kind: question}}"# + "\n",
        to: TriageProject.cases
      )
      try await recordAndCommit(project, on: "cases")
      try project.files.git("merge", "--quiet", "--no-edit", "prompt")
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
      #expect(try await project.sluice("run").exitCode == 0)
      let other = try await project.sluice("run", "--prompt", "prompts/triage/v2.yaml")
      // The new case was never sent with the other prompt.
      #expect(other.exitCode == 3)
      #expect(other.output.contains("\nNo recorded answers for 1 of "))
    }
  }

  @Test("If two branches record the same request, verify reports the line of the second recording")
  func bothReplace() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      for branch in ["first", "second"] {
        try project.files.git("switch", "--quiet", "--create", branch, "main")
        try await project.must("record", "--all", "--case", "case-7")
        // Recorded within the same second and with the same duration, the answers could be
        // identical.
        try project.rewriteLine(of: TriageProject.pending, holding: #""case":"case-7""#) {
          line in
          TriageProject.sealed(
            line.replacing(/"total-ms":[0-9.]+/, with: "\"total-ms\":\(branch.count * 1_000)")
          )
        }
        try await project.must("recordings", "accept")
        try project.files.commit()
      }
      try project.files.git("merge", "--quiet", "--no-edit", "first")
      let run = try await project.sluice("run")
      #expect(run.exitCode == 3)
      let lines = try project.files.read(TriageProject.recordings).split(separator: "\n")
      let second = try #require(lines.lastIndex { $0.contains(#""case":"case-7""#) }) + 1
      #expect(
        run.error == """
          datasets/triage/recordings/server.jsonl:\(second):1: error: another line already records this repeat of the request
            fix: keep one of the two lines
          1 error

          """
      )
      #expect(
        run.output.contains(
          "unusable recording: the request was recorded twice, with different answers\n    case-7\n"
        )
      )
      try project.files.write(
        (lines[..<(second - 1)] + lines[second...]).joined(separator: "\n") + "\n",
        to: TriageProject.recordings
      )
      #expect(try await project.sluice("run").exitCode == 0)
      for base in ["HEAD", "main", "first", "second"] {
        let verify = try await project.sluice("recordings", "verify", "--base", base)
        #expect(verify.error == "")
        #expect(verify.exitCode == 0)
      }
    }
  }
}
