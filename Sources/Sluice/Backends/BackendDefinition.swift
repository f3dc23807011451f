/// A backend as `sluice.yaml` defines it: how a prompt becomes a request, and where it goes.
package struct BackendDefinition: Hashable, Sendable {
  package var name: String
  package var kind: Kind

  package enum Kind: Hashable, Sendable {
    case openAIChat(OpenAIChatEndpoint)
  }

  /// The values that `type:` may have.
  package static let types = ["openai"]

  /// The request that asks for an answer to a prompt.
  package func request(for prompt: RenderedPrompt) -> ModelRequest {
    switch kind {
    case .openAIChat(let endpoint): endpoint.request(for: prompt, backend: name)
    }
  }

  /// How many requests may be under way at once.
  package var maximumInFlight: Int {
    switch kind {
    case .openAIChat(let endpoint): endpoint.maximumInFlight
    }
  }

  /// The values of the environment that the backend keeps secret.
  package func secrets(_ surroundings: Surroundings) -> [Secret] {
    switch kind {
    case .openAIChat(let endpoint):
      endpoint.keyVariable.flatMap { surroundings.environment[$0] }.map { [Secret($0)] } ?? []
    }
  }

  /// The live backend.
  ///
  /// - Throws: ``BackendError`` when something that it needs is missing, such as its key.
  package func connect(
    _ client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) -> any Backend {
    switch kind {
    case .openAIChat(let endpoint):
      try OpenAIChatBackend(endpoint, name: name, client: client, surroundings: surroundings)
    }
  }
}

/// What a backend answered, read from the raw exchange.
package enum ResponseReader {
  /// Returns the answer in an exchange, recorded or live.
  ///
  /// - Throws: ``BackendError`` when the exchange holds no answer.
  package static func response(in exchange: Exchange) throws(BackendError) -> ModelResponse {
    try response(in: exchange.response, api: exchange.request.api)
  }

  /// Returns the answer in a response to a request of a protocol.
  ///
  /// - Throws: ``BackendError`` when the response holds no answer.
  package static func response(in response: RawResponse, api: String) throws(BackendError)
    -> ModelResponse
  {
    switch api {
    case OpenAIChatEndpoint.api: try OpenAIChatResponse.read(response)
    case let api:
      throw BackendError(.brokenAnswer, "the protocol '\(api)' is not known to this version")
    }
  }
}
