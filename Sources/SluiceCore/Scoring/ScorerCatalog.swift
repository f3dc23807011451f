import SluiceSupport

/// The types of scorers that suites and cases can use.
package enum ScorerCatalog {
  private static let taskScorers:
    [(type: String, make: @Sendable (ScorerArguments) -> (any SuiteScorer)?)] =
      [
        ("choice", { ChoiceScorer($0) }),
        ("classification", { ClassificationScorer($0) }),
        ("coverage", { CoverageScorer($0) }),
        ("exec", { ProgramScorer($0) }),
        ("flags", { FlagsScorer($0) }),
        ("items", { ItemsScorer($0) }),
        ("json-schema", { JSONSchemaScorer($0) }),
        ("llm-compare", { PairwiseScorer($0) }),
        ("llm-rubric", { RubricScorer($0) }),
        ("measure", { MeasureScorer($0) }),
        ("mentions", { MentionsScorer($0) }),
        ("number", { NumberScorer($0) }),
        ("stream", { StreamScorer($0) }),
        ("swift", { SwiftScorer($0) }),
      ]

  /// The prefix that negates an assertion.
  private static let negation = "not-"

  /// The names of all types, with and without negation.
  package static var types: [String] {
    [BestOfRule.type] + taskScorers.map(\.type)
      + AssertionCatalog.types.flatMap { [$0, negation + $0] }
  }

  private static var known: String {
    "known: \(([BestOfRule.type] + taskScorers.map(\.type)).joined(separator: ", ")); "
      + "assertions, which also work with the prefix '\(negation)': "
      + "\(AssertionCatalog.types.joined(separator: ", "))"
  }

  /// Creates a scorer; nil, with errors reported, if its type is unknown or its arguments are
  /// invalid.
  package static func make(_ arguments: ScorerArguments) -> (any SuiteScorer)? {
    let type = arguments.spec.type
    if let weight = arguments.spec.weight {
      arguments.diagnostics.error(
        "'weight' has a meaning only inside an assert-set",
        in: arguments.spec.file,
        at: weight.position,
        fix: "remove it, or put the scorer into an 'assert-set'"
      )
      return nil
    }
    if type == BestOfRule.type {
      arguments.error(
        "'\(type)' compares prompts and backends, so it can only be used under 'scorers:' of a "
          + "suite",
        fix: "move it there"
      )
      return nil
    }
    if let found = taskScorers.first(where: { $0.type == type }) { return found.make(arguments) }
    let isNegated = type.hasPrefix(negation)
    let plain = isNegated ? String(type.dropFirst(negation.count)) : type
    if AssertionCatalog.types.contains(plain) {
      return Assertion(type: plain, isNegated: isNegated, arguments)
    }
    // The text may be a type and its argument, as in `contains Friday` or `contains:Friday`.
    if let match = type.wholeMatch(of: /([a-z][a-z-]*)(?: +|:)(\S.*)/),
      types.contains(String(match.1))
    {
      arguments.diagnostics.error(
        "unknown scorer '\(type)'",
        in: arguments.spec.file,
        at: arguments.spec.position,
        fix: "write '\(match.1): \(ValueSource.doubleQuoted(String(match.2)))'"
      )
      return nil
    }
    arguments.diagnostics.error(
      "unknown scorer '\(type)'",
      in: arguments.spec.file,
      at: arguments.spec.position,
      fix: ForeignScorers.way(insteadOf: type)
        ?? NearestName.of(type, among: types).map { "did you mean '\($0)'?" } ?? known
    )
    return nil
  }
}
