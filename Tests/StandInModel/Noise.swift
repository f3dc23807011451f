/// Noise that makes a stand-in vary as a real model does: it gives the opposite answer to a share
/// of the requests.
///
/// The seed and the request determine which requests are affected. The same seed gives the same
/// answers. Two seeds simulate two runs between which nothing changed.
public struct Noise: Hashable, Sendable {
  /// The seed that determines the affected requests.
  public var seed: UInt64
  /// The share of affected requests, from 0 to 1.
  public var share: Double

  /// Creates noise.
  ///
  /// - Parameters:
  ///   - seed: The seed that determines the affected requests.
  ///   - share: The share of affected requests, from 0 to 1.
  public init(seed: UInt64, share: Double) {
    precondition((0...1).contains(share), "a share lies between 0 and 1")
    self.seed = seed
    self.share = share
  }

  /// Returns true if the noise affects a request.
  ///
  /// - Parameters:
  ///   - system: The system text.
  ///   - user: The user text.
  /// - Returns: True if the stand-in gives the opposite answer: it reports an issue if it found
  ///   none, and no issue if it found one.
  public func strikes(system: String, user: String) -> Bool {
    // Computes FNV-1a (Fowler, Noll and Vo 1991) over both texts, then the last steps of SplitMix64
    // (Steele, Lea and Flood 2014). Without these steps, similar texts would have similar numbers.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in [system, user] {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01b3
    }
    let bits = Self.mixed(Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) ^ hash)
    return Double(bits >> 11) * 0x1p-53 < share
  }

  private static func mixed(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
