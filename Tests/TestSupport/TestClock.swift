package import SluiceSupport

/// A clock and random numbers that a test controls.
package final class TestClock: Sendable {
  /// The moment when sleepers wake.
  package enum Mode: Sendable {
    /// Immediately, as if the sleep time had passed.
    case atOnce
    /// When the test has advanced the clock far enough.
    case byHand
  }

  private struct State {
    var now = Duration.zero
    var waits: [Duration] = []
    var sleepers: [Int: (until: Duration, wake: CheckedContinuation<Void, Never>)] = [:]
    var next = 0
    var chances: [Double]
  }

  private let mode: Mode
  private let state: Locked<State>

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - mode: The moment when sleepers wake.
  ///   - chances: The random numbers. When they are used up, they repeat from the first one.
  package init(_ mode: Mode = .atOnce, chances: [Double] = [0]) {
    self.mode = mode
    state = Locked(State(chances: chances))
  }

  /// The clock for use by backends.
  package var clock: Clock {
    Clock(
      now: { self.now },
      sleep: { await self.sleep($0) },
      random: {
        self.state.withLock { state in
          let chance = state.chances.removeFirst()
          state.chances.append(chance)
          return chance
        }
      }
    )
  }

  /// The time that has passed.
  package var now: Duration { state.withLock(\.now) }

  /// The durations of all sleeps, in the order in which they started.
  package var waits: [Duration] { state.withLock(\.waits) }

  /// Advances the time.
  package func advance(by time: Duration) {
    let woken = state.withLock { state in
      state.now += time
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.wake)
    }
    for sleeper in woken { sleeper.resume() }
  }

  /// Returns when a number of tasks are asleep.
  package func untilAsleep(_ count: Int) async {
    while state.withLock({ $0.sleepers.count }) < count { await Task.yield() }
  }

  private func sleep(_ time: Duration) async {
    let number = state.withLock { state in
      state.waits.append(time)
      state.next += 1
      if mode == .atOnce { state.now += time }
      return state.next
    }
    if mode == .atOnce { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (wake: CheckedContinuation<Void, Never>) in
        let isAwake = state.withLock { state in
          if Task.isCancelled || time <= .zero { return true }
          state.sleepers[number] = (state.now + time, wake)
          return false
        }
        if isAwake { wake.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.wake.resume()
    }
  }
}
