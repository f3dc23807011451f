@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Secrets in environment variables")
struct EnvironmentSecretsTests {
  private func secrets(_ name: String, _ value: String) -> [String] {
    ProgramEndpoint.secrets(of: [name], in: [name: value]).map(\.value)
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  @Test(
    "A value of 8 characters or more is a secret if its variable's name says so",
    arguments: [
      "API_KEY", "KEY_FOR_A", "openaikey", "TOKEN", "Token2", "AUTH_TOKEN_B", "CLIENT_SECRET",
      "DB_PASSWORD", "DB_PASSWD", "DB_PASS", "PGPASSPHRASE", "APP_PWD", "SMTP_CREDENTIALS",
      "GIT_AUTH", "SESSION_COOKIE",
    ]
  )
  func names(name: String) {
    for value in ["hunter22", "12345678", "correct horse", "letmein, please", "trustworthy"] {
      #expect(secrets(name, value) == [value])
    }
    for value in ["hunter2", "1234567", "true", ""] { #expect(secrets(name, value) == []) }
  }

  @Test("A variable that is not set has no secret")
  func unset() {
    #expect(ProgramEndpoint.secrets(of: ["API_KEY"], in: [:]).isEmpty)
  }

  @Test("A value that looks like a key is a secret under any name")
  func mixes() {
    var fakes = FakeSecrets(seed: 3)
    let values =
      FakeSecrets.shapes.map { $0.make(&fakes) } + [
        "xK9fQ2mP7zL4", "Zx9Qp2Lm", "aB3dE6gH9kL2mN5pQ8", "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
      ]
    for value in values {
      for name in ["UPSTREAM", "MODE", "SETTING_2", "DATA"] {
        #expect(secrets(name, value).first == value, "\(value)")
      }
    }
  }

  @Test("The password of a URL is a secret, alone and in the URL")
  func urls() {
    let url = "postgres://app:s3cr3t-w0rd@db.test/x"
    #expect(secrets("DATABASE_URL", url) == [url, "s3cr3t-w0rd"])
    let common = "postgres://postgres:postgres@localhost/x"
    #expect(secrets("DATABASE_URL", common) == [common])
    let query = "https://a.test/v1?api_key=8f14e45fceea167a5a36dedd4bea2543"
    #expect(secrets("UPSTREAM", query).contains("8f14e45fceea167a5a36dedd4bea2543"))
  }

  @Test("A part of a value that looks like a key is a secret alone, too")
  func parts() {
    let part = "aB3dE6gH9kL2mN5pQ8"
    for value in ["--token=\(part) --quiet", "app:\(part)", #"{"auth": "\#(part)"}"#] {
      #expect(secrets("OPTIONS", value) == [value, part])
    }
  }

  @Test("A secret of several lines is also a secret line by line, because programs print lines")
  func lines() {
    var fakes = FakeSecrets(seed: 4)
    let lines = (0..<5).map { _ in fakes.text(64) }
    let mark = "PRIVATE KEY-----"
    let key = "-----BEGIN \(mark)\n\(lines.joined(separator: "\n"))\n-----END \(mark)\n"
    #expect(Set(secrets("SIGNER", key)).isSuperset(of: lines + [key]))
    #expect(
      !"failed at \(lines[2])".hiding(secrets("SIGNER", key).map { Secret($0) }).contains(lines[2])
    )
  }

  @Test(
    "An ordinary value is never a secret, whatever the name is",
    arguments: [
      "true", "en_US.UTF-8", "C.UTF-8", "de_DE@euro", "production", "development", "2026-11-29",
      "2026-11-29T12:10:00Z", "/usr/bin:/bin", "/usr/local/share/app-2/keys.json", "~/keys/a.pem",
      "./certificates/server.pem", "../keys/first.json", "https://login.example.com/oauth/token",
      "http://127.0.0.1:8080/v1", "1.24.3", "192.168.178.21", "16000000",
    ]
  )
  func ordinary(value: String) {
    for name in ["MODE", "LANG", "MAX_TOKENS", "KEYBOARD", "TOKEN_URL", "CREDENTIALS_FILE"]
    where value != "16000000" || name == "MAX_TOKENS" || name == "MODE" {
      #expect(secrets(name, value) == [], "\(name)")
    }
  }

  @Test(
    "Values that only resemble keys are not secrets under a name that does not say so",
    arguments: [
      "gpt-4o-mini-2024-07-18", "claude-sonnet-4-20250514", "meta-llama/Llama-3.3-70B-Instruct",
      "7396b03c-8ab2-4593-8e46-a3e1285bd4d4", "us-east-1", "x86_64-unknown-linux-gnu",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709", "iPhone15Pro", "Europe/Berlin", "Ubuntu22",
      "application/json; charset=utf-8", "--verbose --max-retries=3", "Jane Miller", "ubuntu-24.04",
      "/srv/releases/Zx9Qp2LmT4/work", "https://docs.example.com/d/1A2b3C4d5E6f7G8h9I0j",
    ]
  )
  func harmless(value: String) {
    for name in ["MODE", "GIT_AUTHOR_NAME", "APP_VERSION", "UPSTREAM"] {
      #expect(secrets(name, value) == [], "\(name)")
    }
  }

  @Test(
    "A name of a variable is recognized, and a key in its place is not one",
    arguments: [
      "OPENAI_API_KEY", "A", "_x", "AZURE_OPENAI_API_KEY_GPT4O_2024", "AWS_BEARER_TOKEN_BEDROCK",
      "GEMINI_25_FLASH_KEY", "KEY_V1B2C3", "openAiApiKeyForProduction", "myApiKey2ForAzureGpt4",
    ]
  )
  func variables(name: String) {
    #expect(EnvironmentSecrets.isName(name))
  }

  @Test("A key is not the name of a variable, although it may have the form of one")
  func keysAsNames() {
    var fakes = FakeSecrets(seed: 8)
    for shape in FakeSecrets.shapes {
      let key = shape.make(&fakes)
      #expect(!EnvironmentSecrets.isName(key), "\(key)")
    }
    for _ in 0..<40 {
      #expect(!EnvironmentSecrets.isName("a" + fakes.text(31, of: FakeSecrets.hexadecimal)))
    }
  }

  @Test("A secret is hidden in each encoding, and its beginning is no longer secret alone")
  func encodings() {
    let secret = "correct-horse_battery-staple9"
    for form in SecretMatrixTests.Form.all {
      let shown = "no \(form.text(secret)) here".hiding([Secret(secret)])
      #expect(shown.hasPrefix("no ") && shown.hasSuffix(" here"), "\(shown)")
      #expect(!shown.contains(form.text(secret)), "\(shown)")
    }
    #expect("a hunter22".hiding([Secret("hunter22"), Secret("hunter22-b")]) == "a <redacted>")
    #expect("a hunter22-b".hiding([Secret("hunter22"), Secret("hunter22-b")]) == "a <redacted>")
  }
}
