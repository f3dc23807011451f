import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

/// The retries in a run log.
@Suite("Attempts in the run log")
struct RunEffortTests {
  private func line(_ judged: JudgedTrial) throws -> JSONValue {
    try JSONReader.value(Array(RunLog.line(judged).dropLast()))
  }

  /// Returns the trial of the first case, answered after a number of failures.
  private func trial(
    failing failures: [BackendError],
    retries: Int = 3
  ) async throws -> JudgedTrial {
    let left = Locked(failures)
    let scripted = ScriptedBackend { _ throws(BackendError) in
      if let error = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
      return #"{"kind":"question"}"#
    }
    let backend = RetryingBackend(scripted, retries: retries, clock: .instant())
    var plan = try RecordingProject(caseCount: 1).plan()
    plan.backends[0].sending.maximumInFlight = 1
    return try #require(await Runner(plan).live(["server": backend]).first)
  }

  @Test("An immediate answer has no attempts in the log")
  func atOnce() async throws {
    let line = try line(try await trial(failing: []))
    #expect(line["attempts"] == nil)
    #expect(line["queued-ms"] == nil)
    #expect(line["error"] == nil)
  }

  @Test("Failed attempts are listed in order, each with the wait after it")
  func attempts() async throws {
    let failures = [
      BackendError(.rateLimited, "slow down", status: 429, retryAfter: .seconds(2)),
      BackendError(.noConnection, "there was no connection"),
    ]
    let judged = try await trial(failing: failures)
    #expect(judged.trial.outcome == .passed)
    #expect(
      try line(judged)["attempts"] == [
        ["kind": "rate-limited", "status": 429, "took-ms": 0, "back-off-ms": 2_000],
        ["kind": "no-connection", "took-ms": 0, "back-off-ms": 750],
      ]
    )
  }

  @Test("A lost trial lists the last error and the attempts before it")
  func lost() async throws {
    let error = BackendError(.serverError, "the server is broken", status: 503)
    let judged = try await trial(failing: [error, error, error], retries: 2)
    let last = BackendError(.serverError, "the server is broken (attempt 3)", status: 503)
    #expect(judged.trial.outcome == .lost(.noAnswer(last)))
    let line = try line(judged)
    #expect(line["reason"] == "the server is broken (attempt 3)")
    #expect(line["error"] == ["kind": "server-error", "status": 503])
    #expect(line["attempts"]?.array?.count == 2)
  }

  @Test("The time in the queue is logged from one millisecond on")
  func queue() async throws {
    var judged = try await trial(failing: [])
    judged.statistics.queued = 0.999
    #expect(try line(judged)["queued-ms"] == nil)
    judged.statistics.queued = 12.5
    #expect(try line(judged)["queued-ms"] == 12.5)
  }

  @Test("Attempts are read back from the log unchanged")
  func roundTrip() async throws {
    var judged = try await trial(failing: [])
    judged.statistics = SendStatistics(
      failures: [
        FailedAttempt(kind: .rateLimited, status: 429, took: 12.5, backOff: 300),
        FailedAttempt(kind: .timedOut, took: 60_000, backOff: 0),
      ],
      queued: 7
    )
    #expect(SendStatistics(json: try line(judged)) == judged.statistics)
    #expect(SendStatistics(json: [:]) == SendStatistics())
  }
}
