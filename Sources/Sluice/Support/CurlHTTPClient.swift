/// Sends HTTP requests over the system's libcurl, many at once on one thread.
///
/// Speaks HTTP/1.1, keeps connections open and uses them again, takes proxies from the environment
/// as curl does, always verifies TLS and follows no redirects.
package final class CurlHTTPClient: HTTPClient {
  private let engine: CurlEngine

  /// Creates a client and starts its thread.
  ///
  /// - Parameter maximumConnections: How many requests are under way at once; the others wait for a
  ///   place, and their timeout with them. Bounded by the files that the process may open.
  package init(maximumConnections: Int = .max) {
    engine = CurlEngine(maximumConnections: maximumConnections)
  }

  deinit {
    engine.stop()
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let transfer = try CurlTransfer(request)
    let engine = engine
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { engine.start(transfer, $0) }
    } onCancel: {
      engine.cancel(transfer)
    }
    var response = try result.get()
    response.headers = transfer.headers.fields
    return response
  }

  /// Closes all connections and ends the thread; requests under way and later ones fail.
  package func shutdown() {
    engine.stop()
  }
}
