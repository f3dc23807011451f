import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Program backend")
struct ProgramBackendTests {
  private let folder: ProjectFolder
  private static let prompt = RenderedPrompt(
    messages: [ChatMessage(role: .user, text: "Where?")],
    parameters: ["temperature": 0]
  )

  init() throws { folder = try ProjectFolder() }

  private func definition(
    _ command: [String],
    variables: [String] = [],
    timeout: Duration = .seconds(300)
  ) -> BackendDefinition {
    BackendDefinition(
      name: "program",
      kind: .program(
        ProgramEndpoint(
          command: command,
          variables: variables,
          fingerprint: Fingerprint(of: ["version": "1"])
        )
      ),
      sending: SendingPolicy(timeout: timeout, retries: 0)
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

  /// Sends a request to a shell script.
  private func ask(
    _ script: String,
    variables: [String] = [],
    environment: [String: String] = [:],
    timeout: Duration = .seconds(300)
  ) async throws -> Exchange {
    let program = self.definition(["sh", "-c", script], variables: variables, timeout: timeout)
    let client = RecordingHTTPClient(HTTPResponse(status: 500, body: []))
    let backend = try program.connect(client, surroundings: try surroundings(environment))
    return try await backend.send(
      try program.request(for: Self.prompt, input: ["message": "Where?"])
    )
  }

  private func error(
    _ script: String,
    variables: [String] = [],
    environment: [String: String] = [:],
    timeout: Duration = .seconds(300)
  ) async throws -> BackendError {
    try await #require(throws: BackendError.self) {
      _ = try await ask(
        script,
        variables: variables,
        environment: environment,
        timeout: timeout
      )
    }
  }

  // MARK: Requests and answers

  @Test("The program reads one JSON line with the model, messages, parameters and input")
  func question() async throws {
    let exchange = try await ask(#"read line; printf '{"text": %s}' "$line""#)
    #expect(
      exchange.answer?.text == """
        {"model":"program","messages":[{"role":"user","content":"Where?"}],\
        "parameters":{"temperature":0},"input":{"message":"Where?"}}
        """
    )
    #expect(exchange.request.api == "exec")
    #expect(exchange.response.host == "exec:sh")
    #expect(exchange.response.date == RecordingProject.date)
  }

  @Test("The request includes the case ID, which is not part of the recorded request")
  func testCase() async throws {
    let program = self.definition(["sh", "-c", #"read line; printf '{"text": %s}' "$line""#])
    let backend = try program.connectPlainly(
      RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
      surroundings: try surroundings()
    )
    let request = try program.request(
      for: Self.prompt,
      input: ["message": "Where?"],
      testCase: "late"
    )
    let exchange = try await backend.send(request)
    #expect(
      exchange.answer?.text == """
        {"model":"program","messages":[{"role":"user","content":"Where?"}],\
        "parameters":{"temperature":0},"input":{"message":"Where?"},"case":"late"}
        """
    )
    #expect(exchange.request.body["case"] == nil)
  }

  @Test("The answer includes usage, model and finish reason, and its time is measured")
  func answer() async throws {
    let exchange = try await ask(
      #"""
      echo '{"text": "yes", "usage": {"prompt_tokens": 5, "completion_tokens": 2},
        "finish-reason": "length", "model": "m-1", "refusal": null, "stand-in": "script"}'
      """#
    )
    let answer = try #require(exchange.answer)
    #expect(answer.text == "yes")
    #expect(answer.usage == TokenUsage(input: 5, output: 2))
    #expect(answer.finishReason == "length")
    #expect(answer.provenance.model == "m-1")
    #expect(answer.provenance.standIn == "script")
    let (first, total) = (answer.timings.firstByte ?? 0, answer.timings.total ?? 0)
    #expect(first > 0 && total >= first)
    var recorded = exchange
    recorded.answer = nil
    #expect(try ResponseReader.response(in: recorded) == answer)
  }

  @Test("The program runs in the project's root, and its path is relative to the root")
  func place() async throws {
    try folder.write(
      ["scripts/answer": "#!/bin/sh\necho \"{\\\"text\\\": \\\"$(ls)\\\"}\"\n"],
      under: ""
    )
    try folder.makeExecutable("scripts/answer")
    let program = self.definition(["./scripts/answer"])
    let backend = try program.connectPlainly(
      RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
      surroundings: try surroundings()
    )
    let request = try program.request(for: Self.prompt, input: [:])
    #expect(try await backend.send(request).answer?.text == "scripts")
  }

  @Test("The program gets the standard variables and the listed ones")
  func environment() async throws {
    let exchange = try await ask(
      #"cat > /dev/null; echo "{\"text\": \"$APP_REGION,$OTHER_KEY,${PATH:+path}\"}""#,
      variables: ["APP_REGION"],
      environment: ["APP_REGION": "north", "OTHER_KEY": "secret"]
    )
    #expect(exchange.answer?.text == "north,,path")
  }

  @Test("A listed variable that is not set is an error before any program runs")
  func missingVariable() throws {
    #expect(
      throws: BackendError(
        .missingKey,
        "the backend 'program' needs the environment variable APP_KEY, which is not set"
      )
    ) {
      try definition(["sh"], variables: ["APP_KEY"]).connectPlainly(
        RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
        surroundings: try surroundings()
      )
    }
  }

  // MARK: Errors

  @Test(
    "A failed program is an error with the last line of its error output",
    arguments: [
      ("exit 3", BackendError.Kind.programFailed, "exec:sh ended with exit code 3"),
      (
        "echo one >&2; echo 'no model' >&2; echo >&2; exit 3", .programFailed,
        "exec:sh ended with exit code 3: no model"
      ),
      ("kill -9 $$", .programFailed, "exec:sh was ended by signal 9"),
      ("echo yes", .brokenAnswer, "the answer of exec:sh is not JSON: "),
      ("true", .brokenAnswer, "the answer of exec:sh is not JSON: "),
      (#"echo '{"txt": "a"}'"#, .brokenAnswer, "the answer of exec:sh has no 'text'"),
      (
        #"echo '{"error": "No."}'"#, .programFailed, "exec:sh answered with an error: No."
      ),
      (
        #"echo '{"text": "a", "error": {"kind": "rate-limited", "message": "Slow."}}'"#,
        .rateLimited, "exec:sh answered with an error: Slow."
      ),
    ]
  )
  func failures(script: String, kind: BackendError.Kind, message: String) async throws {
    let error = try await error(script)
    #expect(error.kind == kind)
    #expect(error.message.hasPrefix(message))
  }

  @Test("A program can request a wait before the retry")
  func retryAfter() async throws {
    let error = try await error(
      #"echo '{"error": {"kind": "rate-limited", "message": "Slow.", "retry-after": 1.5}}'"#
    )
    #expect(error.retryAfter == .milliseconds(1_500))
    #expect(error.canRetry)
  }

  @Test("A program that does not exist is an error with that reason")
  func absent() async throws {
    let program = self.definition(["no-such-program-here"])
    let backend = try program.connectPlainly(
      RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
      surroundings: try surroundings()
    )
    let request = try program.request(for: Self.prompt, input: [:])
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(request)
    }
    #expect(
      error
        == BackendError(
          .programFailed,
          "exec:no-such-program-here could not be started: no such program"
        )
    )
    #expect(
      error.fix == "run the backend's command by hand and give it a request on standard input"
    )
  }

  @Test(
    "A program that exists but cannot be started is an error with the actual reason",
    arguments: [
      ("#!/bin/sh\n", false, "it is not executable; fix: chmod +x tools/answer"),
      ("#!/no/such/shell -e\n", true, #"its interpreter "/no/such/shell" is missing"#),
      ("#! /bin/sh\r\n", true, #"its interpreter "/bin/sh\r" is missing"#),
    ]
  )
  func notStartable(script: String, isExecutable: Bool, reason: String) async throws {
    try folder.write(["answer": script], under: "tools")
    if isExecutable { try folder.makeExecutable("tools/answer") }
    let program = self.definition(["tools/answer"])
    let backend = try program.connectPlainly(
      RecordingHTTPClient(HTTPResponse(status: 500, body: [])),
      surroundings: try surroundings()
    )
    let request = try program.request(for: Self.prompt, input: [:])
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(request)
    }
    #expect(
      error == BackendError(.programFailed, "exec:tools/answer could not be started: \(reason)")
    )
  }

  @Test("Errors do not contain the values of secret variables")
  func secrets() async throws {
    let error = try await error(
      "echo \"bad key: $APP_KEY\" >&2; exit 1",
      variables: ["APP_KEY"],
      environment: ["APP_KEY": "sk-t3st-0123456789"]
    )
    #expect(error.message == "exec:sh ended with exit code 1: bad key: <redacted>")
    let program = self.definition(["sh"], variables: ["APP_KEY", "REGION"])
    let around = try self.surroundings(["APP_KEY": "hunter22", "REGION": "north-east-1"])
    #expect(program.secrets(around).map(\.value) == ["hunter22"])
  }
}

@Suite("Program command")
struct ProgramCommandTests {
  private let folder: ProjectFolder

  init() throws { folder = try ProjectFolder() }

  private func run(
    _ script: String,
    input: [UInt8] = [],
    timeout: Duration = .seconds(300),
    maximumBytes: Int = 1 << 20
  ) async throws -> ProgramCommand.Outcome {
    try await ProgramCommand(
      program: "sh",
      arguments: ["-c", script],
      environment: Surroundings.processEnvironment.filter { $0.key == "PATH" },
      folder: folder.path
    )
    .run(input, timeout: timeout, maximumBytes: maximumBytes)
  }

  private func exists(_ name: String) -> Bool {
    DiskFileSystem(root: folder.path)?.kind(of: ProjectPath(name)) == .file
  }

  @Test("A megabyte of input and output passes without a deadlock")
  func largeEcho() async throws {
    let input = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    let outcome = try await run("cat; cat >&2", input: input)
    #expect(outcome.end == .exited(0))
    #expect(outcome.output == input)
  }

  @Test(
    "A program may ignore its input",
    arguments: ["exit 0", "exec <&-; sleep 0.05"]
  )
  func unreadInput(script: String) async throws {
    let input = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(try await run(script, input: input).end == .exited(0))
  }

  @Test("The program can open its input and output as device files")
  func deviceFiles() async throws {
    let outcome = try await run(
      "cat /dev/stdin > /dev/stdout; echo oops > /dev/stderr",
      input: Array("text".utf8)
    )
    #expect(outcome.output == Array("text".utf8))
    #expect(outcome.lastWords == "oops")
  }

  @Test("A program that runs out of time is stopped", .timeLimit(.minutes(5)))
  func timeLimit() async throws {
    let outcome = try await run("sleep 600", timeout: .milliseconds(200))
    #expect(outcome.end == .timedOut)
    #expect(outcome.total >= .milliseconds(200))
  }

  @Test("Cancelling stops the program and all processes that it started", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let path = folder.path
    let task = Task {
      try await ProgramCommand(
        program: "sh",
        arguments: ["-c", "sleep 600 & echo $! > part; mv part begun; wait"],
        environment: Surroundings.processEnvironment.filter { $0.key == "PATH" },
        folder: path
      )
      .run([], timeout: .seconds(600), maximumBytes: 10)
    }
    while !exists("begun") { try await Task.sleep(for: .milliseconds(5)) }
    let started = try #require(Int32(try folder.text("begun").dropLast()))
    task.cancel()
    #expect(try await task.value.end == .cancelled)
    // Once the process was reaped, its ID is unused; until then it is a zombie.
    var isAlive = true
    while isAlive {
      let state = try await run("ps -o stat= -p \(started) || cat /proc/\(started)/stat")
      let text = String(decoding: state.output, as: UTF8.self)
      isAlive = !(text.isEmpty || text.contains("Z"))
    }
  }

  @Test("A process left in the background does not delay the answer", .timeLimit(.minutes(5)))
  func leftRunning() async throws {
    let outcome = try await run("sleep 100 & echo done")
    #expect(outcome.end == .exited(0))
    #expect(outcome.output == Array("done\n".utf8))
    #expect(outcome.total < .seconds(90))
  }

  @Test("A program that closes its output can still time out", .timeLimit(.minutes(5)))
  func closedOutput() async throws {
    let outcome = try await run("exec >&- 2>&-; sleep 600", timeout: .milliseconds(300))
    #expect(outcome.end == .timedOut)
  }

  @Test("A program that prints endlessly is stopped", .timeLimit(.minutes(5)))
  func endless() async throws {
    let outcome = try await run("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done")
    #expect(outcome.end == .tooLarge)
    #expect(outcome.output.count <= (1 << 20) + (1 << 16))
  }

  @Test("Only the last line of a long error output is kept", .timeLimit(.minutes(5)))
  func endlessErrors() async throws {
    let outcome = try await run(
      "i=0; while [ $i -lt 20000 ]; do echo 'the same old line' >&2; i=$((i+1)); done; echo last >&2"
    )
    #expect(outcome.end == .exited(0))
    #expect(outcome.lastWords == "last")
  }

  @Test("Programs that run at the same time each get their own answer")
  func many() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let outcome = try await run("cat", input: Array("number \(number)".utf8))
          #expect(outcome.output == Array("number \(number)".utf8))
        }
      }
      try await group.waitForAll()
    }
  }
}
