/// Functions that do work concurrently, up to a limit.
@usableFromInline
package enum Concurrency {
  /// Runs a number of operations with limited concurrency, and returns their results in order.
  @inlinable
  package static func map<Result: Sendable>(
    count: Int,
    inFlight limit: Int,
    _ operation: @escaping @Sendable (Int) async -> Result
  ) async -> [Result] {
    let state = Locked((next: 0, results: [Result?](repeating: nil, count: count)))
    // Starting a task costs as much as running many operations. So each task runs many of them in
    // sequence.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<min(count, max(limit, 1)) {
        group.addTask {
          var done: (index: Int, result: Result)?
          while let index = advance(state, done) {
            done = (index, await operation(index))
          }
        }
      }
    }
    return state.withLock { $0.results.compactMap(\.self) }
  }

  /// Stores a result and returns the index of the next operation; nil if no operation is left.
  @inlinable
  static func advance<Result: Sendable>(
    _ state: Locked<(next: Int, results: [Result?])>,
    _ done: (index: Int, result: Result)?
  ) -> Int? {
    state.withLock { state in
      if let done { state.results[done.index] = done.result }
      guard state.next < state.results.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
