import SluiceSupport

/// The builder of requests to Anthropic's Messages API.
enum MessagesRequest {
  /// The default maximum number of answer tokens.
  ///
  /// The API requires a maximum.
  static let usualMaximumTokens = 4_096

  /// Returns the body.
  ///
  /// - Throws: ``Template/Problem`` if an instruction follows the start of the conversation, and
  ///   the API's version does not support that.
  static func body(
    _ prompt: RenderedPrompt,
    _ parameters: ModelParameters,
    _ endpoint: ModelEndpoint
  ) throws(Template.Problem) -> JSONObject {
    let parts = try PromptParts(prompt.messages, for: endpoint.api)
    var body: JSONObject = [
      "model": .string(endpoint.model),
      "max_tokens": parameters.maximumTokens ?? .number(Double(usualMaximumTokens)),
      "messages": ChatRequest.messages(
        parts.turns.map { $0.role == .developer ? ChatMessage(role: .system, text: $0.text) : $0 }
      ),
    ]
    if !parts.instructions.isEmpty {
      body["system"] = .string(parts.instructions.joined(separator: "\n\n"))
    }
    if endpoint.isStreamed { body["stream"] = true }
    parameters.put(
      [("temperature", "temperature"), ("top_p", "top_p"), ("stop", "stop_sequences")],
      into: &body
    )
    var output: JSONObject = [:]
    switch parameters["reasoning_effort"] {
    case .string("none"): body["thinking"] = ["type": "disabled"]
    case let effort: output.set("effort", effort)
    }
    if let schema = prompt.responseSchema {
      output["format"] = ["type": "json_schema", "schema": SchemaSubset.strict(schema.schema)]
    }
    if !output.members.isEmpty { body["output_config"] = .object(output) }
    return body
  }
}
