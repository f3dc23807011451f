@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Request key")
struct RequestKeyTests {
  private static let inputs: [JSONValue] = [
    ["text": "Where is it?", "sender": ["role": "engineer"], "list": []],
    ["text": "", "sender": ["role": "a \"b\" \\ c\n\u{1}\u{7F}"], "list": [["from": "ana"]]],
    ["text": "caf\u{E9} e\u{301} 🙂 \u{2028}", "sender": ["role": 1.5], "list": ["x", "y"]],
    ["text": ["a": [1, "é\"", true]], "sender": ["role": false], "list": [1, [2, nil]]],
    [
      "text": .string(String(repeating: "long \"text\" ", count: 500)), "sender": ["role": "x"],
      "list": [],
    ],
  ]

  private func prompt(_ yaml: String, _ files: [String: String] = [:]) throws -> Prompt {
    let all = files.merging(["v1.yaml": yaml]) { $1 }
    let files = ProjectFiles(InMemoryFileSystem(all), diagnostics: DiagnosticCollector())
    let prompt = PromptReader.read(ProjectPath("v1.yaml"), files: files)
    #expect(files.diagnostics.diagnostics == [])
    return try #require(prompt)
  }

  private func backend(_ parameters: JSONObject = [:], name: String = "server") -> BackendDefinition
  {
    BackendDefinition(
      name: name,
      kind: .model(
        ModelEndpoint(
          server: ServerAccess(url: "https://models.test/v1"),
          model: "sorter-1 \"é\"",
          parameters: parameters
        )
      )
    )
  }

  @Test(
    "A key computed without the request equals the request's key",
    arguments: [
      "messages:\n  - user: '{{text}}'\n",
      "messages:\n  - system: Sort.\n  - user: '{{text}}'\n",
      "messages:\n  - system: Sort.\n  - user: '{{text}} by {{sender.role}}'\n  - user: End\n",
      "messages:\n  - user: '{{text}}'\n  - assistant: \"So?\\n\\\"é\\\"\"\n  - user: '{{text}}'\n",
      "messages:\n  - user: '{{.}}'\n",
      "messages:\n  - user: nothing of the case\n",
      "messages:\n  - user: ''\n  - user: ''\n",
      "messages:\n  - user: '{{#list}}{{.}};{{/list}}{{^list}}none{{/list}}'\n",
      "messages:\n  - user: '{{text}}'\nparameters: {temperature: 0.2, stop: ['\"', b], seed: 7}\n",
      "messages:\n  - developer: '{{text}}'\nresponse-schema: a.schema.json\n",
    ]
  )
  func equalsIdentity(_ yaml: String) throws {
    let schema = #"{"type": "object", "description": "é \"message 0\"", "properties": {}}"#
    let prompt = try prompt(yaml, ["a.schema.json": schema])
    for backend in [backend(), backend(["seed": 1, "max_tokens": 5], name: "other")] {
      let key = try #require(RequestKey(prompt, backend))
      for input in Self.inputs {
        let rendered = try prompt.render(TestCase(id: "a", input: input))
        let identity = RequestIdentity(try backend.request(for: rendered))
        #expect(try key.key(input).hexadecimal == identity.key)
      }
    }
  }

  @Test("A case that lacks an input has no key")
  func gap() throws {
    let key = try #require(RequestKey(try prompt("messages:\n  - user: '{{text}}'\n"), backend()))
    #expect(throws: Template.Problem(offset: 0, message: "text", fix: nil)) {
      try key.key([:])
    }
  }

  @Test("If a schema contains the placeholders of messages, keys need the complete request")
  func marksElsewhere() throws {
    let schema = #"{"description": "\u0001message 0\u0001"}"#
    let prompt = try prompt(
      "messages:\n  - user: '{{text}}'\nresponse-schema: a.schema.json\n",
      ["a.schema.json": schema]
    )
    #expect(RequestKey(prompt, backend()) == nil)
  }
}
