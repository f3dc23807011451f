package import SluiceSupport

/// The scorer `flags`, for features that flag problems.
///
/// It checks that an answer flags its case if the case should be flagged, and only then.
///
/// In a clean case, the right answer does not flag anything. An unusable answer is always wrong: it
/// counts as a false alarm in a clean case, and as a miss in any other case.
package struct FlagsScorer: SuiteScorer {
  private enum Rule: String, CaseIterable, Sendable {
    /// Flags a case by any value except null, false, a blank text, and an empty list or object.
    case nonEmpty = "non-empty"
    /// Flags a case only by the Boolean `true`.
    case isTrue = "true"
  }

  private let path: String
  private let rule: Rule
  private let expectedKey: String

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = arguments.path(fields)
    let whenNode = fields.optional("when")
    expectedKey = fields.optionalText("expected") ?? "flagged"
    fields.finish()
    var rule = Rule.nonEmpty
    if let whenNode {
      // YAML reads `true` without quotes as a Boolean.
      var text: String?
      switch whenNode.value {
      case .string(let value): text = value
      case .bool(let value): text = String(value)
      default: break
      }
      guard let known = text.flatMap(Rule.init) else {
        arguments.diagnostics.error(
          text.map { "unknown rule '\($0)' for 'when'" }
            ?? "'when' must be a text, not \(whenNode.kind)",
          in: arguments.spec.file,
          at: whenNode.position,
          fix: NearestName.suggestion(for: text ?? "", among: Rule.allCases.map(\.rawValue))
        )
        return nil
      }
      rule = known
    }
    guard let path else { return nil }
    self.path = path
    self.rule = rule
  }

  /// The name of the checked value in explanations.
  private var subject: String { Excerpt.subject(path) }

  package var traits: ScorerTraits {
    ScorerTraits(metrics: metrics, expectedKeys: [expectedKey])
  }

  /// The statement that the answer is not a false alarm.
  private static let quiet = MetricDefinition.Part("false-alarm", isNegated: true)

  private var metrics: [MetricDefinition] {
    [
      MetricDefinition(
        "false-positive-rate",
        .share(of: .init("false-alarm"), among: [.init("clean")]),
        prefersSmall: true
      ),
      MetricDefinition("recall", .share(of: .init("hit"), among: [.init("positive")])),
      MetricDefinition(
        "specificity",
        .share(of: Self.quiet, among: [.init("clean")]),
        isDetail: true
      ),
      MetricDefinition(
        "balanced-accuracy",
        .balance(of: [.init("hit"), Self.quiet], among: [.init("positive"), .init("clean")]),
        isDetail: true
      ),
      MetricDefinition(
        "precision",
        .share(of: .init("hit"), among: [.init("hit"), .init("false-alarm")])
      ),
      MetricDefinition(
        "f1",
        .ratio(of: [.init("hit", times: 2)], to: [.init("flagged"), .init("positive")])
      ),
    ]
  }

  package func check(_ expectation: Expectation) {
    guard let node = expectation.required(expectedKey, by: "flags") else { return }
    if case .bool = node.value { return }
    expectation.error(
      "'expected.\(expectedKey)' must be true or false, not \(node.kind)",
      at: node,
      fix: FieldReader.truthValue(node).map { "write \($0)" }
    )
  }

  package func given(_ testCase: TestCase) -> JSONObject {
    let isPositive = testCase.expected[expectedKey]?.bool ?? false
    // These results are also known without an answer. For example, a positive case cannot be a
    // false alarm.
    return isPositive
      ? ["positive": true, "clean": false, "false-alarm": false]
      : ["positive": false, "clean": true, "hit": false]
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let expected = testCase.expected[expectedKey]?.bool ?? false
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason, measurements: measurements(expected, flagged: !expected))
    case .success(let value):
      let flagged = isFlag(value)
      let shown = Excerpt.json(value)
      let explanation: String
      switch (expected, flagged) {
      case (true, true): explanation = "flagged as expected: \(subject) is \(shown)"
      case (false, false): explanation = "clean as expected: \(subject) is \(shown)"
      case (false, true): explanation = "expected nothing to be flagged, but \(subject) is \(shown)"
      case (true, false): explanation = "expected a flag, but \(subject) is \(shown)"
      }
      return Score(
        expected == flagged ? .passed : .failed,
        explanation: explanation,
        measurements: measurements(expected, flagged: flagged)
      )
    }
  }

  private func measurements(_ expected: Bool, flagged: Bool) -> JSONObject {
    [
      "positive": .bool(expected), "clean": .bool(!expected), "flagged": .bool(flagged),
      "hit": .bool(expected && flagged), "false-alarm": .bool(!expected && flagged),
    ]
  }

  private func isFlag(_ value: JSONValue) -> Bool {
    switch (rule, value) {
    case (.isTrue, _): value == .bool(true)
    case (.nonEmpty, .null), (.nonEmpty, .bool(false)): false
    case (.nonEmpty, .string(let text)): !text.trimmed.isEmpty
    case (.nonEmpty, .array(let elements)): !elements.isEmpty
    case (.nonEmpty, .object(let object)): !object.members.isEmpty
    case (.nonEmpty, _): true
    }
  }
}
