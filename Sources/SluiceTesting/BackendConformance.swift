public import Sluice

/// A set of tests for the rules that a backend must follow.
///
/// Sluice's own backends pass the same tests.
///
/// You provide a closure that creates your backend in a given world. A world is a behavior of the
/// service that the backend calls, such as a server that hangs. The report shows, for each rule,
/// whether the backend follows that rule:
///
/// ```swift
/// @Test("The backend keeps the rules")
/// func rules() async throws {
///   let conformance = BackendConformance(secret: "key-of-the-test") { world in
///     switch world {
///     case .answering(let text): MyBackend(server: .answering(text))
///     case .failing: MyBackend(server: .failing)
///     default: nil
///     }
///   }
///   let report = await conformance.report()
///   #expect(report.isConforming, "\(report)")
/// }
/// ```
///
/// If the closure returns `nil` for a world, the report marks the rules for this world as skipped.
public struct BackendConformance: Sendable {
  /// The behavior of the service that a backend calls.
  public enum World: Hashable, Sendable {
    /// Every request is answered with this text, which contains characters of 1, 2, 3 and 4 bytes
    /// in UTF-8.
    case answering(String)
    /// Every request is answered with the text of its last message.
    case echoing
    /// The connection breaks off after this part of the answer.
    case breakingOff(after: String)
    /// The service does not exist, so that no connection is possible or no program starts.
    case absent
    /// Every request is rejected with an error whose message contains the backend's secret.
    case failing
    /// No request is ever answered.
    case hanging
  }

  private let request: ModelRequest
  private let secret: String
  private let patience: Duration
  private let make: @Sendable (World) async throws -> (any ModelBackend)?

  /// Creates the tests for a backend.
  ///
  /// - Parameters:
  ///   - secret: The backend's API key, which must not appear in any error.
  ///   - request: The request to send. Some tests replace the content of its last message.
  ///   - patience: The time limit for each request, and the time within which a cancelled request
  ///     must end.
  ///   - make: A closure that creates the backend in a world, or returns `nil` for a world that it
  ///     does not support.
  public init(
    secret: String,
    request: ModelRequest = BackendConformance.request(saying: "Where is it?"),
    patience: Duration = .seconds(10),
    make: @escaping @Sendable (World) async throws -> (any ModelBackend)?
  ) {
    self.request = request
    self.secret = secret
    self.patience = patience
    self.make = make
  }

  /// Returns a request like those of suites, in the format of chat completions.
  ///
  /// - Parameter text: The content of its only message.
  /// - Returns: The request.
  public static func request(saying text: String) -> ModelRequest {
    ModelRequest(
      backend: "conformance",
      api: "openai-chat",
      model: "conformance-1",
      body: [
        "model": "conformance-1", "messages": [["role": "user", "content": .string(text)]],
        "parameters": [:], "input": ["message": .string(text)],
      ]
    )
  }

  // MARK: The report

  /// The result of the tests.
  public typealias Report = ConformanceReport
  /// A rule with its outcome.
  public typealias Finding = ConformanceReport.Finding

  /// Tests all rules.
  ///
  /// - Returns: The findings.
  public func report() async -> Report {
    let whole = "naïve 🙂 \u{2028}\"quoted\"\nend"
    return Report(findings: [
      await finding("the whole text is the answer", in: .answering(whole)) { backend in
        let answer = try await ask(backend, request)
        try demand(answer.text == whole, "the text is \(quoted(answer.text))")
      },
      await finding(
        "unknown values are nil instead of zero, and times add up",
        in: .answering(whole)
      ) {
        backend in
        try checkFigures(of: try await ask(backend, request))
      },
      await finding("a second request is answered like the first", in: .answering(whole)) {
        backend in
        _ = try await ask(backend, request)
        let answer = try await ask(backend, request)
        try demand(answer.text == whole, "the second text is \(quoted(answer.text))")
      },
      await finding("each of many concurrent requests gets its own answer", in: .echoing) {
        backend in
        try await askMany(backend)
      },
      await finding(
        "part of an answer does not count as an answer",
        in: .breakingOff(after: "The first half")
      ) {
        backend in
        let error = try await failure(of: backend)
        try demand(error.kind != .cancelled, "the error says that the request was cancelled")
        try checkWords(of: error)
      },
      await finding("an error says what happened, without secrets", in: .failing) { backend in
        try checkWords(of: try await failure(of: backend))
      },
      await finding("the kind of the error shows that the service is unreachable", in: .absent) {
        backend in
        let error = try await failure(of: backend)
        let kinds: [BackendError.Kind] = [
          .noConnection, .nameNotFound, .tls, .timedOut, .programFailed, .endpointDown,
        ]
        try demand(kinds.contains(error.kind), "the error's kind is \(error.kind.rawValue)")
        try checkWords(of: error)
      },
      await finding("cancelling ends a request that hangs", in: .hanging) { backend in
        try await cancel(backend)
      },
    ])
  }

  // MARK: Rules

  /// A violation of a rule.
  private struct Broken: Error { var how: String }

  private func finding(
    _ rule: String,
    in world: World,
    _ body: (any ModelBackend) async throws -> Void
  ) async -> Finding {
    do {
      guard let backend = try await make(world) else {
        return Finding(rule: rule, outcome: .skipped("the closure made no backend for the world"))
      }
      try await body(backend)
      return Finding(rule: rule, outcome: .kept)
    } catch let broken as Broken {
      return Finding(rule: rule, outcome: .broken(broken.how))
    } catch {
      return Finding(rule: rule, outcome: .broken("it threw \(error)"))
    }
  }

  private func demand(_ isKept: Bool, _ how: @autoclosure () -> String) throws {
    if !isKept { throw Broken(how: how()) }
  }

  private func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "missing" }

  /// Sends a request within the time limit.
  private func ask(_ backend: any ModelBackend, _ request: ModelRequest) async throws
    -> ModelResponse
  {
    switch await ended(backend, request, cancellingAfter: nil) {
    case .success(let answer)?: return answer
    case .failure(let error)?: throw Broken(how: "\(error.kind.rawValue): \(error.message)")
    case nil: throw Broken(how: "there is no answer after \(patience)")
    }
  }

  private func failure(of backend: any ModelBackend) async throws -> BackendError {
    switch await ended(backend, request, cancellingAfter: nil) {
    case .success(let answer)?: throw Broken(how: "the answer is \(quoted(answer.text))")
    case .failure(let error)?: return error
    case nil: throw Broken(how: "there is no error after \(patience)")
    }
  }

  private func cancel(_ backend: any ModelBackend) async throws {
    switch await ended(backend, request, cancellingAfter: .milliseconds(100)) {
    case .success(let answer)?: throw Broken(how: "the answer is \(quoted(answer.text))")
    case .failure(let error)?:
      try demand(error.kind == .cancelled, "the error's kind is \(error.kind.rawValue)")
    case nil: throw Broken(how: "the request still runs \(patience) after it was cancelled")
    }
  }

  /// Returns the result of a request, or `nil` if the request exceeded the time limit.
  private func ended(
    _ backend: any ModelBackend,
    _ request: ModelRequest,
    cancellingAfter delay: Duration?
  ) async -> Result<ModelResponse, BackendError>? {
    let (ends, end) = AsyncStream.makeStream(of: Result<ModelResponse, BackendError>?.self)
    // Use an unstructured task, since a task group would wait for a child that ignores
    // cancellation.
    let asking = Task {
      do throws(BackendError) {
        end.yield(.success(try await backend.answer(request)))
      } catch {
        end.yield(.failure(error))
      }
    }
    let watching = Task {
      if let delay {
        try? await Task.sleep(for: delay)
        asking.cancel()
      }
      try? await Task.sleep(for: patience)
      end.yield(nil)
    }
    defer {
      watching.cancel()
      asking.cancel()
    }
    for await result in ends { return result }
    return nil
  }

  private func askMany(_ backend: any ModelBackend) async throws {
    let wrong = await withTaskGroup(of: String?.self) { group in
      for number in 0..<64 {
        group.addTask {
          let text = "message \(number)"
          do {
            let answer = try await ask(backend, asking(text))
            return answer.text == text ? nil : "\"\(text)\" got \(quoted(answer.text))"
          } catch {
            return "\"\(text)\" got no answer: \((error as? Broken)?.how ?? "\(error)")"
          }
        }
      }
      return await group.reduce(into: [String]()) { all, one in if let one { all.append(one) } }
    }
    try demand(
      wrong.isEmpty,
      "\(wrong.count) of 64 requests got a wrong answer: \(wrong.sorted().first ?? "")"
    )
  }

  /// Returns the test request with `text` as its input and as the content of its last message.
  private func asking(_ text: String) -> ModelRequest {
    var request = request
    guard var body = request.body.object else { return request }
    let names = ModelAPI.messageNames(in: request.api)
    if case .array(var messages)? = body[names.list], var last = messages.last?.object {
      let isInParts = last[names.content]?.array != nil
      last[names.content] = isInParts ? [["text": .string(text)]] : .string(text)
      messages[messages.count - 1] = .object(last)
      body[names.list] = .array(messages)
    }
    if var input = body["input"]?.object {
      for member in input.members where member.value.string != nil {
        input[member.name] = .string(text)
      }
      body["input"] = .object(input)
    }
    for member in body.members where member.name == "message" { body["message"] = .string(text) }
    request.body = .object(body)
    return request
  }

  private func checkWords(of error: BackendError) throws {
    try demand(!error.message.isEmpty, "the error has no message")
    try demand(
      secret.isEmpty || !error.message.contains(secret),
      "the message repeats the secret"
    )
    try demand(error.message.count <= 1_000, "the message has \(error.message.count) characters")
    try demand(!error.message.contains("\n"), "the message has several lines")
  }

  private func checkFigures(of answer: ModelResponse) throws {
    let usage = answer.usage
    let counts = [
      usage?.input, usage?.output, usage?.cachedInput, usage?.cacheWrite, usage?.longCacheWrite,
      usage?.reasoning,
    ]
    try demand(!counts.contains { $0.map { $0 < 0 } ?? false }, "a token count is negative")
    try demand(
      usage.map { $0.input != 0 || $0.output != 0 } ?? true,
      "there are 0 tokens for a text; an unknown count must be nil"
    )
    let times = answer.timings
    let all = [times.connect, times.tls, times.firstByte, times.firstText, times.longestGap]
    for time in all.compactMap(\.self) {
      try demand(time >= 0 && time.isFinite, "a time is \(time) ms")
      if let total = times.total {
        // The times are rounded separately, so a part may be up to 1 ms longer than the total.
        try demand(time <= total + 1, "a time of \(time) ms is longer than the total, \(total) ms")
      }
    }
    try demand(
      answer.provenance.host?.contains(secret) != true || secret.isEmpty,
      "the host repeats the secret"
    )
  }
}
