import SluiceSupport

/// The cases of a dataset that nearly duplicate a case outside of their cluster.
///
/// Near-duplicates represent one situation, but count as several unless they share a cluster. Only
/// the texts that distinguish the cases are compared: ``TextPlaces`` selects them, and
/// ``SimilarityJoin`` compares them.
package struct NearDuplicates: Sendable {
  /// A case and an earlier case that it nearly duplicates.
  package struct Pair: Hashable, Sendable {
    /// The indices of both cases.
    package var earlier: Int
    package var later: Int
    /// The similarity of the two texts, from ``threshold`` to 1 for equal texts.
    ///
    /// It is the weight of the shingles that both texts contain, divided by the weight of all
    /// shingles.
    package var similarity: Double
  }

  /// The minimum similarity of near-duplicates.
  ///
  /// The value was chosen by measurements of messages and conversations. In 1,549 cases of ten or
  /// more words, two words were replaced at random. 99.8% of the changed cases stay above the
  /// threshold when compared with the original. Cases that were written independently reach at most
  /// 0.19.
  package static let threshold = 0.45

  /// The maximum number of cases.
  package static let caseLimit = 50_000
  /// The maximum number of compared characters.
  package static let characterLimit = 20_000_000

  /// For each near-duplicate, the pair with the most similar earlier case.
  package var pairs: [Pair]
  /// The number of cases with an earlier or later near-duplicate.
  package var caseCount: Int

  /// Searches for near-duplicates; nil if the dataset exceeds the limits.
  ///
  /// - Parameters:
  ///   - cases: The cases of a dataset. Cases without any text are ignored.
  ///   - caseLimit: The maximum number of cases.
  ///   - characterLimit: The maximum number of compared characters.
  package init?(
    _ cases: [StoredCase],
    caseLimit: Int = Self.caseLimit,
    characterLimit: Int = Self.characterLimit
  ) {
    guard cases.count <= caseLimit else { return nil }
    let inputs = cases.lazy.map(\.testCase.input)
    var places = TextPlaces(inputs)
    var sets = ShingleSets()
    var characters = 0
    for input in inputs {
      let texts = places.content(of: input)
      characters += texts.reduce(0) { $0 + $1.unicodeScalars.count }
      if characters > characterLimit { return nil }
      sets.append(texts)
    }
    let join = SimilarityJoin(sets, threshold: Self.threshold)
    let (pairs, isMatched) = join.pairs { earlier, later in
      guard let cluster = cases[later].labels.cluster else { return true }
      return cases[earlier].labels.cluster != cluster
    }
    self.pairs = pairs
    caseCount = isMatched.count { $0 }
  }
}
