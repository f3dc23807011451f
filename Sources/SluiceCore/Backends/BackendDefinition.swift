package import SluiceSupport

/// A backend as `sluice.yaml` defines it: how a prompt becomes a request, and where it goes.
package struct BackendDefinition: Hashable, Sendable {
  package var name: String
  package var kind: Kind
  package var sending: SendingPolicy
  /// Its own words for the endings of answers.
  package var endings: EndingWords
  /// True where the times of its answers measure nothing, as of a stub or a batch; no part of the key
  /// of recordings.
  package var hasMeaninglessTimes = false

  /// True where nothing is sent to it, as its answers come through batch files alone.
  package var isAskedThroughFiles = false

  /// The one value of `asked:`.
  static let throughFiles = "through-files"
  /// The one value of `times:`.
  static let meaninglessTimes = "meaningless"

  package init(
    name: String,
    kind: Kind,
    sending: SendingPolicy = SendingPolicy(),
    endings: EndingWords = EndingWords()
  ) {
    self.name = name
    self.kind = kind
    self.sending = sending
    self.endings = endings
  }

  package enum Kind: Hashable, Sendable {
    /// A model behind a vendor's API.
    case model(ModelEndpoint)
    case app(AppEndpoint)
    case program(ProgramEndpoint)
    /// Answers that were given elsewhere, by case.
    case file(FileEndpoint)
    /// What no file defines: a function of whoever runs the suite.
    case inProcess(InProcessEndpoint)
  }

  /// The values that `type:` may have.
  package static let types = ModelAPI.types + ["http", "exec", "file"]

  // MARK: What is asked

  /// The request that asks for an answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: The prompt, filled for a case.
  ///   - input: The case's input, for backends that have their prompt elsewhere.
  ///   - testCase: The id of the case, where the request is about one.
  /// - Returns: The request.
  /// - Throws: The first name that the case does not supply.
  package func request(
    for prompt: RenderedPrompt,
    input: JSONValue = .object([:]),
    testCase: String? = nil
  ) throws(Template.Problem) -> ModelRequest {
    var request =
      switch kind {
      case .model(let endpoint): try endpoint.request(for: prompt, backend: name)
      case .app(let endpoint): try endpoint.request(for: prompt, input: input, backend: name)
      case .program(let endpoint): endpoint.request(for: prompt, input: input, backend: name)
      case .inProcess(let endpoint): endpoint.request(for: prompt, input: input, backend: name)
      case .file(let endpoint): endpoint.request(testCase: testCase ?? "", backend: name)
      }
    request.endings = endings
    request.testCase = testCase
    return request
  }

  /// The model behind a vendor's API; nil for a backend of another kind.
  package var endpoint: ModelEndpoint? {
    if case .model(let endpoint) = kind { endpoint } else { nil }
  }

  /// Whether requests are made of the prompt alone.
  package var asksPromptAlone: Bool {
    switch kind {
    case .model: true
    case .app, .program, .file, .inProcess: false
    }
  }

  /// The file that has its answers; nil for a backend that can be asked.
  package var outputs: FileEndpoint? {
    if case .file(let endpoint) = kind { endpoint } else { nil }
  }

  /// The body that is filled with the input of a case, where there is one.
  package var body: BodyTemplate? {
    if case .app(let endpoint) = kind { endpoint.body } else { nil }
  }

  /// Whether it is handed the whole input of a case.
  package var takesWholeInput: Bool {
    switch kind {
    case .model, .app, .file: false
    case .program, .inProcess: true
    }
  }

  /// Where the parts of an answer stand, where the protocol does not say it.
  package var places: AnswerPlaces? {
    if case .app(let endpoint) = kind { endpoint.places } else { nil }
  }

  /// What stands for a prompt that lives elsewhere, where it does.
  package var fingerprint: Fingerprint? {
    switch kind {
    case .model, .file, .inProcess: nil
    case .app(let endpoint): endpoint.fingerprint
    case .program(let endpoint): endpoint.fingerprint
    }
  }

  // MARK: What answers

  /// The values of the environment that the backend keeps secret.
  package func secrets(_ surroundings: Surroundings) -> [Secret] {
    switch kind {
    case .model(let endpoint): endpoint.server.secrets(in: surroundings.environment)
    case .app(let endpoint): endpoint.server.secrets(in: surroundings.environment)
    case .program(let endpoint): endpoint.secrets(in: surroundings.environment)
    case .file, .inProcess: []
    }
  }

  /// The live backend, with all that makes it last: retries, a circuit breaker, a limit, a fallback.
  ///
  /// - Parameters:
  ///   - client: The network.
  ///   - surroundings: Where keys come from.
  ///   - programs: The programs that keep running, which end with the run; nil where none may.
  ///   - meter: Counts what is used up.
  ///   - clock: What waiting goes by.
  /// - Returns: The backend.
  /// - Throws: ``BackendError`` when something that it needs is missing, such as its key.
  package func connect(
    _ client: any HTTPClient,
    surroundings: Surroundings,
    programs: RunningPrograms? = nil,
    meter: Meter = Meter(),
    clock: Clock = .real
  ) throws(BackendError) -> any Backend {
    var backend: any Backend = MeteredBackend(
      try connectPlainly(client, surroundings: surroundings, programs: programs),
      meter
    )
    if sending.fallsBack { backend = fallingBack(backend, clock, meter) }
    backend = LimitedBackend(backend, maximum: sending.maximumInFlight, clock: clock, meter: meter)
    backend = GuardedBackend(backend, name: name, clock: clock)
    return RetryingBackend(
      backend,
      retries: sending.retries,
      limit: sending.totalTimeout,
      clock: clock,
      meter: meter
    )
  }

  private func fallingBack(_ backend: any Backend, _ clock: Clock, _ meter: Meter) -> any Backend {
    switch kind {
    case .model:
      FallbackBackend(
        backend,
        clock: clock,
        isStreamed: ModelAPI.isStreamed,
        unstreamed: ModelAPI.unstreamed,
        meter: meter
      )
    case .app:
      FallbackBackend(
        backend,
        clock: clock,
        isStreamed: AppEndpoint.isStreamed,
        unstreamed: AppEndpoint.unstreamed,
        meter: meter
      )
    case .program, .file, .inProcess: backend
    }
  }

  /// The backend that sends each request once.
  ///
  /// - Parameters:
  ///   - client: The network.
  ///   - surroundings: Where keys come from.
  ///   - programs: The programs that keep running, which end with the run; nil where none may.
  /// - Returns: The backend.
  /// - Throws: ``BackendError`` when something that it needs is missing, such as its key.
  package func connectPlainly(
    _ client: any HTTPClient,
    surroundings: Surroundings,
    programs: RunningPrograms? = nil
  ) throws(BackendError) -> any Backend {
    if isAskedThroughFiles {
      var error = BackendError(
        .invalidRequest,
        "nothing can be sent to the backend '\(name)': its answers come through files"
      )
      error.advice =
        "write what is missing as a batch file: "
        + "sluice batch export missing.jsonl --backend \(name)"
      throw error
    }
    return switch kind {
    case .model(let endpoint):
      try ModelServerBackend(
        endpoint,
        name: name,
        sending: sending,
        client: client,
        surroundings: surroundings
      )
    case .app(let endpoint):
      try AppBackend(
        endpoint,
        name: name,
        sending: sending,
        client: client,
        surroundings: surroundings
      )
    case .program(let endpoint):
      try ProgramBackend(
        endpoint,
        name: name,
        sending: sending,
        surroundings: surroundings,
        programs: programs
      )
    case .file(let endpoint):
      throw BackendError(
        .invalidRequest,
        "the backend '\(name)' answers from \(endpoint.path) and cannot be asked"
      )
    case .inProcess:
      throw BackendError(.invalidRequest, "the backend '\(name)' is a function of a test alone")
    }
  }
}

extension BackendDefinition {
  /// The value of `type:`.
  package var typeName: String {
    switch kind {
    case .model(let endpoint): endpoint.api.type
    case .app: "http"
    case .program: "exec"
    case .file: "file"
    case .inProcess: "in-process"
    }
  }

  /// Where it is: a scheme with a host, or a program.
  package var place: String {
    switch kind {
    case .model(let endpoint): endpoint.server.host
    case .app(let endpoint): endpoint.server.host
    case .program(let endpoint): endpoint.place
    case .file(let endpoint): endpoint.path.description
    case .inProcess: "in-process"
    }
  }

  /// The model that is asked for by name, where one is.
  package var model: String? {
    switch kind {
    case .model(let endpoint): endpoint.model
    case .app(let endpoint): endpoint.model
    case .program(let endpoint): endpoint.model
    case .file, .inProcess: nil
    }
  }

  /// Where its key comes from and how it is sent, where it has one.
  package var key: ServerAccess.KeyReference? {
    switch kind {
    case .model(let endpoint): endpoint.server.key
    case .app(let endpoint): endpoint.server.key
    case .program, .file, .inProcess: nil
    }
  }

  /// True where its program runs as long as the run.
  package var keepsRunning: Bool {
    if case .program(let endpoint) = kind { endpoint.keepsRunning } else { false }
  }

  package var isServer: Bool {
    switch kind {
    case .model, .app: true
    case .program, .file, .inProcess: false
    }
  }

  package var canStream: Bool { isServer }

  /// The same backend, asked for answers in pieces.
  package var streamed: BackendDefinition {
    var other = self
    switch kind {
    case .model(var endpoint):
      endpoint.isStreamed = true
      other.kind = .model(endpoint)
    case .app(var endpoint):
      endpoint.places.isStreamed = true
      other.kind = .app(endpoint)
    case .program, .file, .inProcess: break
    }
    return other
  }
}
