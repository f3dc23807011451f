import SluiceSupport

/// The builder of chat completion requests.
enum ChatRequest {
  /// Returns the body.
  ///
  /// The members of the body determine the key under which an answer is recorded.
  static func body(
    _ prompt: RenderedPrompt,
    _ parameters: ModelParameters,
    _ endpoint: ModelEndpoint
  ) -> JSONObject {
    var body: JSONObject = [
      "model": .string(endpoint.model), "messages": messages(prompt.messages),
    ]
    if endpoint.isStreamed {
      body["stream"] = true
      // Without this option, most servers omit the usage of a stream.
      body["stream_options"] = ["include_usage": true]
    }
    for (name, value) in parameters.values.members + endpoint.extra.members { body[name] = value }
    if let schema = prompt.responseSchema {
      body["response_format"] = [
        "type": "json_schema",
        "json_schema": [
          "name": .string(schema.name), "strict": true, "schema": schema.schema,
        ],
      ]
    }
    return body
  }

  /// Returns messages as objects with a role and a text.
  static func messages(_ messages: [ChatMessage]) -> JSONValue {
    .array(messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] })
  }
}
