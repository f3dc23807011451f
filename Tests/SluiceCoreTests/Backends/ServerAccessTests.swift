@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Server access")
struct ServerAccessTests {
  private func secret(
    _ url: String,
    variable: String = "SERVER_KEY",
    _ environment: [String: String] = [:]
  ) throws(BackendError) -> String? {
    let server = ServerAccess(url: url, key: ServerAccess.KeyReference(variable: variable))
    var environment = environment
    environment[variable] = "sk-t3st"
    return try server.secret(for: "fast", in: environment)?.value
  }

  private func refusal(
    _ url: String,
    variable: String = "SERVER_KEY",
    _ environment: [String: String] = [:]
  ) -> String? {
    do throws(BackendError) {
      _ = try secret(url, variable: variable, environment)
      return nil
    } catch {
      #expect(error.kind == .missingKey)
      #expect(!error.message.contains("sk-t3st"))
      return error.message
    }
  }

  @Test(
    "A vendor's key is sent only to the vendor's host",
    arguments: [
      ("OPENAI_API_KEY", "https://api.openai.com/v1"),
      ("ANTHROPIC_API_KEY", "https://api.anthropic.com"),
      ("OPENROUTER_API_KEY", "https://OpenRouter.ai/api/v1"),
      ("GROQ_API_KEY", "https://api.groq.com:443/openai/v1"),
      ("MISTRAL_API_KEY", "https://api.mistral.ai/v1"),
      ("DEEPSEEK_API_KEY", "https://api.deepseek.com"), ("XAI_API_KEY", "https://api.x.ai/v1"),
    ]
  )
  func home(variable: String, url: String) throws {
    #expect(try secret(url, variable: variable) == "sk-t3st")
    let said = refusal("https://evil.test/v1", variable: variable) ?? ""
    #expect(
      said.hasPrefix(
        "the backend 'fast' would send the key in \(variable) to evil.test, but the key belongs to "
      )
    )
    #expect(said.hasSuffix("; if this is intended, set \(variable)_HOST=evil.test"))
  }

  @Test("A URL that only contains the vendor's host elsewhere does not get the key")
  func lookAlikes() {
    for url in [
      "https://api.openai.com.evil.test/v1", "https://evil.test/api.openai.com",
      "https://api.openai.com@evil.test/v1", "https://evil.test?api.openai.com",
      "https://evil.test#@api.openai.com", "https://me:api.openai.com@evil.test:443/v1",
    ] {
      #expect(refusal(url, variable: "OPENAI_API_KEY") != nil)
    }
  }

  @Test("The variable NAME_HOST sets the host for a key")
  func namedHost() throws {
    let environment = ["SERVER_KEY_HOST": "Models.test", "OPENAI_API_KEY_HOST": "proxy.test"]
    #expect(try secret("https://models.test/v1", environment) == "sk-t3st")
    #expect(
      refusal("https://other.test/v1", environment)
        == "the backend 'fast' would send the key in SERVER_KEY to other.test, but the key "
        + "belongs to models.test; if this is intended, set SERVER_KEY_HOST=other.test"
    )
    #expect(
      try secret("https://proxy.test/v1", variable: "OPENAI_API_KEY", environment) == "sk-t3st"
    )
    #expect(
      refusal("https://api.openai.com/v1", variable: "OPENAI_API_KEY", environment) != nil
    )
  }

  @Test("An empty NAME_HOST variable counts as not set")
  func emptyHost() throws {
    #expect(try secret("https://models.test/v1", ["SERVER_KEY_HOST": ""]) == "sk-t3st")
    #expect(
      refusal("https://evil.test", variable: "OPENAI_API_KEY", ["OPENAI_API_KEY_HOST": ""])
        == "the backend 'fast' would send the key in OPENAI_API_KEY to evil.test, but the key "
        + "belongs to api.openai.com; if this is intended, set OPENAI_API_KEY_HOST=evil.test"
    )
  }

  @Test("A key is never sent unencrypted over a network, but may be sent to the same machine")
  func clear() throws {
    #expect(
      refusal("http://models.test/v1")
        == "the backend 'fast' would send the key in SERVER_KEY unencrypted; use https"
    )
    for url in [
      "http://127.0.0.1:8089/v1", "http://localhost/v1", "http://LOCALHOST:1", "http://[::1]:8089",
      "http://127.255.0.3",
    ] {
      #expect(try secret(url) == "sk-t3st")
      #expect(try secret(url, variable: "OPENAI_API_KEY") == "sk-t3st")
    }
    for url in [
      "http://127.evil.test/v1", "http://127.0.0.1.evil.test", "http://127.0.0", "http://127.1",
      "http://localhost.evil.test", "http://[::1].evil.test", "http://127.0.0.256",
    ] {
      #expect(refusal(url) != nil)
    }
  }

  @Test("Without a key setting, the environment is not read")
  func noKey() throws {
    #expect(try ServerAccess(url: "http://models.test").secret(for: "fast", in: [:]) == nil)
  }

  @Test("The key is sent in the header that the server expects")
  func keyHeader() {
    var server = ServerAccess(
      url: "https://models.test",
      key: ServerAccess.KeyReference(variable: "K", header: "api-key"),
      headers: [
        HTTPHeader("X-Title", "Sluice"), HTTPHeader("Accept", "text/plain"),
        HTTPHeader("content-type", "text/plain"),
      ]
    )
    #expect(
      server.headers(Secret("sk"), accepting: "application/json") == [
        HTTPHeader("X-Title", "Sluice"), HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("Accept", "application/json"), HTTPHeader("api-key", "sk"),
      ]
    )
    server.key?.header = nil
    #expect(
      server.headers(Secret("sk"), accepting: "a").last == HTTPHeader("Authorization", "Bearer sk")
    )
    #expect(server.headers(nil, accepting: "a").count == 3)
  }

  @Test("Query parameters are escaped and follow those of the base URL")
  func query() {
    let server = ServerAccess(
      url: "https://models.test/openai/v1/?x=1",
      query: [HTTPHeader("api-version", "2024-10-21"), HTTPHeader("q", "a b&c=ü\u{1}")]
    )
    #expect(
      server.address("/chat/completions")
        == "https://models.test/openai/v1/chat/completions?x=1&api-version=2024-10-21"
        + "&q=a%20b%26c%3D%C3%BC%01"
    )
  }
}
