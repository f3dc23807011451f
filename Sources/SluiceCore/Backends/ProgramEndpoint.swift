package import SluiceSupport

/// A program that answers: one JSON request on its input, one JSON answer on its output.
package struct ProgramEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests and recordings.
  package static let api = "exec"

  /// The program, as a path from the project's root or a name for PATH, and its arguments.
  package var command: [String]
  /// The environment variables that are passed on, beside those that every program gets.
  package var variables: [String]
  /// The name that the request gives as the model's; nil for the backend's.
  package var model: String?
  /// Parameters that win over those of the prompt, under the names of the wire.
  package var parameters: JSONObject
  package var fingerprint: Fingerprint
  /// True where a process answers one request after another; no part of the fingerprint.
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

  /// What every program gets of the environment.
  static let usualVariables = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"]

  /// What answers, as provenance names it.
  package var place: String { "exec:\(command.first ?? "")" }

  /// The request for a case.
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

/// What answers inside of the process, such as a function under test.
package struct InProcessEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests.
  package static let api = "in-process"

  package init() {}

  /// The request for a case.
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
  /// The prompt and the input that it was filled with, as a program is asked.
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
