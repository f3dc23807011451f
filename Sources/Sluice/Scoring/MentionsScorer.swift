/// Checks that each expected finding is met by some text of the answer.
///
/// A finding is met when one of its alternatives occurs as a whole word or phrase, ignoring case.
package struct MentionsScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = fields.requiredText("path")
    let expectedKey = fields.requiredText("expected")
    fields.finish()
    guard let path, let expectedKey else { return nil }
    self.path = path
    self.expectedKey = expectedKey
  }

  package var expectedKeys: [String] { [expectedKey] }

  package var metrics: [MetricDefinition] {
    [MetricDefinition("mention-rate", .ratio(of: [.init("met")], to: [.init("expected")]))]
  }

  package func check(_ expectation: Expectation) {
    guard let node = expectation.node(expectedKey) else { return }
    guard case .sequence(let findings) = node.value else {
      expectation.error("'expected.\(expectedKey)' must be a list, not \(node.kind)", at: node)
      return
    }
    for finding in findings where !isFinding(finding) {
      expectation.error(
        "a finding must be a text or {any-of: [texts]}",
        at: finding,
        fix: "write '- any-of: [\"first\", \"second\"]'"
      )
    }
  }

  private func isFinding(_ node: Node) -> Bool {
    if case .string(let text) = node.value { return !text.isEmpty }
    guard let members = node.members, members.count == 1, members[0].key == "any-of",
      case .sequence(let alternatives) = members[0].value.value, !alternatives.isEmpty
    else { return false }
    return alternatives.allSatisfy {
      if case .string(let text) = $0.value { !text.isEmpty } else { false }
    }
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    guard let findings = testCase.expected[expectedKey]?.array, !findings.isEmpty else {
      return Score(.notApplicable, explanation: "the case expects no mention")
    }
    let alternatives = findings.map { finding in
      finding.string.map { [$0] } ?? (finding["any-of"]?.array ?? []).compactMap(\.string)
    }
    let value: JSONValue
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason, measurements: measurements(of: findings.count, met: 0))
    case .success(let found): value = found
    }
    let texts = value.string.map { [$0] } ?? (value.array ?? []).compactMap(\.string)
    let missed = alternatives.filter { words in
      !words.contains { word in texts.contains { TextSearch.containsWord(word, in: $0) } }
    }
    let met = findings.count - missed.count
    let explanation =
      missed.isEmpty
      ? "\(path) mentions \(met == 1 ? "the expected finding" : "all \(met) expected findings")"
      : "\(path) should mention \(missed.map(Self.shown).joined(separator: " and ")), got "
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

  /// The first alternative: a line has to hold what came as well.
  private static func shown(_ words: [String]) -> String {
    let first = "'\(words.first ?? "")'"
    return words.count > 1 ? "\(first) (or \(words.count - 1) more)" : first
  }
}
