import SluiceSystem

/// A growing byte buffer, for output composed of many small pieces.
///
/// Unlike this buffer, an array checks before each append that its storage is not shared. For a
/// line made of forty pieces, these checks take longer than copying the pieces.
// Safe to share: no other value points to the buffer's memory, and the buffer cannot be copied.
@usableFromInline
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
  @usableFromInline
  var base: UnsafeMutableRawPointer
  @usableFromInline
  var capacity: Int
  @usableFromInline
  var length = 0

  /// The number of bytes in the buffer.
  @inlinable
  package var count: Int { length }

  package init(capacity: Int = 1 << 10) {
    self.capacity = max(capacity, 64)
    base = Self.memory(byteCount: self.capacity)
  }

  deinit { free(base) }

  /// The contents, valid until the next mutation.
  @inlinable
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// The contents, valid until the next mutation.
  @inlinable
  package var units: UnsafeBufferPointer<UInt8> { bytes.assumingMemoryBound(to: UInt8.self) }

  /// Empties the buffer and keeps its capacity.
  @inlinable
  package mutating func removeAll() { length = 0 }

  /// Removes a number of bytes from the start.
  package mutating func removeFirst(_ count: Int) {
    precondition(count <= length, "the buffer contains fewer bytes")
    length -= count
    memmove(base, base + count, length)
  }

  /// Removes a number of bytes from the end.
  @inlinable
  package mutating func removeLast(_ count: Int) { length -= count }

  @inlinable
  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    place(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ units: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(units))
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Appends a string literal.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the 64 lower-case hexadecimal digits of a digest.
  @inlinable
  @inline(__always)
  package mutating func append(_ digest: Digest) {
    digest.write(to: UnsafeMutableRawBufferPointer(start: place(for: 64), count: 64))
  }

  /// Appends one byte.
  @inlinable
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    place(for: 1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Appends bytes, such as those of an array or of a text's UTF-8.
  @inlinable
  package static func += (buffer: inout ByteBuffer, bytes: some Sequence<UInt8>) {
    let isTaken: Void? = bytes.withContiguousStorageIfAvailable { buffer.append($0) }
    if isTaken == nil { for byte in bytes { buffer.append(byte) } }
  }

  /// Appends the bytes before the first marked byte.
  ///
  /// - Parameters:
  ///   - units: The bytes.
  ///   - start: The index of the first byte to append.
  ///   - marks: Takes eight bytes as a word. Returns a word in which the highest bit of each marked
  ///     byte is set.
  /// - Returns: The index of the marked byte, or the end of the bytes if no byte is marked.
  @inlinable
  @inline(__always)
  package mutating func append(
    _ units: UnsafeBufferPointer<UInt8>,
    from start: Int,
    until marks: (UInt64) -> UInt64
  ) -> Int {
    let rest = units.count - start
    if rest > capacity - length { grow(by: rest) }
    let end = units.copyRun(from: start, to: base + length, until: marks)
    length += end - start
    return end
  }

  /// Appends the digits of a number, padded with zeros to a minimum width.
  package mutating func append(digitsOf number: UInt, atLeast least: Int = 1) {
    var (count, rest) = (1, number / 10)
    while rest > 0 {
      count += 1
      rest /= 10
    }
    count = max(count, least)
    let place = place(for: count)
    rest = number
    while count > 0 {
      count -= 1
      let digit = UInt8(truncatingIfNeeded: rest % 10)
      place.storeBytes(of: UInt8(ascii: "0") + digit, toByteOffset: count, as: UInt8.self)
      rest /= 10
    }
  }

  /// Adds uninitialized bytes at the end, which the caller must fill.
  @inlinable
  @inline(__always)
  mutating func place(for bytes: Int) -> UnsafeMutableRawPointer {
    if bytes > capacity - length { grow(by: bytes) }
    let place = base + length
    length += bytes
    return place
  }

  @usableFromInline
  @inline(never)
  mutating func grow(by bytes: Int) {
    capacity = max(2 * capacity, length + bytes)
    base = Self.memory(byteCount: capacity, inPlaceOf: base)
  }

  /// Allocates memory, or resizes existing memory.
  ///
  /// `realloc` moves large blocks without copying their contents.
  private static func memory(
    byteCount: Int,
    inPlaceOf old: UnsafeMutableRawPointer? = nil
  ) -> UnsafeMutableRawPointer {
    guard let memory = realloc(old, byteCount) else { fatalError("out of memory") }
    return memory
  }
}
