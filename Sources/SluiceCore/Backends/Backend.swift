package import SluiceSupport

/// A live backend that answers requests.
///
/// Recorded answers need no live backend. They come from a ``RecordingFile``.
package protocol Backend: Sendable {
  /// Sends a request and returns the complete exchange.
  ///
  /// - Throws: ``BackendError`` if there is no answer. The trial then counts as lost, not as
  ///   failed.
  func send(_ request: ModelRequest) async throws(BackendError) -> Exchange
}

/// A request with its raw response.
///
/// A recording contains an exchange.
package struct Exchange: Hashable, Sendable {
  @Boxed package var request: ModelRequest
  @Boxed package var response: RawResponse
  /// The parsed answer; nil if the response has not been parsed yet.
  @Boxed package var answer: ModelResponse?
  /// The statistics of sending the request.
  package var statistics = SendStatistics()

  package init(request: ModelRequest, response: RawResponse, answer: ModelResponse? = nil) {
    self.request = request
    self.response = response
    self.answer = answer
  }

  package init(
    request: ModelRequest,
    status: Int = 200,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    timings: ResponseTimings = ResponseTimings(),
    host: String,
    date: Timestamp
  ) {
    self.init(
      request: request,
      response: RawResponse(
        status: status,
        headers: headers,
        body: body,
        timings: timings,
        host: host,
        date: date
      )
    )
  }
}

/// A response as received, before parsing.
package struct RawResponse: Hashable, Sendable {
  package var status: Int
  /// The response headers that may be stored, sorted by name, with names in lower case.
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// The arrival times of the pieces of a streamed body; empty if the body was not streamed.
  package var arrivals: [Arrival]
  package var timings: ResponseTimings
  /// The scheme, host and port of the request.
  package var host: String
  /// The time at which the answer was received.
  package var date: Timestamp
  /// The stream that failed, if the request was then sent again without streaming.
  package var fallback: StreamFallback?
  /// The route of an answer that Sluice did not request itself; nil if Sluice requested it.
  package var via: AnswerRoute?
  /// The stated origin of an answer that Sluice did not request itself; nil if unknown.
  package var stated: AnswerStatement?

  /// The time from which the age of the answer is counted.
  ///
  /// This is the stated date if there is one, otherwise the time at which the answer was received.
  package var since: Timestamp { stated?.day.flatMap(Timestamp.init(day:)) ?? date }

  /// A piece of a streamed body.
  package struct Arrival: Hashable, Sendable {
    /// The arrival time, in milliseconds from when the request was sent.
    package var milliseconds: Double
    /// The offset in the body just past this piece's last byte.
    package var end: Int

    package init(milliseconds: Double, end: Int) {
      self.milliseconds = milliseconds
      self.end = end
    }
  }

  package init(
    status: Int = 200,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    arrivals: [Arrival] = [],
    timings: ResponseTimings = ResponseTimings(),
    host: String,
    date: Timestamp
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.arrivals = arrivals
    self.timings = timings
    self.host = host
    self.date = date
  }
}
