/// The permutation test on paired differences (Fisher 1935): if nothing changed, either sign of
/// each difference is equally likely.
package struct SignFlip: Hashable, Sendable {
  /// The p-value of a mean at least as far from 0 as the observed one: twice the smaller one-sided
  /// p-value, at most 1.
  package let twoSided: Double
  /// The p-value of a mean at least as high as the observed one.
  package let greater: Double
  /// The p-value of a mean at most as high as the observed one.
  package let less: Double
  /// True if all sign assignments were enumerated; false if a random sample was drawn.
  package let isExact: Bool

  /// The largest number of nonzero differences for which all sign assignments are enumerated.
  package static let exactLimit = 20

  /// Tests paired differences; nil if there are none.
  ///
  /// Zeros have no sign to flip, and do not affect the p-values.
  ///
  /// - Parameters:
  ///   - differences: Candidate minus baseline, case by case.
  ///   - seed: The seed for drawing sign assignments, if there are too many to enumerate.
  ///   - draws: The number of assignments to draw, at least 1. The observed assignment counts as
  ///     one more (Phipson & Smyth 2010), so that no p-value is 0.
  package init?(_ differences: [Double], seed: UInt64 = 0, draws: Int = 10_000) {
    precondition(draws > 0, "there must be at least one draw")
    guard !differences.isEmpty else { return nil }
    let sizes = differences.filter { $0 != 0 }
    let observed = sizes.reduce(0, +)
    // Sums that differ from the observed one only by the order of adding count as equal.
    let tolerance = 1e-12 * sizes.reduce(0) { $0 + abs($1) }
    isExact = sizes.count <= Self.exactLimit
    if isExact {
      let half = sizes.count / 2
      let left = Self.sums(sizes[..<half])
      let right = Self.sums(sizes[half...])
      let all = Double(left.count) * Double(right.count)
      let below = Self.pairs(left, right, upTo: observed + tolerance)
      // By symmetry, as many sums are at least the observed sum as are at most its negative.
      let above = Self.pairs(left, right, upTo: -observed + tolerance)
      less = Double(below) / all
      greater = Double(above) / all
    } else {
      var generator = SeededGenerator(seed: seed)
      var (below, above) = (1, 1)
      for _ in 0..<draws {
        var (sum, bits) = (0.0, UInt64(0))
        for (index, size) in sizes.enumerated() {
          if index % 64 == 0 { bits = generator.next() }
          sum += bits & 1 == 0 ? size : -size
          bits >>= 1
        }
        if sum <= observed + tolerance { below += 1 }
        if sum >= observed - tolerance { above += 1 }
      }
      less = Double(below) / Double(draws + 1)
      greater = Double(above) / Double(draws + 1)
    }
    twoSided = min(1, 2 * min(less, greater))
  }

  /// Returns the sums of all sign assignments, sorted.
  private static func sums(_ sizes: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for size in sizes { sums = sums.map { $0 - size } + sums.map { $0 + size } }
    return sums.sorted()
  }

  /// Returns the number of pairs, one number from each list, that have a sum of at most `bound`.
  private static func pairs(_ left: [Double], _ right: [Double], upTo bound: Double) -> Int {
    var count = 0
    var place = right.count
    for number in left {
      while place > 0, number + right[place - 1] > bound { place -= 1 }
      count += place
    }
    return count
  }
}
