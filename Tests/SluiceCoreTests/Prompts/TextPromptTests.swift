import SampleProjects
import Sluice
import Testing

@Suite("Prompts in plain text")
struct TextPromptTests {
  private func files(_ texts: [String: String]) -> ProjectFiles {
    ProjectFiles(InMemoryFileSystem(texts), diagnostics: DiagnosticCollector())
  }

  private func prompt(_ text: String, named name: String = "v1.txt") throws -> Prompt {
    let files = files([name: text])
    let prompt = PromptReader.read(ProjectPath(name), files: files)
    #expect(files.diagnostics.diagnostics == [])
    return try #require(prompt)
  }

  /// The messages with their variables unfilled.
  private func messages(_ text: String) throws -> [ChatMessage] {
    try prompt(text).render(filledWith: ["a": "{{a}}", "b": "{{b}}"]).messages
  }

  private func report(_ text: String) -> String {
    let files = files(["v1.txt": text])
    _ = PromptReader.read(ProjectPath("v1.txt"), files: files)
    return files.diagnostics.diagnostics.map(\.description).joined()
  }

  /// Returns a project whose suite uses a plain-text prompt.
  private func project(_ text: String, named name: String = "v1.txt") throws -> ProjectFixture {
    try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompt: \(name)", in: ProjectFixture.suite)
      .adding(["prompts/tone/\(name)": text])
  }

  // MARK: Messages

  @Test(
    "A text without '---' is one user message, without its final line break",
    arguments: [
      ("Hello", "Hello"), ("Hello\n", "Hello"), ("Hello\n\n", "Hello\n"), ("\n Hi\n", "\n Hi"),
      ("a: {{a}}\n----\n--", "a: {{a}}\n----\n--"), ("Note:\nHi", "Note:\nHi"),
      ("https://example.org", "https://example.org"), ("user\n:", "user\n:"),
      ("users:x", "users:x"),
    ]
  )
  func single(_ text: String, _ message: String) throws {
    #expect(try messages(text) == [ChatMessage(role: .user, text: message)])
  }

  @Test("A role on the first line applies to the only message", arguments: MessageRole.allCases)
  func role(_ role: MessageRole) throws {
    #expect(try messages("\(role.rawValue):\nHi\n") == [ChatMessage(role: role, text: "Hi")])
  }

  @Test(
    "Lines of '---' separate messages, each of which begins with its role",
    arguments: [
      "system:\nBe kind.\n---\nuser:\n{{a}}\n---\nassistant:\nYes?\n\n{{b}}",
      "system: \nBe kind.\n---\n\nuser:\n{{a}}\n---\n\n\nassistant:\nYes?\n\n{{b}}\n",
      "\u{FEFF}system:\r\nBe kind.\r\n---\r\nuser:\r\n{{a}}\r\n---\r\nassistant:\r\nYes?\r\n\r\n{{b}}\r\n",
    ]
  )
  func several(_ text: String) throws {
    #expect(
      try messages(text) == [
        ChatMessage(role: .system, text: "Be kind."), ChatMessage(role: .user, text: "{{a}}"),
        ChatMessage(role: .assistant, text: "Yes?\n\n{{b}}"),
      ]
    )
  }

  @Test("Blank lines, indented '---' lines and later role lines are part of the text")
  func verbatim() throws {
    #expect(
      try messages("system:\n\n Be:\nuser:\n\n---\nuser:\n ---\n") == [
        ChatMessage(role: .system, text: "\n Be:\nuser:\n"), ChatMessage(role: .user, text: " ---"),
      ]
    )
  }

  @Test("Templates work as in YAML, including sections that span lines")
  func templates() throws {
    let prompt = try prompt("user:\nList:\n{{#list}}\n- {{.}}\n{{/list}}\nEnd {{! of it }}")
    #expect(
      try prompt.render(filledWith: ["list": ["a", "b"]]).messages
        == [ChatMessage(role: .user, text: "List:\n- a\n- b\nEnd ")]
    )
    #expect(prompt.inputs == ["list"])
  }

  @Test("The digests equal those of the same messages in YAML")
  func digests() throws {
    let yaml = "messages:\n  - system: |-\n      Be kind.\n      Always.\n  - user: 'Hi {{a}}'\n"
    let written = try prompt(yaml, named: "v1.yaml")
    for text in ["system:\nBe kind.\nAlways.\n---\nuser:\nHi {{a}}\n"] {
      for name in ["v1.txt", "v1.md", "other.MD"] {
        let read = try prompt(text, named: name)
        #expect(read.digest == written.digest)
        #expect(read.templateDigest == written.templateDigest)
      }
    }
    #expect(
      try prompt("Hi", named: "v1.md").digest
        == prompt("messages: [{user: Hi}]", named: "v1.yaml").digest
    )
  }

  @Test("A suite can use a plain-text prompt", arguments: ["v2.txt", "v2.md"])
  func suite(_ name: String) throws {
    let text = "system:\nYou check.\n---\nuser:\n{{sender.role}} writes: {{message}}\n"
    let loaded = try project(text, named: name).load()
    let suite = try #require(loaded.suites.first)
    #expect(suite.plan.prompts.map(\.name) == ["v2"])
    #expect(suite.plan.prompts.map(\.path.description) == ["prompts/tone/\(name)"])
  }

  @Test("A plain-text prompt can be tried instead of the suite's own prompt")
  func tried() throws {
    let fixture = ProjectFixture().adding(["prompts/tone/v2.md": "Check: {{message}}"])
    let loaded = fixture.load(.init(prompt: ProjectPath("prompts/tone/v2.md")))
    #expect(loaded.suites.first?.plan.tried == ["v2"])
  }

  // MARK: Faults

  @Test("All errors are reported at once, each at its position")
  func faults() {
    #expect(
      report(
        """
        Be kind.
        ---
        human:
        Hi
        ---
        sytem:
        Hi
        ---
        speaker:
        Hi
        ---
        user: Hi {{name}}
        ---
        assistant:

        ---
        user:
        Hi {{name}
        ---

        """
      ) == """
        v1.txt:1:1: error: if there are several messages, each must begin with its role
          1 | Be kind.
            | ^
          fix: write 'user:' on the line above the text
        v1.txt:3:1: error: unknown role 'human'
          3 | human:
            | ^
          fix: write 'user:'
        v1.txt:6:1: error: unknown role 'sytem'
          6 | sytem:
            | ^
          fix: did you mean 'system'?
        v1.txt:9:1: error: unknown role 'speaker'
          9 | speaker:
            | ^
          fix: known: system, developer, user, assistant
        v1.txt:12:7: error: the text of a message must begin on the line below its role
          12 | user: Hi {{name}}
             |       ^
          fix: write 'user:' on a line by itself, and the text below it
        v1.txt:14:1: error: the message of 'assistant:' has no text
          14 | assistant:
             | ^
          fix: write the text on the lines below, or remove this line
        v1.txt:18:4: error: '{{' is never closed
          18 | Hi {{name}
             |    ^
          fix: write '{{name}}'
        v1.txt:19:1: error: there is no message after this '---'
          19 | ---
             | ^
          fix: remove this line

        """
    )
  }

  @Test("The fix for a message without a role is valid when copied")
  func copied() throws {
    #expect(try messages("user:\nBe kind.\n---\nuser:\nHi").count == 2)
  }

  @Test("A first line of '---' is an error, because other tools begin a file with it")
  func frontMatter() {
    #expect(
      report("---\nuser:\nHi\n") == """
        v1.txt:1:1: error: there is no message before this '---'
          1 | ---
            | ^
          fix: remove this line

        """
    )
  }

  @Test("An empty file is an error", arguments: ["", "\n", "\u{FEFF} \r\n\t"])
  func empty(_ text: String) {
    #expect(report(text) == "v1.txt: error: the file is empty\n")
  }

  @Test(
    "A byte that is not UTF-8 is an error at its position",
    arguments: [[0x48, 0x0A, 0x69, 0xFF], [0xEF, 0xBB, 0xBF, 0x48, 0x0A, 0x69, 0xFF]] as [[UInt8]]
  )
  func notText(_ bytes: [UInt8]) throws {
    let system = InMemoryFileSystem()
    try system.write(bytes, to: ProjectPath("v1.md"))
    let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
    #expect(PromptReader.read(ProjectPath("v1.md"), files: files) == nil)
    #expect(
      files.diagnostics.diagnostics.map(\.description) == [
        """
        v1.md:2:2: error: not valid UTF-8
          2 | i\u{FFFD}
            |  ^
          fix: save the file as UTF-8

        """
      ]
    )
  }

  @Test(
    "Text that resembles a role or a separator causes a warning",
    arguments: [
      (
        "Human:\nHi",
        """
        v1.txt:1:1: warning: 'Human:' is part of the text of a user message
          1 | Human:
            | ^
          fix: write 'user:'

        """
      ),
      (
        "System:\nHi",
        """
        v1.txt:1:1: warning: 'System:' is part of the text of a user message
          1 | System:
            | ^
          fix: write 'system:'

        """
      ),
      (
        "system: Be kind.\n",
        """
        v1.txt:1:1: warning: 'system:' is part of the text of a user message
          1 | system: Be kind.
            | ^
          fix: write 'system:' on a line by itself, and the text below it

        """
      ),
      (
        "system:\nHi\n--- \nuser:\nHi",
        """
        v1.txt:3:1: warning: '---' is part of the text, because spaces follow it
          3 | ---\u{20}
            | ^
          fix: write '---' without spaces to separate messages

        """
      ), ("user:\nSystem:\nHi", ""),
    ]
  )
  func lookalikes(_ text: String, _ expected: String) {
    #expect(report(text) == expected)
  }

  // MARK: Places

  @Test("A name that no case defines is reported at its position in the text")
  func missingName() throws {
    let text =
      "system:\r\nYou check.\r\n---\r\nuser:\r\nFrom\r\n é {{sender.name}}: {{message}}\r\n"
    #expect(
      try project(text).report().hasPrefix(
        """
        prompts/tone/v1.txt:6:4: error: no case of datasets/tone/cases.yaml has 'sender.name'
          6 |  é {{sender.name}}: {{message}}
            |    ^

        """
      )
    )
  }

  @Test("A variable in another tool's braces gets a fix without YAML quotes")
  func foreignTag() throws {
    let report = try project("Role: {{sender.role}}\nMessage: {message}\n").report()
    #expect(
      report.contains(
        """
        prompts/tone/v1.txt:2:10: warning: '{message}' is sent unchanged: only '{{message}}' is replaced by the input 'message'
          2 | Message: {message}
            |          ^
          fix: write {{message}}

        """
      )
    )
  }

  @Test("For a missing prompt, plain-text files are suggested as well")
  func nearest() throws {
    let fixture = try project("Hi").replacing("v1.txt", with: "v1.text", in: ProjectFixture.suite)
      .adding([ProjectFixture.prompt: nil])
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:2:9: error: file not found: prompts/tone/v1.text
          2 | prompt: v1.text
            |         ^
          fix: did you mean 'v1.txt'?

        """
    )
  }
}
