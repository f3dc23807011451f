import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Message lists in cases")
struct MessageListTests {
  private let inserted =
    "messages:\n  - system: Be kind.\n  - messages: \"{{history}}\"\n  - user: Go on.\n"

  /// A project of two cases, the first of which has a list of messages.
  private func project(
    _ prompt: String,
    _ history: String,
    other: String = "[{user: Hi}]"
  ) -> ProjectFixture {
    ProjectFixture().adding([
      ProjectFixture.prompt: prompt,
      ProjectFixture.dataset: """
      - id: first
        input: {history: \(history)}
        expected: {flagged: false, label: calm}
      - id: second
        input: {history: \(other)}
        expected: {flagged: true, label: harsh}

      """,
    ])
  }

  private func messages(_ project: ProjectFixture) throws -> JSONValue? {
    let loaded = project.load()
    #expect(loaded.diagnostics.map(\.description) == [])
    let plan = try #require(loaded.suites.first?.plan)
    return try plan.request(plan.slot(0), plan.cases[0].testCase).body["messages"]
  }

  // MARK: Inserting

  @Test("A list is inserted at its place, and its texts are not filled again")
  func inserts() throws {
    let history = """
      [{user: "{{a}}"}, {role: assistant, content: "No."}, {content: Sure, role: developer}]
      """
    #expect(
      try messages(project(inserted, history)) == [
        ["role": "system", "content": "Be kind."], ["role": "user", "content": "{{a}}"],
        ["role": "assistant", "content": "No."], ["role": "developer", "content": "Sure"],
        ["role": "user", "content": "Go on."],
      ]
    )
  }

  @Test(
    "A prompt may consist of only a list",
    arguments: [#"messages: "{{ history }}""#, #"messages: [{messages: "{{history}}"}]"#]
  )
  func whole(_ prompt: String) throws {
    #expect(
      try messages(project(prompt, "[{user: A}, {assistant: B}]")) == [
        ["role": "user", "content": "A"], ["role": "assistant", "content": "B"],
      ]
    )
  }

  @Test("An empty list inserts nothing next to other messages or lists")
  func emptyBesideOthers() throws {
    #expect(
      try messages(project(inserted, "[]")) == [
        ["role": "system", "content": "Be kind."], ["role": "user", "content": "Go on."],
      ]
    )
    let two = "messages:\n  - messages: \"{{history}}\"\n  - messages: \"{{more.last}}\"\n"
    let project = project(
      two,
      "[], more: {last: [{user: A}]}",
      other: "[], more: {last: [{user: B}]}"
    )
    #expect(try messages(project) == [["role": "user", "content": "A"]])
  }

  @Test("A request with a list has the same key as with the messages written out")
  func keys() throws {
    let written = "messages: [{system: Be kind.}, {user: '{{history}}'}, {user: Go on.}]"
    let plans = try [project(inserted, "[{user: Hi}]"), project(written, "Hi", other: "Hi")].map {
      try #require($0.load().suites.first?.plan)
    }
    let keys = try plans.map { plan in
      try RequestKeys(plan).key(of: plan.slot(0), plan.cases[0].testCase, in: plan).text
    }
    #expect(keys[0] == keys[1])
  }

  @Test("The body of an app's request can use a list under 'prompt'")
  func body() throws {
    let fixture = try project(inserted, "[{assistant: A}]", other: "[{user: A}]").replacing(
      "strong:\n    type: openai\n    model: large-1",
      with:
        "strong:\n    type: http\n    url: https://example.org\n    fingerprint: [prices.json]\n "
        + "   answer: {text: text}\n    body: {all: '{{prompt.messages}}', said: "
        + "'{{prompt.assistant}}'}",
      in: ProjectFixture.configuration
    ).replacing("backend: fast", with: "backend: strong", in: ProjectFixture.suite)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:4:7: error: the case 'second' has no 'prompt.assistant', which is used at sluice.yaml:8:47
          4 | - id: second
            |       ^
          fix: give it a value under 'input', or remove it from the body

        """
    )
  }

  // MARK: Faults

  @Test(
    "A value that is not a list of messages is an error at its case",
    arguments: [
      (
        "Hi", "'history' must be a list of messages, not a text", #"write [{"user": "Hi"}]"#
      ),
      (
        "{user: Hi}", "'history' must be a list of messages, not a mapping",
        #"write [{"user": "…"}]"#
      ),
      ("3", "'history' must be a list of messages, not a number", #"write [{"user": "…"}]"#),
      (
        "[{user: Hi}, Yes]", "'history[1]' must be a message, not a text",
        #"write {"user": "Yes"}"#
      ),
      ("[[]]", "'history[0]' must be a message, not a list", #"write {"user": "…"}"#),
      ("[{human: Hi}]", "'history[0]' has the unknown role 'human'", "write 'user'"),
      (
        "[{role: usr, content: Hi}]", "'history[0]' has the unknown role 'usr'",
        "did you mean 'user'?"
      ),
      (
        "[{role: tool, content: Hi}]", "'history[0]' has the unknown role 'tool'",
        "known: system, developer, user, assistant"
      ),
      (
        "[{user: [Hi]}]", "the content of 'history[0]' must be a text, not a list",
        #"write {"user": "…"}"#
      ),
      (
        "[{role: assistant, content: null}]",
        "the content of 'history[0]' must be a text, not nothing",
        #"write {"assistant": "…"}"#
      ),
      (
        "[{role: user, content: Hi, name: Bo}]",
        "'history[0]' is not a message: it must have only a role and a text",
        #"write {"user": "…"}, or {"role": "user", "content": "…"}"#
      ),
    ]
  )
  func notMessages(_ history: String, _ message: String, _ fix: String) {
    #expect(
      project(inserted, history).report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'first', used at prompts/tone/v1.yaml:3:16: \(message)
          1 | - id: first
            |       ^
          fix: \(fix)

        """
    )
  }

  @Test("If no case has a list of messages, there is one error in the prompt")
  func everywhere() {
    #expect(
      project(inserted, "Hi", other: "Ho").report() == """
        prompts/tone/v1.yaml:3:16: error: no case of datasets/tone/cases.yaml has a list of messages under 'history'
          3 |   - messages: "{{history}}"
            |                ^
          fix: write '- user: "{{history}}"'

        """
    )
    #expect(
      project(inserted, "Hi", other: "3").report().contains(
        #"  fix: make it a list such as [{"user": "…"}] in each case"#
      )
    )
  }

  @Test("A missing list is reported like any missing input")
  func missing() {
    #expect(
      project(inserted, "null").report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'first' has no 'history', which is used at prompts/tone/v1.yaml:3:16
          1 | - id: first
            |       ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
  }

  @Test("An empty list that leaves a prompt without messages is an error")
  func empty() {
    #expect(
      project(#"messages: "{{history}}""#, "[]").report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'first', used at prompts/tone/v1.yaml:1:12: 'history' is empty, so the prompt would have no message
          1 | - id: first
            |       ^
          fix: add a message to 'history' or to the prompt

        """
    )
  }

  @Test("Every case of a JSONL dataset is checked, even after similar valid ones")
  func lines() {
    let fixture = project(inserted, "[]").adding([
      ProjectFixture.dataset: nil,
      "datasets/tone/cases.jsonl": """
      {"id":"a","input":{"history":[{"user":"Hi"}]},"expected":{"flagged":false,"label":"calm"}}
      {"id":"b","input":{"history":"Hi"},"expected":{"flagged":false,"label":"calm"}}

      """,
    ])
    #expect(
      fixture.report() == """
        datasets/tone/cases.jsonl:2:7: error: the case 'b', used at prompts/tone/v1.yaml:3:16: 'history' must be a list of messages, not a text
          2 | {"id":"b","input":{"history":"Hi"},"expected":{"flagged":false,"label":"…
            |       ^
          fix: write [{"user": "Hi"}]

        """
    )
  }

  @Test("A CSV dataset cannot contain a list, and the fix suggests another format")
  func cells() {
    let fixture = project(inserted, "[]").adding([
      ProjectFixture.dataset: nil,
      "datasets/tone/cases.csv":
        "id,input.history,expected.flagged,expected.label\na,Hi,false,calm\n",
    ])
    #expect(
      fixture.report() == """
        datasets/tone/cases.csv:2:1: error: the case 'a', used at prompts/tone/v1.yaml:3:16: 'history' must be a list of messages, not a text
          2 | a,Hi,false,calm
            | ^
          fix: write the cases as YAML or JSONL, in which an input can be a list

        """
    )
  }

  @Test(
    "An entry 'messages' of a prompt must be a single variable",
    arguments: [
      (
        "- messages: \"Hi {{name}}\"", 15,
        """
        error: in a list of messages, the value of 'messages' must be a single variable without other text
          fix: for a message with this text, write '- user: "Hi {{name}}"'
        """
      ),
      (
        "- messages: [{user: Hi}]", 15,
        """
        error: in a list of messages, the value of 'messages' must be a single variable, not a list
          fix: put the entries directly into the outer list
        """
      ),
      (
        "- messages: {history}", 15,
        """
        error: in a list of messages, the value of 'messages' must be a single variable, not a mapping
          fix: write 'messages: "{{history}}"'
        """
      ),
      (
        "- messages: 3", 15,
        """
        error: in a list of messages, the value of 'messages' must be a single variable, not a number
          fix: write 'messages: "{{NAME}}"'
        """
      ),
      (
        "- messages: \"{{history\"", 16,
        """
        error: '{{' is never closed
          fix: write '{{history}}'
        """
      ),
      (
        "- mesages: \"{{history}}\"", 5,
        """
        error: unknown role 'mesages'
          fix: did you mean 'messages'?
        """
      ),
    ]
  )
  func wrongEntry(_ entry: String, _ column: Int, _ expected: String) {
    let report = project("messages:\n  \(entry)\n", "[{user: Hi}]").report()
    let lines = report.split(separator: "\n").filter { !$0.contains("|") }
    #expect(
      lines.joined(separator: "\n") == "prompts/tone/v1.yaml:2:\(column): \(expected)"
    )
  }

  // MARK: Digests

  @Test("The digest depends on the position and name of a list, but not on its notation")
  func digests() throws {
    let prompts = [
      #"messages: "{{history}}""#, #"messages: [{messages: "{{history}}"}]"#,
      #"messages: [{messages: "{{history}}"}, {user: Hi}]"#, #"messages: [{user: "{{history}}"}]"#,
    ]
    let digests = try prompts.map { text in
      let files = ProjectFiles(
        InMemoryFileSystem(["v1.yaml": text]),
        diagnostics: DiagnosticCollector()
      )
      let prompt = try #require(PromptReader.read(ProjectPath("v1.yaml"), files: files))
      #expect(prompt.inputs == ["history"])
      return prompt.digest
    }
    #expect(digests[0] == digests[1])
    #expect(Set(digests).count == 3)
  }
}
