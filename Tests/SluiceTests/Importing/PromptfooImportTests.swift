@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Importing a promptfoo configuration")
struct PromptfooImportTests {
  @Test("Prompts of all kinds become prompt files")
  func prompts() throws {
    let fixture = try ImportFixture(
      """
      prompts:
        - file://two.txt
        - file://chat.json
        - {id: short, raw: "In one line: {{q}}", config: {temperature: 0.5}}
        - |
          - role: system
            content: Be brief.
          - role: user
            content: "{{q}}"
      providers: [openai:chat:gpt-4o-mini]
      tests: [{vars: {q: Hi}}]
      """,
      [
        "two.txt": "First {{q}}\n---\nSecond {{q}}\n",
        "chat.json":
          #"[{"role": "system", "content": "S"}, {"role": "user", "content": "{{ q }}"}]"#,
      ]
    )
    #expect(fixture.imported.report.isWholeWithBackends)
    #expect(
      try fixture.suite.contains(
        "prompts: [two.yaml, two-2.yaml, chat.yaml, short.yaml, prompt-5.yaml]"
      )
    )
    #expect(
      try fixture.text("prompts/replies/two-2.yaml")
        == "messages: [{user: \"Second {{q}}\"}]\nparameters: {temperature: 0}\n"
    )
    #expect(
      try fixture.text("prompts/replies/chat.yaml")
        == "messages: [{system: S}, {user: \"{{q}}\"}]\nparameters: {temperature: 0}\n"
    )
    #expect(
      try fixture.text("prompts/replies/short.yaml")
        == "messages: [{user: \"In one line: {{q}}\"}]\nparameters: {temperature: 0.5}\n"
    )
    #expect(
      try fixture.text("prompts/replies/prompt-5.yaml")
        == "messages: [{system: Be brief.}, {user: \"{{q}}\"}]\nparameters: {temperature: 0}\n"
    )
    fixture.expectLoads()
  }

  @Test("Tests from all sources become cases in the order of the configuration")
  func tests() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}} {{tone}}"]
      providers: [openai:chat:gpt-4o-mini]
      defaultTest: {vars: {tone: kind}, metadata: {area: shipping}}
      tests:
        - {description: A list, vars: {q: [a, b]}}
        - file://more.csv
        - file://more.jsonl
        - file://more.yaml
      """,
      [
        "more.csv":
          "q,__expected,__expected2,__description,__metadata:kind\nc,contains:x,levenshtein(2):y,Row,odd\n",
        "more.jsonl": #"{"vars": {"q": "d", "tone": "rude"}}"# + "\n",
        "more.yaml": "- vars: {q: e}\n",
      ]
    )
    #expect(fixture.imported.report.isWhole)
    let root = try #require(YAMLReader.read(Array(try fixture.cases.utf8)).root?.json.array)
    #expect(root.map { $0["input"]?["q"]?.string } == ["a", "b", "c", "d", "e"])
    #expect(root.map { $0["input"]?["tone"]?.string } == ["kind", "kind", "kind", "rude", "kind"])
    #expect(
      root[2]["assert"]
        == [["contains": "x"], ["levenshtein": ["value": "y", "threshold": 2]]]
    )
    #expect(root[2]["tags"] == ["area.shipping", "kind.odd"])
    #expect(root.allSatisfy { $0["id"]?.string?.wholeMatch(of: /[a-z-]+-[0-9a-f]{8}/) != nil })
    fixture.expectLoads()
  }

  @Test("Scenarios combine each configuration with each test")
  func scenarios() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{a}}{{b}}"]
      providers: [openai:chat:gpt-4o-mini]
      scenarios:
        - config: [{vars: {a: "1"}}, {vars: {a: "2"}, assert: [{type: contains, value: z}]}]
          tests: [{vars: {b: x}}, {vars: {b: y}, assert: [{type: contains, value: w}]}]
      """
    )
    let root = try #require(YAMLReader.read(Array(try fixture.cases.utf8)).root?.json.array)
    #expect(
      root.map { "\($0["input"]?["a"]?.string ?? "")\($0["input"]?["b"]?.string ?? "")" }
        == ["1x", "2x", "1y", "2y"]
    )
    #expect(root[3]["assert"] == [["contains": "z"], ["contains": "w"]])
    fixture.expectLoads()
  }

  @Test("A variable that a test lacks becomes an empty text and is reported")
  func missingVariable() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}} {{context.text}}"]
      providers: [openai:chat:gpt-4o-mini]
      tests: [{vars: {q: a}}]
      """
    )
    #expect(try fixture.cases.contains("input: {q: a, context: {text: \"\"}}"))
    #expect(
      fixture.findings == [
        "promptfooconfig.yaml:3:9: note: a test has no 'context.text', which a prompt uses: "
          + "promptfoo inserts nothing, so the import wrote \"\""
      ]
    )
    fixture.expectLoads()
  }

  @Test("A prompt that would send a different text is left out")
  func otherText() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["List: {{items}}", "Sum: {{n}}", "{{n}}"]
      providers: [openai:chat:gpt-4o-mini]
      tests: [{vars: {items: [1, 2], n: 3}}]
      """
    )
    #expect(try fixture.suite.contains("prompt: prompt-2.yaml"))
    #expect(fixture.findings.count { $0.contains(": left out: the prompt ") } == 2)
    #expect(fixture.findings.contains { $0.contains("JSON, which promptfoo sends as messages") })
    fixture.expectLoads()
  }

  @Test("Providers become backends with promptfoo's default values")
  func providers() throws {
    let fixture = try ImportFixture(
      """
      prompts: [Hi]
      providers:
        - openai:gpt-4o-mini
        - {id: openai:chat:o4-mini, config: {reasoning_effort: low, max_completion_tokens: 500}}
        - id: openrouter:meta-llama/llama-4
          label: llama
          config: {temperature: 1, apiKey: not-copied, passthrough: {a: 1}, tools: [{type: function}]}
        - id: azure:chat:my-gpt
          config: {apiHost: x.openai.azure.com, apiVersion: "2024-10-21"}
        - id: https
          config: {url: https://app.example/reply, method: POST, body: {q: "{{prompt}}"}, transformResponse: json.text}
        - anthropic:messages:claude-sonnet-4-6
        - sagemaker:openai:my-endpoint
      tests: [{vars: {}}]
      """
    )
    #expect(
      fixture.backends == """
        backends:
          gpt-4o-mini:
            type: openai
            model: gpt-4o-mini
            key: {env: OPENAI_API_KEY}
            parameters: {temperature: 0, max-tokens: 1024}
          o4-mini:
            type: openai
            model: o4-mini
            key: {env: OPENAI_API_KEY}
            parameters: {reasoning-effort: low, max-completion-tokens: 500}
          llama:
            type: openai
            model: meta-llama/llama-4
            base-url: https://openrouter.ai/api/v1
            key: {env: OPENROUTER_API_KEY}
            extra: {a: 1}
            parameters: {temperature: 1, max-tokens: 1024}
          my-gpt:
            type: openai
            model: my-gpt
            base-url: https://x.openai.azure.com/openai/deployments/my-gpt
            key: {env: AZURE_API_KEY, header: api-key}
            query: {api-version: "2024-10-21"}
            parameters: {temperature: 0, max-tokens: 1024}
          # Change the version in the fingerprint whenever the app behind this backend changes.
          reply:
            type: http
            url: https://app.example/reply
            body: {q: "{{prompt}}"}
            answer: {text: text}
            fingerprint: {version: "1"}
          claude-sonnet-4-6:
            type: anthropic
            model: claude-sonnet-4-6
            key: {env: ANTHROPIC_API_KEY}
            parameters: {temperature: 0, max-tokens: 1024}

        """
    )
    #expect(fixture.imported.report.isWhole)
    #expect(!fixture.imported.report.isWholeWithBackends)
    #expect(
      fixture.findings.filter { $0.contains("left out") } == [
        "promptfooconfig.yaml:7:71: left out: 'tools' of the provider "
          + "'openrouter:meta-llama/llama-4': tools are not supported; nearest: an 'exec' or "
          + "'http' backend that sends the tools",
        "promptfooconfig.yaml:13:5: left out: the provider 'sagemaker:openai:my-endpoint'; "
          + "nearest: an 'exec' backend that calls it (docs/backends.md)",
      ]
    )
    fixture.expectLoads()
  }

  @Test(
    "If no provider can be imported, a placeholder backend is the first thing to fill in"
  )
  func placeholder() throws {
    let fixture = try ImportFixture("prompts: [Hi]\nproviders: [echo]\ntests: [{vars: {}}]\n")
    #expect(
      fixture.imported.report.fillIns
        == ["the backend 'fill-in' in sluice.yaml: name the model and its server"]
    )
    #expect(fixture.backends.contains("base-url: \"http://127.0.0.1:9/v1\""))
    fixture.expectLoads()
  }

  @Test("Missing files are reported and replaced by placeholder texts")
  func absent() throws {
    let fixture = try ImportFixture(
      """
      prompts: [file://prompt.txt]
      providers: [openai:chat:gpt-4o-mini]
      tests:
        - {vars: {mail: file://mail.txt}, assert: [{type: is-json, value: file://schema.json}]}
        - file://more.csv
      """
    )
    #expect(
      fixture.findings.map { $0.prefix { $0 != ";" } } == [
        "promptfooconfig.yaml:1:11: file not found: file://prompt.txt",
        "promptfooconfig.yaml:4:5: file not found: file://mail.txt",
        "promptfooconfig.yaml:4:46: file not found: file://schema.json",
        "promptfooconfig.yaml:5:5: file not found: file://more.csv",
      ]
    )
    #expect(fixture.imported.report.isWhole)
    #expect(fixture.imported.report.fillIns.count == 2)
    fixture.expectLoads()
  }

  @Test("References within the file, merge keys and shared values are resolved")
  func references() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}}"]
      providers: [openai:chat:gpt-4o-mini]
      assertionTemplates:
        polite: {type: not-contains, value: rude}
      base: &base {vars: {q: a}}
      tests:
        - <<: *base
          assert: [{$ref: "#/assertionTemplates/polite"}]
      """
    )
    #expect(try fixture.assertions == [["not-contains": "rude"]])
    #expect(fixture.findings == ["promptfooconfig.yaml:5:1: left out: unknown key 'base'"])
    fixture.expectLoads()
  }

  @Test(
    "An invalid configuration is refused with the position of the error",
    arguments: [
      ("a.js", "module.exports = {}", "the configuration is a program, which an import never runs"),
      ("a.yaml", "", "the file is empty"),
      ("a.yaml", "a: 1", "it is not a promptfoo configuration"),
      ("a.yaml", "prompts: [", "the '[' is not closed"),
      ("a.json", "{\"prompts\": }", "not valid JSON"),
      (
        "a.yaml",
        "a: &a [x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]",
        "aliases expand to more than 100000 values"
      ),
    ]
  )
  func refused(_ name: String, _ text: String, _ message: String) {
    do throws(PromptfooImport.Failure) {
      _ = try PromptfooImport.read(ProjectPath(name), from: InMemoryFileSystem([name: text]))
      Issue.record("\(name) was read")
    } catch {
      #expect(error.diagnostics.contains { $0.message.contains(message) }, "\(error.diagnostics)")
    }
  }

  @Test("Malicious tables and paths are reported, and the rest is imported")
  func hostile() throws {
    let wide = (0..<5_000).map { "c\($0)" }.joined(separator: ",")
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}}", "file://../../etc/passwd"]
      providers: [openai:chat:gpt-4o-mini]
      tests: [file://wide.csv, "file:///etc/passwd.yaml", {vars: {q: "=cmd()"}}]
      """,
      ["wide.csv": wide + "\n" + wide + "\n"]
    )
    #expect(fixture.findings.contains { $0.contains("5000 columns, more than 1000") })
    #expect(fixture.findings.count { $0.contains("is outside the folder") } == 2)
    #expect(try fixture.cases.contains("input: {q: \"=cmd()\"}"))
    fixture.expectLoads()
  }

  @Test("A key in a prompt or case is removed and reported")
  func secrets() throws {
    let key = "sk-proj-" + String(repeating: "aB3dE6gH9", count: 6)
    let fixture = try ImportFixture(
      "prompts: ['Use \(key)']\nproviders: [openai:chat:gpt-4o-mini]\ntests: [{vars: {}}]\n"
    )
    #expect(try !fixture.text("prompts/replies/prompt-1.yaml").contains(key))
    #expect(fixture.findings.contains { $0.contains("a secret was left out of the new file") })
  }

  @Test("Repeats, several backends and the required pass rate are written to the suite")
  func settings() throws {
    let fixture = try ImportFixture(
      """
      description: Two models
      prompts: ["{{q}}"]
      providers: [openai:chat:gpt-4o-mini, openai:chat:gpt-4o]
      evaluateOptions: {repeat: 3, maxConcurrency: 2}
      tests: [{vars: {q: a}, assert: [{type: contains, value: a}]}]
      """
    )
    #expect(
      try fixture.suite == """
        # Imported from promptfooconfig.yaml.
        # Two models
        suite: replies
        prompt: prompt-1.yaml
        dataset: replies
        backends: [gpt-4o-mini, gpt-4o]
        repeat: 3
        # promptfoo fails a run if any test fails.
        gates: [accuracy >= 100%]

        """
    )
    fixture.expectLoads()
  }
}
