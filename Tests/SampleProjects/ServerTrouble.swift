package import Sluice
package import TestSupport

/// A real or apparent failure of a chat completions server.
package struct ServerTrouble: Sendable {
  package var name: String
  /// The error of a trial that has only this failure, or `nil` if there is still an answer.
  package var kind: BackendError.Kind?
  /// Returns the server's reply in place of a normal answer with a text.
  package var reply: @Sendable (_ text: String) -> LoopbackServer.Reply

  package init(
    _ name: String,
    _ kind: BackendError.Kind?,
    _ reply: @escaping @Sendable (String) -> LoopbackServer.Reply
  ) {
    self.name = name
    self.kind = kind
    self.reply = reply
  }

  // MARK: Answers

  /// Returns a chat completion.
  package static func completion(_ text: String) -> [UInt8] {
    JSONWriter.line([
      "model": "sorter-1",
      "choices": [
        [
          "index": 0, "message": ["role": "assistant", "content": .string(text)],
          "finish_reason": "stop",
        ]
      ],
      "usage": ["prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110],
    ])
  }

  /// Returns a normal, complete response.
  package static func usual(_ text: String) -> LoopbackServer.Reply {
    .response("200 OK", headers: ["Content-Type: application/json"], body: completion(text))
  }

  /// Returns the events of a stream, with a piece of text for each character.
  package static func events(_ text: String) -> [String] {
    func event(_ delta: JSONValue, _ finish: JSONValue) -> String {
      let json: JSONValue = [
        "model": "sorter-1",
        "choices": [["index": 0, "delta": delta, "finish_reason": finish]],
      ]
      return "data: \(String(decoding: JSONWriter.line(json), as: UTF8.self))\n\n"
    }
    return text.map { event(["content": .string(String($0))], .null) }
      + [event([:], "stop"), "data: [DONE]\n\n"]
  }

  /// Returns a stream, optionally without a number of events at the end.
  package static func stream(_ text: String, without missing: Int = 0, then last: String = "")
    -> [UInt8]
  {
    head("Content-Type: text/event-stream", "Connection: close")
      + Array((events(text).dropLast(missing).joined() + last).utf8)
  }

  private static func head(_ lines: String...) -> [UInt8] {
    Array((["HTTP/1.1 200 OK"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// Returns the first half of a response whose header announces the full length.
  private static func half(_ text: String) -> [UInt8] {
    let body = completion(text)
    return head("Content-Length: \(body.count)") + body.prefix(body.count / 2)
  }

  // MARK: Trouble with whole answers

  private static func status(_ status: String, headers: [String] = [], _ body: String)
    -> ServerTrouble
  {
    ServerTrouble("\(status): \(body.prefix(40))", .rateLimited) { _ in
      .response(status, headers: headers, body: Array(body.utf8))
    }
  }

  /// Temporary refusals in the forms that servers send.
  package static let rateLimits: [ServerTrouble] = [
    status(
      "429 Too Many Requests",
      headers: ["Retry-After: 2"],
      #"{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}"#
    ),
    status(
      "429 Too Many Requests",
      headers: ["Retry-After-Ms: 150", "Retry-After: 1"],
      #"{"error":{"code":"429","message":"Requests have exceeded the limit."}}"#
    ),
    status(
      "429 Too Many Requests",
      #"[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Slow down.","details":[{"retryDelay":"1.5s"}]}}]"#
    ),
    status(
      "429 Too Many Requests",
      headers: ["Retry-After: Sat, 21 Nov 2026 12:00:21 GMT"],
      #"{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}"#
    ),
    status(
      "429 Too Many Requests",
      headers: ["X-RateLimit-Remaining-Requests: 0", "X-RateLimit-Reset-Requests: 1m0s"],
      #"{"detail":"Too many"}"#
    ),
    status("429 Too Many Requests", #"{"object":"error","message":"Slow down.","code":"1300"}"#),
    status("429 Too Many Requests", "Too many requests"),
    status("429 Too Many Requests", "<html><body>429</body></html>"),
    status("429 Too Many Requests", ""),
  ]

  /// All failures that can affect an answer without streaming.
  package static let whole: [ServerTrouble] =
    rateLimits + [
      ServerTrouble("quota", .quotaSpent) { _ in
        .response(
          "429 Too Many Requests",
          body: Array(#"{"error":{"message":"Pay.","code":"insufficient_quota"}}"#.utf8)
        )
      },
      ServerTrouble("500", .serverError) { _ in
        .response("500 Internal Server Error", body: Array(#"{"error":"broken"}"#.utf8))
      },
      ServerTrouble("503", .serverError) { _ in .response("503 Service Unavailable") },
      ServerTrouble("529", .serverError) { _ in
        .response("529 Overloaded", body: Array(#"{"error":{"type":"overloaded_error"}}"#.utf8))
      },
      ServerTrouble("error in a 200", .serverError) { _ in
        .response("200 OK", body: Array(#"{"error":{"code":502,"message":"bad gateway"}}"#.utf8))
      },
      ServerTrouble("refused content", .contentFilter) { _ in
        .response("400 Bad Request", body: Array(#"{"error":{"code":"content_filter"}}"#.utf8))
      },
      ServerTrouble("too long", .contextTooLong) { _ in
        .response(
          "400 Bad Request",
          body: Array(#"{"error":{"code":"context_length_exceeded"}}"#.utf8)
        )
      },
      ServerTrouble("reset before the answer", .brokenAnswer) { _ in .bytesThenReset([]) },
      ServerTrouble("closed before the answer", .brokenAnswer) { _ in .bytesThenClose([]) },
      ServerTrouble("reset in the body", .brokenAnswer) { .bytesThenReset(half($0)) },
      ServerTrouble("closed in the body", .brokenAnswer) { .bytesThenClose(half($0)) },
      ServerTrouble("no HTTP", .brokenAnswer) { _ in .bytesThenClose(Array("SSH-2.0\r\n".utf8)) },
      ServerTrouble("truncated JSON", .brokenAnswer) { text in
        .response("200 OK", body: completion(text).dropLast(20))
      },
      ServerTrouble("a page", .brokenAnswer) { _ in
        .response("200 OK", body: Array("<html><body>Please log in</body></html>".utf8))
      },
      ServerTrouble("an empty body", .brokenAnswer) { _ in .response("200 OK") },
      ServerTrouble("endless body", .brokenAnswer) { _ in .endless(head("Connection: close")) },
      ServerTrouble("hangs before the answer", .timedOut) { _ in .silence },
      ServerTrouble("hangs in the body", .timedOut) { .bytes(half($0)) },
      ServerTrouble("too slow", .timedOut) { .slow(half($0), pause: 400_000) },
      // These replies look wrong, but have a valid answer.
      ServerTrouble("wrong content type", nil) { text in
        .response("200 OK", headers: ["Content-Type: text/html"], body: completion(text))
      },
      ServerTrouble("slow", nil) { text in
        .slow(head("Content-Length: \(completion(text).count)") + completion(text), pause: 500)
      },
      ServerTrouble("closes after each answer", nil) { text in
        .bytesThenClose(head("Connection: close") + completion(text))
      },
    ]

  // MARK: Trouble with streams

  /// All failures that can affect a stream, but not the fallback without streaming.
  package static let streams: [ServerTrouble] = [
    ServerTrouble("hangs before the stream", .timedOut) { _ in .silence },
    ServerTrouble("hangs in the stream", .timedOut) { .bytes(stream($0, without: 6)) },
    ServerTrouble("reset in the stream", .brokenAnswer) {
      .bytesThenReset(stream($0, without: 6))
    },
    ServerTrouble("closed in the stream", .brokenAnswer) {
      .bytesThenClose(stream($0, without: 6))
    },
    ServerTrouble("error in the stream", .serverError) {
      .bytesThenClose(stream($0, without: 6, then: "data: {\"error\":{\"code\":500}}\n\n"))
    },
    ServerTrouble("no JSON in the stream", .brokenAnswer) {
      .bytesThenClose(stream($0, without: 6, then: "data: oops\n\n"))
    },
    ServerTrouble("half an event", .brokenAnswer) {
      .bytesThenClose(Array(stream($0, without: 6).dropLast(12)))
    },
    ServerTrouble("an empty stream", .brokenAnswer) { _ in
      .bytesThenClose(head("Content-Type: text/event-stream", "Connection: close"))
    },
    ServerTrouble("comments for ever", .brokenAnswer) { _ in
      .endless(head("Content-Type: text/event-stream", "Connection: close") + Array(": ".utf8))
    },
  ]
}
