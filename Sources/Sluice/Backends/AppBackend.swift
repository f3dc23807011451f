/// Sends requests to an app's own endpoint.
package struct AppBackend: Backend {
  private let server: ServerAccess
  private let key: Secret?
  private let places: AnswerPlaces
  private let sending: SendingPolicy
  private let client: any HTTPClient
  private let now: @Sendable () -> Timestamp

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` when there is no key, or it must not go to the server.
  package init(
    _ endpoint: AppEndpoint,
    name: String,
    sending: SendingPolicy = SendingPolicy(),
    client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) {
    server = endpoint.server
    key = try endpoint.server.secret(for: name, in: surroundings.environment)
    places = endpoint.places
    self.sending = sending
    self.client = client
    now = surroundings.now
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let isStreamed = AppEndpoint.isStreamed(request)
    let places = request.places ?? places
    let response = try await client.exchange(
      HTTPRequest(
        url: server.address(),
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
      now: now,
      places: places
    )
    return Exchange(
      request: request,
      response: response,
      answer: try AppResponse.read(response, places, hiding: key)
    )
  }
}
