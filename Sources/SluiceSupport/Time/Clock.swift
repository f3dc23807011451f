/// The sources of time, delay and randomness for code that waits.
package struct Clock: Sendable {
  /// A function that returns the time since some fixed moment.
  package var now: @Sendable () -> Duration
  /// A function that waits.
  ///
  /// It returns early, without an error, if the task is cancelled.
  package var sleep: @Sendable (Duration) async -> Void
  /// A function that returns a random number from 0 up to, but not including, 1.
  package var random: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }

  /// The system's clock and random numbers.
  package static let real: Clock = {
    let start = ContinuousClock.now
    return Clock(
      now: { start.duration(to: .now) },
      sleep: { try? await Task.sleep(for: $0) },
      random: { Double.random(in: 0..<1) }
    )
  }()
}
