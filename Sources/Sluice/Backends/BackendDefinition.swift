/// A backend as `sluice.yaml` defines it: how a prompt becomes a request, and where it goes.
package struct BackendDefinition: Hashable, Sendable {
  package var name: String
  package var kind: Kind
  package var sending: SendingPolicy

  package init(name: String, kind: Kind, sending: SendingPolicy = SendingPolicy()) {
    self.name = name
    self.kind = kind
    self.sending = sending
  }

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

  /// The values of the environment that the backend keeps secret.
  package func secrets(_ surroundings: Surroundings) -> [Secret] {
    switch kind {
    case .openAIChat(let endpoint):
      endpoint.server.key.flatMap { surroundings.environment[$0.variable] }.map { [Secret($0)] }
        ?? []
    }
  }

  /// The live backend, with all that makes it last: retries, a circuit breaker, a limit, a fallback.
  ///
  /// - Parameters:
  ///   - client: The network.
  ///   - surroundings: Where keys come from.
  ///   - meter: Counts what is used up.
  ///   - pace: What waiting goes by.
  /// - Returns: The backend.
  /// - Throws: ``BackendError`` when something that it needs is missing, such as its key.
  package func connect(
    _ client: any HTTPClient,
    surroundings: Surroundings,
    meter: Meter = Meter(),
    pace: Pace = .real
  ) throws(BackendError) -> any Backend {
    var backend: any Backend = MeteredBackend(
      try connectPlainly(client, surroundings: surroundings),
      meter
    )
    if sending.fallsBack {
      backend = FallbackBackend(
        backend,
        pace: pace,
        isStreamed: OpenAIChatEndpoint.isStreamed,
        unstreamed: OpenAIChatEndpoint.unstreamed,
        meter: meter
      )
    }
    backend = LimitedBackend(backend, maximum: sending.maximumInFlight, pace: pace)
    backend = GuardedBackend(backend, name: name, pace: pace)
    return RetryingBackend(
      backend,
      retries: sending.retries,
      limit: sending.totalTimeout,
      pace: pace
    )
  }

  /// The backend that sends each request once.
  ///
  /// - Throws: ``BackendError`` when something that it needs is missing, such as its key.
  package func connectPlainly(
    _ client: any HTTPClient,
    surroundings: Surroundings
  ) throws(BackendError) -> any Backend {
    switch kind {
    case .openAIChat(let endpoint):
      try OpenAIChatBackend(
        endpoint,
        name: name,
        sending: sending,
        client: client,
        surroundings: surroundings
      )
    }
  }
}
