import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

/// Tests of resumed live runs, which give the report of an uninterrupted run however the first part
/// ended.
@Suite("sluice run --live --resume", .serialized)
struct ResumedRunTests {
  private static let caseCount = 12
  private static let inFlight = 2

  /// The run logs, from oldest to newest.
  private func logs(_ project: TriageProject) throws -> [String] {
    let folder = project.files.folder.appending(path: "reports/runs")
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }.map { "reports/runs/\($0)" }
  }

  /// Returns the number of answered trials on complete lines of the newest log.
  private func answered(_ project: TriageProject) -> Int {
    guard let log = try? logs(project).last, let text = try? project.files.read(log) else {
      return 0
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .count { $0.contains("response-digest") }
  }

  /// Returns the report without durations, which differ between live runs.
  private func report(_ project: TriageProject) throws -> String {
    let json = try JSONReader.value(Array(project.files.read("reports/latest/report.json").utf8))
    return String(decoding: JSONWriter.line(timeless(json)), as: UTF8.self)
  }

  private func timeless(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.name != "timings" }
            .map { (name: $0.name, value: timeless($0.value)) }
        )
      )
    case .array(let values):
      .array(values.filter { $0["unit"] != "ms" }.map(timeless))
    default: json
    }
  }

  /// Returns the report of an uninterrupted run, and removes its files.
  private func unbroken(_ project: TriageProject) async throws -> String {
    try project.write(caseCount: Self.caseCount)
    try await project.must("run", "--live")
    let expected = try report(project)
    try FileManager.default.removeItem(at: project.files.folder.appending(path: "reports"))
    project.server.forget()
    return expected
  }

  /// Makes the server stop answering after a number of answers.
  private func silence(_ project: TriageProject, after count: Int) {
    let answered = Locked(0)
    project.server.answer { _, message in
      let mayAnswer = answered.withLock { answered in
        answered += 1
        return answered <= count
      }
      if !mayAnswer { try await Task.sleep(for: .seconds(600)) }
      return TriageProject.Server.usual(message)
    }
  }

  /// Resumes an interrupted run, and expects that nothing was lost, sent twice or changed.
  private func checkAndFinish(_ project: TriageProject, expected: String) async throws {
    let kept = answered(project)
    let asked = project.server.asked
    project.server.answer { _, message in TriageProject.Server.usual(message) }
    let outcome = try await project.sluice("run", "--live", "--resume")
    #expect(outcome.exitCode == 0)
    let lines = outcome.error.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("Resuming the run of ") == true)
    let answers = kept == 1 ? "1 answer" : "\(kept) answers"
    #expect(lines.last == "triage: \(answers) kept, \(Self.caseCount - kept) to request")
    // The server may read requests of the killed program late.
    let askedAfter = project.server.asked.count - asked.count
    #expect((0...Self.inFlight).contains(askedAfter - (Self.caseCount - kept)))
    #expect(try report(project) == expected)
    #expect(answered(project) == Self.caseCount)
    // Every trial now has an answer, so there is nothing left to resume.
    let again = try await project.sluice("run", "--live", "--resume")
    #expect(again.exitCode == 64)
    #expect(
      again.error == """
        sluice: error: no live run of this suite ended early, so there is nothing to resume
          fix: run without --resume: sluice run --live

        """
    )
  }

  @Test(
    "A run that is killed with requests in flight resumes to the report of an uninterrupted run",
    arguments: [0, 1, 2, 5, 10, 11]
  )
  func killed(_ count: Int) async throws {
    try await TriageProject.with { project in
      let expected = try await unbroken(project)
      silence(project, after: count)
      let command = try project.sluice.start(["run", "--live"])
      try await wait("the answers in the log") {
        answered(project) == count && project.server.asked.count > count
      }
      command.kill()
      #expect(try await command.outcome().exitCode == SIGKILL)
      #expect(answered(project) == count)
      try await checkAndFinish(project, expected: expected)
    }
  }

  @Test(
    "A run that is killed several times still resumes to the same report",
    arguments: [[1, 2, 3], [4, 4], [0, 6, 1, 1]]
  )
  func killedAgain(_ counts: [Int]) async throws {
    try await TriageProject.with { project in
      let expected = try await unbroken(project)
      var whole = 0
      for (index, count) in counts.enumerated() {
        silence(project, after: count)
        project.server.forget()
        let command = try project.sluice.start(
          ["run", "--live"] + (index == 0 ? [] : ["--resume"])
        )
        whole += count
        // If the server read a request only after the kill, that request would take an answer from
        // the next run.
        try await wait("the answers in the log") {
          answered(project) == whole && project.server.asked.count == count + Self.inFlight
        }
        command.kill()
        _ = try await command.outcome()
      }
      try await checkAndFinish(project, expected: expected)
    }
  }

  @Test("A partial line at the end of the log does not count as an answer")
  func halfALine() async throws {
    try await TriageProject.with { project in
      let expected = try await unbroken(project)
      silence(project, after: 4)
      let command = try project.sluice.start(["run", "--live"])
      try await wait("the answers in the log") { answered(project) == 4 }
      command.kill()
      _ = try await command.outcome()
      let log = try #require(try logs(project).last)
      try project.files.write(String(try project.files.read(log).dropLast(40)), to: log)
      #expect(answered(project) == 3)
      try await checkAndFinish(project, expected: expected)
    }
  }

  @Test(
    "SIGINT and SIGTERM keep the received answers and print the command to resume",
    arguments: [SIGINT, SIGTERM]
  )
  func interrupted(_ signal: Int32) async throws {
    try await TriageProject.with { project in
      let expected = try await unbroken(project)
      silence(project, after: 3)
      let command = try project.sluice.start(["run", "--live"])
      try await wait("the answers in the log") {
        answered(project) == 3 && project.server.asked.count > 3
      }
      command.send(signal)
      let outcome = try await command.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.output == "")
      #expect(
        outcome.error == """
          sluice: interrupted; the answers received so far were saved in reports/runs/
          Next: request the other answers:
            sluice run --live --resume

          """
      )
      #expect(!project.exists("reports/latest/report.json"))
      try await checkAndFinish(project, expected: expected)
    }
  }

  @Test("Only lost trials are sent again; a wrong answer is kept")
  func lostOnly() async throws {
    try await TriageProject.with { project in
      try project.write(caseCount: Self.caseCount)
      project.server.answer { _, message in
        if message.contains("7") { throw TriageProject.Failure() }
        return message.contains("3") ? #"{"kind":"other"}"# : TriageProject.Server.usual(message)
      }
      let first = try await project.sluice("run", "--live")
      #expect(first.exitCode == 3 || first.exitCode == 0)
      #expect(first.output.contains("sluice run triage --live --resume\n"))
      project.server.forget()
      project.server.answer { _, message in TriageProject.Server.usual(message) }
      let second = try await project.sluice("run", "--live", "--resume")
      #expect(second.exitCode == 0)
      #expect(project.server.asked == ["Number 7?"])
      #expect(second.output.contains("\nFailed, 1 case\n  case-3\n"))
      #expect(second.output.contains("1 request for 1 answer; "))
    }
  }

  @Test("Suites that had finished are kept completely")
  func severalSuites() async throws {
    try await TriageProject.with { project in
      try project.files.write(
        try project.files.read(TriageProject.suite).replacing("suite: triage", with: "suite: a"),
        to: "prompts/a/suite.yaml"
      )
      try project.files.write(try project.files.read(TriageProject.prompt), to: "prompts/a/v1.yaml")
      silence(project, after: 6)
      let command = try project.sluice.start(["run", "--live"])
      // If the server read a request only after the kill, it would count as a request of the next
      // run.
      try await wait("the answers in the log") {
        answered(project) == 2 && project.server.asked.count == 6 + Self.inFlight
      }
      command.kill()
      _ = try await command.outcome()
      project.server.forget()
      project.server.answer { _, message in TriageProject.Server.usual(message) }
      let outcome = try await project.sluice("run", "--live", "--resume")
      #expect(outcome.exitCode == 0)
      #expect(
        outcome.error.hasSuffix(
          "a: 4 answers kept, 0 to request\ntriage: 2 answers kept, 2 to request\n"
        )
      )
      #expect(project.server.asked.count == 2)
    }
  }

  @Test("A run that is still in progress cannot be resumed")
  func stillRunning() async throws {
    try await TriageProject.with { project in
      silence(project, after: 1)
      let command = try project.sluice.start(["run", "--live"])
      try await wait("the answers in the log") { answered(project) == 1 }
      let second = try await project.sluice("run", "--live", "--resume")
      #expect(second.exitCode == 70)
      let log = try #require(try logs(project).last)
      #expect(
        second.error == """
          sluice: error: the run is still in progress: \(log)
            fix: wait until it ends, or stop it with Ctrl-C

          """
      )
      command.kill()
      _ = try await command.outcome()
    }
  }
}
