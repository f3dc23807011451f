import SampleProjects
@testable import SluiceCore
import SluiceSupport
import TestSupport

extension VectorFunctions {
  /// All functions, for numbers, labels and texts.
  static let all = statistics.merging(labels) { first, _ in first }
    .merging(texts) { first, _ in first }

  /// The functions whose vectors contain 0 for undefined results.
  static let havingZeroForUndefined: Set<String> = [
    "mcc", "f1_averages", "precision_recall_per_class",
  ]

  // MARK: Labels

  private static let labels: [String: Function] = [
    "precision_recall_per_class": {
      let (evaluator, labels) = try evaluator($0)
      func each(_ statistic: MetricDefinition.ClassStatistic) -> JSONValue {
        .array(
          labels.map { label in
            let metric = Metric(.scorer("s", .perClass(statistic)), classLabel: label)
            return JSONValue(evaluator.estimate(metric).value)
          }
        )
      }
      let list = JSONValue.array(labels.map(JSONValue.string))
      let scorer = ScorerSpecs.classification(list.jsonText)
      let matrix = scorer.flatMap { ConfusionMatrix.all([$0], by: evaluator).first }
      let counts = (matrix?.counts ?? []).map { $0.map(Double.init) }
      return [
        "labels": .array((matrix?.labels ?? []).map(JSONValue.string)),
        "precision": each(.precision), "recall": each(.recall), "f1": each(.f1),
        "support": .array(counts.map { .number($0.reduce(0, +)) }),
        "confusion_rows_gold": .array(counts.map { .array($0.map(JSONValue.number)) }),
      ]
    },
    "f1_averages": {
      [
        "macro": try value(.perClass(.f1), $0),
        "micro": try value(.labels(.microF1), $0),
        "weighted": try value(.labels(.weightedF1), $0),
      ]
    },
    "balanced_accuracy": { try value(.labels(.balancedAccuracy), $0) },
    "mcc": { try value(.labels(.matthewsCorrelation), $0) },
  ]

  /// Returns the value of a metric over all classes.
  private static func value(
    _ formula: MetricDefinition.Formula,
    _ arguments: VectorArguments
  ) throws -> JSONValue {
    JSONValue(try evaluator(arguments).0.estimate(Metric(.scorer("s", formula))).value)
  }

  /// Returns an evaluator of one case per pair of labels, and all labels, sorted by code point.
  private static func evaluator(
    _ arguments: VectorArguments
  ) throws -> (MetricEvaluator, labels: [String]) {
    let (gold, predicted) = (try arguments.labels("gold"), try arguments.labels("predicted"))
    guard gold.count == predicted.count else { throw VectorArguments.Problem(name: "predicted") }
    let trials = StatisticsTrials.scored(
      zip(gold, predicted).map { [["expected": .string($0), "predicted": .string($1)]] }
    )
    let labels = Set(gold + predicted).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return (MetricEvaluator(trials), labels)
  }

  /// Text similarities.
  static let texts: [String: Function] = [
    "levenshtein": {
      let (a, b) = (try $0.text("a"), try $0.text("b"))
      return [
        "distance": .number(Double(try Levenshtein.distance(a, b))),
        "similarity": .number(try Levenshtein.similarity(a, b)),
      ]
    },
    "indel_ratio": { .number(try IndelRatio.of(try $0.text("a"), try $0.text("b"))) },
    "rouge": { arguments in
      func json(_ variant: Rouge.Variant) throws -> JSONValue {
        let score = try Rouge.score(
          arguments.text("candidate"),
          against: arguments.text("reference"),
          variant,
          isStemmed: arguments.values["stem"] == true
        )
        return [
          "precision": .number(score.precision), "recall": .number(score.recall),
          "f1": .number(score.f1),
        ]
      }
      return [
        "rouge1": try json(.n(1)), "rouge2": try json(.n(2)), "rougeL": try json(.longest),
      ]
    },
    "bleu_sentence": {
      .number(BLEU.sentence(try $0.text("candidate"), against: try $0.texts("references")))
    },
    "bleu_corpus": {
      let candidates = try $0.texts("candidates")
      return .number(BLEU.corpus(candidates, against: try references($0, of: candidates.count)))
    },
    "chrf_sentence": {
      .number(ChrF.sentence(try $0.text("candidate"), against: try $0.texts("references")))
    },
    "chrf_corpus": {
      let candidates = try $0.texts("candidates")
      return .number(ChrF.corpus(candidates, against: try references($0, of: candidates.count)))
    },
  ]

  /// The references of each text, from lists that each contain one reference per text.
  private static func references(_ arguments: VectorArguments, of count: Int) throws -> [[String]] {
    let sets = try arguments.list("reference_sets").map { set in
      guard let texts = set.array?.compactMap(\.string), texts.count == count else {
        throw VectorArguments.Problem(name: "reference_sets")
      }
      return texts
    }
    return (0..<count).map { place in sets.map { $0[place] } }
  }
}
