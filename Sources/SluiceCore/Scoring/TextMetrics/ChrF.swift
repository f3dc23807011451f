import SluiceSupport

/// The overlap of character n-grams between a text and references (Popović 2015).
///
/// The scores equal those of chrF2 in sacreBLEU. N-grams have up to six characters, without white
/// space, and recall weighs twice as much as precision.
package enum ChrF {
  private static let order = 6
  private static let beta = 2.0

  /// Returns the score of a text, compared with the most similar reference.
  ///
  /// - Parameters:
  ///   - candidate: The text to score.
  ///   - references: The reference texts; at least one.
  /// - Returns: The score, from 0 to 100.
  package static func sentence(_ candidate: String, against references: [String]) -> Double {
    Counts(candidate, references).score
  }

  /// Returns the score of several texts, computed from the n-gram counts of all texts together.
  ///
  /// - Parameters:
  ///   - candidates: The texts to score.
  ///   - references: The references of each text, in the same order; at least one for each.
  /// - Returns: The score, from 0 to 100.
  package static func corpus(_ candidates: [String], against references: [[String]]) -> Double {
    precondition(candidates.count == references.count, "each text needs a list of references")
    var sum = Counts()
    for (candidate, references) in zip(candidates, references) {
      sum.add(Counts(candidate, references))
    }
    return sum.score
  }

  private struct Counts {
    var matches = [Int](repeating: 0, count: order)
    var candidate = [Int](repeating: 0, count: order)
    var reference = [Int](repeating: 0, count: order)

    init() {}

    /// Creates the counts for the reference that gives the highest score.
    ///
    /// If several references give that score, the first one counts.
    init(_ candidate: String, _ references: [String]) {
      precondition(!references.isEmpty, "there must be at least one reference")
      let candidate = ChrF.characters(candidate)
      var best = -1.0
      for reference in references {
        let counts = Counts(candidate, ChrF.characters(reference))
        if counts.score > best { (self, best) = (counts, counts.score) }
      }
    }

    private init(_ candidate: [UInt32], _ reference: [UInt32]) {
      var overlap = NGramOverlap(order: order)
      overlap.add(reference)
      matches = overlap.matches(in: candidate)
      self.reference = NGramOverlap.totals(of: reference.count, order: order)
      // N-grams that are longer than the reference do not lower the score of the text.
      self.candidate = zip(NGramOverlap.totals(of: candidate.count, order: order), self.reference)
        .map { $1 > 0 ? $0 : 0 }
    }

    mutating func add(_ other: Counts) {
      for place in 0..<order {
        matches[place] += other.matches[place]
        candidate[place] += other.candidate[place]
        reference[place] += other.reference[place]
      }
    }

    var score: Double {
      var (precision, recall, used) = (0.0, 0.0, 0.0)
      for place in 0..<order where candidate[place] > 0 && reference[place] > 0 {
        precision += Double(matches[place]) / Double(candidate[place])
        recall += Double(matches[place]) / Double(reference[place])
        used += 1
      }
      guard precision + recall > 0 else { return 0 }
      let weight = beta * beta
      return 100 * (1 + weight) * precision * recall / ((weight * precision + recall) * used)
    }
  }

  private static func characters(_ text: String) -> [UInt32] {
    text.scalarValues.filter { !$0.isSplittingSpace }
  }
}
