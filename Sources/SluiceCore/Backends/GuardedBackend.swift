package import SluiceSupport

/// Stops sending to a backend that answers nobody: a circuit breaker.
///
/// After some failures in a row that are about the backend as a whole nothing is sent for a while;
/// then a single request tries whether it answers again.
package struct GuardedBackend: Backend {
  private let base: any Backend
  private let name: String
  private let clock: Clock
  private let state = Locked(State())

  private struct State {
    /// The failures since the last answer.
    var failures = 0
    var firstFailure = Duration.zero
    var closedUntil: Duration?
    var isTrying = false
    var reason = ""
  }

  /// How many failures in a row it takes.
  static let patience = 5
  /// For how long they must have come, where the trouble may pass by itself.
  static let shortestOutage = Duration.seconds(5)
  /// For how long nothing is sent then.
  static let rest = Duration.seconds(30)

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: What answers.
  ///   - name: The backend's name in `sluice.yaml`.
  ///   - clock: What waiting goes by.
  package init(_ base: any Backend, name: String, clock: Clock = .real) {
    self.base = base
    self.name = name
    self.clock = clock
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let isTrial = try enter()
    do throws(BackendError) {
      let exchange = try await base.send(request)
      state.withLock { $0 = State() }
      return exchange
    } catch {
      note(error, ofTrial: isTrial)
      throw error
    }
  }

  /// Lets a request pass; returns whether it is the one that tries whether the backend answers again.
  ///
  /// - Throws: ``BackendError`` for one that is not sent.
  private func enter() throws(BackendError) -> Bool {
    let (isTrial, refusal): (Bool, BackendError?) = state.withLock { state in
      guard let until = state.closedUntil else { return (false, nil) }
      if clock.now() >= until, !state.isTrying {
        state.isTrying = true
        return (true, nil)
      }
      let refusal = BackendError(
        .endpointDown,
        "not sent, because the last \(state.failures) requests to '\(name)' failed: \(state.reason)"
      )
      return (false, refusal)
    }
    if let refusal { throw refusal }
    return isTrial
  }

  private func note(_ error: BackendError, ofTrial isTrial: Bool) {
    state.withLock { state in
      // One that was sent before it was known says nothing of the one that tries.
      if isTrial { state.isTrying = false }
      guard error.kind.isAboutBackend else {
        // An answer of whatever kind says that somebody is there; a cancelled request says nothing.
        if error.kind != .cancelled, error.kind != .timedOut, error.kind != .budgetSpent {
          state = State()
        }
        return
      }
      if state.failures == 0 { state.firstFailure = clock.now() }
      state.failures += 1
      state.reason = error.message
      let isLong = clock.now() - state.firstFailure >= Self.shortestOutage
      if state.failures >= Self.patience, isLong || !error.canRetry {
        state.closedUntil = clock.now() + Self.rest
      }
    }
  }
}
