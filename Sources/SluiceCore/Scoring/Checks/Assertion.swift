import SluiceSupport

/// A single assertion about an answer.
///
/// The types of assertions have the same names as in promptfoo.
///
/// Negation is implemented here, for all types.
package struct Assertion: SuiteScorer {
  package let check: any AnswerCheck
  let isNegated: Bool
  /// The expectation as explanations state it, such as `expected the answer to be valid JSON`.
  private let expected: String
  /// The score of an answer that passes, if there are no further details.
  let passed: Score
  /// True if each case must fill in values before an answer can be checked.
  package let isTemplated: Bool
  package let inputKeys: [String]
  package let expectedKeys: [String]

  package init?(_ arguments: ScorerArguments) {
    self.init(type: arguments.spec.type, isNegated: false, arguments)
  }

  /// Reads an assertion; nil, with errors reported, if its arguments are invalid.
  ///
  /// - Parameters:
  ///   - type: One of the types in ``AssertionCatalog/types``.
  ///   - isNegated: True if the assertion is negated.
  ///   - arguments: The arguments.
  package init?(type: String, isNegated: Bool, _ arguments: ScorerArguments) {
    guard let arguments = ExpectedKey.filled(in: arguments, of: type),
      let check = AssertionCatalog.make(type, arguments)
    else { return nil }
    let names = AssertionTemplate.names(in: arguments.spec.arguments)
    self.init(
      check,
      isNegated: isNegated,
      inputKeys: names.inputs.union(check.reads.inputs).sorted(),
      expectedKeys: names.expected.union(check.reads.expected).sorted()
    )
  }

  private init(
    _ check: any AnswerCheck,
    isNegated: Bool,
    inputKeys: [String],
    expectedKeys: [String]
  ) {
    self.check = check
    self.isNegated = isNegated
    self.inputKeys = inputKeys
    self.expectedKeys = expectedKeys
    isTemplated = check.needsCase
    expected = "expected the answer \(isNegated ? "not " : "")to \(check.claim)"
    passed = Score(.passed, explanation: "\(expected): it \(isNegated ? "does not" : "does")")
  }

  /// The requirement that the answer must meet, as a phrase such as `must contain "it"`.
  package var demand: String { "must \(isNegated ? "not " : "")\(check.claim)" }

  package var traits: ScorerTraits {
    ScorerTraits(
      metrics: metrics,
      content: check.content,
      expectedKeys: expectedKeys,
      inputKeys: inputKeys,
      mayRead: check.reads,
      readsAllExpected: check.reads.readsAllExpected,
      readsAllInputs: check.reads.readsAllInputs,
      judgesTextAlone: check.judgesTextAlone,
      needsText: check.needsUsableAnswer,
      wantedParts: wantedParts
    )
  }

  var wantedParts: Set<AnswerPart> { isNegated ? [] : check.wantedParts }

  private var metrics: [MetricDefinition] {
    if !check.isGraded { return [] }
    return [MetricDefinition("mean-score", .ratio(of: [.init("score")], to: [.init("scored")]))]
  }

  /// Returns the assertion, filled in with the values of a case.
  func bound(to testCase: TestCase) -> Assertion {
    guard isTemplated else { return self }
    return Assertion(
      check.bound(to: testCase),
      isNegated: isNegated,
      inputKeys: inputKeys,
      expectedKeys: expectedKeys
    )
  }

  package func check(_ expectation: Expectation) { check.check(expectation) }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    isTemplated ? bound(to: testCase).graded(answer).score : graded(answer).score
  }

  /// Returns the score of an answer, and a grade from 0 to 1.
  ///
  /// If the assertion is negated, the grade is 1 minus the grade of the check.
  func graded(_ answer: Answer) -> (score: Score, grade: Double) {
    if check.needsUsableAnswer,
      let flaw = answer.flaw
        ?? answer.flawOfPart(takingNull: check.readsJSON, empty: wantedParts.contains(.emptyText))
    {
      return (.unusable(flaw), 0)
    }
    if let score = scoreWithoutText(answer) { return (score, 0) }
    let finding: Finding
    do throws(Undecided) {
      finding = try check.finding(answer)
    } catch {
      return (Score(.unscored, explanation: error.reason), 0)
    }
    if finding.isUnusable || finding.isMissing && isNegated {
      return (.unusable([expected, finding.detail].compactMap(\.self).joined(separator: ": ")), 0)
    }
    let holds = finding.holds != isNegated
    var grade = finding.grade ?? (finding.holds ? 1 : 0)
    if isNegated { grade = 1 - grade }
    if holds, finding.detail == nil { return (passed, grade) }
    let explanation =
      finding.detail.map { "\(expected): \($0)" }
      ?? "\(expected), \(check.came(answer, isNegated: isNegated))"
    let score = Score(
      holds ? .passed : .failed,
      explanation: explanation,
      measurements: check.isGraded ? ["score": .number(grade), "scored": 1] : [:]
    )
    return (score, grade)
  }
}
