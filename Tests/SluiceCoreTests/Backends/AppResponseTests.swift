import SampleProjects
@testable import SluiceCore
import Testing

@Suite("App response")
struct AppResponseTests {
  private func read(
    _ body: String,
    _ places: AnswerPlaces = AnswerPlaces(),
    arrivals: [RawResponse.Arrival] = [],
    hiding secret: Secret? = nil
  ) throws -> ModelResponse {
    try read(Array(body.utf8), places, arrivals: arrivals, hiding: secret)
  }

  private func read(
    _ body: [UInt8],
    _ places: AnswerPlaces = AnswerPlaces(),
    arrivals: [RawResponse.Arrival] = [],
    hiding secret: Secret? = nil
  ) throws -> ModelResponse {
    try AppResponse.read(
      RawResponse(
        body: body,
        arrivals: arrivals,
        timings: ResponseTimings(firstByte: 5, total: 90),
        host: "https://app.test",
        date: RecordingProject.date
      ),
      places,
      hiding: secret
    )
  }

  // MARK: As a whole

  @Test(
    "The text is read from the configured position, or else from 'content' or 'text'",
    arguments: [
      (#"{"content":"yes"}"#, nil, "yes"), (#"{"text":"yes"}"#, nil, "yes"),
      (#"{"content":"yes","text":"no"}"#, nil, "yes"),
      (#"{"reply":{"text":"yes"}}"#, "reply.text", "yes"),
      (#"{"choices":[{"text":"yes"}]}"#, "choices.0.text", "yes"),
      (#"{"reply":{"kind":"fan","score":3}}"#, "reply", #"{"kind":"fan","score":3}"#),
      (#"{"reply":[1]}"#, "reply", "[1]"), (#"{"reply":null}"#, "reply", nil),
      (#"{"clarityIssues":[]}"#, ".", #"{"clarityIssues":[]}"#), ("plain text", ".", "plain text"),
      (#""a JSON text""#, ".", "a JSON text"), ("data: no stream", ".", "data: no stream"),
      ("\n {\"content\":\"yes\"}", nil, "yes"),
    ] as [(String, String?, String?)]
  )
  func text(body: String, place: String?, text: String?) throws {
    #expect(try read(body, AnswerPlaces(text: place)).text == text)
  }

  @Test("Usage, model and finish reason are read from the configured positions")
  func rest() throws {
    let body = """
      {"content":"yes","meta":{"usage":{"prompt_tokens":5,"completion_tokens":2},"by":"m-1",
      "end":"length"}}
      """
    let answer = try read(
      body,
      AnswerPlaces(usage: "meta.usage", model: "meta.by", finishReason: "meta.end")
    )
    #expect(answer.usage == TokenUsage(input: 5, output: 2))
    #expect(answer.provenance.model == "m-1")
    #expect(answer.provenance.host == "https://app.test")
    #expect(answer.finishReason == "length")
    #expect(answer.timings.total == 90)
    #expect(answer.timings.firstText == nil)
    let silent = try read(body)
    #expect(silent.usage == nil)
    #expect(silent.provenance.model == nil)
    #expect(silent.finishReason == nil)
  }

  @Test(
    "Token counts are read under the names that vendors, Sluice and apps use",
    arguments: [
      (#"{"prompt_tokens":5,"completion_tokens":2}"#, TokenUsage(input: 5, output: 2)),
      (#"{"input_tokens":5,"output_tokens":2}"#, TokenUsage(input: 5, output: 2)),
      (
        #"{"input":5,"cached-input":1,"output":2}"#, TokenUsage(input: 5, cachedInput: 1, output: 2)
      ),
      (#"{"promptTokens":5,"completionTokens":2}"#, TokenUsage(input: 5, output: 2)),
      (
        #"{"inputTokens":5,"outputTokens":2,"reasoningTokens":1}"#,
        TokenUsage(input: 5, output: 2, reasoning: 1)
      ),
      (#"{"credits":5}"#, TokenUsage()),
    ]
  )
  func usage(json: String, usage: TokenUsage) throws {
    #expect(try read(#"{"text":"a","usage":\#(json)}"#).usage == usage)
  }

  @Test(
    "An error in a 200 response is an error, at the default or the configured position",
    arguments: [
      (#"{"error":"Too long."}"#, nil, BackendError.Kind.brokenAnswer, ": Too long."),
      (#"{"content":"half","error":{"message":"No."}}"#, nil, .brokenAnswer, ": No."),
      (
        #"{"error":{"message":"Slow.","code":"rate_limit_exceeded"}}"#, "error.message",
        .rateLimited, ": Slow."
      ),
      (#"{"failure":{"reason":"No."}}"#, "failure.reason", .brokenAnswer, ": No."),
      (#"{"error":{"message":"No key sk-1."}}"#, nil, .brokenAnswer, ": No key <redacted>."),
    ] as [(String, String?, BackendError.Kind, String)]
  )
  func errors(body: String, place: String?, kind: BackendError.Kind, words: String) throws {
    let error = try #require(throws: BackendError.self) {
      try read(body, AnswerPlaces(error: place), hiding: Secret("sk-1"))
    }
    #expect(error.kind == kind)
    #expect(error.message == "the server answered 200 with an error\(words)")
  }

  @Test(
    "A null, false or empty error is ignored",
    arguments: ["null", "false", #""""#, "{}", "[]", "0"]
  )
  func noError(json: String) throws {
    #expect(try read(#"{"text":"a","error":\#(json)}"#).text == "a")
  }

  @Test(
    "A body without an answer is an error that names the missing member",
    arguments: [
      (#"{"reply":"a"}"#, nil, "the server's answer has no 'content' or 'text'"),
      (#"{"reply":"a"}"#, "reply.text", "the server's answer has no 'reply.text'"),
      ("<html>", nil, "the server's answer is not JSON: expected a value"),
      ("", nil, "the server's answer is not JSON: expected a value"),
    ] as [(String, String?, String)]
  )
  func noAnswer(body: String, place: String?, message: String) throws {
    let error = try #require(throws: BackendError.self) {
      try read(body, AnswerPlaces(text: place))
    }
    #expect(error.kind == .brokenAnswer)
    #expect(error.message.hasPrefix(message.prefix(32)))
  }

  @Test("A body that is not valid UTF-8 is an error")
  func invalidText() {
    #expect(
      throws: BackendError(.brokenAnswer, "the server's answer is not text: it is not valid UTF-8")
    ) { try read([0x61, 0xFF], AnswerPlaces(text: ".")) }
  }

  // MARK: In pieces

  private static let stream = """
    data: {"content":"na"}\n\ndata: {"content":"ïve "}\n\n: ping\n\ndata:\n\ndata: {"content":"🙂"}\n
    data: {"usage":{"prompt_tokens":5,"completion_tokens":2},"model":"m-1"}\n\ndata: [DONE]\n\n
    """

  @Test("A stream gives the same answer, however its bytes are split")
  func cuts() throws {
    let bytes = Array(Self.stream.utf8)
    for cut in 0...bytes.count {
      let answer = try read(
        bytes,
        arrivals: [
          RawResponse.Arrival(milliseconds: 10, end: cut),
          RawResponse.Arrival(milliseconds: 80, end: bytes.count),
        ]
      )
      #expect(answer.text == "naïve 🙂")
      #expect(answer.usage == TokenUsage(input: 5, output: 2))
      #expect(answer.provenance.model == "m-1")
    }
  }

  @Test("The time to first text and the longest gap between pieces of text are measured")
  func clock() throws {
    var body = ""
    var arrivals: [RawResponse.Arrival] = []
    let pieces = [
      (5.0, #"{"model":"m-1"}"#), (20, #"{"content":"a"}"#), (70, #"{"content":"b"}"#),
      (85, #"{"content":""}"#), (90, #"{"content":"c"}"#), (95, "[DONE]"),
    ]
    for (time, data) in pieces {
      body += "data: \(data)\n\n"
      arrivals.append(RawResponse.Arrival(milliseconds: time, end: body.utf8.count))
    }
    let timings = try read(body, arrivals: arrivals).timings
    #expect(timings.firstText == 20)
    #expect(timings.longestGap == 50)
    #expect(timings.total == 90)
  }

  @Test("A piece of text is read from the configured position, which may be the whole event")
  func pieces() throws {
    let nested = #"data: {"delta":{"t":"a"}}"# + "\n\n" + #"data: {"delta":{"t":"b"}}"#
    #expect(
      try read(nested + "\n\ndata: [DONE]\n\n", AnswerPlaces(piece: "delta.t")).text == "ab"
    )
    let texts = "data: \"a\"\n\ndata: \"b\"\n\ndata: [DONE]"
    #expect(try read(texts, AnswerPlaces(piece: ".", isStreamed: true)).text == "ab")
    #expect(try read("data: [DONE]\n\n").text == "")
  }

  @Test(
    "An incomplete stream is an error",
    arguments: [
      ("data: {\"content\":\"a\"}\n\n", "the server's stream ended before the answer was complete"),
      ("data: {\"content\":\"a\"}\n\ndata: [DO", "an event of the server's stream is not JSON: "),
      ("data: {\"content\":\"a", "an event of the server's stream is not JSON: "),
      (
        "data: {\"content\":\"a\"}\n\ndata: {\"error\":\"No.\"}\n\ndata: [DONE]\n\n",
        "the server answered 200 with an error: No."
      ),
      (
        "data: {\"content\":\"a\"}\n\nevent: error\ndata: {\"message\":\"No.\"}\n\n",
        "the server answered 200 with an error: No."
      ),
      (
        "data: {\"content\":\"a\"}\n\ndata: {\"error\":{\"message\":\"No.\"}}\n\n",
        "the server answered 200 with an error: No."
      ),
    ]
  )
  func broken(body: String, message: String) throws {
    let error = try #require(throws: BackendError.self) { try read(body) }
    #expect(error.message.hasPrefix(message))
  }

  @Test("A stream that is cut anywhere before its end is an error")
  func beginnings() throws {
    let bytes = Array(Self.stream.utf8)
    let end = try #require(Self.stream.utf8.firstRange(of: "[DONE]".utf8))
    let count = Self.stream.utf8.distance(from: Self.stream.utf8.startIndex, to: end.upperBound)
    for length in 0..<count {
      #expect(throws: BackendError.self) { try read(Array(bytes[..<length])) }
    }
    #expect(try read(Array(bytes[..<count])).text == "naïve 🙂")
  }
}
