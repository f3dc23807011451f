import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Configuration of http and exec backends")
struct AppReaderTests {
  private let path = ProjectFixture.configuration
  private let fast = "fast: {type: openai, model: small-1, key: {env: FAST_KEY}}"
  private let files: [String: String?] = ["app/reply.ts": "reply()", "scripts/answer": "#!/bin/sh"]

  private func fixture(_ entry: String) throws -> ProjectFixture {
    try ProjectFixture().replacing(fast, with: "fast:\n" + entry, in: path).adding(files)
  }

  private func definition(_ entry: String, _ environment: [String: String] = [:]) throws
    -> BackendDefinition
  {
    let loaded = ProjectLoader.load(from: try fixture(entry).system, environment: environment)
    #expect(loaded.diagnostics == [])
    return try #require(loaded.suites.first?.plan.backends.first)
  }

  private func app(_ entry: String) throws -> AppEndpoint {
    guard case .app(let endpoint) = try definition(entry).kind else { throw WrongKind() }
    return endpoint
  }

  private struct WrongKind: Error {}

  // MARK: http

  @Test("An http backend needs only a URL, a body and a fingerprint")
  func least() throws {
    let endpoint = try app(
      """
          type: http
          url: https://app.test/reply
          body: {message: "{{message}}"}
          fingerprint: [app/reply.ts]
      """
    )
    #expect(endpoint.server.address() == "https://app.test/reply")
    #expect(endpoint.model == nil)
    #expect(endpoint.places == AnswerPlaces())
    let digest = SHA256.hexadecimal(Array("reply()".utf8))
    #expect(
      endpoint.fingerprint == Fingerprint(of: ["files": ["app/reply.ts": .string(digest)]])
    )
  }

  @Test("Every key of an http backend is read")
  func most() throws {
    let entry = """
          type: http
          url: https://app.test/reply
          model: gpt-4o-mini
          key: {env: APP_KEY, header: X-App-Key}
          headers: {X-Team: a}
          query: {v: "2"}
          body: {message: "{{message}}", stream: true, context: ["{{prompt.system}}"]}
          answer:
            text: reply.text
            piece: delta.text
            usage: meta.usage
            error: failure.message
            model: meta.model
            finish-reason: meta.reason
          stream: {timeout: 5, fallback: false}
          timeout: 20
          total-timeout: 30
          retries: 1
          max-in-flight: 2
          fingerprint: {version: "2026-11-21"}
      """
    let definition = try definition(entry)
    let endpoint = try app(entry)
    #expect(endpoint.server.address() == "https://app.test/reply?v=2")
    #expect(
      endpoint.server.key == ServerAccess.KeyReference(variable: "APP_KEY", header: "X-App-Key")
    )
    #expect(endpoint.server.headers == [HTTPHeader("X-Team", "a")])
    #expect(endpoint.model == "gpt-4o-mini")
    #expect(
      endpoint.places
        == AnswerPlaces(
          text: "reply.text",
          piece: "delta.text",
          usage: "meta.usage",
          error: "failure.message",
          model: "meta.model",
          finishReason: "meta.reason",
          isStreamed: true
        )
    )
    #expect(endpoint.fingerprint == Fingerprint(of: ["version": "2026-11-21"]))
    #expect(
      definition.sending
        == SendingPolicy(
          timeout: .seconds(20),
          streamTimeout: .seconds(5),
          totalTimeout: .seconds(30),
          fallsBack: false,
          retries: 1,
          maximumInFlight: 2
        )
    )
  }

  @Test("Answer positions survive a round trip through JSON")
  func places() {
    let places = AnswerPlaces(
      text: "a",
      piece: "b",
      usage: "c",
      error: "d",
      model: "e",
      finishReason: "f",
      isStreamed: true
    )
    #expect(AnswerPlaces(json: .object(places.json)) == places)
    #expect(AnswerPlaces(json: .object(AnswerPlaces().json)) == AnswerPlaces())
  }

  @Test("A backend without a fingerprint is refused with the reason")
  func noFingerprint() throws {
    #expect(
      try fixture("    type: http\n    url: https://app.test\n    body: {}").report() == """
        sluice.yaml:3:5: error: the backend 'fast' needs 'fingerprint': its prompt is not in this project, so without 'fingerprint' Sluice would replay old answers after the prompt changes
          3 |     type: http
            |     ^
          fix: list the files that determine its answers ('fingerprint: [functions/reply.ts]'), or write '{version: TEXT}' or '{env: NAME}'

        """
    )
  }

  @Test("All errors of an http backend are reported at once")
  func wrong() throws {
    let entry = """
          type: http
          url: app.test/reply
          body: ["{{message}}"]
          answer: {text: a..b, usage: ., txt: c}
          fingerprint: [app/repyl.ts]
      """
    #expect(
      try fixture(entry).report() == """
        sluice.yaml:4:10: error: the url 'app.test/reply' must start with https:// or http://
          4 |     url: app.test/reply
            |          ^
        sluice.yaml:5:11: error: 'body' must be a mapping, not a list
          5 |     body: ["{{message}}"]
            |           ^
        sluice.yaml:6:20: error: 'text' must be a path of names with dots between them, not 'a..b'
          6 |     answer: {text: a..b, usage: ., txt: c}
            |                    ^
          fix: write, for example, 'reply.text', or '.' for the whole answer
        sluice.yaml:6:33: error: 'usage' must be a path of names with dots between them, not '.'
          6 |     answer: {text: a..b, usage: ., txt: c}
            |                                 ^
        sluice.yaml:6:36: error: unknown key 'txt' in 'answer'
          6 |     answer: {text: a..b, usage: ., txt: c}
            |                                    ^
          fix: did you mean 'text'?
        sluice.yaml:7:19: error: file not found: app/repyl.ts
          7 |     fingerprint: [app/repyl.ts]
            |                   ^
          fix: did you mean 'app/reply.ts'?

        """
    )
  }

  // MARK: Fingerprints

  private func fingerprint(_ text: String, _ environment: [String: String] = [:]) throws
    -> Fingerprint?
  {
    try definition(
      "    {type: http, url: \"https://app.test\", body: {}, fingerprint: \(text)}",
      environment
    ).fingerprint
  }

  @Test("A fingerprint covers the paths and contents of its files, in any order")
  func listedFiles() throws {
    let one = try fingerprint("[app/reply.ts, scripts/answer]")
    #expect(try fingerprint("[scripts/answer, app/reply.ts]") == one)
    #expect(try fingerprint("[app/reply.ts]") != one)
  }

  @Test("A version from the environment equals the same version in the file")
  func version() throws {
    #expect(
      try fingerprint("{env: APP_VERSION}", ["APP_VERSION": "7"])
        == (try fingerprint("{version: \"7\"}"))
    )
  }

  @Test("An unset version variable is an error only for suites that use it", arguments: [nil, ""])
  func missingVersion(value: String?) throws {
    let entry =
      "    {type: http, url: \"https://app.test\", body: {}, fingerprint: {env: APP_VERSION}}"
    let environment = value.map { ["APP_VERSION": $0] } ?? [:]
    let loaded = ProjectLoader.load(from: try fixture(entry).system, environment: environment)
    #expect(
      loaded.diagnostics.map(\.description).joined() == """
        prompts/tone/suite.yaml:4:10: error: the backend 'fast' reads its version from the environment variable APP_VERSION, which is not set
          4 | backend: fast
            |          ^
          fix: set APP_VERSION to the version that gave the answers

        """
    )
    let other = ProjectLoader.load(
      ProjectLoader.Selection(backends: ["strong"]),
      from: try fixture(entry).system
    )
    #expect(other.diagnostics == [])
  }

  @Test(
    "A malformed fingerprint is refused",
    arguments: [
      ("[]", "'fingerprint' lists no files"),
      ("3", "'fingerprint' must be a list of files, {version: TEXT} or {env: NAME}, not a number"),
      ("{}", "'fingerprint' must be a list of files, {version: TEXT} or {env: NAME}"),
      ("{version: ''}", "'fingerprint' must be a list of files, {version: TEXT} or {env: NAME}"),
      (
        "{version: '1', env: V}",
        "'fingerprint' must be a list of files, {version: TEXT} or {env: NAME}"
      ),
      ("[../other/app.ts]", "'../other/app.ts' is outside the project"),
    ]
  )
  func wrongFingerprint(text: String, message: String) throws {
    let entry = "    {type: http, url: \"https://app.test\", body: {}, fingerprint: \(text)}"
    #expect(try fixture(entry).load().diagnostics.map(\.message) == [message])
  }

  // MARK: exec

  private func program(_ entry: String) throws -> ProgramEndpoint {
    guard case .program(let endpoint) = try definition(entry).kind else { throw WrongKind() }
    return endpoint
  }

  @Test("An exec backend needs only a command and a fingerprint, which includes the command")
  func leastProgram() throws {
    let entry = "    {type: exec, command: [./scripts/answer, --fast], fingerprint: {version: '1'}}"
    let endpoint = try program(entry)
    #expect(endpoint.command == ["./scripts/answer", "--fast"])
    #expect(endpoint.variables == [])
    #expect(!endpoint.keepsRunning)
    #expect(
      endpoint.fingerprint
        == Fingerprint(of: ["command": ["./scripts/answer", "--fast"], "version": "1"])
    )
    #expect(try definition(entry).sending == SendingPolicy(maximumInFlight: 4))
  }

  @Test("'keep-running' is read and does not change the fingerprint")
  func keepRunning() throws {
    let entry = "    {type: exec, command: [node], keep-running: true, fingerprint: {version: '1'}}"
    let endpoint = try program(entry)
    #expect(endpoint.keepsRunning)
    #expect(endpoint.fingerprint == Fingerprint(of: ["command": ["node"], "version": "1"]))
  }

  @Test("Every key of an exec backend is read")
  func mostProgram() throws {
    let entry = """
          type: exec
          command: [node, scripts/answer]
          env: [APP_KEY, REGION]
          model: gpt-4o-mini
          parameters: {temperature: 0}
          timeout: 10
          total-timeout: 30
          retries: 0
          max-in-flight: 8
          fingerprint: [scripts/answer]
      """
    let endpoint = try program(entry)
    #expect(endpoint.command == ["node", "scripts/answer"])
    #expect(endpoint.variables == ["APP_KEY", "REGION"])
    #expect(endpoint.model == "gpt-4o-mini")
    #expect(endpoint.parameters == ["temperature": 0])
    #expect(
      try definition(entry).sending
        == SendingPolicy(
          timeout: .seconds(10),
          totalTimeout: .seconds(30),
          retries: 0,
          maximumInFlight: 8
        )
    )
  }

  @Test(
    "Invalid values of an exec backend are errors",
    arguments: [
      ("command: []", ["'command' is empty"]),
      ("command: ./scripts/answer", ["'command' must be a list, not a text"]),
      ("command: [./scripts/anwser]", ["file not found: scripts/anwser"]),
      ("command: [../answer]", ["'../answer' is outside the project"]),
      ("command: [/bin/cat]", ["'/bin/cat' is outside the project"]),
      ("command: [node], env: [A=b]", ["'A=…' is not a name of an environment variable"]),
      ("command: [node], keep-running: 1", ["'keep-running' must be true or false, not a number"]),
      ("command: [node], stream: true", ["unknown key 'stream' in the backend 'fast'"]),
      ("timeout: 3", ["the backend 'fast' needs 'command'"]),
    ]
  )
  func wrongProgram(text: String, messages: [String]) throws {
    let entry = "    {type: exec, \(text), fingerprint: {version: '1'}}"
    #expect(try fixture(entry).load().diagnostics.map(\.message) == messages)
  }

  @Test("An exec backend uses the whole input, so no input is reported as unused")
  func wholeInput() throws {
    let fixture = try fixture("    {type: exec, command: [node], fingerprint: {version: '1'}}")
      .replacing("message: Done.", with: "message: Done.\n    extra: 1", in: ProjectFixture.dataset)
    #expect(fixture.report() == "")
  }
}
