import SluiceSupport

/// The subset of JSON Schema that a vendor's structured output accepts.
enum SchemaSubset {
  /// The keywords that Anthropic's structured output enforces.
  ///
  /// All other keywords are moved to the description, where the model can read them.
  private static let enforced: Set<String> = [
    "type", "enum", "const", "anyOf", "allOf", "$ref", "$defs", "definitions", "title",
    "description", "properties", "required", "additionalProperties", "items", "format",
  ]

  private static let formats: Set<String> = [
    "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid",
  ]

  /// Returns a schema in Anthropic's subset.
  ///
  /// Objects allow no additional properties. Keywords that are not enforced are moved to the
  /// descriptions.
  ///
  /// Scorers still check answers against the original schema.
  static func strict(_ schema: JSONValue) -> JSONValue {
    guard case .object(let object) = schema else { return schema }
    // Next to `$ref`, the subset allows no other keywords.
    if let reference = object["$ref"], object["$defs"] == nil { return ["$ref": reference] }
    var result: JSONObject = [:]
    var limits: [String] = []
    for (name, value) in object.members {
      switch name {
      case "$schema", "$id", "$comment": continue
      case "oneOf": result["anyOf"] = list(value)
      case "anyOf", "allOf": result[name] = list(value)
      case "properties", "$defs", "definitions": result[name] = members(value)
      case "items": result[name] = strict(value)
      case "additionalProperties": continue
      case "format" where !formats.contains(value.string ?? ""):
        limits.append("format: \(value.string ?? value.requestText)")
      case "minItems" where value == 0 || value == 1: result[name] = value
      case let name where enforced.contains(name): result[name] = value
      default: limits.append("\(name): \(value.requestText)")
      }
    }
    if isObject(object) { result["additionalProperties"] = false }
    if !limits.isEmpty {
      let words = [object["description"]?.string, "{\(limits.joined(separator: ", "))}"]
      result["description"] = .string(words.compactMap(\.self).joined(separator: "\n\n"))
    }
    return .object(result)
  }

  private static func isObject(_ schema: JSONObject) -> Bool {
    schema["properties"] != nil || schema["type"] == "object"
      || schema["type"]?.array?.contains("object") == true
  }

  private static func list(_ value: JSONValue) -> JSONValue {
    value.array.map { .array($0.map(strict)) } ?? value
  }

  private static func members(_ value: JSONValue) -> JSONValue {
    guard case .object(let object) = value else { return value }
    return .object(
      JSONObject(object.members.map { (name: $0.name, value: strict($0.value)) })
    )
  }
}
