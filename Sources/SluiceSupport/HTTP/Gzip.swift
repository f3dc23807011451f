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
    let stream = Stream()
    // 15 bits of window; adding 32 detects gzip or zlib by the header.
    let size = CInt(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream.pointer, 15 + 32, ZLIB_VERSION, size) == Z_OK else {
      return .notCompressed
    }
    defer { inflateEnd(stream.pointer) }
    var source = bytes
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 32 << 10)
    let isWhole: Bool = source.withUnsafeMutableBufferPointer { source in
      stream.pointer.pointee.next_in = source.baseAddress
      stream.pointer.pointee.avail_in = uInt(source.count)
      while true {
        let (code, count) = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.pointer.pointee.next_out = chunk.baseAddress
          stream.pointer.pointee.avail_out = uInt(chunk.count)
          let code = CZlib.inflate(stream.pointer, Z_NO_FLUSH)
          return (code, chunk.count - Int(stream.pointer.pointee.avail_out))
        }
        result.append(contentsOf: chunk[..<count])
        if result.count > limit { return false }
        switch code {
        case Z_OK: continue
        case Z_STREAM_END
        where stream.pointer.pointee.avail_in > 1 && inflateReset(stream.pointer) == Z_OK: continue
        default: return true
        }
      }
    }
    guard isWhole else { return .tooLarge }
    return result.isEmpty && stream.pointer.pointee.total_in < 3 ? .notCompressed : .bytes(result)
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
