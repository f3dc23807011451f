import SluiceSupport

/// Two lists of symbols without what they begin and end with alike, compared 64 symbols at a time.
///
/// A symbol is a Unicode scalar, or the number of a word. The work is one step for each symbol of the
/// one and each 64 symbols of the other; what takes more than ``limit`` pairs of symbols is refused.
struct SymbolPair {
  /// How many pairs of symbols are compared at most: 40,000 by 40,000 are, which takes some tenths of
  /// a second; a text of a million is compared with one of up to 1,600.
  static let limit = 1_600_000_000

  /// How many symbols stand alike at both ends.
  private let shared: Int
  /// The shorter list, each symbol by its number, from 1.
  private let pattern: [Int]
  /// The longer list in the numbers of the shorter one; 0 is a symbol that the other lacks.
  private let text: [Int]
  /// How many different symbols the shorter list has.
  private let alphabet: Int

  /// Prepares two lists.
  ///
  /// - Throws: ``TextTooLong`` when the work would be too much.
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

  /// How many symbols have to be put in, left out or replaced to make one list of the other
  /// (Levenshtein 1966), by the bits of Myers (1999) in the form of Hyyrö (2003).
  var editDistance: Int {
    // The differences between neighbours in the last row of the table of distances so far.
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

  /// How many symbols both lists have in the same order, gaps allowed (Hyyrö 2004, "Bit-parallel
  /// LCS-length computation revisited").
  var commonSubsequence: Int {
    var carries = [Bool](repeating: false, count: text.count)
    var common = shared
    forEachBlock { masks, last in
      // A bit is unset where the subsequence grows with the symbol.
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

  /// Tells of each 64 symbols of the pattern the places of each symbol among them, and the last place.
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
