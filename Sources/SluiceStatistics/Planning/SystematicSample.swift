/// A sample in which each element has the same chance, and each stratum has nearly its proportional
/// share.
///
/// The elements are shuffled, sorted by stratum, and taken at equal distances from a random start
/// (Madow & Madow 1944, "On the theory of systematic sampling"). Each stratum then has its
/// proportional number of elements in the sample, rounded up or down.
package enum SystematicSample {
  /// Returns the indices of the sampled elements, in ascending order.
  ///
  /// - Parameters:
  ///   - strata: The stratum of each element.
  ///   - size: The sample size, at least 0. If it exceeds the number of elements, all are sampled.
  ///   - seed: The seed: the same seed draws the same sample.
  /// - Returns: `size` different indices, or all of them.
  package static func places(of strata: [some Comparable], size: Int, seed: UInt64) -> [Int] {
    precondition(size >= 0, "a sample size must not be negative")
    guard size < strata.count else { return Array(strata.indices) }
    guard size > 0 else { return [] }
    var random = SeededGenerator(seed: seed)
    var order = Array(strata.indices)
    random.shuffle(&order)
    let ranks = order.enumerated().sorted {
      (strata[$0.element], $0.offset) < (strata[$1.element], $1.offset)
    }.map(\.element)
    let step = Double(ranks.count) / Double(size)
    let start = random.uniform() * step
    // Rounding must not lead beyond the last element.
    return (0..<size).map { ranks[min(ranks.count - 1, Int(start + Double($0) * step))] }.sorted()
  }
}
