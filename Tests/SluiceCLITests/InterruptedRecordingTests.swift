import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

/// Tests of recordings that end early: answers received so far are kept, and the next recording
/// continues from them.
@Suite("sluice record: interrupted", .serialized)
struct InterruptedRecordingTests {
  private static let caseCount = 8
  /// The number of cases that are already recorded and accepted.
  private static let accepted = 2
  private static let inFlight = 2
  private static let missing = caseCount - accepted

  /// A project of eight cases, of which two are recorded and accepted.
  private func prepare(_ project: TriageProject) async throws {
    try project.write(caseCount: Self.accepted)
    try await project.record()
    try project.write(caseCount: Self.caseCount)
  }

  /// Waits until a condition is true, checking every millisecond, because another process makes it
  /// true.
  private func wait(until isTrue: () throws -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(60)
    while try !isTrue() {
      try #require(ContinuousClock.now < limit, "what was waited for never came")
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Returns the number of complete recordings in the journal, not counting lines of parts.
  private func recorded(_ project: TriageProject) -> Int {
    guard let text = try? project.files.read(TriageProject.pending) else { return 0 }
    return text.ranges(of: #""digest":""#).filter { range in
      text[range.upperBound...].dropFirst(64).hasPrefix("\"}\n")
    }.count
  }

  /// The messages that the journal has answers to.
  private func messages(_ project: TriageProject) throws -> [String] {
    guard project.exists(TriageProject.pending) else { return [] }
    // The text after the last line break is a partial line.
    let whole = try project.files.read(TriageProject.pending)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try whole.map { try JSONReader.value(Array($0.utf8)) }.filter { $0["key"] != nil }
      .map { line in
        try #require(line.value(at: "request.messages")?.array?.last?["content"]?.string)
      }
  }

  /// Expects an ended recording to have broken nothing and the next one to continue.
  private func checkAndFinish(_ project: TriageProject, committed: String) async throws {
    #expect(try project.files.read(TriageProject.recordings) == committed)
    let kept = try messages(project)
    let verify = try await project.sluice("recordings", "verify")
    #expect(verify.exitCode == 0)
    #expect(verify.error == "")
    let asked = project.server.asked
    project.server.answer { _, message in TriageProject.Server.usual(message) }
    let second = try await project.sluice("record")
    #expect(second.exitCode == 0)
    #expect(second.error == "")
    let askedAfter = project.server.asked.dropFirst(asked.count)
    let missing = Self.missing
    if kept.count == missing {
      #expect(second.output == "triage: no answer is missing\n")
    } else {
      #expect(
        second.output.hasPrefix(
          "triage: recorded \(missing - kept.count) of \(missing - kept.count) answer"
        )
      )
    }
    // No stored answer is requested again. Only requests in flight may be sent twice, and the
    // server may read requests of the killed program late.
    #expect((0...Self.inFlight).contains(askedAfter.count - (missing - kept.count)))
    #expect(Set(askedAfter).isDisjoint(with: kept))
    #expect(Set(askedAfter).intersection(asked).count <= Self.inFlight)
    #expect(Set(try messages(project)).count == missing)
    #expect(try project.exchanges(TriageProject.pending).count == missing)
    #expect(try project.files.read(TriageProject.recordings) == committed)
    try await project.must("recordings", "accept")
    #expect(try project.exchanges(TriageProject.recordings).count == Self.caseCount)
    let sets = try project.sets()
    #expect(sets.map { $0["state"]?.string } == ["accepted", "accepted"])
    #expect(sets.map { $0["exchanges"]?.integer } == [missing, Self.accepted])
    #expect(sets.map { $0["asked-again"]?.integer } == [0, 0])
    #expect(try await project.sluice("run").exitCode == 0)
    #expect(try await project.sluice("recordings", "verify").exitCode == 0)
  }

  @Test("If killed before the first answer, nothing is stored, and the next recording does it all")
  func killedBeforeTheFirst() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      project.server.answer { _, _ in
        try await Task.sleep(for: .seconds(600))
        throw TriageProject.Failure()
      }
      let command = try project.sluice.start(["record"])
      try await wait { !project.server.asked.isEmpty }
      command.kill()
      #expect(try await command.outcome().exitCode == SIGKILL)
      #expect(!project.exists(TriageProject.pending))
      try await checkAndFinish(project, committed: committed)
    }
  }

  @Test(
    "If killed with requests in flight, no stored answer is lost or requested again",
    arguments: 1..<missing
  )
  func killedInTheMiddle(_ count: Int) async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      let answered = Locked(0)
      // The server stops answering after `count` answers.
      project.server.answer { _, message in
        let mayAnswer = answered.withLock { answered in
          answered += 1
          return answered <= count
        }
        if !mayAnswer { try await Task.sleep(for: .seconds(600)) }
        return TriageProject.Server.usual(message)
      }
      let command = try project.sluice.start(["record"])
      try await wait { recorded(project) == count }
      command.kill()
      #expect(try await command.outcome().exitCode == SIGKILL)
      #expect(try messages(project).count == count)
      try await checkAndFinish(project, committed: committed)
    }
  }

  @Test(
    "If killed at any moment while answers arrive, nothing is broken or lost",
    arguments: 0...missing
  )
  func killedAnywhere(_ count: Int) async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      let command = try project.sluice.start(["record"])
      // Nothing pauses the program, so it is somewhere past this point when it is killed.
      try await wait { recorded(project) >= count || !command.isRunning }
      command.kill()
      _ = try await command.outcome()
      try await checkAndFinish(project, committed: committed)
    }
  }

  @Test("A partial line at the end of the journal is removed, and its answer is requested again")
  func halfALine() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      try await project.must("record")
      let journal = try project.files.read(TriageProject.pending)
      try project.files.write(String(journal.dropLast(100)), to: TriageProject.pending)
      project.server.forget()
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 0)
      #expect(verify.error == "")
      let second = try await project.sluice("record")
      #expect(second.exitCode == 0)
      #expect(second.output.hasPrefix("triage: recorded 1 of 1 answer,"))
      #expect(project.server.asked.count == 1)
      #expect(try project.exchanges(TriageProject.pending).count == Self.missing)
      #expect(try project.files.read(TriageProject.recordings) == committed)
    }
  }

  @Test("Ctrl-C ends a recording with code 130 and keeps the answers received so far")
  func interrupted() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      let answered = Locked(0)
      project.server.answer { _, message in
        let mayAnswer = answered.withLock { answered in
          answered += 1
          return answered <= 3
        }
        if !mayAnswer { try await Task.sleep(for: .seconds(600)) }
        return TriageProject.Server.usual(message)
      }
      let command = try project.sluice.start(["record"])
      try await wait { recorded(project) == 3 }
      command.interrupt()
      let outcome = try await command.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.error == "sluice: interrupted; the answers received so far were saved\n")
      #expect(outcome.output.hasPrefix("triage: recorded 3 of \(Self.missing) answers, cost $"))
      try await checkAndFinish(project, committed: committed)
    }
  }

  // MARK: Two at once

  @Test("While one recorder runs, a second one is refused")
  func two() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      let gate = Locked(false)
      project.server.answer { _, message in
        while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        return TriageProject.Server.usual(message)
      }
      let first = try project.sluice.start(["record"])
      try await wait { project.server.asked.count == Self.inFlight }
      let second = try await project.sluice("record")
      #expect(second.exitCode == 70)
      #expect(second.output == "")
      #expect(
        second.error == """
          sluice: error: another sluice process is using datasets/triage/recordings/server.jsonl
            fix: wait until it ends, then run the command again

          """
      )
      #expect(project.server.asked.count == Self.inFlight)
      gate.withLock { $0 = true }
      let outcome = try await first.outcome()
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      let count = Self.missing
      #expect(outcome.output.hasPrefix("triage: recorded \(count) of \(count) answers, cost $"))
      #expect(try project.exchanges(TriageProject.pending).count == Self.missing)
      #expect(try project.files.read(TriageProject.recordings) == committed)
      #expect(project.server.asked.count == Self.missing)
    }
  }

  @Test(
    "While a recording runs, its set cannot be accepted or rejected",
    arguments: ["accept", "reject"]
  )
  func closingWhileRecording(_ command: String) async throws {
    try await TriageProject.with { project in
      let gate = Locked(false)
      project.server.answer { _, message in
        if message != "Where is it?" {
          while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        }
        return TriageProject.Server.usual(message)
      }
      let first = try project.sluice.start(["record"])
      try await wait { recorded(project) == 1 }
      let second = try await project.sluice("recordings", command)
      #expect(second.exitCode == 70)
      #expect(
        second.error == """
          sluice: error: another sluice process is using datasets/triage/recordings/server.jsonl
            fix: wait until it ends, then run the command again

          """
      )
      gate.withLock { $0 = true }
      #expect(try await first.outcome().exitCode == 0)
      #expect(try project.exchanges(TriageProject.pending).count == 4)
    }
  }

  // MARK: Files that cannot be written

  @Test("On a full disk, recording stops with the reason and can continue later")
  func fullDisk() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let committed = try project.files.read(TriageProject.recordings)
      var sluice = project.sluice
      // A file size limit simulates a full disk.
      sluice.launcher = ["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"]
      let outcome = try await sluice("record")
      #expect(outcome.exitCode == 70)
      #expect(
        outcome.error
          == "sluice: datasets/triage/recordings/pending/server.jsonl: file too large\n"
      )
      #expect(project.server.asked.count < Self.missing)
      try await checkAndFinish(project, committed: committed)
    }
  }

  @Test(
    "If a folder cannot be created, nothing is sent and its path is printed",
    arguments: [
      ("datasets/triage/recordings/ledger", "datasets/triage/recordings/ledger/server.jsonl"),
      ("reports", "reports/locks"),
    ]
  )
  func noFolder(_ file: String, place: String) async throws {
    try await TriageProject.with { project in
      try project.files.write("in the way\n", to: file)
      let outcome = try await project.sluice("record")
      #expect(outcome.exitCode == 70)
      #expect(outcome.output == "")
      #expect(outcome.error == "sluice: \(place): not a directory\n")
      #expect(project.server.asked == [])
    }
  }

  @Test("If a folder is read-only, nothing is sent and no file changes")
  func readOnly() async throws {
    try await TriageProject.with { project in
      try await prepare(project)
      let manager = FileManager.default
      let folder = project.files.folder
      let (recordings, reports) = (
        folder.appending(path: "datasets/triage/recordings"), folder.appending(path: "reports")
      )
      var sluice = project.sluice
      if geteuid() == 0 {
        // The superuser can write everywhere, so the command runs as another user.
        sluice.launcher = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        try manager.removeItem(at: reports)
        try manager.createDirectory(at: reports, withIntermediateDirectories: true)
        try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: reports.path)
        let isAllowed = (try? await sluice("recordings", "verify"))?.exitCode == 0
        guard isAllowed else { return print("skipped: no other user can be tried here") }
      }
      let committed = try project.files.read(TriageProject.recordings)
      let ledger = try project.files.read(TriageProject.ledger)
      let folders = [recordings, recordings.appending(path: "ledger")]
      for url in folders {
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: url.path)
      }
      defer {
        for url in folders {
          try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
      }
      let outcome = try await sluice("record")
      #expect(outcome.exitCode == 70)
      #expect(outcome.output == "")
      #expect(
        outcome.error
          == "sluice: datasets/triage/recordings/ledger/server.jsonl: permission denied\n"
      )
      #expect(project.server.asked == [])
      #expect(try project.files.read(TriageProject.recordings) == committed)
      #expect(try project.files.read(TriageProject.ledger) == ledger)
      #expect(!project.exists(TriageProject.pending))
    }
  }

  @Test("If the journal cannot be created, recording stops after the first answers")
  func noJournal() async throws {
    try await TriageProject.with { project in
      try project.files.write("in the way\n", to: "datasets/triage/recordings/pending")
      let outcome = try await project.sluice("record")
      #expect(outcome.exitCode == 70)
      #expect(
        outcome.error
          == "sluice: datasets/triage/recordings/pending/server.jsonl: not a directory\n"
      )
      #expect(project.server.asked.count <= Self.inFlight)
      #expect(!project.exists(TriageProject.recordings))
    }
  }
}
