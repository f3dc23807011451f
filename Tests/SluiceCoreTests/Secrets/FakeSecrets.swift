@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// Fake secrets, assembled at run time so that secret scanners do not detect them in test files.
struct FakeSecrets {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let digits = "0123456789"
  static let lower = "abcdefghijklmnopqrstuvwxyz"
  static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  static let letters = lower + upper
  static let alphanumeric = digits + letters
  static let hexadecimal = digits + "abcdef"
  static let url = alphanumeric + "-_"
  static let base64 = alphanumeric + "+/"

  mutating func text(_ count: Int, of alphabet: String = alphanumeric) -> String {
    let characters = Array(alphabet)
    return String((0..<count).map { _ in characters[generator.uniform(below: characters.count)] })
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 11) }
  }

  /// A kind of key with its generator.
  struct Shape: Sendable, CustomTestStringConvertible {
    var words: String
    private var parts: [Part]

    enum Part {
      case fixed(String)
      case random(Int, String)
    }

    init(_ words: String, _ parts: Part...) {
      self.words = words
      self.parts = parts
    }

    var testDescription: String { words }

    func make(_ fakes: inout FakeSecrets) -> String {
      parts.map { part in
        switch part {
        case .fixed(let text): text
        case .random(let count, let alphabet): fakes.text(count, of: alphabet)
        }
      }.joined()
    }
  }

  /// Keys with a format known from their vendors, detected anywhere.
  static let shapes: [Shape] = [
    Shape("an Anthropic API key", .fixed("sk-" + "ant-"), .fixed("api03-"), .random(95, url)),
    Shape("an OpenRouter API key", .fixed("sk-" + "or-"), .fixed("v1-"), .random(64, hexadecimal)),
    Shape("an OpenAI API key", .fixed("sk-" + "proj-"), .random(156, url)),
    Shape("an OpenAI API key", .fixed("sk-" + "svcacct-"), .random(64, url)),
    Shape("an API key that starts with sk-", .fixed("sk" + "-"), .random(48, alphanumeric)),
    Shape("an API key that starts with sk-", .fixed("sk" + "-"), .random(32, hexadecimal)),
    Shape("a Google API key", .fixed("AI" + "za"), .fixed("Sy"), .random(33, url)),
    Shape("a Google access token", .fixed("ya" + "29."), .random(120, url)),
    Shape("an AWS access key id", .fixed("AK" + "IA"), .random(16, upper + "234567")),
    Shape("an AWS access key id", .fixed("AS" + "IA"), .random(16, upper + "234567")),
    Shape("a GitHub token", .fixed("gh" + "p_"), .random(36, alphanumeric)),
    Shape("a GitHub token", .fixed("gh" + "s_"), .random(36, alphanumeric)),
    Shape(
      "a GitHub token",
      .fixed("github" + "_pat_"),
      .random(22, alphanumeric),
      .fixed("_"),
      .random(59, alphanumeric)
    ),
    Shape("a GitLab token", .fixed("gl" + "pat-"), .random(20, url)),
    Shape(
      "a Slack token",
      .fixed("xo" + "xb-"),
      .random(12, digits),
      .fixed("-"),
      .random(13, digits),
      .fixed("-"),
      .random(24, alphanumeric)
    ),
    Shape("a Hugging Face token", .fixed("h" + "f_"), .random(34, letters)),
    Shape("a Stripe key", .fixed("sk_" + "live_"), .random(24, alphanumeric)),
    Shape("a Stripe key", .fixed("rk_" + "live_"), .random(99, alphanumeric)),
    Shape("a Groq API key", .fixed("gs" + "k_"), .random(52, alphanumeric)),
    Shape("an xAI API key", .fixed("xa" + "i-"), .random(80, alphanumeric)),
    Shape("a Perplexity API key", .fixed("ppl" + "x-"), .random(48, alphanumeric)),
    Shape("a Cerebras API key", .fixed("cs" + "k-"), .random(48, alphanumeric)),
    Shape("a Replicate token", .fixed("r8" + "_"), .random(37, alphanumeric)),
    Shape("an NVIDIA API key", .fixed("nv" + "api-"), .random(64, url)),
    Shape("a Fireworks API key", .fixed("f" + "w_"), .random(24, alphanumeric)),
    Shape("a Together API key", .fixed("tgp" + "_v1_"), .random(43, url)),
    Shape("a Vercel token", .fixed("vc" + "k_"), .random(56, alphanumeric)),
    Shape(
      "a LangSmith API key",
      .fixed("lsv2" + "_pt_"),
      .random(32, hexadecimal),
      .fixed("_"),
      .random(10, hexadecimal)
    ),
    Shape("a Tavily API key", .fixed("tv" + "ly-"), .random(32, alphanumeric)),
    Shape("a Jina API key", .fixed("ji" + "na_"), .random(60, alphanumeric)),
    Shape("an npm token", .fixed("np" + "m_"), .random(36, alphanumeric)),
    Shape("a PyPI token", .fixed("py" + "pi-"), .fixed("AgEIcHlwaS5vcmc"), .random(140, url)),
    Shape("a DigitalOcean token", .fixed("do" + "p_v1_"), .random(64, hexadecimal)),
    Shape(
      "the address of a Slack webhook",
      .fixed("hooks.sl" + "ack.com/services/T"),
      .random(10, upper + digits),
      .fixed("/B"),
      .random(10, upper + digits),
      .fixed("/"),
      .random(24, alphanumeric)
    ),
    Shape(
      "the address of a Discord webhook",
      .fixed("discord.com/api/web" + "hooks/"),
      .random(19, digits),
      .fixed("/"),
      .random(68, url)
    ),
    Shape(
      "the address of a Teams webhook",
      .fixed("webhook.office.com/webhook" + "b2/"),
      .random(36, hexadecimal),
      .fixed("@"),
      .random(36, hexadecimal),
      .fixed("/IncomingWebhook/"),
      .random(32, hexadecimal),
      .fixed("/"),
      .random(36, hexadecimal)
    ),
    Shape(
      "a SendGrid API key",
      .fixed("S" + "G."),
      .random(22, url),
      .fixed("."),
      .random(43, url)
    ),
    Shape("a Twilio API key", .fixed("S" + "K"), .random(32, hexadecimal)),
    Shape(
      "the token of a Telegram bot",
      .random(10, "123456789"),
      .fixed(":A" + "A"),
      .random(33, url)
    ),
    Shape("a Databricks token", .fixed("da" + "pi"), .random(32, hexadecimal)),
    Shape("an age secret key", .fixed("AGE-SECRET" + "-KEY-1"), .random(58, upper + "023456789")),
    Shape("a Vault token", .fixed("hv" + "s."), .random(90, url)),
    Shape("a Shopify token", .fixed("shp" + "at_"), .random(32, hexadecimal)),
    Shape("a Notion token", .fixed("nt" + "n_"), .random(46, alphanumeric)),
    Shape("a Notion token", .fixed("sec" + "ret_"), .random(43, alphanumeric)),
    Shape("a Linear API key", .fixed("lin" + "_api_"), .random(40, alphanumeric)),
    Shape("an Atlassian token", .fixed("ATA" + "TT3"), .random(180, url)),
    Shape("an Atlassian token", .fixed("ATA" + "TT3"), .random(60, url)),
    Shape("a Google client secret", .fixed("GOC" + "SPX-"), .random(28, url)),
    Shape("an AWS session token", .fixed("IQ" + "oJ"), .random(400, alphanumeric)),
    Shape(
      "an Azure API key",
      .random(52, alphanumeric),
      .fixed("JQ" + "QJ99"),
      .random(26, alphanumeric)
    ),
    Shape(
      "the key of an Azure storage account",
      .fixed("Account" + "Key="),
      .random(86, alphanumeric)
    ),
    Shape("a Grafana token", .fixed("gl" + "sa_"), .random(41, alphanumeric)),
    Shape("a Docker token", .fixed("dckr" + "_pat_"), .random(27, url)),
    Shape(
      "a Postman API key",
      .fixed("PM" + "AK-"),
      .random(24, hexadecimal),
      .fixed("-"),
      .random(34, hexadecimal)
    ),
    Shape("a Tailscale key", .fixed("ts" + "key-"), .fixed("auth-"), .random(40, alphanumeric)),
  ]

  /// Account IDs, detected only in unscored text.
  static let accounts: [Shape] = [
    Shape("the id of an organization", .fixed("or" + "g-"), .random(24, alphanumeric)),
    Shape("the id of a user", .fixed("us" + "er_"), .fixed("2"), .random(26, alphanumeric)),
    Shape("the id of a user", .fixed("us" + "er-"), .random(24, lower + digits)),
    Shape("the id of a project", .fixed("pr" + "oj_"), .random(24, alphanumeric)),
    Shape("the number of a cloud project", .fixed("pro" + "jects/"), .random(12, digits)),
    Shape("the id of an account", .fixed("ac" + "ct_"), .random(16, alphanumeric)),
  ]

  mutating func webToken() -> String {
    func part(_ text: String) -> String {
      String(decoding: Self.base64URL(Array(text.utf8)), as: UTF8.self)
    }
    return part(#"{"alg":"HS256","typ":"JWT"}"#) + "."
      + part(#"{"sub":"\#(text(10, of: Self.digits))"}"#) + "." + text(43, of: Self.url)
  }

  mutating func privateKey(lineBreak: String = "\n") -> String {
    let mark = "PRIVATE" + " KEY-----"
    let lines = (0..<6).map { _ in text(64, of: Self.base64) }
    return (["-----BEGIN " + mark] + lines + ["-----END " + mark]).joined(separator: lineBreak)
  }

  mutating func uuid() -> String {
    [8, 4, 4, 4, 12].map { text($0, of: Self.hexadecimal) }.joined(separator: "-")
  }

  static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    Base64.encode(bytes).utf8.filter { $0 != UInt8(ascii: "=") }.map { byte in
      byte == UInt8(ascii: "+")
        ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }
  }
}
