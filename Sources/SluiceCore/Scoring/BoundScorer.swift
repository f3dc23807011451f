package import SluiceSupport

/// A scorer with its name in a suite.
package struct BoundScorer: Sendable {
  /// The name that scores, metrics and conditions use.
  package var name: String
  package var type: String
  package var scorer: any SuiteScorer
  /// SHA-256 over the canonical JSON of type, arguments and what the scorer read from other files.
  package var digest: String

  /// What the names of scorers start with that single cases bring of their own.
  package static let casePrefix = "assert."

  package init(name: String, type: String, scorer: any SuiteScorer, arguments: JSONValue) {
    self.name = name
    self.type = type
    self.scorer = scorer
    digest = SHA256.hexadecimal(
      JSONWriter.canonical([
        "type": .string(type), "arguments": arguments, "content": scorer.content,
      ])
    )
  }

  /// True for an assertion that names something of its case.
  package var fillsNames: Bool {
    guard let assertion = scorer as? Assertion else { return false }
    return !assertion.inputKeys.isEmpty || !assertion.expectedKeys.isEmpty
  }

  /// The scorer with what a case fills in.
  package func bound(to testCase: TestCase) -> BoundScorer {
    guard let assertion = scorer as? Assertion, assertion.isTemplated else { return self }
    var bound = self
    bound.scorer = assertion.bound(to: testCase)
    return bound
  }

  /// What run logs and baselines keep of the scorer.
  package var json: JSONValue {
    ["name": .string(name), "type": .string(type), "digest": .string(digest)]
  }

  /// Makes the scorers of a list; those whose specs are wrong are reported and left out.
  ///
  /// Each is named after its type, or as the suite names it; further ones of a name are numbered.
  ///
  /// - Parameters:
  ///   - specs: The scorers as a file asks for them.
  ///   - prefix: What the names start with, to keep those of cases apart from the suite's.
  ///   - files: Where the files that arguments name are read, and faults are reported.
  ///   - asking: What scorers need that ask; nil where none may.
  ///   - ownScorers: The scorers that are written in Swift, by name; nil where none can be.
  ///   - testCase: The case whose own assertions they are; nil for scorers of a suite.
  /// - Returns: The scorers, in the order of the list.
  package static func bind(
    _ specs: [ScorerSpec],
    prefix: String = "",
    files: ProjectFiles,
    asking: ScorerArguments.Asking? = nil,
    ownScorers: [String: any Scorer]? = nil,
    testCase: TestCase? = nil
  ) -> [BoundScorer] {
    var counts: [String: Int] = [:]
    return specs.compactMap { spec in
      let arguments = ScorerArguments(
        spec: spec,
        files: files,
        asking: asking,
        ownScorers: ownScorers,
        testCase: testCase
      )
      guard let scorer = ScorerCatalog.make(arguments) else { return nil }
      let name = scorer.name ?? spec.type
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return BoundScorer(
        name: prefix + (count == 1 ? name : "\(name)-\(count)"),
        type: spec.type,
        scorer: scorer,
        arguments: spec.arguments.json
      )
    }
  }
}
