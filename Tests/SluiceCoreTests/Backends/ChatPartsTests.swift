@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Chat parts")
struct ChatPartsTests {
  /// Returns the choice assembled from pieces, each the value of `delta`.
  private func choice(_ deltas: [String]) throws -> ModelResponse.Choice {
    var parts = ChatParts()
    for delta in deltas { parts.take(try JSONReader.value(#"{"delta":\#(delta)}"#), "delta") }
    return parts.choice
  }

  /// A dialect of streamed calls, with the expected result.
  struct Calls: Sendable, CustomTestStringConvertible {
    var name: String
    var deltas: [String]
    var calls: [ToolCall]

    init(_ name: String, _ deltas: [String], _ calls: [(String, String, String)]) {
      self.name = name
      self.deltas = deltas.map { #"{"tool_calls":[\#($0)]}"# }
      self.calls = calls.map { ToolCall(id: $0.0, name: $0.1, arguments: $0.2) }
    }

    var testDescription: String { name }
  }

  static let dialects = [
    Calls(
      "OpenAI",
      [
        #"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
        #"{"index":0,"function":{"arguments":"{\"x\""}}"#,
        #"{"index":0,"function":{"arguments":":1}"}}"#,
        #"{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}"#,
        #"{"index":1,"function":{"arguments":"{}"}}"#,
      ],
      [("a", "f", #"{"x":1}"#), ("b", "g", "{}")]
    ),
    Calls(
      "a null id and a type on continuations",
      [
        #"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
        #"{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{"}}"#,
        #"{"index":0,"id":"","function":{"name":"","arguments":"}"}}"#,
      ],
      [("a", "f", "{}")]
    ),
    Calls(
      "the id on every piece",
      [
        #"{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}"#,
        #"{"index":0,"id":"a","function":{"arguments":"}"}}"#,
      ],
      [("a", "f", "{}")]
    ),
    Calls(
      "Mistral: all in one piece, without types",
      [
        #"{"id":"a","function":{"name":"f","arguments":"{}"},"index":0},{"id":"b","function":{"name":"g","arguments":"{}"},"index":1}"#
      ],
      [("a", "f", "{}"), ("b", "g", "{}")]
    ),
    Calls(
      "Gemini: neither index nor id",
      [
        #"{"id":"","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}"#,
        #"{"id":"","type":"function","function":{"name":"f","arguments":"{\"x\":2}"}}"#,
      ],
      [("", "f", #"{"x":1}"#), ("", "f", #"{"x":2}"#)]
    ),
    Calls(
      "Ollama: the same index for two calls",
      [
        #"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#,
        #"{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}"#,
      ],
      [("a", "f", "{}"), ("b", "g", "{}")]
    ),
    Calls(
      "arguments as an object",
      [#"{"index":0,"id":"a","function":{"name":"f","arguments":{"x":[1]}}}"#],
      [("a", "f", #"{"x":[1]}"#)]
    ),
    Calls(
      "no parameters",
      [#"{"index":0,"id":"a","function":{"name":"f","arguments":""}}"#],
      [("a", "f", "")]
    ),
    Calls(
      "the name after the id",
      [
        #"{"index":0,"id":"a","function":{"arguments":""}}"#,
        #"{"index":0,"function":{"name":"f","arguments":"{}"}}"#,
      ],
      [("a", "f", "{}")]
    ),
    Calls(
      "interleaved",
      [
        #"{"index":0,"id":"a","function":{"name":"f","arguments":""}}"#,
        #"{"index":1,"id":"b","function":{"name":"g","arguments":""}}"#,
        #"{"index":0,"function":{"arguments":"{0}"}}"#,
        #"{"index":1,"function":{"arguments":"{1}"}}"#,
      ],
      [("a", "f", "{0}"), ("b", "g", "{1}")]
    ),
    Calls("an empty call", [#"{"index":0,"id":"","function":{"name":"","arguments":""}}"#], []),
  ]

  @Test("Streamed tool calls are assembled in every dialect", arguments: dialects)
  func calls(_ dialect: Calls) throws {
    #expect(try choice(dialect.deltas).toolCalls == dialect.calls)
  }

  @Test("An empty list of calls is read as none, and the old form of a call is read")
  func odd() throws {
    #expect(try choice([#"{"tool_calls":null}"#, #"{"tool_calls":[]}"#, "{}"]).toolCalls == [])
    #expect(
      try choice([
        #"{"function_call":{"name":"f","arguments":"{"}}"#,
        #"{"function_call":{"arguments":"}"}}"#,
      ]).toolCalls == [ToolCall(id: "", name: "f", arguments: "{}")]
    )
  }

  @Test(
    "Reasoning is kept apart from the answer, under any of its names",
    arguments: [
      [#"{"reasoning_content":"hm "}"#, #"{"reasoning_content":"ok","content":null}"#],
      [#"{"reasoning":"hm ok"}"#], [#"{"reasoning":"hm ok","reasoning_content":"hm ok"}"#],
      [#"{"reasoning":"hm ok","reasoning_details":[{"text":"hm ok"}]}"#],
      [#"{"reasoning_details":[{"type":"x","text":"hm "},{"text":"ok"},{"data":"…"}]}"#],
      [
        #"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm ok"}]}]}"#,
        #"{"content":[{"type":"reference"}]}"#,
      ],
    ]
  )
  func reasoning(deltas: [String]) throws {
    let read = try choice(deltas + [#"{"content":"yes"}"#])
    #expect(read.reasoning == "hm ok")
    #expect(read.text == "yes")
  }

  @Test("A piece is visible if it contains text or a refusal")
  func visible() throws {
    for (delta, isVisible) in [
      (#"{"content":"a"}"#, true), (#"{"content":""}"#, false), (#"{"content":null}"#, false),
      ("{}", false), (#"{"refusal":"no"}"#, true), (#"{"reasoning":"hm"}"#, false),
      (#"{"content":[{"type":"text","text":"a"}]}"#, true),
      (#"{"tool_calls":[{"function":{"name":"f"}}]}"#, false),
    ] {
      var parts = ChatParts()
      let piece = try JSONReader.value(#"{"delta":\#(delta)}"#)
      #expect(parts.take(piece, "delta") == isVisible)
    }
  }

  @Test("If a choice has both a message and a delta, the requested one is used")
  func both() throws {
    let piece = try JSONReader.value(
      #"{"delta":{"content":"d"},"message":{"content":"m"},"finish_reason":""}"#
    )
    for (key, text) in [("delta", "d"), ("message", "m")] {
      var parts = ChatParts()
      parts.take(piece, key)
      #expect(parts.choice.text == text)
      #expect(parts.choice.finishReason == nil)
    }
  }
}
