import SluiceSupport

/// Counts the n-grams that a list of symbols has in common with one list or several others.
///
/// The n-grams of the others stand in a tree, so the time is linear in all lengths.
struct NGramOverlap {
  private let order: Int
  /// The node that a symbol leads to from a node.
  private var children: [UInt64: Int] = [:]
  /// How often one of the others has the n-gram of each node at most.
  private var limits = [0]

  /// Creates the overlap of n-grams.
  ///
  /// - Parameter order: The length of the longest n-grams; at least 1.
  init(order: Int) { self.order = order }

  private static func key(_ node: Int, _ symbol: UInt32) -> UInt64 {
    UInt64(node) << 32 | UInt64(symbol)
  }

  /// Adds a list; of several an n-gram counts as often as the list has it that has most of it.
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

  /// How many n-grams of each length, from 1, a list has in common with the others, each at most as
  /// often as they have it.
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

  /// How many n-grams of each length, from 1, a list of so many symbols has.
  static func totals(of count: Int, order: Int) -> [Int] {
    (0..<order).map { max(0, count - $0) }
  }
}

/// Gives words numbers: the same one to those that are the same scalars.
struct WordNumbers {
  private var numbers: [ArraySlice<UInt32>: UInt32] = [:]

  /// The numbers of words.
  mutating func number(_ words: [ArraySlice<UInt32>]) -> [UInt32] {
    words.map { word in
      if let known = numbers[word] { return known }
      let number = UInt32(numbers.count)
      numbers[word] = number
      return number
    }
  }
}
