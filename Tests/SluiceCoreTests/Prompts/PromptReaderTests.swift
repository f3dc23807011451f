import SampleProjects
import Sluice
import Testing

@Suite("Prompt reader")
struct PromptReaderTests {
  private let path = ProjectFixture.prompt

  private func report(_ old: String, _ new: String) throws -> String {
    try ProjectFixture().replacing(old, with: new, in: path).report()
  }

  private func prompt(_ text: String, named name: String = "v1.yaml") throws -> Prompt {
    let files = ProjectFiles(
      InMemoryFileSystem([name: text, "answer.schema.json": #"{"type": "object"}"#]),
      diagnostics: DiagnosticCollector()
    )
    let prompt = PromptReader.read(ProjectPath(name), files: files)
    #expect(files.diagnostics.diagnostics == [])
    return try #require(prompt)
  }

  // MARK: Reading

  @Test("A prompt is read with messages, schema and parameters under their names in requests")
  func whole() throws {
    let prompt = try prompt(
      """
      messages:
        - system: Be {{mood}}.
        - developer: Answer with JSON.
        - user: "{{message}}"
        - assistant: Yes?
      parameters:
        temperature: 0.7
        top-p: 1
        max-tokens: 300
        max-completion-tokens: 400
        seed: 7
        stop: [END, "."]
        presence-penalty: -1
        frequency-penalty: 0.5
        reasoning-effort: low
      response-schema: answer.schema.json
      """
    )
    #expect(prompt.name == "v1")
    #expect(prompt.messages.map(\.role) == [.system, .developer, .user, .assistant])
    #expect(prompt.inputs == ["mood", "message"])
    #expect(
      prompt.parameters == [
        "temperature": 0.7, "top_p": 1, "max_tokens": 300, "max_completion_tokens": 400, "seed": 7,
        "stop": ["END", "."], "presence_penalty": -1, "frequency_penalty": 0.5,
        "reasoning_effort": "low",
      ]
    )
    #expect(prompt.responseSchema == ResponseSchema(name: "answer", schema: ["type": "object"]))
  }

  @Test("A prompt needs only messages")
  func least() throws {
    let prompt = try prompt("messages: [{user: Hello}]")
    #expect(prompt.parameters == [:])
    #expect(prompt.responseSchema == nil)
    #expect(
      try prompt.render(TestCase(id: "a", input: [:]))
        == RenderedPrompt(messages: [ChatMessage(role: .user, text: "Hello")])
    )
  }

  @Test(
    "A prompt is named after its file, without the extension",
    arguments: [("v1.yaml", "v1"), ("v1.2.yaml", "v1.2"), ("short", "short")]
  )
  func name(_ file: String, _ name: String) throws {
    #expect(try prompt("messages: [{user: Hello}]", named: file).name == name)
  }

  @Test("The digest depends on every part of a prompt but not on its name")
  func digest() throws {
    let texts = [
      "messages: [{user: Hello}]", "messages: [{system: Hello}]", "messages: [{user: 'Hello '}]",
      "messages: [{user: Hello}, {user: Hello}]",
      "messages: [{user: Hello}]\nparameters: {temperature: 0}",
      "messages: [{user: Hello}]\nresponse-schema: answer.schema.json",
    ]
    let digests = try texts.map { try prompt($0).digest }
    #expect(Set(digests).count == texts.count)
    #expect(try prompt(texts[0], named: "v2.yaml").digest == digests[0])
    #expect(try prompt("messages:\n  - user: |-\n      Hello\n").digest == digests[0])
  }

  @Test("The schema's name in a request contains only allowed characters")
  func schemaName() throws {
    let name = "prompts/é b_c-1.schema.json"
    let files = ProjectFiles(
      InMemoryFileSystem([
        "prompts/v1.yaml": "messages: [{user: Hello}]\nresponse-schema: é b_c-1.schema.json",
        name: "{}",
      ]),
      diagnostics: DiagnosticCollector()
    )
    let prompt = PromptReader.read(ProjectPath("prompts/v1.yaml"), files: files)
    #expect(prompt?.responseSchema?.name == "__b_c-1")
  }

  // MARK: Faults

  @Test("An unknown key is an error that suggests the nearest known key")
  func unknownKey() throws {
    #expect(
      try report("response-schema:", "response_schema:") == """
        prompts/tone/v1.yaml:9:1: error: unknown key 'response_schema' in a prompt
          9 | response_schema: answer.schema.json
            | ^
          fix: did you mean 'response-schema'?

        """
    )
  }

  @Test("An unknown parameter is an error that suggests the nearest known parameter")
  func unknownParameter() throws {
    #expect(
      try report("max-tokens", "max_tokens") == """
        prompts/tone/v1.yaml:8:30: error: unknown key 'max_tokens' in 'parameters'
          8 | parameters: {temperature: 0, max_tokens: 300}
            |                              ^
          fix: did you mean 'max-tokens'?

        """
    )
  }

  @Test("An unknown role is an error that suggests the nearest known role")
  func unknownRole() throws {
    #expect(
      try report("- system:", "- sytem:") == """
        prompts/tone/v1.yaml:2:5: error: unknown role 'sytem'
          2 |   - sytem: |
            |     ^
          fix: did you mean 'system'?

        """
    )
  }

  @Test("A message that does not have exactly one role as its key is an error")
  func noRole() throws {
    #expect(
      try report(#"- user: "{{sender.role}} writes: {{message}}""#, "- Hello") == """
        prompts/tone/v1.yaml:7:5: error: a message must have exactly one key, its role
          7 |   - Hello
            |     ^
          fix: write '- user: "Hello"'

        """
    )
  }

  @Test("A prompt without messages is an error", arguments: ["parameters: {}", "messages: null"])
  func missing(_ text: String) {
    #expect(
      ProjectFixture().adding([path: text]).report() == """
        prompts/tone/v1.yaml:1:1: error: a prompt needs 'messages'
          1 | \(text)
            | ^
          fix: add 'messages: …'

        """
    )
  }

  @Test("An empty list of messages is an error")
  func empty() {
    #expect(
      ProjectFixture().adding([path: "messages: []"]).report() == """
        prompts/tone/v1.yaml:1:11: error: 'messages' is empty
          1 | messages: []
            |           ^

        """
    )
  }

  @Test("A duplicate key is an error at its second position")
  func duplicateKey() throws {
    #expect(
      try report("temperature: 0,", "temperature: 0, temperature: 1,") == """
        prompts/tone/v1.yaml:8:30: error: duplicate key 'temperature', first on line 8
          8 | parameters: {temperature: 0, temperature: 1, max-tokens: 300}
            |                              ^
          fix: remove one of the two

        """
    )
  }

  @Test(
    "A value of the wrong type is an error at the value",
    arguments: [
      (
        "{temperature: 0, max-tokens: 300}", "[]", "8:13",
        "'parameters' must be a mapping, not a list"
      ),
      ("temperature: 0", "temperature: warm", "8:27", "'temperature' must be a number, not a text"),
      ("temperature: 0", "top-p: true", "8:21", "'top-p' must be a number, not true or false"),
      (
        "max-tokens: 300", "max-tokens: 1.5", "8:42", "'max-tokens' must be a whole number, not 1.5"
      ),
      (
        "max-tokens: 300", "max-tokens: 0", "8:42",
        "'max-tokens' must be between 1 and 10000000, not 0"
      ),
      (
        "temperature: 0", "stop: 3", "8:20",
        "'stop' must be a text or a list of texts, not a number"
      ),
      ("temperature: 0", "stop: [a, 3]", "8:24", "an entry of 'stop' must be a text, not a number"),
      (
        "temperature: 0", "reasoning-effort: 3", "8:32",
        "'reasoning-effort' must be a text, not a number"
      ),
      ("answer.schema.json", "{}", "9:18", "'response-schema' must be a text, not a mapping"),
    ]
  )
  func wrongType(_ old: String, _ new: String, _ place: String, _ message: String) throws {
    let said = try report(old, new)
    #expect(said.hasPrefix("prompts/tone/v1.yaml:\(place): error: \(message)\n"))
    #expect(said.ranges(of: " error: ").count == 1)
  }

  @Test("A message that is not a text is an error")
  func wrongMessage() throws {
    #expect(
      try report("- system: |", "- system: 3\n  - user: |") == """
        prompts/tone/v1.yaml:2:13: error: 'system' must be a text, not a number
          2 |   - system: 3
            |             ^
          fix: put it in quotes: "3"

        """
    )
  }

  @Test("A schema that does not exist or is not an object is an error")
  func schema() throws {
    #expect(
      try report("response-schema: answer", "response-schema: answers") == """
        prompts/tone/v1.yaml:9:18: error: file not found: prompts/tone/answers.schema.json
          9 | response-schema: answers.schema.json
            |                  ^
          fix: did you mean 'answer.schema.json'?

        """
    )
    let other = try ProjectFixture()
      .replacing(
        "response-schema: answer.schema.json",
        with: "response-schema: list.json",
        in: path
      )
      .adding(["prompts/tone/list.json": "[]"])
    #expect(
      other.report() == """
        prompts/tone/list.json:1:1: error: a JSON Schema must be an object, not a list
          1 | []
            | ^

        """
    )
  }

  // MARK: Templates

  @Test("A template error in a literal block is reported at the tag")
  func inBlock() throws {
    #expect(
      try report("{{from}}: {{text}}", "{{from}}: {{te xt}}") == """
        prompts/tone/v1.yaml:5:17: error: 'te xt' is not a name
          5 |       {{from}}: {{te xt}}
            |                 ^
          fix: a name consists of letters, digits, '_' and '-', with dots between its parts

        """
    )
    #expect(
      try report("{{/conversation}}", "{{/conversations}}") == """
        prompts/tone/v1.yaml:6:7: error: found '{{/conversations}}' instead of '{{/conversation}}'
          6 |       {{/conversations}}
            |       ^
          fix: close the section 'conversation' first

        """
    )
    #expect(
      try report("      {{/conversation}}\n", "") == """
        prompts/tone/v1.yaml:4:7: error: the section 'conversation' is never closed
          4 |       {{#conversation}}
            |       ^
          fix: add '{{/conversation}}'

        """
    )
    #expect(
      try report("tone of a message.", "tone of a {{message.") == """
        prompts/tone/v1.yaml:3:31: error: '{{' is never closed
          3 |       You check the tone of a {{message.
            |                               ^
          fix: write '{{message}}'

        """
    )
    #expect(
      try report("tone of a message.", "tone of a {{{message}}}.") == """
        prompts/tone/v1.yaml:3:31: error: '{{{' is not needed, because Sluice does not escape text
          3 |       You check the tone of a {{{message}}}.
            |                               ^
          fix: write '{{message}}'

        """
    )
    #expect(
      try report("tone of a message.", "tone {{/of}} a message.") == """
        prompts/tone/v1.yaml:3:26: error: '{{/of}}' closes a section that is not open
          3 |       You check the tone {{/of}} a message.
            |                          ^
          fix: remove it, or add '{{#of}}' before it

        """
    )
  }

  @Test("A template error in a quoted text on one line is reported at the tag")
  func quoted() throws {
    #expect(
      try report("{{message}}", "{{message}") == """
        prompts/tone/v1.yaml:7:36: error: '{{' is never closed
          7 |   - user: "{{sender.role}} writes: {{message}"
            |                                    ^
          fix: write '{{message}}'

        """
    )
  }

  @Test("A template error after folding or escapes is reported at the start of the text")
  func folded() throws {
    #expect(try report("system: |", "system: >") == "")
    let fixture = try ProjectFixture()
      .replacing("system: |", with: "system: >-", in: path)
      .replacing("{{text}}", with: "{{te xt}}", in: path)
    #expect(
      fixture.report() == """
        prompts/tone/v1.yaml:2:13: error: 'te xt' is not a name
          2 |   - system: >-
            |             ^
          fix: a name consists of letters, digits, '_' and '-', with dots between its parts

        """
    )
    #expect(
      try report("writes: {{message}}", #"writes:\n{{message}"#) == """
        prompts/tone/v1.yaml:7:11: error: '{{' is never closed
          7 |   - user: "{{sender.role}} writes:\\n{{message}"
            |           ^
          fix: write '{{message}}'

        """
    )
  }

  @Test("The first error of each message is reported")
  func severalMessages() throws {
    let fixture = try ProjectFixture()
      .replacing("{{from}}", with: "{{>from}}", in: path)
      .replacing("{{sender.role}}", with: "{{sender..role}}", in: path)
    #expect(
      fixture.report() == """
        prompts/tone/v1.yaml:5:7: error: '{{>' is not supported
          5 |       {{>from}}: {{text}}
            |       ^
          fix: use one of these: {{name}}, {{#name}}, {{^name}}, {{/name}} or {{! comment}}
        prompts/tone/v1.yaml:7:12: error: 'sender..role' is not a name
          7 |   - user: "{{sender..role}} writes: {{message}}"
            |            ^
          fix: a name consists of letters, digits, '_' and '-', with dots between its parts

        """
    )
  }
}
