import SluiceSupport

/// A backend that sends requests to a model through a vendor's API.
package struct ModelServerBackend: Backend {
  /// The header that contains the name of a stand-in, if no real model answers.
  package static let standInHeader = "x-sluice-stand-in"

  private let post: ServerPost
  private let api: ModelAPI

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` if the key is missing, or must not be sent to the server.
  package init(
    _ endpoint: ModelEndpoint,
    name: String,
    sending: SendingPolicy = SendingPolicy(),
    client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) {
    api = endpoint.api
    post = try ServerPost(
      endpoint.server,
      routes: ServerPost.Routes(
        whole: api.route(to: endpoint.model, isStreamed: false),
        streamed: api.route(to: endpoint.model, isStreamed: true),
        streamType: api.streamType
      ),
      name: name,
      sending: sending,
      client: client,
      surroundings: surroundings
    )
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let isStreamed = ModelAPI.isStreamed(request)
    let reply = try await post.send(request.body, isStreamed: isStreamed)
    // The answer is parsed here because an error may repeat the key, which is known only here.
    let answer = try AnswerReader.read(reply.response, api, hiding: reply.key)
    if let error = Self.contextFault(of: answer, to: request) { throw error }
    return Exchange(request: request, response: reply.response, answer: answer)
  }

  /// Returns an error if a prompt filled the whole context and may therefore be truncated.
  ///
  /// Servers that do not support `truncate` drop the beginning of a long prompt without an error.
  /// Only the token count of the prompt reveals the loss.
  private static func contextFault(of answer: ModelResponse, to request: ModelRequest)
    -> BackendError?
  {
    guard let length = request.body.value(at: "options.num_ctx")?.integer,
      let input = answer.usage?.input, input >= length
    else { return nil }
    return BackendError(
      .contextTooLong,
      "the prompt filled the context of \(length) tokens, so the server may have dropped its "
        + "beginning"
    )
  }
}
