import Foundation
@testable import SluiceCore
@testable import SluiceStatistics
import Testing

@Suite("Similarity join")
struct SimilarityJoinTests {
  private func sets(_ texts: [[String]]) -> ShingleSets {
    var sets = ShingleSets()
    for texts in texts { sets.append(texts) }
    return sets
  }

  @Test("The similarity is the weight of the shared shingles divided by that of all shingles")
  func byHand() throws {
    // " abc" and "abc " are in two of three sets, "bc d" and "c d " in one.
    let join = SimilarityJoin(sets([["abc"], ["Abc, d."], ["xyz"]]), threshold: 0.1)
    let pair = try #require(join.pairs { _, _ in true }.pairs.first)
    let (both, one) = (2 * log(1 + 3.0 / 2), 2 * log(1 + 3.0))
    #expect((pair.earlier, pair.later) == (0, 1))
    #expect(abs(pair.similarity - both / (both + one)) < 1e-12)
  }

  @Test("Shingles do not cross the border between texts")
  func borders() {
    #expect(sets([["abc", "def"], ["def", "abc"]]).shingles.count == 8)
    #expect(sets([["abc def"]]).shingles.count == 6)
  }

  // The number of sets is small, so each set is compared with all similar sets.
  @Test(
    "The join finds the same pairs as an exhaustive comparison",
    arguments: [0.1, 0.2, 0.45],
    [1, 2, 3, 4, 5] as [UInt64]
  )
  func exhaustive(_ threshold: Double, _ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = ["ab", "cab", "bad", "fade", "deaf", "egg", "beef", "caged", "face", "a"]
    let texts = (0..<33).map { _ in
      [
        (0..<(1 + generator.uniform(below: 6))).map { _ in
          words[generator.uniform(below: words.count)]
        }.joined(separator: " ")
      ]
    }
    let sets = sets(texts)
    let members = (0..<sets.count).map {
      Set(sets.shingles[sets.starts[$0]..<sets.starts[$0 + 1]])
    }
    func weight(_ set: Set<UInt32>) -> Double {
      // The order is fixed because sums are rounded.
      set.sorted().map { shingle in
        log(1 + Double(sets.count) / Double(members.count { $0.contains(shingle) }))
      }.reduce(0, +)
    }
    let totals = members.map(weight)
    var best: [Int: Double] = [:]
    var matched: Set<Int> = []
    for later in members.indices {
      for earlier in 0..<later {
        let both = weight(members[earlier].intersection(members[later]))
        let similarity = both / (totals[earlier] + totals[later] - both)
        guard similarity >= threshold else { continue }
        matched.formUnion([earlier, later])
        best[later] = max(best[later] ?? 0, similarity)
      }
    }
    let found = SimilarityJoin(sets, threshold: threshold).pairs { _, _ in true }
    #expect(found.pairs.map(\.later) == best.keys.sorted())
    #expect(found.pairs.allSatisfy { abs($0.similarity - (best[$0.later] ?? 0)) < 1e-9 })
    #expect(found.isMatched.indices.filter { found.isMatched[$0] } == matched.sorted())
    #expect(!matched.isEmpty)
  }
}
