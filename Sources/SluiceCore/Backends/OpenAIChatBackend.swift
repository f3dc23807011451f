package import SluiceSupport

/// Sends chat completions to an OpenAI-compatible server.
package struct OpenAIChatBackend: Backend {
  /// The header by which a server says that no real model answers, with the stand-in's name.
  package static let standInHeader = "x-sluice-stand-in"

  private let post: ServerPost

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
    post = try ServerPost(
      endpoint.server,
      path: "/chat/completions",
      name: name,
      sending: sending,
      client: client,
      surroundings: surroundings
    )
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let isStreamed = OpenAIChatEndpoint.isStreamed(request)
    let reply = try await post.send(request.body, isStreamed: isStreamed)
    // Read here, where the key is known that an error may repeat.
    let answer = try OpenAIChatResponse.read(reply.response, hiding: reply.key)
    return Exchange(request: request, response: reply.response, answer: answer)
  }
}
