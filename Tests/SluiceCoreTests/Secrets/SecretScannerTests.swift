@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Positive controls: encoded and plain secrets that the detectors must find.
@Suite("Secret scanner")
struct SecretScannerTests {
  private let scanner = SecretScanner()

  private func words(_ findings: [SecretFinding]) -> [String] { findings.map(\.kind.words) }

  private func json(_ value: JSONValue) -> [UInt8] { JSONWriter.line(value) }

  // MARK: Shapes

  @Test("A key with a known format is found in any text", arguments: FakeSecrets.shapes)
  func shapes(_ shape: FakeSecrets.Shape) {
    var fakes = FakeSecrets(seed: 1)
    for _ in 0..<10 {
      let key = shape.make(&fakes)
      for text in [
        key, "the key is \(key), really", "(\(key))", "a=\(key)&b=2", "x\n\(key)\n", "/\(key)/",
      ] {
        #expect(words(scanner.findings(in: text)) == [shape.words], "\(text)")
      }
      let judged: JSONValue = ["choices": [["message": ["content": .string("It is \(key).")]]]]
      #expect(words(scanner.findings(in: json(judged), as: .response)) == [shape.words], "\(key)")
      #expect(words(scanner.findings(in: Array("Use \(key)!".utf8), as: .judged)) == [shape.words])
    }
  }

  @Test(
    "An account ID with a known format is found, except in scored text",
    arguments: FakeSecrets.accounts
  )
  func accounts(_ shape: FakeSecrets.Shape) {
    var fakes = FakeSecrets(seed: 2)
    for _ in 0..<10 {
      let id = shape.make(&fakes)
      let body: JSONValue = [
        "error": ["message": .string("Rate limit reached in \(id) on tokens per min")]
      ]
      #expect(words(scanner.findings(in: json(body), as: .response)) == [shape.words], "\(id)")
      #expect(scanner.findings(in: Array("for \(id)".utf8), as: .judged).isEmpty)
    }
  }

  @Test("JSON Web Tokens and private keys are found in any text")
  func tokens() {
    var fakes = FakeSecrets(seed: 3)
    for _ in 0..<10 {
      let token = fakes.webToken()
      #expect(
        words(scanner.findings(in: Array("Say \(token).".utf8), as: .judged)) == [
          "a JSON Web Token"
        ]
      )
      for lineBreak in ["\n", "\r\n", "\\n"] {
        let key = fakes.privateKey(lineBreak: lineBreak)
        #expect(
          words(scanner.findings(in: Array("Here: \(key)\n".utf8), as: .judged)) == [
            "a private key"
          ]
        )
        #expect(words(scanner.findings(in: ["pem": .string(key)])) == ["a private key"])
      }
    }
  }

  @Test("An AWS secret is recognized by the key ID next to it")
  func aws() {
    var fakes = FakeSecrets(seed: 4)
    for _ in 0..<10 {
      let id = "AK" + "IA" + fakes.text(16, of: FakeSecrets.upper)
      let secret = fakes.text(40, of: FakeSecrets.base64)
      let text = "aws: \(id) and \(secret) in eu-central-1"
      #expect(
        words(scanner.findings(in: Array(text.utf8), as: .judged)) == [
          "an AWS access key id", "an AWS secret access key",
        ],
        "\(text)"
      )
    }
  }

  // MARK: Words and names

  /// A text with a placeholder for a secret, and the expected report.
  struct Sentence: Sendable, CustomTestStringConvertible {
    var text: String
    var alphabet: String
    var count: Int
    var kind: String

    var testDescription: String { text }
  }

  @Test(
    "A secret without a known format is recognized by the words before it",
    arguments: [
      Sentence(
        text: "Authorization: Bearer @",
        alphabet: FakeSecrets.url,
        count: 32,
        kind: "a bearer token"
      ),
      Sentence(
        text: "curl -H 'authorization: bearer @'",
        alphabet: FakeSecrets.hexadecimal,
        count: 32,
        kind: "a bearer token"
      ),
      Sentence(
        text: "Incorrect API key provided: @.",
        alphabet: FakeSecrets.alphanumeric,
        count: 32,
        kind: "a value that looks like a key"
      ),
      Sentence(
        text: "the token '@' has expired",
        alphabet: FakeSecrets.url,
        count: 40,
        kind: "a value that looks like a key"
      ),
      Sentence(
        text: "MISTRAL_API_KEY=@",
        alphabet: FakeSecrets.alphanumeric,
        count: 32,
        kind: "a value whose name suggests a secret"
      ),
      Sentence(
        text: "api-key: @",
        alphabet: FakeSecrets.hexadecimal,
        count: 32,
        kind: "a value whose name suggests a secret"
      ),
      Sentence(
        text: "https://a.test/v1?api_key=@&x=1",
        alphabet: FakeSecrets.alphanumeric,
        count: 40,
        kind: "a value whose name suggests a secret"
      ),
      Sentence(
        text: "AWS_SECRET_ACCESS_KEY = \"@\"",
        alphabet: FakeSecrets.base64,
        count: 40,
        kind: "a value whose name suggests a secret"
      ),
      Sentence(
        text: "postgres://app:@@db.test/x",
        alphabet: FakeSecrets.alphanumeric,
        count: 12,
        kind: "a password in a URL"
      ),
      Sentence(
        text: "https://user:@@host.test/v1",
        alphabet: FakeSecrets.url,
        count: 20,
        kind: "a password in a URL"
      ),
      Sentence(
        text: "__cf_bm=@; path=/; HttpOnly",
        alphabet: FakeSecrets.url,
        count: 43,
        kind: "a cookie"
      ),
      Sentence(text: "_cfuvid=@.1", alphabet: FakeSecrets.url, count: 43, kind: "a cookie"),
      Sentence(
        text: "Set-Cookie: sid=@; Path=/",
        alphabet: FakeSecrets.alphanumeric,
        count: 32,
        kind: "a cookie"
      ),
      Sentence(
        text: "password=@;",
        alphabet: FakeSecrets.alphanumeric + "!%",
        count: 14,
        kind: "a password"
      ),
      Sentence(
        text: "organization_id: @",
        alphabet: FakeSecrets.alphanumeric,
        count: 24,
        kind: "the id of an account"
      ),
    ]
  )
  func sentences(_ sentence: Sentence) {
    var fakes = FakeSecrets(seed: 5)
    var missed = 0
    for _ in 0..<50 {
      let secret = fakes.text(sentence.count, of: sentence.alphabet)
      let (head, tail) = (
        sentence.text.prefix { $0 != "@" }, sentence.text.drop { $0 != "@" }.dropFirst()
      )
      if words(scanner.findings(in: head + secret + tail)) != [sentence.kind] { missed += 1 }
      #expect(!scanner.findings(in: head + secret + tail).contains { $0.message.contains(secret) })
    }
    // A random text may not resemble a secret.
    #expect(missed <= 2, "\(missed) of 50")
  }

  @Test(
    "A secret without a known format is recognized by the name of its member",
    arguments: [
      ("api_key", FakeSecrets.hexadecimal, 32), ("apiKey", FakeSecrets.alphanumeric, 40),
      ("x-api-key", FakeSecrets.url, 32), ("access_token", FakeSecrets.url, 64),
      ("client_secret", FakeSecrets.url, 40), ("SecretAccessKey", FakeSecrets.base64, 40),
      ("token", FakeSecrets.alphanumeric, 24), ("password", FakeSecrets.alphanumeric, 10),
      ("user_id", FakeSecrets.alphanumeric, 24), ("organization", FakeSecrets.alphanumeric, 24),
      ("debug_info", FakeSecrets.alphanumeric, 43),
    ]
  )
  func names(_ name: String, _ alphabet: String, _ count: Int) {
    var fakes = FakeSecrets(seed: 6)
    var missed = 0
    for _ in 0..<50 {
      let secret = fakes.text(count, of: alphabet)
      let body: JSONValue = ["error": ["metadata": [["a": 1], .object([name: .string(secret)])]]]
      let findings = scanner.findings(in: json(body), as: .response)
      if findings.map(\.place) != ["error.metadata.1.\(name)"] { missed += 1 }
    }
    #expect(missed <= 2, "\(missed) of 50")
  }

  @Test("A UUID is an ordinary ID unless its name says that it is a key or an account")
  func uuids() {
    var fakes = FakeSecrets(seed: 7)
    let uuid = fakes.uuid()
    #expect(
      words(scanner.findings(in: ["anthropic-organization-id": .string(uuid)])) == [
        "the id of an account"
      ]
    )
    #expect(
      words(scanner.findings(in: ["api_key": .string(uuid)])) == [
        "a value whose name suggests a secret"
      ]
    )
    #expect(
      scanner.findings(in: ["request_id": .string(uuid), "x": .string("key \(uuid)")]).isEmpty
    )
  }

  @Test("Basic credentials are recognized by their decoded form")
  func basic() {
    let pair = Base64.encode(Array("someone:open sesame".utf8))
    #expect(
      words(scanner.findings(in: "authorization: Basic \(pair)")) == [
        "a user name with its password"
      ]
    )
    #expect(scanner.findings(in: "Basic understanding of authorization: Basic questions").isEmpty)
  }

  // MARK: Known values

  @Test("A known value is found in each of its encodings")
  func knownValues() {
    let value = "correct horse/battery+staple"
    let scanner = SecretScanner(known: [Secret(value), Secret("short")])
    let bytes = Array(value.utf8)
    func found(_ text: some Sequence<UInt8>) -> [String] {
      words(scanner.findings(in: Array(text), as: .judged))
    }
    let expected = ["the key of a connected backend"]
    #expect(found("say \(value)!".utf8) == expected)
    #expect(found(json(["a": [.string("x\(value)y")]])) == expected)
    #expect(found(PercentEncoding.encoded(bytes)) == expected)
    #expect(found(#"{"a": "correct horse\/battery\u002bstaple"}"#.utf8) == expected)
    for before in 0..<4 {
      let text = [UInt8](repeating: 0xFF, count: before) + bytes + [0xFE, 0xFD]
      #expect(found(Base64.encode(text).utf8) == expected)
      #expect(found(FakeSecrets.base64URL(text)) == expected)
      #expect(found(Gzip.compress(text)) == expected)
    }
    #expect(found("short correct horse".utf8) == [])
  }

  // MARK: Encodings

  /// An encoding that hides a text.
  enum Encoding: String, CaseIterable {
    case base64, base64url, wrapped, percent, json, gzip, gzipBase64, dataURL

    func apply(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .base64: return Array(Base64.encode(bytes).utf8)
      case .base64url: return FakeSecrets.base64URL(bytes)
      case .wrapped:
        let text = Array(Base64.encode(bytes).utf8)
        return Array(
          stride(from: 0, to: text.count, by: 40).map { text[$0..<min($0 + 40, text.count)] }
            .joined(separator: [0x0A])
        )
      case .percent:
        return PercentEncoding.encoded(bytes)
      case .json:
        return JSONWriter.line(["a": .string(String(decoding: bytes, as: UTF8.self))])
      case .gzip: return Gzip.compress(bytes)
      case .gzipBase64: return Array(Base64.encode(Gzip.compress(bytes)).utf8)
      case .dataURL: return Array("data:text/plain;base64,\(Base64.encode(bytes))".utf8)
      }
    }
  }

  @Test("A key is found inside any two encodings", arguments: Encoding.allCases, Encoding.allCases)
  func encodings(_ inner: Encoding, _ outer: Encoding) {
    var fakes = FakeSecrets(seed: 8)
    for shape in FakeSecrets.shapes.prefix(5) {
      let text = "{\"message\":\"the key \(shape.make(&fakes)) is not valid\"}"
      let hidden = inner.apply(Array(text.utf8))
      if outer == .json, inner == .gzip { continue }
      let twice = outer.apply(hidden)
      #expect(words(scanner.findings(in: twice)) == [shape.words], "\(inner) in \(outer)")
      if outer != .gzip {
        let value: JSONValue = ["x": .string(String(decoding: twice, as: UTF8.self))]
        #expect(words(scanner.findings(in: value)) == [shape.words], "\(inner) in \(outer) in JSON")
      }
    }
  }

  @Test("A key with JSON escapes is found")
  func escapedCharacters() {
    var fakes = FakeSecrets(seed: 9)
    let key = FakeSecrets.shapes[2].make(&fakes)
    let escaped = key.unicodeScalars.map { scalar in
      "\\u00" + String(scalar.value, radix: 16)
    }.joined()
    #expect(words(scanner.findings(in: "{\"a\": \"\(escaped)\"}")) == ["an OpenAI API key"])
  }

  @Test("Member names are searched like values, also if a name occurs twice")
  func memberNames() {
    var fakes = FakeSecrets(seed: 10)
    let (first, second) = (FakeSecrets.shapes[2].make(&fakes), FakeSecrets.shapes[0].make(&fakes))
    #expect(
      words(scanner.findings(in: #"{"\#(first)": 1, "a": "\#(second)", "a": 2}"#))
        == ["an OpenAI API key", "an Anthropic API key"]
    )
  }

  @Test("A truncated or invalid text is searched completely")
  func truncated() {
    var fakes = FakeSecrets(seed: 11)
    let key = FakeSecrets.shapes[2].make(&fakes)
    for text in [
      #"{"a": "b", "error": "key \#(key) "#, #"{"a": {"x": "\#(key)"#,
      #"{"a": nonsense "\#(key)"}"#,
      #"[1, 2 {"a": "\#(key)", }} tail"#, "{\"a\": 1}\n{\"b\": \"\(key)\"}\n",
    ] {
      #expect(words(scanner.findings(in: text)) == ["an OpenAI API key"], "\(text)")
    }
  }

  @Test("Compressed data that expands too much is reported instead of searched")
  func bomb() {
    let bomb = Gzip.compress([UInt8](repeating: 0x20, count: 17 << 20))
    #expect(words(scanner.findings(in: bomb)) == ["compressed data that is too large to search"])
  }

  // MARK: Streams

  @Test(
    "A key in the events of a stream is found, whether in one event or in several",
    arguments: [1, 7, 600]
  )
  func streams(piece: Int) {
    var fakes = FakeSecrets(seed: 12)
    for shape in FakeSecrets.shapes {
      let text = Array("The key is \(shape.make(&fakes)), keep it.".utf8)
      var body = ": comment\n\n"
      for start in stride(from: 0, to: text.count, by: piece) {
        let part = String(decoding: text[start..<min(start + piece, text.count)], as: UTF8.self)
        for index in 0..<2 {
          let delta: JSONValue = [
            "id": "chatcmpl-1",
            "choices": [
              [
                "index": .number(Double(index)),
                "delta": ["content": .string(index == 1 ? part : "so, ")],
              ]
            ],
          ]
          body += "data: \(delta.jsonText)\r\n\r\n"
        }
      }
      body += "data: [DONE]\n\n"
      let findings = scanner.findings(in: Array(body.utf8), as: .response)
      #expect(words(findings) == [shape.words])
      #expect(findings.first?.encodings == (piece < 20 ? ["pieces"] : []))
    }
  }

  // MARK: Messages

  @Test("A finding states kind, position and encoding, and shows at most four characters")
  func message() throws {
    let key = "sk-" + "proj-" + String(repeating: "aB3dE6gH", count: 6)
    let inner: JSONValue = ["error": ["message": .string("no such key: \(key)")]]
    let body: JSONValue = ["list": [1, ["raw": .string(Base64.encode(JSONWriter.line(inner)))]]]
    let finding = try #require(scanner.findings(in: body).first)
    #expect(
      finding.message
        == "an OpenAI API key in list.1.raw.error.message, encoded as base64: sk-p… (56 characters)"
    )
    #expect(
      scanner.findings(in: ["password": "Tr0ub4dor"]).map(\.message) == [
        "a password in password: … (9 characters)"
      ]
    )
  }

  @Test("A finding has the offset of the secret or of its encoded text")
  func offsets() {
    var fakes = FakeSecrets(seed: 13)
    let key = FakeSecrets.shapes[2].make(&fakes)
    let text =
      #"{"ä": "b", "c": "the \#(key)", "d": "\n\#(key)", "e": "x \#(Base64.encode(Array(key.utf8)))"}"#
    let offsets = scanner.findings(in: text).map { finding in
      String(decoding: Array(text.utf8)[finding.offset...].prefix(4), as: UTF8.self)
    }
    #expect(offsets == ["sk-p", "\\nsk", "c2st"])
  }
}

extension SecretScanner {
  /// Returns the secrets in a value.
  func findings(in value: JSONValue) -> [SecretFinding] { findings(in: JSONWriter.line(value)) }
}
