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
  /// Whether no scorer was left out.
  package var hasAllScorers: Bool
  /// The conditions that decide.
  package var gates: [ConditionSpec]
  /// The conditions that are shown and never block.
  package var goals: [ConditionSpec]
  /// What a credible regression of unknown size does: `fail` or `warn`.
  package var onCredibleRegression: Reference?
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

  /// Reads `- type: arguments`, or a bare `- type`.
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
    case .mapping(let members) where members.count == 1:
      return ScorerSpec(
        type: members[0].key,
        arguments: members[0].value,
        position: members[0].keyPosition,
        file: file
      )
    case .mapping(let members) where members.count > 1:
      diagnostics.error(
        "a scorer has one key, its type; here are \(members.count)",
        in: file,
        at: members[1].keyPosition,
        fix: "put the arguments in braces or indent them under '\(members[0].key):'"
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
}

/// A line under `gates:` or `goals:`.
package struct ConditionSpec {
  package var text: String
  package var position: SourcePosition
}
