@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Prompt")
struct PromptTests {
  private func prompt(_ texts: [(MessageRole, String)]) throws -> Prompt {
    let file = SourceFile(path: "v1.yaml", bytes: [])
    let position = TextPosition("", at: SourcePosition(line: 1, column: 1), in: file)
    return Prompt(
      name: "v1",
      path: ProjectPath("v1.yaml"),
      parts: try texts.map {
        .message(.init(role: $0.0, template: try Template($0.1), position: position))
      },
      parameters: ["seed": 1],
      responseSchema: ResponseSchema(name: "answer", schema: [:]),
      digest: "",
      templateDigest: ""
    )
  }

  @Test("Each message of a prompt is filled from the inputs of a case")
  func render() throws {
    let prompt = try prompt([(.system, "Be {{mood}}."), (.user, "{{text}}")])
    let testCase = TestCase(id: "a", input: ["mood": "kind", "text": "Hi"])
    #expect(
      try prompt.render(testCase)
        == RenderedPrompt(
          messages: [
            ChatMessage(role: .system, text: "Be kind."), ChatMessage(role: .user, text: "Hi"),
          ],
          parameters: ["seed": 1],
          responseSchema: ResponseSchema(name: "answer", schema: [:])
        )
    )
    #expect(prompt.inputs == ["mood", "text"])
  }

  @Test("A case that lacks an input is an error")
  func missing() throws {
    let prompt = try prompt([(.system, "Be {{mood}}."), (.user, "{{text}}")])
    #expect(throws: Template.Problem(offset: 0, message: "text", fix: nil)) {
      try prompt.render(TestCase(id: "a", input: ["mood": "kind"]))
    }
  }
}
