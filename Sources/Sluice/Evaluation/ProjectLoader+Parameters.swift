/// The checks for parameters and messages of prompts that a vendor's API is known to reject.
extension ProjectLoader {
  /// Reports parameters and messages of prompts that a suite's backends do not accept.
  ///
  /// - Parameters:
  ///   - prompts: The prompts of a suite.
  ///   - backends: The backends of the suite.
  ///   - scorers: The scorers of the suite, since judges also have prompts and backends.
  func reportRefusals(
    of prompts: [Prompt],
    by backends: [BackendDefinition],
    _ scorers: [BoundScorer]
  ) {
    for prompt in prompts {
      for backend in backends { reportRefusals(of: prompt, by: backend) }
    }
    for case let scorer as any JudgeScorer in scorers.map(\.scorer) {
      reportRefusals(of: scorer.judge.prompt, by: scorer.judge.backend)
    }
  }

  private func reportRefusals(of prompt: Prompt, by backend: BackendDefinition) {
    guard let endpoint = backend.endpoint else { return }
    reportParameters(of: prompt, by: backend, endpoint)
    reportLateInstructions(of: prompt, by: backend, endpoint)
    reportPrefill(of: prompt, by: backend, endpoint)
  }

  private func reportParameters(
    of prompt: Prompt,
    by backend: BackendDefinition,
    _ endpoint: ModelEndpoint
  ) {
    let parameters = ModelParameters(prompt.parameters, under: endpoint.parameters)
    for refusal in ParameterSupport.refusals(of: parameters.values, by: endpoint) {
      // If the backend sets the parameter, report it at the backend.
      if endpoint.parameters[refusal.wire] != nil { continue }
      if refusal.canBeLeftOut, prompt.ignoresUnsupported { continue }
      guard let file = files.read(prompt.path) else { continue }
      diagnostics.error(
        "\(refusal.reason), which the backend '\(backend.name)' uses",
        in: file,
        at: prompt.parameterPositions[refusal.wire],
        fix: refusal.fix
          ?? "leave it out for this backend: 'parameters: {\(refusal.parameter): null}' in "
          + "sluice.yaml"
      )
    }
  }

  /// Reports a system message that is not at the start, if the API does not support that.
  private func reportLateInstructions(
    of prompt: Prompt,
    by backend: BackendDefinition,
    _ endpoint: ModelEndpoint
  ) {
    if endpoint.api.takesLateInstructions { return }
    var hasBegun = false
    for part in prompt.parts {
      guard case .message(let message) = part, message.role.isInstruction else {
        hasBegun = true
        continue
      }
      guard hasBegun, let file = files.read(prompt.path) else { continue }
      let problem = PromptParts.problem(message.role, for: endpoint.api)
      diagnostics.error(
        "\(problem.message), which the backend '\(backend.name)' uses",
        in: file,
        at: message.position.position(of: 0),
        fix: problem.fix
      )
    }
  }

  /// Reports a prompt that ends with the beginning of the answer, if the model rejects that.
  private func reportPrefill(
    of prompt: Prompt,
    by backend: BackendDefinition,
    _ endpoint: ModelEndpoint
  ) {
    guard case .message(let last)? = prompt.parts.last, last.role == .assistant,
      ParameterSupport.refusesPrefill(endpoint), let file = files.read(prompt.path)
    else { return }
    diagnostics.error(
      "the model '\(endpoint.model)' of the backend '\(backend.name)' rejects prompts that end "
        + "with an 'assistant' message",
      in: file,
      at: last.position.position(of: 0),
      fix: "end the prompt with a 'user' message, and set the form of the answer with "
        + "'response-schema'"
    )
  }
}
