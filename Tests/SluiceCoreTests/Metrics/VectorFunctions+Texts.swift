@testable import SluiceCore
import TestSupport

extension VectorFunctions {
  /// All functions, for numbers, labels and texts.
  static let all = statistics.merging(labels) { first, _ in first }
    .merging(texts) { first, _ in first }

  /// The functions whose vectors contain 0 for undefined results.
  static let havingZeroForUndefined: Set<String> = [
    "mcc", "f_beta", "f1_averages", "precision_recall_per_class",
  ]

  // MARK: Labels

  private static let labels: [String: Function] = [
    "precision_recall_per_class": {
      let counts = try labelCounts($0)
      func each(_ statistic: MetricDefinition.ClassStatistic) -> JSONValue {
        .array(counts.labels.map { JSONValue(counts.estimate(statistic, of: $0).value) })
      }
      let confusion = counts.labels.map { expected in
        counts.labels.map { Double(counts.count(expected: expected, predicted: $0)) }
      }
      return [
        "labels": .array(counts.labels.map(JSONValue.string)),
        "precision": each(.precision), "recall": each(.recall), "f1": each(.f1),
        "support": .array(confusion.map { .number($0.reduce(0, +)) }),
        "confusion_rows_gold": .array(confusion.map { .array($0.map(JSONValue.number)) }),
      ]
    },
    "f1_averages": {
      let counts = try labelCounts($0)
      return [
        "macro": JSONValue(counts.f1(.macro)),
        "micro": JSONValue(counts.f1(.micro)),
        "weighted": JSONValue(counts.f1(.weighted)),
      ]
    },
    "f_beta": {
      let positive = $0.values["positive"] ?? .null
      let beta = $0.values["beta"]?.number ?? 1
      return JSONValue(
        try labelCounts($0).fBeta(beta, of: positive.string ?? positive.jsonText)
      )
    },
    "balanced_accuracy": { JSONValue(try labelCounts($0).balancedAccuracy) },
    "mcc": { JSONValue(try labelCounts($0).matthewsCorrelation) },
  ]

  private static func labelCounts(_ arguments: VectorArguments) throws -> LabelCounts {
    let (gold, predicted) = (try arguments.labels("gold"), try arguments.labels("predicted"))
    guard gold.count == predicted.count else { throw VectorArguments.Problem(name: "predicted") }
    return LabelCounts(zip(gold, predicted).map { ($0, $1) })
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
