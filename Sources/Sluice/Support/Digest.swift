/// A SHA-256 digest: 32 bytes that stand for a text.
package struct Digest: Sendable {
  // Four words, the first bytes highest, so that the order of digests is that of their digits.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a digest of its 32 bytes.
  package init(bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 32, "a SHA-256 digest has 32 bytes")
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Creates a digest of 64 lower-case hexadecimal digits; nil for all else.
  package init?(hexadecimal digits: some Collection<UInt8>) {
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

  /// The first sixteen bytes, as two words with the first byte highest.
  package var halves: (high: UInt64, low: UInt64) { (words.0, words.1) }

  /// The digest as 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 64) { digits in
      write(to: digits)
      return 64
    }
  }

  /// Appends the 64 lower-case hexadecimal digits.
  package func append(to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { digits in
      write(to: digits)
      bytes.append(contentsOf: digits)
    }
  }

  private func write(to digits: UnsafeMutableBufferPointer<UInt8>) {
    func write(_ word: UInt64, at start: Int) {
      for index in 0..<16 {
        let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 0xF
        digits[start + index] =
          value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
      }
    }
    write(words.0, at: 0)
    write(words.1, at: 16)
    write(words.2, at: 32)
    write(words.3, at: 48)
  }
}

extension Digest: Hashable, Comparable, CustomStringConvertible {
  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  package static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

  package func hash(into hasher: inout Hasher) {
    // Any eight bytes of a digest are spread as evenly as all of them.
    hasher.combine(words.0)
  }

  package var description: String { hexadecimal }
}
