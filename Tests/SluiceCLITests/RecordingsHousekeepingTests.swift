import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

/// Tests of the commands that verify, count, prune and migrate files of recordings.
@Suite("sluice recordings: files", .serialized)
struct RecordingsHousekeepingTests {
  // MARK: Verifying

  @Test("The demo's recordings contain no secrets and no damage")
  func demo() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("recordings", "verify")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.hasSuffix(" recordings in 4 files: no secrets, no damage\n"))
  }

  @Test("A secret in a recording is reported by position, never shown, with code 64")
  func secret() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let secret = "sk-" + "proj-" + String(repeating: "aB3dE6gH", count: 6)
      try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"thanks""#) { line in
        TriageProject.sealed(
          line.replacing(#""object":"chat"#, with: #""object":"\#(secret) chat"#)
        )
      }
      let outcome = try await project.sluice("recordings", "verify")
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(!outcome.error.contains(secret))
      let (line, column) = try place(of: secret, in: project)
      #expect(
        outcome.error.hasPrefix(
          """
          datasets/triage/recordings/server.jsonl:\(line):\(column): error: an OpenAI API key in \
          response.body.object: sk-p… (56 characters)

          """
        )
      )
      #expect(outcome.error.hasSuffix("\n1 error\n"))
    }
  }

  private func place(of text: String, in project: TriageProject) throws -> (line: Int, column: Int)
  {
    let lines = try project.files.read(TriageProject.recordings).split(separator: "\n")
    let line = try #require(lines.firstIndex { $0.contains(text) })
    let range = try #require(lines[line].range(of: text))
    return (line + 1, lines[line].distance(from: lines[line].startIndex, to: range.lowerBound) + 1)
  }

  @Test("A configured backend's key is found in recordings even if it does not look like a key")
  func ownKey() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit(
        "sluice.yaml",
        replacing: "model: stand-in-1",
        with: "model: stand-in-1\n    key: {env: TRIAGE_KEY}"
      )
      let secret = ["correct", "horse", "battery", "staple"].joined(separator: "-")
      try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"thanks""#) { line in
        TriageProject.sealed(
          line.replacing(#""object":"chat"#, with: #""object":"\#(secret) chat"#)
        )
      }
      var sluice = project.sluice
      sluice.environment = ["TRIAGE_KEY": secret]
      let outcome = try await sluice("recordings", "verify")
      #expect(outcome.exitCode == 64)
      #expect(!outcome.error.contains(secret))
      #expect(outcome.error.contains(" in response.body.object: "))
    }
  }

  @Test("A line that was edited by hand is reported and answers nothing")
  func edited() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"polite""#) { line in
        line.replacing(#"\"question\""#, with: #"\"request\""#)
      }
      let number = try lineNumber(of: "polite", in: project)
      let outcome = try await project.sluice("recordings", "verify")
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(
        outcome.error == """
          datasets/triage/recordings/server.jsonl:\(number):1: error: the recording was changed after it was recorded: its digest does not match
            fix: restore the line from version control, or delete it and record the answer again
          1 error

          """
      )
      #expect(try await project.sluice("run").exitCode == 3)
      // Rewriting the file would lose the line.
      #expect(try await project.sluice("record").exitCode == 64)
      #expect(project.server.asked == [])
    }
  }

  @Test("A recording under another request's key is reported, even with a valid digest")
  func wrongKey() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let key = String(repeating: "0123456789abcdef", count: 4)
      try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"polite""#) { line in
        TriageProject.sealed(line.replacing(/"key":"[0-9a-f]{64}"/, with: #""key":"\#(key)""#))
      }
      let number = try lineNumber(of: "polite", in: project)
      let outcome = try await project.sluice("recordings", "verify")
      #expect(outcome.exitCode == 64)
      #expect(
        outcome.error == """
          datasets/triage/recordings/server.jsonl:\(number):1: error: the key does not match the request
            fix: restore the line from version control, or delete it and record the answer again
          1 error

          """
      )
    }
  }

  @Test("A recording with a missing part is reported")
  func missingPart() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.removeLines(of: TriageProject.recordings, holding: #""part":"#)
      let outcome = try await project.sluice("recordings", "verify")
      #expect(outcome.exitCode == 64)
      #expect(outcome.error.contains("that the recording refers to is missing"))
      #expect(outcome.error.hasSuffix("\n4 errors\n"))
    }
  }

  private func lineNumber(of testCase: String, in project: TriageProject) throws -> Int {
    let lines = try project.files.read(TriageProject.recordings).split(separator: "\n")
    return try #require(lines.firstIndex { $0.contains(#""case":"\#(testCase)""#) }) + 1
  }

  @Test("A partial line or a repeated answer in a pending set is not damage")
  func journal() async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      let journal = try project.files.read(TriageProject.pending)
      try await project.must("recordings", "reject")
      try await project.must("record")
      let again = try project.files.read(TriageProject.pending)
      // A recorder leaves such a file if it is killed after it sent the same requests again.
      try project.files.write(
        journal + again + #"{"schema":3,"key":"0123"#,
        to: TriageProject.pending
      )
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 0)
      #expect(verify.error == "")
      #expect(verify.output == "4 recordings in 1 file: no secrets, no damage\n")
      let accept = try await project.sluice("recordings", "accept")
      #expect(accept.exitCode == 0)
      #expect(try project.exchanges(TriageProject.recordings).count == 4)
      #expect(try project.files.read(TriageProject.recordings) == again)
    }
  }

  // MARK: Status

  @Test("status shows what each file answers, what is missing and how old it is")
  func status() async throws {
    try await TriageProject.with { project in
      let none = try await project.sluice("recordings", "status")
      #expect(none.exitCode == 0)
      #expect(
        none.output == """
          datasets/triage/recordings/server.jsonl
            0 recordings · 0 in use
            4 missing

          0 files, 0 recordings: 4 requests without a usable recording (4 missing)
          Next: see which suites lack answers, and why:
            sluice run

          """
      )
      try await project.record()
      let all = try await project.sluice("recordings", "status")
      #expect(
        all.output.timeless == """
          datasets/triage/recordings/server.jsonl
            4 recordings · 4 in use
            recorded DAY · N KiB

          1 file, 4 recordings: every request has a recording

          """
      )
      try project.files.write(
        try project.files.read(TriageProject.prompt),
        to: "prompts/triage/v0.yaml"
      )
      try project.files.edit(TriageProject.prompt, replacing: "Say what", with: "Tell what")
      try project.append(
        #"- {id: new, input: {message: "New?"}, expected: {kind: question}}"# + "\n",
        to: TriageProject.cases
      )
      try project.files.edit(TriageProject.cases, replacing: "Thanks!", with: "Thank you!")
      try await project.must("record", "--case", "where")
      let changed = try await project.sluice("recordings", "status")
      #expect(changed.exitCode == 0)
      #expect(
        changed.output.timeless == """
          datasets/triage/recordings/server.jsonl
            4 recordings · 0 in use · 3 for other prompts or backends · 1 unused
            3 stale · 1 missing · 1 pending
            recorded DAY · N KiB

          1 file, 4 recordings and 1 pending: 4 requests without a usable recording (3
          stale, 1 missing)
          Next: read the pending answers:
            sluice recordings review

          """
      )
    }
  }

  @Test("status counts old and expired recordings by the limits in sluice.yaml")
  func age() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.append(
        "recordings: {warn-after: 60 days, expire-after: 180 days}\n",
        to: "sluice.yaml"
      )
      let day = try #require(Timestamp(iso8601: "2020-02-03T04:05:06Z"))
      try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"thanks""#) { line in
        TriageProject.sealed(
          line.replacing(/"recorded":"[^"]*"/, with: #""recorded":"\#(day.iso8601)""#)
        )
      }
      let status = try await project.sluice("recordings", "status")
      #expect(
        status.output.timeless == """
          datasets/triage/recordings/server.jsonl
            4 recordings · 3 in use
            1 expired
            recorded DAY to DAY · N KiB

          1 file, 4 recordings: 1 request without a usable recording (1 expired)
          Next: see which suites lack answers, and why:
            sluice run

          """
      )
      #expect(try await project.sluice("run").exitCode == 3)
      try await project.must("record")
      #expect(project.server.asked == ["Thanks!"])
    }
  }

  // MARK: Pruning

  @Test("prune removes recordings that no suite or other prompt needs, with their parts")
  func prune() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let text = try project.files.read(TriageProject.prompt)
      try project.files.write(
        text.replacing("Say what", with: "Tell what"),
        to: TriageProject.prompt
      )
      try await project.record()
      try project.files.write(text, to: "prompts/triage/v0.yaml")
      let kept = try await project.sluice("recordings", "prune")
      #expect(kept.exitCode == 0)
      #expect(kept.output == "Nothing to remove.\n")
      try FileManager.default.removeItem(
        at: project.files.folder.appending(path: "prompts/triage/v0.yaml")
      )
      let before = try project.files.read(TriageProject.recordings)
      let dry = try await project.sluice("recordings", "prune", "--dry-run")
      #expect(dry.exitCode == 0)
      #expect(
        dry.output
          == "datasets/triage/recordings/server.jsonl: would remove 4 of 8 recordings\n"
      )
      #expect(try project.files.read(TriageProject.recordings) == before)
      let pruned = try await project.sluice("recordings", "prune")
      #expect(
        pruned.output == "datasets/triage/recordings/server.jsonl: removed 4 of 8 recordings\n"
      )
      #expect(try project.exchanges(TriageProject.recordings).count == 4)
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
      #expect(try await project.sluice("run").exitCode == 0)
      #expect(try await project.sluice("recordings", "prune").output == "Nothing to remove.\n")
    }
  }

  @Test("prune keeps recordings that another git branch needs, and names the branch")
  func pruneBranches() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      try project.files.git("branch", "older")
      try project.files.edit(TriageProject.prompt, replacing: "Say what", with: "Tell what")
      try await project.record()
      try project.files.commit()
      let kept = try await project.sluice("recordings", "prune")
      #expect(kept.exitCode == 0)
      #expect(kept.error == "")
      #expect(
        kept.output == """
          datasets/triage/recordings/server.jsonl: kept 4 recordings that only the branch older needs
          Nothing to remove.

          """
      )
      #expect(try project.exchanges(TriageProject.recordings).count == 8)
      try project.files.git("branch", "--delete", "--force", "older")
      let gone = try await project.sluice("recordings", "prune")
      #expect(
        gone.output == "datasets/triage/recordings/server.jsonl: removed 4 of 8 recordings\n"
      )
    }
  }

  @Test("prune ignores branches without the project, and names branches with invalid files")
  func pruneOddBranches() async throws {
    try await TriageProject.with { project in
      try await project.record()
      // The project is in a subfolder of the repository that some branches do not have.
      let outer = try ScratchProject()
      let folder = outer.folder.appending(path: "apps")
      try FileManager.default.moveItem(at: project.files.folder, to: folder)
      func edit(_ path: String, _ old: String, _ new: String) throws {
        try outer.edit("apps/" + path, replacing: old, with: new)
      }
      try outer.makeRepository()
      try outer.git("branch", "older")
      try outer.git("switch", "--quiet", "--create", "broken")
      try edit(TriageProject.suite, "scorers:", "scorer:")
      try outer.commit()
      try outer.git("switch", "--quiet", "--create", "absent", "main")
      try outer.git("rm", "-r", "--quiet", "apps")
      try outer.commit()
      try outer.git("switch", "--quiet", "main")
      try edit(TriageProject.prompt, "Say what", "Tell what")
      let sluice = CommandLineRunner(folder: folder, owner: outer)
      #expect(try await sluice("record").exitCode == 0)
      #expect(try await sluice("recordings", "accept").exitCode == 0)
      try outer.commit()
      let outcome = try await sluice("recordings", "prune")
      #expect(outcome.exitCode == 0)
      #expect(
        outcome.error
          == "sluice: warning: cannot tell which recordings the branch broken needs: its files have errors\n"
      )
      #expect(
        outcome.output == """
          datasets/triage/recordings/server.jsonl: kept 4 recordings that only the branch older needs
          Nothing to remove.

          """
      )
    }
  }

  @Test("If any suite is invalid, prune removes nothing")
  func pruneWithFault() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit(TriageProject.prompt, replacing: "Say what", with: "Tell what")
      try await project.record()
      try project.files.write("suite: broken\n", to: "prompts/broken/suite.yaml")
      let before = try project.files.read(TriageProject.recordings)
      let outcome = try await project.sluice("recordings", "prune")
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(outcome.error.contains("prompts/broken/suite.yaml"))
      #expect(try project.files.read(TriageProject.recordings) == before)
    }
  }

  @Test(
    "In CI, prune and migrate need --write",
    arguments: [("prune", "pruning"), ("migrate", "migrating")]
  )
  func inCI(_ command: String, what: String) async throws {
    try await TriageProject.with { project in
      try await project.record()
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      let refused = try await sluice("recordings", command)
      #expect(refused.exitCode == 64)
      #expect(
        refused.error == """
          sluice: error: \(what) is disabled in CI (the environment variable CI is set)
            fix: add --write if this job is meant to do that

          """
      )
      #expect(try await sluice("recordings", command, "--write").exitCode == 0)
    }
  }

  // MARK: Migrating

  @Test("Recordings of the first schema still answer, and migrate adds keys and dates")
  func migrate() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let current = try project.files.read(TriageProject.recordings)
      let ledger = try project.files.read(TriageProject.ledger)
      let old = try firstSchema(of: project)
      try project.files.write(old, to: TriageProject.recordings)
      try project.writeOldLedger()
      #expect(try await project.sluice("run").exitCode == 0)
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
      let outcome = try await project.sluice("recordings", "migrate")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output == """
          datasets/triage/recordings/server.jsonl: 4 recordings migrated, \
          \(old.utf8.count) → \(current.utf8.count) bytes

          """
      )
      #expect(try project.files.read(TriageProject.recordings) == current)
      #expect(try project.files.read(TriageProject.ledger) == ledger)
      #expect(try await project.sluice("recordings", "verify").exitCode == 0)
      #expect(try await project.sluice("run").exitCode == 0)
      let again = try await project.sluice("recordings", "migrate")
      #expect(again.exitCode == 0)
      #expect(again.output == "Nothing to migrate.\n")
    }
  }

  @Test("A file with a damaged line is not migrated")
  func migrateDamaged() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let old = try firstSchema(of: project).replacing("Thanks!", with: "Thanks?")
      try project.files.write(old, to: TriageProject.recordings)
      let outcome = try await project.sluice("recordings", "migrate")
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(
        outcome.error.contains(
          "the recording was changed after it was recorded: its digest does not match"
        )
      )
      #expect(try project.files.read(TriageProject.recordings) == old)
    }
  }

  /// The recordings as version 0.1.0 wrote them: without a frame, and with less information to
  /// explain a miss.
  private func firstSchema(of project: TriageProject) throws -> String {
    let lines = try project.lines(TriageProject.recordings)
    let frame = try #require(lines.first { $0["part"] != nil && $0.value(at: "value.api") != nil })
    let source = try #require(
      lines.first { $0["part"] != nil && $0.value(at: "value.recorder") != nil }?["value"]
    )
    return try project.exchanges(TriageProject.recordings).map { line in
      var object = try #require(line.object)
      var response = try #require(object["response"]?.object)
      response["headers"] = source["headers"]
      object["response"] = .object(response)
      object["source"] = nil
      let digest = object["digest"]
      object["digest"] = nil
      for name in ["answered-by", "recorder"] { object[name] = source[name] }
      object["digest"] = digest
      var hints = try #require(object["hints"]?.object)
      var body = try #require(frame.value(at: "value.body")?.object)
      let messages: JSONValue = try #require(line.value(at: "request.messages"))
      body["messages"] = messages
      var request: JSONObject = [:]
      for name in ["backend", "api", "model"] {
        let value: JSONValue = try #require(frame.value(at: "value.\(name)"))
        request[name] = value
      }
      request["body"] = .object(body)
      hints["input-digest"] = nil
      for name in ["suite", "prompt"] { hints[name] = source[name] }
      hints["prompt-digest"] = "11e21f5992cde313"
      object["schema"] = 1
      object["hints"] = .object(hints)
      object["request"] = .object(request)
      return TriageProject.sealed(String(decoding: JSONWriter.line(.object(object)), as: UTF8.self))
    }.joined(separator: "\n") + "\n"
  }
}
