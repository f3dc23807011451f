package import SluiceSupport

/// The scorer `choice`, which checks if an answer chooses the option that the case expects.
///
/// In a clean case, no option is right, and null is expected. An answer is unusable if, for
/// example, its option is unknown. An unusable answer counts as a wrong choice in a clean case, and
/// as no choice in any other case.
package struct ChoiceScorer: SuiteScorer {
  private let path: String
  private let optionsKey: String
  private let expectedKey: String

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = arguments.path(fields)
    let optionsKey = fields.requiredText("options")
    let expectedKey = fields.requiredText("expected")
    fields.finish()
    guard let path, let optionsKey, let expectedKey else { return nil }
    self.path = path
    self.optionsKey = optionsKey
    self.expectedKey = expectedKey
  }

  package var traits: ScorerTraits {
    ScorerTraits(metrics: metrics, expectedKeys: [expectedKey], inputKeys: [optionsKey])
  }

  private var metrics: [MetricDefinition] {
    [
      MetricDefinition("hit-rate", .share(of: .init("hit"), among: [.init("positive")])),
      MetricDefinition(
        "missed-rate",
        .share(of: .init("missed"), among: [.init("positive")]),
        prefersSmall: true
      ),
      MetricDefinition(
        "false-answer-rate",
        .share(of: .init("false-answer"), among: [.init("clean")]),
        prefersSmall: true
      ),
    ]
  }

  package func check(_ expectation: Expectation) {
    let options = options(expectation)
    guard let node = expectation.expected[expectedKey] else {
      _ = expectation.required(expectedKey, by: "choice")
      return
    }
    switch node.value {
    case .null: return
    case .string(let choice):
      guard let options, !options.contains(where: choice.isIdentical) else { return }
      expectation.error(
        "'\(choice)' is not one of the options of the case",
        at: node,
        fix: NearestName.suggestion(for: choice, among: options)
      )
    default:
      expectation.error(
        "'expected.\(expectedKey)' must be a text (or null, if no option is right), not "
          + node.kind,
        at: node,
        fix: ValueSource(expectation.file).quoting(node)
      )
    }
  }

  /// Returns the options of a case; nil, with errors reported, if they are invalid.
  private func options(_ expectation: Expectation) -> [String]? {
    guard let node = expectation.requiredInput(optionsKey, by: "choice") else { return nil }
    guard case .sequence(let nodes) = node.value else {
      expectation.error("'input.\(optionsKey)' must be a list, not \(node.kind)", at: node)
      return nil
    }
    let options = nodes.compactMap { option -> String? in
      if case .string(let text) = option.value { return text }
      if case .string(let text) = option["id"]?.value { return text }
      expectation.error("an option must be a text, or a mapping with an 'id'", at: option)
      return nil
    }
    return options.count == nodes.count ? options : nil
  }

  package func given(_ testCase: TestCase) -> JSONObject {
    testCase.expected[expectedKey]?.string == nil
      ? ["positive": false, "clean": true, "hit": false, "missed": false]
      : ["positive": true, "clean": false, "false-answer": false]
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let expected = testCase.expected[expectedKey]?.string
    func measured(_ choice: String?, isUsable: Bool = true) -> JSONObject {
      let hit = expected.flatMap { expected in choice?.isIdentical(to: expected) } ?? false
      return [
        "positive": .bool(expected != nil), "clean": .bool(expected == nil), "hit": .bool(hit),
        "missed": .bool(expected != nil && choice == nil),
        "false-answer": .bool(expected == nil && (choice != nil || !isUsable)),
      ]
    }
    let wanted = expected.map(Excerpt.quoted) ?? "no choice"
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason, measurements: measured(nil, isUsable: false))
    case .success(.null):
      return Score(
        expected == nil ? .passed : .failed,
        explanation: expected == nil
          ? "no choice as expected" : "expected \(wanted), got no choice",
        measurements: measured(nil)
      )
    case .success(let value):
      let options = (testCase.input[optionsKey]?.array ?? []).compactMap {
        $0.string ?? $0["id"]?.string
      }
      guard let choice = value.string, options.contains(where: choice.isIdentical) else {
        return .unusable(
          "expected \(wanted), got \(Excerpt.json(value)), which is not one of the options",
          measurements: measured(nil, isUsable: false)
        )
      }
      let isRight = expected.map(choice.isIdentical) ?? false
      return Score(
        isRight ? .passed : .failed,
        explanation: isRight
          ? "\(wanted) as expected" : "expected \(wanted), got \(Excerpt.quoted(choice))",
        measurements: measured(choice)
      )
    }
  }
}
