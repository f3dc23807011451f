import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests of redaction: a redacted exchange contains none of the planted secrets.
@Suite("Redaction")
struct RedactionTests {
  private let redaction = Redaction()

  private func exchange(
    _ body: String,
    headers: [HTTPHeader] = [],
    status: Int = 200,
    user: String = "Where is it?"
  ) -> Exchange {
    var exchange = Recording.fixture(user: user, body: Array(body.utf8)).exchange
    exchange.response.headers = [HTTPHeader("content-type", "application/json")] + headers
    exchange.response.status = status
    return exchange
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func key(_ seed: UInt64, _ shape: Int = 2) -> String {
    var fakes = FakeSecrets(seed: seed)
    return FakeSecrets.shapes[shape].make(&fakes)
  }

  private func placeholder(_ label: String, _ value: String) -> String {
    "<redacted:\(label):\(SHA256.hexadecimal(value.utf8).prefix(6))>"
  }

  /// Returns everything that a recordings file would contain for an exchange.
  private func written(_ exchange: Exchange) -> String {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    var recording = Recording.fixture()
    recording.exchange = exchange
    file.add(recording)
    return text(file.bytes)
  }

  @Test("An exchange without secrets is unchanged")
  func clean() {
    let exchange = exchange(
      #"{"id":"chatcmpl-BIRHLZwGBZn076WDqD1eV6AMp1sQc","choices":[{"message":{"content":"a"}}]}"#
    )
    let redacted = redaction.redacted(exchange)
    #expect(redacted.exchange == exchange)
    #expect(redacted.findings.isEmpty)
  }

  @Test("The parsed answer is removed too, so the recording does not name a key as the model")
  func readAnswer() throws {
    let key = key(3)
    var exchange = exchange(#"{"model":"\#(key)","choices":[{"message":{"content":"a"}}]}"#)
    exchange.answer = try ResponseReader.response(in: exchange)
    #expect(exchange.answer?.provenance.model == key)
    let redacted = redaction.redacted(exchange).exchange
    #expect(redacted.answer == nil)
    #expect(!written(redacted).contains(key))
  }

  @Test(
    "A live answer that repeats a known secret is redacted before it is scored or logged",
    arguments: [
      #"{"choices":[{"message":{"content":"It is KEY."}}]}"#,
      #"{"choices":[{"message":{"content":"It is KEY."}}],"usage":{"cost":1}}"#,
    ]
  )
  func live(body: String) async throws {
    let key = "k3y-\"quoted\"-0123456789"
    let escaped = key.replacing("\"", with: "\\\"")
    let exchange = exchange(body.replacing("KEY", with: escaped))
    let base = ClosureBackend { request, _ in
      var answered = exchange
      answered.request = request
      answered.answer = try? ResponseReader.response(in: answered)
      answered.statistics.queued = 7
      return answered
    }
    let backend = RedactingBackend(base, redaction: Redaction(known: [Secret(key)]))
    let request = ModelRequest.fixture(user: "Say \(key)")
    let result = try await backend.send(request)
    let answer = try ResponseReader.response(in: result)
    #expect(answer.text == "It is \(placeholder("key", key)).")
    #expect(!text(result.response.body).contains("0123456789"))
    #expect(result.request == request)
    #expect(result.statistics.queued == 7)
    let other = RedactingBackend(base, redaction: Redaction(known: [Secret("another-secret")]))
    #expect(try await other.send(request).response == exchange.response)
  }

  @Test("Only listed response headers are kept, and secrets in them are redacted")
  func headers() {
    let key = key(1)
    let redacted = redaction.redacted(
      exchange(
        "{}",
        headers: [
          HTTPHeader("Set-Cookie", "__cf_bm=abc"), HTTPHeader("openai-organization", "acme"),
          HTTPHeader("x-request-id", "req_1"), HTTPHeader("Server-Timing", "key;desc=\(key)"),
        ]
      )
    )
    #expect(
      redacted.exchange.response.headers == [
        HTTPHeader("content-type", "application/json"),
        HTTPHeader("server-timing", "key;desc=\(placeholder("key", key))"),
      ]
    )
    #expect(redacted.findings.map(\.place) == ["the header server-timing"])
  }

  @Test("In a body only the secret changes, and equal secrets get equal placeholders")
  func body() {
    let (first, second) = (key(1), key(2))
    let body =
      #"{ "error" : {"message":"no \#(first), \#(second) or \#(first) \u00e9\/"}, "n":1.0 }"#
    let (one, two) = (placeholder("key", first), placeholder("key", second))
    #expect(
      text(redaction.redacted(exchange(body)).exchange.response.body)
        == #"{ "error" : {"message":"no \#(one), \#(two) or \#(one) é/"}, "n":1.0 }"#
    )
  }

  @Test("A placeholder is not detected as a secret")
  func nothingLeft() {
    var fakes = FakeSecrets(seed: 4)
    for shape in FakeSecrets.shapes + FakeSecrets.accounts {
      for encoding in SecretScannerTests.Encoding.allCases where encoding != .gzip {
        let secret = shape.make(&fakes)
        let hidden = text(encoding.apply(Array("the key \(secret) is wrong".utf8)))
        let body: JSONValue = [
          "error": ["message": .string("see \(secret)"), "raw": .string(hidden)]
        ]
        let redacted = redaction.redacted(exchange(body.jsonText))
        #expect(redacted.findings.count == 2, "\(shape) \(encoding)")
        #expect(!written(redacted.exchange).contains(secret))
        #expect(SecretScanner().findings(in: redacted.exchange.response.body, as: .response) == [])
        #expect(redaction.redacted(redacted.exchange).exchange == redacted.exchange)
      }
    }
  }

  @Test("Inside an encoding, only the secret is replaced if it can be encoded back exactly")
  func encoded() throws {
    let key = key(5)
    let said = "the key \(key) is wrong"
    let expected = "the key \(placeholder("key", key)) is wrong"
    func redacted(_ raw: String) throws -> String {
      let body: JSONValue = ["error": ["raw": .string(raw)]]
      let result = redaction.redacted(exchange(body.jsonText)).exchange.response.body
      return try #require(try JSONReader.value(result).value(at: "error.raw")?.string)
    }
    #expect(
      try redacted("a: \(Base64.encode(Array(said.utf8)))")
        == "a: \(Base64.encode(Array(expected.utf8)))"
    )
    #expect(try redacted(#"{"a": "\#(said)"}"#) == #"{"a": "\#(expected)"}"#)
    #expect(
      try redacted("x=the%20key%20\(key)%2C%20y=%2a")
        == "x=the%20key%20\(placeholder("key", key))%2C%20y=%2a"
    )
    // Lower-case escapes cannot be encoded back exactly.
    let escaped =
      "k%65y="
      + PercentEncoding.encoded(said.utf8.map { $0 }).map { $0 }.reduce(into: "") {
        $0.unicodeScalars.append(Unicode.Scalar($1))
      }.replacing("sk-", with: "%73k-")
    #expect(try redacted(escaped).hasPrefix("<redacted:key:"))
  }

  @Test("A compressed body that cannot be compressed back exactly is replaced as a whole")
  func gzip() {
    let key = key(6)
    var exchange = exchange("")
    exchange.response.body = Gzip.compress(Array("{\"error\":\"\(key)\"}".utf8))
    exchange.response.body[9] = 0xFF
    let redacted = redaction.redacted(exchange)
    #expect(text(redacted.exchange.response.body).hasPrefix("<redacted:key:"))
    #expect(redacted.findings.map(\.encodings) == [["gzip"]])
  }

  @Test("Possible secrets in the request and the visible answer are kept, but keys are redacted")
  func judged() {
    var fakes = FakeSecrets(seed: 7)
    let harmless = "password: Tr0ub4dor&3 token \(fakes.text(40)) for us" + "er_\(fakes.text(26))"
    let key = key(7)
    let body: JSONValue = [
      "choices": [["message": ["content": .string("\(harmless) \(key)")]]],
      "note": .string(harmless),
    ]
    let redacted = redaction.redacted(exchange(body.jsonText, user: "\(harmless) \(key)")).exchange
    let request = redacted.request.body.value(at: "messages.0.content")?.string
    #expect(request == "\(harmless) \(placeholder("key", key))")
    let answer = try? JSONReader.value(redacted.response.body)
    #expect(answer?.value(at: "choices.0.message.content")?.string == request)
    #expect(answer?["note"]?.string?.contains("Tr0ub4dor") == false)
  }

  @Test("A known key is redacted in every part of an exchange")
  func known() {
    let value = "correct-horse"
    var exchange = exchange(#"{"choices":[{"message":{"content":"correct-horse!"}}]}"#, user: value)
    exchange.request.model = "m-\(value)"
    exchange.request.fingerprint = value
    exchange.response.host = "https://\(value).test"
    let redacted = Redaction(known: [Secret(value)]).redacted(exchange)
    #expect(!written(redacted.exchange).contains(value))
    #expect(redacted.findings.count == 5)
  }

  @Test("A stream and log probabilities can still be read after a secret was redacted")
  func pieces() throws {
    let key = key(8)
    let tokens = stride(from: 0, to: key.count, by: 5).map {
      String(key.dropFirst($0).prefix(5))
    }
    func entry(_ token: String) -> JSONValue {
      ["token": .string(token), "bytes": .array(token.utf8.map { .number(Double($0)) })]
    }
    let body: JSONValue = [
      "choices": [
        [
          "message": ["content": .string("It is \(key).")],
          "logprobs": ["content": .array((["It is "] + tokens + ["."]).map(entry))],
        ]
      ]
    ]
    let redacted = redaction.redacted(exchange(body.jsonText)).exchange.response.body
    #expect(
      text(redacted)
        == #"{"choices":[{"message":{"content":"It is \#(placeholder("key", key))."},"logprobs":null}]}"#
    )

    let stream = (["It is "] + tokens + [".", " Bye."]).map { token in
      #"data: {"choices":[{"delta":{"content":"\#(token)"}}]}"#
    }
    let whole = redaction.redacted(exchange(stream.joined(separator: "\n\n"))).exchange
    let result = text(whole.response.body)
    let contents = try result.split(separator: "\n").map { line in
      try #require(
        try JSONReader.value(line.utf8.dropFirst(6)).value(at: "choices.0.delta.content")?.string
      )
    }
    #expect(contents.count == stream.count)
    #expect(contents.filter { !$0.isEmpty } == ["It is ", placeholder("key", key), ".", " Bye."])
  }

  @Test("The placeholder of a password reveals nothing about it")
  func password() {
    let body = #"{"error":{"message":"no route to postgres://app:Tr0ub4dor@db.test/x"}}"#
    #expect(
      text(redaction.redacted(exchange(body)).exchange.response.body)
        == #"{"error":{"message":"no route to postgres://app:<redacted:password>@db.test/x"}}"#
    )
  }

  @Test("An error message is redacted as unscored text")
  func message() {
    let account = "or" + "g-" + "Ab3dEf6hIj9kLm2nOp5qRs8t"
    #expect(
      redaction.redacted("Rate limit reached for \(account)")
        == "Rate limit reached for \(placeholder("account-id", account))"
    )
    #expect(redaction.redacted("no answer") == "no answer")
  }
}
