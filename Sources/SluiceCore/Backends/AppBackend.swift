package import SluiceSupport

/// A backend that sends requests to an app's own endpoint.
package struct AppBackend: Backend {
  private let post: ServerPost
  private let places: AnswerPlaces

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` if the key is missing, or must not be sent to the server.
  package init(
    _ endpoint: AppEndpoint,
    name: String,
    sending: SendingPolicy = SendingPolicy(),
    client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) {
    post = try ServerPost(
      endpoint.server,
      name: name,
      sending: sending,
      client: client,
      surroundings: surroundings
    )
    places = endpoint.places
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let isStreamed = AppEndpoint.isStreamed(request)
    let places = request.places ?? places
    let reply = try await post.send(request.body, isStreamed: isStreamed, places: places)
    return Exchange(
      request: request,
      response: reply.response,
      answer: try AppResponse.read(reply.response, places, hiding: reply.key)
    )
  }
}
