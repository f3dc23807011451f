import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Secrets of all kinds in unscored members of responses, none of which may be written.
@Suite("Secrets in unscored text")
struct UnjudgedLeakTests {
  /// A position in a response, with its text.
  struct Spot: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: @Sendable (String) -> String

    init(_ name: String, _ body: @escaping @Sendable (String) -> String) {
      testDescription = name
      self.body = body
    }

    private static func json(_ text: String) -> String {
      String(decoding: JSONWriter.line(.string(text)), as: UTF8.self)
    }

    private static func base64(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

    private static func percent(_ text: String) -> String {
      String(decoding: PercentEncoding.encoded(Array(text.utf8)), as: UTF8.self)
    }

    private static func entities(_ text: String, _ form: (UInt32) -> String) -> String {
      text.unicodeScalars.map { form($0.value) }.joined()
    }

    static let all: [Spot] = [
      Spot("message") { #"{"error":{"message":\#(json("Incorrect API key provided: \($0)."))}}"# },
      Spot("message, in quotes") { #"{"error":{"message":\#(json("no '\($0)' here"))}}"# },
      Spot("message, in brackets") { #"{"error":{"message":\#(json("unknown (\($0))"))}}"# },
      Spot("message, after a line") { #"{"error":{"message":\#(json("failed:\n\($0)\nend"))}}"# },
      Spot("error as a text") { #"{"error":\#(json("bad key \($0)"))}"# },
      Spot("errors") { #"{"errors":[{"detail":\#(json($0))}]}"# },
      Spot("detail of a fault") { #"{"error":{"metadata":{"raw":\#(json($0)),"n":[1]}}}"# },
      Spot("unknown member") { #"{"choices":[],"debug":\#(json($0))}"# },
      Spot("unknown list") { #"{"choices":[],"x":[[1],["a",\#(json($0))]]}"# },
      Spot("model") { #"{"model":\#(json("m-\($0)")),"choices":[]}"# },
      Spot("model alone") { #"{"model":\#(json($0)),"choices":[]}"# },
      Spot("fingerprint") { #"{"system_fingerprint":\#(json($0)),"choices":[]}"# },
      Spot("provider") { #"{"provider":{"name":\#(json($0))},"choices":[]}"# },
      Spot("word at the end") { #"{"choices":[{"finish_reason":\#(json($0)),"message":{}}]}"# },
      Spot("JSON in a text") { #"{"error":{"body":\#(json("{\"m\":\(json($0))}"))}}"# },
      Spot("JSON in JSON in a text") {
        #"{"error":{"body":\#(json("{\"m\":\(json("{\"a\":\(json($0))}"))}"))}}"#
      },
      Spot("base64") { #"{"error":{"raw":\#(json(base64("the key is \($0), really")))}}"# },
      Spot("base64 alone") { #"{"debug":\#(json(base64($0)))}"# },
      Spot("base64 twice") { #"{"debug":\#(json(base64(base64("key \($0) ."))))}"# },
      Spot("percent") {
        #"{"error":{"url":\#(json("https://a.test/?q=" + percent("k \($0) k")))}}"#
      },
      Spot("query of an address") {
        #"{"error":{"message":\#(json("GET https://a.test/?k=\($0)&a=1"))}}"#
      },
      Spot("path of an address") {
        #"{"error":{"message":\#(json("GET https://a.test/\($0)/b"))}}"#
      },
      Spot("address alone") { #"{"error":{"message":\#(json("see https://\($0)"))}}"# },
      Spot("entities") { #"{"error":{"html":\#(json(entities($0) { "&#\($0);" }))}}"# },
      Spot("entities in hexadecimal") {
        #"{"error":{"html":\#(json(entities($0) { "&#x\(String($0, radix: 16));" }))}}"#
      },
      Spot("escapes of JSON") {
        let escaped = entities($0) { value in
          let digits = String(value, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return #"{"error":{"message":"\#(escaped)"}}"#
      },
      Spot("plain text") { "upstream said: \($0)\n" },
      Spot("page") { "<html><body><p>Key <b>\($0)</b> is not valid</p></body></html>" },
      Spot("attribute of a page") { "<html><a href=\"/x\" data-key=\"\($0)\">x</a></html>" },
      Spot("form") { "error=1&reason=\($0)&more=2" },
      Spot("event of an error") { "event: error\ndata: {\"error\":{\"message\":\(json($0))}}\n\n" },
      Spot("comment of a stream") { ": \($0)\n\ndata: {\"choices\":[]}\n\n" },
      Spot("name of an event") { "event: \($0)\ndata: {\"choices\":[]}\n\n" },
      Spot("pieces of a stream") { secret in
        let half = secret.count / 2
        return [secret.prefix(half), secret.dropFirst(half)]
          .map { "data: {\"note\":\(json(String($0)))}\n\n" }.joined()
      },
    ]
  }

  @Test("No kind of secret is written from any unscored position", arguments: Spot.all)
  func places(_ spot: Spot) {
    var fakes = FakeSecrets(seed: 52)
    var missed: [String] = []
    for shape in FakeSecrets.shapes {
      for _ in 0..<3 {
        let secret = shape.make(&fakes)
        let body = Array(spot.body(secret).utf8)
        let exchange = Redaction().redacted(Recording.fixture(body: body).exchange).exchange
        let written = exchange.response.body
        let isWhole = written.count >= body.count && written == body
        let text = String(decoding: written, as: UTF8.self)
        let tail = secret.suffix(12)
        if isWhole || text.contains(secret) || text.contains(tail) { missed.append(shape.words) }
      }
    }
    #expect(missed == [])
  }

  @Test("The required numbers of kinds and positions are tested")
  func size() {
    #expect(FakeSecrets.shapes.count >= 52)
    #expect(Spot.all.count >= 33)
  }

  @Test(
    "A secret that can be recognized only by its context is found",
    arguments: [
      ("ACME_API_KEY=@", "uuid"), ("export OTHER_API_KEY='@'", "uuid"),
      ("https://app:p$s*word9@db.test/x", "p$s*word9"), ("amqp://u:a*b$c*d@q.test", "a*b$c*d"),
      (
        "https://x.blob.test/c?sv=2024-01-01&se=2027-01-01&sig=@%3D&sp=r", "base64"
      ),
      ("account AC0123456789abcdef0123456789abcdef, token @", "hexadecimal"),
    ]
  )
  func surroundings(text: String, kind: String) {
    var fakes = FakeSecrets(seed: 5)
    for _ in 0..<20 {
      let secret =
        switch kind {
        case "uuid": fakes.uuid()
        case "base64": fakes.text(42, of: FakeSecrets.alphanumeric)
        case "hexadecimal": fakes.text(32, of: FakeSecrets.hexadecimal)
        default: kind
        }
      let whole = text.replacing("@", with: kind.contains("*") ? "@" : secret)
      #expect(!Redaction().redacted(whole).contains(secret), "\(whole)")
    }
  }

  @Test(
    "A private key in a URL is found, however its spaces are encoded",
    arguments: ["%20", "+", " "]
  )
  func privateKeyInAddress(space: String) {
    var fakes = FakeSecrets(seed: 6)
    let lines = (0..<5).map { _ in fakes.text(64, of: FakeSecrets.alphanumeric) }
    let mark = "PRIVATE\(space)KEY\(space)BLOCK-----"
    let key =
      "-----BEGIN\(space)PGP\(space)" + mark + "%0A" + lines.joined(separator: "%0A")
      + "%0A-----END\(space)PGP\(space)" + mark
    for text in ["https://a.test/?k=\(key)&x=1", key.replacing("-----", with: "%2D%2D%2D%2D%2D")] {
      let written = Redaction().redacted(text)
      #expect(!lines.contains { written.contains($0) }, "\(written)")
    }
  }

  @Test("A backend's own key is found in hexadecimal, percent-encoded and HTML-escaped text")
  func ownKey() {
    let key = "correct-horse/battery_staple"
    let redaction = Redaction(known: [Secret(key)])
    let bytes = Array(key.utf8)
    func hexadecimal(_ uppercase: Bool) -> String {
      bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: uppercase)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }
    let forms = [
      key, hexadecimal(false), hexadecimal(true), Base64.encode(bytes),
      String(decoding: PercentEncoding.encoded(bytes), as: UTF8.self),
      bytes.map { "%" + String($0, radix: 16, uppercase: true) }.joined(),
      bytes.map { "&#\($0);" }.joined(), bytes.map { "&#x\(String($0, radix: 16));" }.joined(),
      key.replacing("-", with: "&hyphen;").replacing("/", with: "&#x2F;")
        .replacing("_", with: "&lowbar;"),
    ]
    for form in forms {
      let content: JSONValue = ["choices": [["message": ["content": .string("It is \(form) .")]]]]
      let body = redaction.redacted(Recording.fixture(body: JSONWriter.line(content)).exchange)
        .exchange.response.body
      #expect(!String(decoding: body, as: UTF8.self).contains(form), "\(form)")
      #expect(!body.isEmpty && body.count < 200)
    }
  }
}
