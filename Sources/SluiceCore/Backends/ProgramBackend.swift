package import SluiceSupport

/// A backend that sends requests to a program.
///
/// It starts a process for each request, or keeps processes running between requests.
package struct ProgramBackend: Backend {
  private let client: ProgramClient
  private let now: @Sendable () -> Timestamp

  /// The maximum size of a program's output, in bytes.
  static let maximumBytes = 16 << 20

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` if an environment variable of the program is not set.
  package init(
    _ endpoint: ProgramEndpoint,
    name: String,
    sending: SendingPolicy = SendingPolicy(),
    surroundings: Surroundings,
    programs: RunningPrograms? = nil
  ) throws(BackendError) {
    now = surroundings.now
    client = try ProgramClient(
      endpoint,
      of: "the backend '\(name)'",
      limits: ProgramClient.Limits(timeout: sending.timeout, bytes: Self.maximumBytes),
      surroundings: surroundings,
      programs: programs
    )
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    var question = request.body.object ?? [:]
    // The case is not part of the body, which determines the key. So cases with the same question
    // share a recording.
    question.set("case", request.testCase.map(JSONValue.string))
    let end = try await client.ask(JSONWriter.line(.object(question)) + [0x0A])
    let response = RawResponse(
      status: 0,
      body: end.output,
      timings: ResponseTimings(
        firstByte: end.firstByte.map(\.milliseconds),
        total: end.total.milliseconds
      ),
      host: client.place,
      date: now()
    )
    return Exchange(
      request: request,
      response: response,
      answer: try ProgramAnswer.read(response, hiding: client.secrets)
    )
  }
}
