import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

/// Keys that a server repeats in pieces.
///
/// However events are framed and numbered, the key cannot be reassembled from the written data.
@Suite("Secrets in pieces")
struct SecretsInPiecesTests {
  /// The way in which events are joined into a body.
  struct Framing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: @Sendable ([String]) -> String

    init(_ name: String, _ body: @escaping @Sendable ([String]) -> String) {
      testDescription = name
      self.body = body
    }

    static func lines(_ name: String, end: String, before: String = "", label: String = "data: ")
      -> Framing
    {
      Framing(name) { events in
        before + events.map { "\(label)\($0)\(end)\(end)" }.joined() + "data: [DONE]\(end)\(end)"
      }
    }

    static let all: [Framing] = [
      .lines("line feeds", end: "\n"),
      .lines("carriage returns and line feeds", end: "\r\n"),
      .lines("bare carriage returns", end: "\r"),
      .lines("a byte order mark", end: "\n", before: "\u{FEFF}"),
      .lines("64 comments before", end: "\n", before: String(repeating: ": wait\n", count: 64)),
      .lines("comments, bare returns", end: "\r", before: String(repeating: ": wait\r", count: 90)),
      .lines("many fields before", end: "\n", before: String(repeating: "id: 7\n", count: 300)),
      .lines("unknown fields before", end: "\n", before: "since: 1\nretry: 5\nnothing\n"),
      .lines("no space", end: "\n", label: "data:"),
      .lines("names of events", end: "\n", label: "event: message\nid: 1\ndata: "),
      .lines("names of events behind", end: "\n", label: "data: {}\n\nevent: a\ndata: "),
      Framing("events over several lines") { events in
        events.map { event in
          "data: " + event.replacing(",\"", with: ",\ndata: \"") + "\n\n"
        }.joined()
      },
      Framing("comments between") { $0.map { "data: \($0)\n: still here\n\n" }.joined() },
      Framing("no end") { $0.map { "data: \($0)" }.joined(separator: "\n\n") },
      Framing("JSON in a row") { $0.joined(separator: "\n") + "\n" },
      Framing("JSON lines that end as on Windows") { $0.joined(separator: "\r\n") + "\r\n" },
      Framing("JSON lines after a byte order mark") { "\u{FEFF}" + $0.joined(separator: "\n") },
      Framing("JSON lines with blank ones between") { "\n" + $0.joined(separator: "\n\n \n") },
      Framing("a list") { "[" + $0.joined(separator: ",\n") + "]" },
      Framing("a list that comes in pieces") { "[" + $0.joined(separator: "\r\n,\r\n") + "\n]\n" },
    ]
  }

  /// The format of an event, and the way in which a reader takes a piece from it.
  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var event: @Sendable (Int, String) -> String
    var piece: @Sendable (JSONValue) -> String?

    init(
      _ name: String,
      _ path: String,
      _ event: @escaping @Sendable (Int, String) -> String
    ) {
      testDescription = name
      self.event = event
      piece = { $0.value(at: path)?.string }
    }

    init(
      _ name: String,
      piece: @escaping @Sendable (JSONValue) -> String?,
      _ event: @escaping @Sendable (Int, String) -> String
    ) {
      testDescription = name
      self.event = event
      self.piece = piece
    }

    /// Returns the text of a choice by its index; a choice without an index counts as 0.
    private static func content(of number: Int) -> @Sendable (JSONValue) -> String? {
      { event in
        (event["choices"]?.array ?? []).first { ($0["index"]?.integer ?? 0) == number }?
          .value(at: "delta.content")?.string
      }
    }

    static let all: [Shape] = [
      Shape("a choice", "choices.0.delta.content") {
        #"{"id":"c","choices":[{"index":0,"delta":{"content":"\#($1)"}}]}"#
      },
      Shape("a choice without number", "choices.0.delta.content") {
        #"{"choices":[{"delta":{"content":"\#($1)"}}]}"#
      },
      Shape("a number at times", piece: content(of: 0)) { place, text in
        let number = place % 2 == 0 ? #""index":0,"# : ""
        return #"{"choices":[{\#(number)"delta":{"content":"\#(text)"}}]}"#
      },
      Shape("choices that change place", piece: content(of: 1)) { place, text in
        let one = #"{"delta":{"content":"other "},"index":0}"#
        let two = #"{"delta":{"content":"\#(text)"},"index":1}"#
        return #"{"choices":[\#(place % 2 == 0 ? "\(one),\(two)" : "\(two),\(one)")]}"#
      },
      Shape("the other choice without number", piece: content(of: 1)) { place, text in
        let one = #"{"delta":{"content":"other "}}"#
        let two = #"{"index":1,"delta":{"content":"\#(text)"}}"#
        return
          #"{"choices":[\#(place % 3 == 0 ? "\(one),\(two)" : place % 3 == 1 ? two : "\(two),\(one)")]}"#
      },
      Shape("a refusal", "choices.0.delta.refusal") {
        #"{"choices":[{"index":0,"delta":{"refusal":"\#($1)"}}]}"#
      },
      Shape("reasoning", "choices.0.delta.reasoning_content") {
        #"{"choices":[{"index":0,"delta":{"reasoning_content":"\#($1)","content":null}}]}"#
      },
      Shape("the arguments of a call", "choices.0.delta.tool_calls.0.function.arguments") {
        #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":\#(0 * $0),"function":{"arguments":"\#($1)"}}]}}]}"#
      },
      Shape("completions", "choices.0.text") { #"{"choices":[{"index":0,"text":"\#($1)"}]}"# },
      Shape("responses", "delta") {
        #"{"type":"response.output_text.delta","output_index":0,"content_index":0,"sequence_number":\#($0),"delta":"\#($1)"}"#
      },
      Shape("blocks", "delta.text") {
        #"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"\#($1)"}}"#
      },
      Shape("parts of JSON", "delta.partial_json") {
        #"{"type":"content_block_delta","index":\#(0 * $0),"delta":{"partial_json":"\#($1)"}}"#
      },
      Shape(
        "blocks that begin with text",
        piece: { event in
          event.value(at: "delta.text")?.string ?? event.value(at: "content_block.text")?.string
        }
      ) { place, text in
        place == 1
          ? #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"\#(text)"}}"#
          : #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\#(text)"}}"#
      },
      Shape("parts of JSON of the second block", "delta.partial_json") {
        #"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\#($1)"},"n":\#($0)}"#
      },
      Shape("thoughts in blocks", "delta.thinking") {
        #"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\#($1)"},"n":\#($0)}"#
      },
      Shape("arguments of responses", "delta") {
        #"{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"sequence_number":\#($0),"delta":"\#($1)"}"#
      },
      Shape("refusals of responses", "delta") {
        #"{"type":"response.refusal.delta","output_index":0,"content_index":0,"sequence_number":\#($0),"delta":"\#($1)"}"#
      },
      Shape(
        "candidates after thoughts",
        piece: { event in
          event.value(at: "candidates.0.content.parts")?.array?.last?["text"]?.string
        }
      ) { place, text in
        let thought = place == 0 ? #"{"text":"They ask.","thought":true},"# : ""
        return
          #"{"candidates":[{"content":{"parts":[\#(thought){"text":"\#(text)"}],"role":"model"},"index":0}]}"#
      },
      Shape("thoughts in messages", "message.thinking") {
        #"{"model":"m","message":{"role":"assistant","content":"","thinking":"\#($1)"},"done":false,"n":\#($0)}"#
      },
      Shape("candidates", "candidates.0.content.parts.0.text") {
        #"{"candidates":[{"content":{"parts":[{"text":"\#($1)"}],"role":"model"}}]}"#
      },
      Shape("messages", "message.content") {
        #"{"model":"m","message":{"role":"assistant","content":"\#($1)"},"done":false,"n":\#($0)}"#
      },
      Shape("plain", "response") { #"{"model":"m","response":"\#($1)","n":\#($0)}"# },
    ]
  }

  /// Returns a secret in pieces of this length, between other texts.
  private func pieces(_ secret: String, of length: Int) -> [String] {
    let characters = Array(secret)
    return ["It is "]
      + stride(from: 0, to: characters.count, by: length).map {
        String(characters[$0..<min($0 + length, characters.count)])
      } + [", I think."]
  }

  /// Returns the text that a reader assembles from a body.
  private func text(_ body: [UInt8], _ shape: Shape) -> String {
    var stream = EventStream()
    var events = stream.take(body)
    events += stream.finish()
    var values = events.compactMap { try? JSONReader.value($0.data) }
    if values.isEmpty {
      if let list = try? JSONReader.value(body), case .array(let elements) = list {
        values = elements
      } else {
        values = body.withoutByteOrderMark.split(separator: 0x0A).compactMap {
          try? JSONReader.value(Array($0))
        }
      }
    }
    return values.compactMap(shape.piece).joined()
  }

  @Test(
    "A backend's own key is removed from a stream, whatever its framing and numbering",
    arguments: Framing.all,
    Shape.all
  )
  func ownKey(_ framing: Framing, _ shape: Shape) {
    let key = "correct-horse-battery-staple-9"
    let redaction = Redaction(known: [Secret(key)])
    for length in [1, 3, 16, 29] {
      let events = pieces(key, of: length).enumerated().map { shape.event($0.offset, $0.element) }
      let body = Array(framing.body(events).utf8)
      let before = text(body, shape)
      #expect(before == "It is \(key), I think.", "\(length)")
      let (exchange, findings) = redaction.redacted(Recording.fixture(body: body).exchange)
      let after = text(exchange.response.body, shape)
      #expect(!findings.isEmpty)
      #expect(after.hasPrefix("It is <redacted:key:") && after.hasSuffix(">, I think."), "\(after)")
      #expect(!String(decoding: exchange.response.body, as: UTF8.self).contains(key))
      let again = redaction.redacted(exchange)
      #expect(again.findings.isEmpty)
      #expect(again.exchange.response.body == exchange.response.body)
    }
  }

  @Test("A key with a known format is found in every framing", arguments: Framing.all)
  func anyKey(_ framing: Framing) {
    var fakes = FakeSecrets(seed: 31)
    for shape in Shape.all {
      let key = FakeSecrets.shapes[2].make(&fakes)
      let events = pieces(key, of: 9).enumerated().map { shape.event($0.offset, $0.element) }
      let body = Array(framing.body(events).utf8)
      let after = text(
        Redaction().redacted(Recording.fixture(body: body).exchange).exchange.response.body,
        shape
      )
      #expect(after.hasPrefix("It is <redacted:key:") && after.hasSuffix(">, I think."), "\(shape)")
    }
  }

  @Test("A stream without secrets keeps every byte", arguments: Framing.all, Shape.all)
  func clean(_ framing: Framing, _ shape: Shape) {
    let texts = ["Your ", "parcel left ", "on Monday, 23 ", "November."]
    let body = Array(
      framing.body(texts.enumerated().map { shape.event($0.offset, $0.element) }).utf8
    )
    let redacted = Redaction(known: [Secret("correct-horse-battery")]).redacted(
      Recording.fixture(body: body).exchange
    )
    #expect(redacted.exchange.response.body == body)
    #expect(redacted.findings.isEmpty)
  }

  @Test("A key is found across plain-text events, and across the parts of an answer")
  func otherPieces() {
    let key = "correct-horse-battery-staple-9"
    let redaction = Redaction(known: [Secret(key)])
    func redacted(_ body: String) -> String {
      let exchange = redaction.redacted(Recording.fixture(body: Array(body.utf8)).exchange).exchange
      return String(decoding: exchange.response.body, as: UTF8.self)
    }
    let plain = redacted("data: It is correct-hor\n\ndata: se-battery-staple-9.\n\n")
    #expect(plain.hasPrefix("data: It is <redacted:key:"))
    #expect(!plain.contains("battery"))
    let parts = redacted(
      #"{"choices":[{"message":{"content":[{"type":"text","text":"It is correct-horse-b"},{"type":"text","text":"attery-staple-9."}]}}]}"#
    )
    #expect(!parts.contains("attery") && !parts.contains("horse"))
    let encoded = Base64.encode(Array("the key is \(key), really".utf8))
    let halves = [encoded.prefix(30), encoded.dropFirst(30)]
    let base64 = redacted(
      halves.map { #"data: {"choices":[{"delta":{"content":"\#($0)"}}]}"# + "\n\n" }.joined()
    )
    #expect(!halves.contains { base64.contains($0) })
  }

  @Test("Event positions match the data that the event reader returns")
  func places() throws {
    var generator = SeededGenerator(seed: 77)
    let parts = [
      "data", "data:", "data: ", "\n", "\r", "\r\n", "\n\n", ":", "x", "event: a", " ", "[]",
      "\u{FEFF}", "data: a\ndata: b",
    ]
    for _ in 0..<20_000 {
      let body = Array(
        (0..<Int(generator.uniform(below: 12))).map { _ in
          parts[generator.uniform(below: parts.count)]
        }.joined().utf8
      )
      var stream = EventStream()
      var events = stream.take(body).map(\.data)
      events += stream.finish().map(\.data)
      let places = EventPlaces(body).events.map { lines in
        Array(lines.map { body[$0] }.joined(separator: [0x0A]))
      }
      try #require(places == events, "\(String(decoding: body, as: UTF8.self).debugDescription)")
    }
  }
}
