@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Body template")
struct BodyTemplateTests {
  private static let input: JSONValue = [
    "message": "Where is it?", "reply": ["type": "short", "length": 3], "seen": nil,
    "history": [["from": "ana"], ["from": "bo"]],
  ]
  private static let prompt = RenderedPrompt(messages: [
    ChatMessage(role: .system, text: "Be brief."), ChatMessage(role: .user, text: "Where is it?"),
    ChatMessage(role: .assistant, text: "Where is what?"),
    ChatMessage(role: .user, text: "The key."),
  ])

  private func body(_ yaml: String) throws -> (body: BodyTemplate?, diagnostics: String) {
    let file = SourceFile(path: "sluice.yaml", bytes: Array(yaml.utf8))
    let diagnostics = DiagnosticCollector()
    let root = try #require(YAMLReader.read(file.bytes).root)
    let body = BodyTemplate(root, file: file, diagnostics: diagnostics)
    return (body, diagnostics.diagnostics.map(\.description).joined())
  }

  private func filled(_ yaml: String) throws -> String {
    let (body, diagnostics) = try body(yaml)
    #expect(diagnostics == "")
    return try #require(body).filled(Self.prompt.context(with: Self.input)).jsonText
  }

  @Test(
    "A text that is exactly one variable becomes its value; any other text stays a text",
    arguments: [
      ("'{{message}}'", #""Where is it?""#), ("'{{ reply.type }}'", #""short""#),
      ("'{{reply.length}}'", "3"), ("'{{reply}}'", #"{"type":"short","length":3}"#),
      ("'{{history}}'", #"[{"from":"ana"},{"from":"bo"}]"#), ("'{{seen}}'", "null"),
      ("'{{reply.length}} words'", #""3 words""#), ("' {{reply.length}}'", #"" 3""#),
      ("'{{#history}}{{from}};{{/history}}'", #""ana;bo;""#), ("'plain'", #""plain""#),
      ("[1, true, null, '{{message}}']", #"[1,true,null,"Where is it?"]"#),
      ("{'{{message}}': {deep: ['{{reply.type}}']}}", #"{"{{message}}":{"deep":["short"]}}"#),
    ]
  )
  func values(yaml: String, json: String) throws {
    #expect(try filled(yaml) == json)
  }

  @Test(
    "The prompt is available as a whole, by role and as messages",
    arguments: [
      ("'{{prompt}}'", #""Be brief.\n\nWhere is it?\n\nWhere is what?\n\nThe key.""#),
      ("'{{prompt.system}}'", #""Be brief.""#),
      ("'{{prompt.user}}'", #""Where is it?\n\nThe key.""#),
      ("'Q: {{prompt.assistant}}'", #""Q: Where is what?""#),
      (
        "'{{prompt.messages}}'",
        #"[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is "#
          + #"it?"},{"role":"assistant","content":"Where is "#
          + #"what?"},{"role":"user","content":"The key."}]"#
      ),
    ]
  )
  func prompts(yaml: String, json: String) throws {
    #expect(try filled(yaml) == json)
  }

  @Test("An undefined variable is refused, with the nearest name as the fix")
  func missing() throws {
    let body = try #require(try body("{a: ['{{mesage}}']}").body)
    #expect(throws: Template.Problem(offset: 0, message: "mesage", fix: "message")) {
      try body.filled(Self.prompt.context(with: Self.input))
    }
    let role = try #require(try self.body("'{{prompt.developer}}'").body)
    #expect(throws: Template.Problem(offset: 0, message: "prompt.developer", fix: nil)) {
      try role.filled(Self.prompt.context(with: Self.input))
    }
  }

  @Test("A template error is reported at its position")
  func broken() throws {
    let (body, diagnostics) = try body("message: '{{#history}}'\n")
    #expect(body == nil)
    #expect(
      diagnostics == """
        sluice.yaml:1:11: error: the section 'history' is never closed
          1 | message: '{{#history}}'
            |           ^
          fix: add '{{/history}}'

        """
    )
  }

  @Test("A body lists its input variables, and bodies with the same values are equal")
  func inputs() throws {
    let one = try #require(try body("{a: '{{message}} {{reply.type}}', b: ['{{prompt}}']}").body)
    #expect(one.inputs == ["message", "reply", "prompt"])
    #expect(one == (try body("a: \"{{message}} {{reply.type}}\"\nb: ['{{prompt}}']\n").body))
    #expect(one != (try body("{a: '{{message}}'}").body))
  }
}
