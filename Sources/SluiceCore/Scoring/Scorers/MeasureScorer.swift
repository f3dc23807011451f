import SluiceSupport

/// The scorer `measure`, which extracts a number from each answer.
///
/// The metrics are the mean, the median, the sum, and the share of numbers above a limit.
///
/// The number is neither right nor wrong. But an answer that contains no number is unusable.
package struct MeasureScorer: SuiteScorer {
  private let path: String?
  private let expression: Expression?
  private let limit: Double?

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let before = arguments.diagnostics.count
    let node = fields.optional("expression")
    let path = node == nil ? arguments.path(fields) : fields.optionalText("path")
    let limit = fields.optionalNumber("limit")
    fields.finish()
    expression = node.flatMap { ExpressionCheck.read($0, arguments) }
    if let node, path != nil {
      arguments.diagnostics.error(
        "both 'path' and 'expression' are given",
        in: arguments.spec.file,
        at: node.position,
        fix: "keep one of the two"
      )
    }
    if arguments.diagnostics.count > before { return nil }
    self.path = path
    self.limit = limit
  }

  package var traits: ScorerTraits {
    var metrics = [
      MetricDefinition("mean", .mean(of: "value", in: .number)),
      MetricDefinition("median", .median(of: "value")),
      MetricDefinition("sum", .sum(of: "value"), isDetail: true),
    ]
    if limit != nil {
      metrics.append(MetricDefinition("share-over", .share(of: .init("over")), prefersSmall: true))
    }
    let reads = expression?.reads ?? CaseReads()
    return ScorerTraits(
      metrics: metrics,
      expectedKeys: reads.expected,
      inputKeys: reads.inputs,
      mayRead: reads,
      readsAllExpected: reads.readsAllExpected,
      readsAllInputs: reads.readsAllInputs
    )
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    if let flaw = answer.flaw { return .unusable(flaw) }
    let number: Double
    switch value(answer, testCase) {
    case .failure(let error): return error.score
    case .success(let value):
      guard let found = value.number else {
        return .unusable("expected a number, got \(Excerpt.json(value))")
      }
      number = found
    }
    var measurements: JSONObject = ["value": .number(number)]
    var explanation = JSONWriter.number(number)
    if let limit {
      measurements["over"] = .bool(number > limit)
      explanation += number > limit ? ", over " : ", not over "
      explanation += JSONWriter.number(limit)
    }
    return Score(.passed, explanation: explanation, measurements: measurements)
  }

  /// Returns the value that should be a number, or the score of the answer if there is no value.
  private func value(_ answer: Answer, _ testCase: TestCase) -> Result<JSONValue, ScoreError> {
    guard let expression else {
      return answer.value(at: path ?? "").mapError { ScoreError(score: .unusable($0.reason)) }
    }
    var evaluator = ExpressionEvaluator(expression, answer, testCase)
    do throws(ExpressionEvaluator.Fault) {
      return .success(try evaluator.value())
    } catch {
      switch error {
      case .value(let reason): return .failure(ScoreError(score: .unusable(reason)))
      case .tooExpensive:
        return .failure(
          ScoreError(score: Score(.unscored, explanation: "the expression is too expensive"))
        )
      }
    }
  }

  private struct ScoreError: Error {
    var score: Score
  }
}
