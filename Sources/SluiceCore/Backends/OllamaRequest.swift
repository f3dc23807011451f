import SluiceSupport

/// The builder of requests to Ollama's chat API.
enum OllamaRequest {
  /// Returns the body.
  ///
  /// All settings are explicit, so that none of them depends on the machine.
  ///
  /// The default context length depends on the machine's memory. By default, the server drops
  /// messages that do not fit, without an error. `truncate: false` prevents this.
  static func body(
    _ prompt: RenderedPrompt,
    _ parameters: ModelParameters,
    _ endpoint: ModelEndpoint
  ) -> JSONObject {
    var options: JSONObject = [:]
    options.set("num_ctx", endpoint.contextLength.map { .number(Double($0)) })
    parameters.put(
      [
        ("temperature", "temperature"), ("top_p", "top_p"), ("seed", "seed"), ("stop", "stop"),
        ("presence_penalty", "presence_penalty"), ("frequency_penalty", "frequency_penalty"),
      ],
      into: &options
    )
    options.set("num_predict", parameters.maximumTokens)
    var body: JSONObject = [
      "model": .string(endpoint.model),
      "messages": ChatRequest.messages(
        // In Ollama, `system` is the only role for instructions.
        prompt.messages.map {
          $0.role == .developer ? ChatMessage(role: .system, text: $0.text) : $0
        }
      ),
      "stream": .bool(endpoint.isStreamed), "truncate": false, "shift": false,
      "options": .object(options),
    ]
    switch parameters["reasoning_effort"] {
    case .string("none"): body["think"] = false
    case let effort: body.set("think", effort)
    }
    if let schema = prompt.responseSchema { body["format"] = schema.schema }
    return body
  }
}
