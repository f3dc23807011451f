import SluiceSupport

/// Finds slots in a sorted list of them by the first bits of their keys.
///
/// Keys are digests, so that each start of as many bits as there are slots belongs to one or two.
struct SlotIndex: Sendable {
  /// Where the slots with the next start begin, by start.
  private var starts: [UInt32] = [0, 0]
  private var shift: UInt64 = 64

  init() {}

  /// - Parameters:
  ///   - count: How many slots there are.
  ///   - high: The first half of the key of each, never falling.
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

  /// The places in the list where a slot may stand whose key starts so.
  func places(_ high: UInt64) -> Range<Int> {
    let start = Int(truncatingIfNeeded: high >> shift)
    let (low, end) = (Int(starts[start]), Int(starts[start + 1]))
    return low..<max(low, end)
  }
}
