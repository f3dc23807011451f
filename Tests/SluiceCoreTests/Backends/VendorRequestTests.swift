@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Requests to vendors' APIs")
struct VendorRequestTests {
  /// A prompt that uses the features of every API.
  private static let prompt = RenderedPrompt(
    messages: [
      ChatMessage(role: .system, text: "Be brief."),
      ChatMessage(role: .developer, text: "Use English."),
      ChatMessage(role: .user, text: "Where is it?"),
      ChatMessage(role: .assistant, text: "Which one?"),
      ChatMessage(role: .user, text: "The parcel 🙂"),
    ],
    parameters: ["temperature": 0.5, "max_tokens": 300, "reasoning_effort": "low"],
    responseSchema: ResponseSchema(
      name: "place",
      schema: [
        "type": "object", "properties": ["city": ["type": "string", "minLength": 2]],
        "required": ["city"],
      ]
    )
  )

  private static func endpoint(
    _ api: ModelAPI,
    model: String = "m-1",
    isStreamed: Bool = false,
    parameters: JSONObject = [:],
    extra: JSONObject = [:]
  ) -> ModelEndpoint {
    ModelEndpoint(
      api,
      server: ServerAccess(url: "https://models.test/v1"),
      model: model,
      isStreamed: isStreamed,
      parameters: parameters,
      extra: extra,
      contextLength: api == .ollamaChat ? 8_192 : nil
    )
  }

  private static func line(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.pretty(value), as: UTF8.self)
  }

  /// The expected bodies of one prompt, written by hand.
  private static let bodies: [(ModelAPI, String, String)] = [
    (
      .responses, "openai-responses",
      """
      {"model": "m-1", "input": [{"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Use English."},
        {"role": "user", "content": "Where is it?"}, {"role": "assistant", "content": "Which one?"},
        {"role": "user", "content": "The parcel 🙂"}], "store": false, "temperature": 0.5,
        "max_output_tokens": 300, "reasoning": {"effort": "low"},
        "text": {"format": {"type": "json_schema", "name": "place", "strict": true,
          "schema": {"type": "object", "properties": {"city": {"type": "string", "minLength": 2}},
            "required": ["city"]}}}}
      """
    ),
    (
      .messages(ModelAPI.MessagesVersion()), "anthropic-messages/2023-06-01",
      """
      {"model": "m-1", "max_tokens": 300, "messages": [{"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": "Which one?"}, {"role": "user", "content": "The parcel 🙂"}],
        "system": "Be brief.\\n\\nUse English.", "temperature": 0.5,
        "output_config": {"effort": "low", "format": {"type": "json_schema",
          "schema": {"type": "object", "properties": {"city": {"type": "string",
            "description": "{minLength: 2}"}}, "required": ["city"], "additionalProperties": false}}}}
      """
    ),
    (
      .generateContent, "gemini-generate-content",
      """
      {"contents": [{"role": "user", "parts": [{"text": "Where is it?"}]},
        {"role": "model", "parts": [{"text": "Which one?"}]},
        {"role": "user", "parts": [{"text": "The parcel 🙂"}]}],
        "systemInstruction": {"parts": [{"text": "Be brief."}, {"text": "Use English."}]},
        "generationConfig": {"temperature": 0.5, "maxOutputTokens": 300,
          "thinkingConfig": {"thinkingLevel": "LOW"}, "responseMimeType": "application/json",
          "responseJsonSchema": {"type": "object",
            "properties": {"city": {"type": "string", "minLength": 2}}, "required": ["city"]}}}
      """
    ),
    (
      .ollamaChat, "ollama-chat",
      """
      {"model": "m-1", "messages": [{"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Use English."}, {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": "Which one?"}, {"role": "user", "content": "The parcel 🙂"}],
        "stream": false, "truncate": false, "shift": false,
        "options": {"num_ctx": 8192, "temperature": 0.5, "num_predict": 300}, "think": "low",
        "format": {"type": "object", "properties": {"city": {"type": "string", "minLength": 2}},
          "required": ["city"]}}
      """
    ),
  ]

  @Test("The same prompt becomes the body of each API", arguments: bodies)
  func wholeBodies(api: ModelAPI, name: String, body: String) throws {
    let request = try Self.endpoint(api).request(for: Self.prompt, backend: "server")
    #expect(Self.line(request.body) == Self.line(try JSONReader.value(Array(body.utf8))))
    #expect(request.api == name)
    #expect(ModelAPI(name: name) == api)
    #expect(!ModelAPI.isStreamed(request))
    #expect(ModelAPI.unstreamed(request) == request)
  }

  @Test(
    "A streamed request has its own key and can be converted to a whole one",
    arguments: bodies
  )
  func streamed(api: ModelAPI, name: String, body: String) throws {
    let whole = try Self.endpoint(api).request(for: Self.prompt, backend: "server")
    let streamed = try Self.endpoint(api, isStreamed: true)
      .request(for: Self.prompt, backend: "server")
    #expect(ModelAPI.isStreamed(streamed))
    #expect(RequestIdentity.key(of: streamed) != RequestIdentity.key(of: whole))
    #expect(
      RequestIdentity.key(of: ModelAPI.unstreamed(streamed)) == RequestIdentity.key(of: whole)
    )
    #expect(ModelAPI(name: streamed.api) == api)
  }

  @Test(
    "Requests go to the API's path, and streamed requests to the streaming path",
    arguments: [
      (ModelAPI.chatCompletions, "/chat/completions", "/chat/completions"),
      (.responses, "/responses", "/responses"),
      (.messages(.init()), "/messages", "/messages"),
      (.ollamaChat, "/api/chat", "/api/chat"),
      (
        .generateContent, "/models/m-1:generateContent",
        "/models/m-1:streamGenerateContent?alt=sse"
      ),
    ]
  )
  func routes(api: ModelAPI, whole: String, streamed: String) {
    let server = ServerAccess(url: "https://models.test/v1")
    for (isStreamed, path) in [(false, whole), (true, streamed)] {
      let route = api.route(to: "m-1", isStreamed: isStreamed)
      #expect(server.address(route.path, query: route.query) == "https://models.test/v1" + path)
    }
  }

  @Test("The path of a model in another collection keeps the collection")
  func tunedModel() {
    let route = ModelAPI.generateContent.route(to: "tunedModels/x", isStreamed: false)
    #expect(route.path == "/tunedModels/x:generateContent")
  }

  @Test("Anthropic's version and betas are part of the protocol's name and of its headers")
  func versions() {
    let api = ModelAPI.messages(.init("2026-10-21", betas: ["b-2", "b-1"]))
    #expect(api.name() == "anthropic-messages/2026-10-21+b-1+b-2")
    #expect(ModelAPI(name: api.name()) == api)
    #expect(
      api.headers == [
        HTTPHeader("anthropic-version", "2026-10-21"), HTTPHeader("anthropic-beta", "b-1,b-2"),
      ]
    )
  }

  @Test("Members of 'extra' are merged into the request's objects")
  func extra() throws {
    let extra: JSONObject = [
      "text": ["verbosity": "low"], "reasoning": ["summary": "auto"], "service_tier": "flex",
    ]
    let body = try Self.endpoint(.responses, extra: extra)
      .request(for: Self.prompt, backend: "server").body
    #expect(body["reasoning"] == ["effort": "low", "summary": "auto"])
    #expect(body.value(at: "text.verbosity") == "low")
    #expect(body.value(at: "text.format.name") == "place")
    #expect(body["service_tier"] == "flex")
  }

  @Test("A null parameter removes the prompt's parameter")
  func nullParameter() throws {
    let body = try Self.endpoint(.responses, parameters: ["temperature": .null, "top_p": 0.9])
      .request(for: Self.prompt, backend: "server").body
    #expect(body["temperature"] == nil)
    #expect(body["top_p"] == 0.9)
  }

  @Test("Anthropic's token limit is 4,096 by default")
  func usualLimit() throws {
    let prompt = RenderedPrompt(messages: [ChatMessage(role: .user, text: "Hi")])
    let request = try Self.endpoint(.messages(.init())).request(for: prompt, backend: "server")
    #expect(
      request.body == [
        "model": "m-1", "max_tokens": 4_096, "messages": [["role": "user", "content": "Hi"]],
      ]
    )
  }

  @Test(
    "The reasoning effort has the form that the model expects",
    arguments: [
      (
        ModelAPI.generateContent, "gemini-2.5-flash", "none", "generationConfig", "thinkingBudget",
        "0"
      ),
      (
        .generateContent, "models/gemini-2.5-pro", "medium", "generationConfig", "thinkingBudget",
        "8192"
      ),
      (.generateContent, "gemini-4-argon", "high", "generationConfig", "thinkingLevel", "\"HIGH\""),
    ]
  )
  func thinking(
    api: ModelAPI,
    model: String,
    effort: String,
    member: String,
    name: String,
    value: String
  ) throws {
    let prompt = RenderedPrompt(messages: [], parameters: ["reasoning_effort": .string(effort)])
    let body = try Self.endpoint(api, model: model).request(for: prompt, backend: "server").body
    #expect(body.value(at: "\(member).thinkingConfig.\(name)")?.jsonText == value)
  }

  @Test("Reasoning is disabled in the form of each API")
  func noThinking() throws {
    let prompt = RenderedPrompt(messages: [], parameters: ["reasoning_effort": "none"])
    func body(_ api: ModelAPI) throws -> JSONValue {
      try Self.endpoint(api).request(for: prompt, backend: "server").body
    }
    #expect(try body(.ollamaChat)["think"] == false)
    #expect(try body(.messages(.init()))["thinking"] == ["type": "disabled"])
    #expect(try body(.messages(.init()))["output_config"] == nil)
    #expect(try body(.responses)["reasoning"] == ["effort": "none"])
  }

  @Test("A late developer message keeps its position, or is refused by APIs that do not support it")
  func lateInstructions() throws {
    let prompt = RenderedPrompt(
      messages: [
        ChatMessage(role: .user, text: "Hi"), ChatMessage(role: .developer, text: "Be brief."),
        ChatMessage(role: .user, text: "Where?"),
      ]
    )
    for api in [ModelAPI.messages(.init()), .generateContent] {
      let problem = #expect(throws: Template.Problem.self) {
        try Self.endpoint(api).request(for: prompt, backend: "server")
      }
      #expect(
        problem?.message
          == "a 'developer' message in the middle of the conversation cannot be sent to "
          + "\(api.title)"
      )
    }
    let late = try Self.endpoint(.messages(.init("2026-10-21")))
      .request(for: prompt, backend: "server").body
    #expect(late["system"] == nil)
    #expect(late.value(at: "messages.1.role") == "system")
  }

  @Test("A key can be computed without the request for every API", arguments: bodies)
  func keys(api: ModelAPI, name: String, body: String) throws {
    let backend = BackendDefinition(name: "server", kind: .model(Self.endpoint(api)))
    let messages = try [
      (MessageRole.system, "Be {{tone}}."), (.user, "Where is {{thing}}?"),
      (.assistant, "{{thing}}"),
    ].map { role, text in
      Prompt.Part.message(
        .init(
          role: role,
          template: try Template(text),
          position: TextPosition(
            text,
            at: SourcePosition(line: 1, column: 1),
            in: .init(path: "", bytes: [])
          )
        )
      )
    }
    let prompt = Prompt(
      name: "v1",
      path: ProjectPath("v1.yaml"),
      parts: messages,
      parameters: ["temperature": 0.5],
      responseSchema: Self.prompt.responseSchema,
      digest: "",
      templateDigest: ""
    )
    let input: JSONValue = ["tone": "\"brief\"\n", "thing": "the parcel 🙂"]
    let request = try backend.request(for: prompt.render(filledWith: input))
    let key = try #require(RequestKey(prompt, backend)).key(input)
    #expect(key.hexadecimal == RequestIdentity.key(of: request))
  }
}
