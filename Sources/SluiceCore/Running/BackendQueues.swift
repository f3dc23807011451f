import SluiceSupport

/// The queues of requests to several backends.
///
/// Each queue has the concurrency limit that `sluice.yaml` sets for its backend.
package struct BackendQueues: Sendable {
  private let count: Int
  /// For each backend, the indices of its requests and its concurrency limit.
  private let queues: [(places: [Int], limit: Int)]

  /// Sorts requests into queues.
  ///
  /// - Parameters:
  ///   - plan: The suite, which contains the limits.
  ///   - backends: The name of each request's backend.
  package init(_ plan: SuitePlan, backends: [String]) {
    count = backends.count
    let places = Dictionary(grouping: backends.indices, by: { backends[$0] })
    queues = places.map { name, places in
      (places, plan.allBackends.first { $0.name == name }?.sending.maximumInFlight ?? 1)
    }
  }

  /// Runs an operation for each request, and returns the results in request order.
  package func map<Result: Sendable>(
    _ operation: @escaping @Sendable (Int) async -> Result
  ) async -> [Result] {
    await withTaskGroup(of: [(Int, Result)].self) { group in
      for (places, limit) in queues {
        group.addTask {
          let results = await Concurrency.map(count: places.count, inFlight: limit) { index in
            await operation(places[index])
          }
          return Array(zip(places, results))
        }
      }
      var results: [Result?] = Array(repeating: nil, count: count)
      for await part in group {
        for (place, result) in part { results[place] = result }
      }
      return results.compactMap(\.self)
    }
  }
}
