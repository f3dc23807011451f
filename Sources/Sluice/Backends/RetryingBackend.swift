/// Sends a request again that failed, where that can help.
///
/// Waits grow exponentially and are cut by chance to between a half and the whole of that, so that
/// requests that failed together do not come back together; a server that says how long to wait is
/// obeyed.
package struct RetryingBackend: Backend {
  private let base: any Backend
  private let retries: Int
  private let limit: Duration?
  private let pace: Pace

  /// The first wait, at most.
  static let firstWait = Duration.milliseconds(500)
  /// The longest wait that grows.
  static let longestWait = Duration.seconds(30)
  /// The longest wait that a server may ask for.
  static let longestAsked = Duration.seconds(120)

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: What answers.
  ///   - retries: How often a request is sent again.
  ///   - limit: How long a request may take with all that is tried for it; nil for no limit.
  ///   - pace: What waiting goes by.
  package init(_ base: any Backend, retries: Int, limit: Duration? = nil, pace: Pace = .real) {
    self.base = base
    self.retries = retries
    self.limit = limit
    self.pace = pace
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    var effort = Effort()
    let deadline = limit.map { pace.now() + $0 }
    while true {
      let start = pace.now()
      do throws(BackendError) {
        var exchange = try await attempt(request, until: deadline)
        effort.queued += exchange.effort.queued
        exchange.effort = effort
        exchange.addTried(effort)
        return exchange
      } catch {
        let took = pace.now() - start
        effort.queued += error.effort.queued
        var failure = FailedAttempt(
          kind: error.kind,
          status: error.status,
          took: max(0, took.milliseconds - error.effort.queued),
          backOff: 0
        )
        guard let wait = wait(after: error, failures: effort.failures.count, until: deadline) else {
          var last = error
          last.effort = effort
          if !effort.failures.isEmpty {
            last.message += " (attempt \(effort.failures.count + 1))"
          }
          throw last
        }
        failure.backOff = wait.milliseconds
        effort.failures.append(failure)
        await pace.sleep(wait)
        if Task.isCancelled {
          var cancelled = BackendError(.cancelled, "the request was cancelled")
          cancelled.effort = effort
          throw cancelled
        }
      }
    }
  }

  /// How long to wait before the next attempt; nil where none is made.
  private func wait(after error: BackendError, failures: Int, until deadline: Duration?)
    -> Duration?
  {
    guard error.canRetry, failures < retries, !Task.isCancelled else { return nil }
    if let asked = error.retryAfter, asked > Self.longestAsked { return nil }
    let grown = min(Self.firstWait * (1 << min(failures, 20)), Self.longestWait)
    let wait = max(grown * (0.5 + pace.random() / 2), error.retryAfter ?? .zero)
    if let deadline, pace.now() + wait >= deadline { return nil }
    return wait
  }

  private func attempt(_ request: ModelRequest, until deadline: Duration?)
    async throws(BackendError)
    -> Exchange
  {
    guard let deadline else { return try await base.send(request) }
    let (base, pace) = (base, pace)
    let rest = deadline - pace.now()
    // The first to end decides, and the other is cancelled.
    let first = await withTaskGroup(of: Result<Exchange, BackendError>?.self) { group in
      group.addTask {
        do throws(BackendError) {
          return .success(try await base.send(request))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        await pace.sleep(rest)
        return nil
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
    if let first { return try first.get() }
    if Task.isCancelled { throw BackendError(.cancelled, "the request was cancelled") }
    throw BackendError(
      .timedOut,
      "no answer within the 'total-timeout' of the backend",
      canRetry: false
    )
  }
}

extension Exchange {
  /// Adds to the user's time what was tried in vain: a person would have waited for that, too.
  fileprivate mutating func addTried(_ effort: Effort) {
    if effort.failures.isEmpty { return }
    let timings = response.waitedFor
    guard let own = timings.user ?? timings.total else { return }
    let user = effort.failures.reduce(own) { $0 + $1.took }
    response.timings.user = user
    answer?.timings.user = user
  }
}
