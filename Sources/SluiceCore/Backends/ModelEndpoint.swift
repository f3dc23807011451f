import SluiceSupport

/// A model behind a vendor's API: its server, and the settings of its requests.
package struct ModelEndpoint: Hashable, Sendable {
  package var api: ModelAPI
  package var server: ServerAccess
  package var model: String
  /// True if answers are streamed.
  package var isStreamed: Bool
  /// Parameters that override the prompt's parameters, under their names in chat completions.
  ///
  /// A null value removes the parameter.
  package var parameters: JSONObject
  /// Additional members of the request body, under the names that the server uses.
  package var extra: JSONObject
  /// The context length in tokens, for a model that runs on a local machine.
  package var contextLength: Int?

  package init(
    _ api: ModelAPI = .chatCompletions,
    server: ServerAccess,
    model: String,
    isStreamed: Bool = false,
    parameters: JSONObject = [:],
    extra: JSONObject = [:],
    contextLength: Int? = nil
  ) {
    self.api = api
    self.server = server
    self.model = model
    self.isStreamed = isStreamed
    self.parameters = parameters
    self.extra = extra
    self.contextLength = contextLength
  }

  /// Returns the request for a prompt.
  ///
  /// - Throws: ``Template/Problem`` if the API does not support a message.
  package func request(for prompt: RenderedPrompt, backend: String) throws(Template.Problem)
    -> ModelRequest
  {
    var parameters = ModelParameters(prompt.parameters, under: self.parameters)
    if prompt.ignoresUnsupported {
      let refusals = ParameterSupport.refusals(of: parameters.values, by: self)
      parameters.remove(refusals.filter(\.canBeLeftOut).map(\.wire))
    }
    var body =
      switch api {
      case .chatCompletions: ChatRequest.body(prompt, parameters, self)
      case .responses: ResponsesRequest.body(prompt, parameters, self)
      case .messages: try MessagesRequest.body(prompt, parameters, self)
      case .generateContent: try ContentRequest.body(prompt, parameters, self)
      case .ollamaChat: OllamaRequest.body(prompt, parameters, self)
      }
    // For chat completions, `ChatRequest` has already added `extra`, which the prompt's schema
    // can override.
    if api != .chatCompletions { body.merge(extra) }
    return ModelRequest(
      backend: backend,
      api: api.name(isStreamed: isStreamed),
      model: model,
      body: .object(body)
    )
  }
}

extension JSONObject {
  /// Merges members into the object.
  ///
  /// If a member is an object on both sides, the two objects are merged.
  mutating func merge(_ others: JSONObject) {
    for (name, value) in others.members {
      if case .object(var own)? = self[name], case .object(let other) = value {
        for (name, value) in other.members { own[name] = value }
        self[name] = .object(own)
      } else {
        self[name] = value
      }
    }
  }
}

/// The parameters of a request.
///
/// Parameters of the backend override parameters of the prompt.
package struct ModelParameters {
  /// The values, under their names in chat completions.
  package private(set) var values: JSONObject

  /// Creates the parameters of a request.
  ///
  /// A null value of the backend removes the prompt's parameter.
  package init(_ prompt: JSONObject, under backend: JSONObject) {
    var values = prompt
    for (name, value) in backend.members {
      if value == .null { values[name] = nil } else { values[name] = value }
    }
    self.values = values
  }

  /// Removes parameters.
  mutating func remove(_ names: [String]) {
    for name in names { values[name] = nil }
  }

  subscript(name: String) -> JSONValue? { values[name] }

  /// The maximum number of answer tokens, which has one of two names.
  var maximumTokens: JSONValue? { values["max_tokens"] ?? values["max_completion_tokens"] }

  /// Writes parameters to a body.
  ///
  /// - Parameters:
  ///   - names: The names in chat completions, each with the name in the body.
  ///   - body: The body.
  func put(_ names: [(String, as: String)], into body: inout JSONObject) {
    for (name, wire) in names { body.set(wire, values[name]) }
  }
}
