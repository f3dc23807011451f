import Foundation
import StandInModel
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Stand-in server", .timeLimit(.minutes(5)))
struct StandInServerTests {
  private static let request = """
    {"model": "gpt-4o", "temperature": 0, "messages": [
      {"role": "system", "content": "Give the category."},
      {"role": "user", "content": "Conversation:\\nann: What a lovely painting!"}
    ]}
    """

  @Test("The same request always gets the same chat completion")
  func answers() async throws {
    try await withServer { server in
      let first = try await post(Self.request, to: server)
      let second = try await post(Self.request, to: server)
      #expect(first.status == 200)
      #expect(first.standIn == "stand-in-1")
      #expect(
        first.body == """
          {"id": "chatcmpl-standin-7bf5c1b6d2beb32a", "object": "chat.completion", "created": 0, \
          "model": "stand-in-1", "choices": [{"index": 0, "message": {"role": "assistant", \
          "content": "{\\"category\\": \\"super_fan\\"}"}, "finish_reason": "stop"}], \
          "usage": {"prompt_tokens": 16, "completion_tokens": 7, "total_tokens": 23}}
          """
      )
      #expect(second.body == first.body)
    }
  }

  @Test(
    "The answer is cut at the token limit, or at the lower one of two",
    arguments: [
      (#""max_tokens": 2"#, #"{\"catego"#, "length"),
      (#""max_completion_tokens": 2"#, #"{\"catego"#, "length"),
      (#""max_tokens": 9, "max_completion_tokens": 1"#, #"{\"ca"#, "length"),
      (#""max_tokens": 7"#, #"{\"category\": \"super_fan\"}"#, "stop"),
      (#""max_tokens": null"#, #"{\"category\": \"super_fan\"}"#, "stop"),
    ]
  )
  func honoursLimit(limit: String, content: String, finishReason: String) async throws {
    try await withServer { server in
      let request = "{\(limit), " + Self.request.dropFirst()
      let response = try await post(request, to: server)
      #expect(response.status == 200)
      #expect(response.body.contains(#""content": "\#(content)"}"#))
      #expect(response.body.contains(#""finish_reason": "\#(finishReason)""#))
    }
  }

  @Test("A stream sends the role, a few words at a time, the finish reason, and an end mark")
  func streams() async throws {
    let server = try StandInServer { _, _ in "one two three four five six seven eight" }
    try await server.start()
    let response = try await post(
      #"{"stream": true, "messages": [{"role": "user", "content": "Count"}]}"#,
      to: server
    )
    await server.stop()
    #expect(response.status == 200)
    #expect(response.standIn == "stand-in-1")
    #expect(response.type == "text/event-stream")
    let start = """
      data: {"id":"chatcmpl-standin-ID","object":"chat.completion.chunk","created":0,\
      "model":"stand-in-1","choices":[{"index":0,"delta":
      """
    let body = response.body.replacing(/standin-[0-9a-f]{16}/, with: "standin-ID")
    #expect(
      body == """
        \(start){"role":"assistant","content":""},"finish_reason":null}]}

        \(start){"content":"one two three four five six "},"finish_reason":null}]}

        \(start){"content":"seven eight"},"finish_reason":null}]}

        \(start){},"finish_reason":"stop"}]}

        data: [DONE]


        """
    )
  }

  @Test("On request, the event before the end of a stream has the token counts")
  func streamsUsage() async throws {
    try await withServer { server in
      let request =
        #"{"stream": true, "stream_options": {"include_usage": true}, "max_tokens": 2, "#
        + Self.request.dropFirst()
      let response = try await post(request, to: server)
      let events = response.body.split(separator: "\n\n")
      #expect(events.count == 5)
      #expect(events[1].hasSuffix(#""finish_reason":null}],"usage":null}"#))
      #expect(events[1].contains(#""delta":{"content":"{\"catego"}"#))
      #expect(events[2].contains(#""finish_reason":"length""#))
      #expect(
        events[3].hasSuffix(
          """
          "choices":[],"usage":{"prompt_tokens":16,"completion_tokens":2,"total_tokens":18}}
          """
        )
      )
    }
  }

  @Test(
    "The weaker stand-in answers under its name; any other name gets the usual stand-in",
    arguments: [("stand-in-small-1", "stand-in-small-1"), ("gpt-4o", "stand-in-1")]
  )
  func choosesModel(asked: String, name: String) async throws {
    try await withServer { server in
      for stream in ["", #""stream": true, "#] {
        let request = Self.request.replacing("gpt-4o", with: asked)
        let response = try await post("{\(stream)" + request.dropFirst(), to: server)
        #expect(response.standIn == name)
        let body = response.body.replacing(" ", with: "")
        #expect(body.contains(#""model":"\#(name)""#))
      }
    }
  }

  @Test("Content in parts and the developer role are read like plain content")
  func readsParts() async throws {
    try await withServer { server in
      let response = try await post(
        """
        {"messages": [
          {"role": "developer", "content": [{"type": "text", "text": "Give the category."}]},
          {"role": "user", "content": [{"type": "text", "text": "all of the above"}]}
        ]}
        """,
        to: server
      )
      #expect(response.body.contains(#""content": "{\"category\": \"super_fan\"}""#))
    }
  }

  @Test(
    "An invalid request gets OpenAI's error message",
    arguments: [
      (
        "{", "messages: broken",
        """
        We could not parse the JSON body of your request. (HINT: This likely means you aren't \
        using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was \
        sent was not valid JSON.)", "type": "invalid_request_error", "param": null, "code": null
        """
      ),
      (
        "{}", "no messages",
        """
        Missing required parameter: 'messages'.", "type": "invalid_request_error", \
        "param": "messages", "code": "missing_required_parameter"
        """
      ),
      (
        #"{"messages": []}"#, "empty messages",
        """
        Invalid 'messages': expected a non-empty array of objects.", \
        "type": "invalid_request_error", "param": "messages", "code": "invalid_value"
        """
      ),
      (
        #"{"messages": [{}], "max_tokens": 0}"#, "limit of nothing",
        """
        Invalid 'max_tokens': expected a positive integer.", "type": "invalid_request_error", \
        "param": "max_tokens", "code": "invalid_value"
        """
      ),
      (
        #"{"messages": [{}], "stream_options": {}}"#, "options of no stream",
        """
        The 'stream_options' parameter is only allowed when 'stream' is enabled.", \
        "type": "invalid_request_error", "param": "stream_options", "code": null
        """
      ),
    ]
  )
  func refuses(request: String, name: String, error: String) async throws {
    try await withServer { server in
      let response = try await post(request, to: server)
      #expect(response.status == 400, "\(name)")
      #expect(response.body == #"{"error": {"message": "\#(error)}}"#, "\(name)")
      #expect(response.standIn == "stand-in-1", "\(name)")
    }
  }

  @Test("An error thrown by a test's answer function is a server error")
  func ownAnswer() async throws {
    struct Failure: Error {}
    let server = try StandInServer { system, user in
      if user == "Fail" { throw Failure() }
      return "\(system) \(user)"
    }
    try await server.start()
    let answer = try await post(
      #"{"messages": [{"role": "system", "content": "Say"}, {"role": "user", "content": "yes"}]}"#,
      to: server
    )
    let failure = try await post(
      #"{"messages": [{"role": "user", "content": "Fail"}]}"#,
      to: server
    )
    await server.stop()
    #expect(answer.status == 200)
    #expect(answer.body.contains(#""content": "Say yes""#))
    #expect(failure.status == 500)
    #expect(
      failure.body == """
        {"error": {"message": "The stand-in could not answer.", "type": "server_error", \
        "param": null, "code": null}}
        """
    )
  }

  @Test("Other paths are not found, and other methods are not allowed")
  func knowsOneAddress() async throws {
    try await withServer { server in
      let other = try await post(Self.request, to: server, path: "/embeddings")
      #expect(other.status == 404)
      #expect(
        other.body == """
          {"error": {"message": "Invalid URL (POST /v1/embeddings)", \
          "type": "invalid_request_error", "param": null, "code": null}}
          """
      )
      let method = try await send("GET", nil, to: server, path: "/chat/completions")
      #expect(method.status == 405)
    }
  }

  @Test("A stopped server no longer answers, and a port in use is an error")
  func startsAndStops() async throws {
    let first = try StandInServer()
    let port = try await first.start()
    #expect(await first.port == port)
    #expect(await first.baseURL == "http://127.0.0.1:\(port)/v1")
    let second = try StandInServer(port: port)
    await #expect(throws: (any Error).self) { try await second.start() }
    await first.stop()
    #expect(await first.port == nil)
    await #expect(throws: (any Error).self) {
      try await post(Self.request, base: "http://127.0.0.1:\(port)/v1")
    }
  }

  @Test("Every answer takes at least the given delay")
  func delays() async throws {
    let server = try StandInServer(delay: .milliseconds(60))
    try await server.start()
    let took = try await ContinuousClock().measure { _ = try await post(Self.request, to: server) }
    await server.stop()
    #expect(took >= .milliseconds(60))
  }

  // MARK: Requests

  private struct Response {
    var status: Int
    var standIn: String?
    var type: String?
    var body: String
  }

  private func withServer(_ body: (StandInServer) async throws -> Void) async throws {
    let server = try StandInServer()
    try await server.start()
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func post(_ body: String, to server: StandInServer, path: String = "/chat/completions")
    async throws -> Response
  {
    try await send("POST", body, to: server, path: path)
  }

  private func post(_ body: String, base: String) async throws -> Response {
    try await send("POST", body, base: base, path: "/chat/completions")
  }

  private func send(_ method: String, _ body: String?, to server: StandInServer, path: String)
    async throws -> Response
  {
    let base = await server.baseURL
    return try await send(method, body, base: #require(base), path: path)
  }

  private func send(_ method: String, _ body: String?, base: String, path: String)
    async throws -> Response
  {
    var request = URLRequest(url: try #require(URL(string: base + path)))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return Response(
      status: http.statusCode,
      standIn: http.value(forHTTPHeaderField: StandInServer.header),
      type: http.value(forHTTPHeaderField: "Content-Type"),
      body: String(decoding: data, as: UTF8.self)
    )
  }
}
