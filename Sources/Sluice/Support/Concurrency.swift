/// Structured concurrency in the one shape that this program needs.
package enum Concurrency {
  /// Runs a number of operations, a bounded number at once, and returns their results in order.
  package static func map<Result: Sendable>(
    count: Int,
    inFlight limit: Int,
    _ operation: @escaping @Sendable (Int) async -> Result
  ) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results: [Result?] = Array(repeating: nil, count: count)
      var next = 0
      // Fill, then one out, one in.
      while next < min(count, max(limit, 1)) {
        let index = next
        group.addTask { (index, await operation(index)) }
        next += 1
      }
      while let (index, result) = await group.next() {
        results[index] = result
        if next < count {
          let index = next
          group.addTask { (index, await operation(index)) }
          next += 1
        }
      }
      return results.compactMap(\.self)
    }
  }
}
