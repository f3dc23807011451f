import FlyingFox
import FlyingSocks
import Foundation

/// A loopback server for OpenAI's chat completions that sends a stand-in model's answers.
public actor StandInServer {
  /// The header of every answer that says that no real model wrote it.
  public static let header = "X-Sluice-Stand-In"

  private let server: HTTPServer
  private var task: Task<Void, Never>?

  /// The port on which the server listens, or `nil` before ``start()`` and after ``stop()``.
  public private(set) var port: UInt16?

  /// Creates a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - port: The port to listen on, or 0 for any free one.
  ///   - delay: The delay of every answer, for tests of time limits.
  ///   - model: The model that answers.
  /// - Throws: An error if there is no loopback address.
  public init(
    port: UInt16 = 0,
    delay: Duration = .zero,
    model: StandInModel = StandInModel()
  ) throws {
    try self.init(port: port, limit: 60 + Double(delay.components.seconds)) { name, system, user in
      if delay > .zero { try await Task.sleep(for: delay) }
      return model.named(name).answer(system: system, user: user)
    }
  }

  /// Creates a server with answers from a closure.
  ///
  /// The server does not listen yet.
  ///
  /// - Parameters:
  ///   - port: The port to listen on, or 0 for any free one.
  ///   - timeout: The time limit of a connection in seconds.
  ///   - answer: Returns the text of an answer for the system text and the user text. If it throws,
  ///     the server answers with status 500.
  /// - Throws: An error if there is no loopback address.
  public init(
    port: UInt16 = 0,
    timeout: Double = 60,
    answer: @escaping @Sendable (_ system: String, _ user: String) async throws -> String
  ) throws {
    try self.init(port: port, limit: timeout) { _, system, user in try await answer(system, user) }
  }

  private init(port: UInt16, limit: Double, answer: @escaping CompletionHandler.Answer) throws {
    server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port),
      timeout: limit,
      logger: .disabled,
      handler: CompletionHandler(answer: answer)
    )
  }

  /// The base address for clients, such as `http://127.0.0.1:8080/v1`.
  public var baseURL: String? { port.map { "http://127.0.0.1:\($0)/v1" } }

  /// Starts listening and serves until ``stop()``.
  ///
  /// - Returns: The port on which the server listens.
  /// - Throws: An error if the server cannot listen, for example because the port is in use.
  @discardableResult
  public func start() async throws -> UInt16 {
    if let port { return port }
    let server = server
    let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    task = Task {
      do {
        try await server.run()
      } catch {
        outcome.yield(.failure(error))
      }
      outcome.finish()
    }
    let listening = Task {
      do {
        try await server.waitUntilListening(timeout: 30)
        outcome.yield(.success(()))
      } catch {
        outcome.yield(.failure(error))
      }
    }
    defer { listening.cancel() }
    for await result in outcomes {
      try result.get()
      break
    }
    guard case .ip4(_, let port) = await server.listeningAddress else {
      throw SocketError.unsupportedAddress
    }
    self.port = port
    return port
  }

  /// Stops listening and closes the connections.
  public func stop() async {
    await server.stop()
    await task?.value
    task = nil
    port = nil
  }

  /// Waits until the server has stopped.
  public func waitUntilStopped() async { await task?.value }
}

extension StandInServer {
  /// The reply of a server that refuses a request.
  public struct Refusal: Error {
    /// The status of the response.
    public var status: Int
    /// The fault of the request.
    public var message: String

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - message: The fault of the request.
    public init(_ status: Int, _ message: String) {
      self.status = status
      self.message = message
    }
  }
}

/// A handler that answers `POST /v1/chat/completions`, and everything else as OpenAI's servers do.
private struct CompletionHandler: HTTPHandler {
  /// A function that returns the text of an answer for the name of the answering model, the system
  /// text and the user text.
  typealias Answer =
    @Sendable (_ name: String, _ system: String, _ user: String) async throws -> String

  let answer: Answer

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let method = request.method.rawValue
    guard request.path == "/v1/chat/completions" else {
      return response(.notFound, ChatError(message: "Invalid URL (\(method) \(request.path))").json)
    }
    guard request.method == .POST else {
      let error = ChatError(
        message: "Not allowed to \(method) on \(request.path).",
        code: "method_not_supported"
      )
      return response(.methodNotAllowed, error.json)
    }
    let body = try await request.bodyData
    let asked: ChatRequest
    do throws(ChatError) {
      asked = try ChatRequest(body)
    } catch {
      return response(.badRequest, error.json)
    }
    let name = StandInModel.name(for: asked.model)
    do {
      let text = try await answer(name, asked.system, asked.user)
      let completion = ChatCompletion(content: text, model: name, request: asked, body: body)
      guard asked.isStreaming else { return response(.ok, completion.json, by: name) }
      let events = completion.events(includesUsage: asked.includesUsage)
      return HTTPResponse(
        statusCode: .ok,
        headers: headers("text/event-stream", by: name),
        body: HTTPBodySequence(from: EventStream(events: events))
      )
    } catch let refusal as StandInServer.Refusal {
      let code = HTTPStatusCode(refusal.status, phrase: "Refused")
      return response(code, ChatError(message: refusal.message).json, by: name)
    } catch {
      let failure = ChatError(message: "The stand-in could not answer.", type: "server_error")
      return response(.internalServerError, failure.json, by: name)
    }
  }

  private func response(
    _ status: HTTPStatusCode,
    _ json: String,
    by name: String = StandInModel.name
  ) -> HTTPResponse {
    HTTPResponse(
      statusCode: status,
      headers: headers("application/json", by: name),
      body: Data(json.utf8)
    )
  }

  private func headers(_ type: String, by name: String) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers[.contentType] = type
    headers[HTTPHeader(StandInServer.header)] = name
    return headers
  }
}
