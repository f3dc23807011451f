import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("App backend")
struct AppBackendTests {
  private static let key = "sk-t3st-0123456789"
  private static let prompt = RenderedPrompt(messages: [ChatMessage(role: .user, text: "Hi.")])

  private func definition(
    _ body: JSONValue = ["message": "{{message}}"],
    places: AnswerPlaces = AnswerPlaces(),
    model: String? = nil,
    fallsBack: Bool = true
  ) throws -> BackendDefinition {
    let file = SourceFile(path: "sluice.yaml", bytes: [])
    let node = Node(body, at: SourcePosition(line: 1, column: 1))
    let template = BodyTemplate(node, file: file, diagnostics: DiagnosticCollector())
    return BackendDefinition(
      name: "production",
      kind: .app(
        AppEndpoint(
          server: ServerAccess(
            url: "https://app.test/reply?v=2",
            key: ServerAccess.KeyReference(variable: "APP_KEY", header: "X-App-Key"),
            headers: [HTTPHeader("X-Team", "a")]
          ),
          model: model,
          body: try #require(template),
          places: places,
          fingerprint: Fingerprint(of: ["version": "1"])
        )
      ),
      sending: SendingPolicy(
        timeout: .seconds(7),
        streamTimeout: .seconds(3),
        fallsBack: fallsBack,
        retries: 0
      )
    )
  }

  private let surroundings = Surroundings(
    files: InMemoryFileSystem(),
    environment: ["APP_KEY": Self.key],
    now: { RecordingProject.date }
  )

  @Test("The definition, the prompt and the input determine the request")
  func requests() throws {
    let request = try definition(model: "gpt-4o-mini")
      .request(for: Self.prompt, input: ["message": "Where?"])
    #expect(request.backend == "production")
    #expect(request.api == "http")
    #expect(request.model == "gpt-4o-mini")
    #expect(request.body == ["message": "Where?"])
    #expect(request.fingerprint == Fingerprint(of: ["version": "1"]).digest)
    #expect(
      try definition().request(for: Self.prompt, input: ["message": ""]).model == "production"
    )
  }

  @Test("The request key depends on the fingerprint, but not on the position of the answer")
  func keys() throws {
    let input: JSONValue = ["message": "Where?"]
    let one = try definition().request(for: Self.prompt, input: input)
    let other = try definition(places: AnswerPlaces(text: "reply", isStreamed: true))
      .request(for: Self.prompt, input: input)
    #expect(one != other)
    #expect(RequestIdentity.key(of: one) == RequestIdentity.key(of: other))
    var changed = one
    changed.fingerprint = Fingerprint(of: ["version": "2"]).digest
    #expect(RequestIdentity.key(of: one) != RequestIdentity.key(of: changed))
    #expect(
      RequestIdentity(one).parts.map(\.name)
        == ["backend", "protocol", "model", "fingerprint", "body message"]
    )
  }

  @Test("A request is posted to the exact URL, with the headers and the API key")
  func sending() async throws {
    let client = RecordingHTTPClient(
      HTTPResponse(status: 200, body: Array(#"{"content":"yes"}"#.utf8))
    )
    let app = try self.definition()
    let backend = try app.connectPlainly(client, surroundings: surroundings)
    let request = try app.request(for: Self.prompt, input: ["message": "Where?"])
    let exchange = try await backend.send(request)
    #expect(exchange.answer?.text == "yes")
    #expect(exchange.response.host == "https://app.test")
    let sent = try #require(client.requests.first)
    #expect(sent.method == "POST")
    #expect(sent.url == "https://app.test/reply?v=2")
    #expect(
      sent.headers == [
        HTTPHeader("X-Team", "a"), HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("Accept", "application/json"), HTTPHeader("X-App-Key", Self.key),
      ]
    )
    #expect(sent.timeout == .seconds(7))
    #expect(!sent.keepsArrivals)
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"message":"Where?"}"#)
  }

  @Test("The message of an HTTP error is read from the configured position, without the key")
  func refusal() async throws {
    let client = RecordingHTTPClient(
      HTTPResponse(status: 422, body: Array(#"{"failure":{"reason":"No \#(Self.key)."}}"#.utf8))
    )
    let app = try self.definition(places: AnswerPlaces(error: "failure.reason"))
    let backend = try app.connectPlainly(client, surroundings: surroundings)
    let request = try app.request(for: Self.prompt, input: ["message": "Where?"])
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(request)
    }
    #expect(error.kind == BackendError.Kind.invalidRequest)
    #expect(error.message == "the server answered 422: No <redacted>.")
  }

  @Test("After a broken stream, the complete answer is requested, and the partial text is dropped")
  func fallback() async throws {
    let client = RecordingHTTPClient { request throws(HTTPError) in
      let accept = request.headers.first { $0.name == "Accept" }?.value
      let body =
        accept == "text/event-stream"
        ? "data: {\"content\":\"half\"}\n\n" : #"{"content":"the whole"}"#
      return HTTPResponse(
        status: 200,
        body: Array(body.utf8),
        timings: HTTPTimings(total: .milliseconds(40))
      )
    }
    let app = try self.definition(
      ["message": "{{message}}", "stream": true],
      places: AnswerPlaces(isStreamed: true)
    )
    let backend = try app.connect(client, surroundings: surroundings)
    let request = try app.request(for: Self.prompt, input: ["message": "Where?"])
    let exchange = try await backend.send(request)
    #expect(exchange.request == request)
    #expect(exchange.answer?.text == "the whole")
    #expect(exchange.response.fallback?.reason == .brokenAnswer)
    #expect(
      client.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"message":"Where?","stream":true}"#, #"{"message":"Where?","stream":false}"#,
      ]
    )
    #expect(client.requests.map(\.timeout) == [.seconds(3), .seconds(7)])
    #expect(client.requests.map(\.keepsArrivals) == [true, false])
  }

  @Test("Without a fallback, a broken stream is an error")
  func noFallback() async throws {
    let client = RecordingHTTPClient(
      HTTPResponse(status: 200, body: Array("data: {\"content\":\"half\"}\n\n".utf8))
    )
    let app = try self.definition(places: AnswerPlaces(isStreamed: true), fallsBack: false)
    let backend = try app.connect(client, surroundings: surroundings)
    let request = try app.request(for: Self.prompt, input: ["message": "Where?"])
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(request)
    }
    #expect(error.message == "the server's stream ended before the answer was complete")
    #expect(client.requests.count == 1)
  }

  @Test("The API key is one of the secrets to redact")
  func secrets() throws {
    #expect(try definition().secrets(surroundings).map(\.value) == [Self.key])
  }

  // MARK: Recorded

  @Test("A recording stores the positions of the answer's parts, on the shared frame line")
  func recording() throws {
    let places = AnswerPlaces(text: "reply.text", piece: "delta", isStreamed: true)
    let request = try definition(places: places).request(for: Self.prompt, input: ["message": "a"])
    let recording = Recording(
      key: RequestIdentity.key(of: request),
      repetition: 1,
      exchange: Exchange(
        request: request,
        body: Array(#"{"reply":{"text":"yes"}}"#.utf8),
        host: "https://app.test",
        date: RecordingProject.date
      ),
      hints: Recording.Hints(
        suite: "s",
        testCase: "c",
        inputDigest: "",
        prompt: "v1",
        templateDigest: ""
      )
    )
    let (line, parts) = RecordingLines.line(of: recording)
    let values = try parts.values.map { try JSONReader.value($0) }
    let frame = try #require(values.first { $0["api"] != nil })
    #expect(frame["answer"] == ["text": "reply.text", "piece": "delta", "stream": true])
    let read = try line.withUnsafeBytes { bytes in
      try RecordingLines.recording(bytes) { digest in
        parts[digest].flatMap { try? JSONReader.value($0) }
      }
    }
    #expect(read.exchange.request == request)
    #expect(try ResponseReader.response(in: read.exchange).text == "yes")
  }
}

@Suite("Suites that test an app's endpoint")
struct AppSuiteTests {
  private static let app = RecordingHTTPClient { request throws(HTTPError) in
    let body = try? JSONReader.value(request.body)
    let kind = body?["message"]?.string?.last == "?" ? "question" : "request"
    return HTTPResponse(
      status: 200,
      body: JSONWriter.line(["reply": ["text": .string("{\"kind\":\"\(kind)\"}")], "by": "m-1"])
    )
  }

  private func project(_ answer: String = "{text: reply.text, model: by}") throws
    -> RecordingProject
  {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: #"{type: openai, base-url: "https://models.test/v1", model: sorter-1}"#,
      with: """
        {type: http, url: "https://app.test/kind", body: {message: "{{message}}"}, \
        answer: \(answer), fingerprint: [app/kind.js]}
        """
    )
    try project.files.write(Array("one".utf8), to: ProjectPath("app/kind.js"))
    return project
  }

  @Test("An app's answers are recorded and replayed like those of a model")
  func recorded() async throws {
    let project = try project()
    #expect(try await project.record(from: Self.app).recorded == 4)
    let column = try project.replay().suites[0].columns[0]
    #expect(column.lost == 0)
    #expect(column.provenances.map(\.model) == ["m-1"])
  }

  @Test("After the app changes, no answer is replayed, and each miss names the fingerprint")
  func changedFunction() async throws {
    let project = try project()
    _ = try await project.record(from: Self.app)
    try project.files.write(Array("two".utf8), to: ProjectPath("app/kind.js"))
    let trials = try project.replay().suites[0].columns[0].trials
    #expect(trials.count == 4)
    for trial in trials {
      guard case .lost(.noRecording(let miss)) = trial.outcome,
        case .changed(let change) = miss.reason
      else {
        Issue.record("\(trial.outcome)")
        continue
      }
      #expect(change.kinds == [.fingerprint])
    }
  }

  @Test("A corrected answer position applies to existing recordings")
  func correctedPlace() async throws {
    let project = try project("{text: reply.text, model: by}")
    _ = try await project.record(from: Self.app)
    try project.edit("sluice.yaml", replacing: "model: by", with: "model: reply.text")
    let column = try project.replay().suites[0].columns[0]
    #expect(column.lost == 0)
    #expect(column.provenances.compactMap(\.model).allSatisfy { $0.hasPrefix("{\"kind\"") })
  }

  @Test("A variable in the body that no case defines is an error at its position")
  func gap() throws {
    let project = try project()
    try project.edit(
      "sluice.yaml",
      replacing: "\"{{message}}\"",
      with: "\"{{mesage}} {{prompt.developer}}\""
    )
    let report = ProjectLoader.load(from: project.files).diagnostics.map(\.description).joined()
    #expect(
      report == """
        sluice.yaml:2:71: error: no case of datasets/triage/cases.yaml has 'mesage'
          2 | …://app.test/kind", body: {message: "{{mesage}} {{prompt.developer}}"}, a…
            |                                      ^
          fix: did you mean 'message'?
        sluice.yaml:2:82: error: no case of datasets/triage/cases.yaml has 'prompt.developer'
          2 | …/kind", body: {message: "{{mesage}} {{prompt.developer}}"}, answer: {tex…
            |                                      ^
          fix: give it a value under 'input' of the cases, or remove it from the body

        """
    )
  }

  @Test("An input that only the body uses causes no warning")
  func onlyInBody() throws {
    let project = try project()
    try project.edit(RecordingProject.promptPath, replacing: "\"{{message}}\"", with: "Sort it.")
    #expect(ProjectLoader.load(from: project.files).diagnostics == [])
  }
}
