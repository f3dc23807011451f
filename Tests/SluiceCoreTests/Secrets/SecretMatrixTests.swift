import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// The forms of a key × the ways in which a streamed text grows × the framings of the events.
///
/// All splits are random with fixed seeds.
@Suite("Secrets in growing texts")
struct SecretMatrixTests {
  /// A form in which a server may repeat a key.
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: @Sendable (String) -> String

    init(_ name: String, _ text: @escaping @Sendable (String) -> String) {
      testDescription = name
      self.text = text
    }

    private static func hexadecimal(_ text: String, uppercase: Bool = false) -> [String] {
      text.utf8.map { byte in
        let digits = String(byte, radix: 16, uppercase: uppercase)
        return digits.count == 1 ? "0" + digits : digits
      }
    }

    private static func base64(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

    static let all: [Form] = [
      Form("verbatim") { $0 },
      Form("percent-encoded") { hexadecimal($0).map { "%\($0)" }.joined() },
      Form("percent-encoded in capitals") {
        "a=1&k=" + hexadecimal($0, uppercase: true).map { "%\($0)" }.joined()
      },
      Form("hexadecimal") { hexadecimal($0).joined() },
      Form("hexadecimal in capitals") { hexadecimal($0, uppercase: true).joined() },
      Form("hexadecimal in mixed case") {
        hexadecimal($0).enumerated().map {
          $0.offset % 3 == 0 ? $0.element.uppercased() : $0.element
        }.joined()
      },
      Form("hexadecimal around") { hexadecimal("key \($0)!").joined() },
      Form("base64") { base64($0) },
      Form("base64, one byte before") { base64("=" + $0 + " ") },
      Form("base64, two bytes before") { base64(": " + $0 + ", really") },
      Form("base64url") {
        base64("~~~ \($0) ~~~").replacing("+", with: "-").replacing("/", with: "_")
          .replacing("=", with: "")
      },
      Form("base64 twice") { base64(base64("key \($0) .")) },
      Form("decimal entities") { $0.utf8.map { "&#\($0);" }.joined() },
      Form("hexadecimal entities") { $0.utf8.map { "&#x\(String($0, radix: 16));" }.joined() },
      Form("named entities") {
        $0.replacing("-", with: "&hyphen;").replacing("_", with: "&lowbar;")
          .replacing("s", with: "&#115;")
      },
      Form("escapes of JSON in a text") {
        "{\"k\":\"" + hexadecimal($0).map { "\\u00\($0)" }.joined() + "\"}"
      },
      Form("JSON in a text") { "{\"k\":\"\($0)\"}" },
      Form("compressed") { Base64.encode(Gzip.compress(Array("the key is \($0)".utf8))) },
    ]
  }

  /// A protocol in which a text grows, as one event for each piece.
  struct Growth: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Returns the event with the piece at a position, for a text by its number.
    var event: @Sendable (_ text: Int, _ place: Int, _ piece: String) -> String
    /// True if the protocol has several texts, which are interleaved.
    var isNumbered: Bool

    init(
      _ name: String,
      isNumbered: Bool = false,
      _ event: @escaping @Sendable (Int, Int, String) -> String
    ) {
      testDescription = name
      self.isNumbered = isNumbered
      self.event = event
    }

    private static func choice(_ number: Int, _ rest: String) -> String {
      #"{"id":"c-1","choices":[{"index":\#(number),\#(rest)}]}"#
    }

    static let all: [Growth] = [
      Growth("texts", isNumbered: true) { choice($0, #""delta":{"content":\#($2)}"#) },
      Growth("lists of parts", isNumbered: true) {
        choice($0, #""delta":{"content":[{"type":"text","text":\#($2)}]}"#)
      },
      Growth("now a text, now a list of parts", isNumbered: true) { text, place, piece in
        choice(
          text,
          place % 2 == 0
            ? #""delta":{"content":\#(piece)}"#
            : #""delta":{"role":"assistant","content":[{"type":"text","text":\#(piece)}]}"#
        )
      },
      Growth("a text, then lists of parts with numbers", isNumbered: true) { text, place, piece in
        choice(
          text,
          place < 3
            ? #""delta":{"content":\#(piece)}"#
            : #""delta":{"content":[{"index":0,"type":"text","text":\#(piece)}]}"#
        )
      },
      Growth("parts of changing place") { _, place, piece in
        let thought = #"{"type":"thinking","thinking":[{"type":"text","text":"Hm. "}]},"#
        return choice(
          0,
          #""delta":{"content":[\#(place % 2 == 0 ? thought : ""){"type":"text","text":\#(piece)}]}"#
        )
      },
      Growth("lists of texts") { _, place, piece in
        choice(0, #""delta":{"content":\#(place % 3 == 0 ? piece : "[\(piece)]")}"#)
      },
      Growth("now a delta, now a message", isNumbered: true) { text, place, piece in
        choice(text, #""\#(place % 2 == 0 ? "delta" : "message")":{"content":\#(piece)}"#)
      },
      Growth("now completions, now a chat", isNumbered: true) { text, place, piece in
        choice(text, place % 2 == 0 ? #""text":\#(piece)"# : #""delta":{"content":\#(piece)}"#)
      },
      Growth("reasoning under two names", isNumbered: true) { text, place, piece in
        let name = place % 2 == 0 ? "reasoning" : "reasoning_content"
        return choice(text, #""delta":{"content":null,"\#(name)":\#(piece)}"#)
      },
      Growth("reasoning, now in details") { _, place, piece in
        choice(
          0,
          place % 2 == 0
            ? #""delta":{"reasoning":\#(piece)}"#
            : #""delta":{"reasoning_details":[{"type":"reasoning.text","text":\#(piece)}]}"#
        )
      },
      Growth("thoughts, now in a list of parts") { _, place, piece in
        choice(
          0,
          place % 2 == 0
            ? #""delta":{"reasoning_content":\#(piece)}"#
            : #""delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":\#(piece)}]}]}"#
        )
      },
      Growth("refusals, now in a list of parts", isNumbered: true) { text, place, piece in
        choice(
          text,
          place % 2 == 0
            ? #""delta":{"refusal":\#(piece)}"#
            : #""delta":{"content":[{"type":"refusal","refusal":\#(piece)}]}"#
        )
      },
      Growth("calls", isNumbered: true) { text, place, piece in
        let head = place == 0 ? #""id":"call_\#(text)","type":"function","# : ""
        return choice(
          0,
          #""delta":{"tool_calls":[{"index":\#(text),\#(head)"function":{"arguments":\#(piece)}}]}"#
        )
      },
      Growth("calls, also in the old form") { _, place, piece in
        choice(
          0,
          place % 2 == 0
            ? #""delta":{"tool_calls":[{"index":0,"function":{"arguments":\#(piece)}}]}"#
            : #""delta":{"function_call":{"arguments":\#(piece)}}"#
        )
      },
      Growth("names of calls") { _, place, piece in
        choice(0, #""delta":{"tool_calls":[{"index":0,"function":{"name":\#(piece)}}]}"#)
      },
      Growth("blocks", isNumbered: true) { text, place, piece in
        place == 0
          ? #"{"type":"content_block_start","index":\#(text),"content_block":{"type":"text","text":\#(piece)}}"#
          : #"{"type":"content_block_delta","index":\#(text),"delta":{"type":"text_delta","text":\#(piece)}}"#
      },
      Growth("a new block for each piece") { _, place, piece in
        #"{"type":"content_block_start","index":\#(place),"content_block":{"type":"text","text":\#(piece)}}"#
      },
      Growth("parts of JSON", isNumbered: true) {
        #"{"type":"content_block_delta","index":\#($0),"delta":{"type":"input_json_delta","partial_json":\#($2)},"n":\#($1)}"#
      },
      Growth("candidates", isNumbered: true) {
        #"{"candidates":[{"content":{"parts":[{"text":\#($2)}],"role":"model"},"index":\#($0)}],"n":\#($1)}"#
      },
      Growth("candidates after a thought") { _, place, piece in
        let thought = place % 2 == 0 ? #"{"text":"Hm. ","thought":true},"# : ""
        return
          #"{"candidates":[{"content":{"parts":[\#(thought){"text":\#(piece)}],"role":"model"}}]}"#
      },
      Growth("responses", isNumbered: true) {
        #"{"type":"response.output_text.delta","output_index":\#($0),"content_index":0,"sequence_number":\#($1),"delta":\#($2)}"#
      },
      Growth("parts of responses", isNumbered: true) {
        #"{"type":"response.output_text.delta","output_index":0,"content_index":\#($0),"sequence_number":\#($1),"delta":\#($2)}"#
      },
      Growth("responses that begin with a part", isNumbered: true) { text, place, piece in
        place == 0
          ? #"{"type":"response.content_part.added","output_index":\#(text),"content_index":0,"part":{"type":"output_text","text":\#(piece)}}"#
          : #"{"type":"response.output_text.delta","output_index":\#(text),"content_index":0,"delta":\#(piece)}"#
      },
      Growth("arguments of responses", isNumbered: true) { text, place, piece in
        place == 0
          ? #"{"type":"response.output_item.added","output_index":\#(text),"item":{"type":"function_call","arguments":\#(piece)}}"#
          : #"{"type":"response.function_call_arguments.delta","output_index":\#(text),"delta":\#(piece)}"#
      },
      Growth("messages, now plain") { _, place, piece in
        place % 2 == 0
          ? #"{"model":"m","message":{"role":"assistant","content":\#(piece)},"done":false}"#
          : #"{"model":"m","response":\#(piece),"done":false}"#
      },
      Growth("text deltas with a value") { _, place, piece in
        choice(
          0,
          place % 2 == 0
            ? #""delta":{"content":\#(piece)}"#
            : #""delta":{"content":[{"type":"text","text":{"value":\#(piece)}}]}"#
        )
      },
      Growth("blocks with numbers of their own", isNumbered: true) { text, _, piece in
        #"{"contentBlockDelta":{"delta":{"text":\#(piece)},"contentBlockIndex":\#(text)}}"#
      },
      Growth("thoughts of messages") { _, place, piece in
        #"{"model":"m","message":{"content":"","thinking":\#(piece)},"n":\#(place)}"#
      },
    ]
  }

  private typealias Framing = SecretsInPiecesTests.Framing

  /// Framings of events, the last of which differs from event to event.
  private static let framings: [Framing] = [
    .lines("line feeds", end: "\n"),
    .lines("carriage returns and line feeds", end: "\r\n"),
    .lines("bare carriage returns", end: "\r"),
    Framing("events over several lines") { events in
      events.map { event in
        "event: a\r\ndata: {\r\n: still here\r\nid: 1\r\ndata:\(event.dropFirst().dropLast())"
          + "\r\ndata: }\r\n\r\n"
      }.joined()
    },
    Framing("a bit of all") { events in
      events.enumerated().map { place, event in
        switch place % 4 {
        case 0: ": wait\n\ndata: \(event)\n\n"
        case 1: "id: \(place)\r\nevent: delta\r\ndata:\(event)\r\n\r\n"
        case 2: "data: " + event.replacing(":{", with: ":\ndata: {") + "\nretry: 5\n\n\n"
        default: "data: \(event)\r\r"
        }
      }.joined()
    },
    Framing("JSON in a row") { $0.joined(separator: "\n") + "\n" },
    Framing("a list") { "[" + $0.joined(separator: ",\r\n") + "]" },
  ]

  /// The shapes of keys whose words are short enough for many cases.
  private static let shapes = [4, 5, 6, 8, 10, 13, 15].map { FakeSecrets.shapes[$0] }

  /// Returns a text in random pieces.
  private static func pieces(_ text: String, _ fakes: inout FakeSecrets) -> [String] {
    var pieces: [String] = []
    var rest = Array(text.unicodeScalars)[...]
    let longest = 2 + fakes.generator.uniform(below: 30)
    while !rest.isEmpty {
      let count = min(rest.count, 1 + fakes.generator.uniform(below: longest))
      pieces.append(String(String.UnicodeScalarView(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return pieces
  }

  private static func json(_ text: String) -> String {
    String(decoding: JSONWriter.line(.string(text)), as: UTF8.self)
  }

  /// Returns events with the pieces of several texts, in a random order that keeps each text's own.
  private static func events(
    _ growth: Growth,
    _ texts: [String],
    _ fakes: inout FakeSecrets
  ) -> [String] {
    var waiting = texts.map { pieces($0, &fakes)[...] }
    var next = texts.map { _ in 0 }
    var events: [String] = []
    while waiting.contains(where: { !$0.isEmpty }) {
      let number = fakes.generator.uniform(below: texts.count)
      guard let piece = waiting[number].popFirst() else { continue }
      events.append(growth.event(number, next[number], json(piece)))
      next[number] += 1
    }
    return events
  }

  /// Returns the values of the events in a body.
  private static func values(_ body: [UInt8]) -> [JSONValue] {
    var stream = EventStream()
    let events = stream.take(body) + stream.finish()
    let values = events.compactMap { try? JSONReader.value($0.data) }
    if !values.isEmpty { return values }
    if let list = try? JSONReader.value(body).array { return list }
    return body.split(separator: 0x0A).compactMap { try? JSONReader.value(Array($0)) }
  }

  /// Returns the strings of an event that contain the text, except the thoughts before it.
  private static func texts(in value: JSONValue) -> [String] {
    switch value {
    case .string(let text): return text == "Hm. " ? [] : [text]
    case .array(let list): return list.flatMap(texts)
    case .object(let object):
      let kept = object.members.filter {
        !["id", "type", "role", "model"].contains($0.name)
      }
      return kept.flatMap { texts(in: $0.value) }
    case .null, .bool, .number, .exact: return []
    }
  }

  /// Returns the text with a number, as a reader assembles it.
  private static func text(_ number: Int, _ body: [UInt8], _ growth: Growth) -> String {
    values(body).filter { value in
      if !growth.isNumbered { return true }
      let text = value.jsonText
      return ["index", "output_index", "content_index", "contentBlockIndex"]
        .map { "\"\($0)\":\(number)" }.contains { text.contains($0) && !isZero($0, text) }
    }.flatMap(texts).joined()
  }

  /// Returns the text inside of compressed data in base64, which follows the word "is".
  private static func inflated(_ text: String) -> String {
    guard let encoded = text.split(separator: " ").first(where: { $0.hasPrefix("H4sI") }),
      let bytes = Base64.decode(String(encoded)),
      case .bytes(let inflated) = Gzip.inflate(bytes, limit: 1 << 20)
    else { return "" }
    return String(decoding: inflated, as: UTF8.self)
  }

  /// True if a number is a zero beside another number that tells the text.
  private static func isZero(_ number: String, _ text: String) -> Bool {
    number.hasSuffix(":0") && text.contains(/index":[1-9]/)
  }

  @Test(
    "A key is removed from a growing text in each form and framing, and the rest stays",
    arguments: Growth.all
  )
  func leaks(_ growth: Growth) {
    var fakes = FakeSecrets(seed: 44)
    let own = "correct-horse_battery-staple9"
    let redaction = Redaction(known: [Secret(own)])
    var leaks: [String] = []
    for (number, form) in Form.all.enumerated() {
      for turn in 0..<4 {
        let framing = Self.framings[fakes.generator.uniform(below: Self.framings.count)]
        let key =
          turn % 2 == 0 ? own : Self.shapes[(turn + number) % Self.shapes.count].make(&fakes)
        let hidden = form.text(key)
        let texts =
          growth.isNumbered
          ? [
            "It is \(hidden) , I think.", "Nothing to see here, really nothing.", "So: \(hidden) .",
          ]
          : ["It is \(hidden) , I think."]
        let body = Array(framing.body(Self.events(growth, texts, &fakes)).utf8)
        for (place, text) in texts.enumerated() {
          #expect(Self.text(place, body, growth) == text, "the test reads what it wrote")
        }
        let written = redaction.redacted(Recording.fixture(body: body).exchange).exchange
          .response.body
        for (place, text) in texts.enumerated() {
          let after = Self.text(place, written, growth)
          let ends = text.split(separator: hidden, omittingEmptySubsequences: false)
          let isRight =
            ends.count == 1
            ? after == text
            : after.hasPrefix(ends[0]) && after.hasSuffix(ends[1])
              && after.count > ends[0].count + ends[1].count
              && !after.contains(hidden) && !Self.inflated(after).contains(key.suffix(8))
              && (hidden.hasPrefix("H4sI")
                || !after.contains(hidden.suffix(12)) && !after.contains(hidden.prefix(12)))
          if !isRight {
            leaks.append("\(form.testDescription), \(framing.testDescription), \(turn): \(after)")
          }
        }
        let again = redaction.redacted(Recording.fixture(body: written).exchange)
        if again.exchange.response.body != written {
          leaks.append("not stable: \(form.testDescription), \(framing.testDescription), \(turn)")
        }
      }
    }
    #expect(leaks.count == 0, "\(leaks.count): \(leaks.prefix(4).joined(separator: "\n"))")
  }

  // MARK: The audit of what was recorded

  /// Returns the problems that the audit finds in the file of a recording, and the body in the file.
  ///
  /// The response arrives in random pieces, unless it is a whole one.
  private static func audited(
    _ user: String,
    _ body: [UInt8],
    isStream: Bool,
    _ redaction: Redaction,
    known: [Secret],
    _ fakes: inout FakeSecrets
  ) throws -> (problems: String, body: [UInt8]) {
    var recording = Recording.fixture(user: user, body: body)
    var end = 0
    while isStream, end < body.count {
      end = min(end + 1 + fakes.generator.uniform(below: 90), body.count)
      recording.exchange.response.arrivals.append(.init(milliseconds: Double(end), end: end))
    }
    recording.exchange = redaction.redacted(recording.exchange).exchange
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(recording)
    let system = InMemoryFileSystem()
    try system.write(file.bytes, to: RecordingProject.recordingsPath)
    let diagnostics = DiagnosticCollector()
    _ = RecordingAudit(known: known).check(
      RecordingProject.recordingsPath,
      in: system,
      diagnostics: diagnostics
    )
    return (
      diagnostics.diagnostics.map(\.description).joined(), recording.exchange.response.body
    )
  }

  @Test("The audit accepts what was recorded of a growing text", arguments: Growth.all)
  func audit(_ growth: Growth) throws {
    var fakes = FakeSecrets(seed: 46)
    let own = "correct-horse_battery-staple9"
    let redaction = Redaction(known: [Secret(own)])
    for (number, form) in Form.all.enumerated() {
      let key = number % 2 == 0 ? own : Self.shapes[number % Self.shapes.count].make(&fakes)
      let framing = Self.framings[fakes.generator.uniform(below: Self.framings.count)]
      let hidden = form.text(key)
      let texts = ["It is \(hidden) , I think.", "Nothing.", "So: \(hidden)"]
      let body = Self.events(growth, growth.isNumbered ? texts : [texts[0]], &fakes)
      let audited = try Self.audited(
        "Is it \(hidden) ?",
        Array(framing.body(body).utf8),
        isStream: number % 3 > 0,
        redaction,
        known: [Secret(own)],
        &fakes
      )
      #expect(audited.problems == "", "\(form), \(framing)")
    }
  }

  @Test(
    "The audit accepts what was recorded of any secret in any position",
    arguments: UnjudgedLeakTests.Spot.all
  )
  func audit(_ spot: UnjudgedLeakTests.Spot) throws {
    var fakes = FakeSecrets(seed: 47)
    let redaction = Redaction()
    for shape in FakeSecrets.shapes {
      let body = Array(spot.body(shape.make(&fakes)).utf8)
      for isStream in [false, true] {
        let audited = try Self.audited(
          "Hm?",
          body,
          isStream: isStream,
          redaction,
          known: [],
          &fakes
        )
        #expect(audited.problems == "", "\(shape)")
      }
    }
  }

  @Test("A judged text that only resembles a secret is recorded as it is, and the audit accepts it")
  func harmless() throws {
    var fakes = FakeSecrets(seed: 48)
    let texts = [
      "password: hunter22x", "the token is \(fakes.text(32))", "api_key=\(fakes.uuid())",
      "Set-Cookie: sid=\(fakes.text(24)); path=/",
      "user_\(fakes.text(26)) of org-\(fakes.text(24))",
      fakes.text(40), fakes.text(64, of: FakeSecrets.hexadecimal), "secret=\(fakes.text(40))",
      "https://app:swordfish@db.test/x",
      "Authorization: Basic " + Base64.encode(Array("ab:cd".utf8)),
      Base64.encode(Array("password: hunter22x, really".utf8)), "sk-your-api-key-goes-here",
    ]
    for text in texts {
      for growth in Growth.all {
        let body = Array(
          Self.framings[0].body(Self.events(growth, [text], &fakes)).utf8
        )
        let audited = try Self.audited(
          "Is \(text) right?",
          body,
          isStream: true,
          Redaction(),
          known: [],
          &fakes
        )
        #expect(audited.problems == "", "\(text), \(growth)")
        #expect(audited.body == body, "\(text), \(growth)")
      }
      for body in [text, "\"\(text)\"", "[\"\(text)\"]", "# \(text)\n\n- \(text)"] {
        let problems = try Self.audited(
          text,
          Array(body.utf8),
          isStream: false,
          Redaction(),
          known: [],
          &fakes
        ).problems
        #expect(problems == "", "\(body)")
      }
    }
  }

  @Test("Growing texts without a key keep every byte", arguments: Growth.all)
  func clean(_ growth: Growth) {
    var fakes = FakeSecrets(seed: 45)
    let redaction = Redaction(known: [Secret("correct-horse_battery-staple9")])
    for framing in Self.framings {
      let texts = (0..<(growth.isNumbered ? 3 : 1)).map {
        "Parcel \($0) left on Monday, 23 November (no. 4bf92f3577b34da6a3ce929d0e0e4736); "
          + "see https://a.test/?q=a%20b, or C%2B%2B &amp; aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91."
      }
      let body = Array(framing.body(Self.events(growth, texts, &fakes)).utf8)
      let redacted = redaction.redacted(Recording.fixture(body: body).exchange)
      #expect(redacted.exchange.response.body == body)
      #expect(redacted.findings.map(\.message) == [])
    }
  }
}
