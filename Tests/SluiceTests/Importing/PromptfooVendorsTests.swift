@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("promptfoo's providers for vendors' own APIs")
struct PromptfooVendorsTests {
  private func fixture(
    _ providers: String,
    prompts: String = "[Hi]",
    _ files: [String: String] = [:]
  )
    throws -> ImportFixture
  {
    try ImportFixture(
      "prompts: \(prompts)\nproviders:\n\(providers)\ntests: [{vars: {}}]\n",
      files
    )
  }

  @Test("OpenAI's Responses backends use that API's names for parameters")
  func responses() throws {
    let fixture = try fixture(
      """
        - id: openai:responses:gpt-5.1
          config: {reasoning: {effort: low, summary: auto}, max_output_tokens: 900, verbosity: low}
        - id: openai:responses:gpt-4.1
          config: {temperature: 0.2, seed: 1, top_k: 3, previous_response_id: r-1, truncation: auto}
        - openai:responses:gpt-5.3-codex
        - openai:responses:o4-mini-deep-research
      """
    )
    #expect(
      fixture.backends == """
        backends:
          gpt-5.1:
            type: openai-responses
            model: gpt-5.1
            key: {env: OPENAI_API_KEY}
            extra: {reasoning: {summary: auto}, text: {verbosity: low}}
            parameters: {reasoning-effort: low, max-tokens: 900}
          gpt-4.1:
            type: openai-responses
            model: gpt-4.1
            key: {env: OPENAI_API_KEY}
            extra: {truncation: auto}
            parameters: {temperature: 0.2, max-tokens: 1024}
          gpt-5.3-codex:
            type: openai-responses
            model: gpt-5.3-codex
            key: {env: OPENAI_API_KEY}

        """
    )
    #expect(
      fixture.findings == [
        "promptfooconfig.yaml:5:5: note: the provider 'openai:responses:gpt-4.1': 'seed' is "
          + "not a parameter of OpenAI's Responses API, so it is left out",
        "promptfooconfig.yaml:6:41: note: 'top_k' of the provider 'openai:responses:gpt-4.1' "
          + "is left out; promptfoo does not send it",
        "promptfooconfig.yaml:6:51: left out: 'previous_response_id' of the provider "
          + "'openai:responses:gpt-4.1': it refers to data that the server stores",
        "promptfooconfig.yaml:8:5: left out: the provider "
          + "'openai:responses:o4-mini-deep-research'; nearest: 'type: openai' uses chat "
          + "completions and 'type: openai-responses' the Responses API; use an 'exec' backend "
          + "for other interfaces",
      ]
    )
    fixture.expectLoads()
  }

  @Test("Anthropic backends leave out the parameters that promptfoo does not send")
  func messages() throws {
    let fixture = try fixture(
      """
        - id: anthropic:claude-haiku-4-5-20251001
          config: {temperature: 0.5, top_p: 0.9, stop_sequences: [END], top_k: 5, stream: true, seed: 7}
        - id: anthropic:messages:claude-opus-4-7
          config: {thinking: {type: enabled, budget_tokens: 2000}, effort: high, top_k: 5}
        - id: anthropic:messages:claude-sonnet-4-6
          label: plain
          config: {temperature: 1.5, max_tokens: 200, apiBaseUrl: "https://proxy.example", beta: [a-1, b-2]}
        - anthropic:claude-agent-sdk
      """
    )
    #expect(
      fixture.backends == """
        backends:
          claude-haiku-4-5-20251001:
            type: anthropic
            model: claude-haiku-4-5-20251001
            key: {env: ANTHROPIC_API_KEY}
            extra: {top_k: 5}
            parameters: {top-p: 0.9, stop: [END], max-tokens: 1024}
          claude-opus-4-7:
            type: anthropic
            model: claude-opus-4-7
            key: {env: ANTHROPIC_API_KEY}
            extra: {thinking: {type: adaptive}}
            parameters: {reasoning-effort: high, max-tokens: 2048}
          plain:
            type: anthropic
            model: claude-sonnet-4-6
            key: {env: ANTHROPIC_API_KEY}
            base-url: https://proxy.example/v1
            headers: {anthropic-beta: "a-1,b-2"}
            parameters: {max-tokens: 200}

        """
    )
    #expect(
      fixture.findings == [
        "promptfooconfig.yaml:3:5: note: 'temperature' of the provider "
          + "'anthropic:claude-haiku-4-5-20251001' is left out; promptfoo does not send it to this "
          + "model",
        "promptfooconfig.yaml:3:5: note: the provider 'anthropic:claude-haiku-4-5-20251001': "
          + "'seed' is not a parameter of Anthropic's Messages API, so it is left out",
        "promptfooconfig.yaml:4:77: note: 'stream' of the provider "
          + "'anthropic:claude-haiku-4-5-20251001' is left out; it does not affect answers",
        "promptfooconfig.yaml:5:5: note: 'thinking' of the provider "
          + "'anthropic:messages:claude-opus-4-7' was written as adaptive, as promptfoo sends it "
          + "to this model",
        "promptfooconfig.yaml:6:14: note: the provider 'anthropic:messages:claude-opus-4-7': "
          + "thoughts are not part of the answer in Sluice; promptfoo puts them before the "
          + "answer unless 'showThinking' is false",
        "promptfooconfig.yaml:7:5: left out: the provider "
          + "'anthropic:messages:claude-sonnet-4-6': 'temperature' must be between 0 and 1 for "
          + "Anthropic's Messages API; nearest: write a number from 0 to 1",
        "promptfooconfig.yaml:10:5: left out: the provider 'anthropic:claude-agent-sdk'; "
          + "nearest: 'type: anthropic' uses the Messages API; use an 'exec' backend for other "
          + "interfaces",
      ]
    )
    fixture.expectLoads()
  }

  @Test("Gemini backends read configurations in both spellings")
  func content() throws {
    let fixture = try fixture(
      """
        - id: google:gemini-2.5-flash
          config:
            temperature: 0.1
            generationConfig:
              temperature: 0.7
              maxOutputTokens: 2048
              top_k: 40
              stop_sequences: [END]
              thinkingConfig: {thinkingBudget: 1024}
            safetySettings: [{category: HARM_CATEGORY_HARASSMENT, threshold: BLOCK_NONE}]
            apiKey: "{{env.GOOGLE_API_KEY}}"
        - id: google:gemini-3.1-pro-preview
          config: {generationConfig: {thinkingConfig: {thinkingLevel: HIGH}}, apiVersion: v1alpha, top_p: 0.5}
        - id: google:gemini-2.5-pro
          config: {responseSchema: file://form.json, tools: [{googleSearch: {}}], seed: 4}
        - google:live:gemini-2.5-flash
      """,
      ["form.json": "{\"type\": \"OBJECT\"}"]
    )
    #expect(
      fixture.backends == """
        backends:
          gemini-2.5-flash:
            type: gemini
            model: gemini-2.5-flash
            key: {env: GOOGLE_API_KEY}
            extra:
              safetySettings: [{category: HARM_CATEGORY_HARASSMENT, threshold: BLOCK_NONE}]
              generationConfig: {topK: 40, thinkingConfig: {thinkingBudget: 1024}}
            parameters: {temperature: 0.7, max-tokens: 2048, stop: [END]}
          gemini-3.1-pro-preview:
            type: gemini
            model: gemini-3.1-pro-preview
            key: {env: GEMINI_API_KEY}
            base-url: https://generativelanguage.googleapis.com/v1alpha
            parameters: {reasoning-effort: high}
          gemini-2.5-pro:
            type: gemini
            model: gemini-2.5-pro
            key: {env: GEMINI_API_KEY}
            extra:
              generationConfig:
                responseMimeType: application/json
                responseSchema: {type: OBJECT}

        """
    )
    #expect(
      fixture.findings == [
        "promptfooconfig.yaml:15:94: note: 'top_p' of the provider "
          + "'google:gemini-3.1-pro-preview' is left out; promptfoo does not send it",
        "promptfooconfig.yaml:17:48: left out: 'tools' of the provider 'google:gemini-2.5-pro': "
          + "tools are not supported; nearest: an 'exec' or 'http' backend that sends the tools",
        "promptfooconfig.yaml:17:77: note: 'seed' of the provider 'google:gemini-2.5-pro' is "
          + "left out; promptfoo does not send it",
        "promptfooconfig.yaml:18:5: left out: the provider 'google:live:gemini-2.5-flash'; "
          + "nearest: 'type: gemini' only generates text; use an 'exec' backend for other "
          + "interfaces",
      ]
    )
    fixture.expectLoads()
  }

  @Test("Ollama backends get a context length, which is reported if none was set")
  func ollama() throws {
    let fixture = try fixture(
      """
        - id: ollama:chat:llama3.2:1b
          config: {num_predict: 1024, num_ctx: 16384, temperature: 0, repeat_penalty: 1.1, think: false}
        - id: ollama:chat:phi4
          config: {passthrough: {options: {num_ctx: 2048, mirostat: 1}}, max_tokens: 5, keep_alive: 5m, tools: []}
        - ollama:mannix/llama3.1
      """
    )
    #expect(
      fixture.backends == """
        backends:
          llama3.2-1b:
            type: ollama
            model: llama3.2:1b
            context-length: 16384
            extra: {options: {repeat_penalty: 1.1}}
            parameters: {max-tokens: 1024, temperature: 0, reasoning-effort: none}
          phi4:
            type: ollama
            model: phi4
            context-length: 2048
            extra: {options: {mirostat: 1}}
          mannix-llama3.1: {type: ollama, model: mannix/llama3.1, context-length: 8192}

        """
    )
    #expect(
      fixture.findings == [
        "promptfooconfig.yaml:6:68: note: 'max_tokens' of the provider 'ollama:chat:phi4' is "
          + "left out; promptfoo does not send it",
        "promptfooconfig.yaml:6:83: note: 'keep_alive' of the provider 'ollama:chat:phi4' is "
          + "left out; it does not affect answers",
        "promptfooconfig.yaml:6:99: left out: 'tools' of the provider 'ollama:chat:phi4': "
          + "tools are not supported; nearest: an 'exec' or 'http' backend that sends the tools",
        "promptfooconfig.yaml:7:5: note: the provider 'ollama:mannix/llama3.1': promptfoo "
          + "requests a text completion; the backend sends the prompt as a chat with one message",
        "promptfooconfig.yaml:7:5: changed: the provider 'ollama:mannix/llama3.1' has no "
          + "'num_ctx', so the memory of each machine determines how much of a prompt is read; "
          + "nearest: 'context-length: 8192' was written; change it to the length that the model "
          + "needs",
      ]
    )
    fixture.expectLoads()
  }

  @Test("Providers' instructions become the first message, and a shared schema is the prompt's")
  func sharedParts() throws {
    let fixture = try fixture(
      """
        - id: google:gemini-2.5-pro
          config: {systemInstruction: file://system.txt}
        - id: ollama:completion:phi4
          config: {num_ctx: 4096, system: Be brief.}
      """,
      ["system.txt": "Be brief."]
    )
    #expect(
      try fixture.text("prompts/replies/prompt-1.yaml")
        == "messages: [{developer: Be brief.}, {user: Hi}]\n"
    )
    let schema = "{type: object, properties: {a: {type: string}}}"
    let shared = try self.fixture(
      """
        - id: anthropic:claude-haiku-4-5-20251001
          config: {output_format: {type: json_schema, schema: \(schema)}}
        - id: openai:responses:gpt-4.1
          config: {response_format: {type: json_schema, name: form, schema: \(schema)}}
        - id: ollama:chat:phi4
          config: {num_ctx: 4096, format: \(schema)}
      """
    )
    #expect(
      try JSONReader.value(shared.text("prompts/replies/answer.schema.json"))
        == ["type": "object", "properties": ["a": ["type": "string"]]]
    )
    #expect(try shared.text("prompts/replies/prompt-1.yaml").contains("answer.schema.json"))
    #expect(!shared.backends.contains("extra"))
    let apart = try self.fixture(
      """
        - id: anthropic:claude-haiku-4-5-20251001
          config: {output_format: {type: json_schema, schema: \(schema)}}
        - id: openai:responses:gpt-4.1
          config: {response_format: {type: json_schema, name: form, schema: {type: object}}}
        - id: ollama:chat:phi4
          config: {num_ctx: 4096, format: \(schema)}
      """
    )
    #expect(
      apart.backends == """
        backends:
          claude-haiku-4-5-20251001:
            type: anthropic
            model: claude-haiku-4-5-20251001
            key: {env: ANTHROPIC_API_KEY}
            extra:
              output_config:
                format:
                  type: json_schema
                  schema:
                    type: object
                    properties: {a: {type: string}}
            parameters: {temperature: 0, max-tokens: 1024}
          gpt-4.1:
            type: openai-responses
            model: gpt-4.1
            key: {env: OPENAI_API_KEY}
            extra:
              text:
                format: {type: json_schema, name: form, strict: true, schema: {type: object}}
            parameters: {temperature: 0, max-tokens: 1024}
          phi4: {type: ollama, model: phi4, context-length: 4096}

        """
    )
    #expect(
      apart.findings == [
        "promptfooconfig.yaml: left out: the answer schema of the backend 'phi4': other backends "
          + "have a different schema or none; nearest: 'response-schema:' in the prompt; write one "
          + "suite for each different schema"
      ]
    )
    for fixture in [fixture, shared, apart] { fixture.expectLoads() }
  }

  @Test("A backend leaves out prompt parameters that its API does not support")
  func refusedParameters() throws {
    let fixture = try fixture(
      """
        - openai:gpt-4.1
        - anthropic:claude-haiku-4-5-20251001
      """,
      prompts: "[{raw: Hi, config: {seed: 7}}]"
    )
    #expect(
      fixture.backends == """
        backends:
          gpt-4.1:
            type: openai
            model: gpt-4.1
            key: {env: OPENAI_API_KEY}
            parameters: {temperature: 0, max-tokens: 1024}
          claude-haiku-4-5-20251001:
            type: anthropic
            model: claude-haiku-4-5-20251001
            key: {env: ANTHROPIC_API_KEY}
            parameters: {temperature: 0, max-tokens: 1024, seed: null}

        """
    )
    #expect(
      fixture.findings == [
        "promptfooconfig.yaml: note: 'seed' is not a parameter of Anthropic's Messages API, so it "
          + "is left out for the backend 'claude-haiku-4-5-20251001'"
      ]
    )
    fixture.expectLoads()
  }
}
