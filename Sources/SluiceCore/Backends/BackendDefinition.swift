package import SluiceSupport

/// A backend as `sluice.yaml` defines it: how prompts become requests, and where the requests are
/// sent.
package struct BackendDefinition: Hashable, Sendable {
  package var name: String
  package var kind: Kind
  package var sending: SendingPolicy
  /// The finish reasons that the backend defines itself.
  package var endings: EndingWords
  /// True if the times of the answers have no meaning, for example because a stub answers.
  ///
  /// This value is not part of the key under which an answer is recorded.
  package var hasMeaninglessTimes = false

  /// True if the backend receives no requests, because its answers come only through batch files.
  package var isAskedThroughFiles = false

  /// The only value that `asked:` may have.
  static let throughFiles = "through-files"
  /// The only value that `times:` may have.
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
    /// A file that contains existing answers to the cases.
    case file(FileEndpoint)
    /// A function in the calling program. No file defines it.
    case inProcess(InProcessEndpoint)
  }

  /// The values that `type:` may have.
  package static let types = ModelAPI.types + ["http", "exec", "file"]

  // MARK: Requests

  /// Returns the request for an answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: The prompt, filled in for a case.
  ///   - input: The case's input, for backends that contain the prompt themselves.
  ///   - testCase: The id of the case; nil if the request is not for a case.
  /// - Returns: The request.
  /// - Throws: ``Template/Problem`` about the first variable for which the case has no value.
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

  /// The model behind a vendor's API; nil for other kinds of backends.
  package var endpoint: ModelEndpoint? {
    if case .model(let endpoint) = kind { endpoint } else { nil }
  }

  /// True if requests depend only on the prompt.
  package var asksPromptAlone: Bool {
    switch kind {
    case .model: true
    case .app, .program, .file, .inProcess: false
    }
  }

  /// The file with the answers; nil for other kinds of backends.
  package var outputs: FileEndpoint? {
    if case .file(let endpoint) = kind { endpoint } else { nil }
  }

  /// The template of the request body, which is filled in for each case; nil if there is none.
  package var body: BodyTemplate? {
    if case .app(let endpoint) = kind { endpoint.body } else { nil }
  }

  /// True if the backend receives the whole input of a case.
  package var takesWholeInput: Bool {
    switch kind {
    case .model, .app, .file: false
    case .program, .inProcess: true
    }
  }

  /// The paths of the answer's parts; nil if the protocol determines them.
  package var places: AnswerPlaces? {
    if case .app(let endpoint) = kind { endpoint.places } else { nil }
  }

  /// The version of an app's endpoint or of a program, as a digest; nil for other kinds of
  /// backends.
  package var fingerprint: Fingerprint? {
    switch kind {
    case .model, .file, .inProcess: nil
    case .app(let endpoint): endpoint.fingerprint
    case .program(let endpoint): endpoint.fingerprint
    }
  }

  // MARK: Connections

  /// Returns the secrets among the values of the backend's environment variables.
  package func secrets(_ surroundings: Surroundings) -> [Secret] {
    switch kind {
    case .model(let endpoint): endpoint.server.secrets(in: surroundings.environment)
    case .app(let endpoint): endpoint.server.secrets(in: surroundings.environment)
    case .program(let endpoint): endpoint.secrets(in: surroundings.environment)
    case .file, .inProcess: []
    }
  }

  /// Returns the live backend with retries, a circuit breaker, a concurrency limit and a fallback.
  ///
  /// - Parameters:
  ///   - client: The network client.
  ///   - surroundings: The environment, which contains the keys.
  ///   - programs: The programs that keep running until the run ends; nil if no program may keep
  ///     running.
  ///   - meter: Counts the requests, tokens and cost.
  ///   - clock: The source of time and delays.
  /// - Returns: The backend.
  /// - Throws: ``BackendError`` if something is missing that the backend needs, such as its key.
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

  /// Returns the backend without retries, so that it sends each request only once.
  ///
  /// - Parameters:
  ///   - client: The network client.
  ///   - surroundings: The environment, which contains the keys.
  ///   - programs: The programs that keep running until the run ends; nil if no program may keep
  ///     running.
  /// - Returns: The backend.
  /// - Throws: ``BackendError`` if something is missing that the backend needs, such as its key.
  package func connectPlainly(
    _ client: any HTTPClient,
    surroundings: Surroundings,
    programs: RunningPrograms? = nil
  ) throws(BackendError) -> any Backend {
    if isAskedThroughFiles {
      var error = BackendError(
        .invalidRequest,
        "the backend '\(name)' cannot send requests: its answers come from files"
      )
      error.advice =
        "write the missing requests as a batch file: sluice batch export missing.jsonl --backend "
        + "\(name)"
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
        "the backend '\(name)' answers from \(endpoint.path) and cannot send requests"
      )
    case .inProcess:
      throw BackendError(.invalidRequest, "the backend '\(name)' runs only inside its test")
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

  /// The location of the backend, such as `https://api.openai.com` or `exec:./answer.py`.
  package var place: String {
    switch kind {
    case .model(let endpoint): endpoint.server.host
    case .app(let endpoint): endpoint.server.host
    case .program(let endpoint): endpoint.place
    case .file(let endpoint): endpoint.path.description
    case .inProcess: "in-process"
    }
  }

  /// The name of the requested model; nil if there is none.
  package var model: String? {
    switch kind {
    case .model(let endpoint): endpoint.model
    case .app(let endpoint): endpoint.model
    case .program(let endpoint): endpoint.model
    case .file, .inProcess: nil
    }
  }

  /// The source of the backend's key, and how the key is sent; nil if the backend has no key.
  package var key: ServerAccess.KeyReference? {
    switch kind {
    case .model(let endpoint): endpoint.server.key
    case .app(let endpoint): endpoint.server.key
    case .program, .file, .inProcess: nil
    }
  }

  /// The words of the backend's own command, or of the command that prints its key.
  package var commandWords: [String] {
    if case .program(let endpoint) = kind { endpoint.command } else { key?.command?.words ?? [] }
  }

  /// True if the backend's program keeps running during the run.
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

  /// A copy of this backend that streams answers.
  ///
  /// If a backend of this kind cannot stream, the copy is unchanged.
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
