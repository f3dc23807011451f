package import SluiceSupport

/// A digest that identifies a prompt and code outside of the project.
///
/// It is part of the key of each request. So an answer is replayed only while the prompt and code
/// are unchanged.
package struct Fingerprint: Hashable, Sendable {
  /// The SHA-256 digest in hexadecimal digits.
  package var digest: String
  /// The environment variable that should contain the version but is not set; nil if no variable is
  /// missing.
  package var missingVariable: String?
  /// The environment variable that contains the version; nil if the version is elsewhere.
  package private(set) var variable: String?
  /// The files whose contents are part of the digest, as written under `fingerprint:`.
  package private(set) var files: [String] = []

  /// The sources of the fingerprint in words, such as `a.ts, b.ts, c.ts and 2 more`.
  ///
  /// They are files, or an environment variable. Nil if the version itself is written under
  /// `fingerprint:`.
  var sources: String? {
    let shown = files.prefix(3).joined(separator: ", ")
    if files.isEmpty { return variable }
    return files.count > 3 ? "\(shown) and \(files.count - 3) more" : shown
  }

  // The source of the version does not matter, only the version.
  package static func == (left: Fingerprint, right: Fingerprint) -> Bool {
    (left.digest, left.missingVariable) == (right.digest, right.missingVariable)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  package init(of value: JSONValue, missingVariable: String? = nil) {
    digest = SHA256.hexadecimal(JSONWriter.canonical(value))
    self.missingVariable = missingVariable
  }

  /// Reads `fingerprint:`, which is a list of files, `{version: TEXT}` or `{env: NAME}`.
  ///
  /// - Parameters:
  ///   - fields: The mapping that contains the key.
  ///   - owner: The words for the fingerprint's owner, such as "the backend 'reply'".
  ///   - reason: The reason why a fingerprint is needed, as a clause.
  ///   - others: Other values that affect the answer and are not part of requests.
  ///   - files: The project's files.
  ///   - environment: The environment variables.
  /// - Returns: The fingerprint; nil, with errors reported, if it is missing or invalid.
  static func read(
    _ fields: FieldReader,
    of owner: String,
    because reason: String,
    with others: JSONObject = [:],
    files: ProjectFiles,
    environment: [String: String]
  ) -> Fingerprint? {
    guard let node = fields.optional("fingerprint") else {
      fields.diagnostics.error(
        "\(owner) needs 'fingerprint': \(reason)",
        in: fields.file,
        at: fields.node.position,
        fix: "list the files that determine its answers ('fingerprint: [functions/reply.ts]'), or "
          + "write '{version: TEXT}' or '{env: NAME}'"
      )
      return nil
    }
    var value = others
    if let list = node.value.sequence {
      guard let digests = fileDigests(list, fields, files) else { return nil }
      value["files"] = digests
      var fingerprint = Fingerprint(of: .object(value))
      fingerprint.files = list.compactMap { node in
        if case .string(let text) = node.value { text } else { nil }
      }
      return fingerprint
    }
    guard node.members != nil else {
      fields.wrongType("fingerprint", "a list of files, {version: TEXT} or {env: NAME}", node)
      return nil
    }
    guard
      let inner = FieldReader(
        node,
        subject: "'fingerprint'",
        file: fields.file,
        diagnostics: fields.diagnostics
      )
    else { return nil }
    let (version, variableNode) = (inner.optionalText("version"), inner.optional("env"))
    inner.finish()
    let variable = variableNode.flatMap {
      BackendReader.readVariable($0, inner, fix: "write '{env: NAME}' or '{version: TEXT}'")
    }
    if variableNode != nil, variable == nil { return nil }
    switch (version, variable) {
    case (let version?, nil) where !version.isEmpty:
      value["version"] = .string(version)
      return Fingerprint(of: .object(value))
    case (nil, let variable?):
      // An empty version counts as missing, because it would not change when the code changes.
      let version = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
      value.set("version", version.map(JSONValue.string))
      var fingerprint = Fingerprint(
        of: .object(value),
        missingVariable: version == nil ? variable : nil
      )
      fingerprint.variable = variable
      return fingerprint
    default:
      fields.diagnostics.error(
        "'fingerprint' must be a list of files, {version: TEXT} or {env: NAME}",
        in: fields.file,
        at: node.position
      )
      return nil
    }
  }

  private static func fileDigests(
    _ list: [Node],
    _ fields: FieldReader,
    _ files: ProjectFiles
  ) -> JSONValue? {
    if list.isEmpty {
      fields.diagnostics.error(
        "'fingerprint' lists no files",
        in: fields.file,
        at: fields.optional("fingerprint")?.position
      )
      return nil
    }
    var digests: [String: JSONValue] = [:]
    for node in list {
      guard let reference = fields.text(node, "an entry of 'fingerprint'"),
        let path = files.resolve(reference, in: fields.file, at: node.position),
        let file = files.read(path)
      else { continue }
      digests[path.description] = .string(SHA256.hexadecimal(file.bytes))
    }
    return .object(JSONObject(digests.sorted { $0.key < $1.key }.map { (name: $0, value: $1) }))
  }
}

extension Node.Value {
  fileprivate var sequence: [Node]? { if case .sequence(let nodes) = self { nodes } else { nil } }
}
