package import Sluice

/// A backend that answers with a closure, which gets the number of earlier requests.
package final class ClosureBackend: Backend {
  private let answer: @Sendable (ModelRequest, Int) async throws(BackendError) -> Exchange
  private let asked = Locked<[ModelRequest]>([])

  package init(
    _ answer: @escaping @Sendable (ModelRequest, Int) async throws(BackendError) -> Exchange
  ) {
    self.answer = answer
  }

  /// The requests so far.
  package var requests: [ModelRequest] { asked.withLock { $0 } }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let number = asked.withLock { asked in
      asked.append(request)
      return asked.count - 1
    }
    return try await answer(request, number)
  }
}

extension Exchange {
  /// Returns an exchange with an answer that took a number of milliseconds.
  package static func answered(
    _ request: ModelRequest = .fixture(),
    usage: TokenUsage? = nil,
    milliseconds: Double? = 100
  ) -> Exchange {
    let timings = ResponseTimings(total: milliseconds)
    var response = ModelResponse(text: "yes", usage: usage, timings: timings)
    response.provenance.model = "sorter-1"
    return Exchange(
      request: request,
      response: RawResponse(
        body: Array(#"{"choices":[{"message":{"content":"yes"}}]}"#.utf8),
        timings: timings,
        host: "https://models.test",
        date: Timestamp(seconds: 0)
      ),
      answer: response
    )
  }
}
