/// A SHA-256 digest of 32 bytes.
@usableFromInline
package struct Digest: Sendable {
  // Big-endian words, so that digests sort like their hexadecimal digits.
  @usableFromInline
  let words: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a digest from its 32 bytes.
  package init(bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 32, "a SHA-256 digest has 32 bytes")
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Creates a digest from 64 lower-case hexadecimal digits; nil for any other text.
  @inlinable
  package init?(hexadecimal digits: some Sequence<UInt8>) {
    guard let digest = digits.withUnits({ Digest(digits: $0) }) else { return nil }
    self = digest
  }

  /// Creates a digest from 64 lower-case hexadecimal digits; nil for any other text.
  @usableFromInline
  package init?(digits: UnsafeBufferPointer<UInt8>) {
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    var high: UInt8?
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    self = bytes.withUnsafeBytes { Digest(bytes: $0) }
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
    }
  }

  /// The first sixteen bytes, as two big-endian words.
  @inlinable
  package var halves: (high: UInt64, low: UInt64) { (words.0, words.1) }

  /// The digest as 64 lower-case hexadecimal digits.
  @usableFromInline
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 64) { digits in
      write(to: UnsafeMutableRawBufferPointer(digits))
      return 64
    }
  }

  /// Returns true if the given bytes are this digest as 64 lower-case hexadecimal digits.
  package func isWritten(as digits: UnsafeRawBufferPointer) -> Bool {
    guard digits.count == 64 else { return false }
    func stands(_ word: UInt64, at start: Int) -> Bool {
      let (high, low) = Self.digits(of: word)
      return digits.loadUnaligned(fromByteOffset: start, as: UInt64.self) == high
        && digits.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self) == low
    }
    return stands(words.0, at: 0) && stands(words.1, at: 16) && stands(words.2, at: 32)
      && stands(words.3, at: 48)
  }

  /// Writes the 64 lower-case hexadecimal digits.
  @usableFromInline
  package func write(to digits: UnsafeMutableRawBufferPointer) {
    precondition(digits.count >= 64, "a SHA-256 digest has 64 digits")
    func write(_ word: UInt64, at start: Int) {
      let (high, low) = Self.digits(of: word)
      digits.storeBytes(of: high, toByteOffset: start, as: UInt64.self)
      digits.storeBytes(of: low, toByteOffset: start + 8, as: UInt64.self)
    }
    write(words.0, at: 0)
    write(words.1, at: 16)
    write(words.2, at: 32)
    write(words.3, at: 48)
  }

  /// Returns the sixteen hexadecimal digits of a word, as ASCII characters in memory order.
  private static func digits(of word: UInt64) -> (UInt64, UInt64) {
    (digits(ofHalf: word >> 32), digits(ofHalf: word & 0xFFFF_FFFF))
  }

  /// Returns the eight hexadecimal digits of 32 bits, as ASCII characters in memory order.
  ///
  /// Spreads each half byte to a whole byte, and then turns all bytes into digits at once.
  private static func digits(ofHalf half: UInt64) -> UInt64 {
    var spread = (half << 16 | half) & 0x0000_FFFF_0000_FFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return (spread &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).bigEndian
  }
}

extension Digest: Hashable, Comparable, CustomStringConvertible {
  @inlinable
  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  @inlinable
  package static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    // One word is enough, because all bits of a digest are evenly distributed.
    hasher.combine(words.0)
  }

  @usableFromInline
  package var description: String { hexadecimal }
}
