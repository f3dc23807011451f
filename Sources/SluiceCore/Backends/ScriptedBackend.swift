package import SluiceSupport

/// A backend whose answers come from a closure.
///
/// It replaces a live backend, for example in tests.
package struct ScriptedBackend: Backend {
  private let answer: @Sendable (ModelRequest) async throws(BackendError) -> String
  private let date: Timestamp

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - date: The date of the answers.
  ///   - answer: Returns the text of the answer to a request.
  package init(
    date: Timestamp = Timestamp(seconds: 0),
    answer: @escaping @Sendable (ModelRequest) async throws(BackendError) -> String
  ) {
    self.answer = answer
    self.date = date
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let text = try await answer(request)
    let body: JSONValue = [
      "model": .string(request.model),
      "choices": [
        [
          "index": 0, "message": ["role": "assistant", "content": .string(text)],
          "finish_reason": "stop",
        ]
      ],
    ]
    return Exchange(
      request: request,
      headers: [HTTPHeader(ModelServerBackend.standInHeader, "scripted")],
      body: JSONWriter.line(body),
      host: "in-process",
      date: date
    )
  }
}
