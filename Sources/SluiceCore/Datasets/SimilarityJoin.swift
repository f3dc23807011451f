import SluiceSupport
import SluiceSystem

/// A search for pairs of shingle sets that have much weight in common.
///
/// The similarity of two sets is the weight of their intersection divided by the weight of their
/// union (weighted Jaccard index). If *f* of *N* sets contain a shingle, its weight is
/// ln(1 + *N*/*f*). Common shingles weigh little, as in the inverse document frequency (Spärck
/// Jones 1972).
///
/// The shingles of a set are sorted, the rarest first. The set's prefix ends where all remaining
/// shingles together weigh less than the threshold times the weight of the set. Two similar sets
/// therefore share a shingle of their prefixes (Chaudhuri, Ganti & Kaushik 2006, "A primitive
/// operator for similarity joins in data cleaning"). Only the prefixes are indexed, so most pairs
/// are never compared.
struct SimilarityJoin {
  private let threshold: Double
  /// The weights of the shingles that more than one set contains, the rarest first.
  private let weights: [Double]
  /// The weight of each set.
  private var totals: [Double] = []
  /// The shingles of all sets as indices into `weights`, ascending within each set.
  private var ranks: [UInt32] = []
  /// The index in ``ranks`` at which each set starts, followed by the end of the last set.
  private var starts = [0]
  /// For each set, the index in ``ranks`` after its prefix of rare shingles.
  ///
  /// Only the prefix is indexed.
  private var prefixEnds: [Int] = []
  /// The last rare shingle of each set.
  private var lastRanks: [UInt32] = []

  init(_ sets: ShingleSets, threshold: Double) {
    self.threshold = threshold
    let byFrequency = Self.weights(of: sets.count)
    let rarestFirst = Self.shared(of: sets)
    weights = rarestFirst.map { byFrequency[Int(sets.frequencies[Int($0)])] }
    var rankOf = [UInt32](repeating: 0, count: ShingleSets.range)
    for (rank, shingle) in rarestFirst.enumerated() { rankOf[Int(shingle)] = UInt32(rank) }
    for set in 0..<sets.count {
      var total = 0.0
      for shingle in sets.shingles[sets.starts[set]..<sets.starts[set + 1]] {
        let frequency = sets.frequencies[Int(shingle)]
        total += byFrequency[Int(frequency)]
        // A shingle that only one set contains can only reduce similarity.
        if frequency > 1 { ranks.append(rankOf[Int(shingle)]) }
      }
      ranks[starts[set]...].sort()
      starts.append(ranks.count)
      totals.append(total)
      let end = prefixEnd(of: set)
      prefixEnds.append(end)
      lastRanks.append(end > starts[set] ? ranks[end - 1] : 0)
    }
  }

  /// Returns the shingles that more than one set contains, the rarest first.
  private static func shared(of sets: ShingleSets) -> [UInt32] {
    let frequencies = sets.frequencies
    return sets.different.filter { frequencies[Int($0)] > 1 }
      .sorted { (frequencies[Int($0)], $0) < (frequencies[Int($1)], $1) }
  }

  /// Returns the weights of shingles that 0, 1, 2 … of `count` sets contain.
  private static func weights(of count: Int) -> [Double] {
    (0...count).map { $0 == 0 ? 0 : log1p(Double(count) / Double($0)) }
  }

  private func prefixEnd(of set: Int) -> Int {
    var end = starts[set + 1]
    var rest = 0.0
    while end > starts[set] {
      rest += weights[Int(ranks[end - 1])]
      // Allows for rounding. One shingle too many costs little, but one too few could miss a pair.
      if rest >= threshold * totals[set] * (1 - 1e-9) { break }
      end -= 1
    }
    return end
  }

  // MARK: Matching

  /// The number of comparisons after which a set that has a match is compared only with sets that
  /// have none.
  private static let enough = 32

  /// Finds the most similar earlier set for each set.
  ///
  /// A set that is similar to very many others is compared with only some of them, which limits the
  /// time.
  ///
  /// - Parameter isWanted: Returns true if a pair of sets counts. Receives the earlier set first.
  /// - Returns: The pairs in the order of their later sets. `isMatched` is true for each set that
  ///   is similar to another set.
  func pairs(where isWanted: (Int, Int) -> Bool) -> (
    pairs: [NearDuplicates.Pair], isMatched: [Bool]
  ) {
    var pairs: [NearDuplicates.Pair] = []
    var isMatched = [Bool](repeating: false, count: totals.count)
    var index = RankIndex(self)
    for later in totals.indices {
      let prefix = ranks[starts[later]..<prefixEnds[later]]
      var best: NearDuplicates.Pair?
      var compared = 0
      index.forEachSharing(prefix, weights) { earlier, shared in
        if compared >= Self.enough, best != nil, isMatched[earlier] { return }
        guard canMatch(earlier, later, sharing: shared), isWanted(earlier, later) else { return }
        compared += 1
        let similarity = similarity(earlier, later)
        guard similarity >= threshold else { return }
        isMatched[earlier] = true
        if similarity > best?.similarity ?? 0 {
          best = NearDuplicates.Pair(earlier: earlier, later: later, similarity: similarity)
        }
      }
      if let best {
        isMatched[later] = true
        pairs.append(best)
      }
      index.insert(later, under: prefix)
    }
    return (pairs, isMatched)
  }

  /// Returns true if two sets may be similar enough, given the weight of the rare shingles that
  /// they share.
  private func canMatch(_ first: Int, _ second: Int, sharing weight: Double) -> Bool {
    let (left, right) = (totals[first], totals[second])
    let needed = threshold / (1 + threshold) * (left + right) * (1 - 1e-9)
    if weight + threshold * max(left, right) < needed { return false }
    // A shared shingle that is not rare in both sets comes after the end of the shorter prefix.
    let rest = lastRanks[first] < lastRanks[second] ? left : right
    return weight + threshold * rest >= needed
  }

  private func similarity(_ first: Int, _ second: Int) -> Double {
    var (left, right) = (starts[first], starts[second])
    let (leftEnd, rightEnd) = (starts[first + 1], starts[second + 1])
    var both = 0.0
    while left < leftEnd, right < rightEnd {
      let (leftRank, rightRank) = (ranks[left], ranks[right])
      if leftRank == rightRank { both += weights[Int(leftRank)] }
      if leftRank <= rightRank { left += 1 }
      if rightRank <= leftRank { right += 1 }
    }
    let either = totals[first] + totals[second] - both
    return min(1, both / either)
  }

  /// An index of sets by their rare shingles.
  private struct RankIndex {
    private var sets: [UInt32]
    private var starts: [Int]
    private var ends: [Int]
    /// The weight that each set shares with the set of the current lookup; 0 between lookups.
    private var shared: [Double]
    /// The sets whose weight in ``shared`` is not 0.
    private var sharing: [UInt32]

    init(_ join: SimilarityJoin) {
      starts = [Int](repeating: 0, count: join.weights.count)
      for set in join.totals.indices {
        for rank in join.ranks[join.starts[set]..<join.prefixEnds[set]] { starts[Int(rank)] += 1 }
      }
      var place = 0
      for rank in starts.indices {
        (starts[rank], place) = (place, place + starts[rank])
      }
      ends = starts
      sets = [UInt32](repeating: 0, count: place)
      shared = [Double](repeating: 0, count: join.totals.count)
      sharing = [UInt32](repeating: 0, count: join.totals.count)
    }

    /// Calls a closure for each set that shares rare shingles with the given ones, and passes the
    /// total weight of the shared shingles.
    mutating func forEachSharing(
      _ ranks: ArraySlice<UInt32>,
      _ weights: [Double],
      _ body: (_ set: Int, _ weight: Double) -> Void
    ) {
      var count = 0
      // This is the hot loop, with one step for each pair of sets and each shingle that they share.
      shared.withUnsafeMutableBufferPointer { shared in
        sharing.withUnsafeMutableBufferPointer { sharing in
          sets.withUnsafeBufferPointer { sets in
            for rank in ranks {
              let weight = weights[Int(rank)]
              for place in starts[Int(rank)]..<ends[Int(rank)] {
                let set = Int(sets[place])
                if shared[set] == 0 {
                  sharing[count] = UInt32(truncatingIfNeeded: set)
                  count += 1
                }
                shared[set] += weight
              }
            }
          }
        }
      }
      for place in 0..<count {
        let set = Int(sharing[place])
        let weight = shared[set]
        shared[set] = 0
        body(set, weight)
      }
    }

    mutating func insert(_ set: Int, under ranks: ArraySlice<UInt32>) {
      for rank in ranks {
        sets[ends[Int(rank)]] = UInt32(set)
        ends[Int(rank)] += 1
      }
    }
  }
}
