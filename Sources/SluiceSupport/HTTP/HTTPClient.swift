/// The interface to the network, which sends HTTP requests.
package protocol HTTPClient: Sendable {
  /// Sends a request and returns the complete response, whatever its status.
  ///
  /// Cancelling the task cancels the transfer.
  ///
  /// - Throws: ``HTTPError`` if there is no complete response.
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

/// A header line of a request or a response.
package struct HTTPHeader: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

package struct HTTPRequest: Sendable {
  package var method: String
  package var url: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// The time limit of the whole exchange.
  package var timeout: Duration
  /// The maximum size of the response body in bytes.
  ///
  /// If the body is larger, the transfer is aborted.
  package var maximumResponseBytes: Int
  /// True to record the arrival time of each piece of the body.
  package var keepsArrivals: Bool
  /// True to bypass any proxy that the environment names.
  package var isDirect = false

  package init(
    method: String = "POST",
    url: String,
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    timeout: Duration = .seconds(60),
    maximumResponseBytes: Int = 16 << 20,
    keepsArrivals: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maximumResponseBytes = maximumResponseBytes
    self.keepsArrivals = keepsArrivals
  }
}

package struct HTTPResponse: Sendable {
  package var status: Int
  /// The headers in the order received, with names in lower case.
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// The arrival time of each piece of the body, and the offset at which the piece ends; empty
  /// unless the request sets ``HTTPRequest/keepsArrivals``.
  package var arrivals: [(time: Duration, end: Int)]
  package var timings: HTTPTimings

  package init(
    status: Int,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    arrivals: [(time: Duration, end: Int)] = [],
    timings: HTTPTimings = HTTPTimings()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.arrivals = arrivals
    self.timings = timings
  }

  /// Returns the value of the first header with a name, which must be given in lower case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}

/// The times at which the phases of an exchange ended, measured from the start of the exchange.
///
/// The times do not include the time that the request waited in the client.
package struct HTTPTimings: Hashable, Sendable {
  /// The time to establish the connection; zero for a reused connection.
  package var connect: Duration
  /// The time to complete the TLS handshake; zero without TLS.
  package var tls: Duration
  /// The time of the first byte of the response.
  package var firstByte: Duration
  /// The time of the last byte of the response.
  package var total: Duration

  package init(
    connect: Duration = .zero,
    tls: Duration = .zero,
    firstByte: Duration = .zero,
    total: Duration = .zero
  ) {
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }
}

/// The reason why there is no complete response.
package struct HTTPError: Error, Hashable {
  package enum Kind: String, Sendable {
    /// The request cannot be sent as given, because of its URL, its method or a header.
    case invalidURL
    case nameNotResolved, connectionFailed, tls, timedOut, responseTooLarge
    /// The task was cancelled, or the client was shut down.
    case cancelled
    /// A reused connection ended without a byte of a response.
    case connectionEnded
    /// The exchange ended early, or the response was malformed.
    case broken
  }

  package var kind: Kind
  /// The message of the transport.
  ///
  /// It does not contain the headers or the body of the request.
  package var detail: String

  package init(_ kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
