import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Token source")
struct TokenSourceTests {
  /// A program that ends when the test says so, and a clock that the test advances.
  private final class World: Sendable {
    private struct State {
      var now = PrintedTokenTests.start.seconds
      var starts = 0
      var running: [CheckedContinuation<ProgramCommand.Outcome, Never>] = []
    }

    let surroundings: Surroundings
    private let state: Locked<State>
    private let answer: (@Sendable (Int) -> ProgramCommand.Outcome)?

    /// - Parameter answer: Returns the program's result at its n-th start; nil if the test sets it.
    init(_ answer: (@Sendable (Int) -> ProgramCommand.Outcome)? = nil) {
      self.answer = answer
      let state = Locked(State())
      self.state = state
      surroundings = Surroundings(
        files: InMemoryFileSystem(),
        now: { state.withLock { Timestamp(seconds: $0.now) } }
      )
    }

    var starts: Int { state.withLock(\.starts) }

    func advance(by seconds: Int) { state.withLock { $0.now += seconds } }

    func source(_ command: KeyCommand = KeyCommand(["gcloud", "auth"]), header: String? = nil)
      throws -> TokenSource
    {
      try TokenSource(command, header: header, backend: "vertex", surroundings: surroundings) {
        () async throws(ProgramCommand.Failure) in await self.run()
      }
    }

    private func run() async -> ProgramCommand.Outcome {
      let number = state.withLock { state in
        state.starts += 1
        return state.starts
      }
      if let answer { return answer(number) }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.withLock { $0.running.append(continuation) }
        }
      } onCancel: {
        end(ProgramCommand.Outcome(end: .cancelled))
      }
    }

    /// Ends the running program.
    func end(_ outcome: ProgramCommand.Outcome) {
      let running = state.withLock { state in
        let running = state.running
        state.running = []
        return running
      }
      for continuation in running { continuation.resume(returning: outcome) }
    }

    /// Returns once the program is running.
    func untilRunning() async {
      while state.withLock({ $0.running.isEmpty }) { await Task.yield() }
    }
  }

  private static func printed(_ text: String) -> ProgramCommand.Outcome {
    ProgramCommand.Outcome(end: .exited(0), output: Array(text.utf8))
  }

  private func error(_ source: TokenSource) async throws -> BackendError {
    try await #require(throws: BackendError.self) { _ = try await source.token() }
  }

  // MARK: Renewal

  @Test("The program runs only when a token is needed, and one token serves many requests")
  func reuse() async throws {
    let world = World { Self.printed("token-number-\($0)") }
    let source = try world.source()
    #expect(world.starts == 0)
    for _ in 0..<100 { #expect(try await source.token().value == "token-number-1") }
    #expect(world.starts == 1)
  }

  @Test(
    "A token is renewed when less than a tenth of its life is left, within bounds",
    arguments: [
      // The bounds: five minutes at most, 30 s at least, and never more than half of the life.
      (7_200, 300), (3_600, 300), (1_000, 100), (300, 30), (60, 30), (40, 20), (10, 5),
    ]
  )
  func margin(life: Int, margin: Int) async throws {
    let world = World { Self.printed(#"{"token": "token-number-\#($0)", "expires_in": \#(life)}"#) }
    let source = try world.source()
    _ = try await source.token()
    world.advance(by: life - margin)
    #expect(try await source.token().value == "token-number-1")
    world.advance(by: 1)
    #expect(try await source.token().value == "token-number-2")
    #expect(world.starts == 2)
  }

  @Test("Without another expiry, the lifetime in 'sluice.yaml' applies, by default 300 seconds")
  func lifetime() async throws {
    for (command, life) in [
      (KeyCommand(["gcloud"]), 300), (KeyCommand(["gcloud"], lifetime: 1_000), 1_000),
    ] {
      let world = World { Self.printed("token-number-\($0)") }
      let source = try world.source(command)
      _ = try await source.token()
      world.advance(by: life - max(life / 10, 30))
      #expect(try await source.token().value == "token-number-1")
      world.advance(by: 1)
      #expect(try await source.token().value == "token-number-2")
    }
  }

  @Test("The program runs once for all requests that wait for the first token")
  func oneAtATime() async throws {
    let world = World()
    let source = try world.source()
    let requests = (0..<50).map { _ in Task { try await source.token().value } }
    await world.untilRunning()
    world.end(Self.printed("token-number-1"))
    for request in requests { #expect(try await request.value == "token-number-1") }
    #expect(world.starts == 1)
  }

  @Test("During a renewal, other requests use the token that is still valid")
  func goingOn() async throws {
    let world = World()
    let source = try world.source()
    let first = Task { try await source.token().value }
    await world.untilRunning()
    world.end(Self.printed("token-number-1"))
    _ = try await first.value
    world.advance(by: 280)
    let renewing = Task { try await source.token().value }
    await world.untilRunning()
    for _ in 0..<5 { #expect(try await source.token().value == "token-number-1") }
    world.end(Self.printed("token-number-2"))
    #expect(try await renewing.value == "token-number-2")
    #expect(try await source.token().value == "token-number-2")
    #expect(world.starts == 2)
  }

  @Test("A failed renewal keeps the valid token, and is not repeated for each request")
  func failedRenewal() async throws {
    let world = World {
      $0 == 1 ? Self.printed("token-number-1") : ProgramCommand.Outcome(end: .exited(1))
    }
    let source = try world.source()
    _ = try await source.token()
    world.advance(by: 280)
    for _ in 0..<100 { #expect(try await source.token().value == "token-number-1") }
    #expect(world.starts == 2)
    world.advance(by: 5)
    for _ in 0..<100 { #expect(try await source.token().value == "token-number-1") }
    #expect(world.starts == 3)
    world.advance(by: 15)
    #expect(try await error(source).kind == .missingKey)
  }

  // MARK: Refused tokens

  @Test("A rejected token is replaced once for all requests that used it")
  func refused() async throws {
    let world = World { Self.printed("token-number-\($0)") }
    let source = try world.source()
    let first = try await source.token()
    for _ in 0..<20 {
      #expect(try await source.token(insteadOf: first)?.value == "token-number-2")
    }
    #expect(world.starts == 2)
  }

  @Test("A renewed token that is rejected at once is not replaced again for 10 seconds")
  func refusedAgain() async throws {
    let world = World { Self.printed("token-number-\($0)") }
    let source = try world.source()
    let second = try #require(try await source.token(insteadOf: try await source.token()))
    for _ in 0..<1_000 { #expect(try await source.token(insteadOf: second) == nil) }
    world.advance(by: 9)
    #expect(try await source.token(insteadOf: second) == nil)
    #expect(world.starts == 2)
    world.advance(by: 1)
    #expect(try await source.token(insteadOf: second)?.value == "token-number-3")
  }

  @Test("A program that prints the rejected token again has no other token")
  func sameAgain() async throws {
    let world = World { _ in Self.printed("token-number-1") }
    let source = try world.source()
    let first = try await source.token()
    for _ in 0..<20 { #expect(try await source.token(insteadOf: first) == nil) }
    #expect(world.starts == 2)
  }

  // MARK: Failures

  @Test("A failing program is not restarted for each request, but again after five seconds")
  func keptFailure() async throws {
    let world = World { _ in ProgramCommand.Outcome(end: .exited(1), lastWords: "log in first") }
    let source = try world.source()
    for _ in 0..<1_000 {
      let error = try await error(source)
      #expect(
        error.message
          == "there is no token for the backend 'vertex': gcloud ended with exit code 1: log in "
          + "first"
      )
      #expect(error.kind == .missingKey)
      #expect(!error.canRetry)
      #expect(
        error.fix == "run the command by hand to see its error: gcloud auth"
      )
    }
    #expect(world.starts == 1)
    world.advance(by: 5)
    _ = try await error(source)
    #expect(world.starts == 2)
    // Setting the clock back does not keep a failure alive.
    world.advance(by: -3_600)
    _ = try await error(source)
    #expect(world.starts == 3)
  }

  /// The result of a program, with the expected message.
  static let failures: [(outcome: ProgramCommand.Outcome, reason: String)] = [
    (ProgramCommand.Outcome(end: .exited(0)), "printed nothing"),
    (
      ProgramCommand.Outcome(end: .exited(0), lastWords: "no account"),
      "printed nothing: no account"
    ),
    (ProgramCommand.Outcome(end: .signaled(9)), "was ended by signal 9"),
    (
      ProgramCommand.Outcome(end: .timedOut, lastWords: "Password:"),
      "did not end within 30 s: Password:"
    ),
    (
      ProgramCommand.Outcome(end: .tooLarge, output: Array(repeating: 0x41, count: 70_000)),
      "printed more than 64 KiB"
    ),
    (printed("Please log in\n"), "printed a line that is not a token"),
    (printed("to\u{1}ken"), "printed a line that is not a token"),
    (
      printed(#"{"token": "t0ken-1", "expiry": "2026-11-21T11:59:00Z"}"#),
      "printed a token that expired at 2026-11-21T11:59:00Z"
    ),
    (
      printed(#"{"token": "t0ken-1", "expires_in": 0}"#),
      "printed a token that expired at 2026-11-21T12:00:00Z"
    ),
  ]

  @Test("A program without a usable token is an error with the reason", arguments: failures)
  func failure(outcome: ProgramCommand.Outcome, reason: String) async throws {
    let source = try World { _ in outcome }.source()
    let error = try await error(source)
    #expect(error.kind == .missingKey)
    #expect(error.message == "there is no token for the backend 'vertex': gcloud \(reason)")
  }

  @Test("A custom header may contain a token of several words")
  func words() async throws {
    let world = World { _ in Self.printed("Basic dXNlcjpwYXNzd29yZA==\n") }
    let source = try world.source(header: "Authorization")
    #expect(try await source.token().value == "Basic dXNlcjpwYXNzd29yZA==")
    #expect(
      world.surroundings.issued.all == ["Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="]
    )
  }

  @Test("A program's error output shows neither its token nor a secret that was passed to it")
  func lastWords() async throws {
    let token = "eyJhbGciOiJSUzI1NiJ9-plain-words-no-key"
    var outcome = Self.printed(token)
    outcome.end = .exited(2)
    outcome.lastWords = "could not store \(token) with correct-horse-battery"
    let world = World { [outcome] _ in outcome }
    var surroundings = world.surroundings
    surroundings.environment = ["APP_SECRET": "correct-horse-battery"]
    let source = try TokenSource(
      KeyCommand(["gcloud"], variables: ["APP_SECRET"]),
      header: nil,
      backend: "vertex",
      surroundings: surroundings,
      run: { [outcome] () async throws(ProgramCommand.Failure) in outcome }
    )
    let message = try await error(source).message
    #expect(!message.contains("eyJ") && !message.contains("correct-horse"), "\(message)")
    #expect(
      message.hasPrefix(
        "there is no token for the backend 'vertex': gcloud ended with exit code 2: could not "
          + "store <redacted>"
      )
    )
    // The output of a failed program is never sent, so it is not a secret to search for in answers.
    #expect(surroundings.issued.all == [])
  }

  // MARK: Cancelling

  @Test("Cancelling the last waiting request stops the program, and the next request restarts it")
  func cancelled() async throws {
    let world = World()
    let source = try world.source()
    let first = Task { try await source.token().value }
    await world.untilRunning()
    let second = Task { try await source.token().value }
    // A waiting request is not observable, so this one may also arrive too late to wait.
    await Task.yield()
    second.cancel()
    let error = try await #require(throws: BackendError.self) { _ = try await second.value }
    #expect(error.kind == .cancelled)
    #expect(world.starts == 1)
    first.cancel()
    let last = try await #require(throws: BackendError.self) { _ = try await first.value }
    #expect(last.kind == .cancelled)
    let third = Task { try await source.token().value }
    await world.untilRunning()
    world.end(Self.printed("token-number-2"))
    #expect(try await third.value == "token-number-2")
    #expect(world.starts == 2)
  }
}
