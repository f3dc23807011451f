/// Sends chat completions to an OpenAI-compatible server.
package struct OpenAIChatBackend: Backend {
  /// The header by which a server says that no real model answers, with the stand-in's name.
  package static let standInHeader = "x-sluice-stand-in"

  private let endpoint: OpenAIChatEndpoint
  private let key: Secret?
  private let client: any HTTPClient
  private let now: @Sendable () -> Timestamp

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` when the variable that should hold the key is not set.
  package init(
    _ endpoint: OpenAIChatEndpoint,
    name: String,
    client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) {
    self.endpoint = endpoint
    self.client = client
    now = surroundings.now
    if let variable = endpoint.keyVariable {
      guard let value = surroundings.environment[variable], !value.isEmpty else {
        throw BackendError(
          .missingKey,
          "the backend '\(name)' needs a key in the environment variable \(variable), which is not set"
        )
      }
      key = Secret(value)
    } else {
      key = nil
    }
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    var headers = [
      HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
    ]
    if let key { headers.append(HTTPHeader("Authorization", "Bearer \(key.value)")) }
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await client.send(
        HTTPRequest(
          url: endpoint.url,
          headers: headers,
          body: JSONWriter.line(request.body),
          timeout: endpoint.timeout
        )
      )
    } catch {
      throw BackendError(error, host: endpoint.host)
    }
    guard (200..<300).contains(response.status) else {
      throw OpenAIChatResponse.error(
        status: response.status,
        body: response.body,
        hiding: key
      )
    }
    // Said here, where the key is known that the error may repeat.
    if let json = try? JSONReader.value(response.body),
      let error = OpenAIChatResponse.error(in: json, status: response.status, hiding: key)
    {
      throw error
    }
    return Exchange(
      request: request,
      status: response.status,
      headers: KeptHeaders.kept(response.headers),
      body: response.body,
      timings: ResponseTimings(response.timings),
      host: endpoint.host,
      date: now()
    )
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
    func milliseconds(_ duration: Duration) -> Double {
      let (seconds, attoseconds) = duration.components
      return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
    }
    self.init(
      connect: milliseconds(timings.connect),
      tls: timings.tls == .zero ? nil : milliseconds(timings.tls),
      firstByte: milliseconds(timings.firstByte),
      total: milliseconds(timings.total)
    )
  }
}
