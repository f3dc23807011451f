package import SluiceSupport

/// A backend that sends failed requests again, if a retry can help.
///
/// The full length of a wait grows exponentially. The actual wait is a random time between half and
/// all of the full length. So requests that failed together are not sent again together. If the
/// server requests a longer wait, that wait is used instead.
package struct RetryingBackend: Backend {
  private let base: any Backend
  private let retries: Int
  private let limit: Duration?
  private let clock: Clock
  private let meter: Meter?

  /// The full length of the first wait.
  static let firstWait = Duration.milliseconds(500)
  /// The maximum to which waits grow.
  static let longestWait = Duration.seconds(30)
  /// The maximum wait that a server may request.
  ///
  /// If the server requests a longer wait, there is no retry.
  static let longestAsked = Duration.seconds(120)

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: The backend that sends the requests.
  ///   - retries: The maximum number of retries.
  ///   - limit: The time limit of a request with all its retries, not counting the time in the
  ///     queue; nil for no limit.
  ///   - clock: The source of time and delays.
  ///   - meter: Gives the time after which waiting is useless; nil for no limit.
  package init(
    _ base: any Backend,
    retries: Int,
    limit: Duration? = nil,
    clock: Clock = .real,
    meter: Meter? = nil
  ) {
    self.base = base
    self.retries = retries
    self.limit = limit
    self.clock = clock
    self.meter = meter
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    var statistics = SendStatistics()
    let requestClock = limit.map { RequestClock($0, clock) }
    while true {
      let start = clock.now()
      do throws(BackendError) {
        var exchange = try await attempt(request, requestClock)
        statistics.queued += exchange.statistics.queued
        exchange.statistics = statistics
        exchange.addTried(statistics)
        return exchange
      } catch {
        let took = clock.now() - start
        statistics.queued += error.statistics.queued
        var failure = FailedAttempt(
          kind: error.kind,
          status: error.status,
          took: max(0, took.milliseconds - error.statistics.queued),
          backOff: 0
        )
        guard let wait = wait(after: error, failures: statistics.failures.count, requestClock)
        else {
          var last = error
          last.statistics = statistics
          if !statistics.failures.isEmpty {
            last.message += " (attempt \(statistics.failures.count + 1))"
          }
          throw last
        }
        failure.backOff = wait.milliseconds
        statistics.failures.append(failure)
        await clock.sleep(wait)
        if Task.isCancelled {
          var cancelled = BackendError(.cancelled, "the request was cancelled")
          cancelled.statistics = statistics
          throw cancelled
        }
      }
    }
  }

  /// Returns the wait before the next attempt; nil if the request is not sent again.
  private func wait(after error: BackendError, failures: Int, _ requestClock: RequestClock?)
    -> Duration?
  {
    guard error.canRetry, failures < retries, !Task.isCancelled else { return nil }
    if error.mayRetryAtOnce, failures == 0 { return .zero }
    if let asked = error.retryAfter, asked > Self.longestAsked { return nil }
    let grown = min(Self.firstWait * (1 << min(failures, 20)), Self.longestWait)
    let wait = max(grown * (0.5 + clock.random() / 2), error.retryAfter ?? .zero)
    if let requestClock, wait >= requestClock.rest { return nil }
    // After this wait, the budget would not allow another request.
    if let left = meter?.timeLeft, wait >= left { return nil }
    return wait
  }

  private func attempt(_ request: ModelRequest, _ requestClock: RequestClock?)
    async throws(BackendError) -> Exchange
  {
    guard let requestClock else { return try await base.send(request) }
    let base = base
    // The task that finishes first determines the result. The other task is cancelled.
    let first = await withTaskGroup(of: Result<Exchange, BackendError>?.self) { group in
      group.addTask {
        await QueueClock.$current.withValue(requestClock.queue) {
          do throws(BackendError) {
            return .success(try await base.send(request))
          } catch {
            return .failure(error)
          }
        }
      }
      group.addTask {
        await requestClock.runOut()
        return nil
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
    if let first { return try first.get() }
    var error = BackendError(
      .timedOut,
      "there was no answer within the 'total-timeout' of the backend",
      canRetry: false
    )
    if Task.isCancelled { error = BackendError(.cancelled, "the request was cancelled") }
    error.statistics.queued = requestClock.queued.milliseconds
    throw error
  }
}

/// A clock for a request with all its retries, not counting the time in the queue.
private struct RequestClock: Sendable {
  let queue = QueueClock()
  private let limit: Duration
  private let clock: Clock
  private let start: Duration

  init(_ limit: Duration, _ clock: Clock) {
    self.limit = limit
    self.clock = clock
    start = clock.now()
  }

  /// The time that the request spent in the queue.
  var queued: Duration { queue.waited(clock.now()) }

  /// The time that is left.
  var rest: Duration {
    let now = clock.now()
    return limit - (now - start - queue.waited(now))
  }

  /// Waits until no time is left, or until the task is cancelled.
  func runOut() async {
    while !Task.isCancelled {
      let rest = rest
      if rest <= .zero { return }
      await clock.sleep(rest)
    }
  }
}

extension Exchange {
  /// Adds the time of the failed attempts to the user's time, because a user would have waited for
  /// them, too.
  fileprivate mutating func addTried(_ statistics: SendStatistics) {
    if statistics.failures.isEmpty { return }
    let timings = response.waitedFor
    guard let own = timings.user ?? timings.total else { return }
    let user = statistics.failures.reduce(own) { $0 + $1.took }
    response.timings.user = user
    answer?.timings.user = user
  }
}
