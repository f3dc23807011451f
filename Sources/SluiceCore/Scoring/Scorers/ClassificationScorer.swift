package import SluiceSupport

/// The scorer `classification`, which compares the label in an answer with the expected label.
///
/// An unknown label counts as no label, and makes the answer unusable. The label for abstention
/// also counts as no label, but the answer stays usable.
package struct ClassificationScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String
  private let labels: [String]
  /// The label for abstention; nil if there is none.
  private let abstention: String?
  /// The scores of all pairs of expected and predicted labels, computed in advance; empty if there
  /// are too many labels.
  ///
  /// A run has as many scores as cases, but few of them are different.
  private let known: [Score]

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let path = arguments.path(
      fields,
      fix: "if answers are JSON, add 'path: …'; if they are only the label, write 'extract: trim' "
        + "next to 'classification'"
    )
    let expectedKey = fields.requiredText("expected")
    let labels = Self.labels(fields)
    let abstainNode = fields.optional("abstain")
    abstention = fields.text(abstainNode, "abstain")
    fields.finish()
    guard let path, let expectedKey, let labels else { return nil }
    if let abstention, labels.contains(where: { $0.isIdentical(to: abstention) }) {
      arguments.diagnostics.error(
        "'\(abstention)' is one of the labels, so it cannot also mean 'unknown'",
        in: arguments.spec.file,
        at: abstainNode?.position,
        fix: "remove it from 'labels', or remove 'abstain'"
      )
      return nil
    }
    self.path = path
    self.expectedKey = expectedKey
    self.labels = labels
    let canAbstain = abstention != nil
    known =
      labels.count > Self.knownLabels
      ? []
      : labels.flatMap { expected in
        labels.map { Self.score($0, expected: expected, canAbstain: canAbstain) }
      }
  }

  /// The maximum number of labels for which scores are computed in advance.
  private static let knownLabels = 16

  /// Reads the labels; nil, with errors reported, if they are invalid.
  private static func labels(_ fields: FieldReader) -> [String]? {
    guard let node = fields.required("labels") else { return nil }
    guard case .sequence(let nodes) = node.value else {
      _ = fields.list(node, "labels")
      return nil
    }
    let labels = fields.texts(nodes, "labels").map(\.text)
    guard labels.count == nodes.count else { return nil }
    if labels.count >= 2, Set(labels).count == labels.count { return labels }
    fields.diagnostics.error(
      "'labels' must contain at least two different texts",
      in: fields.file,
      at: node.position,
      fix: repeated(labels).map { "remove one '\($0)'" }
    )
    return nil
  }

  private static func repeated(_ labels: [String]) -> String? {
    var seen: Set<String> = []
    return labels.first { !seen.insert($0).inserted }
  }

  package var traits: ScorerTraits {
    ScorerTraits(metrics: metrics, classes: labels, expectedKeys: [expectedKey])
  }

  private var metrics: [MetricDefinition] {
    [
      MetricDefinition("precision", .perClass(.precision)),
      MetricDefinition("recall", .perClass(.recall)),
      MetricDefinition("f1", .perClass(.f1)),
      MetricDefinition("micro-f1", .labels(.microF1), isDetail: true),
      MetricDefinition("weighted-f1", .labels(.weightedF1), isDetail: true),
      MetricDefinition("balanced-accuracy", .labels(.balancedAccuracy), isDetail: true),
      MetricDefinition("mcc", .labels(.matthewsCorrelation), isDetail: true),
      MetricDefinition("kappa", .labels(.kappa), isDetail: true),
      MetricDefinition("invalid-label-rate", .share(of: .init("invalid")), prefersSmall: true),
    ]
      + (abstention == nil
        ? []
        : [
          MetricDefinition(
            "abstention-rate",
            .share(of: .init(MetricDefinition.abstained)),
            prefersSmall: true
          )
        ])
  }

  package func given(_ testCase: TestCase) -> JSONObject {
    guard let expected = testCase.expected[expectedKey]?.string else { return [:] }
    return [MetricDefinition.expectedLabel: .string(expected)]
  }

  package func check(_ expectation: Expectation) {
    guard let node = expectation.required(expectedKey, by: "classification") else { return }
    guard case .string(let label) = node.value else {
      expectation.error(
        "'expected.\(expectedKey)' must be a text, not \(node.kind)",
        at: node,
        fix: ValueSource(expectation.file).quoting(node)
      )
      return
    }
    if labels.contains(where: { $0.isIdentical(to: label) }) { return }
    expectation.error(
      "'\(label)' is not one of the labels of the suite",
      at: node,
      fix: NearestName.suggestion(for: label, among: labels)
    )
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let expected = testCase.expected[expectedKey]?.string ?? ""
    switch answer.value(at: path) {
    case .failure(let unusable):
      return .unusable(unusable.reason, measurements: invalid(expected))
    case .success(let value):
      if let abstention, value.string?.isIdentical(to: abstention) == true {
        return Score(
          .failed,
          explanation: "expected \(expected), got \(abstention), which means 'unknown'",
          measurements: Self.measurements(nil, expected: expected, abstained: true)
        )
      }
      guard let label = value.string, let index = labels.firstIndex(where: label.isIdentical) else {
        return .unusable(
          "expected \(expected), got \(Excerpt.json(value)), which is not one of the labels"
            + Excerpt.difference(value.string ?? "", from: expected, isOnlyAlike: true),
          measurements: invalid(expected)
        )
      }
      guard !known.isEmpty, let row = labels.firstIndex(where: expected.isIdentical) else {
        return Self.score(label, expected: expected, canAbstain: abstention != nil)
      }
      return known[row * labels.count + index]
    }
  }

  /// Returns the measurements of an answer that contains no label.
  private func invalid(_ expected: String) -> JSONObject {
    Self.measurements(nil, expected: expected, abstained: abstention == nil ? nil : false)
  }

  /// Returns the score of an answer that contains one of the labels.
  private static func score(_ label: String, expected: String, canAbstain: Bool) -> Score {
    let isRight = label.isIdentical(to: expected)
    return Score(
      isRight ? .passed : .failed,
      explanation: isRight ? "\(label) as expected" : "expected \(expected), got \(label)",
      measurements: measurements(label, expected: expected, abstained: canAbstain ? false : nil)
    )
  }

  /// Returns the measurements of an answer.
  ///
  /// - Parameters:
  ///   - predicted: The predicted label; nil if the answer contains none.
  ///   - expected: The expected label.
  ///   - abstained: True if the answer abstains; nil if answers cannot abstain.
  /// - Returns: The measurements.
  private static func measurements(
    _ predicted: String?,
    expected: String,
    abstained: Bool?
  ) -> JSONObject {
    var measurements: JSONObject = [
      MetricDefinition.expectedLabel: .string(expected),
      MetricDefinition.predictedLabel: predicted.map(JSONValue.string) ?? .null,
      "invalid": .bool(predicted == nil && abstained != true),
    ]
    measurements.set(MetricDefinition.abstained, abstained.map(JSONValue.bool))
    return measurements
  }
}
