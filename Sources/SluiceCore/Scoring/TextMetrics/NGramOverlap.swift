import SluiceSupport

/// The n-grams that a list of symbols shares with one or more other lists.
///
/// The n-grams of the other lists are stored in a trie, so the time is linear in the lengths of all
/// lists.
struct NGramOverlap {
  private let order: Int
  /// The children of each node, by symbol.
  private var children: [UInt64: Int] = [:]
  /// For each node, the largest count of its n-gram in any one of the other lists.
  private var limits = [0]

  /// Creates an empty overlap.
  ///
  /// - Parameter order: The maximum length of n-grams; at least 1.
  init(order: Int) { self.order = order }

  private static func key(_ node: Int, _ symbol: UInt32) -> UInt64 {
    UInt64(node) << 32 | UInt64(symbol)
  }

  /// Adds a list.
  ///
  /// The limit for an n-gram is its largest count in any one of the added lists.
  mutating func add(_ symbols: [UInt32]) {
    var counts = [Int](repeating: 0, count: limits.count)
    for start in symbols.indices {
      var node = 0
      for symbol in symbols[start..<min(start + order, symbols.count)] {
        let key = Self.key(node, symbol)
        if let known = children[key] {
          node = known
        } else {
          node = limits.count
          children[key] = node
          limits.append(0)
          counts.append(0)
        }
        counts[node] += 1
      }
    }
    for node in limits.indices { limits[node] = max(limits[node], counts[node]) }
  }

  /// Returns the number of shared n-grams of each length, from 1.
  ///
  /// An n-gram counts at most as often as it occurs in any one of the added lists.
  func matches(in symbols: [UInt32]) -> [Int] {
    var left = limits
    var matches = [Int](repeating: 0, count: order)
    for start in symbols.indices {
      var node = 0
      for (length, symbol) in symbols[start..<min(start + order, symbols.count)].enumerated() {
        guard let next = children[Self.key(node, symbol)] else { break }
        node = next
        guard left[node] > 0 else { continue }
        left[node] -= 1
        matches[length] += 1
      }
    }
    return matches
  }

  /// Returns the number of n-grams of each length, from 1, for a list of a given length.
  static func totals(of count: Int, order: Int) -> [Int] {
    (0..<order).map { max(0, count - $0) }
  }
}

/// The numbers that represent words.
///
/// Words with the same scalars have the same number.
struct WordNumbers {
  private var numbers: [ArraySlice<UInt32>: UInt32] = [:]

  /// Returns the numbers of words.
  mutating func number(_ words: [ArraySlice<UInt32>]) -> [UInt32] {
    words.map { word in
      if let known = numbers[word] { return known }
      let number = UInt32(numbers.count)
      numbers[word] = number
      return number
    }
  }
}
