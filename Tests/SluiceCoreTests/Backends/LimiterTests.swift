import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Limiter", .timeLimit(.minutes(5)))
struct LimiterTests {
  private let busy = BackendError(.rateLimited, "busy", status: 429)

  private func enter(_ limiter: Limiter) async throws -> Limiter.Place {
    try #require(await limiter.enter())
  }

  private func untilWaiting(_ count: Int, _ limiter: Limiter) async {
    while limiter.waitingCount != count { await Task.yield() }
  }

  // MARK: Limits

  @Test("Refusals of requests that ran at the same time halve the limit once")
  func halving() async throws {
    let limiter = Limiter(maximum: 8, clock: TestClock().clock)
    var places: [Limiter.Place] = []
    for _ in 0..<8 { places.append(try await enter(limiter)) }
    for place in places.dropLast() {
      limiter.leave(place, after: busy)
      #expect(limiter.limit == 4)
    }
    // This one was sent after the first refusal.
    let later = try await enter(limiter)
    limiter.leave(later, after: busy)
    #expect(limiter.limit == 2)
    try limiter.leave(#require(places.last), after: busy)
    #expect(limiter.limit == 2)
    for limit in [1, 1, 1] {
      limiter.leave(try await enter(limiter), after: busy)
      #expect(limiter.limit == limit)
    }
  }

  @Test("A full round of answers raises the limit by one, up to the maximum")
  func growth() async throws {
    let limiter = Limiter(maximum: 4, clock: TestClock().clock)
    for _ in 0..<2 { limiter.leave(try await enter(limiter), after: busy) }
    var trace: [Int] = []
    for _ in 0..<12 {
      limiter.leave(try await enter(limiter), after: nil)
      trace.append(limiter.limit)
    }
    #expect(trace == [2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4])
  }

  @Test(
    "Only an answer that the server is busy lowers the limit",
    arguments: [
      (BackendError.Kind.rateLimited, 429, 4), (.serverError, 503, 4), (.serverError, 500, 8),
      (.timedOut, nil, 8), (.noConnection, nil, 8), (.invalidRequest, 400, 8), (.cancelled, nil, 8),
      (.quotaSpent, 429, 8),
    ] as [(BackendError.Kind, Int?, Int)]
  )
  func kinds(kind: BackendError.Kind, status: Int?, limit: Int) async throws {
    let limiter = Limiter(maximum: 8, clock: TestClock().clock)
    limiter.leave(try await enter(limiter), after: BackendError(kind, "no", status: status))
    #expect(limiter.limit == limit)
  }

  // MARK: Waiting

  @Test("Requests beyond the limit wait, and are served in order")
  func order() async throws {
    let limiter = Limiter(maximum: 1, clock: TestClock().clock)
    let first = try await enter(limiter)
    let served = Locked<[Int]>([])
    var tasks: [Task<Void, Never>] = []
    for number in 0..<5 {
      tasks.append(
        Task {
          guard let place = await limiter.enter() else { return }
          served.withLock { $0.append(number) }
          limiter.leave(place, after: nil)
        }
      )
      await untilWaiting(number + 1, limiter)
    }
    #expect(served.withLock { $0 } == [])
    limiter.leave(first, after: nil)
    for task in tasks { await task.value }
    #expect(served.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  @Test("A request that is cancelled while waiting gets no place and takes none from others")
  func cancelled() async throws {
    let limiter = Limiter(maximum: 1, clock: TestClock().clock)
    let first = try await enter(limiter)
    let leaving = Task { await limiter.enter() }
    await untilWaiting(1, limiter)
    let staying = Task { await limiter.enter() }
    await untilWaiting(2, limiter)
    leaving.cancel()
    #expect(await leaving.value == nil)
    limiter.leave(first, after: nil)
    let place = try #require(await staying.value)
    limiter.leave(place, after: nil)
    // A request that was cancelled earlier does not even wait.
    let late = try await enter(limiter)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await limiter.enter()
    }
    task.cancel()
    #expect(await task.value == nil)
    limiter.leave(late, after: nil)
  }

  @Test("If the server asks for a pause, no request is sent until it is over")
  func pause() async throws {
    let time = TestClock(.byHand)
    let limiter = Limiter(maximum: 4, clock: time.clock)
    var error = busy
    error.retryAfter = .seconds(2)
    limiter.leave(try await enter(limiter), after: error)
    let next = Task { await limiter.enter() }
    await time.untilAsleep(1)
    let given = Task { await limiter.enter() }
    await time.untilAsleep(2)
    // A request that is cancelled meanwhile gives its place back.
    given.cancel()
    #expect(await given.value == nil)
    time.advance(by: .seconds(2))
    limiter.leave(try #require(await next.value), after: nil)
    for _ in 0..<2 { _ = try await enter(limiter) }
    #expect(limiter.limit == 2)
  }

  @Test("A pause of more than two minutes delays only its own request")
  func longPause() async throws {
    let time = TestClock(.byHand)
    let limiter = Limiter(maximum: 4, clock: time.clock)
    for (wait, canRetry) in [(121, true), (5, false)] {
      let error = BackendError(.serverError, "no", retryAfter: .seconds(wait), canRetry: canRetry)
      limiter.leave(try await enter(limiter), after: error)
    }
    limiter.leave(try await enter(limiter), after: nil)
    #expect(time.waits == [])
  }

  @Test("With many refused and cancelled requests, none is lost and the limit is never exceeded")
  func stress() async {
    let limiter = Limiter(maximum: 5, clock: TestClock().clock)
    let state = Locked((underWay: 0, most: 0, served: 0))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2_000 {
        group.addTask {
          let task = Task {
            guard let place = await limiter.enter() else { return }
            state.withLock { state in
              state.underWay += 1
              state.most = max(state.most, state.underWay)
            }
            await Task.yield()
            state.withLock { state in
              state.underWay -= 1
              state.served += 1
            }
            let error = BackendError(.rateLimited, "busy")
            limiter.leave(place, after: number % 7 == 0 ? error : nil)
          }
          if number % 3 == 0 { task.cancel() }
          await task.value
        }
      }
    }
    let (underWay, most, served) = state.withLock { $0 }
    #expect(underWay == 0)
    #expect(most <= 5)
    #expect(served >= 1_333)
    #expect(limiter.waitingCount == 0)
  }

  // MARK: The backend

  @Test("The time in the queue is measured separately from the answer time")
  func queued() async throws {
    let time = TestClock(.byHand)
    let base = ClosureBackend { request, number throws(BackendError) in
      if number == 0 { await time.clock.sleep(.milliseconds(40)) }
      if number == 1 { throw BackendError(.serverError, "no") }
      return .answered(request)
    }
    let backend = LimitedBackend(base, maximum: 1, clock: time.clock)
    let first = Task { try await backend.send(.fixture()) }
    await time.untilAsleep(1)
    let second = Task { try await backend.send(.fixture()) }
    while backend.waitingCount < 1 { await Task.yield() }
    time.advance(by: .milliseconds(40))
    #expect(try await first.value.statistics.queued == 0)
    let error = try await #require(throws: BackendError.self) { _ = try await second.value }
    #expect(error.statistics.queued == 40)
    #expect(error.kind == .serverError)
  }
}
