import SluiceSupport
import SluiceSystem

/// The overlap of word n-grams between a text and references (Papineni, Roukos, Ward & Zhu 2002).
///
/// The scores equal those of sacreBLEU with n-grams of up to four words, tokenizer 13a and
/// exponential smoothing (Chen & Cherry 2014).
package enum BLEU {
  private static let order = 4

  /// Returns the score of a text.
  ///
  /// N-grams that are longer than the text do not count.
  ///
  /// - Parameters:
  ///   - candidate: The text to score.
  ///   - references: The reference texts; at least one.
  /// - Returns: The score, from 0 to 100.
  package static func sentence(_ candidate: String, against references: [String]) -> Double {
    score(Counts(candidate, references), usesEffectiveOrder: true)
  }

  /// Returns the score of several texts, computed from the n-gram counts of all texts together.
  ///
  /// - Parameters:
  ///   - candidates: The texts to score.
  ///   - references: The references of each text, in the same order; at least one for each.
  /// - Returns: The score, from 0 to 100; 0 if no text has four words.
  package static func corpus(_ candidates: [String], against references: [[String]]) -> Double {
    precondition(candidates.count == references.count, "each text needs a list of references")
    var sum = Counts()
    for (candidate, references) in zip(candidates, references) {
      sum.add(Counts(candidate, references))
    }
    return score(sum, usesEffectiveOrder: false)
  }

  private struct Counts {
    var length = 0
    var referenceLength = 0
    var matches = [Int](repeating: 0, count: order)
    var totals = [Int](repeating: 0, count: order)

    init() {}

    init(_ candidate: String, _ references: [String]) {
      precondition(!references.isEmpty, "there must be at least one reference")
      var numbers = WordNumbers()
      let candidate = numbers.number(BLEUTokenizer.words(candidate))
      let references = references.map { numbers.number(BLEUTokenizer.words($0)) }
      var overlap = NGramOverlap(order: order)
      for reference in references { overlap.add(reference) }
      length = candidate.count
      // The reference length that is nearest to the text's length. If two are equally near, the
      // shorter one counts.
      referenceLength =
        references.map(\.count)
        .min { (abs($0 - candidate.count), $0) < (abs($1 - candidate.count), $1) } ?? 0
      matches = overlap.matches(in: candidate)
      totals = NGramOverlap.totals(of: candidate.count, order: order)
    }

    mutating func add(_ other: Counts) {
      length += other.length
      referenceLength += other.referenceLength
      for place in 0..<order {
        matches[place] += other.matches[place]
        totals[place] += other.totals[place]
      }
    }
  }

  private static func score(_ counts: Counts, usesEffectiveOrder: Bool) -> Double {
    guard counts.matches.contains(where: { $0 > 0 }) else { return 0 }
    let used = counts.totals.prefix { $0 > 0 }.count
    // If no text has n-grams of a length, there is no precision for this length.
    guard used == order || usesEffectiveOrder else { return 0 }
    var smoothing = 1.0
    var logarithms = 0.0
    for place in 0..<used {
      let total = Double(counts.totals[place])
      if counts.matches[place] > 0 {
        logarithms += log(Double(counts.matches[place]) / total)
      } else {
        smoothing *= 2
        logarithms += log(1 / (smoothing * total))
      }
    }
    let brevity =
      counts.length < counts.referenceLength
      ? 1 - Double(counts.referenceLength) / Double(counts.length) : 0
    return 100 * exp(brevity + logarithms / Double(used))
  }
}
