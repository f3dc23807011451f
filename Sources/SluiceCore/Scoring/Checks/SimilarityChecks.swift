import SluiceSupport

/// The check that the edit distance to a text does not exceed a limit.
///
/// Edits are insertions, deletions and replacements of one Unicode scalar (Levenshtein 1966).
struct LevenshteinCheck: AnswerCheck {
  private let expected: String
  private let most: Int
  let isGraded = true

  /// Reads the text and the maximum distance, `threshold`, which is 5 by default.
  init?(_ arguments: ScorerArguments) {
    guard let reading = SimilarityArguments(arguments, isCount: true) else { return nil }
    guard let expected = reading.texts.first, reading.texts.count == 1 else {
      arguments.error("'\(arguments.spec.type)' accepts only one text to compare with")
      return nil
    }
    self.expected = expected
    most = Int(reading.threshold ?? 5)
  }

  var wantedParts: Set<AnswerPart> { expected.isEmpty ? [.emptyText] : [] }

  var claim: String {
    "be at most \(most) \(most == 1 ? "edit" : "edits") away from \(Excerpt.quoted(expected))"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    let distance: Int
    do throws(TextTooLong) {
      distance = try Levenshtein.distance(answer.text, expected)
    } catch {
      throw Undecided(reason: error.description)
    }
    return Finding(
      distance <= most,
      grade: Levenshtein.similarity(answer.text, expected, distance: distance),
      detail: "\(distance) \(distance == 1 ? "edit" : "edits"), got \(Excerpt.quoted(answer.text))"
    )
  }
}

/// The check that the answer is similar enough to a text, or to at least one of several texts.
///
/// The similarity is from 0 to 1.
struct SimilarityCheck: AnswerCheck {
  enum Measure: Sendable {
    /// The F1 score of shared n-grams, or of the longest common subsequence (Lin 2004).
    case rouge(Rouge.Variant)
    /// Sentence BLEU (Papineni, Roukos, Ward & Zhu 2002), smoothed exponentially (Chen & Cherry
    /// 2014).
    case bleu
    /// The F2 score of character n-grams (Popović 2015).
    case chrf

    /// The default threshold of the measure.
    var usualThreshold: Double {
      switch self {
      case .rouge: 0.75
      case .bleu, .chrf: 0.5
      }
    }

    var name: String {
      switch self {
      case .rouge(.n(let count)): "ROUGE-\(count) F1"
      case .rouge(.longest): "ROUGE-L F1"
      case .bleu: "BLEU"
      case .chrf: "chrF"
      }
    }
  }

  private let measure: Measure
  private let references: [String]
  private let threshold: Double
  private let isStemmed: Bool
  let isGraded = true

  init?(_ arguments: ScorerArguments, _ measure: Measure) {
    guard let reading = SimilarityArguments(arguments, isCount: false) else { return nil }
    self.measure = measure
    references = reading.texts
    threshold = reading.threshold ?? measure.usualThreshold
    isStemmed = reading.isStemmed
    if isStemmed, case .rouge = measure { return }
    if isStemmed {
      arguments.error("'stem' applies only to the ROUGE measures", fix: "remove it")
      return nil
    }
  }

  var claim: String {
    let what =
      references.count == 1 ? Excerpt.quoted(references[0]) : "one of \(references.count) texts"
    return "be similar to \(what), with \(measure.name) of at least \(JSONWriter.number(threshold))"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    let similarity: Double
    do throws(TextTooLong) {
      similarity = try self.similarity(of: answer.text)
    } catch {
      throw Undecided(reason: error.description)
    }
    let shown = JSONWriter.number((similarity * 1_000).rounded() / 1_000)
    // Rounding may make a value slightly smaller than the threshold.
    return Finding(
      similarity >= threshold - 1e-12,
      grade: min(1, max(0, similarity)),
      detail: "\(shown), got \(Excerpt.quoted(answer.text))"
    )
  }

  private func similarity(of text: String) throws(TextTooLong) -> Double {
    switch measure {
    // The same text is the most similar one, even if it has no words to compare.
    case .rouge where references.contains(where: text.isIdentical): return 1
    case .rouge(let kind):
      var best = 0.0
      for reference in references {
        let score = try Rouge.score(text, against: reference, kind, isStemmed: isStemmed)
        best = max(best, score.f1)
      }
      return best
    case .bleu: return BLEU.sentence(text, against: references) / 100
    case .chrf: return ChrF.sentence(text, against: references) / 100
    }
  }
}

/// The arguments of a similarity check: texts and a threshold.
private struct SimilarityArguments {
  var texts: [String]
  var threshold: Double?
  var isStemmed = false

  /// Reads the arguments; nil, with errors reported, if they are invalid.
  ///
  /// - Parameters:
  ///   - arguments: A text, a list of texts, or a mapping with `value` and `threshold`.
  ///   - isCount: True if the threshold is an integer. False if it is a number from 0 to 1.
  init?(_ arguments: ScorerArguments, isCount: Bool) {
    let type = arguments.spec.type
    var value: Node? = arguments.spec.arguments
    let before = arguments.diagnostics.count
    if case .mapping = arguments.spec.arguments.value {
      guard let reader = arguments.fields() else { return nil }
      value = reader.required("value")
      if isCount {
        threshold = reader.optionalInteger("threshold", in: 0...1_000_000).map(Double.init)
      } else {
        threshold = reader.optionalNumber("threshold")
        isStemmed = reader.optionalBool("stem") ?? false
      }
      reader.finish()
      if let threshold, !isCount, !(0...1).contains(threshold) {
        arguments.diagnostics.error(
          "'threshold' must be between 0 and 1, not \(JSONWriter.number(threshold))",
          in: arguments.spec.file,
          at: reader.node["threshold"]?.position
        )
      }
    }
    switch value?.value {
    case .string(let text): texts = [text]
    case .sequence(let nodes) where !nodes.isEmpty: texts = arguments.texts(nodes) ?? []
    case nil: texts = []
    default:
      texts = []
      arguments.error(
        "'\(type)' needs the text to compare with",
        fix: "write '\(type): {value: …, threshold: \(isCount ? "5" : "0.75")}'"
      )
    }
    if arguments.diagnostics.count > before { return nil }
  }
}
