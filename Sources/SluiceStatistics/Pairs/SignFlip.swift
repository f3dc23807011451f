/// The permutation test on paired differences (Fisher 1935): had nothing changed, each difference
/// could as well have come with the other sign.
public struct SignFlip: Hashable, Sendable {
  /// The p-value of a mean as far from 0: twice the smaller of the others, at most 1.
  public let twoSided: Double
  /// The p-value of a mean as high.
  public let greater: Double
  /// The p-value of a mean as low.
  public let less: Double
  /// Whether all ways to set the signs were looked at, and not a random part of them.
  public let isExact: Bool

  /// Up to how many differences all ways to set the signs are looked at; those of 0 do not count.
  public static let exactLimit = 20

  /// Tests paired differences; nil where there are none.
  ///
  /// Zeros have no sign to flip, and leave the p-values as they are.
  ///
  /// - Parameters:
  ///   - differences: Candidate minus baseline, case by case.
  ///   - seed: Decides which ways to set the signs are drawn, where there are too many for all.
  ///   - draws: How many are drawn then, at least 1. What was seen counts as one more (Phipson &
  ///     Smyth 2010), so that no p-value is 0.
  public init?(_ differences: [Double], seed: UInt64 = 0, draws: Int = 10_000) {
    precondition(draws > 0, "a random part is not empty")
    guard !differences.isEmpty else { return nil }
    let sizes = differences.filter { $0 != 0 }
    let observed = sizes.reduce(0, +)
    // Sums that are the observed one but for the order of adding count as it.
    let tolerance = 1e-12 * sizes.reduce(0) { $0 + abs($1) }
    isExact = sizes.count <= Self.exactLimit
    if isExact {
      let half = sizes.count / 2
      let left = Self.sums(sizes[..<half])
      let right = Self.sums(sizes[half...])
      let all = Double(left.count) * Double(right.count)
      let below = Self.pairs(left, right, upTo: observed + tolerance)
      // A sum is at least the observed one where its mirror image is at most minus that.
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

  /// The sums of all ways to set the signs, sorted.
  private static func sums(_ sizes: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for size in sizes { sums = sums.map { $0 - size } + sums.map { $0 + size } }
    return sums.sorted()
  }

  /// How many sums of a number from each list are at most a bound.
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
