import SluiceSupport

/// The rules for sending requests to a backend: timeouts, concurrency and retries.
package struct SendingPolicy: Hashable, Sendable {
  /// The timeout of an exchange that is not streamed.
  package var timeout: Duration
  /// The timeout of a streamed exchange.
  package var streamTimeout: Duration
  /// The time limit of a request together with all its retries; nil for no limit.
  package var totalTimeout: Duration?
  /// True if a request is sent again without streaming after its stream hangs, breaks or fails.
  package var fallsBack: Bool
  /// The maximum number of retries of a failed request.
  package var retries: Int
  /// The maximum number of concurrent requests.
  package var maximumInFlight: Int

  package init(
    timeout: Duration = .seconds(60),
    streamTimeout: Duration = .seconds(30),
    totalTimeout: Duration? = nil,
    fallsBack: Bool = true,
    retries: Int = 3,
    maximumInFlight: Int = 16
  ) {
    self.timeout = timeout
    self.streamTimeout = streamTimeout
    self.totalTimeout = totalTimeout
    self.fallsBack = fallsBack
    self.retries = retries
    self.maximumInFlight = maximumInFlight
  }
}
