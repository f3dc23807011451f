/// Tests of eight bytes at once, based on Mycroft's test for a zero byte in a word (1987).
///
/// Each test returns a word in which the highest bit of every matching byte is set. Only the lowest
/// set bit is reliable: higher bits may be set without a match.
extension UInt64 {
  @inlinable
  static var lowestBits: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable
  static var highestBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Marks the bytes that are equal to a byte.
  @inlinable
  @inline(__always)
  package func marks(of byte: UInt8) -> UInt64 {
    let difference = self ^ (Self.lowestBits &* UInt64(byte))
    return (difference &- Self.lowestBits) & ~difference & Self.highestBits
  }

  /// Marks the bytes below a limit of at most 128.
  @inlinable
  @inline(__always)
  package func marks(below limit: UInt8) -> UInt64 {
    (self &- Self.lowestBits &* UInt64(limit)) & ~self & Self.highestBits
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Copies the bytes before the first marked byte, eight at a time if possible.
  ///
  /// - Parameters:
  ///   - start: The index of the first byte.
  ///   - destination: The memory to copy to, with space for all bytes from `start` on.
  ///   - marks: Takes eight bytes as a word. Returns a word in which the highest bit of each marked
  ///     byte is set.
  /// - Returns: The index of the marked byte, or the end of the bytes if no byte is marked.
  @inlinable
  @inline(__always)
  package func copyRun(
    from start: Int,
    to destination: UnsafeMutableRawPointer,
    until marks: (UInt64) -> UInt64
  ) -> Int {
    let bytes = UnsafeRawBufferPointer(self)
    var index = start
    while index + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      // This also copies the marked byte and the bytes after it. The caller overwrites them with
      // the next bytes.
      (destination + (index - start)).storeBytes(of: word.littleEndian, as: UInt64.self)
      let found = marks(word)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    // The last few bytes are also tested as a word, padded with zero bytes.
    let rest = bytes.count - index
    var word: UInt64 = 0
    if bytes.count >= 8 {
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
      // A shift by 64 bits gives zero.
      word = UInt64(littleEndian: last) >> UInt64(64 - 8 * rest)
    } else {
      for unit in self[index...].reversed() { word = word << 8 | UInt64(unit) }
    }
    let end = index + Swift.min(rest, marks(word).trailingZeroBitCount / 8)
    while index < end {
      (destination + (index - start)).storeBytes(
        of: UInt8(truncatingIfNeeded: word),
        as: UInt8.self
      )
      word >>= 8
      index += 1
    }
    return index
  }
}
