/// Corrections of p-values for multiple testing.
package enum MultipleTesting {
  /// Returns p-values adjusted to control the probability of any false alarm (Holm 1979).
  ///
  /// - Parameter p: The p-values, each from 0 to 1.
  /// - Returns: The adjusted p-values, in the same order.
  package static func holm(_ p: [Double]) -> [Double] {
    var adjusted = p
    var most = 0.0
    for (rank, index) in ascending(p).enumerated() {
      most = max(most, min(1, Double(p.count - rank) * p[index]))
      adjusted[index] = most
    }
    return adjusted
  }

  /// Returns p-values adjusted to control the false discovery rate (Benjamini & Hochberg 1995).
  ///
  /// - Parameter p: The p-values, each from 0 to 1.
  /// - Returns: The adjusted p-values, also called q-values, in the same order.
  package static func benjaminiHochberg(_ p: [Double]) -> [Double] {
    var adjusted = p
    var least = 1.0
    for (rank, index) in ascending(p).enumerated().reversed() {
      least = min(least, p[index] * Double(p.count) / Double(rank + 1))
      adjusted[index] = least
    }
    return adjusted
  }

  private static func ascending(_ p: [Double]) -> [Int] {
    precondition(p.allSatisfy { $0 >= 0 && $0 <= 1 }, "a p-value lies between 0 and 1")
    return p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
  }
}
