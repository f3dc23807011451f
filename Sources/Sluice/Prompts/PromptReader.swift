/// Reads prompt files.
package enum PromptReader {
  /// The parameters that a prompt or a backend may set, with their names on the wire.
  package static let wireNames: [(name: String, wire: String)] = [
    ("temperature", "temperature"), ("top-p", "top_p"), ("max-tokens", "max_tokens"),
    ("max-completion-tokens", "max_completion_tokens"), ("seed", "seed"), ("stop", "stop"),
    ("presence-penalty", "presence_penalty"), ("frequency-penalty", "frequency_penalty"),
    ("reasoning-effort", "reasoning_effort"),
  ]

  /// Reads a prompt; nil, with errors reported, when it cannot be used.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> Prompt? {
    let diagnostics = files.diagnostics
    guard let (root, file) = files.readTree(path),
      let fields = FieldReader(root, subject: "a prompt", file: file, diagnostics: diagnostics)
    else { return nil }
    var messages: [Prompt.MessageTemplate] = []
    var texts: [JSONValue] = []
    if let node = fields.required("messages") {
      if case .sequence(let nodes) = node.value {
        for node in nodes {
          guard let (message, text) = readMessage(node, file: file, diagnostics: diagnostics) else {
            continue
          }
          messages.append(message)
          texts.append([message.role.rawValue: .string(text)])
        }
        if nodes.isEmpty {
          diagnostics.error("'messages' is empty", in: file, at: node.position)
        }
      } else {
        fields.wrongType("messages", "a list", node)
      }
    }
    let parameters = readParameters(fields)
    let schema = readSchema(fields, files: files)
    fields.finish()
    if messages.isEmpty { return nil }
    let digest = SHA256.hexadecimal(
      JSONWriter.canonical([
        "messages": .array(texts), "parameters": .object(parameters),
        "schema": schema?.schema ?? .null,
      ])
    )
    return Prompt(
      name: path.stem,
      path: path,
      messages: messages,
      parameters: parameters,
      responseSchema: schema,
      digest: digest,
      templateDigest: SHA256.hexadecimal(JSONWriter.canonical(.array(texts)))
    )
  }

  private static func readMessage(
    _ node: Node,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> (Prompt.MessageTemplate, text: String)? {
    let roles = MessageRole.allCases.map(\.rawValue)
    guard let members = node.members, members.count == 1, let member = members.first else {
      diagnostics.error(
        "a message must have one key, its role",
        in: file,
        at: node.position,
        fix: "write '- system: …' or '- user: …'"
      )
      return nil
    }
    guard let role = MessageRole(rawValue: member.key) else {
      diagnostics.error(
        "unknown role '\(member.key)'",
        in: file,
        at: member.keyPosition,
        fix: NearestName.suggestion(for: member.key, among: roles)
      )
      return nil
    }
    guard case .string(let text) = member.value.value else {
      diagnostics.error(
        "'\(member.key)' must be a text, not \(member.value.kind)",
        in: file,
        at: member.value.position
      )
      return nil
    }
    let position = TextPosition(text, at: member.value.position, in: file)
    do throws(Template.Problem) {
      let template = try Template(text)
      return (.init(role: role, template: template, position: position), text)
    } catch {
      diagnostics.error(
        error.message,
        in: file,
        at: position.position(of: error.offset),
        fix: error.fix
      )
      return nil
    }
  }

  /// Reads `parameters:` into the names of the wire.
  package static func readParameters(_ fields: FieldReader) -> JSONObject {
    guard let node = fields.optional("parameters"),
      let inner = FieldReader(
        node,
        subject: "'parameters'",
        file: fields.file,
        diagnostics: fields.diagnostics
      )
    else { return [:] }
    var parameters: JSONObject = [:]
    for (name, wire) in wireNames {
      switch name {
      case "stop":
        guard let value = inner.optional(name) else { continue }
        switch value.value {
        case .string(let text): parameters[wire] = .array([.string(text)])
        case .sequence:
          parameters[wire] = .array((inner.optionalTexts(name) ?? []).map { .string($0.text) })
        default: inner.wrongType(name, "a text or a list of texts", value)
        }
      case "reasoning-effort": parameters.set(wire, inner.optionalText(name).map(JSONValue.string))
      case "max-tokens", "max-completion-tokens":
        parameters.set(
          wire,
          inner.optionalInteger(name, in: 1...10_000_000).map { .number(Double($0)) }
        )
      default: parameters.set(wire, inner.optionalNumber(name).map(JSONValue.number))
      }
    }
    inner.finish()
    return parameters
  }

  private static func readSchema(_ fields: FieldReader, files: ProjectFiles) -> ResponseSchema? {
    guard let node = fields.optional("response-schema"),
      let reference = fields.text(node, "response-schema"),
      let path = files.resolve(reference, in: fields.file, at: node.position),
      let (root, file) = files.readTree(path)
    else { return nil }
    guard root.members != nil else {
      files.diagnostics.error(
        "a JSON Schema must be an object, not \(root.kind)",
        in: file,
        at: root.position
      )
      return nil
    }
    // The wire allows letters, digits, '_' and '-' in the name of a schema, up to 64.
    let stem = path.name.split(separator: ".").first.map(String.init) ?? "answer"
    let name = String(
      stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
    )
    return ResponseSchema(name: String(name.prefix(64)), schema: root.json)
  }
}
