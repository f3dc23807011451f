import SampleProjects
import Sluice
import SluiceTesting
import Testing
import TestSupport

@Suite("Backend conformance")
struct BackendConformanceTests {
  private static let secret = "sk-t3st-0123456789"
  private static let rules = [
    "the whole text is the answer", "unknown values are nil instead of zero, and times add up",
    "a second request is answered like the first",
    "each of many concurrent requests gets its own answer",
    "part of an answer does not count as an answer",
    "an error says what happened, without secrets",
    "the kind of the error shows that the service is unreachable",
    "cancelling ends a request that hangs",
  ]

  /// The report of a backend that follows every rule.
  private static var allKept: String { rules.map { "kept     \($0)\n" }.joined() }

  // MARK: Ours

  /// A network with a server of a given kind and behavior.
  private struct Network: HTTPClient {
    var world: BackendConformance.World
    var isStreamed: Bool
    /// The body of a whole answer, and that of a streamed one, up to its middle or to its end.
    var whole: @Sendable (String) -> JSONValue
    var stream: @Sendable (_ text: String, _ isBroken: Bool) -> String
    /// The text in a request.
    var message: @Sendable (JSONValue) -> String?

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      switch world {
      case .answering(let text): return answer(text)
      case .echoing:
        await Task.yield()
        guard let body = try? JSONReader.value(request.body), let text = message(body) else {
          throw HTTPError(.broken, detail: "nothing was said")
        }
        return answer(text)
      case .breakingOff(let text):
        if !isStreamed { throw HTTPError(.broken, detail: "18 bytes were missing") }
        return answer(text, isBroken: true)
      case .absent: throw HTTPError(.connectionFailed, detail: "refused")
      case .failing:
        let secret = request.headers.map(\.value).joined(separator: " ")
        return HTTPResponse(
          status: 500,
          body: JSONWriter.line(["error": ["message": .string("No: \(secret)")]])
        )
      case .hanging:
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
        throw HTTPError(.cancelled, detail: "cancelled")
      }
    }

    private func answer(_ text: String, isBroken: Bool = false) -> HTTPResponse {
      let timings = HTTPTimings(
        connect: .milliseconds(1),
        firstByte: .milliseconds(2),
        total: .milliseconds(9)
      )
      if !isStreamed {
        return HTTPResponse(status: 200, body: JSONWriter.line(whole(text)), timings: timings)
      }
      let body = Array(stream(text, isBroken).utf8)
      return HTTPResponse(
        status: 200,
        body: body,
        arrivals: body.indices.map { (.microseconds(2_000 + $0), $0 + 1) },
        timings: timings
      )
    }
  }

  private static let surroundings = Surroundings(
    files: InMemoryFileSystem(),
    environment: ["APP_KEY": secret],
    now: { RecordingProject.date }
  )

  private static let server = ServerAccess(
    url: "https://app.test",
    key: ServerAccess.KeyReference(variable: "APP_KEY")
  )

  /// The report for one of Sluice's backends, with retries and everything else that commands add to
  /// it.
  private func report(
    _ kind: BackendDefinition.Kind,
    request: ModelRequest,
    client: @escaping @Sendable (BackendConformance.World) -> any HTTPClient
  ) async -> BackendConformance.Report {
    let definition = BackendDefinition(
      name: "conformance",
      kind: kind,
      sending: SendingPolicy(fallsBack: false, retries: 0)
    )
    return await BackendConformance(
      secret: Self.secret,
      request: request,
      patience: .seconds(120)
    ) { world in
      OutwardBackend(
        try definition.connect(client(world), surroundings: Self.surroundings)
      )
    }
    .report()
  }

  @Test(
    "The backend of every vendor's API follows every rule",
    arguments: VendorServer.all,
    [false, true]
  )
  func vendors(_ server: VendorServer, isStreamed: Bool) async throws {
    let endpoint = server.endpoint(
      Self.server.url,
      isStreamed: isStreamed,
      key: ServerAccess.KeyReference(variable: "APP_KEY", header: server.api.keyHeader)
    )
    let request = try endpoint.request(
      for: RenderedPrompt(messages: [ChatMessage(role: .user, text: "Where?")]),
      backend: "conformance"
    )
    let report = await report(.model(endpoint), request: request) { world in
      Network(
        world: world,
        isStreamed: isStreamed,
        whole: { server.whole($0) },
        stream: { text, isBroken in
          let middle = text.index(text.startIndex, offsetBy: text.count / 2)
          let pieces = [String(text[..<middle]), String(text[middle...])]
          return server.framed(
            isBroken ? server.start + [server.piece(pieces[0])] : server.events(pieces)
          )
        },
        message: { server.message(in: $0) }
      )
    }
    #expect(report.description == Self.allKept)
    #expect(report.isConforming)
  }

  @Test("The backend of an app's endpoint follows every rule", arguments: [false, true])
  func app(isStreamed: Bool) async throws {
    let body = try #require(
      BodyTemplate(
        Node(["message": "{{message}}"], at: SourcePosition(line: 1, column: 1)),
        file: SourceFile(path: "", bytes: []),
        diagnostics: DiagnosticCollector()
      )
    )
    let endpoint = AppEndpoint(
      server: Self.server,
      body: body,
      places: AnswerPlaces(isStreamed: isStreamed),
      fingerprint: Fingerprint(of: ["version": "1"])
    )
    let request = try endpoint.request(
      for: RenderedPrompt(messages: []),
      input: ["message": "Where?"],
      backend: "conformance"
    )
    let report = await report(.app(endpoint), request: request) { world in
      Network(
        world: world,
        isStreamed: isStreamed,
        whole: { ["content": .string($0)] },
        stream: { text, isBroken in
          let middle = text.index(text.startIndex, offsetBy: text.count / 2)
          let events = [text[..<middle], text[middle...]].prefix(isBroken ? 1 : 2).map { piece in
            JSONValue.object(["content": .string(String(piece))]).jsonText
          }
          return (events + (isBroken ? [] : ["[DONE]"])).map { "data: \($0)\n\n" }.joined()
        },
        message: { $0["message"]?.string }
      )
    }
    #expect(report.description == Self.allKept)
  }

  @Test("The backend of a program follows every rule")
  func program() async throws {
    let folder = try ProjectFolder()
    let script = """
      case "$WORLD" in
      answering) cat > /dev/null; cat answer ;;
      echoing) exec sed 's/.*"input":{"message":\\("[^"]*"\\)}.*/{"text":\\1}/' ;;
      breaking) printf '{"text": "The first h' ;;
      failing) echo "no: $APP_KEY" >&2; exit 1 ;;
      hanging) sleep 60 ;;
      esac
      """
    try folder.write(["answer.sh": script], under: "")
    let prompt = RenderedPrompt(messages: [ChatMessage(role: .user, text: "Where?")])
    let files = try #require(DiskFileSystem(root: folder.path))
    @Sendable func endpoint(_ program: String) -> ProgramEndpoint {
      ProgramEndpoint(
        command: [program, "answer.sh"],
        variables: ["APP_KEY", "WORLD"],
        fingerprint: Fingerprint(of: ["version": "1"])
      )
    }
    let request = endpoint("sh")
      .request(for: prompt, input: ["message": "Where?"], backend: "conformance")
    let conformance = BackendConformance(
      secret: Self.secret,
      request: request,
      patience: .seconds(300)
    ) { world in
      if case .answering(let text) = world {
        try folder.write(["answer": JSONValue.object(["text": .string(text)]).jsonText], under: "")
      }
      let name =
        switch world {
        case .answering: "answering"
        case .echoing: "echoing"
        case .breakingOff: "breaking"
        case .absent: "absent"
        case .failing: "failing"
        case .hanging: "hanging"
        }
      let definition = BackendDefinition(
        name: "conformance",
        kind: .program(endpoint(world == .absent ? "no-such-program-here" : "sh")),
        sending: SendingPolicy(retries: 0, maximumInFlight: 4)
      )
      var environment = Surroundings.processEnvironment.filter { $0.key == "PATH" }
      environment["APP_KEY"] = Self.secret
      environment["WORLD"] = name
      return OutwardBackend(
        try definition.connect(
          RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
          surroundings: Surroundings(files: files, environment: environment)
        )
      )
    }
    let report = await conformance.report()
    #expect(report.description == Self.allKept)
  }

  @Test("A backend made of a function follows every rule")
  func function() async throws {
    struct Function: ModelBackend {
      var world: BackendConformance.World

      func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse {
        switch world {
        case .answering(let text): return ModelResponse(text: text)
        case .echoing:
          return ModelResponse(text: SuiteQuestion(request).input["message"]?.string)
        case .breakingOff: throw BackendError(.brokenAnswer, "it broke off")
        case .absent: throw BackendError(.noConnection, "nobody is there")
        case .failing: throw BackendError(.serverError, "it failed")
        case .hanging:
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
          throw BackendError(.cancelled, "the request was cancelled")
        }
      }
    }
    var request = BackendConformance.request(saying: "Where?")
    request.api = InProcessEndpoint.api
    let ours = BackendConformance(secret: Self.secret, request: request) {
      OutwardBackend(InProcessBackend(Function(world: $0)))
    }
    #expect(await ours.report().description == Self.allKept)
    let plain = BackendConformance(secret: Self.secret) { Function(world: $0) }
    #expect(await plain.report().description == Self.allKept)
  }

  // MARK: Others

  /// A backend that breaks every rule.
  private struct Careless: ModelBackend {
    var world: BackendConformance.World
    var isOver = Locked(false)
    let asked = Locked(0)

    func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse {
      let count = asked.withLock { count in
        count += 1
        return count
      }
      switch world {
      case .answering(let text):
        return ModelResponse(
          text: count == 1 ? String(text.prefix(4)) : "",
          usage: TokenUsage(input: 0, output: 0)
        )
      case .echoing: return ModelResponse(text: "always the same")
      case .breakingOff(let text): return ModelResponse(text: text)
      case .absent: throw BackendError(.invalidRequest, "")
      case .failing: throw BackendError(.serverError, "no: \(BackendConformanceTests.secret)")
      case .hanging:
        // Ignores cancellation.
        while !isOver.withLock({ $0 }) {
          await Task.detached { try? await Task.sleep(for: .milliseconds(20)) }.value
        }
        return ModelResponse(text: "late")
      }
    }
  }

  @Test("Every broken rule is reported")
  func broken() async {
    let isOver = Locked(false)
    let conformance = BackendConformance(secret: Self.secret) {
      Careless(world: $0, isOver: isOver)
    }
    let report = await conformance.report()
    isOver.withLock { $0 = true }
    #expect(!report.isConforming)
    #expect(
      report.description == """
        BROKEN   the whole text is the answer: the text is "naïv"
        BROKEN   unknown values are nil instead of zero, and times add up: there are 0 tokens for a text; an unknown count must be nil
        BROKEN   a second request is answered like the first: the second text is ""
        BROKEN   each of many concurrent requests gets its own answer: 64 of 64 requests got a wrong answer: "message 0" got "always the same"
        BROKEN   part of an answer does not count as an answer: the answer is "The first half"
        BROKEN   an error says what happened, without secrets: the message repeats the secret
        BROKEN   the kind of the error shows that the service is unreachable: the error's kind is invalid-request
        BROKEN   cancelling ends a request that hangs: the request still runs 10.0 seconds after it was cancelled

        """
    )
  }

  @Test("Situations that the test cannot create are skipped, and skipping all proves nothing")
  func skipped() async {
    let report = await BackendConformance(secret: "") { _ in nil }.report()
    #expect(!report.isConforming)
    #expect(
      report.description
        == Self.rules.map { "skipped  \($0): the closure made no backend for the world\n" }.joined()
    )
    let one = await BackendConformance(secret: "") { world in
      world == .failing ? Careless(world: world) : nil
    }
    .report()
    #expect(one.isConforming)
    #expect(one.findings.count { $0.outcome == .kept } == 1)
  }
}
