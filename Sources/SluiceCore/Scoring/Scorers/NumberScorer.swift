import SluiceSupport

/// The scorer `number`, which compares a number in the answer with the expected number.
///
/// If an answer contains no number in the range, the answer is unusable. Correlations and
/// statistics of numeric errors leave such an answer out.
package struct NumberScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String
  private let tolerance: Double
  private let range: ClosedRange<Double>?

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = arguments.path(fields)
    let expectedKey = fields.requiredText("expected")
    let tolerance = Self.tolerance(fields)
    let rangeNode = fields.optional("range")
    fields.finish()
    range = rangeNode.flatMap { fields.range($0, "range", example: "[0, 100]") }
    guard let path, let expectedKey, let tolerance, rangeNode == nil || range != nil else {
      return nil
    }
    self.path = path
    self.expectedKey = expectedKey
    self.tolerance = tolerance
  }

  private static func tolerance(_ fields: FieldReader) -> Double? {
    guard let node = fields.required("tolerance") else { return nil }
    guard case .number(let number) = node.value else {
      fields.wrongType("tolerance", "a number", node)
      return nil
    }
    if number >= 0 { return number }
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
    guard case .number(let number) = node.value else {
      expectation.error("'expected.\(expectedKey)' must be a number, not \(node.kind)", at: node)
      return
    }
    guard let range, !range.contains(number) else { return }
    expectation.error(
      "\(Self.text(number)) is outside the range of the suite, \(Self.text(range))",
      at: node
    )
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let wanted = testCase.expected[expectedKey]?.number ?? 0
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason)
    case .success(let value):
      guard let given = value.number else {
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
      // Differences of decimals have rounding errors. For example, 0.3 must count as within 0.1 of
      // 0.2.
      let error = given - wanted
      let slack = 1e-12 * max(1, given.magnitude, wanted.magnitude)
      let isNear = error.magnitude <= tolerance + slack
      let bound = tolerance > 0 ? " within \(Self.text(tolerance))" : ""
      return Score(
        isNear ? .passed : .failed,
        explanation: "expected \(Self.text(wanted))\(bound), got \(Self.text(given))",
        measurements: [
          "wanted": .number(wanted), "given": .number(given), "error": .number(error),
          "absolute-error": .number(error.magnitude),
        ]
      )
    }
  }

  private static func text(_ number: Double) -> String { JSONWriter.number(number) }

  private static func text(_ range: ClosedRange<Double>) -> String {
    "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }
}
