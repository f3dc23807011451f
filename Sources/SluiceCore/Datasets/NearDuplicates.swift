import SluiceSupport

/// The cases of a dataset that are nearly the same as another one outside of their cluster.
///
/// Cases that are nearly the same are one situation, and count as more than one unless they share a
/// cluster. What is compared are the texts of their inputs that tell cases apart (``TextPlaces``), as
/// ``SimilarityJoin`` does.
package struct NearDuplicates: Sendable {
  /// A case with an earlier one that it is nearly the same as.
  package struct Pair: Hashable, Sendable {
    /// The places of both among the cases.
    package var earlier: Int
    package var later: Int
    /// The share of their weight that both have in common, from ``threshold`` to 1.
    package var similarity: Double
  }

  /// From which similarity on two cases are nearly the same.
  ///
  /// Measured on messages and conversations: of 1,549 cases of ten words or more in which two words were
  /// replaced at random 99.8% still have it; cases that were written apart have 0.19 at most.
  package static let threshold = 0.45

  /// Up to how many cases, and characters of what is compared, are looked at.
  package static let caseLimit = 50_000
  package static let characterLimit = 20_000_000

  /// For each case that is nearly the same as an earlier one, the most similar one; in order.
  package var pairs: [Pair]
  /// How many cases are nearly the same as another one, an earlier or a later one.
  package var caseCount: Int

  /// Looks for near-duplicates; nil where there is more than the limits allow.
  ///
  /// - Parameters:
  ///   - cases: The cases of a dataset. Of those without any text nothing is said.
  ///   - caseLimit: Up to how many cases are looked at.
  ///   - characterLimit: Up to how many characters of what is compared.
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
