package import Sluice

/// A server of a vendor's API, which sends answers whole or in pieces.
package struct VendorServer: Sendable, CustomStringConvertible {
  package var api: ModelAPI

  package init(_ api: ModelAPI) { self.api = api }

  /// One server for each API.
  package static let all = [
    ModelAPI.chatCompletions, .responses, .messages(.init()), .generateContent, .ollamaChat,
  ].map { VendorServer($0) }

  package var description: String { api.type }

  /// Returns the endpoint of the model at a server.
  package func endpoint(_ url: String, isStreamed: Bool, key: ServerAccess.KeyReference? = nil)
    -> ModelEndpoint
  {
    ModelEndpoint(
      api,
      server: ServerAccess(url: url, key: key),
      model: "sorter-1",
      isStreamed: isStreamed
    )
  }

  /// Returns the text of a request's last message, or `nil` if the body has none.
  package func message(in body: JSONValue) -> String? {
    let names = ModelAPI.messageNames(in: api.name())
    let content = body[names.list]?.array?.last?[names.content]
    return content?.string ?? content?.value(at: "0.text")?.string
  }

  // MARK: Answers

  /// Returns a whole answer.
  package func whole(_ text: String) -> JSONValue {
    switch api {
    case .chatCompletions:
      [
        "model": "sorter-1",
        "choices": [
          [
            "index": 0, "message": ["role": "assistant", "content": .string(text)],
            "finish_reason": "stop",
          ]
        ],
        "usage": ["prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110],
      ]
    case .responses: Self.response("completed", text)
    case .messages:
      [
        "type": "message", "role": "assistant", "model": "sorter-1",
        "content": [["type": "text", "text": .string(text)]], "stop_reason": "end_turn",
        "usage": ["input_tokens": 100, "output_tokens": 10],
      ]
    case .generateContent: Self.candidate(text, isLast: true)
    case .ollamaChat: Self.line(text, isLast: true)
    }
  }

  /// Returns the events of an answer in pieces.
  package func events(_ pieces: [String]) -> [JSONValue] {
    start + pieces.map(piece) + end(pieces.joined())
  }

  /// The events before the first piece.
  package var start: [JSONValue] {
    switch api {
    case .responses:
      [
        ["type": "response.created", "response": Self.response("in_progress", nil)],
        [
          "type": "response.output_item.added", "output_index": 0,
          "item": ["id": "msg_1", "type": "message", "role": "assistant", "content": []],
        ],
      ]
    case .messages:
      [
        [
          "type": "message_start",
          "message": [
            "type": "message", "role": "assistant", "model": "sorter-1", "content": [],
            "stop_reason": .null, "usage": ["input_tokens": 100, "output_tokens": 1],
          ],
        ],
        [
          "type": "content_block_start", "index": 0,
          "content_block": ["type": "text", "text": ""],
        ],
        ["type": "ping"],
      ]
    case .chatCompletions, .generateContent, .ollamaChat: []
    }
  }

  /// Returns the event of a piece.
  package func piece(_ text: String) -> JSONValue {
    switch api {
    case .chatCompletions:
      [
        "model": "sorter-1",
        "choices": [["index": 0, "delta": ["content": .string(text)], "finish_reason": .null]],
      ]
    case .responses:
      [
        "type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
        "content_index": 0, "delta": .string(text),
      ]
    case .messages:
      [
        "type": "content_block_delta", "index": 0,
        "delta": ["type": "text_delta", "text": .string(text)],
      ]
    case .generateContent: Self.candidate(text, isLast: false)
    case .ollamaChat: Self.line(text, isLast: false)
    }
  }

  /// Returns the events after the last piece.
  package func end(_ text: String) -> [JSONValue] {
    switch api {
    case .chatCompletions:
      [["model": "sorter-1", "choices": [["index": 0, "delta": [:], "finish_reason": "stop"]]]]
    case .responses:
      [["type": "response.completed", "response": Self.response("completed", text)]]
    case .messages:
      [
        ["type": "content_block_stop", "index": 0],
        [
          "type": "message_delta", "delta": ["stop_reason": "end_turn"],
          "usage": ["output_tokens": 10],
        ],
        ["type": "message_stop"],
      ]
    case .generateContent: [Self.candidate("", isLast: true)]
    case .ollamaChat: [Self.line("", isLast: true)]
    }
  }

  /// Returns events in the API's framing.
  ///
  /// Events of the Responses API get their sequence numbers here.
  package func framed(_ events: [JSONValue], from first: Int = 0) -> String {
    let lines = events.enumerated().map { number, event in
      guard api == .responses, var object = event.object else { return event.jsonText }
      object["sequence_number"] = .number(Double(first + number))
      return JSONValue.object(object).jsonText
    }
    switch api {
    case .chatCompletions:
      let isEnded = events.last?.value(at: "choices.0.finish_reason")?.string != nil
      return lines.map { "data: \($0)\n\n" }.joined() + (isEnded ? "data: [DONE]\n\n" : "")
    case .responses, .messages:
      return zip(events, lines).map { event, line in
        "event: \(event["type"]?.string ?? "")\ndata: \(line)\n\n"
      }.joined()
    case .generateContent: return lines.map { "data: \($0)\r\n\r\n" }.joined()
    case .ollamaChat: return lines.map { $0 + "\n" }.joined()
    }
  }

  /// Returns an answer in pieces of one character each.
  package func stream(_ text: String) -> String { framed(events(text.map { String($0) })) }

  /// The content type of a stream.
  package var streamType: String {
    api == .ollamaChat ? "application/x-ndjson" : "text/event-stream"
  }

  // MARK: Errors

  /// Returns an error in the vendor's format.
  ///
  /// - Parameters:
  ///   - status: The status, which some vendors repeat in the body.
  ///   - message: The message.
  ///   - isEvent: True for an event of a stream.
  /// - Returns: The body or the event.
  package func error(_ status: Int, _ message: String, isEvent: Bool = false) -> JSONValue {
    let isLimit = status == 429
    switch api {
    case .chatCompletions, .responses:
      let code: JSONValue = isLimit ? "rate_limit_exceeded" : "server_error"
      if isEvent, api == .responses {
        return ["type": "error", "code": code, "message": .string(message), "param": .null]
      }
      return [
        "error": [
          "message": .string(message), "type": isLimit ? "requests" : "server_error",
          "param": .null, "code": code,
        ]
      ]
    case .messages:
      let type: JSONValue = isLimit ? "rate_limit_error" : "overloaded_error"
      return [
        "type": "error", "error": ["type": type, "message": .string(message)],
        "request_id": "req_1",
      ]
    case .generateContent:
      var error: JSONObject = [
        "code": .number(Double(status)), "message": .string(message),
        "status": isLimit ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE",
      ]
      if isLimit {
        error["details"] = [
          ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.5s"]
        ]
      }
      return ["error": .object(error)]
    case .ollamaChat: return ["error": .string(message)]
    }
  }

  // MARK: Parts

  /// Returns a response of OpenAI's Responses API.
  ///
  /// Without a text, it has no output yet.
  package static func response(_ status: String, _ text: String?, error: JSONValue = .null)
    -> JSONValue
  {
    let output: [JSONValue] =
      text.map { text in
        [
          ["id": "rs_1", "type": "reasoning", "summary": []],
          [
            "id": "msg_1", "type": "message", "role": "assistant",
            "content": [["type": "output_text", "text": .string(text), "annotations": []]],
          ],
        ]
      } ?? []
    return [
      "object": "response", "status": .string(status), "error": error,
      "incomplete_details": .null, "model": "sorter-1", "output": .array(output),
      "usage": text == nil ? .null : ["input_tokens": 100, "output_tokens": 10],
    ]
  }

  private static func candidate(_ text: String, isLast: Bool) -> JSONValue {
    var candidate: JSONObject = [
      "content": ["parts": [["text": .string(text)]], "role": "model"], "index": 0,
    ]
    if isLast { candidate["finishReason"] = "STOP" }
    return [
      "candidates": [.object(candidate)],
      "usageMetadata": isLast
        ? ["promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110]
        : ["promptTokenCount": 100, "totalTokenCount": 100],
      "modelVersion": "sorter-1",
    ]
  }

  private static func line(_ text: String, isLast: Bool) -> JSONValue {
    var line: JSONObject = [
      "model": "sorter-1", "message": ["role": "assistant", "content": .string(text)],
      "done": .bool(isLast),
    ]
    if isLast {
      line["done_reason"] = "stop"
      line["prompt_eval_count"] = 100
      line["eval_count"] = 10
    }
    return .object(line)
  }
}
