import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("OpenAI chat backend")
struct ModelServerBackendTests {
  private static let key = "sk-t3st-0123456789"
  private static let answer = HTTPResponse(
    status: 200,
    headers: [HTTPHeader("content-type", "application/json")],
    body: Array(#"{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}"#.utf8)
  )

  private func backend(
    _ client: any HTTPClient,
    keyVariable: String? = "SERVER_KEY",
    environment: [String: String] = ["SERVER_KEY": Self.key]
  ) throws -> any Backend {
    let endpoint = ModelEndpoint(
      server: ServerAccess(
        url: "https://models.test/v1",
        key: keyVariable.map { ServerAccess.KeyReference(variable: $0) }
      ),
      model: "sorter-1"
    )
    let definition = BackendDefinition(
      name: "server",
      kind: .model(endpoint),
      sending: SendingPolicy(timeout: .seconds(7))
    )
    return try definition.connectPlainly(
      client,
      surroundings: Surroundings(
        files: InMemoryFileSystem(),
        environment: environment,
        now: { RecordingProject.date }
      )
    )
  }

  private func error(_ response: HTTPResponse) async throws -> BackendError {
    let backend = try backend(RecordingHTTPClient(response))
    return try await #require(throws: BackendError.self) { _ = try await backend.send(.fixture()) }
  }

  // MARK: Requests

  @Test("A request is posted as JSON to the endpoint, with the key only in Authorization")
  func request() async throws {
    let client = RecordingHTTPClient(Self.answer)
    _ = try await backend(client).send(.fixture())
    #expect(client.requests.count == 1)
    let request = try #require(client.requests.first)
    #expect(request.method == "POST")
    #expect(request.url == "https://models.test/v1/chat/completions")
    #expect(
      request.headers == [
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
        HTTPHeader("Authorization", "Bearer sk-t3st-0123456789"),
      ]
    )
    #expect(request.timeout == .seconds(7))
    #expect(
      String(decoding: request.body, as: UTF8.self) == """
        {"model":"sorter-1","messages":[{"role":"user","content":"Where is it?"}],"temperature":0}
        """
    )
  }

  @Test("Without a key setting, no Authorization is sent, even if the environment contains keys")
  func requestWithoutKey() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let backend = try backend(
      client,
      keyVariable: nil,
      environment: ["OPENAI_API_KEY": Self.key, "SERVER_KEY": Self.key]
    )
    _ = try await backend.send(.fixture())
    #expect(client.requests.first?.headers.map(\.name) == ["Content-Type", "Accept"])
  }

  @Test(
    "An unset or empty key is an error before anything is sent",
    arguments: [[:], ["SERVER_KEY": ""], ["server_key": "sk-1"]]
  )
  func missingKey(environment: [String: String]) throws {
    let client = RecordingHTTPClient(Self.answer)
    let error = try #require(throws: BackendError.self) {
      _ = try backend(client, environment: environment)
    }
    #expect(
      error
        == BackendError(
          .missingKey,
          "the backend 'server' needs a key in the environment variable SERVER_KEY, "
            + "which is not set"
        )
    )
    #expect(
      error.fix
        == "set the environment variable, or change 'key' or the address in sluice.yaml"
    )
    #expect(client.requests.isEmpty)
  }

  // MARK: Responses

  @Test("An exchange stores request, status, body, timings, server and date")
  func exchange() async throws {
    var response = Self.answer
    response.timings = HTTPTimings(
      connect: .microseconds(1_500),
      tls: .microseconds(12_345),
      firstByte: .nanoseconds(200_125_900),
      total: .milliseconds(1_250)
    )
    let exchange = try await backend(RecordingHTTPClient(response)).send(.fixture())
    #expect(exchange.answer == (try ResponseReader.response(in: exchange)))
    #expect(exchange.answer?.text == "yes")
    #expect(
      Exchange(request: exchange.request, response: exchange.response)
        == Exchange(
          request: .fixture(),
          status: 200,
          headers: [HTTPHeader("content-type", "application/json")],
          body: Self.answer.body,
          timings: ResponseTimings(
            connect: 1.5,
            tls: 12.345,
            firstByte: 200.125,
            total: 1_250
          ),
          host: "https://models.test",
          date: RecordingProject.date
        )
    )
  }

  @Test("Only listed headers are kept, sorted, with repeated headers joined")
  func keptHeaders() async throws {
    var response = Self.answer
    response.headers = [
      ("x-sluice-stand-in", "sorter"), ("date", "Sat, 21 Nov 2026 12:00:19 GMT"),
      ("server-timing", "queue;dur=1"), ("content-type", "application/json"),
      ("set-cookie", "session=secret"), ("openai-organization", "org-1"),
      ("openai-project", "proj-1"), ("x-request-id", "req-1"), ("cf-ray", "1"),
      ("authorization", "Bearer x"), ("server-timing", "model;dur=2"),
      ("openai-processing-ms", "12"), ("openai-version", "2020-10-01"),
    ].map { HTTPHeader($0.0, $0.1) }
    let exchange = try await backend(RecordingHTTPClient(response)).send(.fixture())
    #expect(
      exchange.response.headers == [
        HTTPHeader("content-type", "application/json"), HTTPHeader("openai-processing-ms", "12"),
        HTTPHeader("openai-version", "2020-10-01"),
        HTTPHeader("server-timing", "queue;dur=1, model;dur=2"),
        HTTPHeader("x-sluice-stand-in", "sorter"),
      ]
    )
  }

  // MARK: Streams

  private static let pieces = [(120.0, "y"), (150.5, "e"), (400.0, "s")]
  private static let streamed = ModelRequest.fixture(parameters: ["stream": true])

  @Test("A streamed request has its own timeout, accepts events and records arrival times")
  func streamedRequest() async throws {
    let client = RecordingHTTPClient(StreamedCompletion.response(Self.pieces))
    _ = try await backend(client).send(Self.streamed)
    let request = try #require(client.requests.first)
    #expect(request.keepsArrivals)
    #expect(request.timeout == .seconds(30))
    #expect(request.headers.contains(HTTPHeader("Accept", "text/event-stream")))
    _ = try await backend(client).send(.fixture())
    #expect(client.requests.last?.keepsArrivals == false)
  }

  @Test("The text timings are those of its pieces, without the events around them")
  func streamedTimes() async throws {
    let client = RecordingHTTPClient(StreamedCompletion.response(Self.pieces, end: 900))
    let exchange = try await backend(client).send(Self.streamed)
    let answer = try #require(exchange.answer)
    #expect(answer.text == "yes")
    #expect(answer.finishReason == "stop")
    #expect(answer.usage == TokenUsage(input: 100, output: 10))
    #expect(answer.provenance.model == "sorter-1")
    #expect(
      answer.timings
        == ResponseTimings(
          connect: 1,
          firstByte: 80,
          firstText: 120,
          longestGap: 249.5,
          total: 900
        )
    )
    #expect(exchange.response.arrivals.count == 5)
    #expect(
      exchange.answer == (try ResponseReader.response(in: exchange.response, api: "openai-chat"))
    )
  }

  @Test("A text in a single piece has a time to first text but no gap")
  func onePiece() async throws {
    let client = RecordingHTTPClient(StreamedCompletion.response([(70, "yes")]))
    let answer = try await backend(client).send(Self.streamed).answer
    #expect(answer?.timings.firstText == 70)
    #expect(answer?.timings.longestGap == nil)
  }

  @Test("A plain answer to a streamed request has no text timings")
  func plainAnswer() async throws {
    var response = Self.answer
    response.arrivals = [(.milliseconds(5), 10), (.milliseconds(9), response.body.count)]
    let exchange = try await backend(RecordingHTTPClient(response)).send(Self.streamed)
    #expect(exchange.answer?.text == "yes")
    #expect(exchange.answer?.timings.firstText == nil)
    #expect(exchange.response.arrivals.isEmpty)
  }

  @Test("An incomplete stream is an error")
  func brokenStream() async throws {
    let error = try await error(StreamedCompletion.response(Self.pieces, isWhole: false))
    #expect(
      error
        == BackendError(
          .brokenAnswer,
          "the server's stream ended before the answer was complete"
        )
    )
  }

  @Test(
    "An error in a stream replaces its text",
    arguments: [
      (#"data: {"error":{"message":"Busy.","code":503}}"#, BackendError.Kind.serverError),
      ("event: error\ndata: {\"message\":\"Busy.\",\"type\":\"overloaded_error\"}", .serverError),
      (#"data: {"choices":[{"index":0,"error":{"message":"Busy.","code":429}}]}"#, .rateLimited),
    ]
  )
  func errorInStream(event: String, kind: BackendError.Kind) async throws {
    var response = StreamedCompletion.response(Self.pieces, isWhole: false)
    response.body += Array("\(event)\n\ndata: [DONE]\n\n".utf8)
    let error = try await error(response)
    #expect(error.kind == kind)
    #expect(error.message == "the server answered 200 with an error: Busy.")
    #expect(error.status == nil)
  }

  @Test(
    "An answer that ends with an error is an error, with or without details",
    arguments: [
      (
        #""finish_reason":"error","error":{"code":502,"message":"upstream"}"#,
        "the server answered 200 with an error: upstream"
      ),
      (
        #""finish_reason":"error""#,
        "the server ended the answer with an error but did not name the error"
      ),
    ]
  )
  func endedWithError(end: String, message: String) async throws {
    let whole = #"{"model":"m","choices":[{"index":0,"message":{"content":"ye"},\#(end)}]}"#
    let stream = """
      data: {"choices":[{"index":0,"delta":{"content":"ye"}}]}

      data: {"choices":[{"index":0,"delta":{},\(end)}]}

      data: [DONE]


      """
    for body in [whole, stream] {
      let error = try await error(HTTPResponse(status: 200, body: Array(body.utf8)))
      #expect(error == BackendError(.serverError, message))
    }
  }

  @Test("Empty events are ignored, and an event that is not JSON is an error")
  func emptyEvents() async throws {
    var response = StreamedCompletion.response(Self.pieces)
    response.body = Array(": wait\n\ndata:\n\ndata: \n\n".utf8) + response.body
    response.arrivals = []
    #expect(
      try await backend(RecordingHTTPClient(response)).send(Self.streamed).answer?.text == "yes"
    )
    response.body = Array("data: {\n\n".utf8) + response.body
    let error = try await error(response)
    #expect(error.kind == .brokenAnswer)
    #expect(error.message.hasPrefix("an event of the server's stream is not JSON: "))
  }

  // MARK: Errors

  @Test(
    "Each HTTP status maps to a kind of error with a fix",
    arguments: [
      (
        301, BackendError.Kind.notFound,
        "correct the address https://models.test/v1/chat/completions or the model 'sorter-1' of "
          + "the backend 'server' in sluice.yaml (to test it: 'sluice backends check server')"
      ),
      (400, .invalidRequest, "check the prompt's parameters and schema"),
      (
        401, .badCredentials,
        "correct the key in the environment variable SERVER_KEY (to test it: 'sluice backends "
          + "check server')"
      ),
      (402, .quotaSpent, "check the plan and the billing of the key's account"),
      (
        403, .permissionDenied,
        "check the permissions of the key in SERVER_KEY for the model "
          + "'sorter-1'"
      ),
      (
        404, .notFound,
        "correct the address https://models.test/v1/chat/completions or the model 'sorter-1' of "
          + "the backend 'server' in sluice.yaml (to test it: 'sluice backends check server')"
      ),
      (408, .timedOut, "try again, or raise the backend's 'timeout' in sluice.yaml"),
      (413, .invalidRequest, "check the prompt's parameters and schema"),
      (422, .invalidRequest, "check the prompt's parameters and schema"),
      (429, .rateLimited, "wait, or lower the backend's 'max-in-flight' in sluice.yaml"),
      (500, .serverError, "try again later"), (501, .serverError, "try again later"),
      (503, .serverError, "try again later"), (529, .serverError, "try again later"),
    ]
  )
  func statuses(status: Int, kind: BackendError.Kind, fix: String) async throws {
    let error = try await error(
      HTTPResponse(status: status, body: Array(#"{"error":{"message":"No, sorry."}}"#.utf8))
    )
    var expected = BackendError(
      kind,
      "the server answered \(status): No, sorry.",
      status: status,
      canRetry: status == 501 ? false : nil
    )
    expected.advice = error.advice
    #expect(error == expected)
    #expect(error.fix == fix)
  }

  @Test("If the server rejects a request without a key, the fix shows how to configure one")
  func noKeyNamed() async throws {
    let response = HTTPResponse(status: 401, body: [])
    let backend = try backend(RecordingHTTPClient(response), keyVariable: nil)
    let error = await #expect(throws: BackendError.self) { _ = try await backend.send(.fixture()) }
    #expect(
      error?.fix
        == "add 'key: {env: NAME}' to the backend 'server' in sluice.yaml, and set that "
        + "environment variable"
    )
  }

  @Test(
    "The server's error message is reported, in each of its usual forms",
    arguments: [
      (#"{"error":{"message":"Bad.","type":"x","param":null,"code":"y"}}"#, ": Bad."),
      (#"{"error":"Bad."}"#, ": Bad."), (#"{"code":"invalid","error":"Bad."}"#, ": Bad."),
      (#"{"object":"error","message":"Bad.","code":3210}"#, ": Bad."),
      (#"{"detail":"Bad."}"#, ": Bad."), (#"{"error":{"code":7}}"#, ""), (#"{"error":null}"#, ""),
      (#"["Bad."]"#, ""), ("<html>Bad gateway</html>", ""), ("", ""), ("\u{FF}", ""),
    ]
  )
  func serverMessages(body: String, said: String) async throws {
    let error = try await error(HTTPResponse(status: 400, body: Array(body.utf8)))
    #expect(error.message == "the server answered 400\(said)")
  }

  @Test("A long message of the server is truncated")
  func longMessage() async throws {
    let text = String(repeating: "é", count: 301)
    let error = try await error(
      HTTPResponse(status: 500, body: Array("{\"error\":\"\(text)\"}".utf8))
    )
    #expect(error.message == "the server answered 500: " + String(repeating: "é", count: 300))
  }

  @Test(
    "A key that the server repeats is redacted, also in a response with status 200",
    arguments: [
      (401, "the server answered 401: Wrong key: <redacted>. <redacted>!"),
      (500, "the server answered 500: Wrong key: <redacted>. <redacted>!"),
      (200, "the server answered 200 with an error: Wrong key: <redacted>. <redacted>!"),
    ]
  )
  func redaction(status: Int, message: String) async throws {
    let body = #"{"error":{"message":"Wrong key: \#(Self.key). \#(Self.key)!"}}"#
    let error = try await error(HTTPResponse(status: status, body: Array(body.utf8)))
    #expect(error.message == message)
  }

  @Test("A key at the truncation point of a long message leaves no part of itself")
  func redactionBeforeCut() async throws {
    let body = #"{"error":"\#(String(repeating: "x", count: 295))\#(Self.key)"}"#
    let error = try await error(HTTPResponse(status: 401, body: Array(body.utf8)))
    #expect(!error.message.contains("sk-"))
  }

  @Test(
    "Each transport error maps to a kind of error with a fix",
    arguments: [
      (
        HTTPError.Kind.invalidURL, BackendError.Kind.invalidRequest,
        "the address https://models.test is not a URL", "check the prompt's parameters and schema"
      ),
      (
        .nameNotResolved, .nameNotFound, "the host name of https://models.test was not found",
        "check the address in sluice.yaml and the network"
      ),
      (
        .connectionFailed, .noConnection, "no connection to https://models.test",
        "check the address in sluice.yaml, and check that the server is running"
      ),
      (
        .tls, .tls, "no secure connection to https://models.test: detail",
        "check the server's certificate, and check that the server supports TLS"
      ),
      (
        .timedOut, .timedOut, "https://models.test did not answer in time",
        "try again, or raise the backend's 'timeout' in sluice.yaml"
      ),
      (
        .responseTooLarge, .brokenAnswer, "the answer of https://models.test is too large",
        "try again; if the error persists, check the address and, if present, 'answer' in sluice.yaml"
      ),
      (.cancelled, .cancelled, "the request was cancelled", "run the command again"),
      (
        .broken, .brokenAnswer, "the answer of https://models.test ended early: detail",
        "try again; if the error persists, check the address and, if present, 'answer' in sluice.yaml"
      ),
    ]
  )
  func transport(
    kind: HTTPError.Kind,
    meaning: BackendError.Kind,
    message: String,
    fix: String
  ) async throws {
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      throw HTTPError(kind, detail: "detail")
    }
    let backend = try backend(client)
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error == BackendError(meaning, message))
    #expect(error.fix == fix)
  }
}

@Suite("Response reader")
struct ResponseReaderTests {
  @Test("An exchange of an unknown protocol is an error")
  func unknownProtocol() {
    var exchange = Recording.fixture().exchange
    exchange.request.api = "carrier-pigeon"
    #expect(
      throws: BackendError(
        .brokenAnswer,
        "this version of Sluice does not know the protocol 'carrier-pigeon'"
      )
    ) { try ResponseReader.response(in: exchange) }
  }
}
