import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Label statistics")
struct LabelStatisticTests {
  private static let statistics: [MetricDefinition.LabelStatistic] = [
    .microF1, .weightedF1, .balancedAccuracy, .matthewsCorrelation, .kappa,
  ]

  private func evaluator(_ pairs: [(String, String?)]) -> MetricEvaluator {
    MetricEvaluator(
      StatisticsTrials.scored(
        pairs.map { expected, predicted in
          [
            [
              "expected": .string(expected), "predicted": predicted.map(JSONValue.string) ?? .null,
              "abstained": .bool(predicted == "?"),
            ]
          ]
        }
      )
    )
  }

  private func estimate(
    _ statistic: MetricDefinition.LabelStatistic,
    _ pairs: [(String, String?)]
  ) -> Estimate {
    evaluator(pairs).estimate(Metric(.scorer("s", .labels(statistic))))
  }

  /// Values of scikit-learn 1.9.1, where an invalid label is an additional label that is never
  /// expected.
  ///
  /// The functions are f1_score over the labels a, b and c, balanced_accuracy_score,
  /// matthews_corrcoef and cohen_kappa_score.
  @Test(
    "Statistics over all classes match scikit-learn",
    arguments: [
      (.microF1, 0.631_578_947_368_421), (.weightedF1, 0.628_571_428_571_428_6),
      (.balancedAccuracy, 0.583_333_333_333_333_3),
      (.matthewsCorrelation, 0.418_330_013_267_037_8), (.kappa, 0.411_764_705_882_352_9),
    ] as [(MetricDefinition.LabelStatistic, Double)]
  )
  func values(_ statistic: MetricDefinition.LabelStatistic, _ value: Double) throws {
    let pairs: [(String, String?)] = [
      ("a", "a"), ("a", "a"), ("a", "b"), ("a", "a"), ("b", "b"), ("b", "c"), ("b", nil),
      ("b", "b"), ("c", "c"), ("c", "a"),
    ]
    let estimate = estimate(statistic, pairs)
    #expect(abs(try #require(estimate.value) - value) < 1e-12)
    #expect(estimate.n == 10)
    let interval = try #require(estimate.interval)
    #expect(interval.low < value && value < interval.high)
  }

  @Test("If all expected or all predicted labels are equal, a correlation is unknown")
  func undefined() {
    let unknown = Estimate(unknown: "all labels are the same", n: 2)
    #expect(estimate(.matthewsCorrelation, [("a", "a"), ("a", "b")]) == unknown)
    #expect(estimate(.kappa, [("a", "a"), ("a", "a")]) == unknown)
    #expect(estimate(.kappa, []) == Estimate(unknown: "there is nothing to count"))
  }

  @Test("A class that was never predicted, or never expected, counts as 0 in the mean")
  func classes() {
    let evaluator = evaluator([
      ("fan", "fan"), ("fan", "fan"), ("fan", "spam"), ("fan", nil), ("spam", "spam"),
      ("spam", "fan"), ("urgent", "spam"), ("urgent", "ham"),
    ])
    func value(_ statistic: MetricDefinition.ClassStatistic, _ label: String? = nil) -> Double? {
      evaluator.estimate(Metric(.scorer("s", .perClass(statistic)), classLabel: label)).value
    }
    #expect(isClose(value(.recall, "fan"), 2.0 / 4))
    #expect(isClose(value(.precision, "fan"), 2.0 / 3))
    #expect(isClose(value(.f1, "fan"), 4.0 / 7))
    #expect(value(.precision, "urgent") == nil)
    #expect(value(.f1, "urgent") == 0)
    #expect(value(.recall, "ham") == nil)
    #expect(value(.f1, "ham") == 0)
    #expect(value(.f1, "business") == nil)
    #expect(isClose(value(.precision), (2.0 / 3 + 1.0 / 3) / 4))
    #expect(isClose(value(.recall), (1.0 / 2 + 1.0 / 2) / 4))
    #expect(isClose(value(.f1), (4.0 / 7 + 2.0 / 5) / 4))
  }

  @Test("Labels are compared by their code points")
  func codePoints() {
    let evaluator = evaluator([
      ("e\u{301}", "\u{e9}"), ("\u{e9}", "\u{e9}"), ("z", "e\u{301}"),
    ])
    let recall = Metric.Kind.scorer("s", .perClass(.recall))
    #expect(evaluator.estimate(Metric(recall, classLabel: "e\u{301}")).value == 0)
    #expect(evaluator.estimate(Metric(recall, classLabel: "\u{e9}")).value == 1)
  }

  @Test("The contribution of a case is the loss of the statistic without the case")
  func contributions() throws {
    var random = SeededGenerator(seed: 17)
    let labels = ["a", "b", "c", nil]
    for _ in 0..<20 {
      let pairs = (0..<12).map { _ in
        (
          labels[Int.random(in: 0..<3, using: &random)] ?? "",
          labels.randomElement(using: &random) ?? nil
        )
      }
      for statistic in Self.statistics {
        let metric = Metric(.scorer("s", .labels(statistic)))
        guard let whole = estimate(statistic, pairs).value else { continue }
        let contributions = evaluator(pairs).sums(metric).contributions
        #expect(contributions.count == pairs.count)
        for (place, contribution) in contributions.enumerated() {
          var rest = pairs
          rest.remove(at: place)
          let without = estimate(statistic, rest).value ?? whole
          #expect(abs(contribution.value - (12 * whole - 11 * without)) < 1e-9)
        }
      }
    }
  }

  @Test("Balanced accuracy weighs both shares equally, and each case equally within its share")
  func balance() throws {
    let trials = StatisticsTrials.scored([
      [["positive": true, "clean": false, "hit": true, "false-alarm": false]],
      [["positive": false, "clean": true, "hit": false, "false-alarm": true]],
      [["positive": false, "clean": true, "hit": false, "false-alarm": false]],
      [["positive": false, "clean": true, "hit": false, "false-alarm": false]],
    ])
    let quiet = MetricDefinition.Part("false-alarm", isNegated: true)
    let metric = Metric(
      .scorer(
        "s",
        .balance(of: [.init("hit"), quiet], among: [.init("positive"), .init("clean")])
      )
    )
    let evaluator = MetricEvaluator(trials)
    let value = try #require(evaluator.estimate(metric).value)
    #expect(abs(value - 5.0 / 6) < 1e-12)
    #expect(evaluator.estimate(metric).n == 4)
    let onlyClean = MetricEvaluator(Array(trials.dropFirst()))
    #expect(onlyClean.estimate(metric).unknown == "there is nothing to count")
  }

  @Test("Specificity counts a clean case by the share of its repeats that were not flagged")
  func specificity() {
    let trials = StatisticsTrials.scored([
      [
        ["clean": true, "false-alarm": false], ["clean": true, "false-alarm": true],
        ["clean": true, "false-alarm": false],
      ],
      [["clean": true, "false-alarm": false], ["clean": true, "false-alarm": false]],
    ])
    let quiet = MetricDefinition.Part("false-alarm", isNegated: true)
    let metric = Metric(.scorer("s", .share(of: quiet, among: [.init("clean")])))
    let rate = MetricEvaluator(trials).rate(metric)
    #expect(isClose(rate?.holding, 5.0 / 3))
    #expect(rate?.cases == 2)
  }

  @Test("A confusion matrix has a column for answers that are not a label")
  func matrix() throws {
    let scorer = try #require(ScorerSpecs.classification("[b, a]", options: ", abstain: '?'"))
    let evaluator = MetricEvaluator(
      StatisticsTrials.scored([
        [["expected": "a", "predicted": "b", "abstained": false]],
        [["expected": "a", "predicted": nil, "abstained": true]],
        [["expected": "b", "predicted": nil, "abstained": false]],
        [
          ["expected": "b", "predicted": "a", "abstained": false],
          ["expected": "b", "predicted": "b", "abstained": false],
        ],
      ])
    )
    let matrix = try #require(ConfusionMatrix.all([scorer], by: evaluator).first)
    #expect(
      JSONReport.confusion(matrix) == [
        "scorer": "s", "labels": ["b", "a"], "counts": [[1, 1], [1, 0]], "invalid": [1, 0],
        "abstained": [0, 1],
      ]
    )
    #expect(
      ConfusionText.markdown(matrix) == """
        | expected | `b` | `a` | invalid | abstained |
        | --- | --- | --- | --- | --- |
        | `b` | 1 | 1 | 1 |  |
        | `a` | 1 |  |  | 1 |

        """
    )
  }

  @Test("With many labels, only the most frequent confusions are shown")
  func manyLabels() throws {
    let labels = (10..<40).map { "l\($0)" }
    let scorer = try #require(
      ScorerSpecs.classification("[\(labels.joined(separator: ", "))]")
    )
    var pairs: [(String, String?)] = [("l12", "l13"), ("l12", "l13"), ("l20", nil), ("l10", "l10")]
    let few = try #require(ConfusionMatrix.all([scorer], by: evaluator(pairs)).first)
    #expect(
      ConfusionText.markdown(few) == """
        | expected | given | cases |
        | --- | --- | --- |
        | `l12` | `l13` | 2 |
        | `l20` | invalid | 1 |

        """
    )
    pairs = labels.dropFirst().map { ($0, "l10") }
    let many = try #require(ConfusionMatrix.all([scorer], by: evaluator(pairs)).first)
    #expect(ConfusionText.markdown(many).hasSuffix("\nand 9 more pairs, in report.json\n"))
    let right = try #require(ConfusionMatrix.all([scorer], by: evaluator([("l10", "l10")])).first)
    #expect(ConfusionText.markdown(right) == "All given labels are the expected ones.\n")
  }
}

/// Scorers that are created from YAML.
enum ScorerSpecs {
  /// Returns the classification scorer `s`, with its labels as a YAML list.
  static func classification(_ labels: String, options: String = "") -> BoundScorer? {
    scorer("- classification: {path: p, expected: e, labels: \(labels)\(options)}").map {
      BoundScorer(name: "s", type: "classification", scorer: $0, arguments: nil)
    }
  }

  private static func scorer(_ yaml: String) -> (any SuiteScorer)? {
    let file = SourceFile(path: "suite.yaml", bytes: Array(yaml.utf8))
    let diagnostics = DiagnosticCollector()
    guard case .sequence(let nodes) = YAMLReader.read(file.bytes).root?.value else { return nil }
    let specs = nodes.compactMap { ScorerSpec.read($0, file: file, diagnostics: diagnostics) }
    let files = ProjectFiles(InMemoryFileSystem([:]), diagnostics: diagnostics)
    return BoundScorer.bind(specs, files: files).first?.scorer
  }
}
