package import SluiceSupport

/// Asks again for an answer as a whole whose stream hung, broke or failed, as an app does.
package struct FallbackBackend: Backend {
  private let base: any Backend
  private let isStreamed: @Sendable (ModelRequest) -> Bool
  private let unstreamed: @Sendable (ModelRequest) -> ModelRequest
  private let clock: Clock
  private let meter: Meter?

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: What answers.
  ///   - clock: What waiting goes by.
  ///   - isStreamed: Whether a request asks for an answer in pieces.
  ///   - unstreamed: The request for the same answer as a whole.
  ///   - meter: Counts the answers that came so.
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
      // What was asked for is still the stream: its recording answers the same request.
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

  /// Whether the stream failed, rather than the request.
  private static func isAboutStream(_ error: BackendError) -> Bool {
    switch error.kind {
    case .timedOut, .brokenAnswer, .noConnection: true
    // An error without a status came inside the stream.
    case .serverError, .invalidRequest, .rateLimited: error.status == nil
    default: false
    }
  }
}

extension RawResponse {
  /// The timings with that of a person, who waited for the stream as well.
  var waitedFor: ResponseTimings {
    guard timings.user == nil, let fallback, let total = timings.total else { return timings }
    var timings = timings
    timings.user = fallback.milliseconds + total
    return timings
  }
}
