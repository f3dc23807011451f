/// A destination for the bytes of a file.
///
/// The sink passes the bytes on in pieces, so that a large file is never in memory as a whole.
package struct FileSink: ~Copyable {
  /// The bytes not yet passed on.
  ///
  /// Writers append to the buffer, then call ``spill()``.
  package var buffer = ByteBuffer(capacity: 2 * Self.pieceLength)
  private let take: (UnsafeRawBufferPointer) throws(FileError) -> Void
  /// The size of a piece in bytes.
  ///
  /// Writing large, page-aligned pieces takes half as long as writing other pieces.
  private static let pieceLength = 1 << 18

  /// Creates a sink.
  ///
  /// - Parameter take: Receives the bytes, one piece at a time.
  package init(_ take: @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) {
    self.take = take
  }

  /// Passes on whole pieces if the buffer contains enough bytes.
  ///
  /// Call this method regularly, for example after each line.
  package mutating func spill() throws(FileError) {
    let count = buffer.count / Self.pieceLength * Self.pieceLength
    if count == 0 { return }
    try take(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
    buffer.removeFirst(count)
  }

  /// Passes on all pending bytes.
  package mutating func flush() throws(FileError) {
    if buffer.count == 0 { return }
    try take(buffer.bytes)
    buffer.removeAll()
  }

  /// Returns the bytes that a closure writes to a sink in memory.
  package static func bytes(_ produce: (inout FileSink) throws(FileError) -> Void) -> [UInt8] {
    let bytes = Locked<[UInt8]>([])
    var sink = FileSink { piece in bytes.withLock { $0.append(contentsOf: piece) } }
    do throws(FileError) {
      try produce(&sink)
      try sink.flush()
    } catch {
      preconditionFailure("a sink in memory cannot throw: \(error)")
    }
    return bytes.withLock { $0 }
  }
}
