/// A server that speaks OpenAI's chat completions.
package struct OpenAIChatEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests and recordings.
  package static let api = "openai-chat"
  package static let defaultBaseURL = "https://api.openai.com/v1"

  package var baseURL: String
  package var model: String
  /// The environment variable that holds the key, if the server asks for one.
  package var keyVariable: String?
  /// How long an exchange may take.
  package var timeout: Duration
  package var maximumInFlight: Int
  /// Parameters that win over those of the prompt, under the names of the wire.
  package var parameters: JSONObject

  /// The request for a prompt.
  package func request(for prompt: RenderedPrompt, backend: String) -> ModelRequest {
    var body: JSONObject = [
      "model": .string(model),
      "messages": .array(
        prompt.messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] }
      ),
    ]
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

  /// The address that requests go to; a query of the base URL stays at the end.
  package var url: String {
    let parts = baseURL.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = parts[0]
    while path.hasSuffix("/") { path.removeLast() }
    return path + "/chat/completions" + (parts.count > 1 ? "?\(parts[1])" : "")
  }

  /// The scheme, host and port of the base URL, without user, path and query.
  package var host: String {
    let parts = baseURL.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return baseURL }
    let authority = parts[2].prefix { $0 != "?" && $0 != "#" }
    return "\(parts[0])//\(authority.split(separator: "@").last ?? authority)"
  }
}

/// A text that must not be seen: its description is redacted.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  package let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
}
