package import Sluice

/// An HTTP client that sends nothing.
///
/// It stores requests and answers them with a closure.
package final class RecordingHTTPClient: HTTPClient {
  private let asked = Locked<[HTTPRequest]>([])
  private let answer: @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse

  package init(answer: @escaping @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse) {
    self.answer = answer
  }

  /// Creates a client that gives every request the same answer.
  package convenience init(_ response: HTTPResponse) {
    self.init { _ throws(HTTPError) in response }
  }

  /// The requests so far, in order of arrival.
  package var requests: [HTTPRequest] { asked.withLock { $0 } }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    asked.withLock { $0.append(request) }
    return try answer(request)
  }
}
