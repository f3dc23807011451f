/// Sends HTTP requests over the system's libcurl, many at once on a thread or two.
///
/// Speaks HTTP/1.1, keeps connections open and uses them again, takes proxies from the environment
/// as curl does, always verifies TLS and follows no redirects.
package final class CurlHTTPClient: HTTPClient {
  private struct State {
    /// The engines with how many requests are under way on each.
    var engines: [(engine: CurlEngine, load: Int)] = []
    var isShutDown = false
  }

  private let state = Locked(State())
  private let maximumConnections: Int

  /// How many requests keep a thread busy: more of them go to another one.
  private static let load = 256

  /// Creates a client; its threads start when they are needed.
  ///
  /// - Parameter maximumConnections: How many requests are under way at once; the others wait for a
  ///   place, and their timeout with them. Bounded by the files that the process may open.
  package init(maximumConnections: Int = .max) {
    self.maximumConnections = min(maximumConnections, CurlEngine.possibleConnections)
  }

  deinit { shutdown() }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let transfer = try CurlTransfer(request)
    let (place, engine) = take()
    defer { state.withLock { $0.engines[place].load -= 1 } }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { engine.start(transfer, $0) }
    } onCancel: {
      engine.cancel(transfer)
    }
    var response = try result.get()
    response.headers = transfer.headers.fields
    return response
  }

  /// The engine that a request goes to: the first that is not busy, so that connections are used again,
  /// else the less busy one.
  private func take() -> (place: Int, engine: CurlEngine) {
    state.withLock { state in
      var place = state.engines.firstIndex { $0.load < Self.load }
      if place == nil, state.engines.count < (maximumConnections > 2 * Self.load ? 2 : 1) {
        let share = maximumConnections > 2 * Self.load ? maximumConnections / 2 : maximumConnections
        let engine = CurlEngine(maximumConnections: share)
        if state.isShutDown { engine.stop() }
        place = state.engines.count
        state.engines.append((engine, 0))
      }
      let taken =
        place ?? state.engines.indices.min { state.engines[$0].load < state.engines[$1].load } ?? 0
      state.engines[taken].load += 1
      return (taken, state.engines[taken].engine)
    }
  }

  /// Closes all connections and ends the thread; requests under way and later ones fail.
  package func shutdown() {
    state.withLock { state in
      state.isShutDown = true
      for (engine, _) in state.engines { engine.stop() }
    }
  }
}
