import SluiceSupport

/// How long a request waited for its turn, which counts against no limit of time.
final class QueueClock: Sendable {
  private struct State {
    var waited = Duration.zero
    /// Since when it waits; nil while it does not.
    var since: Duration?
  }

  /// That of the request that a task is about; nil where nobody asks.
  @TaskLocal static var current: QueueClock?

  private let state = Locked(State())

  /// Notes that the request waits from now on.
  func begin(_ now: Duration) { state.withLock { $0.since = now } }

  /// Notes that its turn has come.
  func end(_ now: Duration) {
    state.withLock { state in
      if let since = state.since { state.waited += now - since }
      state.since = nil
    }
  }

  /// How long it has waited until now.
  func waited(_ now: Duration) -> Duration {
    state.withLock { state in state.waited + (state.since.map { now - $0 } ?? .zero) }
  }
}
