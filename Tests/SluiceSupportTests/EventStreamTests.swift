import SluiceSupport
import Testing

@Suite("Event stream")
struct EventStreamTests {
  /// A stream with its expected events, each as its name, a bar and its data.
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var events: [String]

    init(_ name: String, _ text: String, _ events: [String]) {
      self.name = name
      self.text = text
      self.events = events
    }

    var testDescription: String { name }
  }

  static let samples = [
    Sample("nothing", "", []),
    Sample("one event", "data: a\n\n", ["|a"]),
    Sample("line feeds", "data: a\n\ndata: b\n\n", ["|a", "|b"]),
    Sample("carriage returns", "data: a\r\rdata: b\r\r", ["|a", "|b"]),
    Sample("both", "data: a\r\n\r\ndata: b\r\n\r\n", ["|a", "|b"]),
    Sample("all of them", "data: a\r\n\ndata: b\r\r\ndata: c\n\r", ["|a", "|b", "|c"]),
    Sample("a byte order mark", "\u{FEFF}data: a\n\n", ["|a"]),
    Sample("a byte order mark on a later line", "data: a\n\u{FEFF}data: b\n\n", ["|a"]),
    Sample("comments", ": waiting\n\n:\n: waiting\ndata: a\n: still\n\n", ["|a"]),
    Sample("no blank line at the end", "data: a\n\ndata: b\n", ["|a", "|b"]),
    Sample("no end of line at the end", "data: a\n\ndata: b", ["|a", "|b"]),
    Sample("several lines", "data: a\ndata: b\ndata\ndata:\n\n", ["|a\nb\n\n"]),
    Sample("no data", "event: ping\n\ndata: a\n\n", ["|a"]),
    Sample("empty data", "data:\n\ndata\n\ndata: \n\n", ["|", "|", "|"]),
    Sample("a name", "event: error\ndata: a\n\ndata: b\n\n", ["error|a", "|b"]),
    Sample("a name after the data", "data: a\nevent:x\n\n", ["x|a"]),
    Sample("two names", "event: x\nevent: y\ndata: a\n\n", ["y|a"]),
    Sample("an empty name", "event: x\nevent\ndata: a\n\n", ["|a"]),
    Sample("spaces", "data:  a \ndata:\tb\n\n", ["| a \n\tb"]),
    Sample("no space", "data:a\n\n", ["|a"]),
    Sample("other fields", "id: 1\nretry: 10\nfoo: bar\n data: x\nDATA: y\ndata: a\n\n", ["|a"]),
    Sample("colons", "data: a: b\ndata:: c\n\n", ["|a: b\n: c"]),
    Sample("bare JSON", "data: a\n\n{\"b\": 1}\n\ndata: c\n\n", ["|a", "error|{\"b\": 1}", "|c"]),
    Sample("indented bare JSON", "data: a\n\n  \t{\"b\": 1}\n\n", ["|a", "error|  \t{\"b\": 1}"]),
    Sample("bare JSON right after data", "data: a\n{\"b\": 1}", ["|a", "error|{\"b\": 1}"]),
    Sample(
      "bare JSON over several lines",
      "data: a\r\n\r\n[{\r\n  \"b\": 1\r\n}]\r\ndata: c",
      ["|a", "error|[{\n  \"b\": 1\n}]", "|c"]
    ),
    Sample("more blank lines", "\n\n\ndata: a\n\n\n\n", ["|a"]),
    Sample("text beyond ASCII", "data: é日🙂\n\n", ["|é日🙂"]),
    Sample(
      "JSON",
      "data: {\"a\": \"\\n\"}\r\n\r\ndata: [DONE]\r\n\r\n",
      ["|{\"a\": \"\\n\"}", "|[DONE]"]
    ),
  ]

  private func events(_ pieces: [ArraySlice<UInt8>]) -> [String] {
    var stream = EventStream()
    var events = pieces.flatMap { stream.take($0) }
    events += stream.finish()
    return events.map { "\($0.name ?? "")|\(String(decoding: $0.data, as: UTF8.self))" }
  }

  @Test("Events are read according to the standard", arguments: samples)
  func whole(_ sample: Sample) {
    #expect(events([Array(sample.text.utf8)[...]]) == sample.events)
  }

  @Test("A stream gives the same events wherever it is split", arguments: samples)
  func cut(_ sample: Sample) {
    let bytes = Array(sample.text.utf8)
    for cut in bytes.indices {
      #expect(events([bytes[..<cut], bytes[cut...]]) == sample.events)
    }
    #expect(events(bytes.indices.map { bytes[$0...$0] }) == sample.events)
  }

  @Test("An event is delivered as soon as its blank line begins")
  func promptly() {
    for blank in ["\n", "\r"] {
      var stream = EventStream()
      #expect(stream.take("data: a\(blank)".utf8).isEmpty)
      #expect(stream.take(blank.utf8) == [EventStream.Event(data: Array("a".utf8))])
    }
  }

  @Test(
    "A body is recognized as a stream by its beginning",
    arguments: [
      ("data: a", true), ("event: a", true), ("id: 1", true), ("retry: 1", true), (": hi", true),
      ("\u{FEFF}data: a", true), ("\n\r\n data: a", true), ("{\"data\": 1}", false), ("", false),
      ("data", false), ("[]", false), ("<html>", false),
    ]
  )
  func likely(body: String, isStream: Bool) {
    #expect(EventStream.isLikely(Array(body.utf8)) == isStream)
  }
}
