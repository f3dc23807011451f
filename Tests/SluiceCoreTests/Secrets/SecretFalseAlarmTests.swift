@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Negative controls: values that look like secrets but are not.
@Suite("Secrets: false alarms")
struct SecretFalseAlarmTests {
  private let scanner = SecretScanner()

  @Test(
    "Values that only resemble secrets are not reported",
    arguments: [
      "chatcmpl-BIRHLZwGBZn076WDqD1eV6AMp1sQc", "resp_097e5bb052d67c2a0069e7cfee5b2881a09d14a36a",
      "req_011CaHTv6F6ikqy2n5ijq4wF", "msg_01SDAJnvsPKU4hLJrrdnjLXY",
      "toolu_01So85wNUocinTvFfgKCfQeb",
      "call_LnP8E5XLOOXYQzUbJHIBKlE2", "fp_8b330d02d0_prod0820_fp8_kvcache_20260402",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "7396b03c-8ab2-4593-8e46-a3e1285bd4d4", "2026-11-21T14:45:01Z",
      "2026-11-21T14:45:01.123+01:00",
      "gpt-4o-mini-2024-07-18", "meta-llama/Llama-3.3-70B-Instruct-Turbo",
      "claude-sonnet-4-20250514",
      "GenerateContentPaidTierInputTokensPerModelPerMinute", "HARM_CATEGORY_DANGEROUS_CONTENT",
      "the key takeaway is that the token count of 16384 exceeds the limit", "prompt_tokens: 1024",
      "Incorrect API key provided: sk-abcd****************wxyz.", "api_key: <your key here>",
      "Authorization: Bearer <AUTH_TOKEN>", "Bearer test_openai_api_key", "password: required",
      "see https://platform.test/account/api-keys", "https://user:password@host.test",
      "mailto:a@b.test",
      "Donaudampfschifffahrtsgesellschaftskapitän", "sk-your-api-key-goes-here-please-now",
      "task-based-risk-assessment-disk-space", "<redacted:key:3fa9c1>",
      "__cf_bm=<redacted:cookie:3fa9c1>",
      "postgres://app:<redacted:password>@db.test/x", "-----BEGIN PUBLIC KEY-----",
      "v1/chat/completions",
      "What is a -----BEGIN PRIVATE KEY----- line good for?",
      "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
      "see https://api.slack.com/messaging/webhooks",
      "https://discord.com/api/webhooks/ID/TOKEN",
      "SG.your-key-goes-here",
      "SKU-4711-blue",
      "SK Telecom",
      "dapi-docs",
      "the dapi endpoint",
      "AGE-SECRET-KEY-1 starts such a line",
      "hvs. means Vault",
      "shpat_ is the prefix",
      "secret_santa_2026_planning",
      "ntn_ prefix",
      "lin_api_docs",
      "GOCSPX- starts it",
      "FwoGZXIv",
      "AccountKey=<key>",
      "AccountName=demo;AccountKey=REPLACE_ME",
      "sig=abc",
      "?sv=2024-01-01&sp=r",
      "12:34 and 56:78",
      "call 0123456789:AA at noon",
      "ratio 16:9",
      "10:30:45.123",
      "ISBN 978-3-16-148410-0",
      "+49 30 1234567890",
      "tel:+1-212-555-0100",
      "d41d8cd98f00b204e9800998ecf8427e",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "4bf92f3577b34da6a3ce929d0e0e4736",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "text-embedding-3-large",
      "deepseek-ai/DeepSeek-V3.1",
      "models/gemini-2.5-flash",
      "us.anthropic.claude-sonnet-4-20250514-v1:0",
      "x-ratelimit-remaining-tokens: 149984",
      "retry after 20s",
      "https://a.test/price?amount=$5*2",
      "cost is $0.0015 * 2",
      "https://user:$PASSWORD@host.test",
      "https://user:${TOKEN}@host.test/v1",
      "https://user:***@host.test",
      "amqp://guest:<password>@queue.test",
      "git@github.com:owner/name.git",
      "ssh://git@host.test:2222/a.git",
      "a &amp; b &lt; c",
      "fish &#38; chips",
      "100% of 50%",
      "C%2B%2B%20is%20fine",
      "aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91IHRvZGF5",
      "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB",
      "MIME-Version: 1.0",
      "Content-Type: multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
      "finish_reason: tool_calls",
    ]
  )
  func harmless(_ text: String) {
    let body: JSONValue = [
      "id": .string(text), "text": .string("It says \(text) here."),
      "error": ["message": .string("It says: \(text)")],
      "system_fingerprint": .string(text), "list": [.string(text)],
    ]
    #expect(scanner.findings(in: text).map(\.message) == [])
    #expect(scanner.findings(in: JSONWriter.line(body), as: .response).map(\.message) == [])
  }

  /// Returns members with random values that are not secrets.
  private static func randomBody(_ fakes: inout FakeSecrets) -> JSONValue {
    func words(_ fakes: inout FakeSecrets) -> JSONValue {
      .string(
        (0..<40).map { _ in fakes.text(2 + fakes.generator.uniform(below: 9), of: FakeSecrets.lower)
        }.joined(separator: " ")
      )
    }
    return [
      "id": .string("chatcmpl-" + fakes.text(29)),
      "responseId": .string(fakes.text(23, of: FakeSecrets.url)),
      "request_id": .string(fakes.uuid()),
      "hash": .string(fakes.text(64, of: FakeSecrets.hexadecimal)),
      "system_fingerprint": .string("fp_" + fakes.text(10, of: FakeSecrets.hexadecimal)),
      "created": .number(Double(1_700_000_000 + fakes.generator.uniform(below: 90_000_000))),
      "choices": [
        [
          "message": [
            "content": words(&fakes), "reasoning_content": words(&fakes),
            "tool_calls": [
              [
                "id": .string("call_" + fakes.text(24)),
                "function": ["arguments": .string(#"{"id": "\#(fakes.text(32))"}"#)],
              ]
            ],
            "signature": .string(Base64.encode(fakes.bytes(300))),
            "encrypted_content": .string(Base64.encode(fakes.bytes(900))),
            "thoughtSignature": .string(Base64.encode(fakes.bytes(200))),
            "image_url": [
              "url": .string(
                "data:image/png;base64,"
                  + Base64.encode([0x89, 0x50, 0x4E, 0x47] + fakes.bytes(400))
              )
            ],
          ]
        ]
      ],
      "embedding": .string(Base64.encode(fakes.bytes(256))), "obfuscation": .string(fakes.text(18)),
      "p": .string(fakes.text(36)), "b64_json": .string(Base64.encode(fakes.bytes(512))),
      "etag": .string(fakes.text(27, of: FakeSecrets.url)),
      "commit": .string(fakes.text(40, of: FakeSecrets.hexadecimal)),
      "trace": .string(
        "00-" + fakes.text(32, of: FakeSecrets.hexadecimal) + "-"
          + fakes.text(16, of: FakeSecrets.hexadecimal) + "-01"
      ),
    ]
  }

  @Test("Random IDs, digests, signatures, images and embeddings are not reported")
  func randomBodies() {
    var fakes = FakeSecrets(seed: 21)
    var alarms: [String] = []
    let count = 40
    for _ in 0..<count {
      let body = JSONWriter.line(Self.randomBody(&fakes))
      alarms += scanner.findings(in: body, as: .response).map(\.message)
    }
    #expect(alarms == [], "\(alarms.count) in \(count) bodies")
  }

  @Test("Random text and random base64 in scored text are not reported")
  func randomText() {
    var fakes = FakeSecrets(seed: 22)
    var alarms: [String] = []
    for _ in 0..<150 {
      let text =
        fakes.text(400, of: FakeSecrets.base64 + " \n.,:=") + Base64.encode(fakes.bytes(200))
      alarms += scanner.findings(in: Array(text.utf8), as: .judged).map(\.message)
    }
    #expect(alarms == [])
  }

  @Test(
    "A key of each format is found at a random position of a random body",
    arguments: FakeSecrets.shapes
  )
  func planted(_ shape: FakeSecrets.Shape) throws {
    var fakes = FakeSecrets(seed: 23)
    for _ in 0..<2 {
      var body = Self.randomBody(&fakes)
      let key = shape.make(&fakes)
      Self.plant(" \(key) ", in: &body, &fakes)
      let findings = scanner.findings(in: JSONWriter.line(body), as: .response)
      #expect(findings.map(\.kind.words) == [shape.words], "\(body.jsonText)")
    }
  }

  /// Puts a text into a random string of a value.
  private static func plant(_ secret: String, in value: inout JSONValue, _ fakes: inout FakeSecrets)
  {
    switch value {
    case .object(var object):
      let members = object.members.filter { member in
        if case .number = member.value { false } else { true }
      }
      let member = members[fakes.generator.uniform(below: members.count)]
      var inner = member.value
      plant(secret, in: &inner, &fakes)
      object[member.name] = inner
      value = .object(object)
    case .array(var elements):
      let index = fakes.generator.uniform(below: elements.count)
      plant(secret, in: &elements[index], &fakes)
      value = .array(elements)
    case .string(let text):
      let place = fakes.generator.uniform(below: text.count + 1)
      value = .string(text.prefix(place) + secret + text.dropFirst(place))
    default: break
    }
  }
}
