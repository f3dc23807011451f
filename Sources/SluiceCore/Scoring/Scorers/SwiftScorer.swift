import SluiceSupport

/// The scorer `swift`, which runs a scorer that a user's test supplies.
///
/// Sluice cannot see the code of the scorer, so the digest contains the version from the suite
/// file.
package struct SwiftScorer: SuiteScorer {
  /// The key of such a scorer in a suite.
  static let type = "swift"

  private let name: String
  private let scorer: any Scorer

  /// The traits of a scorer that receives the whole response, including tool calls and refusals.
  package var traits: ScorerTraits {
    ScorerTraits(name: name, readsAllExpected: true, needsText: false)
  }

  package init?(_ arguments: ScorerArguments) {
    guard let name = Self.name(arguments) else { return nil }
    guard let scorers = arguments.ownScorers else {
      arguments.error(
        "the scorer '\(name)' is written in Swift, so only a test that provides the scorer can run it",
        fix: "run the suite in a test: SuiteTest(…, scorers: [\"\(name)\": …])"
      )
      return nil
    }
    guard let scorer = scorers[name] else {
      arguments.error(
        "the test does not provide the scorer '\(name)'",
        fix: NearestName.suggestion(for: name, among: scorers.keys.sorted())
          ?? "provide it: SuiteTest(…, scorers: [\"\(name)\": …])"
      )
      return nil
    }
    self.name = name
    self.scorer = scorer
  }

  /// Reads the name, which may be written alone or with a version.
  private static func name(_ arguments: ScorerArguments) -> String? {
    let node = arguments.spec.arguments
    var named = node
    switch node.value {
    case .string: break
    case .mapping:
      guard let fields = arguments.fields() else { return nil }
      let found = fields.required("name")
      if let version = fields.optional("version") {
        switch version.value {
        case .number, .string: break
        default: fields.wrongType("version", "a number or a text", version)
        }
      }
      fields.finish()
      guard let found else { return nil }
      named = found
    default:
      arguments.error("'swift' needs the name of a scorer", fix: "write 'swift: name'")
      return nil
    }
    if case .string(let name) = named.value, Identifier.isValid(name) { return name }
    arguments.diagnostics.error(
      "the name of a scorer must consist of \(Identifier.rule)",
      in: arguments.spec.file,
      at: named.position
    )
    return nil
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    scorer.score(answer, for: testCase)
  }
}
