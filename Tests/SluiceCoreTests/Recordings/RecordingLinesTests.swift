import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Recording lines")
struct RecordingLinesTests {
  private func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  private func roundTrip(_ recording: Recording) throws -> Recording {
    let (line, parts) = RecordingLines.line(of: recording)
    return try line.withUnsafeBytes { line in
      try RecordingLines.recording(line) { digest in
        parts[digest].flatMap { try? JSONReader.value($0) }
      }
    }
  }

  // MARK: The form of a line

  @Test("A line contains the exchange, who answered and when, and what explains a miss")
  func wholeLine() {
    let recording = Recording.fixture(
      body: Array(
        """
        {"model":"sorter-1","choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":9}}
        """.utf8
      )
    )
    let parts = RecordingLines.line(of: recording).parts.mapValues { text($0) }
    let frame = parts.first { $0.value.contains("api") }?.key ?? ""
    let source = parts.first { $0.value.contains("host") }?.key ?? ""
    #expect(
      parts == [
        frame: #"{"api":"openai-chat","backend":"server","#
          + #""body":{"model":"sorter-1","temperature":0},"model":"sorter-1"}"#,
        source: #"{"answered-by":{"host":"https://models.test","model":"sorter-1"},"#
          + #""headers":{"content-type":"application/json"},"prompt":"v1","#
          + #""recorder":"sluice \#(Version.current)","suite":"triage","#
          + #""template-digest":"fedcba9876543210"}"#,
      ]
    )
    let unsealed = #"""
      {"schema":3,\#
      "key":"404c13ad3c5a2990a977ca6892af9e7607d766a915a38232da6a4cf2d7b3ed80","repeat":1,\#
      "source":"\#(source)","recorded":"2026-11-21T12:00:19Z",\#
      "hints":{"case":"where","input-digest":"0123456789abcdef"},\#
      "parts":{"user message":"4c56b63554ad7c9c"},\#
      "request":{"frame":"\#(frame)",\#
      "messages":[{"role":"user","content":"Where is it?"}]},\#
      "response":{"status":200,\#
      "body":{"model":"sorter-1","choices":[{"message":{"content":"a"}}],\#
      "usage":{"prompt_tokens":9}}},\#
      "timings":{"connect-ms":1,"first-byte-ms":200.125,"total-ms":250.5},"usage":{"input":9}
      """#
    let digest = SHA256.hexadecimal((unsealed + "}").utf8)
    let line = RecordingLines.line(of: recording).line
    #expect(text(line) == unsealed + #","digest":"\#(digest)"}"#)
  }

  @Test(
    "The route of an answer is stored, and only an import keeps its times",
    arguments: AnswerRoute.allCases
  )
  func route(route: AnswerRoute) throws {
    var recording = Recording.fixture()
    recording.exchange.response.via = route
    let (line, parts) = RecordingLines.line(of: recording)
    #expect(text(line).contains(#","usage":null,"via":"\#(route.rawValue)","digest":""#))
    let read = try line.withUnsafeBytes { bytes in
      try RecordingLines.recording(bytes) { digest in
        parts[digest].flatMap { try? JSONReader.value($0) }
      }
    }
    #expect(read.exchange.response == recording.exchange.response)
    let answer = try ResponseReader.response(in: read.exchange)
    #expect(answer.provenance.via == route)
    #expect(answer.timings.total == (route == .import ? 250.5 : nil))
  }

  @Test("A recording with an unknown route is refused")
  func unknownRoute() throws {
    let (line, parts) = RecordingLines.line(of: Recording.fixture())
    let unsealed = text(line).split(separator: #","digest""#)[0] + #","via":"pigeon"}"#
    let sealed = RecordingLines.sealed(Array(unsealed.utf8))
    let fault = #expect(throws: RecordingLines.Problem.self) {
      try sealed.withUnsafeBytes { bytes in
        try RecordingLines.recording(bytes) { digest in
          parts[digest].flatMap { try? JSONReader.value($0) }
        }
      }
    }
    #expect(fault?.message == "this version does not know the recording's value of 'via'")
    #expect(fault?.fix == "update sluice, or record the answer again")
  }

  @Test("A stand-in is stored as such")
  func standIn() {
    var recording = Recording.fixture()
    recording.exchange.response.headers = [HTTPHeader("x-sluice-stand-in", "sorter")]
    let source = RecordingLines.line(of: recording).parts.values.map { text($0) }
      .first { $0.contains("host") }
    #expect(
      source?.hasPrefix(
        #"{"answered-by":{"host":"https://models.test","stand-in":"sorter"}"#
      ) == true
    )
  }

  @Test("A header that varies per answer is stored in the line, and the others in a shared part")
  func headers() throws {
    var recording = Recording.fixture()
    recording.exchange.response.headers = [
      HTTPHeader("content-type", "application/json"), HTTPHeader("openai-processing-ms", "207"),
      HTTPHeader("openai-version", "2020-10-01"), HTTPHeader("server-timing", "model;dur=1"),
    ]
    let (line, parts) = RecordingLines.line(of: recording)
    #expect(
      text(line).contains(
        #""headers":{"openai-processing-ms":"207","server-timing":"model;dur=1"}"#
      )
    )
    #expect(
      parts.values.map { text($0) }.contains {
        $0.contains(
          #""headers":{"content-type":"application/json","openai-version":"2020-10-01"}"#
        )
      }
    )
    #expect(try roundTrip(recording) == recording)
  }

  // MARK: Round trips

  @Test("A recording is read back unchanged")
  func wholeRoundTrip() throws {
    let long = String(repeating: "Say what kind of message it is. ", count: 10)
    var recording = Recording.fixture(
      user: long + "🙂\u{0}\"\\\n\u{2028}",
      system: long,
      parameters: ["temperature": 0.7, "stop": ["a", "b"], "tools": .string(long)],
      fingerprint: "v7",
      repetition: 12
    )
    recording.exchange.response.headers.append(HTTPHeader("server-timing", #"model;desc="a, b""#))
    recording.exchange.response.timings = ResponseTimings(total: 0)
    recording.exchange.response.status = 203
    #expect(try roundTrip(recording) == recording)
  }

  @Test("A fallback and the user's time are read back unchanged")
  func fallback() throws {
    var recording = Recording.fixture()
    recording.exchange.response.fallback = StreamFallback(reason: .tls, milliseconds: 0.5)
    recording.exchange.response.timings.user = 900
    #expect(try roundTrip(recording) == recording)
    let line = text(RecordingLines.line(of: recording).line)
    #expect(line.contains(#""fallback":{"reason":"tls","after-ms":0.5},"body":"#))
    // A kind that this version does not know.
    let later = Array(line.replacing(#""reason":"tls""#, with: #""reason":"boredom""#).utf8)
    #expect(throws: RecordingLines.Problem.self) {
      try later.withUnsafeBytes { try RecordingLines.recording($0) { _ in nil } }
    }
  }

  /// A body with the name of the member in which it is stored.
  struct Body: CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var member: String

    init(_ name: String, _ text: String, _ member: String) {
      self.init(name, Array(text.utf8), member)
    }

    init(_ name: String, _ bytes: [UInt8], _ member: String) {
      self.name = name
      self.bytes = bytes
      self.member = member
    }

    var testDescription: String { name }
  }

  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  @Test(
    "A body is read back byte for byte, and is stored as readably as possible",
    arguments: [
      Body("an object", #"{"a":[1,-0.5,1e-7,true,null,"é🙂\n"]}"#, "body"),
      Body("a string", #""a""#, "body"), Body("null", "null", "body"),
      Body("an array", "[]", "body"),
      Body("a lone surrogate", #"{"a":"\ud800"}"#, "body-text"),
      Body("an escape that none is needed for", #"{"a":"\u00e9\/"}"#, "body-text"),
      Body("a repeated member", #"{"a":1,"a":2}"#, "body-text"),
      Body("a number written otherwise", #"{"a":1.0}"#, "body-text"),
      Body("an integer that no double holds", #"{"a":12345678901234567890}"#, "body"),
      Body("a decimal of many digits", #"{"a":0.1000000000000000055}"#, "body"),
      Body("an integer that RFC 8785 rounds", #"{"a":1152921504606846976}"#, "body-text"),
      Body("a number beyond doubles", #"{"a":1e400}"#, "body-text"),
      Body("negative zero", "-0", "body-text"), Body("two values", "1],[2", "body-text"),
      Body("invalid JSON", #"{"a":"#, "body-text"), Body("HTML", "<b>\r\n\u{0}</b>", "body-text"),
      Body("a stream", "data: {}\n\ndata: [DONE]\n\n", "body-text"),
      Body("nothing", "", "body-text"),
      Body("a byte order mark", "\u{FEFF}{}", "body-text"),
      Body("as deep as a line allows", nested(126), "body"),
      Body("too deep for a line", nested(127), "body-text"),
      Body("deeper than is read", nested(129), "body-text"),
      Body("bytes that are not text", [0x7B, 0xFF, 0xFE, 0x00, 0x0A, 0x7D], "body-base64"),
      Body("half a character", Array("{\"a\":\"".utf8) + [0xC3, 0x22, 0x7D], "body-base64"),
      Body("a surrogate in bytes", [0xED, 0xA0, 0x80], "body-base64"),
      Body("gzip", [0x1F, 0x8B, 0x08, 0x00], "body-base64"),
    ]
  )
  func bodies(body: Body) throws {
    let recording = Recording.fixture(body: body.bytes)
    let line = try JSONReader.value(RecordingLines.line(of: recording).line)
    let members = try #require(line["response"]?.object).members.map(\.name)
    #expect(members == ["status", body.member])
    #expect(try roundTrip(recording) == recording)
  }

  @Test("Only the white space between the tokens of a body is lost")
  func whiteSpace() throws {
    let recording = Recording.fixture(body: Array("\n {\n  \"a b\" : [ 1 , \" \" ]\n}\n".utf8))
    #expect(text(try roundTrip(recording).exchange.response.body) == #"{"a b":[1," "]}"#)
  }

  // MARK: Parts

  @Test(
    "A long text becomes a part, and user messages become parts only if they are longer",
    arguments: [
      ("user", 253, false), ("user", 254, true), ("system", 61, false), ("system", 62, true),
      ("user", 9_000, true), ("assistant", 62, true),
    ]
  )
  func threshold(role: String, length: Int, isPart: Bool) {
    var recording = Recording.fixture()
    recording.exchange.request.body = [
      "messages": [
        ["role": .string(role), "content": .string(String(repeating: "x", count: length))]
      ]
    ]
    let (line, parts) = RecordingLines.line(of: recording)
    // The frame and the source are parts, too.
    #expect(parts.count == (isPart ? 3 : 2))
    #expect(text(line).contains("\"$part\"") == isPart)
    for (digest, value) in parts { #expect(SHA256.hexadecimal(value).prefix(32) == digest) }
  }

  @Test("Everything except messages is stored once for all requests that share it")
  func frames() throws {
    let schema: JSONValue = [
      "type": "object", "description": .string(String(repeating: "x", count: 99)),
    ]
    let frames = ["one", "two"].map { user in
      let recording = Recording.fixture(user: user, parameters: ["response_format": schema])
      return RecordingLines.line(of: recording).parts
    }
    #expect(frames[0] == frames[1])
    let recording = Recording.fixture(parameters: ["response_format": schema])
    #expect(try roundTrip(recording) == recording)
  }

  @Test(
    "A recording with a missing part cannot be used, and the error says so",
    arguments: ["host", "api"]
  )
  func missingPart(member: String) throws {
    let (line, parts) = RecordingLines.line(of: .fixture())
    let digest = try #require(parts.first { text($0.value).contains("\"\(member)\"") }?.key)
    let problem = #expect(throws: RecordingLines.Problem.self) {
      try line.withUnsafeBytes { line in
        try RecordingLines.recording(line) { wanted in
          wanted == digest ? nil : parts[wanted].flatMap { try? JSONReader.value($0) }
        }
      }
    }
    #expect(
      problem
        == RecordingLines.Problem(
          message: "the part line \(digest.prefix(16)) that the recording refers to is missing",
          fix: "restore the file from version control, or record the answer again",
          isLostPart: true
        )
    )
  }

  // MARK: Damage

  @Test("A change of any byte of a line is detected")
  func everyByte() throws {
    let line = RecordingLines.line(of: .fixture()).line
    func isSealed(_ line: [UInt8]) -> Bool { line.withUnsafeBytes { RecordingLines.isSealed($0) } }
    #expect(isSealed(line))
    for index in line.indices {
      var changed = line
      changed[index] ^= 1
      #expect(!isSealed(changed), "byte \(index)")
    }
    #expect(!isSealed(line.dropLast()))
    #expect(!isSealed([]))
  }

  @Test(
    "A line without a required member is refused",
    arguments: [
      "key", "repeat", "request", "request.frame", "response", "response.status",
      "response.body", "source", "recorded",
    ]
  )
  func incomplete(path: String) throws {
    let (line, parts) = RecordingLines.line(of: .fixture())
    var object = try #require(try JSONReader.value(line).object)
    let steps = path.split(separator: ".").map(String.init)
    if steps.count == 1 {
      object[steps[0]] = nil
    } else {
      var inner = try #require(object[steps[0]]?.object)
      inner[steps[1]] = nil
      object[steps[0]] = .object(inner)
    }
    let bytes = JSONWriter.line(.object(object))
    let problem = #expect(throws: RecordingLines.Problem.self) {
      try bytes.withUnsafeBytes { bytes in
        try RecordingLines.recording(bytes) { parts[$0].flatMap { try? JSONReader.value($0) } }
      }
    }
    #expect(
      problem
        == RecordingLines.Problem(
          message: "this version cannot read the recording",
          fix: "record the answer again"
        )
    )
  }
}
