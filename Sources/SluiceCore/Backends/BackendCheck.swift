package import SluiceSupport

/// What one small request tells about a backend.
package struct BackendCheck: Sendable {
  package var backend: BackendDefinition
  /// What was asked, in the words of a person.
  package var question: String
  /// The answer, or why there is none.
  package var outcome: Result<ModelResponse, BackendError>
  /// In how many pieces the answer came; nil where it came as a whole.
  package var pieces: Int?
  /// Whether it was asked for in pieces.
  package var isStreamed: Bool
  /// What the server says of its limits, by the names of its headers.
  package var limits: [HTTPHeader]
  /// What the answer cost in US dollars; nil when unknown.
  package var cost: Double?

  /// The text that a backend is asked for that has no prompt of its own.
  package static let prompt = RenderedPrompt(
    messages: [ChatMessage(role: .user, text: "Answer with the word OK and nothing else.")]
  )

  /// Asks a backend once: nothing is sent again, and nothing falls back.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - request: What to ask.
  ///   - question: The same in the words of a person.
  ///   - client: The network.
  ///   - surroundings: Where keys come from.
  ///   - prices: What tokens cost.
  ///   - redacting: Wraps a backend so that its answers and errors hold no secrets.
  ///   - clean: Takes secrets out of a text.
  /// - Returns: What that told.
  package static func run(
    _ backend: BackendDefinition,
    asking request: ModelRequest,
    question: String,
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
      let exchange = try await RunningPrograms.during { programs throws(BackendError) in
        let connected = try backend.connectPlainly(
          listener,
          surroundings: surroundings,
          programs: programs
        )
        return try await redacting(connected).send(request)
      }
      let answer = try ResponseReader.response(in: exchange).ended(by: backend.endings)
      let isStream = StreamFraming(of: exchange.response.body) != nil
      check.pieces = isStream ? max(1, exchange.response.arrivals.count) : nil
      check.cost = prices.cost(of: answer.usage, model: answer.provenance.model ?? request.model)
      check.outcome = .success(answer)
    } catch {
      check.outcome = .failure(error)
    }
    check.limits = listener.limits.map { HTTPHeader($0.name, clean($0.value)) }
    return check
  }
}

/// Passes requests on and keeps what servers say of their limits.
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
