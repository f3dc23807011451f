/// Sends HTTP requests: the seam to the network.
package protocol HTTPClient: Sendable {
  /// Sends a request and waits for the whole response, whatever its status.
  ///
  /// Cancelling the task cancels the transfer.
  ///
  /// - Throws: ``HTTPError`` when no whole response came.
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
  /// How long the whole exchange may take.
  package var timeout: Duration
  /// How many bytes of body are accepted before the transfer is given up.
  package var maximumResponseBytes: Int
  /// Whether it is kept when each piece of the body came.
  package var keepsArrivals: Bool
  /// Whether it goes to the server itself, whatever proxy the environment names.
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
  /// The headers in the order in which they came, names in lower case.
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// When the pieces of the body came, each with the place after its last byte; empty unless that was
  /// asked for.
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

  /// The value of the first header of that name, given in lower case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}

/// When the phases of an exchange ended, counted from its start on the wire.
///
/// Waiting for a free place in the client is not in them.
package struct HTTPTimings: Hashable, Sendable {
  /// When the connection stood; zero on a connection that was open already.
  package var connect: Duration
  /// When TLS stood; zero without TLS.
  package var tls: Duration
  /// When the first byte of the response came.
  package var firstByte: Duration
  /// When the last byte of the response came.
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

/// Why no whole response came.
package struct HTTPError: Error, Hashable {
  package enum Kind: String, Sendable {
    /// The URL, or the method or a header, cannot be sent as it is written.
    case invalidURL
    case nameNotResolved, connectionFailed, tls, timedOut, responseTooLarge
    /// The task was cancelled, or the client shut down.
    case cancelled
    /// A connection that was kept open from an earlier request ended without a byte of a response.
    case connectionEnded
    /// The exchange ended before its end, or made no sense.
    case broken
  }

  package var kind: Kind
  /// What the transport said; holds no header and no body of the request.
  package var detail: String

  package init(_ kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
