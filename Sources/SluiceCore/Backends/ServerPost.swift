import SluiceSupport

/// A client that posts bodies to a server.
///
/// Everything else in the requests is prepared once.
struct ServerPost: Sendable {
  /// The key from an environment variable.
  private let key: Secret?
  /// The source of the tokens that a program prints; nil if ``key`` is used or no key is needed.
  private let tokens: TokenSource?
  private let server: ServerAccess
  private let address: String
  private let streamAddress: String
  private let streamType: String
  /// The scheme, host and port.
  private let host: String
  private let advice: ServerAdvice
  /// True if requests bypass proxies: the server is local, so unencrypted data must stay on this
  /// machine.
  private let isDirect: Bool
  private let headers: [HTTPHeader]
  private let streamHeaders: [HTTPHeader]
  private let sending: SendingPolicy
  private let client: any HTTPClient
  private let now: @Sendable () -> Timestamp

  /// The routes below a server's address.
  struct Routes {
    var whole = ModelAPI.Route(path: "")
    /// The route for streamed answers; nil if it is the same as ``whole``.
    var streamed: ModelAPI.Route?
    /// The media type of streamed answers.
    var streamType = "text/event-stream"
  }

  /// Prepares requests.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - routes: The routes below the server's address.
  ///   - name: The backend's name in `sluice.yaml`.
  ///   - sending: The timeouts of requests.
  ///   - client: The network client.
  ///   - surroundings: The environment variables, which may contain the key, and the clock.
  /// - Throws: ``BackendError`` if the key is missing, or must not be sent to the server.
  init(
    _ server: ServerAccess,
    routes: Routes = Routes(),
    name: String,
    sending: SendingPolicy,
    client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) {
    let key = try server.secret(for: name, in: surroundings.environment)
    self.key = key
    tokens = try server.tokens(for: name, in: surroundings)
    self.server = server
    address = server.address(routes.whole.path, query: routes.whole.query)
    let streamed = routes.streamed ?? routes.whole
    streamType = routes.streamType
    streamAddress = server.address(streamed.path, query: streamed.query)
    host = server.host
    advice = ServerAdvice(backend: name, server: server, path: routes.whole.path)
    isDirect = server.isLocal
    headers = server.headers(key, accepting: "application/json")
    streamHeaders = server.headers(key, accepting: routes.streamType)
    self.sending = sending
    self.client = client
    now = surroundings.now
  }

  /// The response to a request, and the key that must be redacted if the response repeats it.
  struct Reply {
    var response: RawResponse
    var key: Secret?
  }

  /// Sends a body and returns the response.
  ///
  /// If the server rejects a token, the token is replaced once and the body is sent again.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - isStreamed: True if the body asks for a streamed answer.
  ///   - places: The paths of the answer's parts, including an error; nil for a vendor's API.
  /// - Returns: The parts of the response that are kept, and the key that was sent.
  /// - Throws: ``BackendError`` if there is no response, or if the response has an error status.
  func send(
    _ body: JSONValue,
    isStreamed: Bool,
    places: AnswerPlaces? = nil
  ) async throws(BackendError) -> Reply {
    guard let tokens else {
      let headers = isStreamed ? streamHeaders : headers
      return try await post(body, headers, key, isStreamed: isStreamed, places: places)
    }
    func reply(with token: Secret) async throws(BackendError) -> Reply {
      let type = isStreamed ? streamType : "application/json"
      let headers = server.headers(token, accepting: type)
      return try await post(body, headers, token, isStreamed: isStreamed, places: places)
    }
    let token = try await tokens.token()
    do throws(BackendError) {
      return try await reply(with: token)
    } catch {
      guard error.status == 401, let other = try await tokens.token(insteadOf: token) else {
        throw error
      }
      return try await reply(with: other)
    }
  }

  private func post(
    _ body: JSONValue,
    _ headers: [HTTPHeader],
    _ key: Secret?,
    isStreamed: Bool,
    places: AnswerPlaces?
  ) async throws(BackendError) -> Reply {
    let response: HTTPResponse
    var request = HTTPRequest(
      url: isStreamed ? streamAddress : address,
      headers: headers,
      body: JSONWriter.line(body),
      timeout: isStreamed ? sending.streamTimeout : sending.timeout,
      keepsArrivals: isStreamed
    )
    request.isDirect = isDirect
    do throws(HTTPError) {
      response = try await client.send(request)
    } catch {
      throw BackendError(error, host: host)
    }
    let date = now()
    guard (200..<300).contains(response.status) else {
      var error = ServerFault.refused(
        status: response.status,
        headers: response.headers,
        body: places?.refusal(response.body) ?? response.body,
        now: date,
        hiding: key
      )
      error.advice = advice.text(about: error.kind, model: body["model"]?.string)
      throw error
    }
    return Reply(response: RawResponse(response, host: host, date: date), key: key)
  }
}

extension RawResponse {
  /// Creates a response from the parts that are kept.
  init(_ response: HTTPResponse, host: String, date: Timestamp) {
    // A body that arrived in one piece, or that is not a stream, is stored as a whole.
    let isStream = !response.arrivals.isEmpty && StreamFraming(of: response.body) != nil
    self.init(
      status: response.status,
      headers: KeptHeaders.kept(response.headers),
      body: response.body,
      arrivals: isStream
        ? response.arrivals.map { Arrival(milliseconds: $0.time.milliseconds, end: $0.end) } : [],
      timings: ResponseTimings(response.timings),
      host: host,
      date: date
    )
  }
}

extension BackendError {
  /// Creates the error for a request whose transport failed.
  init(_ error: HTTPError, host: String) {
    let kind: Kind
    let message: String
    switch error.kind {
    case .invalidURL: (kind, message) = (.invalidRequest, "the address \(host) is not a URL")
    case .nameNotResolved:
      (kind, message) = (
        .nameNotFound,
        "the host name of \(host) was not found"
      )
    case .connectionFailed: (kind, message) = (.noConnection, "no connection to \(host)")
    case .tls: (kind, message) = (.tls, "no secure connection to \(host): \(error.detail)")
    case .timedOut: (kind, message) = (.timedOut, "\(host) did not answer in time")
    case .responseTooLarge: (kind, message) = (.brokenAnswer, "the answer of \(host) is too large")
    case .cancelled: (kind, message) = (.cancelled, "the request was cancelled")
    case .connectionEnded:
      (kind, message) = (.brokenAnswer, "\(host) closed the connection without an answer")
    case .broken:
      (kind, message) = (.brokenAnswer, "the answer of \(host) ended early: \(error.detail)")
    }
    self.init(kind, message)
    mayRetryAtOnce = error.kind == .connectionEnded
  }
}

extension ResponseTimings {
  /// Creates timings in milliseconds, rounded to microseconds.
  init(_ timings: HTTPTimings) {
    self.init(
      connect: timings.connect.milliseconds,
      tls: timings.tls == .zero ? nil : timings.tls.milliseconds,
      firstByte: timings.firstByte.milliseconds,
      total: timings.total.milliseconds
    )
  }
}
