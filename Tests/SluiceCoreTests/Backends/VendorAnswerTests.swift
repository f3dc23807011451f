@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// The same answer as a whole body and as a stream.
enum VendorBody {
  /// Returns the bodies, with the given usage.
  static func all(_ api: ModelAPI, usage: String) -> [String] {
    switch api {
    case .chatCompletions:
      [
        #"{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}],"usage":\#(usage)}"#,
        #"{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}],"timings":{},"usage":\#(usage)}"#,
        """
        data: {"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}

        data: {"choices":[],"usage":\(usage)}

        data: [DONE]


        """,
      ]
    case .responses:
      [
        #"{"status":"completed","output":[{"type":"message","content":"A"}],"usage":\#(usage)}"#,
        """
        data: {"type":"response.output_text.delta","delta":"A"}

        data: {"type":"response.completed","response":{"status":"completed","usage":\(usage)}}


        """,
      ]
    case .messages:
      [
        #"{"content":[{"type":"text","text":"A"}],"stop_reason":"end_turn","usage":\#(usage)}"#,
        """
        data: {"type":"message_start","message":{"usage":{"output_tokens":1}}}

        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A"}}

        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":\(usage)}

        data: {"type":"message_stop"}


        """,
      ]
    case .generateContent:
      [
        #"{"candidates":[{"content":{"parts":[{"text":"A"}]},"finishReason":"STOP"}],"usageMetadata":\#(usage)}"#,
        """
        data: {"candidates":[{"content":{"parts":[{"text":"A"}]},"finishReason":"STOP"}],\
        "usageMetadata":\(usage)}


        """,
      ]
    case .ollamaChat: []
    }
  }
}

/// Answers that occur in no recording of a vendor's API; `WireTests` covers the recorded ones.
@Suite("Answers of vendors' APIs")
struct VendorAnswerTests {
  static func read(_ body: String, _ api: ModelAPI) throws(BackendError) -> ModelResponse {
    var response = RawResponse(
      body: Array(body.utf8),
      host: "https://models.test",
      date: Timestamp(seconds: 0)
    )
    response.arrivals = [RawResponse.Arrival(milliseconds: 7, end: response.body.count)]
    return try AnswerReader.read(response, api)
  }

  /// The same answer in the form of each API: text, counts, ending.
  private static let equivalents: [(ModelAPI, String)] = [
    (
      .chatCompletions,
      """
      {"model": "m-1", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Lisbon."},
        "finish_reason": "FINISH"}], "usage": {"prompt_tokens": 120, "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 80, "cache_write_tokens": 30},
        "completion_tokens_details": {"reasoning_tokens": 40}}}
      """
    ),
    (
      .responses,
      """
      {"object": "response", "model": "m-1", "STATE", "error": null, "output": [
        {"type": "reasoning", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": "Lis"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "bon."}]}],
        "usage": {"input_tokens": 120, "output_tokens": 50,
        "input_tokens_details": {"cached_tokens": 80, "cache_write_tokens": 30},
        "output_tokens_details": {"reasoning_tokens": 40}}}
      """
    ),
    (
      .messages(.init()),
      """
      {"type": "message", "model": "m-1", "content": [{"type": "thinking", "thinking": "", "signature": "x"},
        {"type": "text", "text": "Lis"}, {"type": "text", "text": "bon."}], "stop_reason": "FINISH",
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 30,
        "output_tokens": 50, "output_tokens_details": {"thinking_tokens": 40}}}
      """
    ),
    (
      .generateContent,
      """
      {"modelVersion": "m-1", "candidates": [{"content": {"role": "model", "parts": [
        {"text": "Hm", "thought": true}, {"text": "Lis"}, {"text": "bon."}]}, "finishReason": "FINISH"}],
        "usageMetadata": {"promptTokenCount": 120, "cachedContentTokenCount": 80,
        "candidatesTokenCount": 10, "thoughtsTokenCount": 40, "totalTokenCount": 170}}
      """
    ),
    (
      .ollamaChat,
      """
      {"model": "m-1", "message": {"role": "assistant", "content": "Lisbon.", "thinking": ""},
        "done": true, "done_reason": "FINISH", "prompt_eval_count": 120, "eval_count": 50,
        "total_duration": 1500000000, "load_duration": 500000000}
      """
    ),
  ]

  /// The two endings in the words of each API.
  private static let endings: [String: (done: String, cutOff: String)] = [
    "openai": ("stop", "length"), "openai-responses": ("completed", "max_output_tokens"),
    "anthropic": ("end_turn", "max_tokens"), "gemini": ("STOP", "MAX_TOKENS"),
    "ollama": ("stop", "length"),
  ]

  @Test("The same answer has the same text, counts and ending in each API", arguments: equivalents)
  func equivalent(api: ModelAPI, body: String) throws {
    let words = try #require(Self.endings[api.type])
    for (word, ending) in [(words.done, Ending.done), (words.cutOff, .cutOff)] {
      let state =
        ending == .done
        ? #""status": "completed""#
        : #""status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}"#
      let response = try Self.read(
        body.replacing("FINISH", with: word).replacing(#""STATE""#, with: state),
        api
      )
      #expect(response.text == "Lisbon.")
      #expect(response.finishReason == word)
      #expect(response.ending == ending)
      #expect(response.provenance.model == "m-1")
      #expect(response.usage?.input == 120)
      #expect(response.usage?.output == 50)
      if api == .ollamaChat {
        #expect(response.timings.server == 1_000)
        continue
      }
      #expect(response.usage?.cachedInput == 80)
      #expect(response.usage?.reasoning == 40)
      if api != .generateContent { #expect(response.usage?.cacheWrite == 30) }
    }
  }

  /// Answers that no app could use, with the word, the refusal and the meaning.
  private static let unusable: [(ModelAPI, String, String, String?, Ending)] = [
    (
      .responses, #"{"status":"failed","error":{"code":"bio_policy","message":"No."},"output":[]}"#,
      "bio_policy", "No.", .filtered
    ),
    (
      .responses,
      #"{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}"#,
      "content_filter", nil, .filtered
    ),
    (
      .responses, #"{"status":"incomplete","incomplete_details":{"reason":"steered"},"output":[]}"#,
      "steered", nil, .paused
    ),
    (
      .responses,
      #"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I won't."}]}]}"#,
      "completed", "I won't.", .done
    ),
    (
      .messages(.init()),
      #"{"content":[{"type":"text","text":"First you"}],"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"Not this."}}"#,
      "refusal", "Not this.", .filtered
    ),
    (
      .messages(.init()), #"{"content":[{"type":"text","text":"A"}],"stop_reason":"pause_turn"}"#,
      "pause_turn", nil, .paused
    ),
    (
      .messages(.init()), #"{"content":[],"stop_reason":"model_context_window_exceeded"}"#,
      "model_context_window_exceeded", nil, .cutOff
    ),
    (
      .generateContent, #"{"promptFeedback":{"blockReason":"OTHER"},"modelVersion":"m"}"#, "OTHER",
      "the prompt was blocked (OTHER)", .filtered
    ),
    (
      .generateContent, #"{"candidates":[{"finishReason":"SAFETY","index":0}]}"#, "SAFETY", nil,
      .filtered
    ),
    (
      .generateContent, #"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}"#,
      "MALFORMED_FUNCTION_CALL", nil, .brokenCall
    ),
  ]

  @Test("Refusals, filtered answers and pauses are unusable answers", arguments: unusable)
  func unusableAnswers(
    api: ModelAPI,
    body: String,
    word: String,
    refusal: String?,
    ending: Ending
  ) throws {
    let response = try Self.read(body, api)
    #expect(response.finishReason == word)
    #expect(response.refusal == refusal)
    #expect(response.ending == ending)
    // A backend's own 'endings' do not change the API's meanings.
    #expect(try response.ended(by: EndingWords()).ending == ending)
    if ending == .filtered { #expect(response.text == nil) }
  }

  /// Bodies without an answer, with the kind of error, the retry decision, and the message.
  private static let faults: [(ModelAPI, String, BackendError.Kind, Bool, String)] = [
    (
      .responses, #"{"status":"failed","error":{"code":"server_error","message":"Oops."}}"#,
      .serverError, true, "the server answered 200 with an error: Oops."
    ),
    (
      .responses, #"{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow."}}"#,
      .rateLimited, true, "the server answered 200 with an error: Slow."
    ),
    (
      .responses, #"{"status":"failed","error":{"code":"image_too_large","message":"Big."}}"#,
      .invalidRequest, false, "the server answered 200 with an error: Big."
    ),
    (
      .responses, #"{"status":"in_progress","output":[]}"#, .brokenAnswer, true,
      "the server's answer is incomplete: its status is 'in_progress'"
    ),
    (.responses, #"{"id":"r"}"#, .brokenAnswer, true, "the server's answer contains no output"),
    (
      .responses,
      "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"Oops.\"}\n\n",
      .serverError, true, "the server answered 200 with an error: Oops."
    ),
    (
      .responses,
      "data: {\"type\":\"error\",\"error\":{\"code\":\"invalid_prompt\",\"message\":\"Odd.\"}}\n\n",
      .invalidRequest, false, "the server answered 200 with an error: Odd."
    ),
    (
      .responses,
      "data: {\"type\":\"response.output_text.delta\",\"delta\":\"Lis\"}\n\n"
        + "data: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\"}}\n\n",
      .serverError, true, "the server did not finish the answer and gave no reason"
    ),
    (
      .messages(.init()),
      "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy.\"}}\n\n",
      .serverError, true, "the server answered 200 with an error: Busy."
    ),
    (
      .messages(.init()), #"{"type":"message"}"#, .brokenAnswer, true,
      "the server's answer contains no content"
    ),
    (
      .messages(.init()),
      "data: {\"type\":\"message_start\",\"message\":{}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
      .brokenAnswer, true,
      "the server's stream ended without a 'stop_reason', so the answer may be cut off"
    ),
    (.generateContent, "{}", .brokenAnswer, true, "the server's answer contains no candidate"),
    (
      .generateContent,
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Lis\"}]}}]}\r\n\r\n",
      .brokenAnswer, true, "the server's stream ended before the answer was complete"
    ),
    (
      .generateContent, #"[{"candidates":[{"content":{"parts":[{"text":"Lis"}]}}]}]"#,
      .brokenAnswer,
      true, "the server's stream ended before the answer was complete"
    ),
    (
      .ollamaChat, #"{"message":{"content":"Lis"},"done":false}"#, .brokenAnswer, true,
      "the server's stream ended before the answer was complete"
    ),
    (
      .ollamaChat,
      "{\"message\":{\"content\":\"Lis\"},\"done\":false}\n{\"error\":\"out of memory\"}\n",
      .brokenAnswer, true, "the server answered 200 with an error: out of memory"
    ),
    (
      .ollamaChat,
      "{\"message\":{\"content\":\"Lis\"},\"done\":true,\"done_reason\":\"stop\"}\n{\"error\":\"boom\"}\n",
      .brokenAnswer, true, "the server answered 200 with an error: boom"
    ),
  ]

  @Test("A body without an answer is a lost trial, retried if that can help", arguments: faults)
  func faultyBodies(
    api: ModelAPI,
    body: String,
    kind: BackendError.Kind,
    canRetry: Bool,
    message: String
  ) throws {
    let error = #expect(throws: BackendError.self) { try Self.read(body, api) }
    #expect(error?.kind == kind)
    #expect(error?.canRetry == canRetry)
    #expect(error?.message == message)
  }

  /// Bodies in which nothing shows that the model answered.
  private static let nothing: [(ModelAPI, [String])] = [
    (
      .chatCompletions,
      [
        "{}", "[]", "null", #"{"choices":[]}"#, #"{"choices":[{}]}"#, #"{"choices":[null]}"#,
        #"{"choices":null}"#, #"{"choices":[{"message":null}]}"#, #"{"choices":[{"message":{}}]}"#,
        #"{"choices":[{"message":{"content":null}}]}"#,
        #"{"choices":[{"message":{"content":[]},"finish_reason":null}]}"#,
        #"{"choices":[{"message":{"role":"assistant","content":null,"refusal":""},"finish_reason":""}]}"#,
        #"{"choices":[{"message":{"content":null,"tool_calls":[]}}],"usage":{"prompt_tokens":3}}"#,
        #"{"choices":[{"message":{"content":7}}]}"#, #"{"usage":{"prompt_tokens":3}}"#,
        "data: {\"choices\":[{}]}\n\ndata: [DONE]\n\n",
        "data: {\"choices\":[null]}\n\ndata: [DONE]\n\n", "data: {}\n\ndata: [DONE]\n\n",
      ]
    ),
    (
      .responses,
      [
        "{}", #"{"output":[]}"#, #"{"output":[null]}"#, #"{"output":[{}]}"#, #"{"output":null}"#,
        #"{"object":"response","output":[{"type":"message","content":[]}]}"#,
        #"{"object":"response","output":[{"type":"reasoning","summary":[]}],"usage":null}"#,
        #"{"object":"response","output":[],"usage":{"input_tokens":3,"output_tokens":0}}"#,
        "data: {\"type\":\"response.completed\",\"response\":{}}\n\n",
        "data: {\"type\":\"response.completed\",\"response\":null}\n\n",
        "data: {\"type\":\"response.completed\"}\n\n",
      ]
    ),
    (
      .messages(.init()),
      [
        "{}", #"{"content":[]}"#, #"{"content":[null]}"#, #"{"content":[{}]}"#,
        #"{"content":null}"#,
        #"{"type":"message","role":"assistant","content":[],"stop_reason":null}"#,
        #"{"type":"message","content":[],"usage":{"input_tokens":3,"output_tokens":0}}"#,
        "data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n"
          + "data: {\"type\":\"message_stop\"}\n\n",
      ]
    ),
    (
      .generateContent,
      [
        "{}", #"{"candidates":[]}"#, #"{"candidates":[{}]}"#, #"{"candidates":[null]}"#,
        #"{"candidates":[{"content":{"parts":[]}}]}"#, #"{"candidates":[{"content":{}}]}"#,
        #"{"candidates":[],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}"#, "[]",
        "[{}]", "data: {}\r\n\r\n", "data: {\"candidates\":[{}]}\r\n\r\n",
      ]
    ),
    (
      .ollamaChat,
      [
        "{}", #"{"message":null}"#, #"{"message":{}}"#, #"{"done":true}"#,
        #"{"message":{},"done":true}"#, #"{"message":null,"done":true,"done_reason":""}"#,
        #"{"model":"m","done":true,"eval_count":0}"#, "{\"model\":\"m\"}\n{\"done\":true}\n",
      ]
    ),
  ]

  @Test(
    "Without content and finish reason, nothing shows that the model answered: the trial is lost",
    arguments: nothing
  )
  func nothingAtAll(api: ModelAPI, bodies: [String]) {
    for body in bodies {
      let error = #expect(throws: BackendError.self, "\(body)") { try Self.read(body, api) }
      #expect(error?.kind == .brokenAnswer, "\(body)")
      #expect(error?.canRetry == true, "\(body)")
    }
  }

  /// Bodies that say that the model has ended without content.
  private static let silent: [(ModelAPI, String)] = [
    (
      .chatCompletions,
      #"{"choices":[{"message":{"content":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":0}}"#
    ),
    (
      .chatCompletions,
      #"{"choices":[{"index":0,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":0}}"#
    ),
    // Many streams have no usage.
    (
      .chatCompletions,
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
    ),
    (
      .responses,
      #"{"status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":0}}"#
    ),
    (
      .messages(.init()),
      #"{"content":[],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":0}}"#
    ),
    (
      .messages(.init()),
      #"{"type":"message","stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":0}}"#
    ),
    (.messages(.init()), #"{"content":null,"stop_reason":"end_turn"}"#),
    (
      .generateContent,
      #"{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}"#
    ),
    (.ollamaChat, #"{"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":0}"#),
  ]

  @Test(
    "With a finish reason, the model answered nothing, which is an unusable answer",
    arguments: silent
  )
  func answeredNothing(api: ModelAPI, body: String) throws {
    let response = try Self.read(body, api)
    #expect(response.text == nil)
    #expect(response.ending == .done)
    #expect(Answer(response).flaw == "the answer has no text")
  }

  /// A beginning of a stream for each API, and the same beginning with the end of the answer.
  private static let started: [(ModelAPI, String)] = [
    (.chatCompletions, #"data: {"choices":[{"delta":{"content":"Lis"},"finish_reason":"stop"}]}"#),
    (.responses, #"data: {"type":"response.output_text.delta","delta":"Lis"}"#),
    (
      .messages(.init()),
      #"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Lis"}}"#
    ),
    (
      .generateContent,
      #"data: {"candidates":[{"content":{"parts":[{"text":"Lis"}]},"finishReason":"STOP"}]}"#
    ),
  ]

  @Test("Bare JSON inside a stream is the error that it describes", arguments: started)
  func bareErrors(api: ModelAPI, start: String) throws {
    let pretty = "{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"Slow.\"\n  }\n}"
    for error in [
      #"{"error":{"code":429,"message":"Slow."}}"#, pretty, "[\(pretty)\n]",
      pretty.replacing("\n", with: "\r\n"), #"{"error": {"code": 429, "message": "Slow."}} "#,
      #"{"code":429,"message":"Slow."}"#, #"   {"error":{"code":429,"message":"Slow."}}"#,
      "\t [{\"error\":{\"code\":429,\"message\":\"Slow.\"}}]",
    ] {
      for body in [
        "\(start)\n\n\(error)\n", "\(start)\r\n\r\n\(error)\r\n\r\n", "\(start)\n\(error)",
        "\(start)\n\n\(error)\n\(start)\n\n", "\(start)\n\n\(error)\n\ndata: [DONE]\n\n",
      ] {
        let thrown = #expect(throws: BackendError.self, "\(body)") { try Self.read(body, api) }
        #expect(thrown?.kind == .rateLimited, "\(body)")
        #expect(thrown?.message == "the server answered 200 with an error: Slow.", "\(body)")
      }
    }
    // A cut error is an error, too.
    #expect(throws: BackendError.self) { try Self.read("\(start)\n\n{\"error\": {\"mess", api) }
  }

  @Test("After Gemini's STOP, text or a call without an ending means that the stream was cut")
  func goneOn() throws {
    func event(_ part: String, _ end: String = "") -> String {
      #"data: {"candidates":[{"content":{"parts":[\#(part)]}\#(end)}]}"# + "\r\n\r\n"
    }
    let (text, stop) = (#"{"text":"Lis"}"#, #","finishReason":"STOP""#)
    for part in [text, #"{"functionCall":{"name":"f","args":{}}}"#] {
      let error = #expect(throws: BackendError.self) {
        try Self.read(event(text, stop) + event(part), .generateContent)
      }
      #expect(error == .brokenOff)
      let whole = event(text, stop) + event(part, stop)
      #expect(try Self.read(whole, .generateContent).ending == .done)
    }
    for rest in ["", #"{"text":""}"#, #"{"text":"Hm","thought":true}"#] {
      let answer = try Self.read(event(text, stop) + event(rest), .generateContent)
      #expect(answer.text == "Lis")
    }
  }

  @Test("Gemini's STOP beside code that runs is not the end of a stream")
  func runningCode() throws {
    func event(_ part: String, _ end: String = #","finishReason":"STOP""#) -> String {
      #"data: {"candidates":[{"content":{"parts":[\#(part)]}\#(end)}]}"# + "\r\n\r\n"
    }
    let events = [
      event(#"{"text":"Let me see. "}"#, ""),
      event(#"{"executableCode":{"language":"PYTHON","code":"print(6*7)"}}"#),
      event(#"{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"42"}}"#),
      event(#"{"text":"It is 42."}"#),
    ]
    for count in 1..<events.count {
      let error = #expect(throws: BackendError.self) {
        try Self.read(events[..<count].joined(), .generateContent)
      }
      #expect(error == .brokenOff)
    }
    let whole = try Self.read(events.joined(), .generateContent)
    #expect(whole.text == "Let me see. It is 42.")
    // The text may follow the code in one event, and a last event may have no parts.
    let both = event(#"{"codeExecutionResult":{"output":"42"}},{"text":"42."}"#)
    #expect(try Self.read(events[1] + both, .generateContent).text == "42.")
    let empty = event("")
    #expect(try Self.read(events[0] + events[2] + empty, .generateContent).ending == .done)
  }

  private static let end =
    #"{"type":"response.completed","sequence_number":4,"response":"#
    + #"{"status":"completed","output":[]}}"#

  @Test("A gap in the numbers of a Responses stream means a lost event, so the answer is an error")
  func gap() throws {
    let events = [
      #"{"type":"response.created","sequence_number":0}"#,
      #"{"type":"response.output_text.delta","sequence_number":1,"delta":"Lis"}"#,
      #"{"type":"response.output_text.delta","sequence_number":2,"delta":"bon"}"#,
      #"{"type":"response.output_text.delta","sequence_number":3,"delta":"."}"#, Self.end,
    ]
    func read(_ events: [String]) throws -> ModelResponse {
      try Self.read(events.map { "data: \($0)\n\n" }.joined(), .responses)
    }
    #expect(try read(events).text == "Lisbon.")
    let error = #expect(throws: BackendError.self) { try read([0, 1, 3, 4].map { events[$0] }) }
    #expect(error?.message == "in the server's stream, the events between 1 and 3 are missing")
    #expect(error?.canRetry == true)
    // A server that sends no numbers, or always the same number, has no gap.
    let alike = events.map { $0.replacing(/"sequence_number":\d/, with: #""sequence_number":0"#) }
    #expect(try read(alike).text == "Lisbon.")
  }

  @Test("If a Responses stream ends with the complete answer, that answer is used")
  func lastCounts() throws {
    let response = try Self.read(
      """
      data: {"type":"response.output_text.delta","delta":"Lis"}

      data: {"type":"response.completed","response":{"status":"completed","output":[\
      {"type":"message","content":[{"type":"output_text","text":"Lisbon."}]}]}}

      data: not read

      """,
      .responses
    )
    #expect(response.text == "Lisbon.")
    #expect(response.timings.firstText == 7)
  }

  @Test("The last event of a Responses stream gives the ending if the response does not")
  func lastState() throws {
    func read(_ type: String, _ status: String) throws -> ModelResponse {
      try Self.read(
        #"data: {"type":"response.output_text.delta","delta":"Lis"}"# + "\n\n"
          + #"data: {"type":"response.\#(type)","response":{"id":"r"\#(status)}}"# + "\n\n",
        .responses
      )
    }
    for status in ["", #","status":"completed""#, #","status":"in_progress""#] {
      let response = try read("incomplete", status)
      #expect(response.finishReason == "incomplete")
      #expect(response.ending == .cutOff)
      #expect(response.text == "Lis")
    }
    #expect(try read("completed", "").ending == .done)
    #expect(try read("completed", #","status":"incomplete""#).ending == .cutOff)
  }

  @Test("An answer of Ollama's /api/generate is read like a chat answer")
  func generated() throws {
    let first = #"{"model":"m-1","response":"Lis","thinking":"Hm","done":false}"#
    let last = #"{"model":"m-1","response":"bon.","done":true,"done_reason":"stop"}"#
    // Also after a byte order mark, and with Windows line endings.
    let response = try Self.read("\u{FEFF}\(first)\r\n\r\n\(last)\r\n", .ollamaChat)
    #expect(response.text == "Lisbon.")
    #expect(response.reasoning == "Hm")
    #expect(response.ending == .done)
    #expect(try Self.read(last, .ollamaChat).text == "bon.")
  }

  @Test("Responses accepts a plain text as content and an object as arguments")
  func looseItems() throws {
    let response = try Self.read(
      #"{"status":"completed","output":[{"type":"message","content":"Lisbon."},"#
        + #"{"type":"function_call","call_id":"c","name":"find","arguments":{"day":1}}]}"#,
      .responses
    )
    #expect(response.text == "Lisbon.")
    #expect(response.toolCalls == [ToolCall(id: "c", name: "find", arguments: #"{"day":1}"#)])
  }

  @Test("The counts of a Messages stream replace each other and are not added")
  func overwrittenCounts() throws {
    let response = try Self.read(
      """
      event: message_start
      data: {"type":"message_start","message":{"model":"m-1","usage":{"input_tokens":9,\
      "cache_read_input_tokens":5,"output_tokens":1}}}

      event: ping
      data: {"type": "ping"}

      event: content_block_start
      data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1",\
      "name":"find","input":{}}}

      event: content_block_stop
      data: {"type":"content_block_stop","index":0}

      event: message_delta
      data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},\
      "usage":{"input_tokens":20,"output_tokens":33,"cache_creation":{"ephemeral_1h_input_tokens":2},\
      "cache_creation_input_tokens":3,"service_tier":"priority"}}

      event: message_stop
      data: {"type":"message_stop"}

      """,
      .messages(.init())
    )
    #expect(
      response.usage
        == TokenUsage(input: 28, cachedInput: 5, output: 33, cacheWrite: 3, longCacheWrite: 2)
    )
    #expect(response.serviceTier == "priority")
    #expect(response.toolCalls == [ToolCall(id: "t1", name: "find", arguments: "{}")])
    #expect(response.text == nil)
  }

  @Test("A count that Gemini omits is 0 if the total leaves no room for it, or else unknown")
  func missingCounts() {
    func usage(_ total: Double) -> TokenUsage {
      ContentParser.usage([
        "promptTokenCount": 10, "thoughtsTokenCount": 7, "totalTokenCount": .number(total),
      ])
    }
    #expect(usage(17) == TokenUsage(input: 10, output: 7, reasoning: 7))
    #expect(usage(20) == TokenUsage(input: 10, output: nil, reasoning: 7))
  }

  @Test("The name of an Ollama model includes the remote server that answered")
  func remoteModel() throws {
    let body =
      #"{"model":"big:cloud","remote_model":"big","remote_host":"https://ollama.com:443","#
      + #""message":{"content":"A"},"done":true,"done_reason":"stop"}"#
    #expect(try Self.read(body, .ollamaChat).provenance.model == "big@https://ollama.com:443")
  }

  @Test("A rate limit per day is not waited for; one per minute is")
  func quotas() {
    func error(_ quota: String) -> BackendError {
      let body = """
        {"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[
        {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"\(quota)"}]},
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"48s"}]}}
        """
      return ServerFault.refused(status: 429, body: Array(body.utf8), hiding: nil)
    }
    #expect(error("GenerateRequestsPerDayPerProjectPerModel-FreeTier").kind == .quotaSpent)
    #expect(!error("GenerateRequestsPerDayPerProjectPerModel-FreeTier").canRetry)
    #expect(error("GenerateRequestsPerMinutePerProjectPerModel").kind == .rateLimited)
    #expect(error("GenerateRequestsPerMinutePerProjectPerModel").retryAfter == .seconds(48))
  }
}
