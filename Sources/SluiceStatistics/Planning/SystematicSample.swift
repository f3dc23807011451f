/// A sample in which every element has the same chance, and every stratum nearly its share.
///
/// The elements are put into random order, then sorted by stratum, and taken at equal distances from a
/// random start (Madow & Madow 1944, "On the theory of systematic sampling"). A stratum then has as
/// many elements in the sample as its share asks for, rounded up or down.
public enum SystematicSample {
  /// Returns the places of a sample, in ascending order.
  ///
  /// - Parameters:
  ///   - strata: The stratum of each element.
  ///   - size: How many elements are wanted, at least 0; all where there are no more.
  ///   - seed: What decides about the sample: the same seed draws the same one.
  /// - Returns: As many places as are wanted, each once.
  public static func places(of strata: [some Comparable], size: Int, seed: UInt64) -> [Int] {
    precondition(size >= 0, "a sample has no negative size")
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
