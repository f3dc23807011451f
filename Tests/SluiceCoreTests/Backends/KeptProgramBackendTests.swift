import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Program backend that keeps running", .timeLimit(.minutes(5)))
struct KeptProgramBackendTests {
  private let folder: ProjectFolder
  private static let prompt = RenderedPrompt(
    messages: [ChatMessage(role: .user, text: "Where?")],
    parameters: ["temperature": 0]
  )
  /// Answers each line with that line as its text: JSON inside of JSON.
  private static let echo = #"while read -r line; do printf '{"text":%s}\n' "$line"; done"#

  init() throws { folder = try ProjectFolder() }

  private func definition(
    _ script: String,
    keepsRunning: Bool = true,
    variables: [String] = [],
    timeout: Duration = .seconds(300),
    retries: Int = 0
  ) -> BackendDefinition {
    BackendDefinition(
      name: "program",
      kind: .program(
        ProgramEndpoint(
          command: ["sh", "-c", "echo start >> starts\n" + script],
          variables: variables,
          keepsRunning: keepsRunning,
          fingerprint: Fingerprint(of: ["version": "1"])
        )
      ),
      sending: SendingPolicy(timeout: timeout, retries: retries, maximumInFlight: 4)
    )
  }

  private func surroundings(_ environment: [String: String] = [:]) throws -> Surroundings {
    var all = Surroundings.processEnvironment.filter { $0.key == "PATH" }
    all.merge(environment) { $1 }
    return Surroundings(
      files: try #require(DiskFileSystem(root: folder.path)),
      environment: all,
      now: { RecordingProject.date }
    )
  }

  private func request(_ definition: BackendDefinition, _ testCase: String?) throws -> ModelRequest
  {
    try definition.request(
      for: Self.prompt,
      input: ["message": .string("Where?")],
      testCase: testCase
    )
  }

  /// The outcomes of requests, one after the other: the text, or the error.
  private func ask(
    _ definition: BackendDefinition,
    _ cases: [String],
    environment: [String: String] = [:]
  ) async throws -> [Result<String, BackendError>] {
    let surroundings = try surroundings(environment)
    return try await RunningPrograms.during { programs in
      let backend = try definition.connect(
        RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
        surroundings: surroundings,
        programs: programs,
        clock: TestClock().clock
      )
      var results: [Result<String, BackendError>] = []
      for testCase in cases {
        let request = try request(definition, testCase)
        do throws(BackendError) {
          results.append(.success(try await backend.send(request).answer?.text ?? "no text"))
        } catch {
          results.append(.failure(error))
        }
      }
      return results
    }
  }

  private func messages(_ results: [Result<String, BackendError>]) -> [String] {
    results.map { result in
      switch result {
      case .success(let text): text
      case .failure(let error): "\(error.kind.rawValue): \(error.message)"
      }
    }
  }

  private var starts: Int {
    get throws { try folder.text("starts").split(separator: "\n").count }
  }

  // MARK: Requests and answers

  @Test("One process gets each request on one line, in the usual form plus the case ID")
  func requests() async throws {
    let results = try await ask(definition(Self.echo), ["late", "early"])
    #expect(
      messages(results)
        == ["late", "early"].map { id in
          """
          {"model":"program","messages":[{"role":"user","content":"Where?"}],\
          "parameters":{"temperature":0},"input":{"message":"Where?"},"case":"\(id)"}
          """
        }
    )
    #expect(try starts == 1)
  }

  @Test("The request key depends neither on the case ID nor on 'keep-running'")
  func keys() throws {
    let once = definition(Self.echo, keepsRunning: false)
    let requests = [
      try request(once, nil), try request(once, "late"),
      try request(definition(Self.echo), "early"),
    ]
    #expect(Set(requests.map { RequestIdentity.key(of: $0) }).count == 1)
    #expect(
      requests[1].body.jsonText == """
        {"model":"program","messages":[{"role":"user","content":"Where?"}],\
        "parameters":{"temperature":0},"input":{"message":"Where?"}}
        """
    )
  }

  @Test("Concurrent requests get their own answers, with at most one process per request")
  func order() async throws {
    let definition = definition(Self.echo)
    let surroundings = try surroundings()
    try await RunningPrograms.during { programs in
      let backend = try definition.connect(
        RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
        surroundings: surroundings,
        programs: programs
      )
      let requests = try (0..<100).map { try request(definition, "case-\($0)") }
      let texts = await Concurrency.map(count: 100, inFlight: 20) { index in
        try? await backend.send(requests[index]).answer?.text
      }
      for (index, text) in texts.enumerated() {
        #expect(text?.hasSuffix(#""case":"case-\#(index)"}"#) == true)
      }
    }
    #expect((1...4).contains(try starts))
  }

  // MARK: Errors

  @Test(
    "A broken answer is an error, and a new process answers the next request",
    arguments: [
      ("exit 3", "program-failed: exec:sh ended with exit code 3"),
      (
        "echo one >&2; echo 'no model' >&2; exit 3",
        "program-failed: exec:sh ended with exit code 3: no model"
      ),
      ("exit 0", "program-failed: exec:sh ended before it answered"),
      ("kill -9 $$", "program-failed: exec:sh was ended by signal 9"),
      (
        "echo yes",
        "broken-answer: the answer of exec:sh is not JSON: expected a JSON value"
      ),
      ("echo '[1]'", "broken-answer: the answer of exec:sh has no 'text'"),
      (
        #"printf '{"text":"a"}\n{"text":"b"}\n'"#,
        "broken-answer: exec:sh wrote an extra line; with 'keep-running', it must answer each "
          + "request with one line"
      ),
      (
        "head -c 17000000 /dev/zero",
        "broken-answer: the answer of exec:sh is larger than 16 MiB"
      ),
    ]
  )
  func faults(script: String, message: String) async throws {
    let script = """
      while read -r line; do
        case "$line" in *bad*) \(script) ;; *) echo '{"text":"yes"}' ;; esac
      done
      """
    let results = try await ask(definition(script), ["good", "bad", "good"])
    #expect(messages(results) == ["yes", message, "yes"])
    #expect(try starts == 2)
  }

  @Test("The process keeps running after it answers with an error")
  func toldErrors() async throws {
    let script = #"while read -r line; do echo '{"error":"No."}'; done"#
    let told = "program-failed: exec:sh answered with an error: No."
    #expect(messages(try await ask(definition(script), ["a", "b"])) == [told, told])
    #expect(try starts == 1)
  }

  @Test("A program that times out is killed, and one that never answered gets a hint about lines")
  func timeouts() async throws {
    let script = #"read -r line; echo '{"text":"yes"}'; sleep 600"#
    let late = definition(script, timeout: .milliseconds(300))
    #expect(
      messages(try await ask(late, ["a", "b"]))
        == ["yes", "timed-out: exec:sh did not answer in time"]
    )
    let silent = definition("cat > all", timeout: .milliseconds(100))
    #expect(
      messages(try await ask(silent, ["a"])) == [
        "timed-out: exec:sh did not answer in time; with 'keep-running', the program must read "
          + "line by line and flush its output after each answer"
      ]
    )
  }

  @Test("A request that timed out is retried with a new process")
  func retry() async throws {
    let script = #"[ $(wc -l < starts) -eq 1 ] && sleep 600; read -r line; echo '{"text":"yes"}'"#
    let definition = definition(script, timeout: .milliseconds(300), retries: 1)
    #expect(messages(try await ask(definition, ["a"])) == ["yes"])
    #expect(try starts == 2)
  }

  @Test("A program that never answers is started three times; then each request reports the reason")
  func givenUp() async throws {
    let failed = "program-failed: exec:sh ended with exit code 1: no model"
    let last =
      "program-failed: exec:sh will not be started again, because it was started 3 "
      + "times and never answered; the last failure: exec:sh ended with exit code 1: no model"
    let results = try await ask(
      definition("echo 'no model' >&2; exit 1"),
      ["a", "b", "c", "d", "e"]
    )
    #expect(messages(results) == [failed, failed, failed, last, last])
    #expect(try starts == 3)
    let garbage = try await ask(definition("read -r line; echo yes"), ["a", "b", "c", "d"])
    #expect(
      messages(garbage).last
        == "program-failed: exec:sh will not be started again, because it was started 3 "
        + "times and never answered; the last failure: its answer is not a JSON object on one line"
    )
  }

  @Test("Errors do not contain the values of secret variables")
  func secrets() async throws {
    let definition = definition("echo \"bad key: $APP_KEY\" >&2; exit 1", variables: ["APP_KEY"])
    let results = try await ask(
      definition,
      ["a", "b", "c", "d"],
      environment: ["APP_KEY": "sk-t3st-0123456789"]
    )
    #expect(
      messages(results).first
        == "program-failed: exec:sh ended with exit code 1: bad key: <redacted>"
    )
    #expect(messages(results).last?.hasSuffix("bad key: <redacted>") == true)
  }

  @Test("A program is not started if nothing would end it")
  func noOwner() throws {
    #expect(
      throws: BackendError(
        .programFailed,
        "the backend 'program' has 'keep-running', which is not supported here: nothing would "
          + "stop the program"
      )
    ) {
      try definition(Self.echo).connectPlainly(
        RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
        surroundings: try surroundings()
      )
    }
  }
}
