import CZlib

/// Compressed bytes in gzip (RFC 1952) and zlib (RFC 1950) formats, using the system's zlib.
@usableFromInline
package enum Gzip {
  /// The result of inflating bytes.
  package enum Inflated: Hashable, Sendable {
    /// The inflated bytes; for truncated or damaged data, only the bytes before the damage.
    case bytes([UInt8])
    /// The result exceeds the limit and is discarded.
    case tooLarge
    /// The bytes are not compressed in a supported format.
    case notCompressed
  }

  /// Returns true if bytes start like gzip or zlib data, which few texts do.
  @inlinable
  package static func mayBeCompressed(_ bytes: some Collection<UInt8>) -> Bool {
    var iterator = bytes.makeIterator()
    guard let first = iterator.next(), let second = iterator.next() else { return false }
    if first == 0x1F { return second == 0x8B }
    // Tests for deflate with the usual window. As one number, the two header bytes are a multiple
    // of 31.
    return first == 0x78 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
  }

  /// Inflates bytes; several consecutive gzip members are concatenated.
  ///
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - limit: The maximum size of the result in bytes, which protects from decompression bombs.
  /// - Returns: The inflated bytes, or the reason why there are none.
  package static func inflate(_ bytes: [UInt8], limit: Int) -> Inflated {
    guard mayBeCompressed(bytes), bytes.count <= UInt32.max else { return .notCompressed }
    let inflater = Inflater()
    var result: [UInt8] = []
    bytes.withUnsafeBufferPointer { inflater.take($0, into: &result, limit: limit) }
    if inflater.state == .tooLarge { return .tooLarge }
    return result.isEmpty && inflater.consumed < 3 ? .notCompressed : .bytes(result)
  }

  /// A decoder of compressed bytes that arrive in pieces.
  final class Inflater {
    enum State {
      /// The data has not ended yet.
      case open
      /// The data has ended, with the right checksum.
      case whole
      case damaged
      case tooLarge
    }

    private(set) var state = State.open
    private let stream = Stream()
    private var zlib: UnsafeMutablePointer<z_stream> { stream.pointer }

    init() {
      // 15 bits of window; adding 32 detects gzip or zlib by the header.
      let size = CInt(MemoryLayout<z_stream>.size)
      let started = inflateInit2_(stream.pointer, 15 + 32, ZLIB_VERSION, size)
      precondition(started == Z_OK, "zlib cannot start: out of memory")
    }

    deinit { inflateEnd(zlib) }

    /// The number of bytes that were decoded in the current member.
    var consumed: Int { Int(zlib.pointee.total_in) }

    /// Decodes the next piece.
    func take(_ piece: UnsafeBufferPointer<UInt8>, into result: inout [UInt8], limit: Int) {
      zlib.pointee.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
      zlib.pointee.avail_in = uInt(piece.count)
      var chunk = [UInt8](repeating: 0, count: 32 << 10)
      while state == .open || zlib.pointee.avail_in > 0 {
        // Only another gzip member may follow the end of a member.
        if state == .whole, zlib.pointee.next_in.pointee != 0x1F || inflateReset(zlib) != Z_OK {
          state = .damaged
        }
        if state == .damaged || state == .tooLarge { return }
        let (code, count) = chunk.withUnsafeMutableBufferPointer { chunk in
          zlib.pointee.next_out = chunk.baseAddress
          zlib.pointee.avail_out = uInt(chunk.count)
          return (CZlib.inflate(zlib, Z_NO_FLUSH), chunk.count - Int(zlib.pointee.avail_out))
        }
        result.append(contentsOf: chunk[..<count])
        switch code {
        case _ where result.count > limit: state = .tooLarge
        case Z_OK: state = .open
        case Z_STREAM_END: state = .whole
        // There are no more bytes.
        case Z_BUF_ERROR: return
        default: state = .damaged
        }
      }
    }
  }

  /// Compresses bytes into a gzip member.
  ///
  /// The member contains no name and no date, so the same version of zlib always gives the same
  /// bytes.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    let stream = Stream()
    let started = deflateInit2_(
      stream.pointer,
      Z_DEFAULT_COMPRESSION,
      Z_DEFLATED,
      15 + 16,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size)
    )
    precondition(started == Z_OK, "zlib cannot start: out of memory")
    defer { deflateEnd(stream.pointer) }
    var source = bytes
    var result = [UInt8](repeating: 0, count: Int(deflateBound(stream.pointer, uLong(bytes.count))))
    source.withUnsafeMutableBufferPointer { source in
      result.withUnsafeMutableBufferPointer { result in
        stream.pointer.pointee.next_in = source.baseAddress
        stream.pointer.pointee.avail_in = uInt(source.count)
        stream.pointer.pointee.next_out = result.baseAddress
        stream.pointer.pointee.avail_out = uInt(result.count)
        _ = deflate(stream.pointer, Z_FINISH)
      }
    }
    return Array(result.prefix(Int(stream.pointer.pointee.total_out)))
  }

  /// A zlib stream.
  ///
  /// The stream must not move in memory, because zlib's state stores the address of the stream.
  private final class Stream {
    let pointer: UnsafeMutablePointer<z_stream>

    init() {
      pointer = .allocate(capacity: 1)
      pointer.initialize(to: z_stream())
    }

    deinit {
      pointer.deallocate()
    }
  }
}
