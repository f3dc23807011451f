import SluiceSupport

/// A prompt as a request to OpenAI's Responses.
enum ResponsesRequest {
  /// The body; nothing in it refers to what the server keeps.
  static func body(
    _ prompt: RenderedPrompt,
    _ parameters: ModelParameters,
    _ endpoint: ModelEndpoint
  ) -> JSONObject {
    var body: JSONObject = [
      "model": .string(endpoint.model), "input": ChatRequest.messages(prompt.messages),
      // The server keeps what is said otherwise, and cases may hold data of users.
      "store": false,
    ]
    if endpoint.isStreamed {
      body["stream"] = true
      // Without padding that only hides the length of tokens on the network.
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
