import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Guarded backend", .timeLimit(.minutes(5)))
struct GuardedBackendTests {
  /// A backend whose requests get the results of a list, in order.
  private final class Script: Sendable {
    let time = TestClock()
    let ends = Locked<[BackendError.Kind?]>([])
    let backend: GuardedBackend
    let base: ClosureBackend

    init() {
      let ends = ends
      base = ClosureBackend { request, _ throws(BackendError) in
        let end = ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let end { throw BackendError(end, "it is \(end.rawValue)") }
        return .answered(request)
      }
      backend = GuardedBackend(base, name: "fast", clock: time.clock)
    }

    /// Returns the results of requests sent at an interval.
    func send(_ kinds: [BackendError.Kind?], every milliseconds: Int = 0) async
      -> [BackendError.Kind?]
    {
      var results: [BackendError.Kind?] = []
      for kind in kinds {
        ends.withLock { $0 = [kind] }
        do throws(BackendError) {
          _ = try await backend.send(.fixture())
          results.append(nil)
        } catch {
          results.append(error.kind)
        }
        time.advance(by: .milliseconds(milliseconds))
      }
      return results
    }
  }

  private func failures(_ kind: BackendError.Kind, _ count: Int) -> [BackendError.Kind?] {
    Array(repeating: kind, count: count)
  }

  @Test(
    "After five permanent failures, no more requests are sent",
    arguments: [
      BackendError.Kind.nameNotFound, .tls, .badCredentials, .quotaSpent, .missingKey,
    ]
  )
  func permanent(kind: BackendError.Kind) async {
    let script = Script()
    #expect(
      await script.send(failures(kind, 7)) == failures(kind, 5) + [.endpointDown, .endpointDown]
    )
    #expect(script.base.requests.count == 5)
    await #expect(
      throws: BackendError(
        .endpointDown,
        "not sent, because the last 5 requests to 'fast' failed: it is \(kind.rawValue)"
      )
    ) { try await script.backend.send(.fixture()) }
  }

  @Test("Five temporary failures stop requests only if they span five seconds")
  func transient() async {
    let short = Script()
    #expect(
      await short.send(failures(.noConnection, 20), every: 100).allSatisfy { $0 == .noConnection }
    )
    let long = Script()
    #expect(
      await long.send(failures(.noConnection, 6), every: 1_250)
        == failures(.noConnection, 5) + [.endpointDown]
    )
  }

  @Test(
    "Any answer from the server, even an error, resets the failure count",
    arguments: [nil, .serverError, .invalidRequest, .rateLimited] as [BackendError.Kind?]
  )
  func answered(kind: BackendError.Kind?) async {
    let script = Script()
    let ends = failures(.tls, 4) + [kind] + failures(.tls, 4)
    #expect(await script.send(ends) == ends)
    #expect(await script.send([.tls, nil]) == [.tls, .endpointDown])
  }

  @Test(
    "A cancellation, a timeout or a spent budget does not affect the failure count",
    arguments: [BackendError.Kind.cancelled, .timedOut, .budgetSpent]
  )
  func silent(kind: BackendError.Kind) async {
    let script = Script()
    _ = await script.send(failures(.tls, 4) + [kind, .tls])
    #expect(await script.send([nil]) == [.endpointDown])
  }

  @Test("After 30 seconds, one request tests whether the endpoint is up again")
  func halfOpen() async {
    let script = Script()
    _ = await script.send(failures(.tls, 5))
    script.time.advance(by: .milliseconds(29_999))
    #expect(await script.send([nil]) == [.endpointDown])
    script.time.advance(by: .milliseconds(1))
    #expect(await script.send([.tls, nil]) == [.tls, .endpointDown])
    script.time.advance(by: .seconds(30))
    #expect(await script.send([nil, .tls, nil]) == [nil, .tls, nil])
  }

  @Test("A late failure of an earlier request does not start a second test request")
  func lateFailure() async throws {
    let time = TestClock(.byHand)
    let base = ClosureBackend { request, number throws(BackendError) in
      // The first request hangs for a minute, and so does the seventh, the test request.
      if number == 0 || number == 6 { await time.clock.sleep(.seconds(60)) }
      if number == 0 { throw BackendError(.noConnection, "late") }
      if number < 6 { throw BackendError(.tls, "no") }
      return .answered(request)
    }
    let backend = GuardedBackend(base, name: "fast", clock: time.clock)
    let first = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(1)
    for _ in 0..<5 {
      await #expect(throws: BackendError.self) { try await backend.send(.fixture()) }
    }
    time.advance(by: .seconds(30))
    let trying = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(2)
    time.advance(by: .seconds(30))
    await #expect(throws: BackendError.self) { try await first.value }
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error.kind == .endpointDown)
    time.advance(by: .seconds(30))
    _ = try await trying.value
    #expect(base.requests.count == 7)
  }

  @Test("While the test request is running, no other request is sent")
  func oneTries() async throws {
    let time = TestClock(.byHand)
    let base = ClosureBackend { request, number throws(BackendError) in
      if number < 5 { throw BackendError(.tls, "no") }
      await time.clock.sleep(.seconds(1))
      return .answered(request)
    }
    let backend = GuardedBackend(base, name: "fast", clock: time.clock)
    for _ in 0..<5 {
      await #expect(throws: BackendError.self) { try await backend.send(.fixture()) }
    }
    time.advance(by: .seconds(30))
    let trying = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(1)
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error.kind == .endpointDown)
    time.advance(by: .seconds(1))
    _ = try await trying.value
    #expect(base.requests.count == 6)
  }
}
