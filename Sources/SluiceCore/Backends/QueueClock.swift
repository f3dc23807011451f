import SluiceSupport

/// A clock for the time that a request spends in the queue.
///
/// This time does not count against time limits.
final class QueueClock: Sendable {
  private struct State {
    var waited = Duration.zero
    /// The start of the current wait; nil if the request does not wait.
    var since: Duration?
  }

  /// The clock for the request of the current task; nil if the queue time is not needed.
  @TaskLocal static var current: QueueClock?

  private let state = Locked(State())

  /// Records the start of a wait.
  func begin(_ now: Duration) { state.withLock { $0.since = now } }

  /// Records the end of a wait.
  func end(_ now: Duration) {
    state.withLock { state in
      if let since = state.since { state.waited += now - since }
      state.since = nil
    }
  }

  /// Returns the queue time so far.
  func waited(_ now: Duration) -> Duration {
    state.withLock { state in state.waited + (state.since.map { now - $0 } ?? .zero) }
  }
}
