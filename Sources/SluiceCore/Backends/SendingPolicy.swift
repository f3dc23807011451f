import SluiceSupport

/// How requests to a backend are sent: how long each is waited for, how many at once, how often again.
package struct SendingPolicy: Hashable, Sendable {
  /// How long an exchange may take that does not come in pieces.
  package var timeout: Duration
  /// How long an exchange may take that comes in pieces.
  package var streamTimeout: Duration
  /// How long a request may take with all that is tried for it; nil for no limit.
  package var totalTimeout: Duration?
  /// Whether an answer is asked for again as a whole where its stream hangs, breaks or fails.
  package var fallsBack: Bool
  /// How often a request is sent again that failed.
  package var retries: Int
  /// How many requests may be under way at once.
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
