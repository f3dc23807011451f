package import SluiceSupport

/// Answers requests live.
///
/// Recorded answers come from a ``RecordingFile``, without any backend.
package protocol Backend: Sendable {
  /// Sends a request and waits for the whole exchange.
  ///
  /// - Throws: ``BackendError`` when no answer came: the trial is lost, not wrong.
  func send(_ request: ModelRequest) async throws(BackendError) -> Exchange
}

/// A request with the raw response to it: what a recording keeps.
package struct Exchange: Hashable, Sendable {
  @Boxed package var request: ModelRequest
  @Boxed package var response: RawResponse
  /// What the response says, where it was read already.
  @Boxed package var answer: ModelResponse?
  /// What it took to get the response.
  package var effort = SendStatistics()

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

/// A response as it came, before anyone read it.
package struct RawResponse: Hashable, Sendable {
  package var status: Int
  /// The response headers that may be kept, names in lower case, sorted.
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// When the pieces of a streamed body came; empty for one that came as a whole.
  package var arrivals: [Arrival]
  package var timings: ResponseTimings
  /// The scheme, host and port that the request went to.
  package var host: String
  /// When the answer came.
  package var date: Timestamp
  /// Why the answer was asked for again without streaming; nil for one that was not.
  package var fallback: StreamFallback?
  /// The way that the answer came where Sluice did not ask for it itself; nil where it did.
  package var via: AnswerRoute?
  /// The origin of an answer that Sluice did not ask for itself; nil where nobody tells it.
  package var stated: AnswerStatement?

  /// The moment from which the age of the answer counts: the day on which it was given where that is
  /// told, else when it came.
  package var since: Timestamp { stated?.day.flatMap(Timestamp.init(day:)) ?? date }

  /// A piece of a streamed body.
  package struct Arrival: Hashable, Sendable {
    /// When it came, in milliseconds since the request was sent.
    package var milliseconds: Double
    /// The place in the body after its last byte.
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
