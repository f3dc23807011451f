@testable import Sluice

extension VectorFunctions {
  /// How alike texts are.
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

  /// The references of each text; the vectors have lists with one reference of each text.
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
