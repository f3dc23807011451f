import SluiceSupport

/// An index for a sorted list of slots, by the first bits of their keys.
///
/// Keys are digests, so they are evenly distributed. There are at least as many prefixes as slots,
/// so most prefixes have at most one or two slots.
struct SlotIndex: Sendable {
  /// The start of each prefix's range of slots, followed by the end of the last range.
  private var starts: [UInt32] = [0, 0]
  private var shift: UInt64 = 64

  init() {}

  /// Creates the index for a list.
  ///
  /// - Parameters:
  ///   - count: The number of slots.
  ///   - high: Returns the first 8 bytes of the key at an index. The keys must ascend.
  init(count: Int, high: (Int) -> UInt64) {
    guard count > 0, count < Int(UInt32.max) else { return }
    let bits = UInt64(UInt.bitWidth - count.leadingZeroBitCount)
    shift = 64 - bits
    starts = [UInt32](repeating: UInt32(count), count: 1 << Int(bits) + 1)
    var next = 0
    for index in 0..<count {
      let start = Int(truncatingIfNeeded: high(index) >> shift)
      while next <= start {
        starts[next] = UInt32(index)
        next += 1
      }
    }
  }

  /// Returns the range of the list in which a slot can be, given the first 8 bytes of its key.
  func places(_ high: UInt64) -> Range<Int> {
    let start = Int(truncatingIfNeeded: high >> shift)
    let (low, end) = (Int(starts[start]), Int(starts[start + 1]))
    return low..<max(low, end)
  }
}
