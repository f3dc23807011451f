package import SluiceSupport

/// A program that answers requests.
///
/// It reads each request as JSON, and writes each answer as JSON.
package struct ProgramEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests and recordings.
  package static let api = "exec"

  /// The program and its arguments.
  ///
  /// The program is a path relative to the project's root, or a name that is looked up in PATH.
  package var command: [String]
  /// The environment variables that the program receives in addition to ``usualVariables``.
  package var variables: [String]
  /// The name of the model in requests; if nil, requests contain the backend's name.
  package var model: String?
  /// Parameters that override the prompt's parameters, under their names in the API.
  package var parameters: JSONObject
  package var fingerprint: Fingerprint
  /// True if one process answers several requests, one after another.
  ///
  /// This setting is not part of the fingerprint.
  package var keepsRunning: Bool

  package init(
    command: [String],
    variables: [String] = [],
    keepsRunning: Bool = false,
    model: String? = nil,
    parameters: JSONObject = [:],
    fingerprint: Fingerprint
  ) {
    self.command = command
    self.variables = variables
    self.keepsRunning = keepsRunning
    self.model = model
    self.parameters = parameters
    self.fingerprint = fingerprint
  }

  /// The environment variables that every program receives.
  static let usualVariables = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"]

  /// The name of the program in the provenance of answers.
  package var place: String { "exec:\(command.first ?? "")" }

  /// Returns the request for a case.
  package func request(for prompt: RenderedPrompt, input: JSONValue, backend: String)
    -> ModelRequest
  {
    let model = model ?? backend
    var prompt = prompt
    for (name, value) in parameters.members { prompt.parameters[name] = value }
    return ModelRequest(
      backend: backend,
      api: Self.api,
      model: model,
      body: prompt.question(with: input, model: model),
      fingerprint: fingerprint.digest
    )
  }
}

/// A backend inside of this process, such as a function under test.
package struct InProcessEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests.
  package static let api = "in-process"

  package init() {}

  /// Returns the request for a case.
  package func request(for prompt: RenderedPrompt, input: JSONValue, backend: String)
    -> ModelRequest
  {
    ModelRequest(
      backend: backend,
      api: Self.api,
      model: backend,
      body: prompt.question(with: input, model: backend)
    )
  }
}

extension RenderedPrompt {
  /// Returns the prompt with the input, in the form in which a program receives a request.
  func question(with input: JSONValue, model: String) -> JSONValue {
    var body: JSONObject = [
      "model": .string(model), "messages": messagesJSON, "parameters": .object(parameters),
      "input": input,
    ]
    if let responseSchema {
      body["response-schema"] = [
        "name": .string(responseSchema.name), "schema": responseSchema.schema,
      ]
    }
    return .object(body)
  }
}
