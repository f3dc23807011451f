/// Sends chat completions to an OpenAI-compatible server.
package struct OpenAIChatBackend: Backend {
  /// The header by which a server says that no real model answers, with the stand-in's name.
  package static let standInHeader = "x-sluice-stand-in"

  private let server: ServerAccess
  private let key: Secret?
  private let sending: SendingPolicy
  private let client: any HTTPClient
  private let now: @Sendable () -> Timestamp

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` when there is no key, or it must not go to the server.
  package init(
    _ endpoint: OpenAIChatEndpoint,
    name: String,
    sending: SendingPolicy = SendingPolicy(),
    client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) {
    server = endpoint.server
    key = try endpoint.server.secret(for: name, in: surroundings.environment)
    self.sending = sending
    self.client = client
    now = surroundings.now
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let isStreamed = OpenAIChatEndpoint.isStreamed(request)
    let response = try await client.exchange(
      HTTPRequest(
        url: server.address("/chat/completions"),
        headers: server.headers(
          key,
          accepting: isStreamed ? "text/event-stream" : "application/json"
        ),
        body: JSONWriter.line(request.body),
        timeout: isStreamed ? sending.streamTimeout : sending.timeout,
        keepsArrivals: isStreamed
      ),
      with: server.host,
      hiding: key,
      now: now
    )
    // Read here, where the key is known that an error may repeat.
    return Exchange(
      request: request,
      response: response,
      answer: try OpenAIChatResponse.read(response, hiding: key)
    )
  }
}

extension HTTPClient {
  /// Sends a request and returns what came in answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - host: The scheme, host and port that it goes to.
  ///   - key: What an error may repeat and must not be seen.
  ///   - now: The clock.
  ///   - places: Where an error stands, if not where servers have it.
  /// - Returns: What is kept of the response.
  /// - Throws: ``BackendError`` when nothing came, or a response with an error status.
  func exchange(
    _ request: HTTPRequest,
    with host: String,
    hiding key: Secret?,
    now: @Sendable () -> Timestamp,
    places: AnswerPlaces? = nil
  ) async throws(BackendError) -> RawResponse {
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await send(request)
    } catch {
      throw BackendError(error, host: host)
    }
    let date = now()
    guard (200..<300).contains(response.status) else {
      throw ServerFault.refused(
        status: response.status,
        headers: response.headers,
        body: places?.refusal(response.body) ?? response.body,
        now: date,
        hiding: key
      )
    }
    return RawResponse(response, host: host, date: date)
  }
}

extension RawResponse {
  /// What is kept of a response.
  init(_ response: HTTPResponse, host: String, date: Timestamp) {
    // A body that came as one piece, or is no stream, is kept as a whole.
    let isStream = EventStream.isLikely(response.body)
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

extension Duration {
  /// The duration in milliseconds, to the microsecond.
  package var milliseconds: Double {
    Double(components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000) / 1_000
  }
}

extension BackendError {
  /// What trouble of the transport means to a run.
  init(_ error: HTTPError, host: String) {
    let kind: Kind
    let message: String
    switch error.kind {
    case .invalidURL: (kind, message) = (.invalidRequest, "the address \(host) is not a URL")
    case .nameNotResolved: (kind, message) = (.nameNotFound, "the name in \(host) was not found")
    case .connectionFailed: (kind, message) = (.noConnection, "no connection to \(host)")
    case .tls: (kind, message) = (.tls, "no secure connection to \(host): \(error.detail)")
    case .timedOut: (kind, message) = (.timedOut, "\(host) did not answer in time")
    case .responseTooLarge: (kind, message) = (.brokenAnswer, "the answer of \(host) is too large")
    case .cancelled: (kind, message) = (.cancelled, "the request was cancelled")
    case .broken:
      (kind, message) = (.brokenAnswer, "the answer of \(host) broke off: \(error.detail)")
    }
    self.init(kind, message)
  }
}

extension ResponseTimings {
  /// Timings in milliseconds, to the microsecond.
  init(_ timings: HTTPTimings) {
    self.init(
      connect: timings.connect.milliseconds,
      tls: timings.tls == .zero ? nil : timings.tls.milliseconds,
      firstByte: timings.firstByte.milliseconds,
      total: timings.total.milliseconds
    )
  }
}
