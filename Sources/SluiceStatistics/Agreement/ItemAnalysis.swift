/// The passes and failures of several test takers on the items of a test, analyzed by classical
/// test theory (Lord & Novick 1968, "Statistical theories of mental test scores").
package struct ItemAnalysis: Sendable {
  /// The results of an item as bits, one per taker.
  private struct Item: Hashable {
    var passed: [UInt64]
    var answered: [UInt64]
  }

  private let items: [Item]
  /// For each taker, the number of passed items and the number of answered items.
  private let totals: [(passed: Int, answered: Int)]

  /// Creates an analysis.
  ///
  /// - Parameter results: For each item, the results of all takers in the same order: true for a
  ///   pass, nil if the taker did not answer the item.
  package init(_ results: [[Bool?]]) {
    let takers = results.first?.count ?? 0
    precondition(results.allSatisfy { $0.count == takers }, "all items have the same takers")
    var totals = [(passed: Int, answered: Int)](repeating: (0, 0), count: takers)
    items = results.map { row in
      let words = (takers + 63) / 64
      var item = Item(
        passed: [UInt64](repeating: 0, count: words),
        answered: [UInt64](repeating: 0, count: words)
      )
      for (taker, result) in row.enumerated() {
        guard let result else { continue }
        let bit = UInt64(1) << UInt64(taker % 64)
        item.answered[taker / 64] |= bit
        totals[taker].answered += 1
        if result {
          item.passed[taker / 64] |= bit
          totals[taker].passed += 1
        }
      }
      return item
    }
    self.totals = totals
  }

  private func result(_ item: Item, _ taker: Int) -> Bool? {
    let (word, bit) = (taker / 64, UInt64(1) << UInt64(taker % 64))
    return item.answered[word] & bit == 0 ? nil : item.passed[word] & bit != 0
  }

  /// Returns the difficulty index of an item: the share of takers that pass it, 1 for the easiest
  /// (Lord & Novick 1968, section 15.2).
  ///
  /// - Parameter item: The index of the item.
  /// - Returns: The share, or nil if no taker answered it.
  package func difficulty(_ item: Int) -> Double? {
    let answered = Self.count(items[item].answered)
    return answered > 0 ? Double(Self.count(items[item].passed)) / Double(answered) : nil
  }

  /// Returns the corrected item-total correlation of an item (Henrysson 1963, "Correction of
  /// item-total correlations in item analysis").
  ///
  /// This is the correlation between a taker's result on the item and the share of the other items
  /// that the taker passes.
  ///
  /// - Parameter item: The index of the item.
  /// - Returns: The correlation from -1 to 1. Nil if all takers have the same result on the item,
  ///   or pass the same share of the other items.
  package func discrimination(_ item: Int) -> Double? {
    var (results, rests): ([Double], [Double]) = ([], [])
    for (taker, total) in totals.enumerated() where total.answered > 1 {
      guard let passed = result(items[item], taker) else { continue }
      results.append(passed ? 1 : 0)
      rests.append(Double(total.passed - (passed ? 1 : 0)) / Double(total.answered - 1))
    }
    return results.count > 1 ? Correlation.pearson(results, rests) : nil
  }

  /// Returns the correlation of two items over the takers that answered both: the phi coefficient
  /// (Yule 1912, "On the methods of measuring association between two attributes").
  ///
  /// - Parameters:
  ///   - first: The index of an item.
  ///   - second: The index of another item.
  /// - Returns: The correlation from -1 to 1, or nil if all of these takers have the same result on
  ///   `first` or on `second`.
  package func correlation(_ first: Int, _ second: Int) -> Double? {
    Self.phi(items[first], items[second])?.value
  }

  private static func phi(_ first: Item, _ second: Item) -> (value: Double, takers: Int)? {
    var (n, a, b, both) = (0, 0, 0, 0)
    for word in first.answered.indices {
      let common = first.answered[word] & second.answered[word]
      n += common.nonzeroBitCount
      a += (first.passed[word] & common).nonzeroBitCount
      b += (second.passed[word] & common).nonzeroBitCount
      both += (first.passed[word] & second.passed[word]).nonzeroBitCount
    }
    guard a > 0, a < n, b > 0, b < n else { return nil }
    let spread = Double(a) * Double(n - a) * Double(b) * Double(n - b)
    return (Double(n * both - a * b) / spread.squareRoot(), n)
  }

  /// Returns groups of redundant items.
  ///
  /// In a group, each item has a correlation above a limit with at least one other item.
  ///
  /// An item that all takers pass, or all takers fail, is in no group, because its correlations are
  /// undefined.
  ///
  /// - Parameters:
  ///   - limit: The correlation above which two items are redundant.
  ///   - takers: The minimum number of takers that answered both items.
  /// - Returns: The groups of two or more item indices, the largest first.
  package func redundantGroups(above limit: Double = 0.95, takers: Int) -> [[Int]] {
    // Items with identical results form one entry, so they are compared with other items only once.
    var alike: [Item: [Int]] = [:]
    for (place, item) in items.enumerated() where Self.count(item.answered) >= takers {
      let passed = Self.count(item.passed)
      if passed > 0, passed < Self.count(item.answered) { alike[item, default: []].append(place) }
    }
    let groups = alike.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }
    var root = Array(groups.indices)
    func find(_ place: Int) -> Int {
      var place = place
      while root[place] != place { place = root[place] }
      return place
    }
    let sizes = groups.map {
      (passed: Self.count($0.key.passed), taken: Self.count($0.key.answered))
    }
    for second in groups.indices {
      for first in 0..<second
      where Self.canReach(limit, sizes[first], sizes[second], of: totals.count) {
        guard let phi = Self.phi(groups[first].key, groups[second].key), phi.takers >= takers,
          phi.value > limit
        else { continue }
        let (one, other) = (find(first), find(second))
        root[max(one, other)] = min(one, other)
      }
    }
    var joined: [Int: [Int]] = [:]
    for place in groups.indices { joined[find(place), default: []] += groups[place].value }
    return joined.values.filter { $0.count > 1 }.map { $0.sorted() }
      .sorted { ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0) }
  }

  /// Returns false if the correlation (phi) of two items cannot exceed a limit, because their pass
  /// rates differ too much.
  ///
  /// Returns true without a check if a taker did not answer both items.
  private static func canReach(
    _ limit: Double,
    _ first: (passed: Int, taken: Int),
    _ second: (passed: Int, taken: Int),
    of takers: Int
  ) -> Bool {
    guard first.taken == takers, second.taken == takers else { return true }
    let (a, b) = (
      Double(min(first.passed, second.passed)), Double(max(first.passed, second.passed))
    )
    let n = Double(takers)
    return (a * (n - b) / (b * (n - a))).squareRoot() > limit
  }

  private static func count(_ bits: [UInt64]) -> Int {
    bits.reduce(0) { $0 + $1.nonzeroBitCount }
  }
}
