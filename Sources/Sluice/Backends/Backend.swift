/// Answers requests live.
///
/// Recorded answers come from a ``RecordingFile``, without any backend.
package protocol Backend: Sendable {
  /// Sends a request and waits for the whole exchange.
  ///
  /// - Throws: ``BackendError`` when no answer came: the trial is lost, not wrong.
  func send(_ request: ModelRequest) async throws(BackendError) -> Exchange
}

/// A request with the raw response to it: what a recording keeps.
package struct Exchange: Hashable, Sendable {
  package var request: ModelRequest
  package var response: RawResponse

  package init(request: ModelRequest, response: RawResponse) {
    self.request = request
    self.response = response
  }

  package init(
    request: ModelRequest,
    status: Int = 200,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    timings: ResponseTimings = ResponseTimings(),
    host: String,
    date: Timestamp
  ) {
    self.init(
      request: request,
      response: RawResponse(
        status: status,
        headers: headers,
        body: body,
        timings: timings,
        host: host,
        date: date
      )
    )
  }
}

/// A response as it came, before anyone read it.
package struct RawResponse: Hashable, Sendable {
  package var status: Int
  /// The response headers that may be kept, names in lower case, sorted.
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// When the pieces of a streamed body came; empty for one that came as a whole.
  package var arrivals: [Arrival]
  package var timings: ResponseTimings
  /// The scheme, host and port that the request went to.
  package var host: String
  /// When the answer came.
  package var date: Timestamp

  /// A piece of a streamed body.
  package struct Arrival: Hashable, Sendable {
    /// When it came, in milliseconds since the request was sent.
    package var milliseconds: Double
    /// The place in the body after its last byte.
    package var end: Int

    package init(milliseconds: Double, end: Int) {
      self.milliseconds = milliseconds
      self.end = end
    }
  }

  package init(
    status: Int = 200,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    arrivals: [Arrival] = [],
    timings: ResponseTimings = ResponseTimings(),
    host: String,
    date: Timestamp
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.arrivals = arrivals
    self.timings = timings
    self.host = host
    self.date = date
  }
}

/// Why no answer came.
///
/// The trial is lost, which says nothing about quality.
public struct BackendError: Error, Hashable {
  /// The kinds of trouble, whatever words a server used.
  public enum Kind: String, Sendable {
    case noConnection = "no-connection"
    case nameNotFound = "name-not-found"
    case tls
    case timedOut = "timed-out"
    case missingKey = "missing-key"
    case badCredentials = "bad-credentials"
    case permissionDenied = "permission-denied"
    case notFound = "not-found"
    case invalidRequest = "invalid-request"
    case rateLimited = "rate-limited"
    case serverError = "server-error"
    case brokenAnswer = "broken-answer"
    case cancelled
  }

  /// The kind of trouble.
  public var kind: Kind
  /// What happened, in a sentence without secrets.
  public var message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - kind: The kind of trouble.
  ///   - message: What happened, in a sentence without secrets.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// What the person who runs the suite can do about it.
  public var wayOut: String {
    switch kind {
    case .noConnection: "check the base-url in sluice.yaml, and that the server runs"
    case .nameNotFound: "check the base-url in sluice.yaml and the network"
    case .tls: "check the server's certificate"
    case .timedOut: "try again, or raise the backend's 'timeout' in sluice.yaml"
    case .missingKey: "set the variable, or take 'key' out of the backend if its server needs none"
    case .badCredentials: "check the key in the environment variable that sluice.yaml names"
    case .permissionDenied: "check what the key may use"
    case .notFound: "check the base-url and the model in sluice.yaml"
    case .invalidRequest: "check the prompt's parameters and schema"
    case .rateLimited: "wait, or lower the backend's 'max-in-flight' in sluice.yaml"
    case .serverError, .brokenAnswer: "try again later"
    case .cancelled: "run it again"
    }
  }
}
