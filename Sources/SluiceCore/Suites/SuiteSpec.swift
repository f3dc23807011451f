package import SluiceSupport

/// A suite as it is written in its file.
///
/// Parts that later stages parse are kept as texts or nodes with their positions.
///
/// Errors in a part were already reported. The part is then nil or left out, so that the other
/// parts can still be checked.
package struct SuiteSpec {
  package var name: Reference?
  package var file: SourceFile
  package var prompts: [Reference]
  package var dataset: Reference?
  package var backends: [Reference]
  /// The number of trials per case.
  package var repetitions: Int
  package var scorers: [ScorerSpec]
  /// The `extract` steps of the suite, for scorers that have no steps themselves.
  package var extract: Node?
  /// True if every scorer of the file was read.
  package var hasAllScorers: Bool
  /// The position of the scorers; if there are none, the position for a message about missing
  /// scorers.
  package var scorersPosition: SourcePosition
  /// True if an answer without any text is usable, because the feature may correctly answer with
  /// nothing.
  package var takesEmptyAnswers: Bool
  /// The conditions that decide the verdict.
  package var gates: [ConditionSpec]
  /// The conditions that are shown but never block.
  package var goals: [ConditionSpec]
  /// The outcome if a loss is credible, but it is unclear whether the loss exceeds the margin.
  ///
  /// With `fail`, the gate fails if the measured loss reaches the margin. With `warn`, the gate is
  /// always inconclusive.
  package var onCredibleRegression: Reference?
  /// The properties by which reports break down figures.
  package var groupings: [(grouping: Grouping, position: SourcePosition)]
  /// The cases that run and are shown, but do not affect the verdict.
  package var quarantine: [ExemptionSpec]
  /// The gates that are evaluated and shown but do not block.
  package var waivers: [ExemptionSpec]

  /// The name of a suite, a file or a backend, with its position.
  package struct Reference {
    package var text: String
    package var position: SourcePosition
  }
}

/// A scorer as it is written in a file: a type and its arguments.
package struct ScorerSpec {
  package var type: String
  package var arguments: Node
  package var position: SourcePosition
  package var file: SourceFile
  /// The weight of the scorer in an `assert-set`.
  package var weight: Node?
  /// The steps that extract a part of the answer before it is scored.
  package var extract: Node?
  /// The name that reports and conditions use instead of the type.
  package var name: Node?
  /// The cases that the scorer scores; nil for all cases.
  package var appliesTo: Node?
  /// True if the scorer is written with `type:` and `value:`, and has other arguments, too.
  package var hasMoreThanValue = false
  /// True if the scorer is written with `type:`.
  package var isLong = false

  /// The keys next to a scorer's type that are not arguments of the scorer.
  package static let reserved = ["weight", "extract", "name", "applies-to"]

  /// Reads the reserved keys next to the type.
  private mutating func setKeys(beside node: Node) {
    weight = node["weight"]
    extract = node["extract"]
    name = node["name"]
    appliesTo = node["applies-to"]
  }

  /// The name given in the file; nil if there is none.
  package var givenName: String? {
    if case .string(let text)? = name?.value { text } else { nil }
  }

  /// Returns the scorer with the suite's extraction steps, unless the scorer has steps itself.
  package func extracting(_ node: Node?) -> ScorerSpec {
    var spec = self
    spec.extract = extract ?? node
    return spec
  }

  /// Reads `- type: arguments`, a bare `- type`, or the long form `- {type: …, value: …}`.
  ///
  /// In the long form, `value` has the same meaning as the text after the colon in the short form.
  /// If `value` is missing, or if it is not the only argument, all arguments are given by their
  /// keys. Both forms may have the ``reserved`` keys.
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
          "unknown key '\(member.key)' next to '\(type)'",
          in: file,
          at: member.keyPosition,
          fix: "did you mean '\(near)'?"
        )
        return nil
      }
      if types.isEmpty {
        diagnostics.error(
          "a scorer needs a type; this one has only '\(members.map(\.key).joined(separator: "', '"))'",
          in: file,
          at: node.position,
          fix: "add the type: '- {type: TYPE, \(members[0].key): …}'"
        )
        return nil
      }
      diagnostics.error(
        "a scorer must have exactly one key, its type; this one has \(types.count)",
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
          fix: "write, for example, 'type: contains'"
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

  /// Returns the condition that an entry such as `accuracy: 0.85` means (`accuracy >= 0.85`); `nil`
  /// for any other entry.
  static func condition(_ node: Node) -> String? {
    guard let members = node.members, members.count == 1, let member = members.first else {
      return nil
    }
    let value: String
    switch member.value.value {
    case .number: value = member.value.json.jsonText
    case .string(let text): value = text.trimmed
    case .null, .bool, .sequence, .mapping: return nil
    }
    if let sign = value.first, "<>=".contains(sign) { return "\(member.key) \(value)" }
    let isBestSmall = ["rate", "latency", "cost", "tokens"].contains { member.key.hasSuffix($0) }
    let sign = isBestSmall && !member.key.hasSuffix("pass-rate") ? "<=" : ">="
    return "\(member.key) \(sign) \(value)"
  }
}
