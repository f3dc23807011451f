import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

import SluiceSystem

/// Programs that print tokens, and the requests that use these tokens.
@Suite("Key from a command")
struct KeyCommandTests {
  private let folder: ProjectFolder

  init() throws { folder = try ProjectFolder() }

  private static let answer = HTTPResponse(
    status: 200,
    headers: [HTTPHeader("content-type", "application/json")],
    body: Array(#"{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}"#.utf8)
  )
  private static let refusal = HTTPResponse(
    status: 401,
    body: Array(#"{"error":{"message":"Request had invalid credentials."}}"#.utf8)
  )

  private func surroundings(_ environment: [String: String] = [:]) throws -> Surroundings {
    var all = Surroundings.processEnvironment.filter { $0.key == "PATH" }
    all.merge(environment) { $1 }
    return Surroundings(
      files: try #require(DiskFileSystem(root: folder.path)),
      environment: all,
      now: { RecordingProject.date }
    )
  }

  private func definition(
    _ words: [String],
    variables: [String] = [],
    header: String? = nil,
    url: String = "https://models.test/v1"
  ) -> BackendDefinition {
    BackendDefinition(
      name: "vertex",
      kind: .model(
        ModelEndpoint(
          server: ServerAccess(
            url: url,
            key: ServerAccess.KeyReference(
              command: KeyCommand(words, variables: variables),
              header: header
            )
          ),
          model: "sorter-1"
        )
      )
    )
  }

  private func headers(_ requests: [HTTPRequest], _ name: String = "Authorization") -> [String] {
    requests.map { $0.headers.first { $0.name == name }?.value ?? "none" }
  }

  /// A script that counts its starts in a file, and prints a token with their number.
  private func script(_ text: String = "echo \"t0ken-$n\"") throws -> [String] {
    let count = "n=$(($(cat starts 2>/dev/null || echo 0) + 1)); echo $n > starts\n"
    try folder.write(["token.sh": count + text], under: "")
    return ["sh", "token.sh"]
  }

  private var starts: Int { Int((try? folder.text("starts"))?.filter(\.isNumber) ?? "") ?? 0 }

  // MARK: Requests

  @Test("The printed token is sent as a bearer token, and the program runs only once")
  func bearer() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let definition = definition(try script())
    let backend = try definition.connectPlainly(client, surroundings: try surroundings())
    #expect(starts == 0)
    for _ in 0..<3 { _ = try await backend.send(.fixture()) }
    #expect(headers(client.requests) == Array(repeating: "Bearer t0ken-1", count: 3))
    #expect(starts == 1)
  }

  @Test("A custom header contains the bare token, also in a request for a stream")
  func header() async throws {
    let client = RecordingHTTPClient(StreamedCompletion.response([(1, "yes")]))
    let definition = definition(try script(), header: "X-Token")
    let backend = try definition.connectPlainly(client, surroundings: try surroundings())
    _ = try await backend.send(.fixture(parameters: ["stream": true]))
    #expect(headers(client.requests, "X-Token") == ["t0ken-1"])
    #expect(headers(client.requests, "Accept") == ["text/event-stream"])
    #expect(headers(client.requests) == ["none"])
  }

  @Test("An http backend uses key commands as a chat backend does")
  func app() async throws {
    let client = RecordingHTTPClient(
      HTTPResponse(status: 200, body: Array(#"{"text":"yes"}"#.utf8))
    )
    let loaded = try ProjectFixture().replacing(
      "{type: openai, model: small-1, key: {env: FAST_KEY}}",
      with: """

            type: http
            url: https://app.test/reply
            key: {command: [echo, t0ken-1], header: X-Token}
            body: {a: "{{message}}"}
            fingerprint: {version: "1"}
        """,
      in: "sluice.yaml"
    ).load()
    let definition = try #require(loaded.suites.first?.plan.backends.first)
    let backend = try definition.connectPlainly(client, surroundings: try surroundings())
    _ = try await backend.send(
      try definition.request(
        for: RenderedPrompt(messages: []),
        input: ["message": "Where?"]
      )
    )
    #expect(headers(client.requests, "X-Token") == ["t0ken-1"])
  }

  @Test("The program gets the standard variables and the listed ones")
  func environment() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let environment = ["A": "a1", "B": "b1", "FOO_HOST": "other.test"]
    let definition = definition(["sh", "-c", "echo \"t0ken-$A-$B-\""], variables: ["A"])
    let backend = try definition.connectPlainly(client, surroundings: try surroundings(environment))
    _ = try await backend.send(.fixture())
    #expect(headers(client.requests) == ["Bearer t0ken-a1--"])
  }

  @Test("A listed variable that is not set is an error before any program runs")
  func missingVariable() throws {
    let error = try #require(throws: BackendError.self) {
      _ = try definition(try script(), variables: ["A"])
        .connectPlainly(RecordingHTTPClient(Self.answer), surroundings: try surroundings())
    }
    #expect(
      error
        == BackendError(
          .missingKey,
          "the key of the backend 'vertex' needs the environment variable A, which is not set"
        )
    )
    #expect(starts == 0)
  }

  @Test("A token is never sent unencrypted over a network, and the program is not started")
  func clear() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let error = try #require(throws: BackendError.self) {
      _ = try definition(try script(), url: "http://models.test/v1")
        .connectPlainly(client, surroundings: try surroundings())
    }
    #expect(
      error
        == BackendError(
          .missingKey,
          "the backend 'vertex' would send the token of sh unencrypted; use https"
        )
    )
    #expect(starts == 0)
    let local = try definition(try script(), url: "http://127.0.0.1:1/v1")
      .connectPlainly(client, surroundings: try surroundings())
    _ = try await local.send(.fixture())
    #expect(headers(client.requests) == ["Bearer t0ken-1"])
    #expect(client.requests.first?.isDirect == true)
  }

  // MARK: Rejected tokens

  @Test("If the server rejects a token, the token is renewed and the request is sent once more")
  func refusedOnce() async throws {
    let client = RecordingHTTPClient { request throws(HTTPError) in
      request.headers.contains(HTTPHeader("Authorization", "Bearer t0ken-1"))
        ? Self.refusal : Self.answer
    }
    var definition = definition(try script())
    definition.sending.retries = 0
    let backend = try definition.connect(client, surroundings: try surroundings())
    let exchange = try await backend.send(.fixture())
    #expect(exchange.answer?.text == "yes")
    #expect(exchange.statistics.failures == [])
    #expect(headers(client.requests) == ["Bearer t0ken-1", "Bearer t0ken-2"])
    #expect(starts == 2)
  }

  @Test("If the renewed token is rejected too, the request fails without further attempts")
  func refusedTwice() async throws {
    let client = RecordingHTTPClient(Self.refusal)
    let definition = definition(try script())
    let backend = try definition.connect(client, surroundings: try surroundings())
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error.kind == .badCredentials)
    #expect(error.message == "the server answered 401: Request had invalid credentials.")
    #expect(
      error.fix
        == "check the account whose token this command prints: sh token.sh "
        + "(to test it: 'sluice backends check vertex')"
    )
    #expect(client.requests.count == 2)
    // The next request fails in the same way, and starts no program.
    _ = try? await backend.send(.fixture())
    #expect(headers(client.requests).last == "Bearer t0ken-2")
    #expect(client.requests.count == 3)
    #expect(starts == 2)
  }

  @Test("A 403 error names the program and does not renew the token")
  func forbidden() async throws {
    let client = RecordingHTTPClient(HTTPResponse(status: 403, body: Array("{}".utf8)))
    let definition = definition(try script())
    let backend = try definition.connect(client, surroundings: try surroundings())
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error.kind == .permissionDenied)
    #expect(
      error.fix == "check the permissions of the token printed by sh for the model 'sorter-1'"
    )
    #expect(starts == 1)
  }

  // MARK: Failures

  @Test("Without a token nothing is sent, and 1,000 requests start a failing program once")
  func failing() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let definition = definition(try script("echo 'gcloud: log in first' >&2; exit 3"))
    let backend = try definition.connectPlainly(client, surroundings: try surroundings())
    let messages = await withTaskGroup(of: String.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          do throws(BackendError) {
            _ = try await backend.send(.fixture())
            return "an answer"
          } catch {
            return error.message
          }
        }
      }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(
      messages == [
        "there is no token for the backend 'vertex': sh ended with exit code 3: gcloud: log in "
          + "first"
      ]
    )
    #expect(client.requests.isEmpty)
    #expect(starts == 1)
  }

  @Test("A program that does not exist is an error with that reason")
  func missingProgram() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let definition = definition(["no-such-program-here", "a b", "https://x.test"])
    let backend = try definition.connectPlainly(client, surroundings: try surroundings())
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(
      error.message == "there is no token for the backend 'vertex': no-such-program-here could "
        + "not be started: no such program"
    )
    #expect(
      error.fix == "run the command by hand to see its error: no-such-program-here 'a b' "
        + "'https://x.test'"
    )
    #expect(client.requests.isEmpty)
  }

  @Test("A program that prints endlessly is stopped")
  func endless() async throws {
    let client = RecordingHTTPClient(Self.answer)
    let definition = definition(["yes", "t0ken-1"])
    let backend = try definition.connectPlainly(client, surroundings: try surroundings())
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(
      error.message == "there is no token for the backend 'vertex': yes printed more than 64 KiB"
    )
  }

  @Test("A cancelled request stops the program that it waits for", .timeLimit(.minutes(5)))
  func cancelled() async throws {
    let program = ProgramCommand(
      program: "sh",
      arguments: ["-c", "echo $$ > id; exec sleep 1000"],
      environment: Surroundings.processEnvironment.filter { $0.key == "PATH" },
      folder: folder.path
    )
    let source = try TokenSource(
      KeyCommand(["sh"]),
      header: nil,
      backend: "vertex",
      surroundings: try surroundings(),
      // Longer than a slow machine may need to start the program.
      run: { () async throws(ProgramCommand.Failure) in
        try await program.run([], timeout: .seconds(1_000), maximumBytes: 1_000)
      }
    )
    let request = Task { try await source.token() }
    while (try? folder.text("id"))?.hasSuffix("\n") != true {
      try await Task.sleep(for: .milliseconds(5))
    }
    request.cancel()
    let error = try await #require(throws: BackendError.self) { _ = try await request.value }
    #expect(error.kind == .cancelled)
    // The program ended before the request did, so its process ID is unused.
    let id = try #require(Int32(try folder.text("id").filter(\.isNumber)))
    #expect(kill(id, 0) != 0)
  }

  // MARK: Redaction

  @Test("A redaction also hides tokens that were printed after its creation")
  func redaction() async throws {
    let surroundings = try surroundings()
    let definition = definition(["echo", "plain-words-as-a-token"])
    let redaction = Redaction(of: [definition], in: surroundings)
    let text = "it says plain-words-as-a-token"
    #expect(redaction.redactedJudged(text) == text)
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      HTTPResponse(
        status: 200,
        body: Array(
          #"{"choices":[{"message":{"content":"plain-words-as-a-token"},"finish_reason":"stop"}]}"#
            .utf8
        )
      )
    }
    let backend = RedactingBackend(
      try definition.connectPlainly(client, surroundings: surroundings),
      redaction: redaction
    )
    let exchange = try await backend.send(.fixture())
    #expect(exchange.answer?.text?.hasPrefix("<redacted:key:") == true)
    #expect(
      !String(decoding: exchange.response.body, as: UTF8.self).contains("plain-words-as-a-token")
    )
    #expect(!redaction.redactedJudged(text).contains("plain"))
    #expect(!redaction.redacted(text).contains("plain"))
    // A new run does not know the token.
    #expect(Redaction(of: [definition], in: try self.surroundings()).redactedJudged(text) == text)
  }

  @Test("Variables passed to the program are secrets if their names say so")
  func passedSecrets() throws {
    let environment = ["APP_SECRET": "correct-horse", "REGION": "eu-west-1"]
    let definition = definition(["sh"], variables: ["APP_SECRET", "REGION"])
    #expect(
      definition.secrets(try surroundings(environment)).map(\.value) == ["correct-horse"]
    )
  }
}
