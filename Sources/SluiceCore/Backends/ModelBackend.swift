package import SluiceSupport

/// A backend that you write yourself, such as a function, a client of a server, or a program.
///
/// To run suites with such a backend, use the module `SluiceTesting`. The type `BackendConformance`
/// in that module checks the behavior that Sluice relies on.
public protocol ModelBackend: Sendable {
  /// Answers a request.
  ///
  /// If the task is cancelled, end the request. Never return only a part of an answer.
  ///
  /// - Parameter request: The request. Its body contains `messages`, `parameters` and the case's
  ///   `input`.
  /// - Returns: The answer, with usage and times if they are known.
  /// - Throws: ``BackendError`` if there is no answer. The trial then counts as lost, not as
  ///   failed. The message of the error must not contain secrets.
  func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse
}

/// A user's own backend, adapted to the internal protocol.
package struct InProcessBackend: Backend {
  private let base: any ModelBackend
  private let now: @Sendable () -> Timestamp
  private let clock: Clock

  package init(
    _ base: any ModelBackend,
    now: @escaping @Sendable () -> Timestamp = { .now },
    clock: Clock = .real
  ) {
    self.base = base
    self.now = now
    self.clock = clock
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let start = clock.now()
    var answer = try await base.answer(request)
    if let failure = Ending.failure(word: answer.finishReason) { throw failure }
    let total = (clock.now() - start).milliseconds
    let date = now()
    answer.usage = answer.usage?.possible
    if answer.refusal?.isEmpty == true { answer.refusal = nil }
    if answer.refusal != nil, answer.text?.isEmpty == true { answer.text = nil }
    answer.timings.total = answer.timings.total ?? total
    answer.timings.firstByte = answer.timings.firstByte ?? answer.timings.total
    answer.provenance.host = answer.provenance.host ?? "in-process"
    answer.provenance.date = date.iso8601
    var body: JSONObject = ["text": answer.text.map(JSONValue.string) ?? .null]
    body.set("refusal", answer.refusal.map(JSONValue.string))
    body.set("finish-reason", answer.finishReason.map(JSONValue.string))
    body.set("usage", answer.usage.map { .object($0.json) })
    body.set("model", answer.provenance.model.map(JSONValue.string))
    body.set("stand-in", answer.provenance.standIn.map(JSONValue.string))
    let response = RawResponse(
      status: 0,
      body: JSONWriter.line(.object(body)),
      timings: answer.timings,
      host: answer.provenance.host ?? "",
      date: date
    )
    return Exchange(request: request, response: response, answer: answer)
  }
}

/// An internal backend, adapted to the public protocol.
package struct OutwardBackend: ModelBackend {
  private let base: any Backend

  package init(_ base: any Backend) { self.base = base }

  package func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse {
    try ResponseReader.response(in: try await base.send(request))
  }
}
