package import Sluice

/// The response of a server that streams a text.
package enum StreamedCompletion {
  /// Returns a response with pieces of text at given times.
  ///
  /// - Parameters:
  ///   - pieces: The pieces of text with their arrival times in milliseconds.
  ///   - end: The end of the stream, in milliseconds.
  ///   - isWhole: True if the stream is complete.
  /// - Returns: The response.
  package static func response(
    _ pieces: [(milliseconds: Double, text: String)],
    end: Double = 400,
    isWhole: Bool = true
  ) -> HTTPResponse {
    var body: [UInt8] = []
    var arrivals: [(time: Duration, end: Int)] = []
    func add(_ events: [JSONValue], at milliseconds: Double, isLast: Bool = false) {
      for event in events { body += Array("data: ".utf8) + JSONWriter.line(event) + [10, 10] }
      if isLast { body += Array("data: [DONE]\n\n".utf8) }
      arrivals.append((.microseconds(Int64(milliseconds * 1_000)), body.count))
    }
    add([["model": "sorter-1", "choices": [["index": 0, "delta": ["content": ""]]]]], at: 90)
    for piece in pieces {
      add(
        [["choices": [["index": 0, "delta": ["content": .string(piece.text)]]]]],
        at: piece.milliseconds
      )
    }
    if isWhole {
      let usage: JSONValue = [
        "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110,
      ]
      add(
        [
          ["choices": [["index": 0, "delta": [:], "finish_reason": "stop"]]],
          ["choices": [], "usage": usage],
        ],
        at: end,
        isLast: true
      )
    }
    return HTTPResponse(
      status: 200,
      headers: [HTTPHeader("content-type", "text/event-stream")],
      body: body,
      arrivals: arrivals,
      timings: HTTPTimings(
        connect: .milliseconds(1),
        firstByte: .milliseconds(80),
        total: .microseconds(Int64(end * 1_000))
      )
    )
  }
}
