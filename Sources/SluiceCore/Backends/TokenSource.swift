import SluiceSupport

/// A source of short-lived tokens for a server.
///
/// A program prints the tokens. Each token is used until shortly before its expiry.
///
/// The program is started when the first token is needed. Only one process of the program runs at a
/// time. Requests wait for its token, or use an earlier token that is still valid.
final class TokenSource: Sendable {
  /// A function that runs the program once.
  typealias Run = @Sendable () async throws(ProgramCommand.Failure) -> ProgramCommand.Outcome

  /// The number of seconds for which the program is not started again after a failure.
  static let rest = 5
  /// The minimum number of seconds between two replacements of rejected tokens.
  static let patience = 10

  private let command: KeyCommand
  private let backend: String
  /// True if the header contains only the token.
  ///
  /// The token may then contain spaces.
  private let mayHaveSpaces: Bool
  private let issued: IssuedSecrets
  /// The secret values that the program receives.
  ///
  /// Messages must not show them.
  private let passed: [Secret]
  private let now: @Sendable () -> Timestamp
  private let run: Run
  private let state = Locked(State())

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - command: The program.
  ///   - header: The header that contains the token alone; nil for `Authorization: Bearer`.
  ///   - backend: The backend's name in `sluice.yaml`.
  ///   - surroundings: The environment, which contains the variables, the clock, and the list of
  ///     issued tokens.
  ///   - run: Runs the program; nil to start the program.
  /// - Throws: ``BackendError`` if an environment variable of the program is not set.
  init(
    _ command: KeyCommand,
    header: String?,
    backend: String,
    surroundings: Surroundings,
    run: Run? = nil
  ) throws(BackendError) {
    self.command = command
    self.backend = backend
    mayHaveSpaces = header != nil
    issued = surroundings.issued
    passed = ProgramEndpoint.secrets(of: command.variables, in: surroundings.environment)
    now = surroundings.now
    let program = try ProgramCommand(
      command.words,
      passing: command.variables,
      by: "the key of the backend '\(backend)'",
      in: surroundings
    )
    if let run {
      self.run = run
    } else {
      self.run = { () async throws(ProgramCommand.Failure) -> ProgramCommand.Outcome in
        try await program.run(
          [],
          timeout: KeyCommand.timeout,
          maximumBytes: KeyCommand.maximumBytes
        )
      }
    }
  }

  // MARK: Asking

  /// Returns a valid token.
  ///
  /// - Throws: ``BackendError`` if no token can be obtained.
  func token() async throws(BackendError) -> Secret {
    switch state.withLock({ $0.step(at: now()) }) {
    case .use(let token): return token.secret
    case .fail(let error): throw error
    case .wait, .start: break
    }
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(as: number, $0) }
    } onCancel: {
      leave(number)
    }
    do throws(BackendError) {
      return try result.get().secret
    } catch {
      if error.kind != .cancelled, let token = state.withLock({ $0.valid(at: now()) }) {
        return token.secret
      }
      throw error
    }
  }

  /// Returns a replacement for a token that the server rejected; nil if the program has no other
  /// token.
  ///
  /// - Throws: ``BackendError`` if no token can be obtained.
  func token(insteadOf refused: Secret) async throws(BackendError) -> Secret? {
    let isFinal = state.withLock { state in
      guard let token = state.token, token.secret.value == refused.value else { return false }
      let age = now().seconds - token.printed.seconds
      if token.replacesRefused, (0..<Self.patience).contains(age) { return true }
      state.token = nil
      state.isReplacing = true
      return false
    }
    if isFinal { return nil }
    let token = try await token()
    return token.value == refused.value ? nil : token
  }

  // MARK: Renewal

  private typealias Continuation = CheckedContinuation<Result<Token, BackendError>, Never>

  private struct Token {
    var secret: Secret
    /// The time at which the program printed the token.
    var printed: Timestamp
    var expires: Timestamp
    /// The number of seconds before the expiry at which the token is renewed.
    var margin: Int
    /// True if the token replaced one that the server had rejected.
    var replacesRefused: Bool
  }

  private struct Waiter {
    var continuation: Continuation
    var isCancelled = false
  }

  private struct Renewal {
    var task: Task<Void, Never>
    var waiters: [Int: Waiter]
  }

  private enum Step {
    case use(Token)
    case fail(BackendError)
    /// The program is already running.
    case wait
    case start
  }

  private struct State {
    var token: Token?
    var failure: (error: BackendError, date: Timestamp)?
    var renewal: Renewal?
    /// True if the program must replace a token that the server rejected.
    var isReplacing = false
    var lastWaiter = 0

    func valid(at now: Timestamp) -> Token? {
      token.flatMap { now < $0.expires ? $0 : nil }
    }

    func step(at now: Timestamp) -> Step {
      let failure = failure.flatMap { failure in
        (0..<TokenSource.rest).contains(now.seconds - failure.date.seconds) ? failure.error : nil
      }
      if let token = valid(at: now) {
        let isDue = token.expires.seconds - now.seconds < token.margin
        return isDue && renewal == nil && failure == nil ? .start : .use(token)
      }
      if renewal != nil { return .wait }
      return failure.map { .fail($0) } ?? .start
    }
  }

  private var cancelled: BackendError { BackendError(.cancelled, "the request was cancelled") }

  /// Makes a request wait for a token.
  ///
  /// Starts the program if it is not running.
  private func wait(as number: Int, _ continuation: Continuation) {
    let known: Result<Token, BackendError>? = state.withLock { state in
      if Task.isCancelled { return .failure(cancelled) }
      switch state.step(at: now()) {
      case .use(let token): return .success(token)
      case .fail(let error): return .failure(error)
      case .wait: state.renewal?.waiters[number] = Waiter(continuation: continuation)
      case .start: state.renewal = renewal([number: Waiter(continuation: continuation)])
      }
      return nil
    }
    if let known { continuation.resume(returning: known) }
  }

  private func renewal(_ waiters: [Int: Waiter]) -> Renewal {
    Renewal(task: Task { await self.renew() }, waiters: waiters)
  }

  /// Removes a request that waits.
  ///
  /// If no other request waits, ends the program.
  private func leave(_ number: Int) {
    let (task, waiter): (Task<Void, Never>?, Waiter?) = state.withLock { state in
      guard let renewal = state.renewal, renewal.waiters[number] != nil else { return (nil, nil) }
      if renewal.waiters.contains(where: { $0.key != number && !$0.value.isCancelled }) {
        return (nil, state.renewal?.waiters.removeValue(forKey: number))
      }
      // The request waits until the program has ended, so that no process is left behind.
      state.renewal?.waiters[number]?.isCancelled = true
      return (renewal.task, nil)
    }
    task?.cancel()
    waiter?.continuation.resume(returning: .failure(cancelled))
  }

  private func renew() async {
    let start = now()
    let result: Result<(secret: Secret, expires: Timestamp), BackendError>
    do throws(ProgramCommand.Failure) {
      let outcome = try await run()
      do throws(BackendError) {
        result = .success(try read(outcome, from: start))
      } catch {
        result = .failure(error)
      }
    } catch {
      result = .failure(
        error.isRefusal
          ? .refused("\(command.program), the key of the backend '\(backend)'", error.reason)
          : fault("\(command.program) could not be started: \(error.reason)")
      )
    }
    let end = now()
    let waiters: [(Waiter, Result<Token, BackendError>)] = state.withLock { state in
      let waiters = state.renewal?.waiters ?? [:]
      state.renewal = nil
      switch result {
      case .success(let (secret, expires)):
        let life = expires.seconds - start.seconds
        let token = Token(
          secret: secret,
          printed: end,
          expires: expires,
          margin: min(max(life / 10, 30), 300, life / 2),
          replacesRefused: state.isReplacing
        )
        state.token = token
        state.failure = nil
        state.isReplacing = false
        return waiters.values.map { ($0, .success(token)) }
      case .failure(let error) where error.kind == .cancelled:
        // Requests that arrived after the cancelled ones still wait, so the program is needed
        // again.
        let others = waiters.filter { !$0.value.isCancelled }
        if !others.isEmpty { state.renewal = renewal(others) }
        return waiters.values.filter(\.isCancelled).map { ($0, .failure(error)) }
      case .failure(let error):
        state.failure = (error, end)
        return waiters.values.map { ($0, .failure(error)) }
      }
    }
    for (waiter, result) in waiters { waiter.continuation.resume(returning: result) }
  }

  // MARK: Reading

  /// Returns the token in the program's output.
  ///
  /// - Throws: ``BackendError`` if the output contains no token.
  private func read(_ outcome: ProgramCommand.Outcome, from start: Timestamp)
    throws(BackendError) -> (secret: Secret, expires: Timestamp)
  {
    let program = command.program
    let printed: Result<PrintedToken, PrintedToken.Fault>
    do throws(PrintedToken.Fault) {
      printed = .success(try PrintedToken(outcome.output, from: start))
    } catch {
      printed = .failure(error)
    }
    func fault(_ reason: String) -> BackendError {
      var secrets = passed + issued.all.map { Secret($0) }
      // The error output may repeat the token, even a token that is not used.
      if let text = try? printed.get().text, text.utf8.count >= 16 { secrets.append(Secret(text)) }
      return self.fault(reason, (outcome.lastWords ?? "").hiding(secrets))
    }
    switch outcome.end {
    case .exited(0): break
    case .cancelled: throw cancelled
    case .exited(let code): throw fault("\(program) ended with exit code \(code)")
    case .signaled(let signal): throw fault("\(program) was ended by signal \(signal)")
    case .timedOut:
      throw fault("\(program) did not end within \(KeyCommand.timeout.components.seconds) s")
    case .tooLarge:
      throw fault("\(program) printed more than \(KeyCommand.maximumBytes >> 10) KiB")
    // These results occur only for programs that keep running.
    case .answered, .unreadable, .extraLine, .neverAnswered, .left, .givenUp:
      throw fault("\(program) could not be run")
    }
    let token: PrintedToken
    switch printed {
    case .success(let printed): token = printed
    case .failure(let error): throw fault("\(program) \(error.reason)")
    }
    let parts = token.text.split(whereSeparator: \.isWhitespace)
    guard HTTPSyntax.isHeaderValue(token.text), mayHaveSpaces || parts.count == 1 else {
      throw fault("\(program) printed a line that is not a token")
    }
    // The token is registered as a secret before it can be sent. A server may repeat a part of it,
    // such as the text after "Basic".
    issued.add(token.text)
    if let longest = parts.max(by: { $0.utf8.count < $1.utf8.count }) {
      issued.add(String(longest))
    }
    let expires = token.expires ?? Timestamp(seconds: start.seconds + command.lifetime)
    guard now() < expires else {
      throw fault("\(program) printed a token that expired at \(expires.iso8601)")
    }
    return (Secret(token.text), expires)
  }

  /// Returns the error for a program that printed no token.
  ///
  /// It contains the program's last error output.
  private func fault(_ reason: String, _ words: String = "") -> BackendError {
    let words = words.isEmpty ? "" : ": \(words.prefix(300))"
    var error = BackendError(
      .missingKey,
      "there is no token for the backend '\(backend)': \(reason)\(words)"
    )
    error.advice = "run the command by hand to see its error: \(command.line)"
    return error
  }
}
