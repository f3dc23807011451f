import SampleProjects
import Sluice
import TestSupport

/// A real or apparent failure of a vendor's server.
struct VendorTrouble: Sendable {
  var name: String
  /// The error of a trial with only this failure; nil if there is an answer nevertheless.
  var kind: BackendError.Kind?
  /// The response in place of an answer with this text.
  var reply: @Sendable (_ text: String) -> LoopbackServer.Reply

  init(
    _ name: String,
    _ kind: BackendError.Kind?,
    _ reply: @escaping @Sendable (String) -> LoopbackServer.Reply
  ) {
    self.name = name
    self.kind = kind
    self.reply = reply
  }

  // MARK: Responses

  private static func head(_ lines: String...) -> [UInt8] {
    Array((["HTTP/1.1 200 OK"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// Returns a valid complete answer.
  static func usual(_ server: VendorServer, _ text: String) -> LoopbackServer.Reply {
    .response(
      "200 OK",
      headers: ["Content-Type: application/json"],
      body: JSONWriter.line(server.whole(text))
    )
  }

  /// Returns a valid stream.
  static func stream(_ server: VendorServer, _ text: String) -> LoopbackServer.Reply {
    .bytesThenClose(streamHead(server) + Array(server.stream(text).utf8))
  }

  private static func streamHead(_ server: VendorServer) -> [UInt8] {
    head("Content-Type: \(server.streamType)", "Connection: close")
  }

  /// Returns the events of a text up to its third piece, followed by other events.
  private static func broken(
    _ server: VendorServer,
    _ text: String,
    then last: [JSONValue] = []
  ) -> [UInt8] {
    let events = server.start + text.prefix(3).map { server.piece(String($0)) }
    return streamHead(server) + Array(server.framed(events + last).utf8)
  }

  private static func refusal(
    _ server: VendorServer,
    _ status: Int,
    _ reason: String,
    headers: [String] = []
  ) -> VendorTrouble {
    VendorTrouble("\(status)", status == 429 ? .rateLimited : .serverError) { _ in
      .response(
        "\(status) \(reason)",
        headers: headers,
        body: JSONWriter.line(server.error(status, "Try again later."))
      )
    }
  }

  // MARK: Failures

  /// Returns all failures that can affect any request, streamed or not.
  static func any(_ server: VendorServer) -> [VendorTrouble] {
    // Gemini states the wait only in the body, and Ollama not at all.
    let hasHeader = server.api != .generateContent && server.api != .ollamaChat
    return [
      refusal(
        server,
        429,
        "Too Many Requests",
        headers: hasHeader ? ["Retry-After: 2"] : []
      ),
      refusal(server, 500, "Internal Server Error"),
      refusal(server, 503, "Service Unavailable"),
      refusal(server, 529, "Overloaded"),
      VendorTrouble("error in a 200", server.api == .ollamaChat ? .brokenAnswer : .serverError) {
        _ in
        .response("200 OK", body: JSONWriter.line(server.error(503, "Overloaded")))
      },
      VendorTrouble("an empty body", .brokenAnswer) { _ in .response("200 OK") },
      VendorTrouble("an empty object", .brokenAnswer) { _ in
        .response("200 OK", body: Array("{}".utf8))
      },
      VendorTrouble("a page", .brokenAnswer) { _ in
        .response(
          "200 OK",
          headers: ["Content-Type: text/html"],
          body: Array("<html><body>Please log in</body></html>".utf8)
        )
      },
      VendorTrouble("reset before the answer", .brokenAnswer) { _ in .bytesThenReset([]) },
    ]
  }

  /// Returns all failures that can affect an answer without streaming.
  static func whole(_ server: VendorServer) -> [VendorTrouble] {
    @Sendable func body(_ text: String) -> [UInt8] { JSONWriter.line(server.whole(text)) }
    @Sendable func half(_ text: String) -> [UInt8] {
      head("Content-Length: \(body(text).count)") + body(text).prefix(body(text).count / 2)
    }
    var all =
      any(server) + [
        VendorTrouble("reset in the body", .brokenAnswer) { .bytesThenReset(half($0)) },
        VendorTrouble("closed in the body", .brokenAnswer) { .bytesThenClose(half($0)) },
        VendorTrouble("truncated JSON", .brokenAnswer) { text in
          .response("200 OK", body: body(text).dropLast(9))
        },
        VendorTrouble("no JSON", .brokenAnswer) { text in
          .response("200 OK", body: Array("oops".utf8) + body(text))
        },
        VendorTrouble("wrong content type", nil) { text in
          .response("200 OK", headers: ["Content-Type: text/event-stream"], body: body(text))
        },
      ]
    if server.api == .responses {
      all += [
        VendorTrouble("failed", .serverError) { _ in
          .response("200 OK", body: JSONWriter.line(failed))
        },
        VendorTrouble("not ready", .brokenAnswer) { _ in
          .response("200 OK", body: JSONWriter.line(VendorServer.response("in_progress", nil)))
        },
      ]
    }
    if server.api == .ollamaChat {
      all.append(
        VendorTrouble("not done", .brokenAnswer) { text in
          .response("200 OK", body: JSONWriter.line(server.piece(text)))
        }
      )
    }
    return all
  }

  private static let failed = VendorServer.response(
    "failed",
    nil,
    error: ["code": "server_error", "message": "The worker went away."]
  )

  /// Returns all failures that can affect a stream, but not an answer without streaming.
  static func streams(_ server: VendorServer) -> [VendorTrouble] {
    let errorKind = server.api == .ollamaChat ? BackendError.Kind.brokenAnswer : .serverError
    var all = [
      VendorTrouble("reset in the stream", .brokenAnswer) {
        .bytesThenReset(broken(server, $0))
      },
      VendorTrouble("closed in the stream", .brokenAnswer) {
        .bytesThenClose(broken(server, $0))
      },
      VendorTrouble("half an event", .brokenAnswer) {
        .bytesThenClose(broken(server, $0).dropLast(12))
      },
      VendorTrouble("no end", .brokenAnswer) { text in
        let events = server.events(text.map { String($0) }).dropLast()
        return .bytesThenClose(streamHead(server) + Array(server.framed(Array(events)).utf8))
      },
      VendorTrouble("error in the stream", errorKind) { text in
        .bytesThenClose(
          broken(server, text, then: [server.error(503, "Overloaded", isEvent: true)])
        )
      },
      VendorTrouble("error instead of the stream", errorKind) { _ in
        let event = server.error(503, "Overloaded", isEvent: true)
        return .bytesThenClose(streamHead(server) + Array(server.framed([event]).utf8))
      },
      VendorTrouble("no JSON in the stream", .brokenAnswer) { text in
        let label = server.api == .ollamaChat ? "" : "data: "
        return .bytesThenClose(broken(server, text) + Array("\(label)oops\n\n".utf8))
      },
      VendorTrouble("an empty stream", .brokenAnswer) { _ in .bytesThenClose(streamHead(server)) },
      VendorTrouble("comments alone", .brokenAnswer) { _ in
        .bytesThenClose(streamHead(server) + Array(": wait\n\n: wait\n\n".utf8))
      },
      VendorTrouble("wrong content type", nil) { text in
        .bytesThenClose(
          head("Content-Type: text/html", "Connection: close") + Array(server.stream(text).utf8)
        )
      },
      VendorTrouble("a whole answer", nil) { usual(server, $0) },
    ]
    if server.api == .responses {
      all += [
        VendorTrouble("failed", .serverError) { text in
          let event: JSONValue = ["type": "response.failed", "response": failed]
          return .bytesThenClose(broken(server, text, then: [event]))
        },
        VendorTrouble("a lost event", .brokenAnswer) { text in
          let events = server.events(text.map { String($0) })
          let stream =
            server.framed(Array(events[..<3]))
            + server.framed(
              Array(events[4...]),
              from: 4
            )
          return .bytesThenClose(streamHead(server) + Array(stream.utf8))
        },
      ]
    }
    return all
  }
}
