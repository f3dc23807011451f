/// An HTTP client on the system's libcurl, with many concurrent requests on one or two threads.
///
/// It uses HTTP/1.1, reuses connections, always verifies TLS, and does not follow redirects. Like
/// curl, it uses the proxies that the environment names.
package final class CurlHTTPClient: HTTPClient {
  private struct State {
    /// The engines, each with its number of active requests.
    var engines: [(engine: CurlEngine, load: Int)] = []
    var isShutDown = false
  }

  private let state = Locked(State())
  /// The minimum number of requests that keep a thread busy.
  private let fullLoad: Int
  /// The maximum number of threads.
  ///
  /// Each thread has an equal share of the connections.
  private let maximumEngines: Int
  private let connectionsPerEngine: Int
  private let trusted: TrustedCertificates

  /// Creates a client.
  ///
  /// Threads start when they are needed.
  ///
  /// - Parameters:
  ///   - maximumConnections: The maximum number of concurrent requests, limited by the number of
  ///     files that the process may open. Further requests wait; the timeout of a request starts
  ///     when it stops waiting.
  ///   - fullLoad: The minimum number of requests that keep a thread busy. Further requests use a
  ///     second thread.
  ///   - trusted: The certificate authorities of servers and proxies; by default, libcurl's own.
  package init(
    maximumConnections: Int = .max,
    fullLoad: Int = 256,
    trusting trusted: TrustedCertificates = TrustedCertificates()
  ) {
    self.trusted = trusted
    let possible = min(maximumConnections, CurlEngine.possibleConnections)
    self.fullLoad = fullLoad
    maximumEngines = possible > 2 * fullLoad ? 2 : 1
    connectionsPerEngine = possible / maximumEngines
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
    let ended = try result.get()
    var response = ended.response
    response.headers = ended.headers.fields
    return response
  }

  /// Returns the engine for a request: the first engine that is not busy, so that connections are
  /// reused.
  ///
  /// If all engines are busy, returns the least busy engine.
  private func take() -> (place: Int, engine: CurlEngine) {
    state.withLock { state in
      // An engine that has failed would fail every request.
      let running = state.engines.indices.filter {
        state.isShutDown || state.engines[$0].engine.isRunning
      }
      var place = running.min { one, other in
        max(state.engines[one].load, fullLoad) < max(state.engines[other].load, fullLoad)
      }
      let isBusy = place.map { state.engines[$0].load >= fullLoad } ?? true
      if isBusy, running.count < maximumEngines {
        let engine = CurlEngine(maximumConnections: connectionsPerEngine, trusting: trusted)
        if state.isShutDown { engine.stop() }
        place = state.engines.count
        state.engines.append((engine, 0))
      }
      let taken = place ?? 0
      state.engines[taken].load += 1
      return (taken, state.engines[taken].engine)
    }
  }

  /// Closes all connections and ends the threads; active and later requests fail.
  package func shutdown() {
    state.withLock { state in
      state.isShutDown = true
      for (engine, _) in state.engines { engine.stop() }
    }
  }
}
