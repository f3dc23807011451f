/// A fast checksum that detects accidental changes of bytes.
package enum QuickChecksum {
  /// Returns the checksum, mixing eight bytes at a time by multiplication.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = UInt64(truncatingIfNeeded: bytes.count)
    func mix(_ word: UInt64) {
      state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
      state ^= state >> 32
    }
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    for byte in bytes[offset...] { mix(UInt64(byte)) }
    return UInt32(truncatingIfNeeded: state >> 16)
  }
}
