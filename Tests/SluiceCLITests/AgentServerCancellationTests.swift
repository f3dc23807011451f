import Foundation
import Sluice
import Testing
import TestSupport

@Suite("sluice mcp: cancelled calls", .timeLimit(.minutes(5)))
struct AgentServerCancellationTests {
  /// A running server that reads messages when the test sends them.
  private struct Session {
    private let input: FileHandle
    let process: ChildProcess

    init(_ project: TriageProject, _ options: String...) throws {
      let pipe = project.files.folder.appending(path: "input").path
      guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.EIO) }
      var sluice = project.sluice
      sluice.launcher = ["sh", "-c", "exec \"$@\" < input", "sh"]
      process = try sluice.start(["mcp"] + options)
      // With both access modes, opening the pipe does not wait for the server to open it.
      input = try #require(FileHandle(forUpdatingAtPath: pipe))
      try send(AgentServerTests.hello)
    }

    func send(_ lines: String...) throws {
      try input.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    func end() throws { try input.close() }

    /// The ids of the requests that were answered so far.
    func answered() throws -> [Int] {
      try process.outputSoFar.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .compactMap { try JSONReader.value(String($0))["id"]?.integer }
    }
  }

  private static func cancel(_ id: Int) -> String {
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
  }

  /// Runs a test with a model's server that answers only once the gate is open.
  private func withWaitingServer(
    _ body: (TriageProject, Session, Locked<Bool>) async throws -> Void
  ) async throws {
    try await TriageProject.with { project in
      let gate = Locked(false)
      project.server.answer { _, message in
        while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        return TriageProject.Server.usual(message)
      }
      try await body(project, try Session(project, "--allow-live"), gate)
    }
  }

  @Test("After a cancellation, a live call sends no further request and the next call runs")
  func live() async throws {
    try await withWaitingServer { project, session, gate in
      try session.send(AgentServerTests.call(1, "run", #"{"live":true}"#))
      // Two of the four requests are in flight.
      try await wait("two requests") { project.server.asked.count == 2 }
      try session.send(Self.cancel(1), AgentServerTests.call(2, "validate"))
      // The answer arrives although the server still delays the first two.
      try await wait("the next answer") { try session.answered().contains(2) }
      gate.withLock { $0 = true }
      try session.end()
      let outcome = try await session.process.outcome()
      #expect(outcome.exitCode == 0, "\(outcome.error)")
      #expect(try session.answered() == [0, 2])
      #expect(project.server.asked.count == 2)
    }
  }

  @Test("A call that is cancelled while it waits does not run")
  func waiting() async throws {
    try await withWaitingServer { project, session, gate in
      let call = #"{"live":true}"#
      try session.send(AgentServerTests.call(1, "run", call), AgentServerTests.call(2, "run", call))
      try await wait("two requests") { project.server.asked.count == 2 }
      try session.send(Self.cancel(2), #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
      try await wait("the ping") { try session.answered().contains(3) }
      gate.withLock { $0 = true }
      try session.end()
      #expect(try await session.process.outcome().exitCode == 0)
      #expect(try session.answered() == [0, 3, 1])
      #expect(project.server.asked.count == 4)
    }
  }

  /// Records its process number, and hangs at the first line until it is killed.
  private static let hang = """
    echo $$ >> ../../starts
    trap '' TERM INT
    read -r line
    while :; do sleep 0.01; done

    """

  /// Runs a test while a tool call waits for the program of a scorer.
  private func withHangingCall(_ body: (TriageProject, Session) async throws -> Void) async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.write(Self.hang, to: "prompts/triage/score.sh")
      try project.files.edit(
        TriageProject.suite,
        replacing: "gates:",
        with: """
            - exec: {command: [sh, score.sh], fingerprint: [score.sh], timeout: 600, max-in-flight: 1}
          gates:
          """
      )
      let session = try Session(project)
      try session.send(AgentServerTests.call(1, "run"))
      try await wait("the program") {
        guard project.exists("starts") else { return false }
        return try project.files.read("starts").hasSuffix("\n")
      }
      try await body(project, session)
      let processes = try project.files.read("starts").split(separator: "\n")
        .compactMap { pid_t($0) }
      #expect(processes.count == 1)
      #expect(processes.allSatisfy { kill($0, 0) != 0 })
    }
  }

  @Test(
    "SIGTERM and Ctrl-C cancel the running call, end its programs and end the server with 130",
    arguments: [SIGTERM, SIGINT],
    [false, true]
  )
  func signals(signal: CInt, inputEnds: Bool) async throws {
    try await withHangingCall { _, session in
      // A waiting call does not run either.
      try session.send(AgentServerTests.call(2, "validate"))
      try session.send(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
      try await wait("the ping") { try session.answered().contains(3) }
      if inputEnds { try session.end() }
      session.process.send(signal)
      let outcome = try await session.process.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.error == "sluice: interrupted\n")
      #expect(try session.answered() == [0, 3], "\(outcome.output)")
    }
  }

  @Test("SIGTERM ends an idle server with 130")
  func idle() async throws {
    try await TriageProject.with { project in
      let session = try Session(project)
      try await wait("the answer") { try session.answered() == [0] }
      session.process.send(SIGTERM)
      let outcome = try await session.process.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.error == "sluice: interrupted\n")
    }
  }

  @Test("A cancellation ends the program of a scorer")
  func program() async throws {
    try await withHangingCall { _, session in
      try session.send(Self.cancel(1), AgentServerTests.call(2, "validate"))
      try await wait("the next answer") { try session.answered().contains(2) }
      try session.end()
      #expect(try await session.process.outcome().exitCode == 0)
      #expect(try session.answered() == [0, 2])
    }
  }
}
