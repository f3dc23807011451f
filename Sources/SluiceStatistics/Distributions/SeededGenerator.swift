/// A random number generator that gives the same numbers for the same seed on every platform.
///
/// The algorithm is SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number
/// generators"). Swift's own random functions may draw different numbers from the same generator in
/// another version of Swift. For reproducible results, call `uniform(below:)` and `uniform()`.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  ///
  /// - Parameter seed: The seed, which determines all numbers.
  package init(seed: UInt64) { state = seed }

  /// Returns the next number.
  ///
  /// - Returns: 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a uniformly distributed integer (Lemire 2019, "Fast random integer generation in an
  /// interval").
  ///
  /// - Parameter bound: The exclusive upper bound, at least 1.
  /// - Returns: A number from 0 to `bound - 1`.
  package mutating func uniform(below bound: Int) -> Int {
    precondition(bound > 0, "the bound must be at least 1, not \(bound)")
    let bound = UInt64(bound)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      // Rejecting this many values of the low half removes the bias.
      let surplus = (0 &- bound) % bound
      while product.low < surplus { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// Returns a uniformly distributed real number.
  ///
  /// - Returns: A multiple of 2^-53, at least 0 and below 1.
  package mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Shuffles a list, with equal probability for each order (Durstenfeld 1964).
  ///
  /// - Parameter elements: The list.
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in (1..<elements.count).reversed() {
      elements.swapAt(last, uniform(below: last + 1))
    }
  }
}
