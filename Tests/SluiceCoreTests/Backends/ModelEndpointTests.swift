@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("OpenAI chat endpoint")
struct ModelEndpointTests {
  private func endpoint(
    _ baseURL: String = "https://models.test/v1",
    parameters: JSONObject = [:]
  ) -> ModelEndpoint {
    ModelEndpoint(
      server: ServerAccess(url: baseURL),
      model: "sorter-1",
      parameters: parameters
    )
  }

  private func body(
    _ prompt: RenderedPrompt,
    parameters: JSONObject = [:]
  ) throws -> String {
    try endpoint(parameters: parameters).request(for: prompt, backend: "server").body.jsonText
  }

  @Test("The body contains model, messages, parameters and schema, in that order")
  func wholeBody() throws {
    let prompt = RenderedPrompt(
      messages: [
        ChatMessage(role: .system, text: "Say \"what\" it is."),
        ChatMessage(role: .developer, text: "Be brief."),
        ChatMessage(role: .user, text: "Where is it?\n🙂"),
        ChatMessage(role: .assistant, text: "{"),
      ],
      parameters: ["temperature": 0.7, "max_tokens": 20, "stop": ["\n"]],
      responseSchema: ResponseSchema(name: "kind", schema: ["type": "object"])
    )
    #expect(
      try body(prompt) == #"""
        {"model":"sorter-1","messages":[\#
        {"role":"system","content":"Say \"what\" it is."},\#
        {"role":"developer","content":"Be brief."},\#
        {"role":"user","content":"Where is it?\n🙂"},\#
        {"role":"assistant","content":"{"}],\#
        "temperature":0.7,"max_tokens":20,"stop":["\n"],\#
        "response_format":{"type":"json_schema",\#
        "json_schema":{"name":"kind","strict":true,"schema":{"type":"object"}}}}
        """#
    )
  }

  @Test("Without parameters and schema, the body contains only model and messages")
  func smallestBody() throws {
    let prompt = RenderedPrompt(messages: [ChatMessage(role: .user, text: "")])
    #expect(
      try body(prompt) == #"{"model":"sorter-1","messages":[{"role":"user","content":""}]}"#
    )
  }

  @Test("A backend's parameter replaces the prompt's, at the same position")
  func parametersOfBackend() throws {
    let prompt = RenderedPrompt(
      messages: [],
      parameters: ["temperature": 0, "max_tokens": 20]
    )
    #expect(
      try body(prompt, parameters: ["seed": 7, "temperature": 1]) == #"""
        {"model":"sorter-1","messages":[],"temperature":1,"max_tokens":20,"seed":7}
        """#
    )
  }

  @Test("A request names its backend, protocol and model")
  func names() throws {
    let request = try endpoint().request(for: RenderedPrompt(messages: []), backend: "server")
    #expect(request.backend == "server")
    #expect(request.api == "openai-chat")
    #expect(request.model == "sorter-1")
    #expect(request.fingerprint == nil)
  }

  @Test(
    "Requests go to a path below the base URL, and reports show only the server",
    arguments: [
      ("https://models.test/v1", "https://models.test/v1/chat/completions", "https://models.test"),
      ("https://models.test/v1/", "https://models.test/v1/chat/completions", "https://models.test"),
      ("http://[::1]:8089", "http://[::1]:8089/chat/completions", "http://[::1]:8089"),
      (
        "https://me:secret@models.test:8443/v1",
        "https://me:secret@models.test:8443/v1/chat/completions", "https://models.test:8443"
      ),
      (
        "https://models.test/openai/v1?api-version=preview",
        "https://models.test/openai/v1/chat/completions?api-version=preview", "https://models.test"
      ),
      (
        "https://models.test?token=secret", "https://models.test/chat/completions?token=secret",
        "https://models.test"
      ),
    ]
  )
  func addresses(baseURL: String, url: String, host: String) {
    #expect(endpoint(baseURL).server.address("/chat/completions") == url)
    #expect(endpoint(baseURL).server.host == host)
  }

  @Test("A streamed request asks for usage, and has a form without streaming")
  func streamed() throws {
    var endpoint = endpoint("https://models.test/v1")
    let prompt = RenderedPrompt(messages: [ChatMessage(role: .user, text: "Hi")])
    let whole = try endpoint.request(for: prompt, backend: "fast")
    #expect(!ModelAPI.isStreamed(whole))
    #expect(ModelAPI.unstreamed(whole) == whole)
    endpoint.isStreamed = true
    let streamed = try endpoint.request(for: prompt, backend: "fast")
    #expect(ModelAPI.isStreamed(streamed))
    #expect(streamed.body["stream_options"] == ["include_usage": true])
    #expect(ModelAPI.unstreamed(streamed) == whole)
  }

  @Test("The description of a secret hides its value")
  func secret() {
    let secret = Secret("sk-1234567890")
    #expect("\(secret)" == "<redacted>")
    #expect(String(reflecting: secret) == "<redacted>")
    #expect(String(describing: Optional(secret)) == "Optional(<redacted>)")
  }
}
