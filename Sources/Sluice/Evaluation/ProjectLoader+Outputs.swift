import SluiceReporting

extension ProjectLoader {
  /// Reads the output files of a suite's backends, and sets the digest of each file in its backend.
  func outputs(
    of backends: inout [BackendDefinition],
    for dataset: Dataset,
    hasAllCases: Bool,
    _ prompts: [Prompt]
  ) -> [String: OutputsFile] {
    var outputs: [String: OutputsFile] = [:]
    for index in backends.indices {
      guard case .file(var endpoint) = backends[index].kind,
        let file = OutputsReader.read(
          endpoint.path,
          // If cases could not be read, do not report rows as answers to unknown cases.
          for: hasAllCases ? dataset.cases : nil,
          in: ProjectPath(dataset.file.path),
          files: files
        )
      else { continue }
      endpoint.digest = file.digest
      backends[index].kind = .file(endpoint)
      outputs[backends[index].name] = file
      guard prompts.count > 1, file.prompts.isEmpty, let last = prompts.last else { continue }
      diagnostics.report(
        Diagnostic(
          .warning,
          path: file.path.description,
          message: "the suite has \(prompts.count) prompts, but the rows do not name the prompt "
            + "of their answers, so each prompt gets the same answers",
          fix: "add 'prompt' to the rows, for example \(JSONValue.string(last.name).jsonText)"
        )
      )
    }
    return outputs
  }
}
