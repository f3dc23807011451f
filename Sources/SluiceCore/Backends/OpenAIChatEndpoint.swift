package import SluiceSupport

/// A server that speaks OpenAI's chat completions.
package struct OpenAIChatEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests and recordings.
  package static let api = "openai-chat"
  package static let defaultBaseURL = "https://api.openai.com/v1"

  package var server: ServerAccess
  package var model: String
  /// Whether answers are asked for in pieces.
  package var isStreamed: Bool
  /// Parameters that win over those of the prompt, under the names of the wire.
  package var parameters: JSONObject

  package init(
    server: ServerAccess,
    model: String,
    isStreamed: Bool = false,
    parameters: JSONObject = [:]
  ) {
    self.server = server
    self.model = model
    self.isStreamed = isStreamed
    self.parameters = parameters
  }

  /// The request for a prompt.
  package func request(for prompt: RenderedPrompt, backend: String) -> ModelRequest {
    var body: JSONObject = [
      "model": .string(model),
      "messages": .array(
        prompt.messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] }
      ),
    ]
    if isStreamed {
      body["stream"] = true
      // Else most servers send no usage with a stream.
      body["stream_options"] = ["include_usage": true]
    }
    for (name, value) in prompt.parameters.members { body[name] = value }
    for (name, value) in parameters.members { body[name] = value }
    if let schema = prompt.responseSchema {
      body["response_format"] = [
        "type": "json_schema",
        "json_schema": [
          "name": .string(schema.name), "strict": true, "schema": schema.schema,
        ],
      ]
    }
    return ModelRequest(backend: backend, api: Self.api, model: model, body: .object(body))
  }

  /// Whether a request asks for an answer in pieces.
  static func isStreamed(_ request: ModelRequest) -> Bool { request.body["stream"] == .bool(true) }

  /// A request for the same answer as a whole.
  static func unstreamed(_ request: ModelRequest) -> ModelRequest {
    var plain = request
    let members = request.body.object?.members ?? []
    plain.body = .object(
      JSONObject(members.filter { $0.name != "stream" && $0.name != "stream_options" })
    )
    return plain
  }
}
