package import SluiceSupport

/// A reader that returns the values of a mapping by key.
///
/// ``finish(_:foreign:)`` reports each key that was never requested.
package final class FieldReader {
  package let node: Node
  package let file: SourceFile
  package let diagnostics: DiagnosticCollector
  /// The name of the mapping in messages, such as "a case".
  package let subject: String
  private var known: [String] = []
  private var missing: [String] = []
  /// For some keys, the fix to show if the key is missing.
  private var fixes: [String: String] = [:]
  /// The known keys that the author probably meant by unknown keys.
  private var meant: [String] = []

  /// Starts reading a mapping.
  ///
  /// - Returns: The reader; nil, with an error reported, if the node is not a mapping.
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
    // JSON allows repeated keys. The YAML reader already rejects them.
    diagnostics.reportDuplicates(in: node, file)
  }

  /// Returns the value of an optional key; nil if the key is absent or its value is null.
  package func optional(_ key: String) -> Node? {
    if !known.contains(key) { known.append(key) }
    guard let value = node[key] else { return nil }
    if case .null = value.value { return nil }
    return value
  }

  /// Returns the value of a required key; ``finish(_:foreign:)`` reports a missing key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - fix: The fix if the key is missing; by default, `add 'KEY: …'`.
  /// - Returns: The value.
  package func required(_ key: String, fix: String? = nil) -> Node? {
    if let value = optional(key) { return value }
    missing.append(key)
    fixes[key] = fix
    return nil
  }

  // MARK: Typed values

  package func text(_ node: Node?, _ name: String) -> String? {
    guard let node else { return nil }
    if case .string(let text) = node.value {
      ValueSource(file).warnOfCurlyQuotes(node, diagnostics)
      return text
    }
    wrongType(name, "a text", node, fix: ValueSource(file).quoting(node))
    return nil
  }

  package func optionalText(_ key: String) -> String? { text(optional(key), key) }

  package func requiredText(_ key: String) -> String? { text(required(key), key) }

  package func optionalNumber(_ key: String) -> Double? {
    guard let node = optional(key) else { return nil }
    if case .number(let value) = node.value { return value }
    wrongType(key, "a number", node, fix: ValueSource(file).unquoting(node))
    return nil
  }

  package func optionalInteger(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let node = optional(key) else { return nil }
    guard case .number = node.value else {
      wrongType(key, "a whole number", node, fix: ValueSource(file).unquoting(node))
      return nil
    }
    guard let value = node.json.integer else {
      diagnostics.error(
        "'\(key)' must be a whole number, not \(Excerpt.json(node.json))",
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
    wrongType(key, "true or false", node, fix: Self.truthValue(node).map { "write \($0)" })
    return nil
  }

  package func optionalList(_ key: String) -> [Node]? { list(optional(key), key) }

  /// Returns the entries of a list; `nil`, with an error reported, if the value is not a list.
  package func list(_ node: Node?, _ key: String) -> [Node]? {
    guard let node else { return nil }
    if case .sequence(let nodes) = node.value { return nodes }
    wrongType(key, "a list", node, fix: ValueSource(file).listing(node, under: key))
    return nil
  }

  /// Returns the texts in an optional list, each with its node.
  package func optionalTexts(_ key: String) -> [(text: String, node: Node)]? {
    optionalList(key).map { texts($0, key) }
  }

  /// Returns the texts among the entries of a list, each with its node.
  ///
  /// Reports all other entries, with a single error if one fix can quote all of them.
  package func texts(_ nodes: [Node], _ key: String) -> [(text: String, node: Node)] {
    var texts: [(text: String, node: Node)] = []
    var others: [Node] = []
    for node in nodes {
      if case .string(let text) = node.value {
        texts.append((text, node))
      } else {
        others.append(node)
      }
    }
    if others.isEmpty { return texts }
    let source = ValueSource(file)
    let whole = others.count > 1 ? source.quotingAll(nodes) : nil
    for node in whole == nil ? others[...] : others.prefix(1) {
      wrongType("an entry of '\(key)'", "a text", node, fix: whole ?? source.quoting(node))
    }
    return texts
  }

  /// Returns the Boolean that a text or number probably means.
  package static func truthValue(_ node: Node) -> Bool? {
    switch node.value {
    case .string(let text):
      switch text.lowercased() {
      case "true", "yes", "on", "y", "1": true
      case "false", "no", "off", "n", "0": false
      default: nil
      }
    case .number(1): true
    case .number(0): false
    default: nil
    }
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

  /// Reports every key that was not requested, and every required key that is missing.
  ///
  /// A misspelled key causes only one error: the key that was probably meant is not reported as
  /// missing.
  ///
  /// - Parameters:
  ///   - fix: Returns a specific fix for an unknown key; `nil` to suggest a similar key.
  ///   - foreign: The names that other tools use for the keys.
  package func finish(
    _ fix: (String) -> String? = { _ in nil },
    foreign: ForeignWords = .none
  ) {
    diagnostics.onKeys?(subject, known)
    for member in node.members ?? [] where !known.contains(where: member.key.isIdentical) {
      let own = foreign.key(for: member.key).flatMap { key in
        known.contains(key) && node[key] == nil ? key : nil
      }
      let near = NearestName.of(member.key, among: known)
      if let key = own ?? near { note(key) }
      diagnostics.error(
        "unknown key '\(member.key)' in \(subject)",
        in: file,
        at: member.keyPosition,
        fix: fix(member.key)
          ?? own.flatMap { $0 == near ? nil : foreign.fix(for: member.key) }
          ?? NearestName.suggestion(for: member.key, among: known)
      )
    }
    for key in missing {
      diagnostics.error(
        "\(subject) needs '\(key)'",
        in: file,
        at: node.position,
        fix: fixes[key] ?? "add '\(key): …'"
      )
    }
  }

  /// The members whose keys were not requested so far, in file order.
  package var unasked: [Node.Member] {
    (node.members ?? []).filter { !known.contains(where: $0.key.isIdentical) }
  }

  /// Accepts keys as known, because an error about `key` was already reported.
  package func accept(_ keys: [String], insteadOf key: String) {
    known += keys
    note(key)
  }

  /// Returns true if an unknown key of the mapping was probably meant to be the given key.
  ///
  /// Errors about the absence of the given key can then be omitted.
  package func isMisspelt(_ key: String) -> Bool { meant.contains(key) }

  private func note(_ key: String) {
    meant.append(key)
    // Some keys have a singular and a plural form.
    missing.removeAll { $0 == key || "\($0)s" == key || $0 == "\(key)s" }
  }
}
