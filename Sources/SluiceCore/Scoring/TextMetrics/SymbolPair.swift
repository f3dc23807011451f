import SluiceSupport

/// Two lists of symbols, without the prefix and suffix that they share.
///
/// A symbol is a Unicode scalar, or the number of a word.
///
/// 64 symbols of one list are compared at a time with each symbol of the other. Lists with more
/// than ``limit`` pairs of symbols are rejected.
struct SymbolPair {
  /// The maximum number of pairs of symbols that are compared.
  ///
  /// It allows two lists of 40,000 symbols, which take some tenths of a second. A list of a million
  /// symbols can be compared with a list of 1,600.
  static let limit = 1_600_000_000

  /// The total length of the prefix and the suffix that both lists share.
  private let shared: Int
  /// The shorter list.
  ///
  /// Each symbol is represented by its number, from 1.
  private let pattern: [Int]
  /// The longer list, in which each symbol has the same number as in the shorter list.
  ///
  /// 0 represents a symbol that the shorter list does not contain.
  private let text: [Int]
  /// The number of distinct symbols in the shorter list.
  private let alphabet: Int

  /// Prepares two lists.
  ///
  /// - Throws: ``TextTooLong`` if the comparison would take too long.
  init(_ first: [UInt32], _ second: [UInt32], counting unit: TextTooLong.Unit)
    throws(TextTooLong)
  {
    let shorter = min(first.count, second.count)
    var (start, end) = (0, 0)
    while start < shorter, first[start] == second[start] { start += 1 }
    while end < shorter - start, first[first.count - 1 - end] == second[second.count - 1 - end] {
      end += 1
    }
    let one = first[start..<(first.count - end)]
    let other = second[start..<(second.count - end)]
    let (pairs, overflow) = one.count.multipliedReportingOverflow(by: other.count)
    if overflow || pairs > Self.limit {
      throw TextTooLong(first: first.count, second: second.count, unit: unit)
    }
    shared = start + end
    var numbers: [UInt32: Int] = [:]
    pattern = (one.count <= other.count ? one : other).map { symbol in
      if let known = numbers[symbol] { return known }
      numbers[symbol] = numbers.count + 1
      return numbers.count
    }
    text = (one.count <= other.count ? other : one).map { numbers[$0] ?? 0 }
    alphabet = numbers.count
  }

  /// The number of insertions, deletions and replacements that turn one list into the other
  /// (Levenshtein 1966).
  ///
  /// It is computed by the bit-parallel algorithm of Myers (1999), in the form of Hyyrö (2003).
  var editDistance: Int {
    // The differences between neighbors in the row of the distance table that was computed last.
    var horizontal = [Int8](repeating: 1, count: text.count)
    forEachBlock { masks, last in
      var (rising, falling) = (UInt64.max, UInt64(0))
      for (column, symbol) in text.enumerated() {
        let carry = horizontal[column]
        let fell: UInt64 = carry < 0 ? 1 : 0
        let match = masks[symbol]
        let vertical = match | falling
        let start = match | fell
        let diagonal = (((start & rising) &+ rising) ^ rising) | start
        var up = falling | ~(diagonal | rising)
        var down = rising & diagonal
        horizontal[column] = up & last != 0 ? 1 : down & last != 0 ? -1 : 0
        up = up << 1 | (carry > 0 ? 1 : 0)
        down = down << 1 | fell
        rising = down | ~(vertical | up)
        falling = up & vertical
      }
    }
    return pattern.count + horizontal.reduce(0) { $0 + Int($1) }
  }

  /// The length of the longest common subsequence (Hyyrö 2004, "Bit-parallel LCS-length computation
  /// revisited").
  var commonSubsequence: Int {
    var carries = [Bool](repeating: false, count: text.count)
    var common = shared
    forEachBlock { masks, last in
      // A cleared bit marks a symbol at which the subsequence becomes longer.
      var row = UInt64.max
      for (column, symbol) in text.enumerated() {
        let match = row & masks[symbol]
        let (sum, overflow) = row.addingReportingOverflow(match)
        let (carried, carryOverflow) = sum.addingReportingOverflow(carries[column] ? 1 : 0)
        carries[column] = overflow || carryOverflow
        row = carried | (row & ~masks[symbol])
      }
      common += (~row & (last | (last - 1))).nonzeroBitCount
    }
    return common
  }

  /// Calls a closure for each block of 64 symbols of the pattern.
  ///
  /// The closure receives a bit mask of the positions of each symbol, and a mask of the block's
  /// last position.
  private func forEachBlock(_ body: (_ masks: [UInt64], _ last: UInt64) -> Void) {
    var masks = [UInt64](repeating: 0, count: alphabet + 1)
    for start in stride(from: 0, to: pattern.count, by: 64) {
      let block = pattern[start..<min(start + 64, pattern.count)]
      for (place, symbol) in block.enumerated() { masks[symbol] |= 1 << UInt64(place) }
      body(masks, 1 << UInt64(block.count - 1))
      for symbol in block { masks[symbol] = 0 }
    }
  }
}

extension String {
  /// The Unicode scalars as numbers.
  var scalarValues: [UInt32] { unicodeScalars.map { $0.value } }
}
