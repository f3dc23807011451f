public import Sluice
public import Testing

extension SuiteTest {
  /// Runs the suite on a function of yours, with the suite's own prompt and cases.
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
  /// Every case is asked anew: nothing is recorded, and nothing is written. What the function throws
  /// loses the trial, which is no wrong answer.
  ///
  /// - Parameters:
  ///   - maximumInFlight: How many cases may be asked at once.
  ///   - answer: The text that answers a case.
  /// - Returns: What the run came to, whatever the verdict.
  /// - Throws: ``SuiteTestError`` when there is no such project, or its files are wrong.
  public func run(
    maximumInFlight: Int = 16,
    answering answer: @escaping @Sendable (SuiteQuestion) async throws -> String
  ) async throws(SuiteTestError) -> SuiteResult {
    try await run(on: FunctionBackend(answer), maximumInFlight: maximumInFlight)
  }

  /// Runs the suite on a function of yours and demands that every gate is met.
  ///
  /// - Parameters:
  ///   - maximumInFlight: How many cases may be asked at once.
  ///   - sourceLocation: The place in the test that issues are recorded at.
  ///   - answer: The text that answers a case.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` when the project's files are wrong; with the report of the run when
  ///   the verdict is not a pass and no test of Swift Testing is running.
  @discardableResult
  public func check(
    maximumInFlight: Int = 16,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    answering answer: @escaping @Sendable (SuiteQuestion) async throws -> String
  ) async throws(SuiteTestError) -> SuiteResult {
    let result = try await run(maximumInFlight: maximumInFlight, answering: answer)
    return try demandPass(result, sourceLocation)
  }

  /// Runs the suite on a backend of yours.
  ///
  /// It stands in for the first backend that the suite names: conditions are decided as for that one,
  /// against its baseline too. Nothing is recorded, and nothing is written.
  ///
  /// - Parameters:
  ///   - backend: What answers.
  ///   - maximumInFlight: How many cases may be asked at once.
  /// - Returns: What the run came to, whatever the verdict.
  /// - Throws: ``SuiteTestError`` when there is no such project, or its files are wrong.
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

  /// Runs the suite on a backend of yours and demands that every gate is met.
  ///
  /// - Parameters:
  ///   - backend: What answers.
  ///   - maximumInFlight: How many cases may be asked at once.
  ///   - sourceLocation: The place in the test that issues are recorded at.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` when the project's files are wrong; with the report of the run when
  ///   the verdict is not a pass and no test of Swift Testing is running.
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

/// What a function under test is asked: a case's input, and the suite's prompt filled with it.
public struct SuiteQuestion: Hashable, Sendable {
  /// The case's input.
  public var input: JSONValue
  /// The messages of the suite's prompt, filled for the case.
  public var messages: [ChatMessage]
  /// The prompt's parameters under the names of the wire, such as `max_tokens`.
  public var parameters: JSONObject

  /// Reads the question of a request.
  ///
  /// - Parameter request: A request as ``ModelBackend/answer(_:)`` gets it.
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

/// A function as a backend.
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
