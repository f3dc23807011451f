/// Takes the bytes of a file as they are made, so that a large one is never in memory as a whole.
package struct FileSink: ~Copyable {
  /// The bytes that were not handed on yet: what writes appends to them, then calls ``spill()``.
  package var buffer = ByteBuffer(capacity: 2 * Self.pieceLength)
  private let take: (UnsafeRawBufferPointer) throws(FileError) -> Void
  /// Large pieces that start and end where the system's pages do take half the time of others.
  private static let pieceLength = 1 << 18

  /// Creates a sink.
  ///
  /// - Parameter take: Told the bytes, a piece at a time.
  package init(_ take: @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) {
    self.take = take
  }

  /// Hands on whole pieces once enough has come together; called now and then, as after each line.
  package mutating func spill() throws(FileError) {
    let count = buffer.count / Self.pieceLength * Self.pieceLength
    if count == 0 { return }
    try take(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
    buffer.removeFirst(count)
  }

  /// Hands on all that was written.
  package mutating func flush() throws(FileError) {
    if buffer.count == 0 { return }
    try take(buffer.bytes)
    buffer.removeAll()
  }

  /// The bytes that a closure writes, for those who want them in memory.
  package static func bytes(_ produce: (inout FileSink) throws(FileError) -> Void) -> [UInt8] {
    let bytes = Locked<[UInt8]>([])
    var sink = FileSink { piece in bytes.withLock { $0.append(contentsOf: piece) } }
    do throws(FileError) {
      try produce(&sink)
      try sink.flush()
    } catch {
      preconditionFailure("memory cannot refuse what is written: \(error)")
    }
    return bytes.withLock { $0 }
  }
}
