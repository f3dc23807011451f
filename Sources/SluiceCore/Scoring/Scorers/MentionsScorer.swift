import SluiceSupport

/// The scorer `mentions`, which checks that the answer mentions each expected finding.
///
/// The findings are searched for in a text of the answer, or in a list of texts.
///
/// A finding is mentioned if one of its alternative wordings occurs as a whole word or phrase,
/// ignoring case.
package struct MentionsScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = arguments.path(fields)
    let expectedKey = fields.requiredText("expected")
    fields.finish()
    guard let path, let expectedKey else { return nil }
    self.path = path
    self.expectedKey = expectedKey
  }

  package var traits: ScorerTraits {
    ScorerTraits(metrics: metrics, expectedKeys: [expectedKey])
  }

  private var metrics: [MetricDefinition] {
    [MetricDefinition("mention-rate", .ratio(of: [.init("met")], to: [.init("expected")]))]
  }

  package func check(_ expectation: Expectation) {
    guard let node = expectation.node(expectedKey) else { return }
    guard case .sequence(let findings) = node.value else {
      expectation.error(
        "'expected.\(expectedKey)' must be a list, not \(node.kind)",
        at: node,
        fix: ValueSource(expectation.file).wrapping(node)
      )
      return
    }
    ExpectedText.check(findings, called: "a finding", of: expectation)
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    guard let findings = testCase.expected[expectedKey]?.array, !findings.isEmpty else {
      return Score(.notApplicable, explanation: "the case expects no mention")
    }
    let wanted = findings.map(ExpectedText.init)
    let value: JSONValue
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason, measurements: measurements(of: findings.count, met: 0))
    case .success(let found): value = found
    }
    let texts = value.string.map { [$0] } ?? (value.array ?? []).compactMap(\.string)
    let searched = texts.map(SearchedText.init)
    let missed = wanted.filter { !$0.occurs(in: searched) }
    let met = findings.count - missed.count
    let explanation =
      missed.isEmpty
      ? "\(Excerpt.subject(path)) mentions \(met == 1 ? "the expected finding" : "all \(met) expected findings")"
      : "\(Excerpt.subject(path)) should mention \(missed.map(\.shown).joined(separator: " and ")), got "
        + Self.shown(value, texts)
    return Score(
      missed.isEmpty ? .passed : .failed,
      explanation: explanation,
      measurements: measurements(of: findings.count, met: met)
    )
  }

  private func measurements(of expected: Int, met: Int) -> JSONObject {
    ["expected": .number(Double(expected)), "met": .number(Double(met))]
  }

  private static func shown(_ value: JSONValue, _ texts: [String]) -> String {
    if !texts.isEmpty {
      return Excerpt.list(texts, limit: 5, separator: ", ", shown: Excerpt.quoted)
    }
    return value == .null || value == [] ? "nothing" : Excerpt.json(value)
  }
}
