import SluiceSupport

/// A model behind a vendor's API: how a prompt becomes a request, and the server that it goes to.
package struct ModelEndpoint: Hashable, Sendable {
  package var api: ModelAPI
  package var server: ServerAccess
  package var model: String
  /// True where answers are asked for in pieces.
  package var isStreamed: Bool
  /// Parameters that win over those of the prompt, under the names of chat completions; null takes the
  /// prompt's away.
  package var parameters: JSONObject
  /// More members of the request's body, under the server's own names.
  package var extra: JSONObject
  /// The tokens that the context of a model on one's own machine holds.
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

  /// The request for a prompt.
  ///
  /// - Throws: ``Template/Problem`` where the API has no place for a message.
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
    // A chat completion has them already: the schema of a prompt wins over them.
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
  /// Adds members; where both sides have an object, its members are added one by one.
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

/// The parameters of a request: those of the prompt under those of the backend.
package struct ModelParameters {
  /// Under the names of chat completions.
  package private(set) var values: JSONObject

  /// Puts the backend's parameters over those of a prompt.
  package init(_ prompt: JSONObject, under backend: JSONObject) {
    var values = prompt
    for (name, value) in backend.members {
      if value == .null { values[name] = nil } else { values[name] = value }
    }
    self.values = values
  }

  /// Takes parameters away.
  mutating func remove(_ names: [String]) {
    for name in names { values[name] = nil }
  }

  subscript(name: String) -> JSONValue? { values[name] }

  /// The most tokens that an answer may have, under either of their names.
  var maximumTokens: JSONValue? { values["max_tokens"] ?? values["max_completion_tokens"] }

  /// Puts parameters into a body.
  ///
  /// - Parameters:
  ///   - names: The names of chat completions, each with the name in the body.
  ///   - body: The body.
  func put(_ names: [(String, as: String)], into body: inout JSONObject) {
    for (name, wire) in names { body.set(wire, values[name]) }
  }
}
