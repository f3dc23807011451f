import SluiceGating

/// Values as single-line YAML, as in a dataset: `[{any-of: [it, this]}]`.
enum FlowText {
  /// Returns a string unchanged, and any other value as YAML.
  static func text(_ value: JSONValue) -> String { value.string ?? flow(value) }

  private static func flow(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): isPlain(text) ? text : value.jsonText
    case .array(let values): "[\(values.map(flow).joined(separator: ", "))]"
    case .object(let object):
      "{"
        + object.members.map { member in
          let name = isPlain(member.name) ? member.name : JSONValue.string(member.name).jsonText
          return "\(name): \(flow(member.value))"
        }.joined(separator: ", ") + "}"
    case .null, .bool, .number, .exact: value.jsonText
    }
  }

  /// Returns true for a text that needs no quotation marks in YAML.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.last != " "
    else { return false }
    if ["true", "false", "null", "yes", "no"].contains(text.lowercased()) { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || [" ", ".", "-", "_", "'"].contains(scalar)
    }
  }
}
