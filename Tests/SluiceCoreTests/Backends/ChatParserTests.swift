import SampleProjects
import Sluice
import Testing

@Suite("OpenAI chat response")
struct ChatParserTests {
  private func exchange(_ body: String, headers: [HTTPHeader] = []) -> Exchange {
    Exchange(
      request: .fixture(),
      headers: headers,
      body: Array(body.utf8),
      timings: ResponseTimings(connect: 1, firstByte: 2, total: 3),
      host: "https://models.test",
      date: RecordingProject.date
    )
  }

  private func read(_ body: String) throws -> ModelResponse {
    try ResponseReader.response(in: exchange(body))
  }

  @Test("A completion is read with its provenance, timings and token counts")
  func whole() throws {
    let exchange = exchange(
      """
      {"id": "1", "model": "sorter-1-2026", "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "yes", "refusal": null},
         "finish_reason": "stop"},
        {"index": 1, "message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}],
       "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17,
         "prompt_tokens_details": {"cached_tokens": 4},
         "completion_tokens_details": {"reasoning_tokens": 2}}}
      """,
      headers: [HTTPHeader("x-sluice-stand-in", "sorter")]
    )
    var expected = ModelResponse(
      text: "yes",
      finishReason: "stop",
      usage: TokenUsage(input: 12, cachedInput: 4, output: 5, reasoning: 2),
      provenance: Provenance(
        host: "https://models.test",
        model: "sorter-1-2026",
        standIn: "sorter",
        date: "2026-11-21T12:00:19Z"
      ),
      timings: ResponseTimings(connect: 1, firstByte: 2, total: 3)
    )
    expected.others = [ModelResponse.Choice(text: "no", finishReason: "stop")]
    #expect(try ResponseReader.response(in: exchange) == expected)
  }

  @Test(
    "The text is the visible text of the first choice",
    arguments: [
      (#"{"content":"yes"}"#, "yes"), (#"{"content":""}"#, ""),
      (#"{"content":"\n\nyes "}"#, "\n\nyes "),
      (#"{"content":null}"#, nil), ("{}", nil), (#"{"content":7}"#, nil),
      (#"{"content":"a\ud800b"}"#, "a\u{FFFD}b"),
      (#"{"content":"yes","reasoning_content":"hm"}"#, "yes"),
      (
        #"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},"#
          + #"{"type":"text","text":"y"},{"type":"text","text":"es"},{"type":"image"}]}"#, "yes"
      ),
      (
        #"{"content":[{"type":"output_text","text":"y"},{"text":"es"},{"type":"x","text":"no"}]}"#,
        "yes"
      ),
      (#"{"content":[{"type":"thinking","thinking":[]}]}"#, nil), (#"{"content":[]}"#, nil),
      (#"{"content":null,"tool_calls":[{"id":"1"}]}"#, nil),
    ]
  )
  func texts(message: String, text: String?) throws {
    let body = #"{"choices":[{"message":\#(message),"finish_reason":"stop"}]}"#
    #expect(try read(body).text == text)
  }

  @Test(
    "A refusal is kept unless it is empty",
    arguments: [
      (#""I cannot help.""#, "I cannot help."), (#""""#, nil), ("null", nil), ("true", nil),
    ]
  )
  func refusals(refusal: String, expected: String?) throws {
    let response = try read(
      #"{"choices":[{"message":{"content":null,"refusal":\#(refusal)},"finish_reason":"stop"}]}"#
    )
    #expect(response.refusal == expected)
    #expect(response.text == nil)
  }

  @Test(
    "The finish reason is kept as sent; an empty one is absent",
    arguments: [
      (#""stop""#, "stop"), (#""length""#, "length"), (#""content_filter""#, "content_filter"),
      (#""eos""#, "eos"), (#""tool_calls""#, "tool_calls"), (#""""#, nil), ("null", nil),
      ("0", "0"),
    ]
  )
  func finishReasons(reason: String, expected: String?) throws {
    let response = try read(
      #"{"choices":[{"message":{"content":"yes"},"finish_reason":\#(reason)}]}"#
    )
    #expect(response.finishReason == expected)
  }

  @Test(
    "Token counts are read in the formats of many servers, and are unknown if missing",
    arguments: [
      (#"{"prompt_tokens":12,"completion_tokens":5}"#, TokenUsage(input: 12, output: 5)),
      (
        #"{"prompt_tokens":0,"completion_tokens":0,"prompt_tokens_details":{"cached_tokens":0},"#
          + #""completion_tokens_details":{"reasoning_tokens":0}}"#,
        TokenUsage(input: 0, cachedInput: 0, output: 0, reasoning: 0)
      ),
      (
        #"{"prompt_tokens":12,"prompt_tokens_details":null,"completion_tokens_details":null}"#,
        TokenUsage(input: 12)
      ),
      (
        #"{"prompt_tokens":12,"prompt_tokens_details":{"cached_tokens":null}}"#,
        TokenUsage(input: 12)
      ),
      (
        #"{"prompt_tokens":12,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":4}"#,
        TokenUsage(input: 12, cachedInput: 8)
      ),
      (#"{"prompt_tokens":12,"cached_tokens":8}"#, TokenUsage(input: 12, cachedInput: 8)),
      (
        #"{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17,"reasoning_tokens":3}"#,
        TokenUsage(input: 12, output: 5, reasoning: 3)
      ),
      (
        #"{"prompt_tokens":12,"completion_tokens":5,"total_tokens":20,"reasoning_tokens":3}"#,
        TokenUsage(input: 12, output: 8, reasoning: 3)
      ),
      (#"{"prompt_tokens":12,"num_cached_tokens":8}"#, TokenUsage(input: 12, cachedInput: 8)),
      ("{}", TokenUsage()), ("null", nil), (#""12""#, nil),
    ]
  )
  func usage(usage: String, expected: TokenUsage?) throws {
    let response = try read(#"{"choices":[{"message":{"content":"yes"}}],"usage":\#(usage)}"#)
    #expect(response.usage == expected)
  }

  @Test("Without usage, the token counts are unknown, not zero")
  func noUsage() throws {
    #expect(try read(#"{"choices":[{"message":{"content":"yes"}}]}"#).usage == nil)
  }

  @Test(
    "Reasoning tokens are added to the output if the total shows that it excludes them",
    arguments: [
      // xAI's output excludes reasoning, and OpenAI's includes it.
      (332, 405, 337), (3, 73, 5),
    ]
  )
  func reasoningBeside(reasoning: Int, total: Int, output: Int) throws {
    let response = try read(
      """
      {"choices":[{"message":{"content":"yes"}}],"usage":{"prompt_tokens":68,"completion_tokens":5,
      "total_tokens":\(total),"completion_tokens_details":{"reasoning_tokens":\(reasoning)}}}
      """
    )
    #expect(response.usage == TokenUsage(input: 68, output: output, reasoning: reasoning))
  }

  @Test("White space around the body is ignored, because some servers send it as a keep-alive")
  func whiteSpace() throws {
    #expect(
      try read("\n   \r\n\t{\"choices\":[{\"message\":{\"content\":\"yes\"}}]}\n").text == "yes"
    )
  }

  @Test("A choice without a message because of a content filter is an answer without text")
  func filteredCompletion() throws {
    let response = try read(
      #"{"choices":[{"finish_reason":"content_filter","content_filter_results":{"error":{}}}]}"#
    )
    #expect(response.text == nil)
    #expect(response.finishReason == "content_filter")
  }

  /// A whole answer and a streamed answer, each with an error as well.
  private func besideError(_ error: String) -> [String] {
    let choice = #"{"index":0,"message":{"content":"yes"},"finish_reason":"stop"}"#
    let piece = #"{"index":0,"delta":{"content":"yes"},"finish_reason":"stop"}"#
    return [
      #"{"error":\#(error),"choices":[\#(choice)]}"#,
      #"{"choices":[\#(choice)],"error":\#(error)}"#,
      "data: {\"choices\":[\(piece)],\"error\":\(error)}\n\ndata: [DONE]\n\n",
      "data: {\"choices\":[\(piece)]}\n\ndata: {\"choices\":[],\"error\":\(error)}\n\ndata: [DONE]\n\n",
    ]
  }

  @Test(
    "An error in addition to an answer makes the answer invalid, whole or streamed",
    arguments: [
      (#"{"message":"late"}"#, BackendError.Kind.brokenAnswer, ": late"),
      (#"{"message":"late","code":502}"#, .serverError, ": late"),
      (#"{"message":"late","code":200}"#, .brokenAnswer, ": late"),
      (#"{"code":400}"#, .invalidRequest, ""), (#"{"code":"429","message":""}"#, .rateLimited, ""),
      (#"{"type":"server_error"}"#, .serverError, ""), (#""late""#, .brokenAnswer, ": late"),
    ]
  )
  func errorBesideAnswer(error: String, kind: BackendError.Kind, words: String) {
    for body in besideError(error) {
      let thrown = #expect(throws: BackendError.self, "\(body)") { try read(body) }
      #expect(thrown?.kind == kind, "\(body)")
      #expect(thrown?.message == "the server answered 200 with an error\(words)", "\(body)")
    }
  }

  @Test(
    "An empty 'error' member is ignored",
    arguments: [
      "null", "{}", "[]", #""""#, "false", "0", #"{"code":0,"message":""}"#,
      #"{"code":null,"message":null,"type":""}"#, #"{"code":200}"#,
    ]
  )
  func emptyError(error: String) throws {
    for body in besideError(error) { #expect(try read(body).text == "yes", "\(body)") }
  }

  @Test("The answer is choice 0, at any position in the list, whole or streamed")
  func firstChoice() throws {
    let whole = """
      {"choices":[{"index":1,"message":{"content":"no"},"finish_reason":"length"},
      {"index":0,"message":{"content":"yes"},"finish_reason":"stop"},
      {"index":2,"message":{"content":"maybe"},"finish_reason":"eos"}]}
      """
    let stream = """
      data: {"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"}]}

      data: {"choices":[{"index":2,"delta":{"content":"maybe"},"finish_reason":"eos"},\
      {"index":0,"delta":{"content":"yes"},"finish_reason":"stop"}]}

      data: [DONE]


      """
    for body in [whole, stream] {
      let answer = try read(body)
      #expect(answer.text == "yes")
      #expect(answer.finishReason == "stop")
      #expect(answer.others.map(\.text) == ["no", "maybe"])
    }
    let unnumbered = #"{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}"#
    #expect(try read(unnumbered).text == "a")
  }

  @Test("A byte order mark before the body is ignored")
  func byteOrderMark() throws {
    #expect(try read("\u{FEFF}" + #"{"choices":[{"message":{"content":"yes"}}]}"#).text == "yes")
    let stream =
      "\u{FEFF}data: {\"choices\":[{\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\n"
    #expect(try read(stream).text == "yes")
  }

  @Test(
    "A refusal is kept even if the text is empty",
    arguments: [
      #"{"choices":[{"message":{"content":"","refusal":"No."},"finish_reason":"stop"}]}"#,
      #"{"choices":[{"message":{"content":[{"type":"refusal","refusal":"No."}]}}]}"#,
      """
      data: {"choices":[{"delta":{"content":"","refusal":"N"}}]}

      data: {"choices":[{"delta":{"content":"","refusal":"o."},"finish_reason":"stop"}]}

      data: [DONE]

      """,
    ]
  )
  func refusalBesideNothing(body: String) throws {
    let answer = try read(body)
    #expect(answer.refusal == "No.")
    #expect(answer.text == nil)
  }

  @Test(
    "A stream that ends without a finish reason is an error",
    arguments: [
      #"{"delta":{"content":"ye"}}"#, #"{"delta":{"content":"ye"},"finish_reason":null}"#,
      #"{"delta":{"content":"ye"},"finish_reason":""}"#,
      #"{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}"#,
      #"{"index":1,"delta":{"content":"ye"},"finish_reason":"stop"},{"index":0,"delta":{}}"#,
    ]
  )
  func closedStream(choice: String) {
    #expect(
      throws: BackendError(
        .brokenAnswer,
        "the server's stream ended without a 'finish_reason', so the answer may be cut off"
      )
    ) { try read("data: {\"choices\":[\(choice)]}\n\ndata: [DONE]\n\n") }
  }

  @Test("White space after the end of a stream is ignored", arguments: [" ", "  \t", "\u{B}"])
  func blanksAfterEnd(blanks: String) throws {
    let event = #"data: {"choices":[{"delta":{"content":"yes"},"finish_reason":"stop"}]}"#
    #expect(try read("\(event)\n\ndata: [DONE]\(blanks)\n\n").text == "yes")
    #expect(throws: BackendError.self) { try read("\(event)\n\ndata: [DONE]x\n\n") }
  }

  @Test(
    "A body without an answer is an error with the reason, so the trial is lost, not wrong",
    arguments: [
      (
        "", BackendError.Kind.brokenAnswer,
        "the server's answer is not JSON: the JSON value ends too early"
      ),
      (
        "<html></html>", .brokenAnswer, "the server's answer is not JSON: expected a JSON value"
      ),
      (
        #"{"choices":[{"message":{"content":"ye"#, .brokenAnswer,
        "the server's answer is not JSON: the string is not closed"
      ),
      (
        "data: {}\n\n", .brokenAnswer, "the server's stream contains no completion"
      ),
      ("{}", .brokenAnswer, "the server's answer contains no choice"),
      ("[]", .brokenAnswer, "the server's answer contains no choice"),
      (#"{"choices":[]}"#, .brokenAnswer, "the server's answer contains no choice"),
      (#"{"choices":{}}"#, .brokenAnswer, "the server's answer contains no choice"),
      (
        #"{"object":"error","message":"Overloaded."}"#, .brokenAnswer,
        "the server's answer contains no choice: Overloaded."
      ),
      (
        #"{"choices":[{"message":null}]}"#, .brokenAnswer,
        "the server's answer contains no choice with a message"
      ),
      (
        #"{"choices":[{"text":"yes"}]}"#, .brokenAnswer,
        "the server's answer contains no choice with a message"
      ),
      (
        #"{"error":"Overloaded."}"#, .brokenAnswer,
        "the server answered 200 with an error: Overloaded."
      ),
      (
        #"{"error":{"message":"Slow down.","code":429},"choices":[]}"#, .rateLimited,
        "the server answered 200 with an error: Slow down."
      ),
      (
        #"{"error":{"message":"Filtered.","code":"content_filter","status":400}}"#, .contentFilter,
        "the server answered 200 with an error: Filtered."
      ),
      (
        #"{"error":{"message":"Down.","code":502}}"#, .serverError,
        "the server answered 200 with an error: Down."
      ),
    ]
  )
  func noAnswer(body: String, kind: BackendError.Kind, message: String) {
    #expect(throws: BackendError(kind, message)) { try read(body) }
  }

  @Test("A body that is not valid UTF-8 is an error")
  func notUTF8() {
    var exchange = exchange("")
    exchange.response.body =
      Array(#"{"choices":[{"message":{"content":""#.utf8) + [0xFF] + Array(#""}}]}"#.utf8)
    #expect(
      throws: BackendError(.brokenAnswer, "the server's answer is not JSON: not valid UTF-8")
    ) { try ResponseReader.response(in: exchange) }
  }
}
