import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Retrying backend", .timeLimit(.minutes(5)))
struct RetryingBackendTests {
  private func failure(
    _ kind: BackendError.Kind = .serverError,
    after wait: Duration? = nil,
    canRetry: Bool? = nil
  ) -> BackendError {
    BackendError(kind, "no", status: 500, retryAfter: wait, canRetry: canRetry)
  }

  /// Returns the result of a request to a backend that fails a number of times before it answers.
  private func send(
    failures: Int,
    of error: BackendError,
    retries: Int,
    _ time: TestClock
  ) async -> (result: Result<Exchange, BackendError>, count: Int) {
    let base = ClosureBackend { request, number throws(BackendError) in
      time.advance(by: .milliseconds(10))
      if number < failures { throw error }
      return .answered(request)
    }
    let backend = RetryingBackend(base, retries: retries, clock: time.clock)
    do throws(BackendError) {
      return (.success(try await backend.send(.fixture())), base.requests.count)
    } catch {
      return (.failure(error), base.requests.count)
    }
  }

  @Test("Waits double up to a maximum, and each is randomly shortened by up to a half")
  func waits() async {
    let time = TestClock(chances: [0, 0.5])
    let (result, count) = await send(failures: 20, of: failure(), retries: 8, time)
    #expect(
      time.waits.map(\.milliseconds) == [250, 750, 1_000, 3_000, 4_000, 12_000, 15_000, 22_500]
    )
    #expect(count == 9)
    #expect(throws: BackendError.self) { try result.get() }
  }

  @Test("If an error only needs a new connection, the first retry happens at once")
  func atOnce() async {
    let time = TestClock(chances: [0])
    var error = failure(.brokenAnswer)
    error.mayRetryAtOnce = true
    let (result, count) = await send(failures: 2, of: error, retries: 3, time)
    #expect(time.waits.map(\.milliseconds) == [0, 500])
    #expect(count == 3)
    #expect(throws: Never.self) { try result.get() }
    let none = TestClock()
    #expect(await send(failures: 1, of: error, retries: 0, none).count == 1)
  }

  @Test("A requested wait is used only if it is longer than the backoff")
  func askedWaits() async {
    for (asked, waited) in [(Duration.seconds(7), 7_000.0), (.milliseconds(1), 250), (.zero, 250)] {
      let time = TestClock()
      _ = await send(failures: 1, of: failure(.rateLimited, after: asked), retries: 3, time)
      #expect(time.waits.map(\.milliseconds) == [waited])
    }
  }

  @Test("If the server requests more than two minutes, the request fails without a wait")
  func longWait() async {
    let time = TestClock()
    let error = failure(.rateLimited, after: .seconds(121))
    let (result, count) = await send(failures: 1, of: error, retries: 3, time)
    #expect(time.waits == [])
    #expect(count == 1)
    #expect(throws: error) { try result.get() }
  }

  @Test(
    "Only temporary errors are retried",
    arguments: BackendError.Kind.allCases
  )
  func neverRetried(kind: BackendError.Kind) async {
    let time = TestClock()
    let error = BackendError(kind, "no")
    let (result, count) = await send(failures: 1, of: error, retries: 3, time)
    let mayPass: Set<BackendError.Kind> = [
      .noConnection, .timedOut, .rateLimited, .serverError, .brokenAnswer,
    ]
    #expect(count == (mayPass.contains(kind) ? 2 : 1))
    if !mayPass.contains(kind) { #expect(throws: error) { try result.get() } }
    let (_, stopped) = await send(
      failures: 1,
      of: failure(kind, canRetry: false),
      retries: 3,
      time
    )
    #expect(stopped == 1)
  }

  @Test("Without retries, a request is sent once, and the error mentions no attempts")
  func noRetries() async {
    let (result, count) = await send(failures: 1, of: failure(), retries: 0, TestClock())
    #expect(count == 1)
    #expect(throws: failure()) { try result.get() }
  }

  @Test("An answer lists the failed attempts and the time that a user would have waited")
  func statistics() async throws {
    let time = TestClock()
    let (result, _) = await send(failures: 2, of: failure(), retries: 3, time)
    let exchange = try result.get()
    #expect(
      exchange.statistics
        == SendStatistics(failures: [
          FailedAttempt(kind: .serverError, status: 500, took: 10, backOff: 250),
          FailedAttempt(kind: .serverError, status: 500, took: 10, backOff: 500),
        ])
    )
    // The waits in between are caused by the harness.
    #expect(exchange.answer?.timings.user == 120)
    #expect(exchange.response.timings.user == 120)
    #expect(exchange.answer?.timings.total == 100)
    let (first, _) = await send(failures: 0, of: failure(), retries: 3, time)
    #expect(try first.get().answer?.timings.user == nil)
    #expect(try first.get().statistics == SendStatistics())
  }

  @Test("The last error says which attempt it was, and lists the earlier attempts")
  func lastError() async throws {
    let (result, _) = await send(failures: 9, of: failure(), retries: 2, TestClock())
    let error = try #require(throws: BackendError.self) { try result.get() }
    #expect(error.message == "no (attempt 3)")
    #expect(error.kind == .serverError)
    #expect(error.statistics.failures.map(\.backOff) == [250, 500])
  }

  @Test("The time in the queue is not part of the time of an attempt")
  func queued() async throws {
    let time = TestClock()
    let base = ClosureBackend { request, number throws(BackendError) in
      time.advance(by: .milliseconds(50))
      if number == 0 {
        var error = BackendError(.serverError, "no")
        error.statistics.queued = 30
        throw error
      }
      var exchange = Exchange.answered(request)
      exchange.statistics.queued = 40
      return exchange
    }
    let exchange = try await RetryingBackend(base, retries: 1, clock: time.clock).send(.fixture())
    #expect(exchange.statistics.queued == 70)
    #expect(exchange.statistics.failures.map(\.took) == [20])
    #expect(exchange.answer?.timings.user == 120)
  }

  @Test("The user's time includes the time of a fallback")
  func fellBack() async throws {
    let time = TestClock()
    let base = ClosureBackend { request, number throws(BackendError) in
      time.advance(by: .milliseconds(50))
      if number == 0 { throw BackendError(.serverError, "no") }
      var exchange = Exchange.answered(request)
      exchange.response.fallback = StreamFallback(reason: .timedOut, milliseconds: 1_000)
      return exchange
    }
    let exchange = try await RetryingBackend(base, retries: 1, clock: time.clock).send(.fixture())
    #expect(exchange.response.timings.user == 1_150)
  }

  // MARK: Total timeout

  @Test("A request that exceeds the total timeout, including its retries, is given up")
  func totalTimeout() async throws {
    let time = TestClock(.byHand)
    let wasCancelled = Locked(false)
    let base = ClosureBackend { request, _ throws(BackendError) in
      await time.clock.sleep(.seconds(1_000))
      wasCancelled.withLock { $0 = Task.isCancelled }
      throw BackendError(.cancelled, "the request was cancelled")
    }
    let backend = RetryingBackend(base, retries: 3, limit: .seconds(2), clock: time.clock)
    let request = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(2)
    time.advance(by: .seconds(2))
    let error = try await #require(throws: BackendError.self) { _ = try await request.value }
    #expect(
      error
        == BackendError(
          .timedOut,
          "there was no answer within the 'total-timeout' of the backend",
          canRetry: false
        )
    )
    #expect(wasCancelled.withLock { $0 })
  }

  @Test("The time in the queue does not count toward the total timeout")
  func queueIsFree() async throws {
    let time = TestClock(.byHand)
    let base = ClosureBackend { request, _ throws(BackendError) in
      await time.clock.sleep(.seconds(3))
      return .answered(request)
    }
    let limited = LimitedBackend(base, maximum: 1, clock: time.clock)
    let backend = RetryingBackend(limited, retries: 0, limit: .seconds(4), clock: time.clock)
    let first = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(2)
    let second = Task { try await backend.send(.fixture()) }
    while limited.waitingCount < 1 { await Task.yield() }
    await time.untilAsleep(3)
    time.advance(by: .seconds(3))
    _ = try await first.value
    await time.untilAsleep(2)
    // Six seconds after the request began, three of which it waited.
    time.advance(by: .seconds(3))
    #expect(try await second.value.statistics.queued == 3_000)
  }

  @Test("A retry whose wait would exceed the time budget is not made")
  func noBudgetLeft() async throws {
    let time = TestClock()
    let meter = Meter(Budget(time: .seconds(2)), clock: time.clock)
    let base = ClosureBackend { _, _ throws(BackendError) in
      throw BackendError(.rateLimited, "no", retryAfter: .seconds(15))
    }
    let metered = MeteredBackend(base, meter)
    let limited = LimitedBackend(metered, maximum: 2, clock: time.clock, meter: meter)
    let backend = RetryingBackend(limited, retries: 3, clock: time.clock, meter: meter)
    await #expect(throws: BackendError.self) { try await backend.send(.fixture()) }
    #expect(time.now == .zero)
    // The next request waits until the budget ends, not for the whole pause of the server.
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error.kind == .budgetSpent)
    #expect(time.now == .seconds(2))
  }

  @Test("A retry that would begin after the total timeout is not made")
  func noTimeLeft() async throws {
    let time = TestClock(.byHand)
    let base = ClosureBackend { _, _ throws(BackendError) in throw BackendError(.serverError, "no")
    }
    let backend = RetryingBackend(base, retries: 3, limit: .milliseconds(200), clock: time.clock)
    await #expect(throws: BackendError(.serverError, "no")) { try await backend.send(.fixture()) }
    #expect(base.requests.count == 1)
  }

  // MARK: Cancellation

  @Test("A request that is cancelled while waiting sends nothing more")
  func cancelled() async throws {
    let time = TestClock(.byHand)
    let base = ClosureBackend { _, _ throws(BackendError) in throw BackendError(.serverError, "no")
    }
    let backend = RetryingBackend(base, retries: 3, clock: time.clock)
    let request = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(1)
    request.cancel()
    let error = try await #require(throws: BackendError.self) { _ = try await request.value }
    #expect(error.kind == .cancelled)
    #expect(error.statistics.failures.count == 1)
    #expect(base.requests.count == 1)
  }
}
