import Testing

@testable import SluiceSupport
import TestSupport

@Suite("HTTP client based on libcurl", .timeLimit(.minutes(5)))
struct CurlHTTPClientTests {
  private let client = CurlHTTPClient()

  /// Returns a server that sends back the request: the method, the path, the headers of the test
  /// and the body.
  private static func echo() throws -> LoopbackServer {
    try LoopbackServer { request in
      let headers = request.headers.filter {
        ["authorization", "x-empty", "content-type", "content-length", "expect"].contains($0.key)
      }
      let lines = headers.map { "\($0.key): \($0.value)" }.sorted()
      let text = (["\(request.method) \(request.path)"] + lines + ["", ""]).joined(separator: "\n")
      return .response("200 OK", body: Array(text.utf8) + request.body)
    }
  }

  private func error(_ request: HTTPRequest) async -> HTTPError? {
    do throws(HTTPError) {
      _ = try await client.send(request)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Requests

  @Test(
    "A request arrives unchanged, and curl adds no Content-Type and no Expect header",
    arguments: [
      (
        HTTPRequest(
          url: "/v1/chat?a=b",
          headers: [
            HTTPHeader("Authorization", "Bearer k"), HTTPHeader("Content-Type", "application/json"),
            HTTPHeader("X-Empty", ""),
          ],
          body: Array("{\"ü\":1}".utf8)
        ),
        """
        POST /v1/chat?a=b
        authorization: Bearer k
        content-length: 8
        content-type: application/json
        x-empty:\u{20}

        {"ü":1}
        """
      ),
      (HTTPRequest(method: "GET", url: "/"), "GET /\n\n"),
      (HTTPRequest(method: "DELETE", url: "/x"), "DELETE /x\n\n"),
      (HTTPRequest(method: "POST", url: "/"), "POST /\ncontent-length: 0\n\n"),
      (HTTPRequest(method: "PUT", url: "/", body: [65]), "PUT /\ncontent-length: 1\n\nA"),
      (HTTPRequest(method: "QUERY", url: "/", body: [66]), "QUERY /\ncontent-length: 1\n\nB"),
    ]
  )
  func requests(request: HTTPRequest, text: String) async throws {
    var request = request
    request.url = try Self.echo().origin + request.url
    let response = try await client.send(request)
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == text)
  }

  @Test(
    "A request is sent once, even if a kept connection ends without a response",
    arguments: [false, true],
    ["POST", "GET"]
  )
  func sentOnce(isReset: Bool, method: String) async throws {
    let received = Locked(0)
    let server = try LoopbackServer { _ in
      let count = received.withLock { count in
        count += 1
        return count
      }
      if count % 2 == 1 { return .response("200 OK") }
      return isReset ? .bytesThenReset([]) : .bytesThenClose([])
    }
    let client = CurlHTTPClient(maximumConnections: 1)
    let body = method == "POST" ? Array("{}".utf8) : []
    var errors: [String] = []
    for sent in 1...100 {
      do throws(HTTPError) {
        _ = try await client.send(HTTPRequest(method: method, url: server.origin, body: body))
      } catch {
        #expect(error.kind == .connectionEnded)
        errors.append(error.detail)
      }
      #expect(received.withLock { $0 } == sent)
    }
    #expect(errors.count == 50)
    #expect(
      Set(errors) == [
        "the server closed the open connection without an answer"
      ]
    )
  }

  @Test("A HEAD response ends with its headers")
  func head() async throws {
    let server = try LoopbackServer { _ in
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8))
    }
    let response = try await client.send(HTTPRequest(method: "HEAD", url: server.origin))
    #expect(response.header("content-length") == "1000")
    #expect(response.body.isEmpty)
  }

  @Test("A large body and its response arrive completely, including NUL bytes")
  func largeBody() async throws {
    let server = try LoopbackServer { .response("200 OK", body: $0.body) }
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let response = try await client.send(HTTPRequest(url: server.origin, body: body))
    #expect(response.body == body)
  }

  // MARK: Responses

  @Test(
    "An error status is a response, not an error, and redirects are not followed",
    arguments: [
      ("204 No Content", 204), ("302 Found", 302), ("401 Unauthorized", 401),
      ("429 Too Many Requests", 429), ("500 Internal Server Error", 500), ("999 Odd", 999),
    ]
  )
  func statuses(line: String, status: Int) async throws {
    let server = try LoopbackServer { _ in
      status == 204
        ? .bytes(Array("HTTP/1.1 204 No Content\r\nRetry-After: 7\r\n\r\n".utf8))
        : .response(line, headers: ["Retry-After: 7", "Location: /other"], body: Array("b".utf8))
    }
    let response = try await client.send(HTTPRequest(url: server.origin))
    #expect(response.status == status)
    #expect(response.header("retry-after") == "7")
    #expect(response.body == (status == 204 ? [] : Array("b".utf8)))
  }

  @Test("Headers keep their order, have lower-case names, and belong to the last response")
  func headers() async throws {
    let server = try LoopbackServer { _ in
      .bytes(
        Array(
          """
          HTTP/1.1 103 Early Hints\r
          Link: </a>\r
          \r
          HTTP/1.1 200 OK\r
          X-B:  two words \r
          Set-Cookie: a=1\r
          x-a:\r
          SET-COOKIE: b=2\r
          Content-Length: 0\r
          \r

          """.utf8
        )
      )
    }
    let response = try await client.send(HTTPRequest(url: server.origin))
    #expect(
      response.headers == [
        HTTPHeader("x-b", "two words"), HTTPHeader("set-cookie", "a=1"), HTTPHeader("x-a", ""),
        HTTPHeader("set-cookie", "b=2"), HTTPHeader("content-length", "0"),
      ]
    )
  }

  @Test("Chunked and compressed bodies are decoded")
  func encodings() async throws {
    let server = try LoopbackServer { request in
      guard request.path == "/gzip" else {
        return .bytes(
          Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            + Array("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n".utf8)
        )
      }
      return .response("200 OK", headers: ["Content-Encoding: gzip"], body: Self.compressed)
    }
    let chunked = try await client.send(HTTPRequest(url: server.origin))
    #expect(String(decoding: chunked.body, as: UTF8.self) == "abcde")
    let compressed = try await client.send(HTTPRequest(url: server.origin + "/gzip"))
    #expect(compressed.body == [UInt8](repeating: 0, count: 100_000))
  }

  /// A compressed body with a damaged or missing end.
  private static let damaged: [(String, [UInt8])] = {
    let body = Array(#"{"text": "It is whole, but who says so?"}"#.utf8)
    let gzip = Gzip.compress(body)
    func flipped(_ bytes: [UInt8], _ fromEnd: Int) -> [UInt8] {
      var bytes = bytes
      bytes[bytes.count - fromEnd] ^= 1
      return bytes
    }
    // RFC 1950, stored block of "abc" with its Adler-32.
    let zlib: [UInt8] = [
      0x78, 0x01, 0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63, 0x02, 0x4D, 0x01, 0x27,
    ]
    return [
      ("gzip", Array(gzip.dropLast(8))), ("gzip", Array(gzip.dropLast(4))),
      ("gzip", Array(gzip.dropLast())), ("gzip", Array(gzip.dropLast(20))),
      ("gzip", Array(gzip.prefix(10))), ("gzip", []), ("x-gzip", Array(gzip.dropLast(8))),
      ("gzip", flipped(gzip, 8)), ("gzip", flipped(gzip, 1)), ("GZip", flipped(gzip, 20)),
      ("gzip", gzip + [0, 0]), ("gzip", gzip + Array("garbage".utf8)),
      ("gzip", gzip + gzip.dropLast()),
      ("gzip", body), ("deflate", Array(zlib.dropLast(4))), ("deflate", flipped(zlib, 1)),
      ("deflate", zlib + [1]),
    ]
  }()

  @Test("A compressed body without the right checksum is an error", arguments: damaged)
  func damagedBodies(encoding: String, body: [UInt8]) async throws {
    let server = try LoopbackServer { _ in
      .response("200 OK", headers: ["Content-Encoding: \(encoding)"], body: body)
    }
    let pieces = try LoopbackServer { _ in
      let chunks = body.flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
      return .bytes(
        Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\n".utf8)
          + Array("Transfer-Encoding: chunked\r\n\r\n".utf8) + chunks + Array("0\r\n\r\n".utf8)
      )
    }
    for server in [server, pieces] {
      #expect(
        await error(HTTPRequest(url: server.origin))
          == HTTPError(.broken, detail: "the compressed body is damaged, or its end is missing")
      )
    }
  }

  @Test("Several members of a compressed body are joined, and a request without a body has none")
  func members() async throws {
    let server = try LoopbackServer { request in
      let members = Gzip.compress(Array("one ".utf8)) + Gzip.compress(Array("two".utf8))
      return request.path == "/none"
        ? .response("204 No Content", headers: ["Content-Encoding: gzip"])
        : .response("200 OK", headers: ["Content-Encoding: gzip"], body: members)
    }
    let body = try await client.send(HTTPRequest(url: server.origin)).body
    #expect(String(decoding: body, as: UTF8.self) == "one two")
    #expect(try await client.send(HTTPRequest(url: server.origin + "/none")).body == [])
  }

  @Test("The phases of an exchange are timed, and reusing a connection takes no connect time")
  func timings() async throws {
    let server = try Self.echo()
    let first = try await client.send(HTTPRequest(url: server.origin)).timings
    #expect(first.connect > .zero)
    #expect(first.tls == .zero)
    #expect(first.firstByte >= first.connect)
    #expect(first.total >= first.firstByte)
    let second = try await client.send(HTTPRequest(url: server.origin)).timings
    #expect(second.connect == .zero)
    #expect(second.total >= second.firstByte)
    #expect(server.connectionCount == 1)
  }

  @Test("The arrival times of a body's pieces are kept if requested")
  func arrivals() async throws {
    let pieces = (0..<5).map { "data: \($0)\n\n" }
    let chunks = pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
    let server = try LoopbackServer { _ in
      .bytes(
        Array(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n".utf8
        )
      )
    }
    let kept = try await client.send(HTTPRequest(url: server.origin, keepsArrivals: true))
    #expect(String(decoding: kept.body, as: UTF8.self) == pieces.joined())
    #expect(!kept.arrivals.isEmpty)
    #expect(kept.arrivals.last?.end == kept.body.count)
    let ends = kept.arrivals.map(\.end)
    #expect(ends == ends.sorted())
    let times = kept.arrivals.map(\.time)
    #expect(times == times.sorted())
    #expect(times.allSatisfy { $0 >= kept.timings.firstByte && $0 <= kept.timings.total })
    let plain = try await client.send(HTTPRequest(url: server.origin))
    #expect(plain.arrivals.isEmpty)
  }

  // MARK: Many requests

  @Test("Many requests share few connections, and each gets its own response")
  func fewConnections() async throws {
    let server = try LoopbackServer { .response("200 OK", body: $0.body) }
    let client = CurlHTTPClient(maximumConnections: 8)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let body = Array("request \(number)".utf8)
          return try await client.send(HTTPRequest(url: server.origin, body: body)).body == body
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(server.connectionCount <= 8)
  }

  @Test("All requests run at the same time")
  func atOnce() async throws {
    // The limit is 100 because macOS lets a process open 256 files, and the server is in the same
    // process.
    let meeting = Meeting(of: 100)
    let server = try LoopbackServer { _ in
      meeting.wait()
      return .response("200 OK")
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { [client] in
          try await client.send(HTTPRequest(url: server.origin)).status
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.connectionCount == 100)
  }

  @Test("Requests beyond one thread's load use a second thread, and both end together")
  func twoThreads() async throws {
    let meeting = Locked(Meeting(of: 30))
    let server = try LoopbackServer { request in
      if request.path == "/silent" { return .silence }
      meeting.withLock { $0 }.wait()
      return .response("200 OK", body: request.body)
    }
    let client = CurlHTTPClient(maximumConnections: 40, fullLoad: 10)
    // Two rounds, because either thread may reuse the connections.
    for _ in 0..<2 {
      meeting.withLock { $0 = Meeting(of: 30) }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<30 {
          group.addTask {
            let body = Array("request \(number)".utf8)
            return try await client.send(HTTPRequest(url: server.origin, body: body)).body == body
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
    #expect(server.connectionCount == 30)
    await withTaskGroup(of: HTTPError.Kind?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do throws(HTTPError) {
            _ = try await client.send(HTTPRequest(url: server.origin + "/silent"))
            return nil
          } catch {
            return error.kind
          }
        }
      }
      client.shutdown()
      for await kind in group { #expect(kind == .cancelled) }
    }
  }

  @Test("If the server closes a connection after a response, the next request may fail as ended")
  func closedByServer() async throws {
    let server = try LoopbackServer { _ in
      .bytesThenClose(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    var statuses: [Int] = []
    for _ in 0..<20 {
      // The system decides whether curl sees the end of the connection before it sends.
      do throws(HTTPError) {
        statuses.append(try await client.send(HTTPRequest(url: server.origin)).status)
      } catch {
        #expect(error.kind == .connectionEnded)
      }
    }
    #expect(statuses.count >= 10)
    #expect(Set(statuses) == [200])
  }

  // MARK: Cancellation

  @Test("Cancelling the task cancels the transfer")
  func cancellation() async throws {
    let server = try LoopbackServer { _ in .silence }
    let task = Task { await error(HTTPRequest(url: server.origin)) }
    var events = server.events.makeAsyncIterator()
    #expect(await events.next() == .request)
    task.cancel()
    #expect(await task.value == HTTPError(.cancelled, detail: "the request was cancelled"))
    #expect(await events.next() == .closed)
  }

  @Test("A task that was cancelled earlier sends nothing")
  func cancelledBefore() async throws {
    let server = try LoopbackServer { _ in .silence }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await error(HTTPRequest(url: server.origin))
    }
    #expect(await task.value?.kind == .cancelled)
    #expect(server.connectionCount == 0)
  }

  @Test("A request can be cancelled while it waits for a connection, and the others continue")
  func cancelledWaiting() async throws {
    let server = try LoopbackServer { $0.path == "/silent" ? .silence : .response("200 OK") }
    let client = CurlHTTPClient(maximumConnections: 1)
    let first = Task { try await client.send(HTTPRequest(url: server.origin + "/silent")) }
    var events = server.events.makeAsyncIterator()
    #expect(await events.next() == .request)
    let second = Task { try await client.send(HTTPRequest(url: server.origin)) }
    second.cancel()
    await #expect(throws: HTTPError(.cancelled, detail: "the request was cancelled")) {
      try await second.value
    }
    let third = Task { try await client.send(HTTPRequest(url: server.origin)) }
    first.cancel()
    #expect(try await third.value.status == 200)
  }

  @Test("Starting and cancelling at the same time loses no requests")
  func cancellationRace() async throws {
    let server = try Self.echo()
    let client = CurlHTTPClient(maximumConnections: 20)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let task = Task { try await client.send(HTTPRequest(url: server.origin)).status }
          if number.isMultiple(of: 2) { task.cancel() }
          switch await task.result {
          case .success(let status): return status == 200
          case .failure(let error): return (error as? HTTPError)?.kind == .cancelled
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test("A shutdown cancels running requests and refuses later ones")
  func shutdown() async throws {
    let server = try LoopbackServer { _ in .silence }
    let task = Task { await error(HTTPRequest(url: server.origin)) }
    var events = server.events.makeAsyncIterator()
    #expect(await events.next() == .request)
    client.shutdown()
    let expected = HTTPError(.cancelled, detail: "the HTTP client was shut down")
    #expect(await task.value == expected)
    #expect(await error(HTTPRequest(url: server.origin)) == expected)
    client.shutdown()
  }

  @Test("Releasing a client closes its connections")
  func deinitialization() async throws {
    let server = try Self.echo()
    var client: CurlHTTPClient? = CurlHTTPClient()
    _ = try await client?.send(HTTPRequest(url: server.origin))
    var events = server.events.makeAsyncIterator()
    #expect(await events.next() == .request)
    client = nil
    #expect(await events.next() == .closed)
  }

  // MARK: Failures

  @Test(
    "A missing or incomplete response times out",
    arguments: [
      (LoopbackServer.Reply.silence, "there was no response within 1.0 seconds"),
      (
        .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)),
        "the response was not complete within 1.0 seconds"
      ),
    ]
  )
  func timeout(reply: LoopbackServer.Reply, detail: String) async throws {
    let server = try LoopbackServer { _ in reply }
    let request = HTTPRequest(url: server.origin, timeout: .seconds(1))
    #expect(await error(request) == HTTPError(.timedOut, detail: detail))
  }

  @Test("A timeout of zero times out at once, and an extremely long timeout is allowed")
  func extremeTimeouts() async throws {
    let silent = try LoopbackServer { _ in .silence }
    let request = HTTPRequest(url: silent.origin, timeout: .zero)
    #expect(await error(request)?.kind == .timedOut)
    let echo = try Self.echo()
    let patient = HTTPRequest(url: echo.origin, timeout: .seconds(Int64.max))
    #expect(await error(patient) == nil)
  }

  @Test("A refused port is a failed connection")
  func refused() async throws {
    let failure = await error(HTTPRequest(url: try LoopbackServer.refusingOrigin()))
    #expect(failure?.kind == .connectionFailed)
    #expect(failure?.detail.hasPrefix("Failed to connect to 127.0.0.1 port ") == true)
  }

  @Test("An unknown host name is not resolved")
  func unknownName() async {
    #expect(
      await error(HTTPRequest(url: "http://nope.invalid/"))
        == HTTPError(.nameNotResolved, detail: "Could not resolve host: nope.invalid")
    )
  }

  @Test("A server without TLS is a TLS error")
  func tls() async throws {
    let server = try LoopbackServer(greeting: "HTTP/1.1 400 Bad Request\r\n\r\n") { _ in .silence }
    let url = server.origin.replacing("http:", with: "https:")
    #expect(await error(HTTPRequest(url: url))?.kind == .tls)
  }

  @Test(
    "A connection that breaks before the end of the response is an error",
    arguments: [
      LoopbackServer.Reply.bytesThenReset(
        Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc".utf8)
      ),
      .bytesThenClose(Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc".utf8)),
      .bytesThenClose(
        Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n".utf8)
      ),
      .bytesThenClose([]),
      .bytesThenClose(Array("no HTTP at all\r\n\r\n".utf8)),
      .response("200 OK", headers: ["Content-Encoding: gzip"], body: Array("no gzip".utf8)),
    ]
  )
  func broken(reply: LoopbackServer.Reply) async throws {
    let server = try LoopbackServer { _ in reply }
    #expect(await error(HTTPRequest(url: server.origin))?.kind == .broken)
  }

  @Test("A body beyond the size limit is refused, compressed or not; a body at the limit is not")
  func bound() async throws {
    let server = try LoopbackServer { request in
      request.path == "/gzip"
        ? .response("200 OK", headers: ["Content-Encoding: gzip"], body: Self.compressed)
        : .response("200 OK", body: [UInt8](repeating: 1, count: 100_000))
    }
    for path in ["/", "/gzip"] {
      let url = server.origin + path
      #expect(
        await error(HTTPRequest(url: url, maximumResponseBytes: 99_999))
          == HTTPError(.responseTooLarge, detail: "the response is larger than 99999 bytes")
      )
      #expect(
        try await client.send(HTTPRequest(url: url, maximumResponseBytes: 100_000)).body.count
          == 100_000
      )
    }
  }

  @Test("Headers beyond the size limit are refused")
  func headerBound() async throws {
    let line = "X-Long: " + String(repeating: "a", count: 50_000) + "\r\n"
    let bytes = Array(("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 20)).utf8)
    let server = try LoopbackServer { _ in .bytes(bytes) }
    #expect(
      await error(HTTPRequest(url: server.origin))
        == HTTPError(
          .responseTooLarge,
          detail: "the headers of the response are larger than 262144 bytes"
        )
    )
  }

  @Test(
    "An invalid request is refused",
    arguments: [
      (HTTPRequest(url: ""), "a URL must start with http:// or https://"),
      (HTTPRequest(url: "localhost:80"), "a URL must start with http:// or https://"),
      (HTTPRequest(url: "file:///etc/passwd"), "a URL must start with http:// or https://"),
      (HTTPRequest(url: "http://a/b c"), "a URL must not contain spaces or control characters"),
      (HTTPRequest(url: "http://a/\0b"), "a URL must not contain spaces or control characters"),
      (HTTPRequest(method: "GET /x", url: "http://a/"), "not an HTTP method"),
      (HTTPRequest(method: "", url: "http://a/"), "not an HTTP method"),
      (
        HTTPRequest(url: "http://a/", headers: [HTTPHeader("x: y", "z")]),
        "not a name of an HTTP header"
      ),
      (
        HTTPRequest(url: "http://a/", headers: [HTTPHeader("Authorization", "sk-1\n")]),
        "the value of the header 'Authorization' contains a line break or control character"
      ),
    ]
  )
  func invalidRequests(request: HTTPRequest, detail: String) async {
    #expect(await error(request) == HTTPError(.invalidURL, detail: detail))
  }

  @Test("A URL that curl refuses is invalid", arguments: ["http://", "http://a:99999/"])
  func invalidURLs(url: String) async {
    #expect(await error(HTTPRequest(url: url))?.kind == .invalidURL)
  }

  @Test(
    "No error contains the values of headers or the body",
    arguments: [
      "http://nope.invalid/", "http://127.0.0.1:99999/", "REFUSED", "SILENT", "TLS", "RESET",
      "http://user:sk-secret@nope.invalid/", "ftp://x",
    ]
  )
  func secrets(url: String) async throws {
    let server = try LoopbackServer { $0.path == "/reset" ? .bytesThenReset([]) : .silence }
    let urls = [
      "REFUSED": try LoopbackServer.refusingOrigin(), "SILENT": server.origin,
      "TLS": server.origin.replacing("http:", with: "https:"), "RESET": server.origin + "/reset",
    ]
    for value in ["Bearer sk-secret", "Bearer sk-secret\n"] {
      let failure = await error(
        HTTPRequest(
          url: urls[url] ?? url,
          headers: [HTTPHeader("Authorization", value)],
          body: Array("sk-secret".utf8),
          timeout: .milliseconds(200)
        )
      )
      let text = String(reflecting: try #require(failure))
      #expect(!text.contains("secret"), "\(text)")
    }
  }

  /// 100,000 zeros, compressed with gzip.
  private static let compressed: [UInt8] =
    [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0x00,
      0x00, 0x00, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x0D, 0x0F, 0xA0,
    ]
    + [UInt8](repeating: 0, count: 96)
    + [0x80, 0x57, 0x03, 0x7D, 0x95, 0x11, 0xD4, 0xA0, 0x86, 0x01, 0x00]
}
