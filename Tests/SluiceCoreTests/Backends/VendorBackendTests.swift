import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Backends of vendors in sluice.yaml")
struct VendorBackendTests {
  private static let fast = "{type: openai, model: small-1, key: {env: FAST_KEY}}"

  private static func project(_ entry: String) throws -> ProjectFixture {
    try ProjectFixture().replacing(fast, with: entry, in: ProjectFixture.configuration)
  }

  private static func endpoint(_ entry: String) throws -> ModelEndpoint {
    let loaded = try project(entry).load()
    #expect(loaded.diagnostics == [])
    return try #require(loaded.suites.first?.plan.backends.first?.endpoint)
  }

  @Test(
    "Without a URL, each type uses its vendor's URL and key header",
    arguments: [
      ("{type: openai, model: m, key: {env: A}}", "https://api.openai.com/v1", nil),
      ("{type: openai-responses, model: m, key: {env: A}}", "https://api.openai.com/v1", nil),
      ("{type: anthropic, model: m, key: {env: A}}", "https://api.anthropic.com/v1", "x-api-key"),
      (
        "{type: gemini, model: m, key: {env: A}}",
        "https://generativelanguage.googleapis.com/v1beta", "x-goog-api-key"
      ),
      (
        "{type: ollama, model: m, context-length: 4096, key: {env: A}}", "http://localhost:11434",
        nil
      ),
      (
        "{type: anthropic, model: m, base-url: \"https://a.test/v1\", key: {env: A, header: api-key}}",
        "https://a.test/v1", "api-key"
      ),
    ] as [(String, String, String?)]
  )
  func addresses(entry: String, url: String, header: String?) throws {
    let endpoint = try Self.endpoint(entry)
    #expect(endpoint.server.url == url)
    #expect(endpoint.server.key?.header == header)
  }

  @Test("Anthropic's version and betas are sent as headers and are part of the protocol's name")
  func version() throws {
    let endpoint = try Self.endpoint(
      "{type: anthropic, model: m, version: 2026-10-21, headers: {Anthropic-Beta: \"b, a\", X: y}, "
        + "parameters: {temperature: null}}"
    )
    #expect(endpoint.api.name() == "anthropic-messages/2026-10-21+a+b")
    #expect(
      endpoint.server.headers.map { "\($0.name): \($0.value)" } == [
        "X: y", "anthropic-version: 2026-10-21", "anthropic-beta: a,b",
      ]
    )
  }

  @Test("A null parameter removes the prompt's parameter, and Ollama's context length is read")
  func values() throws {
    let endpoint = try Self.endpoint(
      "{type: ollama, model: m, context-length: 4096, parameters: {seed: null, top-p: 0.5}}"
    )
    #expect(endpoint.parameters == ["seed": .null, "top_p": 0.5])
    #expect(endpoint.contextLength == 4_096)
  }

  @Test(
    "A setting that an API or a model refuses is an error with a fix",
    arguments: [
      (
        "{type: ollama, model: m}",
        """
        sluice.yaml:2:9: error: the backend 'fast' needs 'context-length'
          2 |   fast: {type: ollama, model: m}
            |         ^
          fix: add 'context-length: …'

        """
      ),
      (
        "{type: anthropic, model: m, parameters: {seed: 7}}",
        """
        sluice.yaml:2:56: error: 'seed' is not a parameter of Anthropic's Messages API
          2 |   fast: {type: anthropic, model: m, parameters: {seed: 7}}
            |                                                        ^
          fix: remove it

        """
      ),
      (
        "{type: anthropic, model: m, version: 2024-01-01}",
        """
        sluice.yaml:2:46: error: unknown version '2024-01-01' of Anthropic's API
          2 |   fast: {type: anthropic, model: m, version: 2024-01-01}
            |                                              ^
          fix: write one of these: 2023-06-01, 2026-10-21

        """
      ),
      (
        "{type: anthropic, model: m, headers: {anthropic-version: a}}",
        """
        sluice.yaml:2:47: error: the header 'anthropic-version' is set by the key 'version'
          2 |   fast: {type: anthropic, model: m, headers: {anthropic-version: a}}
            |                                               ^
          fix: write 'version: …' next to 'type', and remove the header

        """
      ),
      (
        "{type: openai-responses, model: m, extra: {conversation: c}}",
        """
        sluice.yaml:2:52: error: 'conversation' in 'extra' refers to data on the server, so a recording could not contain the whole request
          2 |   fast: {type: openai-responses, model: m, extra: {conversation: c}}
            |                                                    ^
          fix: remove it, and send the whole conversation as messages

        """
      ),
      (
        "{type: gemini, model: m, extra: {contents: []}}",
        """
        sluice.yaml:2:42: error: 'contents' in 'extra' is set by Sluice itself
          2 |   fast: {type: gemini, model: m, extra: {contents: []}}
            |                                          ^
          fix: remove it

        """
      ),
      (
        "{type: anthropic, model: m, extra: {max_tokens: 5}}",
        """
        sluice.yaml:2:45: error: 'max_tokens' in 'extra' is set by Sluice itself
          2 |   fast: {type: anthropic, model: m, extra: {max_tokens: 5}}
            |                                             ^
          fix: write it under 'parameters:', as 'max-tokens: …'

        """
      ),
      (
        "{type: claude, model: m}",
        """
        sluice.yaml:2:16: error: unknown backend type 'claude'
          2 |   fast: {type: claude, model: m}
            |                ^
          fix: write 'type: anthropic'

        """
      ),
    ]
  )
  func faults(entry: String, text: String) throws {
    #expect(try Self.project(entry).report() == text)
  }

  @Test("A prompt's parameter that the backend does not support is an error at its position")
  func promptParameters() throws {
    let project = try Self.project("{type: anthropic, model: claude-haiku-5-5}")
      .replacing("max-tokens: 300", with: "seed: 7", in: ProjectFixture.prompt)
    #expect(
      try project.report() == """
        prompts/tone/v1.yaml:8:27: error: 'temperature' is rejected by the model 'claude-haiku-5-5', which the backend 'fast' uses
          8 | parameters: {temperature: 0, seed: 7}
            |                           ^
          fix: leave it out for this backend: 'parameters: {temperature: null}' in sluice.yaml
        prompts/tone/v1.yaml:8:36: error: 'seed' is not a parameter of Anthropic's Messages API, which the backend 'fast' uses
          8 | parameters: {temperature: 0, seed: 7}
            |                                    ^
          fix: leave it out for this backend: 'parameters: {seed: null}' in sluice.yaml

        """
    )
    let quiet = try project.replacing(
      "parameters:",
      with: "ignore-unsupported: true\nparameters:",
      in: ProjectFixture.prompt
    )
    let loaded = try quiet.load()
    #expect(loaded.diagnostics == [])
    let plan = try #require(loaded.suites.first?.plan)
    let request = try plan.backends[0].request(for: plan.prompts[0].render(plan.cases[0].testCase))
    #expect(request.body["temperature"] == nil)
    #expect(request.body["seed"] == nil)
    #expect(request.body["max_tokens"] == 4_096)
  }

  @Test("A prompt with messages that an API does not support is an error at the message")
  func messages() throws {
    let late = try Self.project("{type: gemini, model: gemini-3.8-flash}").replacing(
      "parameters:",
      with: "  - developer: Be brief.\nparameters:",
      in: ProjectFixture.prompt
    )
    #expect(
      try late.report() == """
        prompts/tone/v1.yaml:8:16: error: a 'developer' message in the middle of the conversation cannot be sent to Gemini's generateContent, which the backend 'fast' uses
          8 |   - developer: Be brief.
            |                ^
          fix: move it before the first 'user' message

        """
    )
    let prefilled = try Self.project(
      "{type: anthropic, model: claude-sonnet-5, parameters: {temperature: null}}"
    ).replacing(
      "parameters:",
      with: "  - assistant: \"{\"\nparameters:",
      in: ProjectFixture.prompt
    )
    #expect(
      try prefilled.report() == """
        prompts/tone/v1.yaml:8:17: error: the model 'claude-sonnet-5' of the backend 'fast' rejects prompts that end with an 'assistant' message
          8 |   - assistant: "{"
            |                 ^
          fix: end the prompt with a 'user' message, and set the form of the answer with 'response-schema'

        """
    )
  }
}
