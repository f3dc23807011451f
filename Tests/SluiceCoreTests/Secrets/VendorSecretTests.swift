import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Keys in complete streams of every API, some of whose events repeat earlier text.
@Suite("Secrets in answers of each API")
struct VendorSecretTests {
  private static let key = "correct-horse-battery-staple-9"

  /// Returns a text that contains the key, in pieces of this length.
  private func pieces(of length: Int) -> [String] {
    let characters = Array(Self.key)
    return ["It is "]
      + stride(from: 0, to: characters.count, by: length).map {
        String(characters[$0..<min($0 + length, characters.count)])
      } + [", I think."]
  }

  private func redacted(_ body: String, inPiecesOf length: Int? = nil) -> RawResponse {
    var recording = Recording.fixture(body: Array(body.utf8))
    if let length {
      let count = recording.exchange.response.body.count
      recording.exchange.response.arrivals = stride(from: length, to: count + length, by: length)
        .map { RawResponse.Arrival(milliseconds: Double($0), end: min($0, count)) }
    }
    return Redaction(known: [Secret(Self.key)]).redacted(recording.exchange).exchange.response
  }

  @Test(
    "A key in a stream is removed from its bytes and its text, wherever it is split",
    arguments: VendorServer.all,
    [1, 3, 16, 29]
  )
  func stream(_ server: VendorServer, length: Int) throws {
    let body = server.framed(server.events(pieces(of: length)))
    for arrival in [nil, 5, 64] {
      let response = redacted(body, inPiecesOf: arrival)
      let text = try #require(try AnswerReader.read(response, server.api).text)
      #expect(text.hasPrefix("It is <redacted:key:") && text.hasSuffix(">, I think."), "\(text)")
      #expect(!String(decoding: response.body, as: UTF8.self).contains("battery"))
      #expect(response.arrivals.last.map { $0.end == response.body.count } != false)
    }
  }

  @Test("A key in the text of a complete answer is found", arguments: VendorServer.all)
  func whole(_ server: VendorServer) throws {
    let response = redacted(server.whole("It is \(Self.key), I think.").jsonText)
    let text = try #require(try AnswerReader.read(response, server.api).text)
    #expect(text.hasPrefix("It is <redacted:key:") && text.hasSuffix(">, I think."), "\(text)")
  }

  /// Complete answers with two parts that together form the key.
  private static let divided: [(ModelAPI, String)] = [
    (
      .responses,
      #"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"It is HEAD"}]},{"type":"message","content":[{"type":"output_text","text":"TAIL, I think."}]}]}"#
    ),
    (
      .messages(.init()),
      #"{"content":[{"type":"text","text":"It is HEAD"},{"type":"text","text":"TAIL, I think."}],"stop_reason":"end_turn"}"#
    ),
    (
      .generateContent,
      #"{"candidates":[{"content":{"parts":[{"text":"It is HEAD"},{"text":"TAIL, I think."}]},"finishReason":"STOP"}]}"#
    ),
    (
      .generateContent,
      #"[{"candidates":[{"content":{"parts":[{"text":"It is HEAD"}]}}]},{"candidates":[{"content":{"parts":[{"text":"TAIL, I think."}]},"finishReason":"STOP"}]}]"#
    ),
  ]

  @Test("A key split between two parts of a complete answer is found", arguments: divided)
  func twoParts(_ api: ModelAPI, _ body: String) throws {
    let body = body.replacing("HEAD", with: Self.key.prefix(14))
      .replacing("TAIL", with: Self.key.dropFirst(14))
    #expect(try AnswerReader.read(redactedNothing(body), api).text == "It is \(Self.key), I think.")
    let text = try #require(try AnswerReader.read(redacted(body), api).text)
    #expect(text.hasPrefix("It is <redacted:key:") && text.hasSuffix(">, I think."), "\(text)")
  }

  private func redactedNothing(_ body: String) -> RawResponse {
    Recording.fixture(body: Array(body.utf8)).exchange.response
  }

  @Test("A key in the pieces of a tool call's arguments is found", arguments: [1, 4, 11])
  func arguments(length: Int) throws {
    let arguments = Array("{\"key\": \"\(Self.key)\", \"day\": 1}")
    let pieces = stride(from: 0, to: arguments.count, by: length).map {
      String(arguments[$0..<min($0 + length, arguments.count)])
    }
    let messages = VendorServer(.messages(.init()))
    let blocks: [JSONValue] =
      [
        [
          "type": "content_block_start", "index": 0,
          "content_block": ["type": "tool_use", "id": "t1", "name": "open", "input": [:]],
        ]
      ]
      + pieces.map { piece -> JSONValue in
        [
          "type": "content_block_delta", "index": 0,
          "delta": ["type": "input_json_delta", "partial_json": .string(piece)],
        ]
      }
    let responses = VendorServer(.responses)
    let deltas = pieces.map { piece -> JSONValue in
      [
        "type": "response.function_call_arguments.delta", "output_index": 0,
        "delta": .string(piece),
      ]
    }
    let item: JSONValue = [
      "type": "function_call", "call_id": "t1", "name": "open",
      "arguments": .string(String(arguments)),
    ]
    let end: JSONValue = [
      "type": "response.completed", "response": ["status": "completed", "output": [item]],
    ]
    for (server, events) in [
      (messages, Array(messages.start.prefix(1)) + blocks + messages.end("")),
      (responses, deltas + [end]),
    ] {
      let response = redacted(server.framed(events))
      let call = try #require(try AnswerReader.read(response, server.api).toolCalls.first)
      #expect(call.arguments.hasPrefix(#"{"key": "<redacted:key:"#), "\(call.arguments)")
      #expect(call.arguments.hasSuffix(#">", "day": 1}"#), "\(call.arguments)")
      let body = String(decoding: response.body, as: UTF8.self)
      #expect(!body.contains("battery"))
      // The remaining pieces must not be joinable.
      let left = WireReading.events(response.body).map { event in
        event.text("delta") + event.object("delta").text("partial_json")
      }
      #expect(!left.joined().contains("horse-battery"))
    }
  }
}
