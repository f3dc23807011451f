package import SluiceSupport

/// The cases to which a scorer applies, if it does not apply to all of them (`applies-to`).
package struct CaseSelection: Hashable, Sendable {
  /// The tags, of which a case must have at least one; empty if tags do not matter.
  package let tags: [String]
  /// The keys under `expected:`, of which a case must have at least one; empty if such keys do not
  /// matter.
  package let expected: [String]

  /// The key of the selection, which is written next to the type of a scorer.
  static let name = "applies-to"

  /// Reads `{tag: …}`, `{expected: …}` or both; nil, with errors reported, for anything else.
  init?(_ node: Node, in file: SourceFile, _ diagnostics: DiagnosticCollector) {
    if case .string(let text) = node.value {
      diagnostics.error(
        "'\(Self.name)' must be a mapping, not a text",
        in: file,
        at: node.position,
        fix: "write '\(Self.name): {tag: \(text)}'"
      )
      return nil
    }
    guard
      let fields = FieldReader(
        node,
        subject: "'\(Self.name)'",
        file: file,
        diagnostics: diagnostics
      )
    else { return nil }
    let before = diagnostics.count
    tags = Self.texts("tag", fields)
    expected = Self.texts("expected", fields)
    fields.finish { key in
      key == "tags" ? "write 'tag:'" : nil
    }
    if diagnostics.count > before { return nil }
    if tags.isEmpty, expected.isEmpty {
      diagnostics.error(
        "'\(Self.name)' does not select any cases",
        in: file,
        at: node.position,
        fix: "write '\(Self.name): {tag: NAME}' or '\(Self.name): {expected: KEY}'"
      )
      return nil
    }
  }

  private static func texts(_ key: String, _ fields: FieldReader) -> [String] {
    guard let node = fields.optional(key) else { return [] }
    if case .sequence(let nodes) = node.value {
      if nodes.isEmpty {
        fields.diagnostics.error("'\(key)' is empty", in: fields.file, at: node.position)
      }
      return fields.texts(nodes, key).map(\.text)
    }
    return fields.text(node, key).map { [$0] } ?? []
  }

  /// Returns true if the scorer applies to a case with the given tags and expectations.
  package func contains(tags caseTags: [String], expected value: JSONValue) -> Bool {
    let hasTag = tags.isEmpty || tags.contains { tag in caseTags.contains(where: tag.isIdentical) }
    return hasTag && (expected.isEmpty || expected.contains { value[$0] != nil })
  }

  /// Returns true if the scorer applies to a case.
  package func contains(_ testCase: TestCase) -> Bool {
    contains(tags: testCase.tags, expected: testCase.expected)
  }

  /// The selection, as the digest of the scorer contains it.
  var json: JSONValue {
    [
      "tag": .array(tags.map(JSONValue.string)),
      "expected": .array(expected.map(JSONValue.string)),
    ]
  }

  /// The score of every answer to a case that is not selected.
  var score: Score {
    var parts: [String] = []
    func add(_ texts: [String], _ one: String, _ several: String) {
      if texts.isEmpty { return }
      let list = texts.map { "'\($0)'" }.joined(separator: ", ")
      parts.append(texts.count == 1 ? "\(one) \(list)" : "\(several) \(list)")
    }
    add(tags, "the tag", "one of the tags")
    add(expected, "an expected", "one of the expected")
    return Score(
      .notApplicable,
      explanation: "applies only to cases with \(parts.joined(separator: " and "))"
    )
  }
}
