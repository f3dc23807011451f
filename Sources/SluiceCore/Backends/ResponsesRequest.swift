import SluiceSupport

/// The builder of requests to OpenAI's Responses API.
enum ResponsesRequest {
  /// Returns the body.
  ///
  /// The body never refers to state on the server.
  static func body(
    _ prompt: RenderedPrompt,
    _ parameters: ModelParameters,
    _ endpoint: ModelEndpoint
  ) -> JSONObject {
    var body: JSONObject = [
      "model": .string(endpoint.model), "input": ChatRequest.messages(prompt.messages),
      // Without this, the server would store the conversation, and cases may contain user data.
      "store": false,
    ]
    if endpoint.isStreamed {
      body["stream"] = true
      // Disables padding, whose only purpose is to hide the length of tokens on the network.
      body["stream_options"] = ["include_obfuscation": false]
    }
    parameters.put([("temperature", "temperature"), ("top_p", "top_p")], into: &body)
    body.set("max_output_tokens", parameters.maximumTokens)
    if let effort = parameters["reasoning_effort"] { body["reasoning"] = ["effort": effort] }
    if let schema = prompt.responseSchema {
      body["text"] = [
        "format": [
          "type": "json_schema", "name": .string(schema.name), "strict": true,
          "schema": schema.schema,
        ]
      ]
    }
    return body
  }
}
