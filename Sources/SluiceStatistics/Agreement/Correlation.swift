import SluiceSystem

/// Correlations of paired numbers, from -1 to 1.
///
/// The two arrays of every function must have the same length, and their numbers must be finite.
package enum Correlation {
  /// Returns the product-moment correlation (Pearson 1895).
  ///
  /// - Parameters:
  ///   - x: The first number of each pair.
  ///   - y: The second number of each pair, in the same order as `x`.
  /// - Returns: The correlation from -1 to 1. Nil if there are fewer than two pairs, or if all
  ///   numbers of `x` or all numbers of `y` are equal.
  package static func pearson(_ x: [Double], _ y: [Double]) -> Double? {
    guard vary(x, y) else { return nil }
    let (dx, dy) = (scaledResiduals(x), scaledResiduals(y))
    let products = zip(dx, dy).reduce(0) { $0 + $1.0 * $1.1 }
    let squares = (dx.reduce(0) { $0 + $1 * $1 }, dy.reduce(0) { $0 + $1 * $1 })
    guard squares.0 > 0, squares.1 > 0 else { return nil }
    return max(-1, min(1, products / squares.0.squareRoot() / squares.1.squareRoot()))
  }

  /// Returns the rank correlation (Spearman 1904); equal numbers get their mean rank.
  ///
  /// - Parameters:
  ///   - x: The first number of each pair.
  ///   - y: The second number of each pair, in the same order as `x`.
  /// - Returns: The correlation from -1 to 1. Nil if there are fewer than two pairs, or if all
  ///   numbers of `x` or all numbers of `y` are equal.
  package static func spearman(_ x: [Double], _ y: [Double]) -> Double? {
    guard vary(x, y) else { return nil }
    return pearson(ranks(x), ranks(y))
  }

  /// Returns the rank correlation tau-b, which compares the order of every pair of elements and
  /// corrects for ties (Kendall 1945).
  ///
  /// Takes O(n log n) time (Knight 1966).
  ///
  /// - Parameters:
  ///   - x: The first number of each pair.
  ///   - y: The second number of each pair, in the same order as `x`.
  /// - Returns: The correlation from -1 to 1. Nil if there are fewer than two pairs, or if all
  ///   numbers of `x` or all numbers of `y` are equal.
  package static func kendallTauB(_ x: [Double], _ y: [Double]) -> Double? {
    guard vary(x, y) else { return nil }
    let order = x.indices.sorted { (x[$0], y[$0]) < (x[$1], y[$1]) }
    let pairs = x.count * (x.count - 1) / 2
    let tiedX = tiedPairs(order) { x[$0] == x[$1] }
    let tiedBoth = tiedPairs(order) { x[$0] == x[$1] && y[$0] == y[$1] }
    var sorted = order.map { y[$0] }
    let discordant = sortCountingSwaps(&sorted)
    let tiedY = tiedPairs(sorted) { $0 == $1 }
    let concordant = pairs - tiedX - tiedY + tiedBoth - discordant
    let tau =
      Double(concordant - discordant) / Double(pairs - tiedX).squareRoot()
      / Double(pairs - tiedY).squareRoot()
    return max(-1, min(1, tau))
  }

  /// The kinds of correlation.
  package enum Kind: Sendable {
    case pearson, spearman, kendall
  }

  /// Returns the 95% interval of a correlation, by Fisher's transformation (1921).
  ///
  /// The variance of atanh(r) is 1/(n - 3) for Pearson's correlation, (1 + r²/2)/(n - 3) for
  /// Spearman's (Bonett & Wright 2000) and 0.437/(n - 4) for Kendall's (Fieller, Hartley & Pearson
  /// 1957). If the cases are clustered, n is divided by a design effect. The design effect is at
  /// least 1, and is computed from each case's influence on Pearson's correlation.
  ///
  /// - Parameters:
  ///   - value: The correlation.
  ///   - kind: The kind of correlation.
  ///   - x: The first numbers, one per case.
  ///   - y: The second numbers, in the same order.
  ///   - clusters: The cluster number of each case; nil if each case is independent.
  /// - Returns: The interval within -1 to 1; nil if n (divided by the design effect of clusters) is
  ///   below 5, or if the correlation is perfect.
  package static func interval(
    _ value: Double,
    kind: Kind,
    _ x: [Double],
    _ y: [Double],
    clusters: [Int32]? = nil
  ) -> Interval? {
    guard abs(value) < 1 else { return nil }
    var n = Double(x.count)
    if let clusters {
      let isRanked = kind != .pearson
      n /= clusteringEffect(isRanked ? ranks(x) : x, isRanked ? ranks(y) : y, clusters)
    }
    guard n >= 5 else { return nil }
    let variance =
      switch kind {
      case .pearson: 1 / (n - 3)
      case .spearman: (1 + value * value / 2) / (n - 3)
      case .kendall: 0.437 / (n - 4)
      }
    let z = 0.5 * log((1 + value) / (1 - value))
    let half = 1.959963984540054 * variance.squareRoot()
    func back(_ z: Double) -> Double {
      let power = exp(2 * z)
      return power.isInfinite ? 1 : (power - 1) / (power + 1)
    }
    return Interval(low: back(z - half), high: back(z + half))
  }

  /// Returns the factor by which clusters raise the variance of a correlation, at least 1.
  private static func clusteringEffect(_ x: [Double], _ y: [Double], _ clusters: [Int32]) -> Double
  {
    guard let r = pearson(x, y) else { return 1 }
    func standard(_ numbers: [Double]) -> [Double] {
      let residuals = scaledResiduals(numbers)
      let variance = residuals.reduce(0) { $0 + $1 * $1 / Double(numbers.count) }
      return residuals.map { $0 / variance.squareRoot() }
    }
    let influence = zip(standard(x), standard(y)).map { x, y in x * y - r * (x * x + y * y) / 2 }
    guard let plain = MeanInference(influence, bounds: nil)?.standardError, plain > 0,
      let clustered = MeanInference(influence, clusters: clusters, bounds: nil)?.standardError
    else { return 1 }
    return max(1, clustered * clustered / (plain * plain))
  }

  /// Returns the ranks of numbers, counted from 1; equal numbers get their mean rank.
  package static func ranks(_ numbers: [Double]) -> [Double] {
    let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    var ranks = numbers
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, numbers[order[end]] == numbers[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }

  private static func vary(_ x: [Double], _ y: [Double]) -> Bool {
    precondition(x.count == y.count, "x and y must have the same length")
    return x.contains { $0 != x[0] } && y.contains { $0 != y[0] }
  }

  /// Returns the distances from the mean, divided by the largest distance.
  ///
  /// This prevents overflow and underflow of the squares.
  private static func scaledResiduals(_ numbers: [Double]) -> [Double] {
    let mean = numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
    let residuals = numbers.map { $0 - mean }
    let largest = residuals.reduce(0) { max($0, abs($1)) }
    return largest > 0 ? residuals.map { $0 / largest } : residuals
  }

  /// Returns the number of tied pairs in a list whose ties are adjacent.
  private static func tiedPairs<Element>(
    _ list: [Element],
    _ areTied: (Element, Element) -> Bool
  ) -> Int {
    var (pairs, run) = (0, 0)
    for (one, next) in zip(list, list.dropFirst()) {
      run = areTied(one, next) ? run + 1 : 0
      pairs += run
    }
    return pairs
  }

  /// Sorts by merging, and returns the number of pairs that were in descending order.
  private static func sortCountingSwaps(_ list: inout [Double]) -> Int {
    var (swaps, width) = (0, 1)
    var merged = list
    while width < list.count {
      var start = 0
      while start < list.count {
        let middle = min(start + width, list.count)
        let end = min(start + 2 * width, list.count)
        var (left, right) = (start, middle)
        for place in start..<end {
          if left < middle, right == end || list[left] <= list[right] {
            merged[place] = list[left]
            left += 1
          } else {
            merged[place] = list[right]
            right += 1
            swaps += middle - left
          }
        }
        start = end
      }
      swap(&list, &merged)
      width *= 2
    }
    return swaps
  }
}
