/// Reads the backends of `sluice.yaml`.
package enum BackendReader {
  /// Reads an entry; nil, with errors reported, when it cannot be used.
  package static func read(
    _ entry: ProjectConfiguration.BackendEntry,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> BackendDefinition? {
    guard
      let fields = FieldReader(
        entry.node,
        subject: "the backend '\(entry.name)'",
        file: file,
        diagnostics: diagnostics
      )
    else { return nil }
    let typeNode = fields.required("type")
    let type = fields.text(typeNode, "type")
    // Another type would have other keys, so none are read then.
    if let type, let typeNode, type != "openai" {
      diagnostics.error(
        "unknown backend type '\(type)'",
        in: file,
        at: typeNode.position,
        fix: NearestName.suggestion(for: type, among: BackendDefinition.types)
      )
      return nil
    }
    let model = fields.requiredText("model")
    let urlNode = fields.optional("base-url")
    let url = fields.text(urlNode, "base-url") ?? OpenAIChatEndpoint.defaultBaseURL
    if let urlNode, !(url.hasPrefix("https://") || url.hasPrefix("http://")) {
      diagnostics.error(
        "the base-url '\(url)' must start with https:// or http://",
        in: file,
        at: urlNode.position
      )
    }
    let key = fields.optional("key").flatMap { readKey($0, fields) }
    let timeout = fields.optionalNumber("timeout") ?? 60
    if !(0.001...86_400).contains(timeout), let node = fields.optional("timeout") {
      diagnostics.error(
        "'timeout' must be between 0.001 and 86400 seconds",
        in: file,
        at: node.position
      )
    }
    let inFlight = fields.optionalInteger("max-in-flight", in: 1...10_000) ?? 16
    let parameters = PromptReader.readParameters(fields)
    fields.finish()
    guard let model, type != nil else { return nil }
    return BackendDefinition(
      name: entry.name,
      kind: .openAIChat(
        OpenAIChatEndpoint(
          baseURL: url,
          model: model,
          keyVariable: key,
          timeout: .milliseconds(Int64((timeout * 1_000).rounded())),
          maximumInFlight: inFlight,
          parameters: parameters
        )
      )
    )
  }

  /// Reads `key: {env: NAME}`; a key itself has no place in a file.
  private static func readKey(_ node: Node, _ outer: FieldReader) -> String? {
    func refuse(_ message: String, at position: SourcePosition) {
      outer.diagnostics.hideLine(from: position, in: outer.file)
      outer.diagnostics.error(
        message,
        in: outer.file,
        at: position,
        fix: "put it into an environment variable and write 'key: {env: NAME}'"
      )
    }
    switch node.value {
    case .string, .number:
      refuse("a key must not stand in a file", at: node.position)
      return nil
    default: break
    }
    guard
      let fields = FieldReader(
        node,
        subject: "'key'",
        file: outer.file,
        diagnostics: outer.diagnostics
      )
    else { return nil }
    let nameNode = fields.required("env")
    let name = fields.text(nameNode, "env")
    fields.finish()
    if let name, let nameNode, !isVariable(name) {
      refuse("'env' must be the name of a variable, not a key", at: nameNode.position)
      return nil
    }
    return name
  }

  /// Whether a text can be the name of an environment variable (POSIX.1, 3.216 "Name").
  private static func isVariable(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
    }
  }
}
