import Foundation
import Sluice
import Testing
import TestSupport

@Suite("The line that a live run shows in a terminal")
struct LiveLineTests {
  /// Runs a command whose server fails once and then stops answering until a test has seen enough.
  private func watch(
    columns: Int,
    _ arguments: [String] = ["run", "--live"],
    _ look: (PseudoTerminal) async throws -> Void
  ) async throws -> (outcome: ChildProcess.Outcome, terminal: PseudoTerminal) {
    var result: (ChildProcess.Outcome, PseudoTerminal)?
    try await TriageProject.with { project in
      try project.write(caseCount: 12)
      let (count, isSeen) = (Locked(0), Locked(false))
      project.server.answer { _, message in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 3 { throw TriageProject.Failure() }
        while number > 5, !isSeen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        return TriageProject.Server.usual(message)
      }
      let terminal = try PseudoTerminal(columns: columns)
      var sluice = project.sluice
      sluice.environment["SLUICE_PROGRESS"] = "on"
      sluice.terminal = terminal
      let command = try sluice.start(arguments)
      try await look(terminal)
      isSeen.withLock { $0 = true }
      result = (try await command.outcome(), terminal)
    }
    return try #require(result)
  }

  @Test("The line shows progress, speed, cost, lost answers and the time left")
  func line() async throws {
    let form = #/triage  5 of 12 · \d+(\.\d+)?/s · \$0\.\d+ · 1 lost · \d+ (s|min) left/#
    let (outcome, terminal) = try await watch(columns: 80) { terminal in
      try await wait("the line") { terminal.everShown.contains { $0.wholeMatch(of: form) != nil } }
      #expect(terminal.screen.count == 1)
    }
    // The suite would pass even if the lost answer were wrong.
    #expect(outcome.exitCode == 0)
    // The line is removed at the end, so that the screen shows the same text as a log.
    #expect(terminal.screen == [""])
  }

  @Test("record shows the same line", arguments: [80, 120])
  func record(columns: Int) async throws {
    let form = #/triage  5 of 12 · \d+(\.\d+)?/s · \$0\.\d+ · 1 lost · \d+ (s|min) left/#
    let (_, terminal) = try await watch(columns: columns, ["record"]) { terminal in
      try await wait("the line") { terminal.everShown.contains { $0.wholeMatch(of: form) != nil } }
    }
    #expect(terminal.everShown.allSatisfy { $0.count <= columns })
  }

  @Test("In a narrow terminal, the line omits its least important parts instead of wrapping")
  func narrow() async throws {
    let (_, terminal) = try await watch(columns: 30) { terminal in
      try await wait("the line") {
        terminal.everShown.contains { $0 == "triage  5 of 12 · 1 lost" }
      }
    }
    #expect(terminal.everShown.allSatisfy { $0.count <= 30 })
  }
}
