package import SluiceSupport

/// The results of a few small requests to a backend.
package struct BackendCheck: Sendable {
  package var backend: BackendDefinition
  /// A description of the question, for readers.
  package var question: String
  /// The answer, or the reason why there is none.
  package var outcome: Result<ModelResponse, BackendError>
  /// The number of pieces in which the answer arrived; nil if the answer was not streamed.
  package var pieces: Int?
  /// True if a streamed answer was requested.
  package var isStreamed: Bool
  /// The server's headers about rate limits.
  package var limits: [HTTPHeader]
  /// The cost of the answer according to the price files; nil if there is no answer.
  package var pricing: PriceList.Pricing?
  /// The results of further requests, in order.
  ///
  /// Empty if the first request had no answer.
  package var probes: [Probe] = []

  /// A further request and its result.
  package struct Probe: Sendable {
    /// The purpose of the request.
    package enum Kind: Sendable, CaseIterable {
      /// The first request, sent again.
      case again
      /// The same question, with a streamed answer.
      case pieces
      /// A question whose answer must match a JSON Schema.
      case schema
    }

    package var kind: Kind
    package var outcome: Result<ModelResponse, BackendError>
    /// The number of pieces in which the answer arrived; nil if the answer was not streamed.
    package var pieces: Int?

    /// True if there is an answer that matches the requested schema.
    package var fitsSchema: Bool {
      guard case .success(let answer) = outcome, let text = answer.text,
        let json = try? JSONReader.value(Array(text.trimmed.utf8))
      else { return false }
      return json.object?.members.map(\.name) == ["word"] && json["word"]?.string != nil
    }
  }

  /// The prompt of the check, for backends that do not contain a prompt themselves.
  package static let prompt = RenderedPrompt(
    messages: [ChatMessage(role: .user, text: "Answer with the word OK and nothing else.")]
  )

  /// The question whose answer must match a JSON Schema.
  private static let schemaPrompt = RenderedPrompt(
    messages: [
      ChatMessage(role: .user, text: "Answer with a JSON object whose member 'word' is \"OK\".")
    ],
    responseSchema: ResponseSchema(
      name: "check",
      schema: [
        "type": "object", "properties": ["word": ["type": "string"]], "required": ["word"],
        "additionalProperties": false,
      ]
    )
  )

  /// Checks a backend without retries or fallbacks.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - request: The request.
  ///   - question: A description of the request, for readers.
  ///   - kinds: The further requests to send if the first one has an answer.
  ///   - client: The network client.
  ///   - surroundings: The environment, which contains the keys.
  ///   - prices: The token prices.
  ///   - redacting: Wraps a backend so that its answers and errors contain no secrets.
  ///   - clean: Removes secrets from a text.
  /// - Returns: The results.
  package static func run(
    _ backend: BackendDefinition,
    asking request: ModelRequest,
    question: String,
    probing kinds: [Probe.Kind] = [],
    client: any HTTPClient,
    surroundings: Surroundings,
    prices: PriceList,
    redacting: (any Backend) -> any Backend,
    clean: (String) -> String
  ) async -> BackendCheck {
    let listener = ListeningClient(client)
    var check = BackendCheck(
      backend: backend,
      question: question,
      outcome: .failure(BackendError(.cancelled, "not asked")),
      isStreamed: ModelAPI.isStreamed(request) || AppEndpoint.isStreamed(request),
      limits: []
    )
    do throws(BackendError) {
      let (exchange, probes) = try await RunningPrograms.during { programs throws(BackendError) in
        let connected = redacting(
          try backend.connectPlainly(listener, surroundings: surroundings, programs: programs)
        )
        let exchange = try await connected.send(request)
        var probes: [Probe] = []
        for kind in kinds where !Task.isCancelled {
          if let probe = await Self.probe(kind, backend, asking: request, connected) {
            probes.append(probe)
          }
        }
        return (exchange, probes)
      }
      check.probes = probes
      let answer = try ResponseReader.response(in: exchange).ended(by: backend.endings)
      let isStream = StreamFraming(of: exchange.response.body) != nil
      check.pieces = isStream ? max(1, exchange.response.arrivals.count) : nil
      check.pricing = prices.pricing(of: answer, asking: request.model)
      check.outcome = .success(answer)
    } catch {
      check.outcome = .failure(error)
    }
    check.limits = listener.limits.map { HTTPHeader($0.name, clean($0.value)) }
    return check
  }

  /// Sends a further request; returns nil if the backend does not support requests of this kind.
  private static func probe(
    _ kind: Probe.Kind,
    _ backend: BackendDefinition,
    asking request: ModelRequest,
    _ connected: any Backend
  ) async -> Probe? {
    let next: ModelRequest
    switch kind {
    case .again: next = request
    case .pieces:
      if ModelAPI.isStreamed(request) { return nil }
      guard backend.asksPromptAlone, let streamed = try? backend.streamed.request(for: prompt)
      else {
        return nil
      }
      next = streamed
    case .schema:
      guard backend.asksPromptAlone, let asking = try? backend.request(for: schemaPrompt) else {
        return nil
      }
      next = asking
    }
    do throws(BackendError) {
      let exchange = try await connected.send(next)
      let answer = try ResponseReader.response(in: exchange).ended(by: backend.endings)
      let isStream = StreamFraming(of: exchange.response.body) != nil
      return Probe(
        kind: kind,
        outcome: .success(answer),
        pieces: isStream ? max(1, exchange.response.arrivals.count) : nil
      )
    } catch {
      return Probe(kind: kind, outcome: .failure(error))
    }
  }
}

/// An HTTP client that also records the servers' headers about rate limits.
private final class ListeningClient: HTTPClient {
  private let base: any HTTPClient
  private let heard = Locked<[HTTPHeader]>([])

  init(_ base: any HTTPClient) { self.base = base }

  var limits: [HTTPHeader] { heard.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let response = try await base.send(request)
    heard.withLock { $0 = response.headers.filter { $0.name.contains("ratelimit") } }
    return response
  }
}
