import SluiceSupport

/// A mix of calls to the features of several suites, as defined by `mixes:` of `sluice.yaml`.
package struct MixSpec {
  package var name: String
  /// The number of calls for each suite, in file order.
  package var calls: [Call]
  /// The conditions on totals, such as the cost of all calls.
  ///
  /// They are shown and never block.
  package var goals: [ConditionSpec]

  package struct Call {
    package var suite: SuiteSpec.Reference
    /// The number of calls; nil if it was reported as invalid.
    package var count: Int?
  }

  private static let mostCalls = 1_000_000

  /// Reads the mixes.
  ///
  /// Reports invalid mixes and leaves them out.
  static func read(_ node: Node, in file: SourceFile, diagnostics: DiagnosticCollector)
    -> [MixSpec]
  {
    guard
      let mixes = FieldReader(node, subject: "'mixes'", file: file, diagnostics: diagnostics)
    else { return [] }
    return (mixes.node.members ?? []).compactMap { member in
      if !Identifier.isValid(member.key) {
        diagnostics.error(
          "the name of the mix '\(member.key)' must consist of \(Identifier.rule)",
          in: file,
          at: member.keyPosition
        )
      }
      guard
        let fields = FieldReader(
          member.value,
          subject: "the mix '\(member.key)'",
          file: file,
          diagnostics: diagnostics
        )
      else { return nil }
      let calls = fields.required("calls").map { Self.calls($0, fields) } ?? []
      let goals = (fields.optionalTexts("goals") ?? []).map {
        ConditionSpec(text: $0.text, position: $0.node.position)
      }
      fields.finish()
      return MixSpec(name: member.key, calls: calls, goals: goals)
    }
  }

  private static func calls(_ node: Node, _ mix: FieldReader) -> [Call] {
    guard
      let fields = FieldReader(
        node,
        subject: "'calls' of \(mix.subject)",
        file: mix.file,
        diagnostics: mix.diagnostics
      ), let members = node.members
    else { return [] }
    if members.isEmpty {
      mix.diagnostics.error(
        "\(fields.subject) is empty",
        in: mix.file,
        at: node.position,
        fix: "name a suite and the number of calls to its feature, such as '{inbox: 40}'"
      )
    }
    return members.map { member in
      if case .null = member.value.value {
        fields.wrongType(member.key, "a whole number", member.value)
      }
      return Call(
        suite: .init(text: member.key, position: member.keyPosition),
        count: fields.optionalInteger(member.key, in: 1...mostCalls)
      )
    }
  }
}
