package import SluiceSupport

/// The parameters of a prompt or a backend, as they are written in a file.
package struct WrittenParameters: Sendable {
  /// The values, by their parameter names in chat completions.
  ///
  /// Null means that a backend removes the parameter.
  package var values: JSONObject = [:]
  /// The positions of the values, by their parameter names in chat completions.
  package var positions: [String: SourcePosition] = [:]

  package init() {}
}

/// The reader of `parameters:` in prompts and backends.
package enum ParameterReader {
  /// The parameters that prompts and backends may set, with their names in chat completions.
  package static let wireNames: [(name: String, wire: String)] = [
    ("temperature", "temperature"), ("top-p", "top_p"), ("max-tokens", "max_tokens"),
    ("max-completion-tokens", "max_completion_tokens"), ("seed", "seed"), ("stop", "stop"),
    ("presence-penalty", "presence_penalty"), ("frequency-penalty", "frequency_penalty"),
    ("reasoning-effort", "reasoning_effort"),
  ]

  /// Reads the parameters of a mapping.
  ///
  /// - Parameters:
  ///   - fields: The fields of the prompt or the backend.
  ///   - takesAway: True if null is allowed and means that the parameter is not sent.
  /// - Returns: The valid parameters.
  package static func read(_ fields: FieldReader, takesAway: Bool = false) -> WrittenParameters {
    var written = WrittenParameters()
    guard let node = fields.optional("parameters"),
      let inner = FieldReader(
        node,
        subject: "'parameters'",
        file: fields.file,
        diagnostics: fields.diagnostics
      )
    else { return written }
    for (name, wire) in wireNames {
      if takesAway, let node = inner.node[name], case .null = node.value {
        _ = inner.optional(name)
        written.values[wire] = .some(.null)
        written.positions[wire] = node.position
        continue
      }
      guard let value = value(name, inner) else { continue }
      written.values[wire] = value
      written.positions[wire] = inner.optional(name)?.position
    }
    inner.finish { decimal($0, in: inner.node) }
    return written
  }

  private static func value(_ name: String, _ fields: FieldReader) -> JSONValue? {
    switch name {
    case "stop":
      guard let node = fields.optional(name) else { return nil }
      switch node.value {
      case .string(let text): return .array([.string(text)])
      case .sequence:
        return .array((fields.optionalTexts(name) ?? []).map { .string($0.text) })
      default:
        fields.wrongType(name, "a text or a list of texts", node)
        return nil
      }
    case "reasoning-effort": return fields.optionalText(name).map(JSONValue.string)
    case "max-tokens", "max-completion-tokens":
      return fields.optionalInteger(name, in: 1...10_000_000).map { .number(Double($0)) }
    default: return fields.optionalNumber(name).flatMap { _ in fields.optional(name)?.json }
    }
  }

  /// Returns the fix for a number with a decimal comma, such as `{temperature: 0,7}`.
  ///
  /// YAML reads the digits after the comma as a key.
  private static func decimal(_ key: String, in node: Node) -> String? {
    guard key.utf8.count <= 8, key.allSatisfy({ ("0"..."9").contains($0) }),
      let members = node.members, let index = members.firstIndex(where: { $0.key == key }),
      index > 0, case .number(let whole) = members[index - 1].value.value
    else { return nil }
    return "write '\(members[index - 1].key): \(JSONWriter.number(whole)).\(key)'"
  }
}
