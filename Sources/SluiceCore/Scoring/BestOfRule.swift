import SluiceSupport

/// The rule `best-of`, which compares the answers of all prompts and backends case by case.
///
/// The rule is listed under `scorers:`, but it is not a scorer, because it does not judge an answer
/// alone.
package struct BestOfRule: Hashable, Sendable {
  /// The name of the rule under `scorers:`.
  package static let type = "best-of"

  /// The name of the scorer whose grade or value counts.
  ///
  /// If nil, the mean grade of all scorers that are not advisory counts.
  package var scorer: String?
  /// True if the lowest value is the best.
  package var prefersSmall: Bool

  /// Reads `best-of` or `best-of: {by: NAME, lowest: true}`; nil, with errors reported, if it is
  /// invalid.
  package init?(_ spec: ScorerSpec, scorers: [BoundScorer], _ diagnostics: DiagnosticCollector) {
    for (key, node) in [
      ("name", spec.name), ("extract", spec.extract), ("applies-to", spec.appliesTo),
      ("weight", spec.weight),
    ] {
      guard let node else { continue }
      diagnostics.error(
        "'\(key)' is not a key of '\(Self.type)'",
        in: spec.file,
        at: node.position,
        fix: "remove it"
      )
      return nil
    }
    if case .null = spec.arguments.value {
      (scorer, prefersSmall) = (nil, false)
      return
    }
    guard
      let fields = FieldReader(
        spec.arguments,
        subject: "the scorer '\(Self.type)'",
        file: spec.file,
        diagnostics: diagnostics
      )
    else { return nil }
    let before = diagnostics.count
    let node = fields.optional("by")
    scorer = fields.optionalText("by")
    prefersSmall = fields.optionalBool("lowest") ?? false
    fields.finish()
    if let node, let scorer, !scorers.contains(where: { $0.name == scorer }) {
      diagnostics.error(
        "the suite has no scorer '\(scorer)'",
        in: spec.file,
        at: node.position,
        fix: NearestName.suggestion(for: scorer, among: scorers.map(\.name))
      )
    }
    if diagnostics.count > before { return nil }
  }
}
