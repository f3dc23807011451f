public import Sluice
public import Testing

extension SuiteTest {
  /// Runs the suite on the answers that a closure returns for the suite's cases.
  ///
  /// ```swift
  /// @Test("The reply feature passes its suite")
  /// func reply() async throws {
  ///   try await SuiteTest("reply", in: #filePath).check { question in
  ///     try await Replies().draft(for: question.input["message"]?.string ?? "")
  ///   }
  /// }
  /// ```
  ///
  /// The closure is called for every case. Nothing is recorded or written. If the closure throws,
  /// the trial counts as lost, not as a wrong answer.
  ///
  /// - Parameters:
  ///   - maximumInFlight: The maximum number of concurrent calls.
  ///   - answer: A closure that returns the answer to a case.
  /// - Returns: The result of the run, whatever the verdict.
  /// - Throws: ``SuiteTestError`` if there is no such project or suite, or if the project's files
  ///   have errors.
  public func run(
    maximumInFlight: Int = 16,
    answering answer: @escaping @Sendable (SuiteQuestion) async throws -> String
  ) async throws(SuiteTestError) -> SuiteResult {
    try await run(on: FunctionBackend(answer), maximumInFlight: maximumInFlight)
  }

  /// Runs the suite on the answers that a closure returns, and requires that every gate passes.
  ///
  /// - Parameters:
  ///   - maximumInFlight: The maximum number of concurrent calls.
  ///   - sourceLocation: The location in the test at which issues are recorded.
  ///   - answer: A closure that returns the answer to a case.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` if there is no such project or suite, or if the project's files
  ///   have errors. Outside of Swift Testing, it is also thrown if the verdict is not a pass, and
  ///   then contains the report of the run.
  @discardableResult
  public func check(
    maximumInFlight: Int = 16,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    answering answer: @escaping @Sendable (SuiteQuestion) async throws -> String
  ) async throws(SuiteTestError) -> SuiteResult {
    let result = try await run(maximumInFlight: maximumInFlight, answering: answer)
    return try demandPass(result, sourceLocation)
  }

  /// Runs the suite on a backend.
  ///
  /// The backend replaces the suite's first backend, and is compared with that backend's baseline.
  /// Nothing is recorded or written.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - maximumInFlight: The maximum number of concurrent requests.
  /// - Returns: The result of the run, whatever the verdict.
  /// - Throws: ``SuiteTestError`` if there is no such project or suite, or if the project's files
  ///   have errors.
  public func run(
    on backend: any ModelBackend,
    maximumInFlight: Int = 16
  ) async throws(SuiteTestError) -> SuiteResult {
    var (suite, files) = try load()
    let first = suite.plan.backends.first
    let name = first?.name ?? "in-process"
    suite.plan.backends = [
      BackendDefinition(
        name: name,
        kind: .inProcess(InProcessEndpoint()),
        sending: SendingPolicy(maximumInFlight: max(1, maximumInFlight)),
        endings: first?.endings ?? EndingWords()
      )
    ]
    let evaluation = Evaluation(
      suite,
      surroundings: Surroundings(files: files),
      keepsLog: false,
      layers: []
    )
    return await evaluation.live([name: InProcessBackend(backend)]).result
  }

  /// Runs the suite on a backend, and requires that every gate passes.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - maximumInFlight: The maximum number of concurrent requests.
  ///   - sourceLocation: The location in the test at which issues are recorded.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` if there is no such project or suite, or if the project's files
  ///   have errors. Outside of Swift Testing, it is also thrown if the verdict is not a pass, and
  ///   then contains the report of the run.
  @discardableResult
  public func check(
    on backend: any ModelBackend,
    maximumInFlight: Int = 16,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws(SuiteTestError) -> SuiteResult {
    let result = try await run(on: backend, maximumInFlight: maximumInFlight)
    return try demandPass(result, sourceLocation)
  }
}

/// The question that a closure under test answers: the input of a case, and the filled prompt.
public struct SuiteQuestion: Hashable, Sendable {
  /// The case's input.
  public var input: JSONValue
  /// The messages of the suite's prompt, filled for the case.
  public var messages: [ChatMessage]
  /// The prompt's parameters under their names in requests, such as `max_tokens`.
  public var parameters: JSONObject

  /// Reads the question from a request.
  ///
  /// - Parameter request: A request that was passed to `ModelBackend.answer(_:)`.
  public init(_ request: ModelRequest) {
    input = request.body["input"] ?? [:]
    messages = (request.body["messages"]?.array ?? []).compactMap { message in
      guard let role = message["role"]?.string.flatMap(MessageRole.init),
        let text = message["content"]?.string
      else { return nil }
      return ChatMessage(role: role, text: text)
    }
    parameters = request.body["parameters"]?.object ?? [:]
  }
}

/// A backend that gets its answers from a function.
private struct FunctionBackend: ModelBackend {
  private let function: @Sendable (SuiteQuestion) async throws -> String

  init(_ function: @escaping @Sendable (SuiteQuestion) async throws -> String) {
    self.function = function
  }

  func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse {
    do {
      return ModelResponse(text: try await function(SuiteQuestion(request)), finishReason: nil)
    } catch let error as BackendError {
      throw error
    } catch is CancellationError {
      throw BackendError(.cancelled, "the request was cancelled")
    } catch {
      throw BackendError(.programFailed, "the function threw: \(error)")
    }
  }
}
