package import SluiceSupport

/// A backend that sends a request again without streaming if its stream hung, broke or failed.
///
/// An app would do this, too.
package struct FallbackBackend: Backend {
  private let base: any Backend
  private let isStreamed: @Sendable (ModelRequest) -> Bool
  private let unstreamed: @Sendable (ModelRequest) -> ModelRequest
  private let clock: Clock
  private let meter: Meter?

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: The backend that sends the requests.
  ///   - clock: The source of time.
  ///   - isStreamed: Returns true if a request asks for a streamed answer.
  ///   - unstreamed: Returns a request for the same answer without streaming.
  ///   - meter: Counts the answers that came after a fallback.
  package init(
    _ base: any Backend,
    clock: Clock = .real,
    isStreamed: @escaping @Sendable (ModelRequest) -> Bool,
    unstreamed: @escaping @Sendable (ModelRequest) -> ModelRequest,
    meter: Meter? = nil
  ) {
    self.base = base
    self.clock = clock
    self.meter = meter
    self.isStreamed = isStreamed
    self.unstreamed = unstreamed
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let start = clock.now()
    do throws(BackendError) {
      return try await base.send(request)
    } catch {
      guard isStreamed(request), Self.isAboutStream(error), !Task.isCancelled else { throw error }
      let waited = (clock.now() - start).milliseconds
      var exchange = try await base.send(unstreamed(request))
      // The answer is recorded under the original request, which asked for a stream.
      exchange.request = request
      let fallback = StreamFallback(reason: error.kind, milliseconds: waited)
      exchange.response.fallback = fallback
      let user = exchange.response.waitedFor.user
      exchange.answer?.fallback = fallback
      exchange.answer?.timings.user = user
      meter?.noteFallback()
      return exchange
    }
  }

  /// Returns true if only the stream failed, so that the request may succeed without streaming.
  private static func isAboutStream(_ error: BackendError) -> Bool {
    switch error.kind {
    case .timedOut, .brokenAnswer, .noConnection: true
    // An error that occurs inside of the stream has no status.
    case .serverError, .invalidRequest, .rateLimited: error.status == nil
    default: false
    }
  }
}

extension RawResponse {
  /// The timings, in which the user's time includes the time of the failed stream, if any.
  var waitedFor: ResponseTimings {
    guard timings.user == nil, let fallback, let total = timings.total else { return timings }
    var timings = timings
    timings.user = fallback.milliseconds + total
    return timings
  }
}
