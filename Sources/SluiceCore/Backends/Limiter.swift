package import SluiceSupport

/// An adaptive concurrency limit for requests to a backend.
///
/// Each answer raises the limit by 1 divided by the limit. If the server rejects a request because
/// of overload, the limit is halved (additive increase, multiplicative decrease; Chiu and Jain
/// 1989).
final class Limiter: Sendable {
  private struct State {
    var limit: Double
    var underWay = 0
    /// The waiting requests, by ticket number.
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var order: [Int] = []
    var firstInOrder = 0
    var nextTicket = 0
    /// The end of a pause that the server requested.
    var pausedUntil: Duration?
    /// The number of times that the limit was halved.
    ///
    /// A request can halve the limit only if the limit was not halved after the request was sent.
    var round = 0
  }

  /// A slot for a request.
  struct Place: Sendable {
    fileprivate var round: Int
  }

  private let state: Locked<State>
  private let maximum: Double
  private let clock: Clock

  init(maximum: Int, clock: Clock) {
    self.maximum = Double(maximum)
    self.clock = clock
    state = Locked(State(limit: Double(maximum)))
  }

  /// The current limit.
  var limit: Int { state.withLock { Int($0.limit) } }

  /// The number of waiting requests.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits for a slot, and for the end of a pause that the server requested.
  ///
  /// - Parameter timeLeft: Returns the time after which waiting is useless; nil for no limit.
  /// - Returns: The slot; nil if the task was cancelled.
  func enter(timeLeft: () -> Duration? = { nil }) async -> Place? {
    guard await takePlace() else { return nil }
    while let until = state.withLock({ $0.pausedUntil }), until > clock.now() {
      let left = timeLeft()
      if let left, left <= .zero { break }
      let wait = until - clock.now()
      await clock.sleep(left.map { min($0, wait) } ?? wait)
      if Task.isCancelled {
        leave()
        return nil
      }
    }
    return Place(round: state.withLock { $0.round })
  }

  private func takePlace() async -> Bool {
    let ticket: Int? = state.withLock { state in
      if state.underWay < Int(state.limit) {
        state.underWay += 1
        return nil
      }
      state.nextTicket += 1
      return state.nextTicket
    }
    guard let ticket else { return true }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          // A slot may have become free in the meantime.
          if state.underWay < Int(state.limit) {
            state.underWay += 1
            return true
          }
          state.waiting[ticket] = continuation
          state.order.append(ticket)
          return nil
        }
        if let isTaken { continuation.resume(returning: isTaken) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: false)
    }
  }

  /// Releases a slot.
  ///
  /// - Parameters:
  ///   - place: The slot.
  ///   - error: The error; nil if there was an answer.
  func leave(_ place: Place, after error: BackendError?) {
    state.withLock { state in
      switch error?.kind {
      case nil: state.limit = min(maximum, state.limit + 1 / state.limit)
      case .rateLimited where place.round == state.round,
        .serverError where place.round == state.round && error?.status == 503:
        state.limit = max(1, state.limit / 2)
        state.round += 1
      default: break
      }
      if let wait = error?.retryAfter, error?.canRetry == true, wait <= RetryingBackend.longestAsked
      {
        state.pausedUntil = max(state.pausedUntil ?? .zero, clock.now() + wait)
      }
    }
    leave()
  }

  private func leave() {
    let next: [CheckedContinuation<Bool, Never>] = state.withLock { state in
      state.underWay -= 1
      var next: [CheckedContinuation<Bool, Never>] = []
      while state.underWay < Int(state.limit), state.firstInOrder < state.order.count {
        let ticket = state.order[state.firstInOrder]
        state.firstInOrder += 1
        // Skips requests that were cancelled while they waited.
        guard let waiting = state.waiting.removeValue(forKey: ticket) else { continue }
        state.underWay += 1
        next.append(waiting)
      }
      if state.firstInOrder > 1_024, state.firstInOrder * 2 > state.order.count {
        state.order.removeFirst(state.firstInOrder)
        state.firstInOrder = 0
      }
      return next
    }
    for waiting in next { waiting.resume(returning: true) }
  }
}

/// A backend with a concurrency limit.
///
/// It measures the time in the queue separately from the time of the answer.
package struct LimitedBackend: Backend {
  private let base: any Backend
  private let limiter: Limiter
  private let clock: Clock
  private let meter: Meter?

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: The backend that sends the requests.
  ///   - maximum: The maximum number of concurrent requests.
  ///   - clock: The source of time and delays.
  ///   - meter: Gives the time after which waiting is useless; nil for no limit.
  package init(_ base: any Backend, maximum: Int, clock: Clock = .real, meter: Meter? = nil) {
    self.base = base
    limiter = Limiter(maximum: maximum, clock: clock)
    self.clock = clock
    self.meter = meter
  }

  /// The current limit of concurrent requests.
  package var limit: Int { limiter.limit }

  /// The number of waiting requests.
  var waitingCount: Int { limiter.waitingCount }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let start = clock.now()
    let queueClock = QueueClock.current
    queueClock?.begin(start)
    guard let place = await limiter.enter(timeLeft: { meter?.timeLeft }) else {
      throw BackendError(.cancelled, "the request was cancelled")
    }
    queueClock?.end(clock.now())
    let queued = (clock.now() - start).milliseconds
    do throws(BackendError) {
      var exchange = try await base.send(request)
      limiter.leave(place, after: nil)
      exchange.statistics.queued += queued
      return exchange
    } catch {
      limiter.leave(place, after: error)
      var error = error
      error.statistics.queued += queued
      throw error
    }
  }
}
