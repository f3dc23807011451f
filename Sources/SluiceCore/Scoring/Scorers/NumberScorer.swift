import SluiceSupport

/// The scorer `number`, which compares a number in the answer with the expected number.
///
/// If an answer contains no number in the range, the answer is unusable. Correlations and
/// statistics of numeric errors leave such an answer out.
package struct NumberScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String
  private let tolerance: ExactNumber
  private let range: ClosedRange<ExactNumber>?

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = arguments.path(fields)
    let expectedKey = fields.requiredText("expected")
    let tolerance = Self.tolerance(fields)
    let rangeNode = fields.optional("range")
    fields.finish()
    range = rangeNode.flatMap { Self.range($0, fields) }
    guard let path, let expectedKey, let tolerance, rangeNode == nil || range != nil else {
      return nil
    }
    self.path = path
    self.expectedKey = expectedKey
    self.tolerance = tolerance
  }

  private static func range(_ node: Node, _ fields: FieldReader) -> ClosedRange<ExactNumber>? {
    guard fields.range(node, "range", example: "[0, 100]") != nil,
      case .array(let ends) = node.json, let low = ends[0].decimal, let high = ends[1].decimal
    else { return nil }
    return low...high
  }

  private static func tolerance(_ fields: FieldReader) -> ExactNumber? {
    guard let node = fields.required("tolerance") else { return nil }
    guard let number = node.json.decimal else {
      fields.wrongType("tolerance", "a number", node)
      return nil
    }
    if !number.isNegative { return number }
    fields.diagnostics.error(
      "'tolerance' must not be negative",
      in: fields.file,
      at: node.position
    )
    return nil
  }

  package var traits: ScorerTraits {
    ScorerTraits(metrics: metrics, expectedKeys: [expectedKey])
  }

  private var metrics: [MetricDefinition] {
    [
      MetricDefinition(
        "mean-absolute-error",
        .mean(of: "absolute-error", in: .distance),
        prefersSmall: true
      ),
      MetricDefinition("bias", .mean(of: "error", in: .deviation), isDetail: true),
      MetricDefinition(
        "pearson",
        .correlation(.pearson, of: "given", with: "wanted"),
        isDetail: true
      ),
      MetricDefinition("spearman", .correlation(.spearman, of: "given", with: "wanted")),
      MetricDefinition("kendall", .correlation(.kendall, of: "given", with: "wanted")),
    ]
  }

  package func check(_ expectation: Expectation) {
    guard let node = expectation.required(expectedKey, by: "number") else { return }
    guard let number = node.json.decimal else {
      expectation.error("'expected.\(expectedKey)' must be a number, not \(node.kind)", at: node)
      return
    }
    guard let range, !range.contains(number) else { return }
    expectation.error(
      "\(number) is outside the range of the suite, \(Self.text(range))",
      at: node
    )
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    guard let wanted = (testCase.expected[expectedKey] ?? 0).decimal else {
      return .unusable("the expected value is not a number")
    }
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason)
    case .success(let value):
      guard let given = value.decimal else {
        return .unusable(
          "expected \(Self.text(wanted)), got \(Excerpt.json(value)), which is not a number"
        )
      }
      if let range, !range.contains(given) {
        return .unusable(
          "expected \(Self.text(wanted)), got \(Self.text(given)), which is outside the range "
            + Self.text(range)
        )
      }
      let isNear = given.isNear(wanted, within: tolerance)
      let bound = tolerance.digitCount > 0 ? " within \(Self.text(tolerance))" : ""
      let error = given.double - wanted.double
      return Score(
        isNear ? .passed : .failed,
        explanation: "expected \(Self.text(wanted))\(bound), got \(Self.text(given))",
        measurements: [
          "wanted": .number(wanted.double), "given": .number(given.double),
          "error": .number(error), "absolute-error": .number(error.magnitude),
        ]
      )
    }
  }

  private static func text(_ number: ExactNumber) -> String { Excerpt.cut(number.description) }

  private static func text(_ range: ClosedRange<ExactNumber>) -> String {
    "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }
}
