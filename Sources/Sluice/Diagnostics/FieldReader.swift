/// Reads the keys of a mapping strictly: each key that nobody asked for is an error at the end.
package final class FieldReader {
  package let node: Node
  package let file: SourceFile
  package let diagnostics: DiagnosticCollector
  /// What the mapping describes, such as "a case", for messages.
  package let subject: String
  private var known: [String] = []
  private var missing: [String] = []

  /// Starts reading a mapping.
  ///
  /// - Returns: Nil, with an error reported, when the node is no mapping.
  package init?(
    _ node: Node,
    subject: String,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) {
    self.node = node
    self.file = file
    self.diagnostics = diagnostics
    self.subject = subject
    guard node.members != nil else {
      diagnostics.error(
        "\(subject) must be a mapping, not \(node.kind)",
        in: file,
        at: node.position
      )
      return nil
    }
    reportDuplicates(in: node)
  }

  /// A JSON object may repeat a member; YAML's reader has refused that already.
  private func reportDuplicates(in node: Node) {
    var first: [ExactString: SourcePosition] = [:]
    for member in node.members ?? [] {
      if let earlier = first[ExactString(member.key)] {
        diagnostics.error(
          "duplicate key '\(member.key)', first on line \(earlier.line)",
          in: file,
          at: member.keyPosition,
          fix: "remove one of the two"
        )
      } else {
        first[ExactString(member.key)] = member.keyPosition
      }
    }
  }

  /// The value of an optional key; an explicit null counts as absent.
  package func optional(_ key: String) -> Node? {
    if !known.contains(key) { known.append(key) }
    guard let value = node[key] else { return nil }
    if case .null = value.value { return nil }
    return value
  }

  /// The value of a key that must be there; ``finish()`` reports it when it is not.
  package func required(_ key: String) -> Node? {
    if let value = optional(key) { return value }
    missing.append(key)
    return nil
  }

  // MARK: Typed values

  package func text(_ node: Node?, _ name: String) -> String? {
    guard let node else { return nil }
    if case .string(let text) = node.value { return text }
    let fix: String? =
      switch node.value {
      case .number, .bool: "put it in double quotes if the text is meant"
      default: nil
      }
    wrongType(name, "a text", node, fix: fix)
    return nil
  }

  package func optionalText(_ key: String) -> String? { text(optional(key), key) }

  package func requiredText(_ key: String) -> String? { text(required(key), key) }

  package func optionalNumber(_ key: String) -> Double? {
    guard let node = optional(key) else { return nil }
    if case .number(let value) = node.value { return value }
    wrongType(key, "a number", node)
    return nil
  }

  package func optionalInteger(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let node = optional(key) else { return nil }
    guard case .number(let number) = node.value else {
      wrongType(key, "a whole number", node)
      return nil
    }
    guard let value = Int(exactly: number) else {
      diagnostics.error(
        "'\(key)' must be a whole number, not \(JSONWriter.number(number))",
        in: file,
        at: node.position
      )
      return nil
    }
    guard range.contains(value) else {
      diagnostics.error(
        "'\(key)' must be between \(range.lowerBound) and \(range.upperBound), not \(value)",
        in: file,
        at: node.position
      )
      return nil
    }
    return value
  }

  package func optionalBool(_ key: String) -> Bool? {
    guard let node = optional(key) else { return nil }
    if case .bool(let value) = node.value { return value }
    wrongType(key, "true or false", node)
    return nil
  }

  package func optionalList(_ key: String) -> [Node]? {
    guard let node = optional(key) else { return nil }
    if case .sequence(let nodes) = node.value { return nodes }
    wrongType(key, "a list", node)
    return nil
  }

  /// The texts of a list of texts, each with its node.
  package func optionalTexts(_ key: String) -> [(text: String, node: Node)]? {
    optionalList(key)?.compactMap { node in text(node, "an entry of '\(key)'").map { ($0, node) } }
  }

  package func wrongType(_ name: String, _ wanted: String, _ node: Node, fix: String? = nil) {
    let shown = name.contains("'") ? name : "'\(name)'"
    diagnostics.error(
      "\(shown) must be \(wanted), not \(node.kind)",
      in: file,
      at: node.position,
      fix: fix
    )
  }

  /// Reports every key that was not asked for, and every required one that is not there.
  ///
  /// A misspelt key is one fault: the key that it stands for is then not reported as missing.
  ///
  /// - Parameter wayOut: What to do about an unknown key; nil where it may be a misspelt one.
  package func finish(_ wayOut: (String) -> String? = { _ in nil }) {
    for member in node.members ?? [] where !known.contains(where: member.key.isIdentical) {
      let meant = NearestName.of(member.key, among: known)
      missing.removeAll { $0 == meant }
      diagnostics.error(
        "unknown key '\(member.key)' in \(subject)",
        in: file,
        at: member.keyPosition,
        fix: wayOut(member.key) ?? NearestName.suggestion(for: member.key, among: known)
      )
    }
    for key in missing {
      diagnostics.error(
        "\(subject) needs '\(key)'",
        in: file,
        at: node.position,
        fix: "add '\(key): …'"
      )
    }
  }
}
