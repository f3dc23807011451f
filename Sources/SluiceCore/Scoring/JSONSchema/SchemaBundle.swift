package import SluiceSupport

/// A single JSON Schema, made of several files that refer to each other.
///
/// Editors follow references between files. Other programs and ``JSONSchema`` need a single file.
package enum SchemaBundle {
  private static let definitions = "definitions"
  private static let reference = "$ref"

  /// Returns a schema that includes all schemas to which it refers.
  ///
  /// - Parameters:
  ///   - file: The name of the schema's file.
  ///   - documents: The schemas, by the file name that references use.
  /// - Returns: The schema, with the other schemas among its definitions; nil if the file is
  ///   unknown.
  package static func bundled(_ file: String, of documents: [String: JSONValue]) -> JSONValue? {
    guard let root = documents[file] else { return nil }
    var reached = [file]
    var bundle = local(root, at: "", in: documents, &reached)
    var own = bundle[definitions]?.object ?? JSONObject()
    var next = 1
    while next < reached.count {
      let name = reached[next]
      let place = "/\(definitions)/\(name)"
      if let document = documents[name] {
        own[name] = local(document, at: place, in: documents, &reached).without("$schema")
      }
      next += 1
    }
    guard var object = bundle.object, !own.members.isEmpty else { return bundle }
    object[definitions] = .object(own)
    bundle = .object(object)
    return bundle
  }

  /// Returns a document whose references lead into the bundle.
  private static func local(
    _ value: JSONValue,
    at base: String,
    in documents: [String: JSONValue],
    _ reached: inout [String]
  ) -> JSONValue {
    switch value {
    case .array(let elements):
      return .array(elements.map { local($0, at: base, in: documents, &reached) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { member in
            guard member.name == reference, let target = member.value.string else {
              return (member.name, local(member.value, at: base, in: documents, &reached))
            }
            let parts = target.split(
              separator: "#",
              maxSplits: 1,
              omittingEmptySubsequences: false
            )
            let (file, place) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            guard documents[file] != nil else {
              return (member.name, .string("#\(base)\(place)"))
            }
            if !reached.contains(file) { reached.append(file) }
            // The root keeps its position. All other documents become definitions.
            let root = file == reached[0] ? "" : "/\(definitions)/\(file)"
            return (member.name, .string("#\(root)\(place)"))
          }
        )
      )
    default: return value
    }
  }
}

extension JSONValue {
  fileprivate func without(_ name: String) -> JSONValue {
    guard let object else { return self }
    return .object(JSONObject(object.members.filter { $0.name != name }))
  }
}
