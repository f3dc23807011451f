package import SluiceSupport

extension Clock {
  /// Returns a clock that does not wait: sleeping only advances it.
  ///
  /// - Parameter random: The source of random numbers.
  /// - Returns: The clock, which starts at 0.
  package static func instant(random: @escaping @Sendable () -> Double = { 0.5 }) -> Clock {
    let now = Locked(Duration.zero)
    return Clock(
      now: { now.withLock { $0 } },
      sleep: { wait in
        now.withLock { $0 += wait }
        await Task.yield()
      },
      random: random
    )
  }
}
