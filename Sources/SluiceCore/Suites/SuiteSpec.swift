package import SluiceSupport

/// A suite as its file says it: what later stages read is kept with its place until they do.
///
/// What was reported as missing or wrong is nil or left out, so that the rest can still be checked.
package struct SuiteSpec {
  package var name: Reference?
  package var file: SourceFile
  package var prompts: [Reference]
  package var dataset: Reference?
  package var backends: [Reference]
  /// How many trials each case gets.
  package var repetitions: Int
  package var scorers: [ScorerSpec]
  /// The `extract` of the suite, for scorers without one of their own.
  package var extract: Node?
  /// Whether no scorer was left out.
  package var hasAllScorers: Bool
  /// Where the scorers stand, or would have to.
  package var scorersPosition: SourcePosition
  /// True when an answer without any text can be used: the feature may rightly say nothing.
  package var takesEmptyAnswers: Bool
  /// The conditions that decide.
  package var gates: [ConditionSpec]
  /// The conditions that are shown and never block.
  package var goals: [ConditionSpec]
  /// What a credible regression of unknown size does: `fail` or `warn`.
  package var onCredibleRegression: Reference?
  /// The properties that reports break figures down by.
  package var groupings: [(grouping: Grouping, position: SourcePosition)]
  /// The cases that run and are shown, and do not decide.
  package var quarantine: [ExemptionSpec]
  /// The gates that are decided and shown, and do not block.
  package var waivers: [ExemptionSpec]

  /// The name of a suite, a file or a backend, with the place where it stands.
  package struct Reference {
    package var text: String
    package var position: SourcePosition
  }
}

/// A scorer as a file asks for it: a type and its arguments.
package struct ScorerSpec {
  package var type: String
  package var arguments: Node
  package var position: SourcePosition
  package var file: SourceFile
  /// How much it counts among others in an `assert-set`.
  package var weight: Node?
  /// The steps that extract a part of an answer before scoring.
  package var extract: Node?
  /// The name that reports and conditions use in place of the type.
  package var name: Node?
  /// The cases that are judged, where it is not all of them.
  package var appliesTo: Node?
  /// Whether it was written with `type:` and `value:`, and has more arguments than the value.
  package var hasMoreThanValue = false
  /// True when it was written with `type:`.
  package var isLong = false

  /// The keys that stand beside the type of a scorer, and are none of its arguments.
  package static let reserved = ["weight", "extract", "name", "applies-to"]

  /// Takes over the keys that stand beside the type.
  private mutating func setKeys(beside node: Node) {
    weight = node["weight"]
    extract = node["extract"]
    name = node["name"]
    appliesTo = node["applies-to"]
  }

  /// The name that the file gives the scorer; nil where it gives none.
  package var givenName: String? {
    if case .string(let text)? = name?.value { text } else { nil }
  }

  /// The scorer with the steps of its suite, where it has none of its own.
  package func extracting(_ node: Node?) -> ScorerSpec {
    var spec = self
    spec.extract = extract ?? node
    return spec
  }

  /// Reads `- type: arguments`, a bare `- type`, or the long form `- {type: …, value: …}`.
  ///
  /// In the long form `value` is what stands after the colon in the short one; with other keys beside
  /// it, or without it, all of them are the arguments. Either form may have the keys of ``reserved``.
  package static func read(
    _ node: Node,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> ScorerSpec? {
    switch node.value {
    case .string(let type):
      return ScorerSpec(
        type: type,
        arguments: Node(position: node.position, value: .null),
        position: node.position,
        file: file
      )
    case .mapping(let members) where members.contains { $0.key == "type" }:
      return long(members, node, file, diagnostics)
    case .mapping(let members) where !members.isEmpty:
      let beside = members.count > 1 ? reserved : []
      let types = members.filter { !beside.contains($0.key) }
      if types.count == 1 {
        var spec = ScorerSpec(
          type: types[0].key,
          arguments: types[0].value,
          position: types[0].keyPosition,
          file: file
        )
        if !beside.isEmpty { spec.setKeys(beside: node) }
        return spec
      }
      for (place, member) in types.enumerated() where types.count > 1 {
        guard let near = NearestName.of(member.key, among: reserved, within: 2) else { continue }
        let type = types[place == 0 ? 1 : 0].key
        diagnostics.error(
          "unknown key '\(member.key)' beside '\(type)'",
          in: file,
          at: member.keyPosition,
          fix: "did you mean '\(near)'?"
        )
        return nil
      }
      diagnostics.error(
        "a scorer has one key, its type; here are \(types.count)",
        in: file,
        at: types[1].keyPosition,
        fix: "put the arguments in braces or indent them under '\(types[0].key):'"
      )
    default:
      diagnostics.error(
        "a scorer must be a type with its arguments, not \(node.kind)",
        in: file,
        at: node.position,
        fix: "write '- contains: …'"
      )
    }
    return nil
  }

  private static func long(
    _ members: [Node.Member],
    _ node: Node,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> ScorerSpec? {
    var type: (text: String, position: SourcePosition)?
    for member in members where member.key == "type" {
      if type != nil {
        diagnostics.error("duplicate key 'type'", in: file, at: member.keyPosition)
        return nil
      }
      guard case .string(let text) = member.value.value else {
        diagnostics.error(
          "'type' must be a text, not \(member.value.kind)",
          in: file,
          at: member.value.position,
          fix: "write such as 'type: contains'"
        )
        return nil
      }
      type = (text, member.value.position)
    }
    guard let type else { return nil }
    let arguments = members.filter { $0.key != "type" && !reserved.contains($0.key) }
    let value = arguments.first { $0.key == "value" }?.value
    let all = Node(position: node.position, value: arguments.isEmpty ? .null : .mapping(arguments))
    var spec = ScorerSpec(
      type: type.text,
      arguments: arguments.count == 1 ? value ?? all : all,
      position: type.position,
      file: file,
      hasMoreThanValue: value != nil && arguments.count > 1,
      isLong: true
    )
    spec.setKeys(beside: node)
    return spec
  }
}

/// A line under `gates:` or `goals:`.
package struct ConditionSpec {
  package var text: String
  package var position: SourcePosition

  /// The condition that an entry such as `accuracy: 0.85` means; `nil` for any other entry.
  static func condition(_ node: Node) -> String? {
    guard let members = node.members, members.count == 1, let member = members.first else {
      return nil
    }
    let value: String
    switch member.value.value {
    case .number(let number): value = JSONWriter.number(number)
    case .string(let text): value = text.trimmed
    case .null, .bool, .sequence, .mapping: return nil
    }
    if let sign = value.first, "<>=".contains(sign) { return "\(member.key) \(value)" }
    let isBestSmall = ["rate", "latency", "cost", "tokens"].contains { member.key.hasSuffix($0) }
    let sign = isBestSmall && !member.key.hasSuffix("pass-rate") ? "<=" : ">="
    return "\(member.key) \(sign) \(value)"
  }
}
