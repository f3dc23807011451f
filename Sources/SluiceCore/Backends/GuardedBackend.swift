package import SluiceSupport

/// A circuit breaker, which stops sending requests to a failing backend.
///
/// After several consecutive failures of the whole backend, requests are rejected for a while. Then
/// a single request is sent as a test.
package struct GuardedBackend: Backend {
  private let base: any Backend
  private let name: String
  private let clock: Clock
  private let state = Locked(State())

  private struct State {
    /// The number of failures of the backend since it last responded.
    var failures = 0
    var firstFailure = Duration.zero
    var closedUntil: Duration?
    var isTrying = false
    var reason = ""
  }

  /// The number of consecutive failures that opens the circuit.
  static let patience = 5
  /// The minimum duration of an outage before the circuit opens, if the cause may be temporary.
  static let shortestOutage = Duration.seconds(5)
  /// The time for which requests are rejected after the circuit opens.
  static let rest = Duration.seconds(30)

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: The backend that sends the requests.
  ///   - name: The backend's name in `sluice.yaml`.
  ///   - clock: The source of time.
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

  /// Admits a request.
  ///
  /// Returns true if the request is the one that tests the backend.
  ///
  /// - Throws: ``BackendError`` if the request is rejected.
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
      // A request that was sent before the outage was detected must not affect the test.
      if isTrial { state.isTrying = false }
      guard error.kind.isAboutBackend else {
        // Any response proves that the backend can be reached. A cancelled request proves nothing.
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
